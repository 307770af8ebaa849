"""What every rating system is made of: parameters with sources and a way to rate games."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from edo.systems.careers import Careers
from edo.systems.games import Floats, Games, Ints

Direction = Literal["forwards", "all at once", "one rating for all years"]
Use = Literal["colours", "draws", "odds"]
"""Whether a rating knows only earlier games, earlier and later ones, or does not change at all."""


class Expectation(Protocol):
    """Foretells games by ratings: a record that can be pickled, not a closure."""

    def __call__(self, first: Ints, second: Ints, colour: Floats, /) -> Floats:
        """Return the expected scores per game (m,) of the player-years `first`, from 0 to 1.

        `colour` is 1 where the first has White, -1 where Black, 0 where that is not known.
        """


@dataclass(frozen=True, slots=True, eq=False)
class Rated:
    """What a system makes of games.

    `rating`, `deviation` (k,) [Elo] of each player-year of `careers`, at the end of the year where
    ratings only know earlier games: points of the usual scale, on which at even strength a point
    is worth as much as a point of Elo's logistic scale. A rating is NaN where the system cannot
    rate a player, a deviation where it knows none. `log_evidence` [nat] is that of all games.
    `fitted` are numbers that were estimated from the games, by what pages call them.
    """

    careers: Careers
    rating: Floats
    deviation: Floats
    expected: Expectation
    log_evidence: float | None = None
    fitted: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class System:
    """A rating system; its text is `content/system-<slug>.md`.

    `parameters` is a frozen dataclass of numbers, each made by `parameter`; `rate` takes the games
    and such a record and raises EdoError where it cannot rate them. `author` and `since` (a year)
    say whose it is. Those that are slow are begun first where several work side by side.

    `uses` says what it makes use of beside the scores: the `colours`, for White moves first; the
    `draws`, how often games are drawn, beyond their half points; games at `odds`, which others
    leave out.
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


@dataclass(frozen=True, slots=True)
class Said:
    """What pages say of a parameter; `tried` are the values among which the contest chooses."""

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
    said = {"unit": unit, "meaning": meaning, "source": source, "tried": tried}
    return field(default=default, metadata=said)


def parameters_of(system: System) -> Iterator[Said]:
    """Yield what is said of each parameter of a system, in order."""
    for each in dataclasses.fields(system.parameters):
        yield Said(each.name, getattr(system.parameters, each.name), **each.metadata)
