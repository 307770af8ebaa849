"""Backtests of rating systems: their predictions of results that they do not know.

Three tests: whole events left out, and pairings left out at random, predicted by the ratings of
their own year; and results of a year, predicted by ratings that know only the years before it. The
parameters of a system are chosen among those that it tries, by results inside the part of the
history that it is given, by the ratings as they are. So is White's advantage, for systems that do
not know colours.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, Literal

import numpy as np
from scipy.special import expit, logit

from edo.core.problems import EdoError, NotConverged
from edo.core.scale import Bools, Floats, Ints, theta_from_elo
from edo.rating.fit.newton import backtrack
from edo.rating.games import Games
from edo.systems.base import (
    Direction,
    Expectation,
    Rated,
    System,
    averaged,
    parameters_of,
)
from edo.systems.player_years import PlayerYears

LEAST = 0.01  # [points] expected of a game at least, and at most 1 - LEAST: an upset at 0 would
# cost infinitely much
SEED = 2004
MAX_STEPS = 60  # of Newton's method for one number; six are usual
TOLERANCE = 1e-9  # [nat] of the last step
STUCK = "White's advantage was not found in the games; look for extreme ratings"
WEAK = 100.0  # [Elo] prior deviation of White's advantage: wide, but bounds tiny histories

LeftOut = Literal["events", "pairings"]
LEFT_OUT: tuple[LeftOut, ...] = ("events", "pairings")
PARTS: Mapping[LeftOut, int] = {"events": 10, "pairings": 6}
"""How many parts there are, one of which is left out at a time."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the tests judge: of a long history all would take hours.

    Of the parts of `events` and of `pairings` so many are left out; even, as they are paired. In
    the test of the next year the parameters are chosen by the years from `tuned_from` until
    `split`; `split` is the first year scored, and the others follow `apart` years from each other.
    """

    events: int = 2
    pairings: int = 2
    tuned_from: int = 1890
    split: int = 1900
    apart: int = 9  # no championship and no Olympiad has this rhythm

    def numbers(self, left_out: LeftOut) -> range:
        """Return the numbers of the pairs of parts."""
        return range((self.events if left_out == "events" else self.pairings) // 2)


SAMPLE = Sample()


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """The design of the tests: the games, which rows (m,) are scored, and their parts.

    `parts` (m,), by what is left out, are the parts in which a row is left out, their number where
    it never is: all rows of an event, or all rows of two players in one event, are in one part.
    Of these and of the years those of the `sample` are tested.
    """

    games: Games
    scored: Bools
    parts: Mapping[LeftOut, Ints]
    sample: Sample

    def judged(self, left_out: LeftOut) -> Bools:
        """Return the rows (m,) that are scored where events or pairings are left out."""
        tested = 2 * len(self.sample.numbers(left_out))
        return np.asarray(self.scored & (self.parts[left_out] < tested))

    @property
    def judged_next_year(self) -> Bools:
        """Return the rows (m,) that are scored in the test of the next year."""
        years_on = self.games.year - self.sample.split
        return np.asarray(self.scored & (years_on >= 0) & (years_on % self.sample.apart == 0))


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """Expected scores of the first in each row, all (m,), NaN where there are none.

    `expected` takes the ratings as they are, `averaged` is the mean over their uncertainty;
    `errors` (2, m) [nat] are the standard errors of both strengths at the event. The last two are
    NaN for systems without standard errors.
    """

    expected: Floats
    averaged: Floats
    errors: Floats

    @classmethod
    def none(cls, rows: int) -> Prediction:
        """Return no predictions of so many rows."""
        expected, averages = np.full((2, rows), np.nan)
        return cls(expected, averages, np.full((2, rows), np.nan))

    def fill(self, rows: Ints, prediction: Prediction) -> None:
        """Put the predictions of some `rows` in their places."""
        self.expected[rows], self.averaged[rows] = prediction.expected, prediction.averaged
        self.errors[:, rows] = prediction.errors

    def where(self, rows: Bools | Ints) -> Prediction:
        """Return the predictions of some rows."""
        return Prediction(self.expected[rows], self.averaged[rows], self.errors[:, rows])


@dataclass(frozen=True, slots=True, eq=False)
class Predicted:
    """A system's predictions of all rows.

    `chosen` holds the parameters that were chosen, one record for each part of the history.
    """

    prediction: Prediction
    chosen: tuple[Any, ...]

    @property
    def expected(self) -> Floats:
        """Return the expected scores (m,) by the ratings as they are."""
        return self.prediction.expected


def design_of(games: Games, sample: Sample = SAMPLE) -> Design:
    """Return the design for games: those actually played and without odds are scored."""
    scored = (games.odds == 0) & games.played
    parts: dict[LeftOut, Ints] = {
        left_out: random_parts(np.bincount(of, scored) > 0, PARTS[left_out], SEED)[of]
        for left_out, of in zip(LEFT_OUT, (games.event, games.pairing), strict=True)
    }
    return Design(games, scored, parts, sample)


def held_out(design: Design, system: System, left_out: LeftOut, number: int) -> Predicted:
    """Return a system's predictions of the parts `2 number` and the next one by the rest.

    Each of the two is predicted with the parameters that predict the other best when neither of
    them is known.
    """
    first, second = 2 * number, 2 * number + 1
    games, parts = design.games, design.parts[left_out]
    left_out_rows = (parts == first) | (parts == second)
    without_both = cache(partial(_without, design, left_out_rows, system))
    prediction, chosen = Prediction.none(len(parts)), []
    for part, inside in ((first, second), (second, first)):
        scored = design.scored & (parts == inside)
        best = tuned(system, partial(_loss_by, games, scored, without_both))
        rows = parts == part
        to_score = np.flatnonzero(rows & design.scored)
        prediction.fill(to_score, _without(design, rows, system, best).where(to_score))
        chosen.append(best)
    return Predicted(prediction, tuple(chosen))


def next_years(design: Design, system: System) -> Predicted:
    """Return a system's predictions of the years that are scored by the years before each.

    Its parameters are those that predict the years before `split` best.
    """
    games = design.games
    past = games.where(games.year < design.sample.split)
    scored = design.scored[games.year < design.sample.split] & (
        past.year >= design.sample.tuned_from
    )
    predict = cache(partial(by_earlier_years, past, scored, system))
    best = tuned(system, partial(_loss_by, past, scored, predict))
    predicted = by_earlier_years(games, design.judged_next_year, system, best)
    return Predicted(predicted, (best,))


def by_earlier_years(games: Games, rows: Bools, system: System, parameters: Any) -> Prediction:
    """Return the predictions of the rows by earlier years alone, NaN for others.

    Systems that go forwards through time are run once over all games, White's advantage being that
    of the games before the first of these years; others are refitted for each year, from the
    ratings for the year before where the system can.
    """
    prediction = Prediction.none(len(games.first))
    if not rows.any():
        return prediction
    if system.direction == "forwards":
        is_before = games.year < games.year[rows].min()
        return predicted_by(_rated(system, games, parameters, is_before), games, rows, _year_before)
    rated = None
    for year in np.unique(games.year[rows]).tolist():
        rated = _rated(system, games.where(games.year < year), parameters, last=rated)
        of_year = np.flatnonzero(rows & (games.year == year))
        prediction.fill(
            of_year,
            predicted_by(rated, games, rows & (games.year == year), _year_before).where(of_year),
        )
    return prediction


def seconds(design: Design, system: System) -> float:
    """Return how long a system takes to rate all games once [s of a processor]."""
    begun = time.process_time()
    system.rate(design.games, system.parameters)
    return time.process_time() - begun


def tuned(system: System, loss_of: Callable[[Any], float]) -> Any:
    """Return the parameters of least loss, each in turn chosen among the values it tries."""
    tried = [(info.name, info.tried) for info in parameters_of(system) if info.tried]
    best, least = system.parameters, loss_of(system.parameters) if tried else 0.0
    for name, values in tried:
        for value in values:
            candidate = replace(best, **{name: value})
            candidate_loss = loss_of(candidate)
            if candidate_loss < least:
                best, least = candidate, candidate_loss
    return best


def random_parts(scored: Bools, parts: int, seed: int) -> Ints:
    """Return the part (n,) from 0 in which each scored event or pairing is left out.

    It is `parts` for others. Of so many scored ones in a row, which are in time order, there is
    one in each part: so every part is of all times, and of the same size to one.
    """
    part, n = np.full(len(scored), parts), int(scored.sum())
    runs = np.tile(np.arange(parts), (-(-n // parts), 1))
    part[scored] = np.random.default_rng(seed).permuted(runs, axis=1).ravel()[:n]
    return part


def log_losses(score: Floats, games: Floats, expected: Floats) -> Floats:
    """Return minus the log-likelihood (n,) [nat] of scores in so many games, expected per game."""
    return np.asarray(-score * np.log(expected) - (games - score) * np.log1p(-expected))


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


def _loss_by(
    games: Games, rows: Bools, predict: Callable[[Any], Prediction], parameters: Any
) -> float:
    return loss(games, rows, predict(parameters).expected)


At = Callable[[PlayerYears, Ints, Ints], Ints]
"""Returns the player-years (m,) whose ratings predict games of players (m,) in years (m,)."""


def _year_before(player_years: PlayerYears, player: Ints, year: Ints) -> Ints:
    return player_years.latest(player, year - 1)


def _without(design: Design, rows: Bools, system: System, parameters: Any) -> Prediction:
    """Return the predictions of the rows by all others, by ratings of the same year."""
    rated = _rated(system, design.games.where(~rows), parameters)
    node_of = PlayerYears.latest if system.direction == "forwards" else PlayerYears.nodes
    return predicted_by(rated, design.games, rows, node_of)


@dataclass(frozen=True, slots=True, eq=False)
class Rating:
    """Ratings, and White's advantage [nat] that is added to what they expect."""

    rated: Rated
    advantage: float = 0.0

    def with_white(self, by: Expectation, i: Ints, j: Ints, colour: Floats) -> Floats:
        """Return the expected scores (m,) of the player-years `i` against `j`."""
        expected = by(i, j, colour)
        if not self.advantage:
            return expected
        return np.asarray(expit(logit(clipped(expected)) + self.advantage * colour))


def _rated(
    system: System,
    games: Games,
    parameters: Any,
    known: Bools | None = None,
    last: Rating | None = None,
) -> Rating | None:
    """Return the ratings, None where the system cannot rate these games.

    White's advantage is that of the rows `known` (m,), by default of all. `last` are the ratings of
    a year before.
    """
    with suppress(EdoError):
        if len(games.first):
            if last is None or system.rate_next is None:
                rated = system.rate(games, parameters)
            else:
                rated = system.rate_next(games, parameters, last.rated)
            if "colours" in system.uses:
                return Rating(rated)
            with_colours = games if known is None else games.where(known)
            return Rating(rated, white_advantage(rated, with_colours, system.direction))
    return None


def white_advantage(rated: Rated, games: Games, direction: Direction) -> float:
    """Return White's most probable advantage [nat] in games, the ratings being as they are.

    Systems that go forwards expect each year by the ratings at the end of the year before. Raises
    NotConverged where the maximum is not found.
    """
    node_of = _year_before if direction == "forwards" else PlayerYears.nodes
    used, i, j = _both_rated(rated, games, (games.colour != 0) & (games.odds == 0), node_of)
    none, colour = np.zeros(len(used)), games.colour[used]
    x = logit(np.clip(rated.expected(i, j, none), LEAST, 1 - LEAST))
    score, count = games.score[used], games.count[used]
    weak = float(theta_from_elo(np.array(WEAK))) ** -2

    def log_posterior(advantage: Floats) -> float:
        lead = x + advantage * colour
        log_likelihood = score @ lead - count @ np.logaddexp(0.0, lead)
        return float(log_likelihood - weak * advantage @ advantage / 2)

    advantage = np.zeros(1)
    value = log_posterior(advantage)
    for _ in range(MAX_STEPS):
        p = expit(x + advantage * colour)
        slope = colour @ (score - count * p) - weak * advantage
        step = slope / (np.sum(count * p * (1 - p)) + weak)
        advantage, value = backtrack(log_posterior, advantage, value, step, STUCK)
        if np.abs(step).max() <= TOLERANCE:
            return float(advantage[0])
    raise NotConverged(STUCK)


def _both_rated(rated: Rated, games: Games, rows: Bools, node_of: At) -> tuple[Ints, Ints, Ints]:
    """Return those of the rows whose players both have ratings, and their player-years."""
    index = np.flatnonzero(rows)
    i, j = (
        node_of(rated.player_years, p[index], games.year[index])
        for p in (games.first, games.second)
    )
    has_both = (i >= 0) & (j >= 0) & np.isfinite(rated.rating[i]) & np.isfinite(rated.rating[j])
    return index[has_both], i[has_both], j[has_both]


def predicted_by(rating: Rating | None, games: Games, rows: Bools, node_of: At) -> Prediction:
    """Return the predictions of those of the rows whose players have ratings, else NaN."""
    prediction = Prediction.none(len(games.first))
    if rating is None:
        return prediction
    rated = rating.rated
    chosen, i, j = _both_rated(rated, games, rows, node_of)
    expected = rating.with_white(rated.expected, i, j, games.colour[chosen])
    errors = theta_from_elo(np.stack([rated.deviation[i], rated.deviation[j]]))
    errors = np.sqrt(errors**2 + theta_from_elo(np.array(rated.form)) ** 2)
    if rated.predictive is not None:
        averages = rating.with_white(rated.predictive, i, j, games.colour[chosen])
    else:
        averages = averaged(expit, logit(clipped(expected)), np.sum(errors**2, axis=0))
    prediction.fill(chosen, Prediction(expected, averages, errors))
    return prediction


def combined(parts: Iterable[Predicted]) -> Predicted:
    """Return several parts of one test as one."""
    parts = list(parts)
    prediction = Prediction.none(len(parts[0].expected))
    for part in parts:
        rows = np.flatnonzero(~np.isnan(part.expected))
        prediction.fill(rows, part.prediction.where(rows))
    return Predicted(prediction, tuple(chosen for part in parts for chosen in part.chosen))
