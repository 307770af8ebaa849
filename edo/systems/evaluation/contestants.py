"""A rating system and a history in; what it expects of results that it does not know, out.

Two tests: results left out at random, foretold by the ratings of their own year; and results of a
year, foretold by ratings that know only the years before it. The parameters of a system are chosen
among those that it tries, by results inside the part of the history that it is given.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np

from edo.core.problems import EdoError
from edo.systems.evaluation.prediction import Forecast, random_parts
from edo.systems.games import Bools, Floats, Games, Ints
from edo.systems.system import Rated, System, parameters_of

PARTS = 10  # of the pairings, one of which is left out at a time; even, for they go in twos
LEAST = 0.01  # [points] no system is taken to expect less of a game, nor more than 1 - LEAST
SEED = 2004


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """What is contested: the games, which rows (m,) judge, and how they are dealt.

    `part` (m,) is the part in which a row is left out, `PARTS` where it never is: all rows of two
    players in one event are in one part. In the second test the parameters are chosen by the years
    from `tuned_from` until `split`, and the years from `split` judge.
    """

    games: Games
    judged: Bools
    part: Ints
    tuned_from: int
    split: int


@dataclass(frozen=True, slots=True, eq=False)
class Foretold:
    """What a system expected of the first in each row (m,), NaN where it could not or need not.

    `chosen` holds the parameters that were chosen, one record for each part of the history.
    """

    expected: Floats
    chosen: tuple[Any, ...]


def field_of(games: Games, tuned_from: int, split: int) -> Field:
    """Return how games are judged: by what was really played, at even play."""
    judged = (games.odds == 0) & games.played
    judging = np.bincount(games.pairing, judged) > 0
    part = random_parts(judging, PARTS, SEED)[games.pairing]
    return Field(games, judged, part, tuned_from, split)


def held_out(field: Field, system: System, number: int) -> Foretold:
    """Return what the rest leads a system to expect of the parts `2 number` and the one after it.

    Each of the two is foretold with the parameters that foretell the other best when neither of
    them is known.
    """
    one, other = 2 * number, 2 * number + 1
    games, away = field.games, (field.part == one) | (field.part == other)
    without_both = cache(partial(_left_out, field, away, system))
    expected, chosen = np.full(len(field.part), np.nan), []
    for part, inside in ((one, other), (other, one)):
        judging = field.judged & (field.part == inside)
        best = tuned(system, partial(_loss_by, games, judging, without_both))
        rows = field.part == part
        expected[rows] = _left_out(field, rows, system, best)[rows]
        chosen.append(best)
    return Foretold(np.where(field.judged, expected, np.nan), tuple(chosen))


def next_years(field: Field, system: System) -> Foretold:
    """Return what a system expects of each year from `split` on by what came before it.

    Its parameters are those that foretell the years before `split` best.
    """
    games = field.games
    past = games.where(games.year < field.split)
    judging = field.judged[games.year < field.split] & (past.year >= field.tuned_from)
    best = tuned(system, partial(_loss_by, past, judging, partial(foreseen, past, judging, system)))
    rows = field.judged & (games.year >= field.split)
    return Foretold(foreseen(games, rows, system, best), (best,))


def foreseen(games: Games, rows: Bools, system: System, parameters: Any) -> Floats:
    """Return what is expected of the rows by earlier years alone, NaN for others.

    Ratings that know only earlier games are run through once; any others are made anew for each
    year.
    """
    expected = np.full(len(games.first), np.nan)
    if system.direction == "forwards":
        return _filled(expected, games, rows, _rated(system, games, parameters), _year_before)
    for year in np.unique(games.year[rows]).tolist():
        rated = _rated(system, games.where(games.year < year), parameters)
        _filled(expected, games, rows & (games.year == year), rated, _year_before)
    return expected


def seconds(field: Field, system: System) -> float:
    """Return how long a system takes to rate all games once [s of a processor]."""
    begun = time.process_time()
    system.rate(field.games, system.parameters)
    return time.process_time() - begun


def tuned(system: System, loss_of: Callable[[Any], float]) -> Any:
    """Return the parameters of least loss, each in turn chosen among the values it tries."""
    tried = [(said.name, said.tried) for said in parameters_of(system) if said.tried]
    best, least = system.parameters, loss_of(system.parameters) if tried else 0.0
    for name, values in tried:
        for value in values:
            candidate = replace(best, **{name: value})
            found = loss_of(candidate)
            if found < least:
                best, least = candidate, found
    return best


def loss(games: Games, rows: Bools, expected: Floats) -> float:
    """Return the mean log loss of the rows [nat per game]; a half where nothing is expected."""
    guessed = np.where(np.isnan(expected), 0.5, expected)
    return forecast(games, rows, guessed).log_loss() if rows.any() else 0.0


def _loss_by(games: Games, rows: Bools, expect: Callable[[Any], Floats], parameters: Any) -> float:
    return loss(games, rows, expect(parameters))


def forecast(games: Games, rows: Bools, expected: Floats) -> Forecast:
    """Return what happened in the rows, and what was expected, within `LEAST` of 0 and 1."""
    return Forecast(
        tuple(games.events[k] for k in games.event[rows]),
        games.score[rows],
        games.count[rows],
        np.clip(expected[rows], LEAST, 1 - LEAST),
    )


def _left_out(field: Field, rows: Bools, system: System, parameters: Any) -> Floats:
    """Return what is expected of the rows by all others, by ratings of the same year."""
    games = field.games
    expected = np.full(len(games.first), np.nan)
    rated = _rated(system, games.where(~rows), parameters)
    at = _until_now if system.direction == "forwards" else _that_year
    return _filled(expected, games, rows, rated, at)


def _rated(system: System, games: Games, parameters: Any) -> Rated | None:
    """Return the ratings, None where the system cannot rate these games."""
    if not len(games.first):
        return None
    try:
        return system.rate(games, parameters)
    except EdoError:
        return None


At = Callable[[Rated, Ints, Ints], Ints]


def _that_year(rated: Rated, player: Ints, year: Ints) -> Ints:
    return rated.careers.nodes(player, year)


def _until_now(rated: Rated, player: Ints, year: Ints) -> Ints:
    return rated.careers.latest(player, year)


def _year_before(rated: Rated, player: Ints, year: Ints) -> Ints:
    return rated.careers.latest(player, year - 1)


def _filled(expected: Floats, games: Games, rows: Bools, rated: Rated | None, at: At) -> Floats:
    """Put in what the ratings expect of those of the rows whose players have one."""
    if rated is not None:
        asked = np.flatnonzero(rows)
        first, second = (
            at(rated, p[asked], games.year[asked]) for p in (games.first, games.second)
        )
        known = (first >= 0) & (second >= 0) & np.isfinite(rated.rating[first])
        known &= np.isfinite(rated.rating[second])
        asked, first, second = asked[known], first[known], second[known]
        expected[asked] = rated.expected(first, second, games.colour[asked])
    return expected


def both(parts: Iterable[Foretold]) -> Foretold:
    """Return several parts of one test as one."""
    parts = list(parts)
    expected = parts[0].expected
    for part in parts[1:]:
        expected = np.where(np.isnan(expected), part.expected, expected)
    return Foretold(expected, tuple(chosen for part in parts for chosen in part.chosen))
