"""Games and careers in; all years one after another out, those without games too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from edo.systems.careers import Careers
from edo.systems.forwards import Period, period_of
from edo.systems.games import Games, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Year:
    """The rows of a year and the same as one period; who is in his career, his player-year (j,)."""

    part: slice
    period: Period
    player: Ints
    node: Ints


def years_of(games: Games, careers: Careers) -> Iterator[Year]:
    """Yield each year from the first to the last with games."""
    everybody = np.arange(len(games.players))
    if not len(games.year):
        return
    for year in range(int(games.year[0]), int(games.year[-1]) + 1):
        part = slice(*np.searchsorted(games.year, [year, year + 1]).tolist())
        node = careers.nodes(everybody, np.full(len(everybody), year))
        here = node >= 0
        yield Year(part, period_of(games, part), everybody[here], node[here])
