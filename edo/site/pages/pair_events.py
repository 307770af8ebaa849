"""An event of two players in, its line on their page, and the lead game by game, out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup

from edo.core import formats, urls
from edo.core.model import OddsKind
from edo.rating.pairings import left_out
from edo.site.input import Link
from edo.site.pages.deduced import Deduced
from edo.site.pages.lead import Stretch
from edo.site.pages.marks import EventData, GameMark
from edo.site.pages.material import NOTHING, Material, shown_rating
from edo.site.pages.meetings import Met, Tally, tally
from edo.site.pages.opponents import year_of
from edo.site.pages.remarks import Remark
from edo.site.pages.standings import expected_of


@dataclass(frozen=True, slots=True)
class PairEvent:
    """The games of two players in an event, as the first sees them.

    `state` is set where the event's results are not completely known. `expected` [points] of the
    rated ones; `said` are the words about single games, with the kind of
    each; `kinds` those of all marks on the games.
    """

    event: Link
    state: str | None
    when: str
    tally: Tally
    expected: str
    games: tuple[GameMark, ...]
    deduced: tuple[Deduced, ...]
    said: tuple[tuple[str, str | Markup], ...]
    kinds: frozenset[str]


def pair_event(data: EventData, pair: tuple[str, str], met: Met, material: Material) -> PairEvent:
    """Return the line of an event; `met` are the games of the two in it."""
    event = data.event
    places = [i for i, r in enumerate(event.results) if {r.first, r.second} == set(pair)]
    marks = data.seen_by(pair[0], places)
    pairings = tuple(
        one
        for one in material.index.pairings_of.get((event.id, pair[0]), ())
        if {one.first.player, one.second.player} == set(pair)
    )
    expected = expected_of(pair[0], pairings, material.ratings)
    parts = tuple(part for _, part in met.deduced)
    return PairEvent(
        event=Link(event.name, urls.event(event.id)),
        state=None if event.completeness == "complete" else event.completeness,
        when=formats.dates(event.dates) if event.dates is not None else str(event.year),
        tally=tally(met, material.dataset.odds),
        expected=NOTHING if expected is None else formats.expected(expected),
        games=tuple(replace(mark, remark=None) for mark in marks),
        deduced=parts,
        said=tuple(_said(data.remarks.of_result, places)),
        kinds=_kinds(marks) | {part.kind for part in parts},
    )


def _said(of_result: Mapping[int, Remark], places: list[int]) -> Iterator[tuple[str, str | Markup]]:
    """Yield what is said of the results, each once."""
    found = {of_result[place].number: of_result[place] for place in places if place in of_result}
    for remark in found.values():
        for point in remark.points:
            yield point.kind, point.text


def _kinds(marks: tuple[GameMark, ...]) -> frozenset[str]:
    kinds = frozenset(kind for mark in marks for kind in mark.kinds)
    is_coloured = all({"white", "black"} & set(mark.kinds) for mark in marks)
    return kinds if is_coloured else kinds | {"colourless"}


def stretches(met: Met, odds: Mapping[str, OddsKind]) -> list[Stretch]:
    """Return the first player's lead [points] game by game, without what the files set aside.

    Of a score alone it grows evenly. What was deduced comes after the known games of its event.
    """
    found: list[Stretch] = []
    for event in met.events:
        here = met.at(event)
        for _, one in here.known:
            if left_out(event, one.result, odds) is not None:
                continue
            year = year_of(event, one.result)
            if one.marks:
                found += [Stretch(year, 1.0, _LEAD[mark]) for mark in one.marks]
            else:
                found.append(Stretch(year, one.games, 2 * one.points - one.games))
        found += [Stretch(event.year, p.games, 2 * p.points - p.games) for _, p in here.deduced]
    return found


_LEAD = {"1": 1.0, "+": 1.0, "=": 0.0, "0": -1.0, "-": -1.0}


def rating_link(player: str, year: int, material: Material) -> Link:
    """Return a rating with its deviation, leading to its line on the player's page."""
    shown = shown_rating(material.ratings, player, year)
    if shown is None:
        return Link(NOTHING)
    return Link(shown, f"{urls.player(player)}#y{year}")
