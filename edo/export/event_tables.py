"""The history in, the tables of events, of who took part and of their rounds out.

With those of results they hold all that editors wrote in the files of events, rated or not.
"""

from __future__ import annotations

from collections.abc import Iterator

from edo.core.model import COMPLETENESS, EVENT_KINDS, RESTS, Event
from edo.export.tabular import History, Row, Table, flag, identifier, number, reference, text, whole
from edo.rating.edo import why_unrated

_EVENT = identifier("event", "id of the event", required=True)


def _events(history: History) -> Iterator[Row]:
    dataset, ratings = history.dataset, history.ratings
    rated: dict[str, float] = {}
    for pairing in ratings.pairings:
        rated[pairing.event] = rated.get(pairing.event, 0.0) + pairing.games
    for event in dataset.events.values():
        yield (
            *_what(event),
            len(event.players),
            rated.get(event.id, 0.0),
            None if event.id in rated else why_unrated(event, dataset, ratings),
            "|".join(citation.source for citation in event.sources) or None,
            *_how(event),
        )


def _what(event: Event) -> Row:
    return (
        event.id,
        event.name,
        event.kind,
        event.place,
        None if event.dates is None else str(event.dates),
        event.year,
        event.format,
        event.completeness,
        event.missing,
    )


def _how(event: Event) -> Row:
    return (
        event.unrated,
        event.games_per_pair,
        event.players_in_all,
        event.rest,
        event.draws_not_scored or None,
        event.has_crosstable or None,
        event.series,
        event.notes,
        event.path,
        "|".join(event.former_ids) or None,
        " | ".join(map(str, event.acknowledged)) or None,
    )


EVENTS = Table(
    "events",
    "Events",
    "Every event.",
    (
        identifier("id", "the id, which is also the name of the page", required=True),
        text("name", "as the pages show it", required=True),
        text("kind", "tournament, match or team match", required=True, values=EVENT_KINDS),
        identifier("place", "id of the place"),
        text("dates", "as exactly as known; a slash between first and last day"),
        whole("year", "the calendar year in which it finished", required=True),
        text("format", "in words"),
        text("completeness", "complete, incomplete or unverified", required=True,
             values=COMPLETENESS),
        text("missing", "what is missing"),
        whole("players", "how many took part as far as known", required=True, least=0),
        number("rated_games", "how many games entered the ratings", required=True, least=0),
        text("unrated_reason", "why nothing of it entered the ratings, where nothing did"),
        text("sources", "ids of the sources, separated by |"),
        text("unrated", "why the editors leave the whole event out of the ratings, if they do"),
        number("games_per_pair", "how many games each pair was to play", least=0),
        whole("players_in_all", "all who took part, where fewer totals are known", least=0),
        text("rest", "how unknown results follow from the totals: from totals, best guess; empty "
             "where nothing is made of them", values=RESTS),
        flag("draws_not_scored", "yes where the totals count a draw as nothing to both"),
        flag("has_crosstable", "yes where the results are a crosstable’s"),
        identifier("series", "id of the series to which it belongs"),
        text("notes", "what the editors say, in Markdown"),
        text("file", "the file that states all this, in the source of this site", required=True),
        text("former_ids", "ids before the one of today, separated by |"),
        text("acknowledged", "warnings acknowledged by an editor, each with why, separated by |"),
    ),
    _events,
    key=("id",),
    references=(reference("place", "places"), reference("series", "series")),
)  # fmt: skip


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
