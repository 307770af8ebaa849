"""Types of fields: how the text of a YAML scalar becomes a value, and how it is documented."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from edo.core.model import COMPLETENESS, EVENT_KINDS, RESTS
from edo.core.problems import WARNING_KINDS
from edo.history import notation, values

Registry = Literal["players", "places", "sources", "odds", "series"]
REGISTRIES: tuple[Registry, ...] = ("players", "places", "sources", "odds", "series")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A type of value that stands in one piece of text.

    `convert` turns the text into the value or raises InvalidValue. `registry` names the registry
    that an id must be in. `choices` are the only words allowed. `how` tells editors, in Markdown,
    how it is written. `pattern`, `json_types` and `minimum` describe it to editors' tools, which
    see numbers and booleans where this program sees text.
    """

    name: str
    convert: Callable[[str], object]
    how: str = ""
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
    """One key of a file: what it holds, whether it must be there, a sentence and an example.

    `when` is a sentence on what else the file must say, `default` what is meant where the field is
    absent, `formerly` an earlier name of the key. A field with the description of a `column` is
    exported under its name to the data files.
    """

    name: str
    type: Scalar | Several | Keyed | Group
    doc: str
    example: str
    required: bool = False
    when: str = ""
    default: str = ""
    formerly: str = ""
    column: str = ""


_ANY = ("string", "number", "boolean")
_INTEGER = ("string", "integer")
_NUMBER = ("string", "number")

# fmt: off
TEXT = Scalar(
    "text", values.text, f"One line of at most {values.MAX_LINE} characters. Put it in quotes "
    "where it begins with a sign that YAML keeps for itself, such as `[`, `*` or `&`, or holds a "
    "colon or a blank and `#` before more text.", json_types=_ANY)
MARKDOWN = Scalar(
    "Markdown text", values.markdown, f"Text of at most {values.MAX_NOTE:,} characters, with "
    "`*italics*`, `**bold**`, lists and links. Several lines stand indented below `|`. A single "
    "line is written as a text is.", json_types=_ANY)
CROSSTABLE = Scalar(
    "crosstable", values.block, "Indented below `|`, a row a player: his id, then a cell for the "
    "player of each row, in the order of the rows and divided by blanks, and perhaps `|` with his "
    "total. A cell holds the games with that player in order, written as games in order are, but "
    "without blanks. `.` stands for himself, `_` for not played, and `?` for unknown, alone or "
    "behind the games known.")
TOTALS = Scalar(
    "totals", values.block, "Indented below `|`, a row a player: his id and his points, perhaps "
    "with `/` and the number of his games.")
BLOCKS = (CROSSTABLE, TOTALS)
"""Blocks of text that are read row by row."""

NUMBER = Scalar("number", values.number, "From 0, like `2`, `2.5` or `2½`.",
                pattern=values.NUMBER_PATTERN, json_types=_NUMBER, minimum=0)
POSITIVE = Scalar("number above 0", values.positive, "Like `219` or `2.5`.",
                  pattern=values.NUMBER_PATTERN, json_types=_NUMBER, minimum=0)
WHOLE = Scalar("whole number from 1", values.whole, "Like `1` or `12`.",
               pattern=values.WHOLE_PATTERN, json_types=_INTEGER, minimum=1)
YEAR = Scalar("year", values.year, "Four digits, like `1851`.",
              pattern=values.YEAR_PATTERN, json_types=_INTEGER, minimum=1000)
FLAG = Scalar("true or false", values.flag, "`true` or `false`.",
              pattern="true|false", json_types=("string", "boolean"))
COUNTRY = Scalar(
    "country code", values.country, "Three capitals, like `GER`; of somebody who played for "
    "several, `GER/USA`.", pattern=values.COUNTRY_PATTERN)
URL = Scalar("web address", values.url, "Like `https://example.org/book`.", pattern="https?://.+")
DATE = Scalar(
    "date", notation.parse_date, "As exactly as it is known: `1883`, `1883-04` or `1883-04-26`, "
    "the year always first. Where it is only about, `~` stands behind: `1790~`.",
    pattern=notation.DATE_PATTERN, json_types=_INTEGER)
SPAN = Scalar(
    "date or range of dates", notation.parse_span, "A date, or the first and the last with `/` "
    "between: `1883-04-26`, `1883-04/1883-06`, `1883-04-26/1883-06-23`.",
    pattern=notation.SPAN_PATTERN, json_types=_INTEGER)
SCORE = Scalar(
    "score", notation.parse_score, "Points of the first and of the second, like `8-3` or "
    "`2½-1½`, or games that the first won, lost and drew, like `+7 -2 =2` or `+3`.",
    pattern=notation.SCORE_PATTERN, json_types=_INTEGER)  # other tools read `+3` as a number
GAMES = Scalar(
    "games in order", notation.parse_games, "A sign a game, as the first player saw it: `1` won, "
    "`0` lost, `=` (or `½`) drawn, `+` and `-` won and lost without play. Behind it `w` or `b`, "
    "if his colour is known: `1w 0b =w`.", pattern=notation.GAMES_PATTERN, json_types=_INTEGER)
PROPORTION = Scalar(
    "proportion", notation.parse_proportion, "Points and games with `/` between, like `400/600`.",
    pattern=notation.PROPORTION_PATTERN)
KIND = Scalar(
    "kind of event", values.text, "A `match` has two players, a `team match` two teams, and "
    "everything else is a `tournament`.", choices=EVENT_KINDS)
STATE = Scalar(
    "completeness", values.text, "`complete`: all results are here. `incomplete`: some are known "
    "to be missing. `unverified`: some may be missing.", choices=COMPLETENESS)
REST = Scalar(
    "rest", values.text, "`from totals`: the pairs that remain are solved from everybody's total. "
    "`best guess`: of an event that broke off, what remains is spread as evenly as the totals let "
    "it.", choices=RESTS)
WARNING_KIND = Scalar(
    "kind of warning", values.text, "One of the words that `make check` writes behind the hint of "
    "a warning, as in `warning: score`.", choices=WARNING_KINDS)
# fmt: on


def _id(name: str, how: str, registry: Registry | None = None) -> Scalar:
    pattern = values.ID_PATTERN
    return Scalar(name, values.identifier, how, registry, pattern=pattern, json_types=_INTEGER)


def _id_of(registry: Registry, name: str, file: str) -> Scalar:
    return _id(name, f"The key of an entry in `events/{file}`.", registry)


FORMER_ID = _id(
    "former id", "Lower-case letters, digits and single hyphens; an id that nothing has today."
)
ABOUT_ID = _id(
    "id of a player or event", "Written as `make check` writes it behind the kind of the warning."
)
PLAYER_ID = _id_of("players", "player id", "players/<first letter>.yaml")
PLACE_ID = _id_of("places", "place id", "places.yaml")
SOURCE_ID = _id_of("sources", "source id", "sources.yaml")
ODDS_ID = _id_of("odds", "kind of odds", "odds.yaml")
SERIES_ID = _id_of("series", "series id", "series.yaml")
