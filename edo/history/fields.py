"""All fields of event files and registries, each declared once, and the types of their values.

Reading, the record of an event, the JSON Schema, the guide to the fields, the canonical order of
keys and the columns of the data files follow from this list. The tables are laid out by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from edo.core.model import COMPLETENESS, EVENT_KINDS, RESTS
from edo.history import notation, values

Registry = Literal["players", "places", "sources", "odds", "series"]
REGISTRIES: tuple[Registry, ...] = ("players", "places", "sources", "odds", "series")


@dataclass(frozen=True, slots=True, eq=False)
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


@dataclass(frozen=True, slots=True, eq=False)
class Several:
    """A list of values of one type, of exactly `length` where that is set."""

    item: Scalar | Group
    length: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Keyed:
    """A mapping of keys that the editor chooses, to values of one type."""

    key: Scalar
    value: Scalar


@dataclass(frozen=True, slots=True, eq=False)  # each is declared once
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
REASON = replace(TEXT)  # a text that says why, never a flag such as `no`
MARKDOWN = Scalar(
    "Markdown text", values.markdown, f"Text of at most {values.MAX_NOTE:,} characters, with "
    "`*italics*`, `**bold**`, lists and links. Several lines stand indented below `|`. A single "
    "line is written as a text is.", json_types=_ANY)
CROSSTABLE = Scalar(
    "crosstable", str, "Indented below `|`, a row a player: his id, then a cell for the "
    "player of each row, in the order of the rows and divided by blanks, and perhaps `|` with his "
    "total. A cell holds the games with that player in order, written as games in order are, but "
    "without blanks. `.` stands for himself, `_` for not played, and `?` for unknown, alone or "
    "behind the games known.")
TOTALS = Scalar(
    "totals", str, "Indented below `|`, a row a player: his id and his points, perhaps "
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
LATITUDE = Scalar("degrees of latitude", values.latitude,
                  "Decimal degrees from -90 to 90, north positive: `51.103`.",
                  pattern=values.DEGREES_PATTERN, json_types=_NUMBER)
LONGITUDE = Scalar("degrees of longitude", values.longitude,
                   "Decimal degrees from -180 to 180, east positive: `17.03`, `-0.126`.",
                   pattern=values.DEGREES_PATTERN, json_types=_NUMBER)
RECORD_NUMBER = Scalar("record number", values.record_number, "Like `3081368`.",
                       pattern=values.RECORD_PATTERN, json_types=_INTEGER)
FLAG = Scalar("true or false", values.flag, "`true` or `false`.",
              pattern="true|false", json_types=("string", "boolean"))
COUNTRY = Scalar(
    "country code", values.country, "Three capitals, like `GER`; where there are several, "
    "`GER/USA`.", pattern=values.COUNTRY_PATTERN)
ONE_COUNTRY = Scalar(
    "code of one country", values.one_country, "Three capitals, like `GER`.",
    pattern=values.ONE_COUNTRY_PATTERN)
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
    "kind of event", values.text, "A `match` has two players, a `team match` teams, two or "
    "more, and everything else is a `tournament`.", choices=EVENT_KINDS)
STATE = Scalar(
    "completeness", values.text, "`complete`: all results are here. `incomplete`: some are known "
    "to be missing. `unverified`: some may be missing.", choices=COMPLETENESS)
REST = Scalar(
    "rest", values.text, "`from totals`: the pairs that remain are solved from everybody's total. "
    "`best guess`: of an event that broke off, what remains is spread as evenly as the totals let "
    "it.", choices=RESTS)
WARNING_KIND = Scalar(
    "kind of warning", values.text, "One of the words that `check` writes behind the hint of "
    "a warning, as in `warning: score`.")
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
    "id of a player or event", "Written as `check` writes it behind the kind of the warning."
)
PLAYER_ID = _id_of("players", "player id", "players/<first letter>.yaml")
PLACE_ID = _id_of("places", "place id", "places.yaml")
SOURCE_ID = _id_of("sources", "source id", "sources.yaml")
ODDS_ID = _id_of("odds", "kind of odds", "odds.yaml")
SERIES_ID = _id_of("series", "series id", "series.yaml")

# fmt: off
CITATION = Group(
    "source",
    (
        Field("source", SOURCE_ID, "The id of the source in `sources.yaml`.", "gazette-1852",
              required=True),
        Field("where", TEXT, "Where in the source: page, number, issue.", "pp. 1-20"),
    ),
    known_by="source",
)

_SOURCES = Several(CITATION)
_PAIR = Several(PLAYER_ID, 2)

ODDS_GIVEN = Group(
    "odds",
    (
        Field("giver", PLAYER_ID, "The player who gives the odds, one of the two.",
              "byrd-lucy", required=True),
        Field("kind", ODDS_ID, "The id of the odds in `odds.yaml`.", "pawn-and-two-moves",
              required=True),
    ),
)

ACKNOWLEDGEMENT = Group(
    "warning",
    (
        Field("warning", WARNING_KIND, "The kind of the warning, as the check calls it.", "score",
              required=True, formerly="doubt"),
        Field("about", ABOUT_ID, "Whom or what it is about, if the check says so.", "owen-john"),
        Field("why", REASON, "Why the record is correct.", "Both sources have this score.",
              required=True),
    ),
    known_by="warning",
)
_ACKNOWLEDGED = Field("acknowledged", Several(ACKNOWLEDGEMENT),
                      "Warnings of the check that an editor compared with the sources, where the "
                      "record is correct.",
                      "[{warning: score, about: owen-john, why: Both sources have this score.}]",
                      when="Only for warnings that the check gives.", formerly="looked_at",
                      column="warnings acknowledged by an editor, with reasons, separated by |")

_ANNOTATION = (
    Field("odds", ODDS_GIVEN, "Odds at which the games were played.",
          "{giver: byrd-lucy, kind: pawn-and-two-moves}",
          when="The giver is one of the two players."),
    Field("soft", REASON, "The score is the editor's estimate; the reason for it.",
          "a letter says that he won two games in three"),
    Field("unrated", REASON, "The reason why the games are not rated.", "the game was fixed"),
    Field("default", REASON, "The points were given without play; the reason.",
          "the opponent did not appear",
          when="Needs a score, or games in order of which one is `+` or `-`."),
    Field("uncounted", REASON,
          "The games are no part of the event's totals, but rated if not `unrated`; the reason.",
          "a draw, replayed"),
    Field("note", MARKDOWN, "Notes on these games, in Markdown.", "Adjourned for a week."),
    Field("sources", _SOURCES, "Sources for these games.",
          "[{source: gazette-1852, where: p. 7}]"),
)

PAIRING = Group(
    "pairing",
    (
        Field("players", _PAIR, "The two players; the score is the first one's.",
              "[castle-hugo, byrd-lucy]", required=True),
        Field("score", SCORE, "Points of both, or wins, losses and draws of the first.", "8-3"),
        Field("games", GAMES, "The games in order from the first one's side, with his colours.",
              "1w 0b = +"),
        Field("proportion", PROPORTION, "Points of the first one, of how many games.", "400/600",
              when="Needs `games_taken` and `soft`."),
        Field("games_taken", WHOLE, "How many games the proportion is rated as.", "6",
              when="With `proportion` only."),
        Field("year", YEAR, "The year in which these games count, if it is not the event's.",
              "1849", when="No year after that of the event."),
        *_ANNOTATION,
    ),
    known_by="players",
    exactly_one=("score", "games", "proportion"),
)

ROUND = Group(
    "round",
    (
        Field("name", TEXT, "What the round was called.", "Semi-final", required=True),
        Field("note", MARKDOWN, "Notes on the round, in Markdown.",
              "Losers played for places."),
        Field("pairings", Several(PAIRING), "The pairings of the round.",
              "[{players: [castle-hugo, byrd-lucy], score: 4-1}]", required=True),
    ),
    known_by="name",
)

TEAM = Group(
    "team",
    (
        Field("name", TEXT, "What the team was called.", "Springfield", required=True),
        Field("players", Several(PLAYER_ID), "Those who played for it, as far as known.",
              "[castle-hugo, dunn-george]", required=True),
        Field("points", NUMBER, "Its published score, in points.", "7½",
              when="The sum of the results, where all are here."),
    ),
    known_by="name",
)

CLASS = Group(
    "class",
    (
        Field("name", TEXT, "What the class was called.", "First class", required=True),
        Field("players", Several(PLAYER_ID),
              "Who was in it; absent if nobody was, in a class that counts for `class_odds`.",
              "[bird-henry, owen-john]"),
    ),
    known_by="name",
)

PUBLISHED_TOTAL = Group(
    "published total",
    (
        Field("player", PLAYER_ID, "Whose total it is.", "bird-henry", required=True),
        Field("total", NUMBER, "The total as published, in points.", "7½", required=True),
        Field("note", MARKDOWN, "How and why it differs from the results.",
              "The book counts the drawn games as nothing.", required=True),
        Field("sources", _SOURCES, "Where it was published.",
              "[{source: field-1883, where: p. 3}]"),
    ),
    known_by="player",
)

REMARK = Group(
    "remark",
    (
        Field("players", _PAIR, "The pair whose games it is about.",
              "[ware-preston, grundy-james]", required=True),
        Field("game", WHOLE,
              "The number of the game in the pair's cell or list; else all of them.", "2"),
        *_ANNOTATION,
    ),
    known_by="players",
)

EVENT = Group(
    "event",
    (
        Field("name", TEXT, "The event's name as pages show it.", "Springfield 1851", required=True,
              column="name as shown on the pages"),
        Field("kind", KIND, "What it was: a tournament, a match or a team match.", "tournament",
              required=True, column="tournament, match or team match"),
        Field("series", SERIES_ID, "The id of its series in `series.yaml`.", "springfield-congress",
              column="id of the series"),
        Field("place", PLACE_ID, "The id of the place in `places.yaml`.", "springfield",
              column="id of the place"),
        Field("dates", SPAN, "When it was played, as exactly as known.", "1851-05-27/1851-07-21",
              column="as precisely as known; a slash separates first and last day"),
        Field("year", YEAR, "The year that it counts for, which is the year it finished.", "1851",
              required=True,
              when="The file stands in the folder of this year, and the dates end in it.",
              column="the calendar year in which it finished"),
        Field("format", TEXT, "How it was played, in words.", "Knock-out",
              column="format, in words"),
        Field("completeness", STATE,
              "Whether all results are here.", "incomplete",
              when="Needs `missing`, unless it is `complete`.", default="complete",
              column="complete, incomplete or unverified"),
        Field("missing", REASON, "What is missing, or could be.", "the games of the third round",
              when="With `completeness: incomplete` or `completeness: unverified` only.",
              column="what is missing"),
        Field("unrated", REASON, "The reason why nothing of the event is rated.", "an exhibition",
              column="why the editors exclude the whole event from the ratings"),
        Field("players", Several(PLAYER_ID), "All who took part, in finishing order.",
              "[castle-hugo, dunn-george]",
              when="Names everybody in the results; without it, their order is that of the "
              "results."),
        Field("teams", Several(TEAM),
              "The teams of a team match, each with its players. Of two teams, the first stands "
              "on the left.",
              "[{name: Springfield, players: [castle-hugo]}, "
              "{name: Shelbyville, players: [byrd-lucy]}]",
              when="In a team match only; nobody is in two teams or meets a player of his own.",
              column="names of the teams of a team match with their published scores, separated "
              "by |"),
        Field("crosstable", CROSSTABLE, "The results as the books print them, a row a player.",
              "castle-hugo .    1w0b | 1\nbyrd-lucy   0b1w .   | 1"),
        Field("pairings", Several(PAIRING), "The results pair by pair.",
              "[{players: [castle-hugo, byrd-lucy], score: 4-1}]"),
        Field("rounds", Several(ROUND), "The results pair by pair in rounds.",
              "[{name: Final, pairings: [{players: [byrd-lucy, dunn-george], games: 11}]}]"),
        Field("totals", TOTALS, "Final totals, a row a player, perhaps with his number of games.",
              "castle-hugo 7/11\ndunn-george 4/11",
              when="Needs `games_per_pair` where nothing else tells the results."),
        Field("games_per_pair", WHOLE, "How many games each pair was to play.", "2",
              when="Needed by totals alone, `rest` and `players_in_all`.",
              column="number of games scheduled for each pair"),
        Field("rest", REST, "How unknown results follow from the totals.", "from totals",
              when="Needs `games_per_pair` and everybody's total in an event that is not "
              "complete; a best guess also needs the games of each.",
              column="how games without results are filled in: from totals or best guess; "
              "empty where they are not"),
        Field("withdrew", Several(PLAYER_ID),
              "Who withdrew, so that the others' totals count wins by default.",
              "[skipworth-arthur]", when="With `rest: best guess` only."),
        Field("players_in_all", WHOLE, "All who took part, where fewer totals are known.", "12",
              when="Needs `totals` and `games_per_pair`, without results, in an event that is "
              "not complete.", column="number of all participants, if fewer totals are known"),
        Field("classes", Several(CLASS),
              "The classes of a handicap, the best first; without `class_odds` only games within "
              "a class are rated.",
              "[{name: First class, players: [bird-henry, owen-john]}]",
              when="Every player of the event is in one of them, and nobody in two."),
        Field("class_odds", Keyed(WHOLE, ODDS_ID),
              "The odds that the better class gave, by how many classes the other was below it; "
              "games between other classes are not rated.",
              "{1: pawn-and-move, 2: pawn-and-two-moves}",
              when="Needs `classes`, and nobody's total may be unknown (`players_in_all`).",
              column="kinds of odds in a handicap by classes, each behind the difference of the "
              "classes, separated by |"),
        Field("draws_not_scored", FLAG, "Whether the totals count draws as nothing.", "true",
              when="Needs results of which every draw is known, where totals stand beside them.",
              column="yes where the totals give no points for a draw"),
        Field("winner", PLAYER_ID,
              "Who won, where the results here do not decide it: of a tie that was broken, or of "
              "an event that is not known whole. Everybody of a shared first place follows from "
              "the points.", "castle-hugo", when="Is one of the players."),
        Field("decided_by", TEXT, "What decided a tie for the first place, as it reads after “by”.",
              "a play-off with Byrd, 2-0", when="With `winner` only.",
              column="what decided a tie for the first place"),
        Field("ranked_by", TEXT,
              "What the final table went by, where it was not the points of all games that count.",
              "matches won", column="what the final table went by, where it was not the points"),
        Field("published_totals", Several(PUBLISHED_TOTAL),
              "Published totals that differ from the results.",
              "[{player: bird-henry, total: 7½, note: Draws were not counted.}]"),
        Field("remarks", Several(REMARK),
              "Remarks on single results of a table or list.",
              "[{players: [ware-preston, grundy-james], game: 2, unrated: the game was fixed}]",
              when="Where a pair has several pairings, these say it themselves."),
        Field("disputed", MARKDOWN,
              "What sources say differently of a result, and what was taken, in Markdown.",
              "The Springfield Republican has 3-2, a later book 4-2; the newspaper is followed.",
              column="how sources contradict each other on a result, in Markdown"),
        Field("notes", MARKDOWN, "Notes on the event, in Markdown.",
              "The first international tournament.", column="note by the editors, in Markdown"),
        Field("former_ids", Several(FORMER_ID),
              "Ids that it had before; their pages lead to its page of today.",
              "[springfield-1851-congress]", column="earlier ids, separated by |"),
        _ACKNOWLEDGED,
        Field("sources", _SOURCES, "Where the results were found.",
              "[{source: gazette-1852, where: pp. 1-20}]", required=True,
              column="ids of the sources, separated by |"),
    ),
    at_most_one=("crosstable", "pairings", "rounds"),
)

PLAYER = Group(
    "player",
    (
        Field("name", TEXT, "Surname, then first names.", "Castle, Hugo", required=True),
        Field("born", DATE, "Date of birth, as exactly as known.", "1818-07-06"),
        Field("died", DATE, "Date of death, as exactly as known.", "1879-03"),
        Field("country", COUNTRY,
              "The country that the player played for, or, where he played for none, lived in, if "
              "it was one all the time: a land such as `EST`, of which pages name the state of the "
              "time (Russian Empire, Estonia, Soviet Union). Several, `GER/USA`, where the years "
              "are not known in which he changed.", "GER"),
        Field("countries", Keyed(YEAR, ONE_COUNTRY),
              "The same of somebody who changed, each country behind the first year that counts "
              "for it: that of a change counts for the country that had the greater part of it. "
              "The first one counts also before its year, which is that of the birth or the "
              "first of which a source tells.",
              "{1818: GER, 1850: USA}",
              when="The years are in order and within the life."),
        Field("woman", FLAG, "Whether the player is a woman.", "true"),
        Field("spellings", Several(TEXT), "Other spellings of the name in the sources.",
              '["Andersen, A."]'),
        Field("identified", Keyed(TEXT, TEXT),
              "Names in the sources that were taken for the player though they say less than his "
              "full name, each with what it rests on. They are in the data, not on pages; a real "
              "doubt is a note, with the event.",
              "{Castle: the surname alone}"),
        Field("offhand_of", PLAYER_ID,
              "The person whose casual results this identity holds apart.", "castle-hugo"),
        Field("notes", MARKDOWN, "Notes on the player, in Markdown.",
              "Teacher of mathematics in Springfield."),
        Field("former_ids", Several(FORMER_ID),
              "Ids that the player had before; their pages lead to that of today.",
              "[castle-henry]"),
        replace(_ACKNOWLEDGED,
                example="[{warning: close name, about: anderson-a, why: They met.}]"),
        Field("sources", _SOURCES, "Where these facts were found.", "[{source: gaige-1987}]"),
    ),
    at_most_one=("country", "countries"),
)

COORDINATES = Group(
    "coordinates",
    (
        Field("latitude", LATITUDE, "How far north of the equator, in degrees.", "51.103",
              required=True),
        Field("longitude", LONGITUDE, "How far east of Greenwich, in degrees.", "17.03",
              required=True),
        Field("geonames", RECORD_NUMBER,
              "The number of the record of [GeoNames](https://www.geonames.org/) (licence CC BY "
              "4.0) that they are from: that of the place itself or, where it has none, of the "
              "town of which it is a part.", "3081368", required=True),
    ),
)

PLACE = Group(
    "place",
    (
        Field("name", TEXT, "The place's name as pages show it.", "Springfield", required=True),
        Field("names", Several(TEXT),
              "Other names of the place, of other times and in other languages, by which it is "
              "found, too.",
              "[Shelbyville]"),
        Field("country", COUNTRY, "The country that it was in.", "GER"),
        Field("notes", MARKDOWN, "Notes on the place, in Markdown.", "Shelbyville until 1870."),
        Field("coordinates", COORDINATES,
              "Where it is; absent where that is not certain, and for countries.",
              "{latitude: 51.103, longitude: 17.03, geonames: 3081368}"),
    ),
)

SOURCE = Group(
    "source",
    (
        Field("title", TEXT, "Title of the book, periodical or file.", "The Tournament Book",
              required=True),
        Field("author", TEXT, "Who wrote or edited it.", "Byrd, Lucy"),
        Field("published", TEXT, "Where and when it was published.", "Springfield 1852"),
        Field("url", URL, "Where it can be read.", "https://example.org/book"),
        Field("notes", MARKDOWN, "Notes on the source, in Markdown.",
              "Scores of all games."),
    ),
)

ODDS = Group(
    "odds",
    (
        Field("name", TEXT, "What the odds are called.", "Pawn and two moves", required=True),
        Field("points", POSITIVE, "What they are worth in Elo points.", "219"),
        Field("unrated", REASON, "The reason why games at these odds are not rated.",
              "a different game"),
        Field("notes", MARKDOWN, "Notes on the odds, in Markdown.",
              "Worth more in the hands of the strong."),
    ),
    exactly_one=("points", "unrated"),
)

SERIES = Group(
    "series",
    (
        Field("name", TEXT, "The series' name as pages show it.", "World Championship",
              required=True),
        Field("notes", MARKDOWN, "Notes on the series, in Markdown.",
              "Matches for the title of world champion."),
        Field("title", TEXT, "What its winner is called, if a drawn match leaves the title to the "
              "holder: the page of the series then has the holders.", "World champion"),
        Field("branch_of", SERIES_ID, "The id of the series beside which this one was held, as "
              "the championship of another body. The page of that one has its events too.",
              "world-championship"),
    ),
)

RECORDS: dict[Registry, Group] = {
    "players": PLAYER,
    "places": PLACE,
    "sources": SOURCE,
    "odds": ODDS,
    "series": SERIES,
}
