"""The ratings of all systems in, who leads under each in which years, as rows of cells, out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isnan

import numpy as np

from edo.core import formats, urls
from edo.site.input import Link
from edo.site.pages.material import NOTHING
from edo.systems.alongside import Alongside, Column
from edo.systems.games import Bools, Floats, Ints
from edo.systems.system import System

LEADING = 10  # how many are the leading ones
ANCHOR = "systems"  # the id of what a player's page says of the systems


@dataclass(frozen=True, slots=True)
class Leader:
    """One of the leading players: his rating with its deviation, and when he had it.

    Without a year where that goes without saying, or where it is the same in all his years.
    """

    player: Link
    rating: str
    year: str | None = None
    is_gap: bool = False


@dataclass(frozen=True, slots=True)
class LeadingRow:
    """The leading players of a decade, or under a system: the best first, None past the last."""

    head: Link
    leaders: tuple[Leader | None, ...]


def of_year(systems: Alongside, column: Column, year: int) -> Ints:
    """Return the leading player-years of a year (n,), the best first, at most LEADING."""
    at = np.flatnonzero((systems.careers.year == year) & column.rated)
    return at[np.argsort(-column.rating[at], kind="stable")][:LEADING]


def of_decades(systems: Alongside, column: Column) -> Iterator[tuple[int, Ints]]:
    """Yield each decade with its leading player-years, those of the best years of the players.

    Only years with games count.
    """
    at = np.flatnonzero(systems.played & column.rated)
    at = at[np.argsort(-column.rating[at], kind="stable")]
    decades = systems.careers.year[at] // 10 * 10
    for decade in np.unique(decades):
        inside = at[decades == decade]
        _, best = np.unique(systems.careers.player[inside], return_index=True)
        yield int(decade), inside[np.sort(best)][:LEADING]


def row(head: Link, leaders: Iterable[Leader], length: int = LEADING) -> LeadingRow:
    """Return a row of so many cells."""
    given = tuple(leaders)
    return LeadingRow(head, (*given, *(None,) * (length - len(given))))


def leaders(
    systems: Alongside, column: Column, at: Ints, names: Mapping[str, str], with_year: bool
) -> Iterator[Leader]:
    """Yield the player-years (n,) as they are shown; `names` are short ones of players."""
    for k in at.tolist():
        player = systems.players[systems.careers.player[k]]
        yield Leader(
            Link(names[player], f"{urls.player(player)}#{ANCHOR}"),
            shown_with(column.rating[k], column.deviation[k]),
            str(systems.careers.year[k]) if with_year and is_moving(column.system) else None,
            not systems.played[k],
        )


def is_moving(system: System) -> bool:
    """Return whether the ratings of a system are not the same in all years of a player."""
    return system.direction != "one rating for all years"


def shown(value: float) -> str:
    """Return a rating, or a dash where there is none."""
    return NOTHING if isnan(value) else formats.rating(value)


def shown_with(rating: float, deviation: float) -> str:
    """Return a rating with its deviation where the system knows one."""
    if isnan(rating) or isnan(deviation):
        return shown(rating)
    return formats.rating_with_deviation(rating, deviation)


def farthest(systems: Alongside, column: Column, reference: Column, n: int) -> Ints:
    """Return the player-years (m,) in which a system is farthest from the reference, m <= n.

    Only years with games, and of each player the one with the greatest difference.
    """
    difference = _difference(systems, column, reference)
    at = np.flatnonzero(~np.isnan(difference))
    at = at[np.argsort(-np.abs(difference[at]), kind="stable")]
    _, first = np.unique(systems.careers.player[at], return_index=True)
    return at[np.sort(first)][:n]


def spread_and_difference(
    systems: Alongside, column: Column, reference: Column
) -> tuple[float, float] | None:
    """Return the standard deviation of a system's ratings and its mean distance from another's.

    Over the player-years with games that both rate, [Elo] both; None where there are none.
    """
    difference = _difference(systems, column, reference)
    both: Bools = ~np.isnan(difference)
    if not both.any():
        return None
    return float(np.std(column.rating[both])), float(np.mean(np.abs(difference[both])))


def _difference(systems: Alongside, column: Column, reference: Column) -> Floats:
    return np.where(systems.played, column.rating - reference.rating, np.nan)
