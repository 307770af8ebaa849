"""The history in, the tables of players, places, sources, odds and series, and who cites what, out.

They hold all that editors wrote in the registries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from edo.core.model import Citation, Player
from edo.export.result_tables import result_id
from edo.export.tabular import (
    History,
    Row,
    Table,
    Value,
    flag,
    identifier,
    number,
    reference,
    text,
    whole,
)
from edo.rating.edo import Ratings

_NOTES = text("notes", "what the editors say, in Markdown")


def _players(history: History) -> Iterator[Row]:
    ratings = history.ratings
    for player in history.dataset.players.values():
        yield (
            *_identity(player),
            *_career(player, ratings),
            ratings.unrated.get(player.id),
            player.notes,
            "|".join(player.former_ids) or None,
            " | ".join(map(str, player.acknowledged)) or None,
        )


def _identity(player: Player) -> Row:
    return (
        player.id,
        player.name,
        _shown(player.born),
        _shown(player.died),
        player.country,
        player.woman or None,
        player.offhand_of,
        "|".join(player.spellings) or None,
    )


def _shown(date: object) -> Value:
    return None if date is None else str(date)


def _career(player: Player, ratings: Ratings) -> Row:
    years = ratings.players.get(player.id)
    peak = ratings.peak(player.id)
    if years is None or peak is None:
        return (None,) * 5
    return years[0].year, years[-1].year, peak.year, peak.rating, peak.deviation


PLAYERS = Table(
    "players",
    "Players",
    "Everybody.",
    (
        identifier("id", "the id, which is also the name of the page", required=True),
        text("name", "as the pages show it", required=True),
        text("born", "date as exactly as known; ~ marks about"),
        text("died", "likewise"),
        text("country", "three letters; a slash for a change of federation"),
        flag("woman", "yes, or empty"),
        identifier("offhand_of", "the person, where this is a separate offhand identity"),
        text("spellings", "other spellings, separated by |"),
        whole("first_rated_year", "the first year with a rating"),
        whole("last_rated_year", "the last year with a rating"),
        whole("peak_year", "the year of the highest rating among those with results"),
        number("peak_rating", "that rating [Elo]", 3),
        number("peak_deviation", "its deviation [Elo]", 3, least=0),
        text("unrated_reason", "why there is no rating, where there is none"),
        _NOTES,
        text("former_ids", "ids before the one of today, separated by |"),
        text(
            "acknowledged",
            "warnings that an editor acknowledged, each with the reason, separated by |",
        ),
    ),
    _players,
    key=("id",),
    references=(reference("offhand_of", "players"),),
)

SPELLINGS = Table(
    "spellings",
    "Spellings",
    "Other spellings of players’ names in the sources, one a row.",
    (
        identifier("player", "id of the player", required=True),
        text("spelling", "the name as a source spells it", required=True),
    ),
    lambda history: (
        (player.id, spelling)
        for player in history.dataset.players.values()
        for spelling in player.spellings
    ),
    key=("player", "spelling"),
    references=(reference("player", "players"),),
)

PLACES = Table(
    "places",
    "Places",
    "Where events took place.",
    (
        identifier("id", "the id, which is also the name of the page", required=True),
        text("name", "as the pages show it", required=True),
        text("country", "three letters; the country that it was in"),
        _NOTES,
    ),
    lambda history: ((p.id, p.name, p.country, p.notes) for p in history.dataset.places.values()),
    key=("id",),
)

SERIES = Table(
    "series",
    "Series",
    "Events that were held again and again under one name.",
    (
        identifier("id", "the id of the series", required=True),
        text("name", "as the pages show it", required=True),
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
        identifier("id", "the id, which is also the name of the page", required=True),
        text("title", "title of the book, periodical, file or site", required=True),
        text("author", "who wrote or edited it"),
        text("published", "where and when it was published"),
        text("url", "where it can be read"),
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
    "What the stronger player could give, and what it is worth.",
    (
        identifier("id", "the id of the odds", required=True),
        text("name", "as the pages show it", required=True),
        number("points", "what the odds are worth [Elo]; empty where they are not rated"),
        text("unrated", "why games at these odds are not rated, where they are not"),
        _NOTES,
    ),
    lambda history: (
        (o.id, o.name, o.points, o.unrated, o.notes) for o in history.dataset.odds.values()
    ),
    key=("id",),
)


def _citations(history: History) -> Iterator[Row]:
    for player in history.dataset.players.values():
        yield from _cited(player.sources, None, player.id, None)
    for event in history.dataset.events.values():
        yield from _cited(event.sources, event.id, None, None)
        for index, result in enumerate(event.results):
            yield from _cited(result.sources, event.id, None, result_id(event, index))
        for total in event.totals:
            yield from _cited(total.sources, event.id, total.player, None)


def _cited(
    citations: Iterable[Citation], event: Value, player: Value, result: Value
) -> Iterator[Row]:
    for one in citations:
        yield one.source, one.where, event, player, result


CITATIONS = Table(
    "citations",
    "Citations",
    "What rests on which source: an event, one of its results, a player’s published total in it, "
    "or what is said of a player.",
    (
        identifier("source", "id of the source", required=True),
        text("locator", "where in the source: page, number, issue"),
        identifier("event", "id of the event; empty where a player is meant"),
        identifier(
            "player",
            "id of the player; with an event, his published total in it is meant",
        ),
        text("result", "id of the result, where one result of the event is meant"),
    ),
    _citations,
    references=(
        reference("source", "sources"),
        reference("event", "events"),
        reference("player", "players"),
        reference("result", "results"),
    ),
)

TABLES = (PLAYERS, SPELLINGS, PLACES, SERIES, SOURCES, ODDS, CITATIONS)
"""The tables of this room."""
