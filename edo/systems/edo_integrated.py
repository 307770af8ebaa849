"""Edo integrated: one fit with form at events, an age curve, countries and careers.

All scales are those of most evidence; see `hierarchical_fit` for the model and its mathematics.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from edo.core.problems import DisconnectedNetwork
from edo.core.scale import Floats, Ints, elo_from_theta, theta_from_elo
from edo.rating.games import Games
from edo.systems.base import (
    AGE,
    ByDifference,
    Effect,
    Kind,
    Rated,
    System,
    averaged,
    logistic_score,
    mean_parameter,
    parameter,
)
from edo.systems.hierarchical_fit import (
    POWER,
    Bordered,
    Group,
    Hyper,
    Model,
    Point,
    Posterior,
    WeakPrior,
)
from edo.systems.player_years import PlayerYears, player_years_of

DECADE = 10.0  # [years] the unit of time of the curve and of the growth of draws
WEAK = 100.0  # [Elo] prior deviation of the effects of length, events, curve and White
FREE = 300.0  # [Elo] prior deviation of a coefficient of the age curve
FIRST_AGE, LAST_AGE, AGES_APART = 14, 74, 4  # [years] the knots of the age curve
NO_FORM, SURE = 1e-3, 1e-6  # [nat] a form that is next to none, and its prior deviation then
# [nat] expected of another step where the search of each round ends. The rounds of a single step
# find the draws. With 0.01 in the last, ratings of November 2026 are 0.02 points off, at most 0.4.
GAINS = math.inf, math.inf, math.inf, 0.01
COUNTRIES = 40  # those with most players: of smaller ones nothing is learnt, and each column of the
# shared numbers makes the factor larger (with all 90 of November 2026 a fit takes twice as long)
MOST_DRAWS = 0.9  # of the games of equals, at any time: at 1 their weight would be infinite
_OURS = "our convention"

USUAL: Mapping[str, float] = {
    "form": 15.0,
    "step": 12.0,
    "spread": 100.0,
    "country": 25.0,
    "bend": 17.0,
}
"""The medians of the weak priors of deviations [Elo], where the search begins."""
USUAL_POWER, POWER_DEVIATION = -0.2, 0.5  # the same for the power of the spread
FACTOR = 1.0  # prior deviation of the logarithm of each deviation: within a factor of e


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of Edo integrated; what matters is estimated from the games."""

    form: float = parameter(1.0, "", "1 where form at events is part of the model, else 0", _OURS)
    ages: float = parameter(1.0, "", "1 with the age curve, else 0", _OURS)
    events: float = parameter(1.0, "", "1 where the number of events counts, else 0", _OURS)
    countries: float = parameter(1.0, "", "1 with effects of countries, else 0", _OURS)
    colours: float = parameter(1.0, "", "1 where colours are used, 0 where not", _OURS)
    mean: float = mean_parameter()


PARTS = ("form", "ages", "events", "countries", "colours")
"""The parts that can be left out, as `Parameters` names them."""


@dataclass(frozen=True, slots=True, eq=False)
class Structure:
    """The structure of the model apart from draws.

    `shape` (k, c) is added to the strength of a player-year to give its rating. `names` (c,) are of
    the shared numbers.
    """

    model: Model
    shape: Floats
    names: tuple[str, ...]


def structure_of(games: Games, parameters: Parameters) -> Structure:
    """Return the structure for games."""
    years = player_years_of(games)
    player, year, start = years.player, years.year, years.start
    career = np.diff(start).astype(np.float64)
    years_of_player = career[player]
    i, j = years.sides(games)
    entries, participation = np.unique(
        np.r_[i, j] * len(games.events) + np.tile(games.event, 2), return_inverse=True
    )
    player_year = entries // len(games.events)
    first, second = participation.reshape(2, -1)
    # at least 1, as a player without games has no years; his level is that of nobody
    level: dict[str, Floats] = {"years": np.log(np.maximum(career, 1))}
    if parameters.events:
        of_player, event = player[player_year], entries % len(games.events)
        counts = np.bincount(np.unique(of_player * len(games.events) + event) // len(games.events),
                             minlength=len(games.players))  # fmt: skip
        level["events"] = np.log(np.maximum(counts, 1))
    countries = _countries(games) if parameters.countries else {}
    level |= {f"country {code}": member for code, member in countries.items()}
    middle = year[start[player]] + (years_of_player - 1) / 2
    shape: dict[str, Floats] = {"curve": -(((year - middle) / DECADE) ** 2)}
    hats = _ages(games, years) if parameters.ages else {}
    shape |= hats
    names = (*level, *shape, "white")
    c, k = len(names), len(year)
    of_level, of_shape = np.zeros((len(career), c)), np.zeros((k, c))
    for column, name in enumerate(names):
        if name in level:
            of_level[:, column] = level[name]
        elif name in shape:
            values = shape[name]
            sums = np.bincount(player, values, len(games.players))[player]
            # less its mean over the career, so that a shape says nothing of the level
            of_shape[:, column] = values - sums / years_of_player
    shared = of_shape[i] - of_shape[j]
    shared[:, -1] = games.colour * bool(parameters.colours)  # White's advantage
    groups, weak = _priors(names)
    model = Model(
        years, player_year, first, second, games.score, games.count, theta_from_elo(games.odds),
        csr_array(shared), np.ones(len(i)), of_level, weak, groups,
    )  # fmt: skip
    return Structure(model, of_shape, names)


def _priors(names: Sequence[str]) -> tuple[tuple[Group, ...], Floats]:
    """Return the groups of the shared numbers of these names (c,), and the precisions (c,)."""
    groups, c = [], len(names)
    weak = np.full(c, _precision(WEAK))
    countries, ages = (
        [column for column, name in enumerate(names) if name.startswith(kind)]
        for kind in ("country ", "age ")
    )
    if countries:
        groups.append(Group("country", np.eye(c)[countries]))
        weak[countries] = 0.0  # their group has a deviation of its own instead
    if ages:
        bends = np.zeros((len(ages) - 2, c))
        bends[:, ages] = np.diff(np.eye(len(ages)), 2, axis=0)
        groups.append(Group("bend", bends))
        weak[ages] = _precision(FREE)
    return tuple(groups), weak


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A fit.

    `draws` (2,) is a line in time: the share of draws between equals in the middle of the time, and
    how much it grows in a `DECADE`.
    """

    structure: Structure
    posterior: Posterior
    hyper: Hyper
    point: Point
    log_evidence: float
    draws: Floats

    @property
    def rating(self) -> Floats:
        """Return the ratings (k,) [Elo], of an arbitrary level."""
        return elo_from_theta(self.point.u + self.structure.shape @ self.point.c)

    def deviation(self) -> Floats:
        """Return their exact deviations (k,) [Elo], the mean of all player-years being fixed."""
        k, inverse = self.posterior.k, self.posterior.factorised(self.point, self.hyper)
        shape, with_mean = csr_array(self.structure.shape), self.with_mean(inverse)
        variance = inverse.variances(np.arange(k), shape) - 2 * with_mean + with_mean.mean()
        return elo_from_theta(np.sqrt(np.maximum(variance, 0.0)))  # below 0 only by rounding

    def with_mean(self, inverse: Bordered) -> Floats:
        """Return the covariances (k,) [nat^2] of the ratings with their mean."""
        k, shape = self.posterior.k, self.structure.shape
        weights = np.r_[np.full(k, 1 / k), np.zeros(self.posterior.p)]
        of_mean = inverse.solve(weights, shape.mean(axis=0))
        return np.asarray(of_mean[0][:k] + shape @ of_mean[1])


def fit(
    games: Games,
    parameters: Parameters,
    near: Fitted | None = None,
    draws: Floats | None = None,
    gains: Sequence[float] = GAINS,
) -> Fitted:
    """Return the most probable strengths, at the hyperparameters of most evidence.

    The search for these starts from `near`, a fit to nearly the same games, where there is one. It
    goes in rounds: each begins with an estimate of the share of draws by the round before, and ends
    where another step is expected to gain less than one of the `gains` [nat]. Where `draws`, as in
    `Fitted`, are known, there is one round. The first round takes the draws of `near`, or those of
    games between equals.

    Raises DisconnectedNetwork where there are no games, NotConverged where a fit fails.
    """
    if not len(games.first):
        raise DisconnectedNetwork("there are no games to rate; add results")
    structure = structure_of(games, parameters)
    usual = _usual(structure.model, parameters)
    deviation = np.full(len(usual.numbers()), FACTOR)
    deviation[POWER] = POWER_DEVIATION
    if not parameters.form:
        deviation[0] = SURE
    weak = WeakPrior(usual.numbers(), deviation**-2)
    posterior, hyper = Posterior(structure.model), usual
    draw_line = draws
    if near is not None and len(near.hyper.groups) == len(usual.groups):
        hyper, draw_line = near.hyper, near.draws if draws is None else draws
    if draw_line is None:
        draw_line = _drawn(games, *np.zeros((2, len(games))))  # as if all were equal
    point = None
    for gain in gains if draws is None else gains[-1:]:
        used = draw_line
        posterior = posterior.with_weight(_weight(games, used))
        hyper, point, evidence = posterior.most_evidence(hyper, point, weak, gain)
        if draws is None:
            draw_line = _drawn(games, posterior.differences(point), evidence.variance)
    point = posterior.fit(hyper, point)
    return Fitted(structure, posterior, hyper, point, evidence.value, used)


def _weight(games: Games, draws: Floats) -> Floats:
    # Of equals who draw a share d, the variance of a score is 1 - d times that without draws.
    return np.asarray(1 / (1 - _share(games.year, draws, _middle(games))))


def _usual(model: Model, parameters: Parameters) -> Hyper:
    """Return the medians of the weak priors."""
    form, step, spread, *groups = theta_from_elo(
        np.array(
            [USUAL[name] for name in ("form", "step", "spread", *(g.name for g in model.groups))]
        )
    ).tolist()
    return Hyper(form if parameters.form else NO_FORM, step, spread, USUAL_POWER, tuple(groups))


def _middle(games: Games) -> float:
    return float(games.year.min() + games.year.max()) / 2


def _drawn(games: Games, difference: Floats, variance: Floats) -> Floats:
    """Return the line of the share of draws of equals: in the middle of the time, and its growth.

    The chance p (1 - p) is averaged over the posterior of each `difference` (m,): at its maximum,
    which lies nearer to even, it would be too large.
    """
    even = games.played & (games.odds == 0)
    equal = 4 * games.count * averaged(_variance, difference, variance)
    by_time = np.stack([np.ones(len(equal)), (games.year - _middle(games)) / DECADE])[:, even]
    # least squares, as games of a single year say nothing of the growth
    line = np.linalg.lstsq(by_time * equal[even] @ by_time.T, by_time @ games.draws[even])
    return np.asarray(line[0])


def _variance(difference: Floats) -> Floats:
    p = expit(difference)
    return np.asarray(p * (1 - p))


def _share(year: Ints, draws: Floats, middle: float) -> Floats:
    line = draws[0] + draws[1] * (year - middle) / DECADE
    return np.asarray(np.clip(line, 0.0, MOST_DRAWS))


@dataclass(frozen=True, slots=True, eq=False)
class Predictive:
    """Expected scores over the posterior of both strengths and over form at one more event."""

    fitted: Fitted

    def __call__(self, first: Ints, second: Ints, colour: Floats, /) -> Floats:
        """Return the expected scores per game (m,) of the player-years `first`."""
        fitted, shape = self.fitted, self.fitted.structure.shape
        shared = shape[first] - shape[second]
        shared[:, -1] = colour
        point = fitted.point
        mean = point.u[first] - point.u[second] + shared @ point.c
        inverse = fitted.posterior.factorised(point, fitted.hyper)
        variance = inverse.any_variances(first, second, shared) + 2 * fitted.hyper.form**2
        return averaged(expit, mean, variance)


def rate(games: Games, parameters: Parameters, earlier: Rated | None = None) -> Rated:
    """Return the ratings of everybody with games; raises what `fit` raises.

    `earlier` are the ratings of nearly the same games, where the search then starts.
    """
    games = games.in_order()
    if earlier is not None and isinstance(earlier.predictive, Predictive):
        fitted = fit(games, parameters, earlier.predictive.fitted, gains=GAINS[-2:])
    else:
        fitted = fit(games, parameters)
    years, rating = fitted.structure.model.player_years, fitted.rating
    i, j = years.sides(games)
    level = np.sum(games.count * (rating[i] + rating[j])) / (2 * games.count.sum())
    rating = rating - level + parameters.mean
    advantage = float(elo_from_theta(fitted.point.c[-1:])[0])
    expected = ByDifference(rating, partial(logistic_score, advantage=advantage))
    return Rated(
        years, rating, fitted.deviation(), expected, fitted.log_evidence, estimates(games, fitted),
        float(elo_from_theta(np.array(fitted.hyper.form))), Predictive(fitted),
        partial(effects, games, fitted),
    )  # fmt: skip


def estimates(games: Games, fitted: Fitted) -> dict[str, float]:
    """Return the estimated numbers by the labels that pages show."""
    hyper, names = fitted.hyper, fitted.structure.names
    shared = dict(zip(names, elo_from_theta(fitted.point.c).tolist(), strict=True))

    def elo(deviation: float) -> float:
        return float(elo_from_theta(np.array(deviation)))

    first, last = int(games.year.min()), int(games.year.max())
    begin, end = _share(np.array([first, last]), fitted.draws, _middle(games))
    numbers = {
        "form at an event [Elo]": elo(hyper.form),
        "step from year to year [Elo]": elo(hyper.step),
        "spread of the levels of one year on record [Elo]": elo(hyper.spread)
        * math.exp(-hyper.spread_power),
        "power of the years on record in that spread": hyper.spread_power,
        "White's advantage [Elo]": shared["white"],
        "twice as many years on record [Elo]": shared["years"] * math.log(2),
    }
    if "events" in shared:
        numbers["twice as many events [Elo]"] = shared["events"] * math.log(2)
    numbers["ten years before or after the middle of a career [Elo]"] = -shared["curve"]
    for group, deviation in zip(fitted.structure.model.groups, hyper.groups, strict=True):
        numbers[_LABELS[group.name]] = elo(deviation)
    for age in (18, 22, 26, 34, 46, 54, 62):
        if f"age {age}" in shared:
            numbers[f"age {age} against 30 [Elo]"] = shared[f"age {age}"] - shared["age 30"]
    numbers[f"draws of equals in {first}"] = float(begin)
    numbers[f"draws of equals in {last}"] = float(end)
    return numbers


_LABELS = {"country": "spread of countries [Elo]", "bend": "bend of the age curve [Elo]"}


def _precision(deviation: float) -> float:
    return float(theta_from_elo(np.array(deviation))) ** -2


def effects(games: Games, fitted: Fitted) -> Iterator[Effect]:
    """Yield the effects that players share, with their exact deviations."""
    contrasts = list(_contrasts(games, fitted))
    chosen = np.array([vector for _, _, vector, _ in contrasts])
    covariance = fitted.posterior.factorised(fitted.point, fitted.hyper).shared_covariance()
    mean = elo_from_theta(chosen @ fitted.point.c)
    deviation = elo_from_theta(np.sqrt(np.sum(chosen @ covariance * chosen, axis=1)))
    numbers = zip(mean.tolist(), deviation.tolist(), strict=True)
    for (kind, label, _, count), (effect, error) in zip(contrasts, numbers, strict=True):
        yield Effect(kind, label, effect, error, count)


def _contrasts(games: Games, fitted: Fitted) -> Iterator[tuple[Kind, str, Floats, int]]:
    """Yield kind and name of each effect of shared numbers, with its coefficients and count."""
    years, names = fitted.structure.model.player_years, fitted.structure.names
    place_of = {name: place for place, name in enumerate(names)}
    played = np.unique(np.r_[years.sides(games)])
    players = len(np.unique(years.player[played]))
    for kind in ("years", "events"):
        if kind in place_of:
            yield kind, "twice as many", np.log(2) * np.eye(len(names))[place_of[kind]], players
    members = _members(games) if any(name.startswith("country ") for name in names) else {}
    known = sum(float(member.sum()) for member in members.values())
    mean = np.zeros(len(names))
    for code, member in members.items():
        mean[place_of[f"country {code}"]] = member.sum() / known
    for code, member in members.items():
        coefficients = np.eye(len(names))[place_of[f"country {code}"]] - mean
        yield "country", code, coefficients, int(member.sum())
    if f"age {FIRST_AGE}" not in place_of or games.traits is None:
        return
    ages = np.arange(FIRST_AGE, LAST_AGE + 1)
    reached = years.year[played] - games.traits.born[years.player[played]]
    reached = np.clip(reached[~np.isnan(reached)], FIRST_AGE, LAST_AGE).astype(np.int64)
    counts = np.bincount(reached - FIRST_AGE, minlength=len(ages)).tolist()
    place = place_of[f"age {FIRST_AGE}"]
    of_age, hats = np.zeros((len(ages), len(names))), _age_hats(ages)
    of_age[:, place : place + hats.shape[1]] = hats - _age_hats(np.array([AGE]))
    for age, vector, count in zip(ages.tolist(), of_age, counts, strict=True):
        yield "age", str(age), vector, count


def _countries(games: Games) -> dict[str, Floats]:
    """Return which players (n_players,) are of each country, less the mean, by code."""
    members = _members(games)
    total = sum(members.values(), np.zeros(len(games.players)))
    return {code: member - total * member.sum() / total.sum() for code, member in members.items()}


def _members(games: Games) -> dict[str, Floats]:
    """Return which players with games (n_players,) are of each of the `COUNTRIES`, by code."""
    if games.traits is None:
        return {}
    playing = np.zeros(len(games.players), bool)
    playing[games.first] = playing[games.second] = True
    codes = [
        (code or "") if plays else ""
        for code, plays in zip(games.traits.country, playing, strict=True)
    ]
    counts = Counter(code for code in codes if code)
    known = sorted(counts, key=lambda code: (-counts[code], code))[:COUNTRIES]
    return {
        code: np.array([of_player == code for of_player in codes], np.float64)
        for code in sorted(known)
    }


def _ages(games: Games, years: PlayerYears) -> dict[str, Floats]:
    """Return the hats (k,) of the age curve by their knot; 0 where the birth is not known."""
    if games.traits is None or np.isnan(games.traits.born).all():
        return {}
    age = years.year - games.traits.born[years.player]
    hats = _age_hats(age)
    hats[np.isnan(age)] = 0.0
    return {f"age {FIRST_AGE + AGES_APART * knot}": hat for knot, hat in enumerate(hats.T)}


def _age_hats(age: Floats | Ints) -> Floats:
    """Return how the knots of the age curve enter at ages (m,)."""
    place = np.asarray((np.clip(age, FIRST_AGE, LAST_AGE) - FIRST_AGE) / AGES_APART, np.float64)
    return _hats(place, (LAST_AGE - FIRST_AGE) // AGES_APART + 1)


def _hats(place: Floats, knots: int) -> Floats:
    """Return how knots at 0, 1, ... enter at places (m,): straight lines between them."""
    return np.asarray(np.maximum(0.0, 1 - np.abs(place[:, None] - np.arange(knots))))


def without_parts(system: System) -> Iterator[System]:
    """Yield the system without each of `PARTS`."""
    for part in PARTS:
        yield replace(system, parameters=replace(system.parameters, **{part: 0.0}))


def log_evidences(games: Games, parameters: Parameters) -> dict[str, float]:
    """Return the log evidence [nat] without each of `PARTS`, less that of the whole model.

    All at the same draws: the weights of the games have to be equal to compare.
    """
    games = games.in_order()
    whole = fit(games, parameters)
    variants = {
        part: fit(games, replace(parameters, **{part: 0.0}), draws=whole.draws) for part in PARTS
    }
    refitted = fit(games, parameters, whole, whole.draws)
    whole_evidence = refitted.log_evidence
    return {part: variant.log_evidence - whole_evidence for part, variant in variants.items()}


EDO_INTEGRATED = System(
    "edo-integrated", "Edo integrated", "this site, after Rod Edwards", 2026, "all at once",
    Parameters(), rate, is_slow=True, uses=("colours", "draws", "odds"), rate_next=rate,
)  # fmt: skip
