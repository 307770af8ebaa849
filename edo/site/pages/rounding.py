"""Look-ups rounded as pages print them, so that a page is drawn again only where it differs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache, lru_cache, partial
from operator import attrgetter
from typing import Any, TypeVar

from edo.core import formats
from edo.core.formats import rounded_chance
from edo.core.model import Dataset, Event, Player
from edo.rating.edo import PlayerYear, Ratings
from edo.rating.inference import answers
from edo.site.input import SiteInput
from edo.site.pages import highlights
from edo.site.pages.lookups import Index, Lookups, lookups_of
from edo.site.pages.standings import Standing
from edo.site.pages.systems import Leader
from edo.site.reads import Log

T = TypeVar("T")


def rounded(value: T) -> T:
    """Return records, also inside tuples, lists and dicts, with their numbers as pages print them.

    Ratings are whole points, expected scores have two decimals and chances are percents.
    """
    found: Any = value
    kind: Any = type(value)
    if kind in _KINDS:
        fields_of, printed = _fields(kind)
        each = [*fields_of(value)]
        for k, by in printed:
            if each[k] is not None:
                each[k] = by(each[k])
        found = kind(*each)
    elif isinstance(value, tuple | list):
        found = kind(map(rounded, value))
    elif isinstance(value, dict):
        found = {key: rounded(one) for key, one in value.items()}
    return found  # type: ignore[no-any-return]


@cache
def _fields(kind: type) -> tuple[Callable[[Any], Any], list[tuple[int, Callable[[Any], Any]]]]:
    """Return what gives the fields of a record, and how those that are rounded are."""
    names = [field.name for field in fields(kind)]
    printed = [(k, _PRINTED[name]) for k, name in enumerate(names) if name in _PRINTED]
    return attrgetter(*names), printed


def _chances(value: Any) -> Any:
    return tuple(map(_chances, value)) if isinstance(value, tuple) else rounded_chance(value)


_KINDS = {
    *(PlayerYear, Standing, Leader, highlights.Win, highlights.Band, highlights.Field),
    *(answers.RankProbabilities, answers.Comparison, answers.PeakYear, answers.Influence),
    answers.Superiority,
}
_PRINTED: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("rating", "deviation", "raw_rating", "raw_deviation"), formats.rounded),
    **dict.fromkeys(("performance", "floor", "opposition", "mean"), formats.rounded),
    **dict.fromkeys(("difference", "below", "shift", "median_shift"), formats.rounded),
    **dict.fromkeys(("first", "top_ten", "probability"), _chances),
    "expected": partial(formats.rounded, places=2),
    "more": partial(formats.rounded, places=1),
    **dict.fromkeys(("own", "other"), rounded),
}


class Rounded(Mapping[Any, Any]):
    """A table with what is made of what another one holds, rounded when it is looked up."""

    def __init__(self, held: Mapping[Any, Any], made: Callable[[Any], Any] = lambda one: one):
        self._held = held
        self._rounded = lru_cache(_REMEMBERED)(lambda key: rounded(made(held[key])))

    def __getitem__(self, key: Any) -> Any:
        return self._rounded(key)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)


_REMEMBERED = 1 << 8  # a page asks for its own part twice: for its key and for its view


@lru_cache(maxsize=1)
def logged(site: SiteInput) -> tuple[Lookups, Log]:
    """Return the rounded lookups for views of which all look-ups are noted, with their log."""
    log = Log((Dataset, Ratings, Index, answers.Answers), (Event, Player))
    return log.recorded(rounded_lookups(site)), log


@lru_cache(maxsize=1)
def rounded_lookups(site: SiteInput) -> Lookups:
    """Return the lookups with numbers as pages print them, in the order of the exact ones."""
    exact = lookups_of(site)
    names = "rank_probabilities", "rivals", "superiority"
    tables: Any = {name: Rounded(getattr(exact.answers, name)) for name in names}
    return replace(
        exact,
        ratings=rounded_ratings(exact.ratings),
        other=rounded_ratings(exact.other),
        standings=Rounded(exact.standings),
        standing_of=Rounded(exact.standing_of),
        answers=replace(exact.answers, **tables),
    )


@lru_cache(maxsize=2)
def rounded_ratings(exact: Ratings) -> Ratings:
    """Return ratings in whole points, remembered for the leading system's and the other's."""
    most = exact.settings.ranked_deviation
    players = {p: tuple(_year(one, most) for one in years) for p, years in exact.players.items()}
    at = {(one.player, one.year): one for years in players.values() for one in years}
    years = {year: tuple(at[y.player, year] for y in of) for year, of in exact.years.items()}
    peaks = {p: at[p, one.year] for p in players if (one := exact.peak(p)) is not None}
    return replace(exact, players=players, years=years, at=at, peaks=peaks)


def _year(exact: PlayerYear, most: float) -> PlayerYear:
    """Return a rounded year, its deviation still above the `most` of a ranked one, or not."""
    found = rounded(exact)
    if (found.deviation > most) == (exact.deviation > most):
        return found
    side = math.inf if exact.deviation > most else -math.inf
    return replace(found, deviation=math.nextafter(most, side))
