"""The results of an event in; what is said of single ones, numbered, out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from edo.core import formats, urls
from edo.core.model import Citation, Dataset, Event, OddsKind, Player, Result, Source
from edo.rating.pairings import unrated_besides_default
from edo.site import markup
from edo.site.input import Link

WITHOUT_PLAY = "won by default"
"""What the reader of event files says of a `+` or `-` of which the file says no more."""


_FEW = 6
"""How many results [results] a remark names before it only counts them."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A source with the place in it, ready to show."""

    source: Link
    author: str | None
    published: str | None
    where: str | None


@dataclass(frozen=True, slots=True)
class Point:
    """One thing said of a result.

    `kind` names it: odds, soft, proportion, split, default, unrated, uncounted or note.
    """

    kind: str
    text: str | Markup


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said, once for all the results it is said of; `about` names these in words.

    `many` is their number, where there are too many to read through.
    """

    number: int
    anchor: str
    about: tuple[str, ...]
    many: str | None
    points: tuple[Point, ...]
    sources: tuple[Cited, ...]


@dataclass(frozen=True, slots=True)
class Remarks:
    """The remarks of an event, and that of each result, by the result's place in the event."""

    all: tuple[Remark, ...]
    of_result: Mapping[int, Remark]


def cited(citations: Sequence[Citation], sources: Mapping[str, Source]) -> tuple[Cited, ...]:
    """Return citations with what the bibliography says of their sources."""
    return tuple(
        Cited(
            Link(sources[one.source].title, urls.source(one.source)),
            sources[one.source].author,
            sources[one.source].published,
            one.where,
        )
        for one in citations
    )


def remarks(event: Event, dataset: Dataset) -> Remarks:
    """Return what is said of the event's results; the same words about several stand once."""
    said: dict[tuple[tuple[Point, ...], tuple[Citation, ...]], list[int]] = {}
    for index, result in enumerate(event.results):
        points = _points(result, dataset)
        if points or result.sources:
            said.setdefault((points, result.sources), []).append(index)
    page = urls.event(event.id)
    whole = Counter(frozenset((r.first, r.second)) for r in event.results)
    found = []
    of_result = {}
    for number, ((points, sources), places) in enumerate(said.items(), start=1):
        words = (_about(event, event.results[i], whole, dataset.players) for i in places)
        about = tuple(dict.fromkeys(words))
        remark = Remark(
            number,
            f"remark-{number}",
            about,
            f"{formats.count(len(about))} results" if len(about) > _FEW else None,
            tuple(Point(p.kind, markup.inline(p.text, page)) for p in points),
            cited(sources, dataset.sources),
        )
        found.append(remark)
        of_result.update(dict.fromkeys(places, remark))
    return Remarks(tuple(found), of_result)


def _points(result: Result, dataset: Dataset) -> tuple[Point, ...]:
    points = []
    if result.odds is not None:
        points.append(Point("odds", f"{odds_text(result, dataset)}."))
    if result.soft is not None:
        points.append(Point("soft", result.soft))
    if result.proportion is not None:
        points.append(Point("proportion", _proportion_text(result)))
    if result.default not in (None, WITHOUT_PLAY):
        points.append(Point("default", result.default or ""))
    reason = unrated_besides_default(result, dataset.odds)
    if reason is not None:
        points.append(Point("unrated", reason))
    if result.year is not None and result.marks:
        points.append(Point("split", f"Counts for {result.year}."))
    if result.uncounted is not None:
        points.append(Point("uncounted", result.uncounted))
    if result.note is not None:
        points.append(Point("note", result.note))
    return tuple(points)


def _proportion_text(result: Result) -> str:
    points, games = formats.score(result.points_first), formats.counted(result.games, "game")
    return f"Stated as a proportion, {result.proportion}; rated as {points} of {games}."


def odds_text(result: Result, dataset: Dataset) -> str:
    """Return the odds of a result in words. Raises ValueError on a result of even play."""
    if result.odds is None:
        raise ValueError("a result of even play has no odds")
    kind = dataset.odds[result.odds.kind]
    giver = dataset.players[result.odds.giver].shown_name
    name = kind.name[:1].lower() + kind.name[1:]
    return f"{giver} gave odds of {name}{_worth(kind)}"


def _worth(kind: OddsKind) -> str:
    return "" if kind.points is None else f" ({formats.score(kind.points)} points)"


def _about(
    event: Event, result: Result, whole: Mapping[frozenset[str], int], players: Mapping[str, Player]
) -> str:
    names = " – ".join(players[p].shown_name for p in (result.first, result.second))
    if whole[frozenset((result.first, result.second))] == 1:
        return names
    if result.year is not None:
        names = f"{names} ({result.year})"
    if result.number is None:
        return f"{names}, {formats.result(result.points_first, result.points_second)}"
    last = result.number + max(len(result.marks), 1) - 1
    games = f"game {last}" if last == result.number else f"games {result.number}–{last}"
    is_whole = event.completeness == "complete" and not event.unknown_games
    return f"{names}, {games}" if is_whole else f"{names}, known {games}"
