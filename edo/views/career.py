"""A player's events in, a row for each with its opponents, expected scores and performances out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from edo import formats, markup, urls
from edo.records import Event, Player
from edo.scores import is_totals_only
from edo.views.material import NOTHING, Material, shown_rating, shown_score
from edo.views.opponents import OpponentRow, opponent_rows
from edo.views.site import Link
from edo.views.standings import Standing


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event as the player's page shows it.

    `rated_score` stands where what was rated is not the whole score. `marks` are the kinds of
    remarks somewhere in it, each with its words; `said` are sentences about the player's part.
    `is_single` where there is one row of an opponent, `is_open` where all are of one opponent.
    """

    event: Link
    when: str
    rating: str
    score: str
    rated_score: str | None
    expected: str
    performance: str
    marks: tuple[tuple[str, str], ...]
    said: tuple[Markup, ...]
    summary: str
    is_single: bool
    is_open: bool
    opponents: tuple[OpponentRow, ...]


def event_rows(player: Player, material: Material) -> Iterator[EventRow]:
    """Yield a row for each event in which the player took part, in order of time."""
    for event in material.index.events_of_player.get(player.id, ()):
        yield _event_row(event, player, material)


def _event_row(event: Event, player: Player, material: Material) -> EventRow:
    standing = material.standings[event.id][player.id]
    opponents = opponent_rows(event, player, material)
    page = urls.player(player.id)
    number = len({row.opponent for row in opponents})
    return EventRow(
        event=Link(event.name, urls.event(event.id)),
        when=formats.dates(event.dates) if event.dates is not None else str(event.year),
        rating=shown_rating(material.ratings, player.id, event.year) or NOTHING,
        score=shown_score(standing.points, standing.games),
        rated_score=_rated_score(standing),
        expected=NOTHING if standing.expected is None else formats.expected(standing.expected),
        performance=(
            NOTHING if standing.performance is None else formats.rating(standing.performance)
        ),
        marks=tuple(_marks(event, opponents)),
        said=tuple(markup.inline(words, page) for words in _said(event, player, standing)),
        summary=formats.counted(number, "opponent"),
        is_single=len(opponents) == 1,
        is_open=number == 1,
        opponents=opponents,
    )


def _marks(event: Event, opponents: Sequence[OpponentRow]) -> Iterator[tuple[str, str]]:
    """Yield the kinds of marks that the event has for the player, with the words on them."""
    if event.unrated is not None:
        yield "unrated", "unrated"
    for kind in dict.fromkeys(remark.kind for row in opponents for remark in row.remarks):
        if kind != "unrated":
            yield kind, kind
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


def _said(event: Event, player: Player, standing: Standing) -> Iterator[str]:
    """Yield what has to be said of the player's part in the event, as Markdown."""
    if event.unrated is not None:
        yield f"Not rated: {event.unrated}"
    if not standing.games:
        yield "Took part; no result is known."
    if is_totals_only(event):
        yield "Only the totals of this event are known, not the single results."
        return
    for total in event.totals:
        if total.player != player.id or abs(total.points - standing.points) < 1e-9:
            continue
        games = "" if total.games is None else f" of {formats.score(total.games)}"
        note = "" if total.note is None else f" {total.note}"
        yield f"Published total: {formats.score(total.points)}{games}.{note}"
    unknown = sum(player.id in pair for pair in event.unknown_games)
    if unknown:
        yield f"Games with unknown results against {formats.counted(unknown, 'opponent')}."
