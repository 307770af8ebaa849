"""Data tables of events: the events, their participants, rounds, byes and open pairs.

Together with the tables of results they hold everything in the files of events, rated or not.
"""

from __future__ import annotations

from collections.abc import Iterator

from edo.core.model import Event
from edo.export.tabular import (
    Column,
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
from edo.history.field_types import FLAG, NUMBER, POSITIVE, WHOLE, YEAR, Field, Scalar
from edo.history.fields import EVENT
from edo.rating.edo import why_unrated

_EVENT = identifier("event", "id of the event", required=True)


_RATED_GAMES = "how many games entered the ratings"
_FILE = "the file that states all this, in the source of this site"
_COMPUTED = (
    identifier("id", "the id, which is also the name of the page", required=True),
    whole("players", "how many took part as far as known", required=True, least=0),
    number("rated_games", _RATED_GAMES, required=True, least=0),
    text("unrated_reason", "why nothing of it entered the ratings, where nothing did"),
    flag("has_crosstable", "yes where the results are a crosstable’s"),
    text("file", _FILE, required=True),
)
_FIRST = (
    "id", "name", "kind", "place", "dates", "year", "format", "completeness", "missing", "players",
    "rated_games", "unrated_reason", "sources", "unrated", "games_per_pair", "players_in_all",
    "rest", "draws_not_scored", "has_crosstable", "series", "notes", "file", "former_ids",
    "acknowledged",
)  # fmt: skip
"""The columns in the order in which they were first published; new ones follow them."""


def _columns() -> tuple[Column, ...]:
    """Return the computed columns and those of the exported fields of events."""
    fields = (_of_field(field) for field in EVENT.fields if field.column)
    found = {column.name: column for column in (*_COMPUTED, *fields)}
    return tuple(found[name] for name in dict.fromkeys((*_FIRST, *found)))


def _of_field(field: Field) -> Column:
    """Return the column of an exported field."""
    name, words = field.name, field.column
    required = bool(field.default) or (field.required and isinstance(field.type, Scalar))
    if not isinstance(field.type, Scalar):
        return text(name, words)
    if field.type.registry is not None:
        return identifier(name, words, required=required)
    if field.type is FLAG:
        return flag(name, words)
    if field.type in (NUMBER, POSITIVE):
        return number(name, words, required=required, least=0)
    if field.type in (WHOLE, YEAR):
        return whole(name, words, required=required, least=None if field.type is YEAR else 0)
    return text(name, words, required=required, values=field.type.choices)


def _events(history: History) -> Iterator[Row]:
    dataset, ratings = history.dataset, history.ratings
    rated: dict[str, float] = {}
    for pairing in ratings.pairings:
        rated[pairing.event] = rated.get(pairing.event, 0.0) + pairing.games
    for event in dataset.events.values():
        computed: dict[str, Value] = {
            "id": event.id,
            "players": len(event.players),
            "rated_games": rated.get(event.id, 0.0),
            "unrated_reason": None if event.id in rated else why_unrated(event, dataset, ratings),
            "sources": "|".join(citation.source for citation in event.sources) or None,
            "has_crosstable": event.has_crosstable or None,
            "file": event.path,
            "acknowledged": " | ".join(map(str, event.acknowledged)) or None,
        }
        yield tuple(
            computed[column.name] if column.name in computed else _stated(event, column.name)
            for column in EVENTS.columns
        )


def _stated(event: Event, field: str) -> Value:
    """Return the value of a field of the event as a data file has it."""
    value = getattr(event, field)
    if value is None or value is False:
        return None
    if isinstance(value, tuple):
        return "|".join(value) or None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, str | int | float) else str(value)


EVENTS = Table(
    "events",
    "Events",
    "Every event.",
    _columns(),
    _events,
    key=("id",),
    references=(reference("place", "places"), reference("series", "series")),
)


def _participants(history: History) -> Iterator[Row]:
    for event in history.dataset.events.values():
        totals = {total.player: total for total in event.totals}
        for position, player in enumerate(event.players, start=1):
            total = totals.get(player)
            published = (None,) * 3 if total is None else (total.points, total.games, total.note)
            withdrew = player in event.withdrew or None
            yield event.id, player, position, event.classes.get(player), withdrew, *published


PARTICIPANTS = Table(
    "participants",
    "Participants",
    "Who took part in which event, with the total that was published of him.",
    (
        _EVENT,
        identifier("player", "id of the player", required=True),
        whole("position", "place in the file’s list: the finishing order where it gives one",
              required=True, least=1),
        text("class", "his class in a handicap; only games within a class are rated"),
        flag("withdrew", "yes where he withdrew and the others’ totals count wins by default"),
        number("total", "published total [points]"),
        number("total_games", "of how many games, where that is stated", least=0),
        text("total_note", "why it differs from what the results add up to, in Markdown"),
    ),
    _participants,
    key=("event", "player"),
    references=(reference("event", "events"), reference("player", "players")),
)  # fmt: skip


def round_id(event: Event, index: int) -> str:
    """Return the id of an event's round by its place in the record, from 0."""
    return f"{event.id}:round-{index + 1}"


def _rounds(history: History) -> Iterator[Row]:
    for event in history.dataset.events.values():
        for index, one in enumerate(event.rounds):
            teams = one.teams or (None, None)
            yield round_id(event, index), event.id, index + 1, one.name, *teams, one.note


ROUNDS = Table(
    "rounds",
    "Rounds",
    "Rounds of knock-outs and team matches.",
    (
        text("id", "id of the round; it may change when the event’s file does", required=True),
        _EVENT,
        whole("number", "its place in the event", required=True, least=1),
        text("name", "what it was called", required=True),
        text("team_a", "the team for which the first-named players play"),
        text("team_b", "the team for which the second-named players play"),
        text("note", "what the editors say, in Markdown"),
    ),
    _rounds,
    key=("id",),
    references=(reference("event", "events"),),
)

BYES = Table(
    "byes",
    "Byes",
    "Who went on to the next round without a game.",
    (
        text("round", "id of the round", required=True),
        identifier("player", "id of the player", required=True),
    ),
    lambda history: (
        (round_id(event, index), player)
        for event in history.dataset.events.values()
        for index, one in enumerate(event.rounds)
        for player in one.byes
    ),
    key=("round", "player"),
    references=(reference("round", "rounds"), reference("player", "players")),
)


def _open_pairs(history: History) -> Iterator[Row]:
    for event in history.dataset.events.values():
        place = {player: k for k, player in enumerate(event.players)}
        for state, pairs in (
            ("not played", event.not_played),
            ("unknown games", event.unknown_games),
        ):
            for pair in sorted(sorted(pair, key=place.__getitem__) for pair in pairs):
                yield event.id, *pair, state


OPEN_PAIRS = Table(
    "open_pairs",
    "Open pairs",
    "Pairs of which it is known that they did not play, or that results of their games are "
    "missing. Of other pairs without a result nothing is known.",
    (
        _EVENT,
        identifier("player_a", "id of the first player", required=True),
        identifier("player_b", "id of the second player", required=True),
        text("state", "not played, or: some of their games have unknown results", required=True,
             values=("not played", "unknown games")),
    ),
    _open_pairs,
    key=("event", "player_a", "player_b", "state"),
    references=(
        reference("event", "events"),
        reference("player_a", "players"),
        reference("player_b", "players"),
    ),
)  # fmt: skip

TABLES = (EVENTS, PARTICIPANTS, ROUNDS, BYES, OPEN_PAIRS)
"""The tables of this room."""
