"""Tables of all that the event files state: players, places, sources, events, results and games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import astuple

from edo.core.model import Event, MarkValue, Player, Team
from edo.export.table import (
    EVENT,
    NAME,
    NOTE,
    NOTES,
    PLAYER,
    PLAYER_A,
    PLAYER_B,
    Column,
    History,
    Row,
    Table,
    Value,
    flag,
    identifier,
    number,
    rows_of,
    summed,
    text,
    whole,
)
from edo.history import fields
from edo.history.fields import FLAG, NUMBER, POSITIVE, WHOLE, YEAR, Field, Scalar
from edo.history.notation import number_text
from edo.history.teams import team_by_player
from edo.rating.coverage import COVERAGES, coverage, games_on_record, left_out
from edo.rating.edo import Ratings, why_unrated
from edo.rating.finish import finish, place_text

OUTCOMES: Mapping[MarkValue, str] = {
    "1": "won",
    "=": "drawn",
    "0": "lost",
    "+": "won by default",
    "-": "lost by default",
}
"""Words for the marks of a crosstable: `=`, `+` and `-` would be formulas to a spreadsheet."""
COLOURS: Mapping[str, str] = {"w": "white", "b": "black"}


def round_id(event: Event, index: int) -> str:
    """Return the id of an event's round by its place in the record, from 0."""
    return f"{event.id}:round-{index + 1}"


def result_id(event: Event, index: int) -> str:
    """Return the id of an event's result by its place in the record, from 0."""
    return f"{event.id}:{index + 1}"


def _players(history: History) -> Iterator[Row]:
    for player in history.dataset.players.values():
        yield (
            player.id,
            player.name,
            None if player.born is None else str(player.born),
            None if player.died is None else str(player.died),
            player.country,
            "|".join(f"{year} {code}" for year, code in player.countries) or None,
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
        NAME,
        text("born", "date of birth, as precisely as known; ~ means approximate"),
        text("died", "date of death, likewise"),
        text("country", "three-letter code; a slash separates successive federations"),
        text("countries", "first year and code of each country, separated by |, where known"),
        flag("woman", "yes for a woman, else empty"),
        identifier(
            "offhand_of", "the person, if this is a separate offhand identity", to="players"
        ),
        text("spellings", "other spellings, separated by |"),
        whole("first_rated_year", "first year with a rating"),
        whole("last_rated_year", "last year with a rating"),
        whole("peak_year", "year of the highest rating among years with results"),
        number("peak_rating", "that rating [Elo]", 3),
        number("peak_deviation", "its standard error (Edwards’ deviation) [Elo]", 3, least=0),
        text("unrated_reason", "why the player has no rating"),
        NOTES,
        text("former_ids", "earlier ids, separated by |"),
        text("acknowledged", "warnings acknowledged by an editor, with reasons, separated by |"),
    ),
    _players,
    key=("id",),
)


def _spellings(history: History) -> Iterator[Row]:
    for player in history.dataset.players.values():
        rests_on = dict(player.identified)
        for spelling in dict.fromkeys((*player.spellings, *rests_on)):
            yield player.id, spelling, rests_on.get(spelling)


SPELLINGS = Table(
    "spellings",
    "Spellings",
    "Other spellings of players’ names in the sources, one per row.",
    (
        PLAYER,
        text("spelling", "name as spelled in a source", required=True),
        text(
            "identified_by",
            "what it rests on that this player is meant, where the name says "
            "less than the full one",
        ),
    ),
    _spellings,
    key=("player", "spelling"),
)

_NOWHERE = (None, None, None)

PLACES = Table(
    "places",
    "Places",
    "Places where events were held.",
    (
        identifier("id", "id, also the name of the page", required=True),
        NAME,
        text("country", "three-letter code of the country at the time"),
        NOTES,
        number("latitude", "degrees north of the equator [degrees]", least=-90, most=90),
        number("longitude", "degrees east of Greenwich [degrees]", least=-180, most=180),
        whole("geonames", "record of GeoNames (CC BY 4.0) that the coordinates are from"),
        text("names", "other names, of other times and in other languages, separated by |"),
    ),
    lambda history: (
        (
            p.id,
            p.name,
            p.country,
            p.notes,
            *(astuple(p.coordinates) if p.coordinates else _NOWHERE),
            "|".join(p.names) or None,
        )
        for p in history.dataset.places.values()
    ),
    key=("id",),
)

SERIES = Table(
    "series",
    "Series",
    "Recurring events held under one name.",
    (
        identifier("id", "id of the series", required=True),
        NAME,
        NOTES,
        text("title", "what the winner is called, if a drawn match leaves it to the holder"),
        identifier("branch_of", "the series beside which it was held", to="series"),
    ),
    rows_of(
        lambda history: history.dataset.series.values(),
        *("id", "name", "notes", "title", "branch_of"),
    ),
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
        NOTES,
    ),
    rows_of(
        lambda history: history.dataset.sources.values(),
        *("id", "title", "author", "published", "url", "notes"),
    ),
    key=("id",),
)

ODDS = Table(
    "odds",
    "Kinds of odds",
    "The kinds of odds that a stronger player could give, and their values.",
    (
        identifier("id", "id of the odds", required=True),
        NAME,
        number("points", "value of the odds [Elo]; empty where they are not rated"),
        text("unrated", "why games at these odds are not rated"),
        NOTES,
    ),
    rows_of(
        lambda history: history.dataset.odds.values(), "id", "name", "points", "unrated", "notes"
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
            "player", "id of the player; with an event, the player’s published total", to="players"
        ),
        text("result", "id of the result, for a single result of the event", to="results"),
    ),
    _citations,
)


_COMPUTED = (
    identifier("id", "id, also the name of the page", required=True),
    whole("players", "number of participants, as far as known", required=True, least=0),
    number("rated_games", "number of games used for the ratings", required=True, least=0),
    text("unrated_reason", "why no game is rated, where none is"),
    flag("has_crosstable", "yes where the file gives the results as a crosstable"),
    text("file", "path of the event’s file in the source repository", required=True),
    text("class_names", "classes of a handicap, the best first, separated by |"),
    text("winners", "id of the winner, or of all who shared the first place, separated by |; empty "
         "where it is not known, and of a drawn match"),
    text("coverage", "what the ratings depend on is known by the results of all rated games, by "
         "everybody’s totals, or in part", required=True, values=COVERAGES),
    number("known_games", "number of games with a result", required=True, least=0),
    number("games_by_totals", "number of games that follow from the totals", required=True,
           least=0),
    number("estimated_games", "number of games with an editor’s estimate or a guess from the "
           "totals", required=True, least=0),
    number("missing_games", "number of games played besides these; empty if not known", least=0),
)  # fmt: skip
_FIRST = (
    "id", "name", "kind", "place", "dates", "year", "format", "completeness", "missing", "players",
    "rated_games", "unrated_reason", "sources", "unrated", "games_per_pair", "players_in_all",
    "rest", "draws_not_scored", "has_crosstable", "series", "notes", "file", "former_ids",
    "acknowledged", "class_names",
    "coverage", "known_games", "games_by_totals", "estimated_games", "missing_games", "class_odds",
)  # fmt: skip
"""The columns in the order in which they were first published; new ones follow them."""


def _event_columns() -> tuple[Column, ...]:
    """Return the computed columns and those of the exported fields of events."""
    stated = (_column(field) for field in fields.EVENT.fields if field.column)
    columns = {column.name: column for column in (*_COMPUTED, *stated)}
    return tuple(columns[name] for name in dict.fromkeys((*_FIRST, *columns)))


def _column(field: Field) -> Column:
    """Return the column of an exported field."""
    name, words = field.name, field.column
    required = bool(field.default) or (field.required and isinstance(field.type, Scalar))
    if not isinstance(field.type, Scalar):
        return text(name, words)
    if field.type.registry is not None:
        return identifier(name, words, to=field.type.registry, required=required)
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
        ended = finish(event, dataset.odds)
        computed: dict[str, Value] = {
            "id": event.id,
            "players": len(event.players),
            "rated_games": summed(rated.get(event.id, 0.0)),
            "unrated_reason": None if event.id in rated else why_unrated(event, dataset, ratings),
            "sources": "|".join(citation.source for citation in event.sources) or None,
            "has_crosstable": event.has_crosstable or None,
            "file": event.path,
            "acknowledged": " | ".join(map(str, event.acknowledged)) or None,
            "class_names": "|".join(event.class_names) or None,
            "teams": "|".join(map(_team, event.teams)) or None,
            "coverage": coverage(event, dataset.odds),
            "winners": None if ended is None else "|".join(ended.winners) or None,
            **_games_on_record(event),
        }
        yield tuple(
            computed[column.name] if column.name in computed else _stated(event, column.name)
            for column in EVENTS.columns
        )


def _team(team: Team) -> str:
    return team.name if team.points is None else f"{team.name} {number_text(team.points)}"


def _games_on_record(event: Event) -> dict[str, Value]:
    games = games_on_record(event)
    return {
        "known_games": summed(games.known),
        "games_by_totals": summed(games.by_totals),
        "estimated_games": summed(games.estimated),
        "missing_games": None if games.missing is None else summed(games.missing),
    }


def _stated(event: Event, field: str) -> Value:
    """Return the value of a field of the event as a data file has it."""
    value = getattr(event, field)
    if value is None or value is False:
        return None
    if isinstance(value, tuple):
        return "|".join(value) or None
    if isinstance(value, Mapping):
        return "|".join(f"{key} {value[key]}" for key in sorted(value)) or None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, str | int | float) else str(value)


EVENTS = Table(
    "events",
    "Events",
    "All tournaments, matches and team matches.",
    _event_columns(),
    _events,
    key=("id",),
)


def _participants(history: History) -> Iterator[Row]:
    for event in history.dataset.events.values():
        totals = {total.player: total for total in event.totals}
        team_of = team_by_player(event.teams)
        ended = finish(event, history.dataset.odds)
        for position, player in enumerate(event.players, start=1):
            total = totals.get(player)
            published = (None,) * 3 if total is None else (total.points, total.games, total.note)
            withdrew = player in event.withdrew or None
            place = place_text(ended, event, player)
            group = event.classes.get(player)
            team = team_of.get(player)
            yield event.id, player, position, group, withdrew, *published, place, team


PARTICIPANTS = Table(
    "participants",
    "Participants",
    "The participants of each event, with their published totals.",
    (
        EVENT,
        PLAYER,
        whole("position", "place in the list of the file, which is the finishing order if known",
              required=True, least=1),
        text("class", "class in a handicap; games between classes are rated only with class_odds"),
        flag("withdrew", "yes for a player who withdrew, so that others’ totals include defaults"),
        number("total", "published total [points]"),
        number("total_games", "number of games of that total, where stated", least=0),
        text("total_note", "why the total differs from the sum of the results, in Markdown"),
        text("place", "place in the final table, as `2–3 of 12`; of a match won, drawn or lost; "
             "empty where it is not known"),
        text("team", "team of a team match, where known"),
    ),
    _participants,
    key=("event", "player"),
)  # fmt: skip


def _rounds(history: History) -> Iterator[Row]:
    for event in history.dataset.events.values():
        for index, round_ in enumerate(event.rounds):
            yield round_id(event, index), event.id, index + 1, round_.name, round_.note


ROUNDS = Table(
    "rounds",
    "Rounds",
    "Rounds of knock-outs and team matches.",
    (
        text("id", "id of the round; may change with the event’s file", required=True),
        EVENT,
        whole("number", "number within the event", required=True, least=1),
        text("name", "name of the round", required=True),
        NOTE,
    ),
    _rounds,
    key=("id",),
)


def _open_pairs(history: History) -> Iterator[Row]:
    for event in history.dataset.events.values():
        place = {player: k for k, player in enumerate(event.players)}
        open_pairs = {"not played": event.not_played, "unknown games": event.unknown_games}
        for state, pairs in open_pairs.items():
            for pair in sorted(sorted(pair, key=place.__getitem__) for pair in pairs):
                yield event.id, *pair, state


OPEN_PAIRS = Table(
    "open_pairs",
    "Open pairs",
    "Pairs known not to have played, or known to have played games with unknown results. Of other "
    "pairs without a result nothing is known.",
    (
        EVENT,
        PLAYER_A,
        PLAYER_B,
        text("state", "not played, or: some of their games have unknown results", required=True,
             values=("not played", "unknown games")),
    ),
    _open_pairs,
    key=("event", "player_a", "player_b", "state"),
)  # fmt: skip


def _results(history: History) -> Iterator[Row]:
    dataset, rated = history.dataset, history.ratings.players.keys()
    for event in dataset.events.values():
        reasons = left_out(event, dataset.odds)
        for index, result in enumerate(event.results):
            odds, apart = result.odds, reasons[index]
            entered = apart is None and {result.first, result.second} <= rated
            yield (
                result_id(event, index),
                event.id,
                event.year if result.year is None else result.year,
                None if result.round is None else round_id(event, result.round),
                result.first,
                result.second,
                result.points_first,
                result.points_second,
                result.games,
                *(result.tally or (None, None, None)),
                result.number,
                *((odds.giver, odds.kind) if odds else (None, None)),
                dataset.odds[odds.kind].points if odds else None,
                result.soft,
                result.proportion,
                result.default,
                result.unrated,
                result.uncounted,
                result.note,
                apart,
                entered or None,
            )


RESULTS = Table(
    "results",
    "Results",
    "Every result as entered, rated or not: the games of two players in an event that share all "
    "particulars but their scores.",
    (
        text("id", "id of the result; may change with the event’s file", required=True),
        EVENT,
        whole("year", "the calendar year for which the games count", required=True),
        text("round", "id of the round, where the event has rounds", to="rounds"),
        PLAYER_A,
        PLAYER_B,
        number("points_a", "points of the first player", required=True, least=0),
        number("points_b", "points of the second player", required=True, least=0),
        number("games", "number of games", required=True, least=0),
        number("won_a", "games won by the first player; empty if not known", least=0),
        number("drawn", "games drawn; empty if not known", least=0),
        number("won_b", "games won by the second player; empty if not known", least=0),
        whole("first_game", "number of the first of these games among all games of the pair in the "
              "event, from 1", least=1),
        identifier("odds_giver", "player who gave odds; empty for even play", to="players"),
        identifier("odds", "id of the odds", to="odds"),
        number("odds_points", "value of the odds [Elo]; empty where they are not rated"),
        text("soft", "basis of the score, where it is an estimate by the editors"),
        text("proportion", "share as stated in the source, where the score is derived from it"),
        text("by_default", "why the points were awarded without play"),
        text("unrated", "why the editors exclude these games from the ratings"),
        text("uncounted", "why the games do not count in the event’s totals"),
        NOTE,
        text("left_out", "why the result is excluded from the ratings, for itself, its odds or its "
             "event; empty if it is not"),
        flag("entered", "yes where the result is rated: not excluded, both players ratable"),
    ),
    _results,
    key=("id",),
)  # fmt: skip


def _games(history: History) -> Iterator[Row]:
    for event in history.dataset.events.values():
        for index, result in enumerate(event.results):
            first = 1 if result.number is None else result.number
            for place, mark in enumerate(result.marks, start=first):
                colour = None if mark.colour is None else COLOURS[mark.colour]
                yield result_id(event, index), place, colour, OUTCOMES[mark.value], mark.points


GAMES = Table(
    "games",
    "Games",
    "Every game with a known result of its own, in order.",
    (
        text("result", "id of the result to which the game belongs", to="results", required=True),
        whole("number", "number among the games of the pair in the event, from 1",
              required=True, least=1),
        text("colour_a", "the first player’s colour; empty if not known",
             values=tuple(COLOURS.values())),
        text("outcome_a", "outcome for the first player", required=True,
             values=tuple(OUTCOMES.values())),
        number("points_a", "points of the first player; a double forfeit gives none to either",
               required=True, least=0, most=1),
    ),
    _games,
    key=("result", "number"),
)  # fmt: skip

REGISTRY_TABLES = (PLAYERS, SPELLINGS, PLACES, SERIES, SOURCES, ODDS, CITATIONS)
EVENT_TABLES = (EVENTS, PARTICIPANTS, ROUNDS, OPEN_PAIRS, RESULTS, GAMES)
