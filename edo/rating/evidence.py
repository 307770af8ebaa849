"""The evidence behind each player-year, and who has a rank.

The evidence is counted in games: those of the year, and those of the player's other years as far as
the ties between neighbouring years carry them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from edo.core.formats import counted
from edo.core.scale import Bools, Floats, Ints
from edo.history.settings import Settings
from edo.rating.network import ResultsNetwork

CAREER_BREAK = 10  # [years] from one result to the next: after more, a career begins anew
RANKED = 2  # [players] at least in a ranking


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What the rating of each player-year rests on, and whether it is enough for a rank.

    All are (n_player_years,). `games` [games] are what the player's results are worth in the year,
    `events` the number of his events, soft results left aside in both. `resting` is true in the
    years of a break that ends a career, `linked` where a chain of games leads to the main body of
    players. `ranked` says who has a rank: the rule stands in `evidence`.
    """

    games: Floats
    events: Ints
    resting: Bools
    linked: Bools
    ranked: Bools

    def shortfall(self, node: int, settings: Settings) -> str:
        """Return in words why a player-year has no rank, `results worth 4 games`; empty with one.

        Where there is more than one reason, it is the first of the rule.
        """
        if self.ranked[node]:
            return ""
        if not self.linked[node]:
            return "no chain of games to the main body of players"
        if self.events[node] < settings.ranked_events:
            known = int(self.events[node])
            return counted(known, "event") if known else "no score known exactly"
        if self.resting[node]:
            return f"a break of more than {CAREER_BREAK} years"
        if self.games[node] < settings.ranked_games:
            return f"results worth {counted(int(self.games[node]), 'game')}"
        return "no second player with a rank"


def evidence(network: ResultsNetwork, settings: Settings) -> Evidence:
    """Return the evidence of each player-year.

    A player has a rank in each year of a career from the first to the last in which his results are
    worth `ranked_games`; they are of `ranked_events` events at least. A break ends a career. Nobody
    is ranked alone.
    """
    n, pairings = len(network.year), network.pairings
    of_year = np.zeros(n)
    for nodes in network.pairing_nodes():
        of_year += np.bincount(nodes, pairings.count - pairings.soft, n)
    # rounded, so that noise in sums of shares of games does not decide who has a rank
    games = np.round(carried(of_year, network.start, settings.self_games), 9)
    events = np.repeat(_events(network), np.diff(network.start))
    linked, resting = _linked(network), np.ones(n, np.bool_)
    ranked = np.zeros(n, np.bool_)
    for first, last in _careers(network):
        resting[first : last + 1] = False
        enough = first + np.flatnonzero(games[first : last + 1] >= settings.ranked_games)
        if len(enough):
            ranked[enough[0] : enough[-1] + 1] = True
    ranked &= linked & (events >= settings.ranked_events)
    in_year = np.bincount(network.year[ranked], minlength=int(network.year.max()) + 1)
    ranked &= in_year[network.year] >= RANKED
    return Evidence(games, events, resting, linked, ranked)


def carried(games: Floats, start: Ints, tie: float) -> Floats:
    """Return what the games (n_player_years,) of all years of a player are worth in each [games].

    A tie of so many games between neighbouring years passes on `g` games as 1 / (1/g + 1/tie): so
    conductances in series add up, and so do the variances of a rating that rests on games and of
    the steps from year to year.
    """
    from_before, from_after = np.zeros_like(games), np.zeros_like(games)
    for begin, end in pairwise(start.tolist()):
        for k in range(begin + 1, end):
            from_before[k] = _passed_on(games[k - 1] + from_before[k - 1], tie)
        for k in range(end - 2, begin - 1, -1):
            from_after[k] = _passed_on(games[k + 1] + from_after[k + 1], tie)
    return games + from_before + from_after


def _passed_on(games: float, tie: float) -> float:
    return games * tie / (games + tie)


def _events(network: ResultsNetwork) -> Ints:
    """Return in how many events each player has results that are not soft, (n_players,)."""
    pairings = network.pairings
    rows = np.flatnonzero(pairings.count > pairings.soft)
    players = np.r_[pairings.first[rows], pairings.second[rows]]
    pairs = np.unique(np.stack([players, np.tile(pairings.event[rows], 2)]), axis=1)
    return np.bincount(pairs[0], minlength=len(network.players))


def _careers(network: ResultsNetwork) -> Iterator[tuple[int, int]]:
    """Yield the first and the last player-year of each career: a player has one, or several."""
    for begin, end in pairwise(network.start.tolist()):
        played = begin + np.flatnonzero(network.games[begin:end] > 0)
        pauses = np.flatnonzero(np.diff(played) > CAREER_BREAK)
        for run in np.split(played, pauses + 1):
            yield int(run[0]), int(run[-1])


def _linked(network: ResultsNetwork) -> Bools:
    """Return which player-years are of the largest group of players that games connect."""
    n = len(network.players)
    first, second = network.pairings.first, network.pairings.second
    graph = coo_array((np.ones(len(first)), (first, second)), shape=(n, n))
    component = connected_components(graph, directed=False)[1]
    return np.repeat(component == np.bincount(component).argmax(), np.diff(network.start))
