"""The ridgeline plot of number-one probabilities: an area over the years for each player."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from edo.core import formats
from edo.core.model import Dataset
from edo.rating.inference.answers import RankProbabilities
from edo.site.charts.axis import Axis, Tick

# All lengths are in units of the SVG's view box.
WIDTH = 720.0
SIDE, TOP, BOTTOM = 14.0, 10.0, 34.0
ROW = 34.0  # from one ridge to the next, so that names on a phone do not touch
CERTAIN = 30.0  # the height of a ridge at probability 1
NAME_GAP = 6.0  # between a ridge and its name

SHOWN = 0.25  # players who never reached this probability of being first have no ridge
LEAST = 0.01  # where a ridge begins and ends
STEP = 20  # [years] between the lines of the grid


@dataclass(frozen=True, slots=True)
class Ridge:
    """A player's probabilities as the outline of an area, and where the name stands."""

    player: str
    name: str
    outline: str
    base: float
    name_x: float
    is_name_before: bool
    words: str


@dataclass(frozen=True, slots=True)
class Ridgeline:
    """The plot: a ridge for each player who may have been first, in order of time."""

    height: float
    bottom: float
    label_y: float
    year_ticks: tuple[Tick, ...]
    ridges: tuple[Ridge, ...]
    width: float = WIDTH
    left: float = SIDE
    right: float = WIDTH - SIDE


def ridgeline(chances: Iterable[RankProbabilities], dataset: Dataset) -> Ridgeline | None:
    """Return the plot of who was first with which probability; None where nobody is shown."""
    by_player: defaultdict[str, list[RankProbabilities]] = defaultdict(list)
    for chance in sorted(chances, key=lambda chance: (chance.year, chance.player)):
        if chance.first >= LEAST:
            by_player[chance.player].append(chance)
    shown = [of for of in by_player.values() if max(chance.first for chance in of) >= SHOWN]
    if not shown:
        return None
    shown.sort(key=lambda of: (_middle(of), of[0].player))
    first, last = min(of[0].year for of in shown), max(of[-1].year for of in shown)
    x = Axis(first, last + 1, SIDE, WIDTH - SIDE)
    bottom = TOP + ROW * len(shown)
    return Ridgeline(
        height=bottom + BOTTOM,
        bottom=bottom,
        label_y=bottom + 24.0,
        year_ticks=tuple(
            Tick(x.at(year + 0.5), str(year)) for year in x.multiples(STEP) if year <= last
        ),
        ridges=tuple(
            _ridge(of_player, TOP + ROW * (k + 1), x, dataset) for k, of_player in enumerate(shown)
        ),
    )


def _middle(of_player: Sequence[RankProbabilities]) -> float:
    """Return the mean year, each with the weight of its probability."""
    weights = sum(chance.first for chance in of_player)
    return sum(chance.year * chance.first for chance in of_player) / weights


def _ridge(of_player: Sequence[RankProbabilities], base: float, x: Axis, dataset: Dataset) -> Ridge:
    start, end = x.at(of_player[0].year), x.at(of_player[-1].year + 1)
    is_before = start + end > WIDTH
    player = dataset.players[of_player[0].player]
    best = max(of_player, key=lambda chance: (chance.first, -chance.year))
    return Ridge(
        player=player.id,
        name=player.name.partition(",")[0],
        outline="".join(_outlines(of_player, base, x)),
        base=base,
        name_x=start - NAME_GAP if is_before else end + NAME_GAP,
        is_name_before=is_before,
        words=f"{player.shown_name}: {formats.chance(best.first)} in {best.year}",
    )


def _outlines(of_player: Sequence[RankProbabilities], base: float, x: Axis) -> Iterator[str]:
    """Yield a step for each year; each run of years goes down to the base line at its end."""
    after = None
    for chance in of_player:
        if chance.year != after:
            yield f"{'' if after is None else f'V{base:g}Z'}M{x.at(chance.year):g} {base:g}"
        after = chance.year + 1
        yield f"V{base - CERTAIN * chance.first:.1f}H{x.at(after):g}"
    yield f"V{base:g}Z"
