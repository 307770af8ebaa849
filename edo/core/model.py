"""Records of players, events, results and their sources, as the event files state them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from edo.core.problems import Acknowledgement

EventKind = Literal["tournament", "match", "team match"]
EVENT_KINDS: tuple[EventKind, ...] = ("tournament", "match", "team match")

Completeness = Literal["complete", "incomplete", "unverified"]
COMPLETENESS: tuple[Completeness, ...] = ("complete", "incomplete", "unverified")

Rest = Literal["from totals", "best guess"]
RESTS: tuple[Rest, ...] = ("from totals", "best guess")

MarkValue = Literal["1", "0", "=", "+", "-"]
Colour = Literal["w", "b"]


@dataclass(frozen=True, slots=True, order=True)
class PartialDate:
    """A date as exactly as it is known: a year, a month or a day, perhaps only about (`1790~`)."""

    year: int
    month: int | None = None
    day: int | None = None
    approximate: bool = False

    def __str__(self) -> str:
        """Return the EDTF form, as written in the files."""
        text = f"{self.year:04d}"
        if self.month is not None:
            text += f"-{self.month:02d}"
        if self.day is not None:
            text += f"-{self.day:02d}"
        return text + ("~" if self.approximate else "")


@dataclass(frozen=True, slots=True)
class DateSpan:
    """From when to when; a single date has the same start and end."""

    start: PartialDate
    end: PartialDate

    def __str__(self) -> str:
        """Return the EDTF form, as written in the files."""
        return str(self.start) if self.start == self.end else f"{self.start}/{self.end}"


@dataclass(frozen=True, slots=True)
class Citation:
    """A source of the bibliography, and where in it."""

    source: str
    where: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """One entry of the bibliography (`events/sources.yaml`)."""

    id: str
    title: str
    author: str | None = None
    published: str | None = None
    url: str | None = None
    notes: str | None = None
    line: int = field(default=0, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Coordinates:
    """Degrees north and east, and the number of the GeoNames record that they are from."""

    latitude: float
    longitude: float
    geonames: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where events took place (`events/places.yaml`)."""

    id: str
    name: str
    country: str | None = None
    notes: str | None = None
    coordinates: Coordinates | None = None
    names: tuple[str, ...] = ()
    line: int = field(default=0, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Series:
    """Events that were held again and again under one name (`events/series.yaml`).

    `title` is what the winner is called, where that is kept by who does not lose it in a drawn
    match; `branch_of` is the id of the series that this one went beside.
    """

    id: str
    name: str
    notes: str | None = None
    title: str | None = None
    branch_of: str | None = None
    line: int = field(default=0, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class OddsKind:
    """A kind of odds (`events/odds.yaml`); `points` [Elo] is None where it is not rated."""

    id: str
    name: str
    points: float | None = None
    unrated: str | None = None
    notes: str | None = None


@dataclass(frozen=True, slots=True)
class Odds:
    """Odds of one kind, given by one of the two players of a result."""

    giver: str
    kind: str


@dataclass(frozen=True, slots=True)
class Player:
    """A person (or the separate *offhand* identity of one, which `offhand_of` names).

    `line` is where the record stands in its file, `events/players/<initial of the id>.yaml`;
    `former_ids` are those that it had before, by which its pages were known. `country` has the
    code of the country, or those of all in order, joined by `/`; `countries` the first year and
    the code of each where that is on record.
    `identified` are names in sources that were taken for the player, each with what it rests on.
    """

    id: str
    name: str
    born: PartialDate | None = None
    died: PartialDate | None = None
    country: str | None = None
    woman: bool = False
    spellings: tuple[str, ...] = ()
    offhand_of: str | None = None
    notes: str | None = None
    sources: tuple[Citation, ...] = ()
    line: int = 0
    former_ids: tuple[str, ...] = ()
    acknowledged: tuple[Acknowledgement, ...] = ()
    countries: tuple[tuple[int, str], ...] = ()
    identified: tuple[tuple[str, str], ...] = ()

    @property
    def surname(self) -> str:
        """Return the name up to its comma, all of it where there is none."""
        return self.name.partition(",")[0]

    @property
    def shown_name(self) -> str:
        """Return the name as pages show it."""
        return self.name

    def country_in(self, year: int) -> str | None:
        """Return the code of the country in a year, or those of all where years are not known.

        Before the first year on record the first country counts.
        """
        since = [code for first, code in self.countries if first <= year]
        return since[-1] if since else self.countries[0][1] if self.countries else self.country


@dataclass(frozen=True, slots=True)
class Mark:
    """One game as a crosstable prints it, from the first-named player's side.

    `+` and `-` are a win and a loss without play. `colour` is the first-named player's.
    """

    value: MarkValue
    colour: Colour | None = None

    @property
    def points(self) -> float:
        """Return the points [points] of the first-named player."""
        return _POINTS[self.value]


_POINTS: Mapping[MarkValue, float] = {"1": 1.0, "+": 1.0, "=": 0.5, "0": 0.0, "-": 0.0}


_NOTHING_SPECIAL = (None,) * 6


@dataclass(frozen=True, slots=True)
class Result:
    """Games between two players that share everything but their scores.

    A crosstable cell or a list of games gives several results where its games differ in what is
    said of them. `points_first + points_second == games` always, except for games by default in
    which both got nothing. `marks` are the games in order where they are known, else empty.
    `draws` counts the drawn games where the file states wins, losses and draws instead.
    `number` is the place of the first of them among the pair's games in its cell or list, from 1.
    `round` is an index into the event's rounds. `soft`, `unrated` and `default` hold the reason, so
    does `uncounted` for games that are rated but stand outside the event's totals. `year` is set
    where the games count for another year than the event may. `proportion` is the share as the
    source gives it (`400/600`), where the points follow from it.
    """

    first: str
    second: str
    points_first: float
    points_second: float
    games: float
    marks: tuple[Mark, ...] = ()
    draws: float | None = None
    number: int | None = None
    round: int | None = None
    odds: Odds | None = None
    soft: str | None = None
    unrated: str | None = None
    default: str | None = None
    note: str | None = None
    sources: tuple[Citation, ...] = ()
    line: int = 0
    uncounted: str | None = None
    year: int | None = None
    proportion: str | None = None

    @property
    def is_ordinary(self) -> bool:
        """Whether the games are even play, known and played, and count for the event's year."""
        special = self.odds, self.soft, self.unrated, self.default, self.uncounted, self.year
        return special == _NOTHING_SPECIAL  # asked of every result several times

    @property
    def tally(self) -> tuple[float, float, float] | None:
        """Return the games won, drawn and lost by the first-named, None where it is not known."""
        if self.soft is not None:
            return None  # an editor chose the score; nobody won or drew these games
        if self.marks:
            draws = float([mark.value for mark in self.marks].count("="))
        elif self.draws is not None:
            draws = self.draws
        elif 0 in (self.points_first, self.points_second):
            draws = 0.0
        elif self.games == 1 and self.points_first == 0.5:
            draws = 1.0
        else:
            return None
        return self.points_first - draws / 2, draws, self.points_second - draws / 2


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a knock-out or a team match."""

    name: str
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Team:
    """A team of a team match, with those of its players who are known, in the file's order.

    `points` [points] is its published score, where the file states it.
    """

    name: str
    players: tuple[str, ...]
    points: float | None = None


@dataclass(frozen=True, slots=True)
class Total:
    """A player's published total [points], and his number of games [games] where it is stated.

    `note` says why it differs from what the results add up to, where it does.
    """

    player: str
    points: float
    games: float | None = None
    note: str | None = None
    sources: tuple[Citation, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament, match or team match, as one event file states it.

    `players` are all who took part as far as known, in finishing order where the file gives one.
    Pairs without a result are unknown, unless they stand in `not_played`. `unknown_games` are the
    pairs of which some game is known to have an unknown result. `disputed` is what sources say
    differently of a result, and what was taken. `totals` with no results and
    `games_per_pair` set is a table of which only the totals are known. `has_crosstable` says that
    the file gives a crosstable. `unrated` is the reason why nothing of the event is rated.

    `rest` says how what is not known of the results follows from the totals. The others' totals
    count what those in `withdrew` did not play as won by default. `players_in_all` is
    the size of an all-play-all of which the totals of fewer players are known. `classes` holds each
    player's class in a handicap, `class_names` are all classes, the best first; `class_odds` the
    kind of odds by how many classes the giver is above the receiver. `draws_not_scored`: the totals
    count a draw as nothing to both. `winner` is who won, where an editor states it, `decided_by`
    what decided a tie, `ranked_by` what the final table went by, where it was not the points.
    """

    id: str
    name: str
    kind: EventKind
    year: int
    path: str
    place: str | None = None
    dates: DateSpan | None = None
    format: str | None = None
    completeness: Completeness = "complete"
    missing: str | None = None
    players: tuple[str, ...] = ()
    has_crosstable: bool = False
    results: tuple[Result, ...] = ()
    rounds: tuple[Round, ...] = ()
    teams: tuple[Team, ...] = ()
    totals: tuple[Total, ...] = ()
    games_per_pair: float | None = None
    not_played: frozenset[frozenset[str]] = frozenset()
    unknown_games: frozenset[frozenset[str]] = frozenset()
    unrated: str | None = None
    disputed: str | None = None
    notes: str | None = None
    sources: tuple[Citation, ...] = ()
    lines: Mapping[str, int] = field(default_factory=dict)
    """The line of each key of the file, for messages."""
    rest: Rest | None = None
    withdrew: tuple[str, ...] = ()
    players_in_all: int | None = None
    classes: Mapping[str, str] = field(default_factory=dict)
    class_names: tuple[str, ...] = ()
    class_odds: Mapping[int, str] = field(default_factory=dict)
    draws_not_scored: bool = False
    series: str | None = None
    former_ids: tuple[str, ...] = ()
    acknowledged: tuple[Acknowledgement, ...] = ()
    winner: str | None = None
    decided_by: str | None = None
    ranked_by: str | None = None

    def odds_between(self, first: str, second: str) -> Odds | None:
        """Return the odds by the players' classes; None within a class or where not known."""
        if not self.class_odds or first not in self.classes or second not in self.classes:
            return None
        place = self.class_names.index
        below = place(self.classes[second]) - place(self.classes[first])
        kind = self.class_odds.get(abs(below))
        return None if kind is None else Odds(first if below > 0 else second, kind)


@dataclass(frozen=True, slots=True)
class Dataset:
    """Everything that was read, by id, sorted: events by year and id, the rest by id."""

    events: Mapping[str, Event]
    players: Mapping[str, Player]
    places: Mapping[str, Place]
    sources: Mapping[str, Source]
    odds: Mapping[str, OddsKind]
    series: Mapping[str, Series] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(tuple(self.events))
