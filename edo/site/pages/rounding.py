"""Look-ups rounded as pages print them: a page is drawn anew only where it would print others."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache, partial
from operator import attrgetter
from typing import Any, TypeVar

from edo.core import formats
from edo.core.model import Dataset, Event
from edo.rating.edo import PlayerYear, Ratings
from edo.rating.inference.answers import (
    Answers,
    Comparison,
    Influence,
    PeakYear,
    RankProbabilities,
)
from edo.site.input import SiteInput
from edo.site.pages.highlights import Band, Field, Win
from edo.site.pages.lookups import Index, Lookups, lookups_of
from edo.site.pages.standings import Standing
from edo.site.reads import Log

T = TypeVar("T")


def rounded(value: T) -> T:
    """Return records, also inside tuples, lists and dicts, with their numbers as pages print them.

    Ratings are whole points, expected scores have two decimals and chances are percents.
    """
    found: Any = value
    if isinstance(value, tuple | list):
        found = type(value)(map(rounded, value))
    elif isinstance(value, dict):
        found = {key: rounded(one) for key, one in value.items()}
    elif type(value) in _PRINTED:
        kind: Any = type(value)
        of, how = _fields(kind)
        each = zip(of(value), how, strict=True)
        found = kind(*[one if by is None else by(one) for one, by in each])
    return found  # type: ignore[no-any-return]


@cache
def _fields(kind: type) -> tuple[Callable[[Any], Any], list[Callable[[Any], Any] | None]]:
    """Return what gives the fields of a record, and how each is rounded."""
    names = [field.name for field in fields(kind)]
    return attrgetter(*names), [_PRINTED[kind].get(name) for name in names]


def _points(value: float | None) -> float | None:
    return None if value is None else formats.rounded(value)


def _score(value: float | None) -> float | None:
    return None if value is None else formats.rounded(value, 2)


_PRINTED: Mapping[type, Mapping[str, Callable[[Any], Any]]] = {
    PlayerYear: dict.fromkeys(("rating", "deviation", "raw_rating", "raw_deviation"), _points),
    RankProbabilities: dict.fromkeys(("first", "top_ten"), formats.rounded_chance),
    Comparison: {
        "difference": _points,
        "deviation": _points,
        "probability": formats.rounded_chance,
    },
    PeakYear: {"probability": formats.rounded_chance, "below": _points, "deviation": _points},
    Influence: {"shift": _points, "median_shift": _points},
    Standing: {
        "expected": _score,
        **dict.fromkeys(("performance", "floor", "deviation", "opposition"), _points),
    },
    Win: {"own": rounded, "other": rounded, "expected": _score},
    Band: {"expected": _score, "more": partial(formats.rounded, places=1)},
    Field: {"mean": _points},
}


class Rounded(Mapping[Any, Any]):
    """A table with what is made of what another one holds, rounded when it is looked up."""

    def __init__(self, held: Mapping[Any, Any], made: Callable[[Any], Any] = lambda one: one):
        self._held = held
        self._rounded = lru_cache(_REMEMBERED)(lambda key: rounded(made(held[key])))

    def __getitem__(self, key: Any) -> Any:
        return self._rounded(key)

    def __contains__(self, key: object) -> bool:
        return key in self._held

    def __iter__(self) -> Iterator[Any]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)


_REMEMBERED = 1 << 8  # a page asks for its own part twice: for its key and for its view


@dataclass(frozen=True, slots=True)
class Parts:
    """What the pages of a kind show that follows from more digits than they print, by id."""

    of: Mapping[str, Any]


@lru_cache(maxsize=1)
def logged(site: SiteInput) -> tuple[Lookups, Log]:
    """Return the rounded lookups for views of which all look-ups are noted, with their log."""
    log = Log((Dataset, Ratings, Index, Answers), Event)
    return log.recorded(rounded_lookups(lookups_of(site))), log


def rounded_lookups(exact: Lookups) -> Lookups:
    """Return lookups with all numbers as pages print them; the order is that of the exact ones."""
    answers = replace(
        exact.answers,
        rank_probabilities=Rounded(exact.answers.rank_probabilities),
        rivals=Rounded(exact.answers.rivals),
    )
    return replace(
        exact,
        ratings=_ratings(exact.ratings),
        other=_ratings(exact.other),
        standings=Rounded(exact.standings),
        standing_of=Rounded(exact.standing_of),
        peaks=Rounded(exact.peaks),
        answers=answers,
    )


def _year(exact: PlayerYear, most: float) -> PlayerYear:
    """Return a rounded year, its deviation still above the `most` of a ranked one, or not."""
    found = rounded(exact)
    if (found.deviation > most) == (exact.deviation > most):
        return found
    side = math.inf if exact.deviation > most else -math.inf
    return replace(found, deviation=math.nextafter(most, side))


def _ratings(exact: Ratings) -> Ratings:
    most = exact.settings.ranked_deviation
    players = {p: tuple(_year(one, most) for one in years) for p, years in exact.players.items()}
    at = {(one.player, one.year): one for years in players.values() for one in years}
    peaks = [one for player in players if (one := exact.peak(player)) is not None]
    return replace(
        exact,
        players=players,
        at=at,
        peaks={one.player: at[one.player, one.year] for one in peaks},
    )
