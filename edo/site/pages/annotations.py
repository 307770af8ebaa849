"""Annotations on results and citations, as pages show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from edo.core import formats
from edo.core.model import Citation, Dataset, Event, OddsKind, Player, Result
from edo.rating.coverage import coverage, main_player, unrated_besides_default
from edo.site import markup, urls

WITHOUT_PLAY = "won by default"
"""The reason that the reader of event files gives for a `+` or `-` without a reason of its own."""

MANY_RESULTS = 7  # with one and the same annotation, whose marks would be nothing but clutter
IN_LEGEND = ("default", "unrated", "uncounted")
"""The kinds of results that the legend explains with a remark."""

COVERAGE_MARKS = ("by-totals", "one-player", "incomplete", "unverified", "part")
"""The kinds of marks that say how much is known of an event."""


def coverage_mark(event: Event, odds: Mapping[str, OddsKind]) -> str | None:
    """Return the kind of the mark that says how much is known of an event; None if it is whole."""
    known = coverage(event, odds)
    if known == "whole by totals":
        return "by-totals"
    if main_player(event) is not None:
        return "one-player"
    if event.completeness != "complete":
        return event.completeness
    return "part" if known == "part" and event.unrated is None else None


@dataclass(frozen=True, slots=True)
class Annotation:
    """A numbered footnote on one result, or on several that share it; `about` names these.

    Each of its `points` has a kind, one of odds, soft, proportion, split, default, unrated,
    uncounted and note, and a text.
    """

    number: int
    about: tuple[str, ...]
    points: tuple[tuple[str, Markup], ...]
    citations: tuple[Citation, ...]


def annotate(event: Event, dataset: Dataset) -> dict[int, Annotation]:
    """Return the annotation of each annotated result, by the result's place in the event."""
    shared: dict[tuple[tuple[tuple[str, str], ...], tuple[Citation, ...]], list[int]] = {}
    for index, result in enumerate(event.results):
        points = tuple(_points(event, result, dataset))
        if points or result.sources:
            shared.setdefault((points, result.sources), []).append(index)
    page = urls.event(event.id)
    times_met = Counter(frozenset((r.first, r.second)) for r in event.results)
    found = {}
    for number, ((points, sources), places) in enumerate(shared.items(), start=1):
        about = (_about(event, event.results[i], times_met, dataset.players) for i in places)
        annotation = Annotation(
            number,
            tuple(dict.fromkeys(about)),
            tuple((kind, markup.inline(text, page)) for kind, text in points),
            sources,
        )
        found.update(dict.fromkeys(places, annotation))
    return found


def common_of(annotations: Iterable[Annotation]) -> dict[str, Annotation]:
    """Return by kind the annotation that many results share, if it says nothing else of them.

    Their looks tell their kind, so that the legend can have the one mark for all of them.
    """
    common: dict[str, Annotation] = {}
    for annotation in annotations:
        (kind, _), *more = annotation.points or (("note", None),)
        if kind in IN_LEGEND and not more and len(annotation.about) >= MANY_RESULTS:
            before = common.get(kind, annotation)
            common[kind] = max(annotation, before, key=lambda shared: len(shared.about))
    return common


def _points(event: Event, result: Result, dataset: Dataset) -> Iterator[tuple[str, str]]:
    if result.odds is not None:
        yield "odds", f"{_odds_by_class(event, result, dataset) or odds_text(result, dataset)}."
    if result.soft is not None:
        yield "soft", result.soft
    if result.proportion is not None:
        points, games = formats.score(result.points_first), formats.counted(result.games, "game")
        yield (
            "proportion",
            f"Stated as a proportion, {result.proportion}; rated as {points} of {games}.",
        )
    if result.default is not None and result.default != WITHOUT_PLAY:
        yield "default", result.default
    reason = unrated_besides_default(result, dataset.odds)
    if reason is not None:
        yield "unrated", reason
    if result.year is not None and result.marks:
        yield "split", f"Counts for {result.year}."
    if result.uncounted is not None:
        yield "uncounted", result.uncounted
    if result.note is not None:
        yield "note", result.note


def odds_text(result: Result, dataset: Dataset) -> str:
    """Return the odds of a result in words. Raises ValueError on a result of even play."""
    if result.odds is None:
        raise ValueError("a result of even play has no odds")
    giver = dataset.players[result.odds.giver].shown_name
    return f"{giver} gave odds of {kind_text(dataset.odds[result.odds.kind])}"


def kind_text(kind: OddsKind) -> str:
    """Return a kind of odds in words, with what it is worth."""
    name = kind.name[:1].lower() + kind.name[1:]
    return name if kind.points is None else f"{name} ({formats.score(kind.points)} points)"


def _odds_by_class(event: Event, result: Result, dataset: Dataset) -> str | None:
    """Return the odds of a result in words if they follow from the players' classes."""
    odds = result.odds
    if odds is None or odds != event.odds_between(result.first, result.second):
        return None
    receiver = result.second if odds.giver == result.first else result.first
    giving, receiving = event.classes[odds.giver], event.classes[receiver]
    kind = kind_text(dataset.odds[odds.kind])
    return f"By class: {giving} gave {receiving} odds of {kind}"


def _about(
    event: Event,
    result: Result,
    times_met: Mapping[frozenset[str], int],
    players: Mapping[str, Player],
) -> str:
    names = " – ".join(players[p].shown_name for p in (result.first, result.second))
    if times_met[frozenset((result.first, result.second))] == 1:
        return names
    if result.year is not None:
        names = f"{names} ({result.year})"
    if result.number is None:
        return f"{names}, {formats.result(result.points_first, result.points_second)}"
    last = result.number + max(len(result.marks), 1) - 1
    games = f"game {last}" if last == result.number else f"games {result.number}–{last}"
    is_whole = event.completeness == "complete" and not event.unknown_games
    return f"{names}, {games}" if is_whole else f"{names}, known {games}"
