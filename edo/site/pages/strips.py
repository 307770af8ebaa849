"""Chances of having been first in, the ready coordinates of a strip for each player out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from edo.core import formats, urls
from edo.core.model import Dataset
from edo.rating.inference.answers import RankProbabilities
from edo.site.charts.charts import Tick
from edo.site.input import Link
from edo.site.pages.index import gather

# All lengths are in units of the SVG's view box.
WIDTH = 720.0
SIDE, TOP, BOTTOM = 14.0, 10.0, 34.0
ROW = 34.0  # from one strip to the next, so that names on a phone do not touch
CERTAIN = 30.0  # the height of a strip where the player was first beyond doubt
BESIDE = 6.0  # between a strip and its name

SHOWN = 0.25  # who never had this probability of being first has no strip
TOLD = 0.01  # where a strip begins and ends
STEP = 20  # [years] between the lines of the grid


@dataclass(frozen=True, slots=True)
class Strip:
    """A player's probabilities as the outline of an area, and where his name stands beside it."""

    player: Link
    outline: str
    base: float
    name_x: float
    is_name_before: bool
    words: str


@dataclass(frozen=True, slots=True)
class Strips:
    """The picture: a strip for each player who may have been first, in order of time."""

    width: float
    height: float
    left: float
    right: float
    bottom: float
    label_y: float
    year_ticks: tuple[Tick, ...]
    strips: tuple[Strip, ...]


def strips(chances: Iterable[RankProbabilities], dataset: Dataset) -> Strips | None:
    """Return the picture of who was first with which probability; None where nobody is shown."""
    told = gather((one.player, one) for one in sorted(chances, key=_of_time) if one.first >= TOLD)
    shown = {k: own for k, own in told.items() if max(one.first for one in own) >= SHOWN}
    if not shown:
        return None
    first = min(one.year for own in shown.values() for one in own)
    last = max(one.year for own in shown.values() for one in own)
    order = sorted(shown, key=lambda player: (_middle(shown[player]), player))
    bottom = TOP + ROW * len(order)
    return Strips(
        width=WIDTH,
        height=bottom + BOTTOM,
        left=SIDE,
        right=WIDTH - SIDE,
        bottom=bottom,
        label_y=bottom + 24.0,
        year_ticks=tuple(
            Tick(_x(year + 0.5, first, last), str(year))
            for year in range(math.ceil(first / STEP) * STEP, last + 1, STEP)
        ),
        strips=tuple(
            _strip(shown[player], TOP + ROW * (k + 1), (first, last), dataset)
            for k, player in enumerate(order)
        ),
    )


def _of_time(one: RankProbabilities) -> tuple[int, str]:
    return one.year, one.player


def _middle(own: Sequence[RankProbabilities]) -> float:
    """Return the mean year, each with the weight of its probability."""
    return sum(one.year * one.first for one in own) / sum(one.first for one in own)


def _strip(
    own: Sequence[RankProbabilities], base: float, ends: tuple[int, int], dataset: Dataset
) -> Strip:
    start, end = _x(own[0].year, *ends), _x(own[-1].year + 1, *ends)
    is_before = start + end > WIDTH
    player = dataset.players[own[0].player]
    best = max(own, key=lambda one: (one.first, -one.year))
    return Strip(
        player=Link(player.name.partition(",")[0], urls.player(player.id)),
        outline="".join(_pieces(own, base, ends)),
        base=base,
        name_x=start - BESIDE if is_before else end + BESIDE,
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
