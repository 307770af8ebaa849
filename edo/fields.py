"""The one list of the fields of event files and registries: type, rules, sentence, example.

Reading, the refusal of unknown keys, the JSON Schema and the editors' page all follow it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from edo import dates, notation, values
from edo.records import COMPLETENESS, EVENT_KINDS

Registry = Literal["players", "places", "sources", "odds"]
REGISTRIES: tuple[Registry, ...] = ("players", "places", "sources", "odds")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A type of value that stands in one piece of text.

    `convert` turns the text into the value or raises Refused. `registry` names the registry that
    an id must stand in. `choices` are the only words allowed. `pattern` and `json_types` describe
    the text to editors' tools, which see numbers and truth values where this program sees text.
    """

    name: str
    convert: Callable[[str], object]
    registry: Registry | None = None
    choices: tuple[str, ...] = ()
    pattern: str | None = None
    json_types: tuple[str, ...] = ("string",)


@dataclass(frozen=True, slots=True)
class Several:
    """A list of values of one type, of exactly `length` where that is set."""

    item: Scalar | Group
    length: int | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """A mapping with these fields; messages name it by the value of the field `known_by`.

    Exactly one of the fields `exactly_one`, at most one of `at_most_one` may be there.
    """

    name: str
    fields: tuple[Field, ...]
    known_by: str | None = None
    exactly_one: tuple[str, ...] = ()
    at_most_one: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """One key of a file: what it holds, whether it must be there, a sentence and an example."""

    name: str
    type: Scalar | Several | Group
    doc: str
    example: str
    required: bool = False


_LOOSE = ("string", "number", "boolean")

TEXT = Scalar("text", values.text, json_types=_LOOSE)
MARKDOWN = Scalar("Markdown text", values.markdown, json_types=_LOOSE)
BLOCK = Scalar("block of text", values.block)
NUMBER = Scalar(
    "number", values.number, pattern=values.NUMBER_PATTERN, json_types=("string", "number")
)
POSITIVE = Scalar(
    "number above 0",
    values.positive,
    pattern=values.NUMBER_PATTERN,
    json_types=("string", "number"),
)
WHOLE = Scalar(
    "whole number from 1", values.whole, pattern="[1-9][0-9]{0,5}", json_types=("string", "integer")
)
YEAR = Scalar("year", values.year, pattern=values.YEAR_PATTERN, json_types=("string", "integer"))
FLAG = Scalar("true or false", values.flag, pattern="true|false", json_types=("string", "boolean"))
COUNTRY = Scalar("country code", values.country, pattern=values.COUNTRY_PATTERN)
URL = Scalar("web address", values.url, pattern="https?://.+")
DATE = Scalar(
    "date", dates.parse_date, pattern=dates.DATE_PATTERN, json_types=("string", "integer")
)
SPAN = Scalar(
    "date or range of dates",
    dates.parse_span,
    pattern=dates.SPAN_PATTERN,
    json_types=("string", "integer"),
)
SCORE = Scalar("score", notation.parse_score, pattern=notation.SCORE_PATTERN)
GAMES = Scalar(
    "games in order",
    notation.parse_games,
    pattern=notation.GAMES_PATTERN,
    json_types=("string", "integer"),
)
KIND = Scalar("kind of event", values.text, choices=EVENT_KINDS)
STATE = Scalar("completeness", values.text, choices=COMPLETENESS)


def _id_of(registry: Registry, name: str) -> Scalar:
    return Scalar(
        name,
        values.identifier,
        registry,
        pattern=values.ID_PATTERN,
        json_types=("string", "integer"),
    )


PLAYER_ID = _id_of("players", "player id")
PLACE_ID = _id_of("places", "place id")
SOURCE_ID = _id_of("sources", "source id")
ODDS_ID = _id_of("odds", "kind of odds")

CITATION = Group(
    "source",
    (
        Field(
            "source", SOURCE_ID, "The id of the source in `sources.yaml`.", "staunton-1852", True
        ),
        Field("where", TEXT, "Where in the source: page, number, issue.", "pp. 1-20"),
    ),
    known_by="source",
)

_SOURCES = Several(CITATION)
_PAIR = Several(PLAYER_ID, 2)

ODDS_GIVEN = Group(
    "odds",
    (
        Field(
            "giver",
            PLAYER_ID,
            "The player who gives the odds, one of the two.",
            "staunton-howard",
            True,
        ),
        Field("kind", ODDS_ID, "The id of the odds in `odds.yaml`.", "pawn-and-two-moves", True),
    ),
)

_SAID = (
    Field(
        "odds",
        ODDS_GIVEN,
        "Odds at which the games were played.",
        "{giver: staunton-howard, kind: pawn-and-two-moves}",
    ),
    Field(
        "soft",
        TEXT,
        "Says that the score is the editor's estimate, and what it rests on.",
        "a letter says that he won two games in three",
    ),
    Field("unrated", TEXT, "The reason why the games are not rated.", "the game was fixed"),
    Field(
        "default",
        TEXT,
        "Says that the points were given without play, and why.",
        "the opponent did not appear",
    ),
    Field("note", MARKDOWN, "What else is to be said, in Markdown.", "Adjourned for a week."),
    Field(
        "sources", _SOURCES, "Sources for these games.", "[{source: staunton-1852, where: p. 7}]"
    ),
)

PAIRING = Group(
    "pairing",
    (
        Field(
            "players",
            _PAIR,
            "The two players; the score is the first one's.",
            "[anderssen-adolf, staunton-howard]",
            True,
        ),
        Field("score", SCORE, "Points of both, or wins, losses and draws of the first.", "8-3"),
        Field(
            "games",
            GAMES,
            "The games in order from the first one's side, with his colours.",
            "1w 0b = +",
        ),
        *_SAID,
    ),
    known_by="players",
    exactly_one=("score", "games"),
)

ROUND = Group(
    "round",
    (
        Field("name", TEXT, "What the round was called.", "Semi-final", True),
        Field(
            "teams",
            Several(TEXT, 2),
            "The two teams of a team match; the first-named players play for the first.",
            "[London, Paris]",
        ),
        Field(
            "note",
            MARKDOWN,
            "What is to be said of the round, in Markdown.",
            "Losers played for places.",
        ),
        Field(
            "pairings",
            Several(PAIRING),
            "The pairings of the round.",
            "[{players: [anderssen-adolf, staunton-howard], score: 4-1}]",
            True,
        ),
    ),
    known_by="name",
)

PUBLISHED_TOTAL = Group(
    "published total",
    (
        Field("player", PLAYER_ID, "Whose total it is.", "bird-henry", True),
        Field("total", NUMBER, "The total as published, in points.", "7½", True),
        Field(
            "note",
            MARKDOWN,
            "How and why it differs from the results.",
            "The book counts the drawn games as nothing.",
            True,
        ),
        Field(
            "sources", _SOURCES, "Where it was published.", "[{source: field-1883, where: p. 3}]"
        ),
    ),
    known_by="player",
)

REMARK = Group(
    "remark",
    (
        Field(
            "players",
            _PAIR,
            "The pair whose games it is about.",
            "[ware-preston, grundy-james]",
            True,
        ),
        Field(
            "game",
            WHOLE,
            "The number of the game in the pair's cell or list; else all of them.",
            "2",
        ),
        *_SAID,
    ),
    known_by="players",
)

EVENT = Group(
    "event",
    (
        Field("name", TEXT, "The event's name as pages show it.", "London 1851", True),
        Field(
            "kind", KIND, "What it was: a tournament, a match or a team match.", "tournament", True
        ),
        Field("place", PLACE_ID, "The id of the place in `places.yaml`.", "london"),
        Field("dates", SPAN, "When it was played, as exactly as known.", "1851-05-27/1851-07-21"),
        Field(
            "year",
            YEAR,
            "The year that it counts for, which is the year it finished.",
            "1851",
            True,
        ),
        Field("format", TEXT, "How it was played, in words.", "Knock-out"),
        Field(
            "completeness",
            STATE,
            "Whether all results are here; complete where nothing is said.",
            "incomplete",
        ),
        Field("missing", TEXT, "What is missing, or could be.", "the games of the third round"),
        Field("unrated", TEXT, "The reason why nothing of the event is rated.", "blindfold play"),
        Field(
            "players",
            Several(PLAYER_ID),
            "All who took part, in finishing order.",
            "[anderssen-adolf, wyvill-marmaduke]",
        ),
        Field(
            "crosstable",
            BLOCK,
            "The results as the books print them, a row a player.",
            "anderssen-adolf .    1w0b | 1\nkieseritzky-lionel 0b1w .   | 1",
        ),
        Field(
            "pairings",
            Several(PAIRING),
            "The results pair by pair.",
            "[{players: [anderssen-adolf, staunton-howard], score: 4-1}]",
        ),
        Field(
            "rounds",
            Several(ROUND),
            "The results pair by pair in rounds.",
            "[{name: Final, pairings: [{players: [bird-henry, owen-john], games: 11}]}]",
        ),
        Field(
            "totals",
            BLOCK,
            "Final totals, a row a player, perhaps with his number of games.",
            "anderssen-adolf 7/11\nwyvill-marmaduke 4/11",
        ),
        Field("games_per_pair", WHOLE, "How many games each pair was to play.", "2"),
        Field(
            "published_totals",
            Several(PUBLISHED_TOTAL),
            "Published totals that differ from the results.",
            "[{player: bird-henry, total: 7½, note: Draws were not counted.}]",
        ),
        Field(
            "remarks",
            Several(REMARK),
            "What is to be said of single results of a table or list.",
            "[{players: [ware-preston, grundy-james], game: 2, unrated: the game was fixed}]",
        ),
        Field(
            "notes",
            MARKDOWN,
            "What is to be said of the event, in Markdown.",
            "The first international tournament.",
        ),
        Field(
            "sources",
            _SOURCES,
            "What all of this rests on.",
            "[{source: staunton-1852, where: pp. 1-20}]",
            True,
        ),
    ),
    at_most_one=("crosstable", "pairings", "rounds"),
)

PLAYER = Group(
    "player",
    (
        Field("name", TEXT, "Surname, then first names.", "Anderssen, Adolf", True),
        Field("born", DATE, "Date of birth, as exactly as known.", "1818-07-06"),
        Field("died", DATE, "Date of death, as exactly as known.", "1879-03"),
        Field("country", COUNTRY, "Country or countries played for.", "GER/USA"),
        Field("woman", FLAG, "Whether pages show `Ms.`.", "true"),
        Field(
            "spellings",
            Several(TEXT),
            "Other spellings of the name in the sources.",
            '["Andersen, A."]',
        ),
        Field(
            "offhand_of",
            PLAYER_ID,
            "The person whose casual results this identity holds apart.",
            "anderssen-adolf",
        ),
        Field(
            "notes",
            MARKDOWN,
            "What is to be said of the player, in Markdown.",
            "Teacher of mathematics in Breslau.",
        ),
        Field("sources", _SOURCES, "What the record rests on.", "[{source: gaige-1987}]"),
    ),
)

PLACE = Group(
    "place",
    (
        Field("name", TEXT, "The place's name as pages show it.", "Breslau", True),
        Field("country", COUNTRY, "The country that it was in.", "GER"),
        Field("notes", MARKDOWN, "What is to be said of the place, in Markdown.", "Now Wrocław."),
    ),
)

SOURCE = Group(
    "source",
    (
        Field(
            "title", TEXT, "Title of the book, periodical or file.", "The Chess Tournament", True
        ),
        Field("author", TEXT, "Who wrote or edited it.", "Staunton, Howard"),
        Field("published", TEXT, "Where and when it was published.", "London 1852"),
        Field("url", URL, "Where it can be read.", "https://example.org/book"),
        Field(
            "notes",
            MARKDOWN,
            "What is to be said of the source, in Markdown.",
            "Scores of all games.",
        ),
    ),
)

ODDS = Group(
    "odds",
    (
        Field("name", TEXT, "What the odds are called.", "Pawn and two moves", True),
        Field("points", POSITIVE, "What they are worth in Elo points.", "219"),
        Field(
            "unrated", TEXT, "The reason why games at these odds are not rated.", "a different game"
        ),
        Field(
            "notes",
            MARKDOWN,
            "What is to be said of the odds, in Markdown.",
            "Black plays without his f-pawn.",
        ),
    ),
    exactly_one=("points", "unrated"),
)

RECORDS: dict[Registry, Group] = {
    "players": PLAYER,
    "places": PLACE,
    "sources": SOURCE,
    "odds": ODDS,
}
