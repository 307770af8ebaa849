"""The numbers that the texts on the rating systems name by placeholders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import isnan
from typing import NamedTuple

import numpy as np

from edo.core.model import Dataset
from edo.rating import network
from edo.site.input import SiteInput
from edo.systems.alongside import REFERENCE, Alongside, Column
from edo.systems.games import Floats, Games, Ints, games_of

ERAS = (1850, 1880, 1900, 1920)
"""The years in which a new row of the share of draws begins."""


class Era(NamedTuple):
    """The share of draws among the games of some years, of which the draws are known."""

    first: int
    last: int
    draw_share: float


class PlayerRatings(dict[str, Mapping[int, float | None]]):
    """Ratings [Elo] by player and year; None for a player or a year without one."""

    def __init__(self, systems: Alongside, values: Floats) -> None:
        super().__init__()
        self._systems, self._values = systems, values

    def __missing__(self, player: str) -> Mapping[int, float | None]:
        """Return the ratings of a player by year."""
        at = self._systems.years_of(player)
        years, values = self._systems.careers.year[at].tolist(), self._values[at].tolist()
        known = {year: value for year, value in zip(years, values, strict=True) if not isnan(value)}
        self[player] = _OrNone(known)
        return self[player]


class _OrNone(dict[int, float | None]):
    """None for each missing key: texts test for it."""

    def __missing__(self, _: int) -> None:
        return None


def system_values(site: SiteInput, column: Column | None) -> Mapping[str, object]:
    """Return what the text on one system names; `here` is empty if the system rated nothing."""
    reference = site.systems.column(REFERENCE)
    here = None if column is None or reference is None else _here(site.systems, column, reference)
    return {"history": history_values(site), "here": here or {}}


def _here(systems: Alongside, column: Column, reference: Column) -> Mapping[str, object] | None:
    """Return how the ratings of a system compare with Edo's; None if no rating can be compared."""
    both = systems.played & column.rated & reference.rated
    if not both.any():
        return None
    firsts, edo_firsts = _firsts(systems, column), _firsts(systems, reference)
    years = firsts.keys() & edo_firsts.keys()
    rated = set(systems.careers.player[column.rated].tolist())
    edo_rated = set(systems.careers.player[reference.rated].tolist())
    return {
        "n_players": len(rated),
        "n_unrated": len(systems.players) - len(rated),
        "n_without_edo": len(rated - edo_rated),
        "spread": float(np.std(column.rating[both])),
        "edo_spread": float(np.std(reference.rating[both])),
        "n_same_leader": sum(firsts[year] == edo_firsts[year] for year in years),
        "n_years": len(years),
        "ratings": PlayerRatings(systems, column.rating),
        "edo": PlayerRatings(systems, reference.rating),
    }


def _firsts(systems: Alongside, column: Column) -> dict[int, int]:
    """Return the leading player of each year, by number, among those with games in it."""
    at = np.flatnonzero(systems.played & column.rated)
    at = at[np.argsort(column.rating[at], kind="stable")]
    return dict(
        zip(systems.careers.year[at].tolist(), systems.careers.player[at].tolist(), strict=True)
    )


@lru_cache(maxsize=1)
def history_values(site: SiteInput) -> Mapping[str, object]:
    """Return facts about the rated games that several texts name."""
    games = games_of(site.dataset)
    even = games.without_odds()
    played = _games_by_player(games)
    per_player = played[played > 0]
    years = _years_by_player(even)
    reasons = [site.ratings.unrated.get(player) for player in games.players]
    known = even.where(even.played)
    drawn, of = known.draws.sum(), known.count.sum()
    return {
        "n_players": len(games.players),
        "n_even_players": int((_games_by_player(even) > 0).sum()),
        "last_year": int(games.year.max()) if games.year.size else None,
        "median_games": float(np.median(per_player)) if per_player.size else 0.0,
        "n_one_year": int((years == 1).sum()),
        "under": {
            limit: float((per_player < limit).mean()) if per_player.size else 0.0
            for limit in (4, 20, 30)
        },
        "share_year_only": _share_year_only(site.dataset),
        "draw_share": float(drawn / of) if of else 0.0,
        "eras": list(_eras(known)),
        "n_lost_all": reasons.count(network.LOST_ALL),
        "n_won_all": reasons.count(network.WON_ALL),
        "n_edo_unrated": sum(reason is not None for reason in reasons),
    }


def _games_by_player(games: Games) -> Floats:
    n = len(games.players)
    counts = np.bincount(games.first, games.count, n) + np.bincount(games.second, games.count, n)
    return counts.astype(np.float64)


def _years_by_player(games: Games) -> Ints:
    """Return in how many years each player has games."""
    sides = np.concatenate([games.first, games.second])
    pairs = np.unique(np.stack([sides, np.tile(games.year, 2)]), axis=1)
    counts: Ints = np.bincount(pairs[0], minlength=len(games.players))
    return counts


def _share_year_only(dataset: Dataset) -> float:
    """Return the share of the games whose event is dated by the year only."""
    total = undated = 0.0
    for event in dataset.events.values():
        games = sum(result.games for result in event.results)
        total += games
        undated += games * (event.dates is None or event.dates.end.month is None)
    return undated / total if total else 0.0


def _eras(known: Games) -> Iterator[Era]:
    """Yield the share of draws in each era; games at even play whose draws are known."""
    for era in np.unique(np.searchsorted(ERAS, known.year, side="right")).tolist():
        inside = np.searchsorted(ERAS, known.year, side="right") == era
        years = known.year[inside]
        share = known.draws[inside].sum() / known.count[inside].sum()
        yield Era(int(years.min()), int(years.max()), float(share))
