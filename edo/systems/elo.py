"""Elo's rule by FIDE and the USCF, and how such rules go from event to event.

Each event is a rating period.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from edo.core.scale import Bools, Floats, expected_scores
from edo.rating.games import Games
from edo.rating.performance import CAP, fide_difference, fide_score
from edo.systems.base import ByDifference, Rated, System, logistic_score, parameter
from edo.systems.player_years import Period, PlayerYears, period_of, player_years_of

_FIDE = "FIDE Rating Regulations of 1 March 2024, section 8"
_FIDE_START = (
    "ours: the most that FIDE lets a newcomer begin with (its own hypothetical ones have 1800)"
)
_USCF = "Wikipedia, Elo rating system: K of the USCF"
_USCF_START = "ours: where the USCF's class of National Masters begins"
_OLD = "Glickman, Approximating Formulas for the US Chess Rating System: the old system"

MASTER, SENIOR_MASTER = 2100.0, 2400.0  # [Elo] from which the USCF's K is smaller


@dataclass(frozen=True, slots=True)
class Fide:
    """The parameters of Elo as FIDE applies it."""

    start: float = parameter(
        2200.0, "Elo", "rating of two hypothetical opponents whom a newcomer draws", _FIDE_START,
        tried=(1800.0, 2000.0, 2200.0, 2400.0, 2600.0),
    )  # fmt: skip
    new_games: float = parameter(30.0, "games", "before a player is no longer new", _FIDE)
    new: float = parameter(40.0, "Elo per point", "K of new players", _FIDE)
    usual: float = parameter(20.0, "Elo per point", "K of the others", _FIDE)
    settled: float = parameter(10.0, "Elo per point", "K once the threshold was reached", _FIDE)
    threshold: float = parameter(2400.0, "Elo", "from which a player is settled for good", _FIDE)
    most: float = parameter(700.0, "Elo", "K times the games of one event, at the most", _FIDE)


@dataclass(frozen=True, slots=True)
class Uscf:
    """The parameters of Elo as the USCF applied it until 2000."""

    start: float = parameter(
        2200.0, "Elo", "what a newcomer counts as for his opponents", _USCF_START,
        tried=(1800.0, 2000.0, 2200.0, 2400.0, 2600.0),
    )  # fmt: skip
    provisional: float = parameter(20.0, "games", "that make a rating established", _OLD)
    low: float = parameter(32.0, "Elo per point", "K below 2100", _USCF)
    middle: float = parameter(24.0, "Elo per point", "K from 2100", _USCF)
    high: float = parameter(16.0, "Elo per point", "K from 2400", _USCF)


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """What the rules keep of all players (n,) from event to event.

    Ratings [Elo], NaN where there is none; games so far; who ever was settled; the log probability
    [nat] of all results.
    """

    rating: Floats
    games: Floats
    settled: Bools
    log_evidence: float = 0.0


def newcomers(rating: Floats) -> State:
    """Return the state of players with these ratings (n,) [Elo] before any games."""
    return State(rating, np.zeros(len(rating)), np.zeros(len(rating), np.bool_))


Rule = Callable[[Period, State], State]


def rate_events(games: Games, start: float, rule: Rule) -> tuple[PlayerYears, Floats, State]:
    """Return player-years, the ratings (k,) [Elo] at the end of each, and the final state.

    Each event is a period, rated by the rule from the state before it; those that share no player
    are rated at once. Over a gap a rating stays as it was. Games at odds do not count.
    """
    games = games.without_odds()
    player_years, state = player_years_of(games), newcomers(np.full(len(games.players), start))
    rating = np.full(len(player_years.year), np.nan)
    for rows in games.turns():
        period = period_of(games, rows)
        state = rule(period, state)
        node = player_years.nodes(period.player, np.tile(games.year[rows], 2))
        rating[node] = state.rating[period.player]
    # Every player has games in his first year, so no rating is carried over to another player.
    latest = np.maximum.accumulate(np.where(np.isnan(rating), 0, np.arange(len(rating))))
    return player_years, rating[latest], state


def capped_score(difference: Floats, colour: Floats | None = None) -> Floats:
    """Return expected scores by FIDE's table, .08 to .92, at differences [Elo] and any colour."""
    return fide_score(np.clip(difference, -CAP, CAP))


def rate_fide(games: Games, parameters: Fide) -> Rated:
    """Return the ratings of all who played; games at odds do not count."""
    return _rated(games, lambda p, s: fide_event(p, s, parameters), capped_score)


def rate_uscf(games: Games, parameters: Uscf) -> Rated:
    """Return the ratings of all who played; games at odds do not count."""
    return _rated(games, lambda p, s: uscf_event(p, s, parameters), logistic_score)


def _rated(games: Games, rule: Rule, score: Callable[[Floats, Floats], Floats]) -> Rated:
    player_years, rating, _ = rate_events(games, np.nan, rule)
    return Rated(player_years, rating, np.full_like(rating, np.nan), ByDifference(rating, score))


def fide_event(period: Period, state: State, parameters: Fide) -> State:
    """Return the state after an event.

    By FIDE's rules games against a newcomer do not count for rated players, and determine his
    first rating. FIDE does not rate games of two newcomers; here, where whole events consist of
    newcomers, they count for both from their first ratings.
    """
    is_new = np.isnan(state.rating)
    old_rating = np.where(is_new, _first(period, state, parameters), state.rating)
    counts = is_new[period.player] == is_new[period.opponent]
    expected = capped_score(old_rating[period.player] - old_rating[period.opponent])
    surplus = period.summed(np.where(counts, period.score - period.count * expected, 0.0))
    played = period.summed(period.count)
    new_rating = old_rating + _fide_k(state, played, parameters) * surplus
    rating = np.where(played > 0, new_rating, state.rating)
    settled = state.settled | (rating >= parameters.threshold)
    return State(rating, state.games + played, settled)


def _first(period: Period, state: State, parameters: Fide) -> Floats:
    """Return newcomers' first ratings (n,): by their score against the rated and two draws."""
    met = state.rating[period.opponent]
    rated = ~np.isnan(met)
    games = 2.0 + period.summed(np.where(rated, period.count, 0.0))
    points = 1.0 + period.summed(np.where(rated, period.score, 0.0))
    sum_met = 2.0 * parameters.start + period.summed(np.where(rated, met * period.count, 0.0))
    return sum_met / games + fide_difference(points / games)


def _fide_k(state: State, played: Floats, parameters: Fide) -> Floats:
    unsettled = np.where(state.games < parameters.new_games, parameters.new, parameters.usual)
    k = np.where(state.settled, parameters.settled, unsettled)
    return np.minimum(k, np.floor(parameters.most / np.maximum(played, 1.0)))


def uscf_event(period: Period, state: State, parameters: Uscf) -> State:
    """Return the state after an event.

    A provisional rating is the mean of the opponents' ratings over all games so far, 400 more for
    a win and 400 less for a loss; an established one moves by K times the score beyond expectation.
    """
    old_rating = np.where(np.isnan(state.rating), parameters.start, state.rating)
    played, points = period.summed(period.count), period.summed(period.score)
    met = period.summed(period.count * old_rating[period.opponent])
    worth = state.games * old_rating + met + 400.0 * (2.0 * points - played)
    games = state.games + played
    provisional = worth / np.maximum(games, 1.0)
    expected = expected_scores(old_rating[period.player] - old_rating[period.opponent])
    surplus = points - period.summed(period.count * expected)
    established = old_rating + uscf_k(old_rating, parameters) * surplus
    new_rating = np.where(state.games < parameters.provisional, provisional, established)
    return State(np.where(played > 0, new_rating, state.rating), games, state.settled)


def uscf_k(rating: Floats, parameters: Uscf) -> Floats:
    """Return K (n,) [Elo per point] for ratings (n,) [Elo]."""
    above = np.where(rating < SENIOR_MASTER, parameters.middle, parameters.high)
    return np.where(rating < MASTER, parameters.low, above)


FIDE = System("elo-fide", "Elo, FIDE", "Arpad Elo", 1970, "forwards", Fide(), rate_fide)
USCF = System("elo-uscf", "Elo, USCF", "Arpad Elo", 1960, "forwards", Uscf(), rate_uscf)
