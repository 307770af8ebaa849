"""What every rating system is made of: parameters with sources, ratings, and expected scores."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

from edo.core.scale import Floats, Ints, expected_scores
from edo.rating.games import Games
from edo.systems.player_years import PlayerYears

Direction = Literal["forwards", "all at once", "one rating for all years"]
"""Whether a rating knows only earlier games, earlier and later ones, or does not change at all."""
Use = Literal["colours", "draws", "odds"]
Kind = Literal["age", "country", "years", "events"]

QUADRATURE = 15  # nodes: exact to 1e-6 for deviations of up to 300 Elo


class Expectation(Protocol):
    """Predicts games by ratings."""

    def __call__(self, first: Ints, second: Ints, colour: Floats, /) -> Floats:
        """Return the expected scores per game (m,) of the player-years `first`, from 0 to 1.

        `colour` is 1 where the first has White, -1 where Black, 0 where that is not known.
        """


@dataclass(frozen=True, slots=True, eq=False)
class ByDifference:
    """Expected scores that depend on the difference of two ratings (k,) [Elo] and on the colour.

    `score` takes differences [Elo] and colours (m,).
    """

    rating: Floats
    score: Callable[[Floats, Floats], Floats]

    def __call__(self, first: Ints, second: Ints, colour: Floats, /) -> Floats:
        """Return the expected scores per game (m,)."""
        return self.score(self.rating[first] - self.rating[second], colour)


def logistic_score(difference: Floats, colour: Floats, advantage: float = 0.0) -> Floats:
    """Return Elo's logistic expected scores, White being `advantage` [Elo] stronger."""
    return expected_scores(difference + advantage * colour)


def logistic(rating: Floats) -> ByDifference:
    """Return Elo's logistic expectation, which ignores colours."""
    return ByDifference(rating, logistic_score)


def averaged(function: Callable[[Floats], Floats], mean: Floats, variance: Floats) -> Floats:
    """Return the means of a function of normal differences (m,) [nat], by Gauss' quadrature."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(QUADRATURE)
    values = function(mean[:, None] + np.sqrt(variance)[:, None] * nodes)
    return np.asarray(values @ (weights / weights.sum()))


def by_colour(colour: Floats, with_white: Floats, with_black: Floats) -> Floats:
    """Return the values (..., m) for each colour (m,), their mean where it is unknown."""
    return np.asarray(((1 + colour) * with_white + (1 - colour) * with_black) / 2)


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect [Elo] that many players share, with its posterior deviation.

    Of an `age` against `AGE`; of a `country` against the mean of the players whose country is
    known; of twice as many `years` or `events`. `of` says which; `count` are the players, of ages
    the player-years with games.
    """

    kind: Kind
    of: str
    effect: float
    deviation: float
    count: int


AGE = 30  # [years] against which other ages are shown


@dataclass(frozen=True, slots=True, eq=False)
class Rated:
    """The ratings that a system gives.

    `rating`, `deviation` (k,) [Elo] of the player-years, at the end of the year where ratings use
    earlier games only: on the usual scale, where at even strength a point is worth a point of
    Elo's logistic scale. A rating is NaN where the system cannot rate a player, a deviation where
    it has none. `log_evidence` [nat] is that of all games. `fitted` are numbers estimated from the
    games, by the labels that pages show. `form` [Elo] is the deviation of a player's strength at an
    event from his rating, where the system knows one. `predictive` are expected scores averaged
    over the uncertainty of the ratings and over form, where the system has its own: the same as
    `expected` where these are averages already. `effects` returns those that players share.
    """

    player_years: PlayerYears
    rating: Floats
    deviation: Floats
    expected: Expectation
    log_evidence: float | None = None
    fitted: Mapping[str, float] = field(default_factory=dict)
    form: float = 0.0
    predictive: Expectation | None = None
    effects: Callable[[], Iterable[Effect]] = tuple


@dataclass(frozen=True, slots=True)
class System:
    """A rating system; its text is `templates/texts/system-<slug>.md`.

    `parameters` is a frozen dataclass of numbers, each declared with `parameter`; `rate` takes the
    games and such a record and raises EdoError where it cannot rate them. `author` and `since` (a
    year) say whose it is. Slow systems are started first in a worker pool.

    `uses` lists what it takes into account apart from the scores: the `colours`; the `draws`,
    beyond their half points; games at `odds`, which others leave out. `rate_next` is a faster
    `rate` for a system that can start from its ratings of nearly the same games.
    """

    slug: str
    name: str
    author: str
    since: int
    direction: Direction
    parameters: Any
    rate: Callable[[Games, Any], Rated]
    is_slow: bool = False
    uses: tuple[Use, ...] = ()
    rate_next: Callable[[Games, Any, Rated], Rated] | None = None


@dataclass(frozen=True, slots=True)
class ParameterInfo:
    """A parameter as pages describe it; `tried` are the values that the backtest chooses from."""

    name: str
    value: float
    unit: str
    meaning: str
    source: str
    tried: tuple[float, ...]


def parameter(
    default: float, unit: str, meaning: str, source: str, tried: tuple[float, ...] = ()
) -> Any:
    """Return a field of a record of parameters; `unit` is "" for a plain number."""
    info = {"unit": unit, "meaning": meaning, "source": source, "tried": tried}
    return field(default=default, metadata=info)


def mean_parameter() -> Any:
    """Return the field of the mean rating, for systems that find differences only."""
    meaning = "mean over all games, by which alone the level is set"
    return parameter(2500.0, "Elo", meaning, "our convention")


def parameters_of(system: System) -> Iterator[ParameterInfo]:
    """Yield the description of each parameter of a system, in order."""
    for parameter_field in dataclasses.fields(system.parameters):
        yield ParameterInfo(
            parameter_field.name,
            getattr(system.parameters, parameter_field.name),
            **parameter_field.metadata,
        )
