"""The results on a player's page: event by event, and the record against each opponent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from edo.core import formats
from edo.core.model import Event, OddsKind, Player
from edo.history.unknown_games import by_default, is_totals_only
from edo.rating.coverage import event_unrated
from edo.rating.edo import PlayerYear, Ratings
from edo.rating.finish import place_text
from edo.rating.meetings import Meeting, Tally, tally
from edo.rating.standings import Standing, known_scores
from edo.site import legend, markup, urls
from edo.site.index import MANY
from edo.site.input import SiteInput
from edo.site.pages.annotations import coverage_mark
from edo.site.pages.results import OpponentRow, has_totals_alone, opponent_rows


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event as the player's page shows it.

    `ratings` are those of the years for which it counts, mostly one, None where the player has
    none. `marks` are the kinds of remarks somewhere in it, each with its words; `remarks` are
    sentences about the player's part. `place` is how he finished, None where it is not known.
    `is_first_of_year` where an id leads to it. `rival` is the rating of the only opponent, as in a
    match, None where there are several.
    """

    event: Event
    is_first_of_year: bool
    ratings: tuple[tuple[int, PlayerYear | None], ...]
    place: str | None
    standing: Standing
    marks: tuple[tuple[str, str], ...]
    remarks: tuple[Markup, ...]
    opponents: tuple[OpponentRow, ...]
    rival: str | None


@dataclass(frozen=True, slots=True)
class RecordRow:
    """The games against one opponent: the years for which they count, each with that of the event.

    `page` is that of the two players, None where they met rarely.
    """

    opponent: str
    tally: Tally
    years: tuple[tuple[int, int], ...]
    events: int
    page: str | None


def event_rows(player: Player, site: SiteInput) -> Iterator[EventRow]:
    """Yield a row for each event in which the player took part, in order of time."""
    before = None
    for event in site.index.events_of_player.get(player.id, ()):
        opponents = opponent_rows(event, player, site)
        page = urls.player(player.id)
        yield EventRow(
            event=event,
            is_first_of_year=event.year != before,
            ratings=tuple(
                (year, site.ratings.of(player.id, year))
                for year in site.index.years_of(event, player.id)
            ),
            place=place_text(site.index.finish_of(event), event, player.id),
            standing=site.index.standings_of(event.id)[player.id],
            marks=tuple(_marks(event, opponents, site.dataset.odds)),
            remarks=tuple(markup.inline(one, page) for one in _remarks(event, player, site)),
            opponents=opponents,
            rival=_rival(opponents, site.ratings),
        )
        before = event.year


def _rival(opponents: Sequence[OpponentRow], ratings: Ratings) -> str | None:
    if len({row.player for row in opponents}) != 1:
        return None
    own = ratings.of(opponents[0].player, opponents[0].year)
    return "unrated" if own is None else formats.rating_with_deviation(own.rating, own.deviation)


def _marks(
    event: Event, opponents: Sequence[OpponentRow], odds: Mapping[str, OddsKind]
) -> Iterator[tuple[str, str]]:
    """Yield the kinds of marks that the event has for the player, with the words on them."""
    is_unrated = event_unrated(event) is not None
    if is_unrated:
        yield "unrated", "unrated"
    for kind in dict.fromkeys(kind for row in opponents for kind in row.kinds):
        if kind != "unrated":
            yield kind, legend.word(kind)
        elif not is_unrated:
            is_partly = not all(row.is_apart for row in opponents)
            yield kind, "partly unrated" if is_partly else kind
    mark = coverage_mark(event, odds)
    if mark is not None:
        yield mark, legend.word(mark)


def _remarks(event: Event, player: Player, site: SiteInput) -> Iterator[str]:
    """Yield remarks on the player's part in the event, as Markdown."""
    standing = site.index.standings_of(event.id)[player.id]
    if (reason := event_unrated(event)) is not None:
        yield f"Not rated: {reason}"
    if is_totals_only(event):
        yield "Only the totals of this event are known, not the single results."
        return
    if event.players_in_all is not None:
        yield (
            f"Only the totals of {len(event.players)} of the {event.players_in_all} players of "
            "this event are known, not the single results."
        )
    elif event.rest is not None and not event.results:
        yield "Only the totals of this event are known, not the single results."
    elif not standing.games:
        yield "Took part; no result is known."
    yield from _remarks_on_totals(event, player, standing)
    yield from _remarks_on_unknown_games(event, player, site)


def _remarks_on_totals(event: Event, player: Player, standing: Standing) -> Iterator[str]:
    """Yield the published total where it is not the known score, and what makes the difference."""
    for total in event.totals:
        if total.player != player.id or abs(total.points - standing.counted) < 1e-9:
            continue
        games = "" if total.games is None else f" of {formats.score(total.games)}"
        note = "" if total.note is None else f" {total.note}"
        yield f"Published total: {formats.score(total.points)}{games}.{note}"
    outside = [result for result in event.results if result.uncounted is not None]
    points, games_outside = known_scores(outside).get(player.id, (0.0, 0.0))
    if games_outside:
        score = formats.points_of_games(points, games_outside)
        yield f"Not counted in the event’s own totals: {score}."
    if event.draws_not_scored:
        yield "The event’s own totals count a draw as nothing."
    given = by_default(event).get(player.id, 0.0) if event.withdrew else 0.0
    if given:
        yield (
            "Taken to have been given by default, because somebody withdrew: "
            f"{formats.counted(given, 'point')} of the total."
        )


def _remarks_on_unknown_games(event: Event, player: Player, site: SiteInput) -> Iterator[str]:
    """Yield with how many opponents games are unknown, and how their scores were deduced."""
    met = site.index.meetings_of(event, player.id)
    parts = [meeting.deduced for meeting in met if meeting.deduced is not None]
    if parts:
        points, games = (
            round(sum(values), 9)
            for values in zip(*((part.points, part.games) for part in parts), strict=True)
        )
        yield (
            f"Games without known results: {formats.counted(points, 'point')} of "
            f"{formats.counted(games, 'game')} against {formats.counted(len(parts), 'opponent')}, "
            f"by the final totals; {_HOW[parts[0].kind]}"
        )
        return
    unknown = sum(player.id in pair for pair in event.unknown_games)
    if unknown:
        yield f"Games with unknown results against {formats.counted(unknown, 'opponent')}."


_HOW = {
    "totals": "how these lie among the opponents is not known.",
    "guess": "which games these were is a guess.",
}


def record_rows(player: Player, site: SiteInput) -> tuple[RecordRow, ...]:
    """Return the record against each opponent of several games, that of most games first.

    A single game stands in the row of its event.
    """
    rows = [
        (round(sum(meeting.games for meeting in met), 9), opponent, met)
        for opponent, met in site.index.head_to_heads(player.id).items()
    ]
    return tuple(
        RecordRow(
            opponent=opponent,
            tally=tally(met),
            years=_years(met),
            events=len(met),
            page=site.index.page_of_pair(player.id, opponent) if games >= MANY else None,
        )
        for games, opponent, met in sorted(rows, key=lambda row: (-row[0], row[1]))
        if games > 1 or len(met) > 1
    )


def _years(met: Sequence[Meeting]) -> tuple[tuple[int, int], ...]:
    """Return the years for which the games count, in order, each with that of the event."""
    counted = [(year, meeting.event.year) for meeting in met for year in meeting.years]
    return tuple(dict.fromkeys(sorted(counted, key=lambda years: years[0])))


def has_totals_only(player: Player, site: SiteInput) -> bool:
    """Whether the record lacks games because only the totals of some event are known."""
    return any(map(has_totals_alone, site.index.events_of_player.get(player.id, ())))
