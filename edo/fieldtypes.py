"""The types that a field can have: how text becomes a value, and how editors' tools see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from edo import dates, notation, values
from edo.records import COMPLETENESS, EVENT_KINDS, RESTS

Registry = Literal["players", "places", "sources", "odds", "series"]
REGISTRIES: tuple[Registry, ...] = ("players", "places", "sources", "odds", "series")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A type of value that stands in one piece of text.

    `convert` turns the text into the value or raises Refused. `registry` names the registry that
    an id must stand in. `choices` are the only words allowed. `pattern`, `json_types` and `minimum`
    describe it to editors' tools, which see numbers and truth values where this program sees text.
    """

    name: str
    convert: Callable[[str], object]
    registry: Registry | None = None
    choices: tuple[str, ...] = ()
    pattern: str | None = None
    json_types: tuple[str, ...] = ("string",)
    minimum: int | None = None


@dataclass(frozen=True, slots=True)
class Several:
    """A list of values of one type, of exactly `length` where that is set."""

    item: Scalar | Group
    length: int | None = None


@dataclass(frozen=True, slots=True)
class Keyed:
    """A mapping of keys that the editor chooses, to values of one type."""

    key: Scalar
    value: Scalar


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
    type: Scalar | Several | Keyed | Group
    doc: str
    example: str
    required: bool = False


_LOOSE = ("string", "number", "boolean")

TEXT = Scalar("text", values.text, json_types=_LOOSE)
MARKDOWN = Scalar("Markdown text", values.markdown, json_types=_LOOSE)
BLOCK = Scalar("block of text", values.block)
NUMBER = Scalar(
    "number",
    values.number,
    pattern=values.NUMBER_PATTERN,
    json_types=("string", "number"),
    minimum=0,
)
POSITIVE = Scalar(
    "number above 0",
    values.positive,
    pattern=values.NUMBER_PATTERN,
    json_types=("string", "number"),
    minimum=0,
)
WHOLE = Scalar(
    "whole number from 1",
    values.whole,
    pattern=values.WHOLE_PATTERN,
    json_types=("string", "integer"),
    minimum=1,
)
YEAR = Scalar(
    "year",
    values.year,
    pattern=values.YEAR_PATTERN,
    json_types=("string", "integer"),
    minimum=1000,
)
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
SCORE = Scalar(
    "score",
    notation.parse_score,
    pattern=notation.SCORE_PATTERN,
    json_types=("string", "integer"),  # other tools read `+3` as a number
)
GAMES = Scalar(
    "games in order",
    notation.parse_games,
    pattern=notation.GAMES_PATTERN,
    json_types=("string", "integer"),
)
PROPORTION = Scalar("proportion", notation.parse_proportion, pattern=notation.PROPORTION_PATTERN)
KIND = Scalar("kind of event", values.text, choices=EVENT_KINDS)
STATE = Scalar("completeness", values.text, choices=COMPLETENESS)

REST = Scalar("rest", values.text, choices=RESTS)


def _id_of(registry: Registry, name: str) -> Scalar:
    return Scalar(
        name,
        values.identifier,
        registry,
        pattern=values.ID_PATTERN,
        json_types=("string", "integer"),
    )


FORMER_ID = Scalar(
    "former id",
    values.identifier,
    pattern=values.ID_PATTERN,
    json_types=("string", "integer"),
)
PLAYER_ID = _id_of("players", "player id")
PLACE_ID = _id_of("places", "place id")
SOURCE_ID = _id_of("sources", "source id")
ODDS_ID = _id_of("odds", "kind of odds")
SERIES_ID = _id_of("series", "series id")
