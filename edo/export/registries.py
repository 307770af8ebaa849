"""Tables of players, places, series, sources and odds, and of what cites which source."""

from __future__ import annotations

from collections.abc import Iterator

from edo.core.model import Player
from edo.export.results import result_id
from edo.export.table import History, Row, Table, flag, identifier, number, text, whole
from edo.rating.edo import Ratings

_NOTES = text("notes", "note by the editors, in Markdown")


def _players(history: History) -> Iterator[Row]:
    for player in history.dataset.players.values():
        yield (
            player.id,
            player.name,
            None if player.born is None else str(player.born),
            None if player.died is None else str(player.died),
            player.country,
            player.woman or None,
            player.offhand_of,
            "|".join(player.spellings) or None,
            *_career(player, history.ratings),
            history.ratings.unrated.get(player.id),
            player.notes,
            "|".join(player.former_ids) or None,
            " | ".join(map(str, player.acknowledged)) or None,
        )


def _career(player: Player, ratings: Ratings) -> Row:
    years = ratings.players.get(player.id)
    peak = ratings.peak(player.id)
    if years is None or peak is None:
        return (None,) * 5
    return years[0].year, years[-1].year, peak.year, peak.rating, peak.deviation


PLAYERS = Table(
    "players",
    "Players",
    "All players, rated or not.",
    (
        identifier("id", "id, also the name of the page", required=True),
        text("name", "name as shown on the pages", required=True),
        text("born", "date of birth, as precisely as known; ~ means approximate"),
        text("died", "date of death, likewise"),
        text("country", "three-letter code; a slash separates successive federations"),
        flag("woman", "yes for a woman, else empty"),
        identifier(
            "offhand_of",
            "the person, if this is a separate offhand identity",
            to="players",
        ),
        text("spellings", "other spellings, separated by |"),
        whole("first_rated_year", "first year with a rating"),
        whole("last_rated_year", "last year with a rating"),
        whole("peak_year", "year of the highest rating among years with results"),
        number("peak_rating", "that rating [Elo]", 3),
        number("peak_deviation", "its standard error (Edwards’ deviation) [Elo]", 3, least=0),
        text("unrated_reason", "why the player has no rating"),
        _NOTES,
        text("former_ids", "earlier ids, separated by |"),
        text("acknowledged", "warnings acknowledged by an editor, with reasons, separated by |"),
    ),
    _players,
    key=("id",),
)

SPELLINGS = Table(
    "spellings",
    "Spellings",
    "Other spellings of players’ names in the sources, one per row.",
    (
        identifier("player", "id of the player", to="players", required=True),
        text("spelling", "name as spelled in a source", required=True),
    ),
    lambda history: (
        (player.id, spelling)
        for player in history.dataset.players.values()
        for spelling in player.spellings
    ),
    key=("player", "spelling"),
)

PLACES = Table(
    "places",
    "Places",
    "Places where events were held.",
    (
        identifier("id", "id, also the name of the page", required=True),
        text("name", "name as shown on the pages", required=True),
        text("country", "three-letter code of the country at the time"),
        _NOTES,
    ),
    lambda history: ((p.id, p.name, p.country, p.notes) for p in history.dataset.places.values()),
    key=("id",),
)

SERIES = Table(
    "series",
    "Series",
    "Recurring events held under one name.",
    (
        identifier("id", "id of the series", required=True),
        text("name", "name as shown on the pages", required=True),
        _NOTES,
    ),
    lambda history: ((s.id, s.name, s.notes) for s in history.dataset.series.values()),
    key=("id",),
)

SOURCES = Table(
    "sources",
    "Sources",
    "The bibliography.",
    (
        identifier("id", "id, also the name of the page", required=True),
        text("title", "title of the book, periodical, file or website", required=True),
        text("author", "author or editor"),
        text("published", "place and date of publication"),
        text("url", "where it can be read online"),
        _NOTES,
    ),
    lambda history: (
        (s.id, s.title, s.author, s.published, s.url, s.notes)
        for s in history.dataset.sources.values()
    ),
    key=("id",),
)

ODDS = Table(
    "odds",
    "Kinds of odds",
    "The kinds of odds that a stronger player could give, and their values.",
    (
        identifier("id", "id of the odds", required=True),
        text("name", "name as shown on the pages", required=True),
        number("points", "value of the odds [Elo]; empty where they are not rated"),
        text("unrated", "why games at these odds are not rated"),
        _NOTES,
    ),
    lambda history: (
        (o.id, o.name, o.points, o.unrated, o.notes) for o in history.dataset.odds.values()
    ),
    key=("id",),
)


def _citations(history: History) -> Iterator[Row]:
    for player in history.dataset.players.values():
        yield from ((c.source, c.where, None, player.id, None) for c in player.sources)
    for event in history.dataset.events.values():
        yield from ((c.source, c.where, event.id, None, None) for c in event.sources)
        for index, result in enumerate(event.results):
            id_ = result_id(event, index)
            yield from ((c.source, c.where, event.id, None, id_) for c in result.sources)
        for total in event.totals:
            yield from ((c.source, c.where, event.id, total.player, None) for c in total.sources)


CITATIONS = Table(
    "citations",
    "Citations",
    "What cites which source: an event, one of its results, a player’s published total in it, or "
    "the record of a player.",
    (
        identifier("source", "id of the source", to="sources", required=True),
        text("locator", "place in the source: page, number, issue"),
        identifier("event", "id of the event; empty for the record of a player", to="events"),
        identifier(
            "player",
            "id of the player; with an event, the player’s published total",
            to="players",
        ),
        text("result", "id of the result, for a single result of the event", to="results"),
    ),
    _citations,
)

TABLES = (PLAYERS, SPELLINGS, PLACES, SERIES, SOURCES, ODDS, CITATIONS)
