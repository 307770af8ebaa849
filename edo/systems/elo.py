"""Elo's rule by FIDE, the USCF, Sonas and with Davidson's draws; each event is a rating period.

Sources: Sonas, The Sonas Rating Formula - Better than Elo? (2002), whose rule has a straight line
and White's advantage; Szczecinski and Djebbi, Understanding draws in Elo rating algorithm, Journal
of Quantitative Analysis in Sports 16 (2020), with the model of wins, draws and losses of Davidson,
Journal of the American Statistical Association 65 (1970).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import logsumexp

from edo.core.scale import ELO_PER_NAT, expected_scores
from edo.rating.performance import CAP, LINE, fide_difference, fide_score
from edo.systems.base import ByDifference, Rated, System, by_colour, logistic_score, parameter
from edo.systems.games import Bools, Floats, Games
from edo.systems.player_years import Period, PlayerYears, period_of, player_years_of

_FIDE = "FIDE Rating Regulations of 1 March 2024, section 8"
_FIDE_START = (
    "ours: the most that FIDE lets a newcomer begin with (its own hypothetical ones have 1800)"
)
_USCF = "Wikipedia, Elo rating system: K of the USCF"
_USCF_START = "ours: where the USCF's class of National Masters begins"
_OLD = "Glickman, Approximating Formulas for the US Chess Rating System: the old system"
_SONAS = "Sonas, The Sonas Rating Formula - Better than Elo? (2002)"
_SHIFT = "rating of newcomers, which only shifts the scale"
_DAVIDSON = "Szczecinski and Djebbi (2020): that of equals who draw as often as all do, here 30.5 %"

MASTER, SENIOR_MASTER = 2100.0, 2400.0  # [Elo] from which the USCF's K is smaller

EVEN = 0.541767  # White's expected score per game against an equal; Sonas
BEST, WORST = 390.0, -460.0  # [Elo] limits of White's rating advantage; Sonas
USUAL = 4.0 * LINE * ELO_PER_NAT  # points of Elo's logistic curve to a point of Sonas' line

DRAWN = 0.305  # of the games of this history whose draws are known


def kappa_of(share: float) -> float:
    """Return the kappa at which equals draw a `share` of their games, from 0 to less than 1."""
    return 2.0 * share / (1.0 - share)


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


@dataclass(frozen=True, slots=True)
class Sonas:
    """The parameters of Sonas' formula."""

    k: float = parameter(
        24.0, "Elo per point", "K, how fast ratings move", _SONAS,
        tried=(10.0, 16.0, 24.0, 32.0),
    )  # fmt: skip
    start: float = parameter(2200.0, "Elo", _SHIFT, "ours")


@dataclass(frozen=True, slots=True)
class EloDavidson:
    """The parameters of Elo-Davidson."""

    k: float = parameter(
        24.0, "Elo per point", "K, how fast ratings move", _SONAS,
        tried=(10.0, 16.0, 24.0, 32.0),
    )  # fmt: skip
    white: float = parameter(
        35.0, "Elo", "what having White is worth", _SONAS, tried=(0.0, 20.0, 35.0, 50.0)
    )
    kappa: float = parameter(
        round(kappa_of(DRAWN), 2), "", "how frequent draws are", _DAVIDSON,
        tried=(0.25, 0.5, 1.0, 2.0, 3.0),
    )  # fmt: skip
    start: float = parameter(2200.0, "Elo", _SHIFT, "ours")


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
    found = np.full(len(player_years.year), np.nan)
    for rows in games.turns():
        period = period_of(games, rows)
        state = rule(period, state)
        node = player_years.nodes(period.player, np.tile(games.year[rows], 2))
        found[node] = state.rating[period.player]
    # Every player has games in his first year, so no rating is carried over to another player.
    last = np.maximum.accumulate(np.where(np.isnan(found), 0, np.arange(len(found))))
    return player_years, found[last], state


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
    new = np.isnan(state.rating)
    before = np.where(new, _first(period, state, parameters), state.rating)
    counts = new[period.player] == new[period.opponent]
    expected = capped_score(before[period.player] - before[period.opponent])
    surplus = period.summed(np.where(counts, period.score - period.count * expected, 0.0))
    played = period.summed(period.count)
    after = before + _fide_k(state, played, parameters) * surplus
    rating = np.where(played > 0, after, state.rating)
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
    before = np.where(np.isnan(state.rating), parameters.start, state.rating)
    played, points = period.summed(period.count), period.summed(period.score)
    met = period.summed(period.count * before[period.opponent])
    worth = state.games * before + met + 400.0 * (2.0 * points - played)
    games = state.games + played
    provisional = worth / np.maximum(games, 1.0)
    expected = expected_scores(before[period.player] - before[period.opponent])
    surplus = points - period.summed(period.count * expected)
    established = before + uscf_k(before, parameters) * surplus
    after = np.where(state.games < parameters.provisional, provisional, established)
    return State(np.where(played > 0, after, state.rating), games, state.settled)


def uscf_k(rating: Floats, parameters: Uscf) -> Floats:
    """Return K (n,) [Elo per point] for ratings (n,) [Elo]."""
    above = np.where(rating < SENIOR_MASTER, parameters.middle, parameters.high)
    return np.where(rating < MASTER, parameters.low, above)


def white_score(advantage: Floats) -> Floats:
    """Return White's expected scores per game at his rating advantages [Elo]."""
    return EVEN + LINE * np.clip(advantage, WORST, BEST)


def sonas_score(difference: Floats, colour: Floats) -> Floats:
    """Return the expected scores per game at differences [Elo] and colours (1, -1 or 0) (m,)."""
    return by_colour(colour, white_score(difference), 1.0 - white_score(-difference))


def rate_sonas(games: Games, parameters: Sonas) -> Rated:
    """Return the ratings of all who played, on the usual scale; games at odds do not count.

    Every game counts as a classical one, for which Sonas' weight is 1. His lists are monthly; as
    most events are dated by their year only, a list is made after each event.
    """
    player_years, own, _ = rate_events(
        games, parameters.start, lambda p, s: sonas_event(p, s, parameters.k)
    )
    usual = parameters.start + USUAL * (own - parameters.start)
    return Rated(player_years, usual, np.full_like(own, np.nan), ByDifference(own, sonas_score))


def sonas_event(period: Period, state: State, k: float) -> State:
    """Return the ratings after an event; `k` [Elo per point]."""
    difference = state.rating[period.player] - state.rating[period.opponent]
    surplus = period.summed(period.score - period.count * sonas_score(difference, period.colour))
    return replace(state, rating=state.rating + k * surplus)


@dataclass(frozen=True, slots=True)
class Davidson:
    """Davidson's outcome model; `kappa` 0 is without draws, 2 gives Elo's curve."""

    kappa: float
    white: float

    @property
    def scale(self) -> float:
        """Return the [Elo] per nat that make the curve as steep as Elo's at even strength."""
        return 4.0 * ELO_PER_NAT / (2.0 + self.kappa)

    def log_chances(self, difference: Floats, colour: Floats) -> Floats:
        """Return the log probabilities (3, m) of win, draw and loss at differences [Elo]."""
        x = (difference + self.white * colour) / self.scale
        tie = np.log(self.kappa) if self.kappa else -np.inf
        terms = np.stack([x, np.full_like(x, tie), -x])
        return np.asarray(terms - logsumexp(terms, axis=0))

    def score(self, difference: Floats, colour: Floats) -> Floats:
        """Return the expected scores per game (m,) at differences [Elo] and colours."""
        win, draw, _ = np.exp(self.log_chances(difference, colour))
        return np.asarray(win + draw / 2.0)


def rate_davidson(games: Games, parameters: EloDavidson) -> Rated:
    """Return the ratings of all who played; games at odds do not count."""
    model = Davidson(parameters.kappa, parameters.white)
    player_years, rating, last = rate_events(
        games, parameters.start, lambda p, s: davidson_event(p, s, parameters.k, model)
    )
    expected = ByDifference(rating, model.score)
    return Rated(player_years, rating, np.full_like(rating, np.nan), expected, last.log_evidence)


def davidson_event(period: Period, state: State, k: float, model: Davidson) -> State:
    """Return the state after an event; `k` [Elo per point]."""
    difference = state.rating[period.player] - state.rating[period.opponent]
    logs = model.log_chances(difference, period.colour)
    win, draw, _ = np.exp(logs)
    surplus = period.score - period.count * (win + draw / 2.0)
    wins = period.score - period.draws / 2.0
    losses = period.count - period.score - period.draws / 2.0
    counts = np.stack([wins, period.draws, losses])
    seen = np.multiply(counts, logs, where=counts != 0, out=np.zeros_like(logs))
    return replace(
        state,
        rating=state.rating + k * period.summed(surplus),
        log_evidence=state.log_evidence + float(seen.sum()) / 2.0,  # each game is in two rows
    )


FIDE = System("elo-fide", "Elo, FIDE", "Arpad Elo", 1970, "forwards", Fide(), rate_fide)
USCF = System("elo-uscf", "Elo, USCF", "Arpad Elo", 1960, "forwards", Uscf(), rate_uscf)
SONAS = System(
    "sonas", "Sonas", "Jeff Sonas", 2002, "forwards", Sonas(), rate_sonas, uses=("colours",)
)
DAVIDSON = System(
    "elo-davidson", "Elo-Davidson", "Szczecinski and Djebbi", 2020, "forwards",
    EloDavidson(), rate_davidson, uses=("colours", "draws"),
)  # fmt: skip
