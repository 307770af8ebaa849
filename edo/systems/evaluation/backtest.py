"""Backtests of rating systems: their predictions of results that they do not know.

Two tests: results left out at random, predicted by the ratings of their own year; and results of a
year, predicted by ratings that know only the years before it. The parameters of a system are chosen
among those that it tries, by results inside the part of the history that it is given.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

from edo.core.problems import EdoError
from edo.systems.base import Rated, System, parameters_of
from edo.systems.evaluation.cross_validation import log_losses, random_parts
from edo.systems.games import Bools, Floats, Games, Ints
from edo.systems.player_years import PlayerYears

PARTS = 10  # of the pairings, one of which is left out at a time; even, as they are paired
LEAST = 0.01  # [points] expected of a game at least, and at most 1 - LEAST
SEED = 2004


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """The design of both tests: the games, which rows (m,) are scored, and their parts.

    `part` (m,) is the part in which a row is left out, `PARTS` where it never is: all rows of two
    players in one event are in one part. In the second test the parameters are chosen by the years
    from `tuned_from` until `split`, and the years from `split` are scored.
    """

    games: Games
    scored: Bools
    part: Ints
    tuned_from: int
    split: int


@dataclass(frozen=True, slots=True, eq=False)
class Predicted:
    """A system's expected scores of the first in each row (m,), NaN where it has none.

    `chosen` holds the parameters that were chosen, one record for each part of the history.
    """

    expected: Floats
    chosen: tuple[Any, ...]


def design_of(games: Games, tuned_from: int, split: int) -> Design:
    """Return the design for games: those actually played and without odds are scored."""
    scored = (games.odds == 0) & games.played
    of_pairing = np.bincount(games.pairing, scored) > 0
    part = random_parts(of_pairing, PARTS, SEED)[games.pairing]
    return Design(games, scored, part, tuned_from, split)


def held_out(design: Design, system: System, number: int) -> Predicted:
    """Return a system's predictions of the parts `2 number` and the next one by the rest.

    Each of the two is predicted with the parameters that predict the other best when neither of
    them is known.
    """
    one, other = 2 * number, 2 * number + 1
    games, away = design.games, (design.part == one) | (design.part == other)
    without_both = cache(partial(_left_out, design, away, system))
    expected, chosen = np.full(len(design.part), np.nan), []
    for part, inside in ((one, other), (other, one)):
        scored = design.scored & (design.part == inside)
        best = tuned(system, partial(_loss_by, games, scored, without_both))
        rows = design.part == part
        expected[rows] = _left_out(design, rows, system, best)[rows]
        chosen.append(best)
    return Predicted(np.where(design.scored, expected, np.nan), tuple(chosen))


def next_years(design: Design, system: System) -> Predicted:
    """Return a system's predictions of each year from `split` on by the years before it.

    Its parameters are those that predict the years before `split` best.
    """
    games = design.games
    past = games.where(games.year < design.split)
    scored = design.scored[games.year < design.split] & (past.year >= design.tuned_from)
    predict = partial(by_earlier_years, past, scored, system)
    best = tuned(system, partial(_loss_by, past, scored, predict))
    rows = design.scored & (games.year >= design.split)
    return Predicted(by_earlier_years(games, rows, system, best), (best,))


def by_earlier_years(games: Games, rows: Bools, system: System, parameters: Any) -> Floats:
    """Return the expected scores of the rows by earlier years alone, NaN for others.

    Systems that go forwards through time are run once over all games; others are fitted anew for
    each year.
    """
    if system.direction == "forwards":
        return _expected(_rated(system, games, parameters), games, rows, _year_before)
    expected = np.full(len(games.first), np.nan)
    for year in np.unique(games.year[rows]).tolist():
        rated, now = _rated(system, games.where(games.year < year), parameters), games.year == year
        expected[now] = _expected(rated, games, rows & now, _year_before)[now]
    return expected


def seconds(design: Design, system: System) -> float:
    """Return how long a system takes to rate all games once [s of a processor]."""
    begun = time.process_time()
    system.rate(design.games, system.parameters)
    return time.process_time() - begun


def tuned(system: System, loss_of: Callable[[Any], float]) -> Any:
    """Return the parameters of least loss, each in turn chosen among the values it tries."""
    tried = [(one.name, one.tried) for one in parameters_of(system) if one.tried]
    best, least = system.parameters, loss_of(system.parameters) if tried else 0.0
    for name, values in tried:
        for value in values:
            candidate = replace(best, **{name: value})
            found = loss_of(candidate)
            if found < least:
                best, least = candidate, found
    return best


def clipped(expected: Floats) -> Floats:
    """Return expected scores within `LEAST` of 0 and 1."""
    return np.clip(expected, LEAST, 1 - LEAST)


def loss(games: Games, rows: Bools, expected: Floats) -> float:
    """Return the mean log loss of the rows [nat per game]; a half where nothing is expected."""
    if not rows.any():
        return 0.0
    assumed = clipped(np.where(np.isnan(expected), 0.5, expected)[rows])
    count = games.count[rows]
    return float(log_losses(games.score[rows], count, assumed).sum() / count.sum())


def _loss_by(games: Games, rows: Bools, predict: Callable[[Any], Floats], parameters: Any) -> float:
    return loss(games, rows, predict(parameters))


At = Callable[[PlayerYears, Ints, Ints], Ints]
"""Returns the player-years (m,) whose ratings predict games of players (m,) in years (m,)."""


def _year_before(player_years: PlayerYears, player: Ints, year: Ints) -> Ints:
    return player_years.latest(player, year - 1)


def _left_out(design: Design, rows: Bools, system: System, parameters: Any) -> Floats:
    """Return the expected scores of the rows by all others, by ratings of the same year."""
    rated = _rated(system, design.games.where(~rows), parameters)
    at = PlayerYears.latest if system.direction == "forwards" else PlayerYears.nodes
    return _expected(rated, design.games, rows, at)


def _rated(system: System, games: Games, parameters: Any) -> Rated | None:
    """Return the ratings, None where the system cannot rate these games."""
    with suppress(EdoError):
        return system.rate(games, parameters) if len(games.first) else None
    return None


def _expected(rated: Rated | None, games: Games, rows: Bools, at: At) -> Floats:
    """Return the expected scores (m,) of those of the rows whose players have ratings, else NaN."""
    expected = np.full(len(games.first), np.nan)
    if rated is not None:
        of = np.flatnonzero(rows)
        i, j = (at(rated.player_years, p[of], games.year[of]) for p in (games.first, games.second))
        both = (i >= 0) & (j >= 0) & np.isfinite(rated.rating[i]) & np.isfinite(rated.rating[j])
        of, i, j = of[both], i[both], j[both]
        expected[of] = rated.expected(i, j, games.colour[of])
    return expected


def combined(parts: Iterable[Predicted]) -> Predicted:
    """Return several parts of one test as one."""
    parts = list(parts)
    expected = parts[0].expected
    for part in parts[1:]:
        expected = np.where(np.isnan(expected), part.expected, expected)
    return Predicted(expected, tuple(chosen for part in parts for chosen in part.chosen))
