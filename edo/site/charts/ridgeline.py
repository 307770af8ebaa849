"""The ridgeline plot of number-one probabilities: an area over the years for each player."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from edo.core import formats
from edo.core.model import Dataset
from edo.rating.inference.answers import RankProbabilities
from edo.site.charts.rating_curve import Tick

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
    for one in sorted(chances, key=lambda one: (one.year, one.player)):
        if one.first >= LEAST:
            by_player[one.player].append(one)
    shown = {k: own for k, own in by_player.items() if max(one.first for one in own) >= SHOWN}
    if not shown:
        return None
    first = min(one.year for own in shown.values() for one in own)
    last = max(one.year for own in shown.values() for one in own)
    order = sorted(shown, key=lambda player: (_middle(shown[player]), player))
    bottom = TOP + ROW * len(order)
    return Ridgeline(
        height=bottom + BOTTOM,
        bottom=bottom,
        label_y=bottom + 24.0,
        year_ticks=tuple(
            Tick(_x(year + 0.5, first, last), str(year))
            for year in range(math.ceil(first / STEP) * STEP, last + 1, STEP)
        ),
        ridges=tuple(
            _ridge(shown[player], TOP + ROW * (k + 1), (first, last), dataset)
            for k, player in enumerate(order)
        ),
    )


def _middle(own: Sequence[RankProbabilities]) -> float:
    """Return the mean year, each with the weight of its probability."""
    return sum(one.year * one.first for one in own) / sum(one.first for one in own)


def _ridge(
    own: Sequence[RankProbabilities], base: float, ends: tuple[int, int], dataset: Dataset
) -> Ridge:
    start, end = _x(own[0].year, *ends), _x(own[-1].year + 1, *ends)
    is_before = start + end > WIDTH
    player = dataset.players[own[0].player]
    best = max(own, key=lambda one: (one.first, -one.year))
    return Ridge(
        player=player.id,
        name=player.name.partition(",")[0],
        outline="".join(_pieces(own, base, ends)),
        base=base,
        name_x=start - NAME_GAP if is_before else end + NAME_GAP,
        is_name_before=is_before,
        words=f"{player.shown_name}: {formats.chance(best.first)} in {best.year}",
    )


def _pieces(own: Sequence[RankProbabilities], base: float, ends: tuple[int, int]) -> Iterator[str]:
    """Yield the paths of the runs of years, a step for each year, down to the base line."""
    breaks = [0, *(k for k, (a, b) in enumerate(pairwise(own), 1) if b.year != a.year + 1)]
    for start, end in pairwise([*breaks, len(own)]):
        yield f"M{_x(own[start].year, *ends):g} {base:g}"
        for one in own[start:end]:
            yield f"V{base - CERTAIN * one.first:.1f}H{_x(one.year + 1, *ends):g}"
        yield f"V{base:g}Z"


def _x(year: float, first: int, last: int) -> float:
    return round(SIDE + (year - first) / (last + 1 - first) * (WIDTH - 2 * SIDE), 1)
