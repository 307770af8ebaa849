"""A player's events in, a row for each with its opponents, expected scores and performances out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from edo.core import formats, urls
from edo.core.model import Event, Player
from edo.history.unplayed import by_default
from edo.rating.pairings import is_totals_only
from edo.site import legend, markup
from edo.site.input import Link
from edo.site.pages.material import NOTHING, Material, shown_rating, shown_score
from edo.site.pages.opponents import OpponentRow, opponent_rows
from edo.site.pages.standings import Standing, known_score


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event as the player's page shows it.

    `ratings` are those of the years for which it counts, mostly one. `rated_score` stands where
    what was rated is not the whole score. `marks` are the kinds of remarks somewhere in it, each
    with its words; `said` are sentences about the player's part. `anchor` is an id for the first
    event of a year; `is_single` where there is one opponent, as in a match.
    """

    anchor: str | None
    event: Link
    when: str
    ratings: tuple[str, ...]
    score: str
    rated_score: str | None
    expected: str
    performance: str
    marks: tuple[tuple[str, str], ...]
    said: tuple[Markup, ...]
    is_single: bool
    opponents: tuple[OpponentRow, ...]


def event_rows(player: Player, material: Material) -> Iterator[EventRow]:
    """Yield a row for each event in which the player took part, in order of time."""
    before = None
    for event in material.index.events_of_player.get(player.id, ()):
        anchor = None if event.year == before else anchor_of(event)
        yield _event_row(event, anchor, player, material)
        before = event.year


def anchor_of(event: Event) -> str:
    """Return the id of the first event of its year, on the page of a player."""
    return f"e{event.year}"


def _event_row(event: Event, anchor: str | None, player: Player, material: Material) -> EventRow:
    standing = material.standings[event.id][player.id]
    opponents = opponent_rows(event, player, material)
    page = urls.player(player.id)
    return EventRow(
        anchor=anchor,
        event=Link(event.name, urls.event(event.id)),
        when=formats.dates(event.dates) if event.dates is not None else str(event.year),
        ratings=_ratings(event, player, material),
        score=shown_score(standing.points, standing.games),
        rated_score=_rated_score(standing),
        expected=NOTHING if standing.expected is None else formats.expected(standing.expected),
        performance=(
            NOTHING if standing.performance is None else formats.rating(standing.performance)
        ),
        marks=tuple(_marks(event, opponents)),
        said=tuple(markup.inline(words, page) for words in _said(event, player, material)),
        is_single=len({row.opponent for row in opponents}) == 1,
        opponents=opponents,
    )


def _ratings(event: Event, player: Player, material: Material) -> tuple[str, ...]:
    """Return the player's rating in each year for which the event counts, with it where several."""
    years = material.index.years_of(event, player.id)
    shown = {year: shown_rating(material.ratings, player.id, year) or NOTHING for year in years}
    if len(years) == 1:
        return tuple(shown.values())
    return tuple(f"{year}: {rating}" for year, rating in shown.items())


def _marks(event: Event, opponents: Sequence[OpponentRow]) -> Iterator[tuple[str, str]]:
    """Yield the kinds of marks that the event has for the player, with the words on them."""
    if event.unrated is not None:
        yield "unrated", "unrated"
    for kind in dict.fromkeys(kind for row in opponents for kind in row.kinds):
        if kind != "unrated":
            yield kind, legend.word(kind)
        elif event.unrated is None:
            is_partly = not all(row.is_apart for row in opponents)
            yield kind, "partly unrated" if is_partly else kind
    if event.completeness != "complete":
        yield event.completeness, event.completeness


def _rated_score(standing: Standing) -> str | None:
    if not standing.is_rated_differently:
        return None
    if not standing.rated_games:
        return "none rated"
    return f"rated {shown_score(standing.rated_points, standing.rated_games)}"


def _said(event: Event, player: Player, material: Material) -> Iterator[str]:
    """Yield what has to be said of the player's part in the event, as Markdown."""
    standing = material.standings[event.id][player.id]
    if event.unrated is not None:
        yield f"Not rated: {event.unrated}"
    if is_totals_only(event):
        yield "Only the totals of this event are known, not the single results."
        return
    if event.players_in_all is not None:
        yield (
            f"Only the totals of {len(event.players)} of the {event.players_in_all} players of "
            "this event are known, not the single results."
        )
    elif not standing.games:
        yield "Took part; no result is known."
    yield from _said_of_totals(event, player, standing)
    yield from _said_of_unknown(event, player, material)


def _said_of_totals(event: Event, player: Player, standing: Standing) -> Iterator[str]:
    """Yield the published total where it is not the known score, and what makes the difference."""
    for total in event.totals:
        if total.player != player.id or abs(total.points - standing.points) < 1e-9:
            continue
        games = "" if total.games is None else f" of {formats.score(total.games)}"
        note = "" if total.note is None else f" {total.note}"
        yield f"Published total: {formats.score(total.points)}{games}.{note}"
    outside = [result for result in event.results if result.uncounted is not None]
    points, games_outside = known_score(outside, player.id)
    if games_outside:
        yield f"Not counted in the event’s own totals: {shown_score(points, games_outside)}."
    if event.draws_not_scored:
        yield "The event’s own totals count a draw as nothing."
    given = by_default(event).get(player.id, 0.0) if event.withdrew else 0.0
    if given:
        yield (
            "Taken to have been given by default, because somebody withdrew: "
            f"{formats.counted(given, 'point')} of the total."
        )


def _said_of_unknown(event: Event, player: Player, material: Material) -> Iterator[str]:
    """Yield with how many opponents games are unknown, and what stands in for these."""
    parts = material.deduced_of(event, player.id)
    if parts:
        points, games = (
            round(sum(values), 9)
            for values in zip(*((p.points, p.games) for p in parts.values()), strict=True)
        )
        yield (
            f"Games without known results: {formats.counted(points, 'point')} of "
            f"{formats.counted(games, 'game')} against {formats.counted(len(parts), 'opponent')}, "
            f"by the final totals; {_HOW[next(iter(parts.values())).kind]}"
        )
        return
    unknown = sum(player.id in pair for pair in event.unknown_games)
    if unknown:
        yield f"Games with unknown results against {formats.counted(unknown, 'opponent')}."


_HOW = {
    "totals": "how these lie among the opponents is solved from everybody’s totals.",
    "guess": "how these lie among the opponents is a guess.",
}
