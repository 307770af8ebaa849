"""The history in, the tables of results, rated or not, and of the games in them out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from edo.core.model import Dataset, Event, MarkValue, Result
from edo.export.event_tables import round_id
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
from edo.rating.pairings import left_out

OUTCOMES: Mapping[MarkValue, str] = {
    "1": "won",
    "=": "drawn",
    "0": "lost",
    "+": "won by default",
    "-": "lost by default",
}
"""Words for the marks of a crosstable: `=`, `+` and `-` would be formulas to a spreadsheet."""
COLOURS: Mapping[str, str] = {"w": "white", "b": "black"}


def result_id(event: Event, index: int) -> str:
    """Return the id of an event's result by its place in the record, from 0."""
    return f"{event.id}:{index + 1}"


def _results(history: History) -> Iterator[Row]:
    dataset, rated = history.dataset, history.ratings.players.keys()
    for event in dataset.events.values():
        for index, result in enumerate(event.results):
            apart = left_out(event, result, dataset.odds)
            entered = apart is None and {result.first, result.second} <= rated
            yield (
                *_place(event, index, result),
                *_score(result),
                *_said(result, dataset),
                apart,
                entered or None,
            )


def _place(event: Event, index: int, result: Result) -> Row:
    return (
        result_id(event, index),
        event.id,
        event.year if result.year is None else result.year,
        None if result.round is None else round_id(event, result.round),
        result.first,
        result.second,
    )


def _score(result: Result) -> Row:
    counts = (None,) * 3 if result.tally is None else result.tally
    return (
        result.points_first,
        result.points_second,
        result.games,
        *counts,
        result.number,
    )


def _said(result: Result, dataset: Dataset) -> Row:
    odds = result.odds
    given = (None,) * 3 if odds is None else (odds.giver, odds.kind, dataset.odds[odds.kind].points)
    return (
        *given,
        result.soft,
        result.proportion,
        result.default,
        result.unrated,
        result.uncounted,
        result.note,
    )


RESULTS = Table(
    "results",
    "Results",
    "Every result as it was entered, rated or not: the games of a pair in an event of which the "
    "same is to be said.",
    (
        text("id", "id of the result; it may change when the event’s file does", required=True),
        identifier("event", "id of the event", required=True),
        whole("year", "the calendar year for which the games count", required=True),
        text("round", "id of the round, where the event has rounds"),
        identifier("player_a", "id of the first player", required=True),
        identifier("player_b", "id of the second player", required=True),
        number("points_a", "points of the first player", required=True, least=0),
        number("points_b", "points of the second player", required=True, least=0),
        number("games", "number of games", required=True, least=0),
        number("won_a", "games that the first player won; empty where that is not known", least=0),
        number("drawn", "games drawn; empty where that is not known", least=0),
        number("won_b", "games that the second player won; empty where that is not known",
               least=0),
        whole("first_game", "place of the first of these among the pair’s games in the table or "
              "list, from 1", least=1),
        identifier("odds_giver", "id of the player who gave odds; empty for even play"),
        identifier("odds", "id of the odds"),
        number("odds_points", "what these are worth [Elo]; empty where they are not rated"),
        text("soft", "what the score rests on, where it is the editors’ estimate"),
        text("proportion", "the share as the source gives it, where the score follows from it"),
        text("by_default", "why the points were given without play, where they were"),
        text("unrated", "why the editors leave these games out of the ratings, if they do"),
        text("uncounted", "why the games stand outside the event’s totals, where they do"),
        text("note", "what the editors say, in Markdown"),
        text("left_out", "why the files leave the result out of the ratings, be it for itself, "
             "for its odds or with its event; empty where they do not"),
        flag("entered", "yes where the result entered the ratings: it is not left out, and both "
             "players could be rated"),
    ),
    _results,
    key=("id",),
    references=(
        reference("event", "events"),
        reference("round", "rounds"),
        reference("player_a", "players"),
        reference("player_b", "players"),
        reference("odds_giver", "players"),
        reference("odds", "odds"),
    ),
)  # fmt: skip


def _games(history: History) -> Iterator[Row]:
    for event in history.dataset.events.values():
        for index, result in enumerate(event.results):
            first = 1 if result.number is None else result.number
            for place, mark in enumerate(result.marks, start=first):
                colour: Value = None if mark.colour is None else COLOURS[mark.colour]
                yield result_id(event, index), place, colour, OUTCOMES[mark.value], mark.points


GAMES = Table(
    "games",
    "Games",
    "Every game whose own result is known, in order.",
    (
        text("result", "id of the result to which it belongs", required=True),
        whole("number", "its place among the pair’s games in the table or list, from 1",
              required=True, least=1),
        text("colour_a", "the first player’s colour; empty where it is not known",
             values=tuple(COLOURS.values())),
        text("outcome_a", "what the game was to the first player", required=True,
             values=tuple(OUTCOMES.values())),
        number("points_a", "his points; a game that both lost by default gives none to either",
               required=True, least=0, most=1),
    ),
    _games,
    key=("result", "number"),
    references=(reference("result", "results"),),
)  # fmt: skip

TABLES = (RESULTS, GAMES)
"""The tables of this room."""
