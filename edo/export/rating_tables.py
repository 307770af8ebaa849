"""The history in, the tables of what entered the ratings and of the ratings themselves out."""

from __future__ import annotations

from collections.abc import Iterator

from edo.export.tabular import (
    History,
    Reference,
    Row,
    Table,
    identifier,
    number,
    reference,
    text,
    whole,
)
from edo.rating.edo import levels
from edo.rating.pairings import Side


def _pairings(history: History) -> Iterator[Row]:
    for one in history.ratings.pairings:
        yield (
            one.year,
            one.event,
            *_side(one.first),
            *_side(one.second),
            one.score,
            one.games,
            one.basis,
        )


def _side(side: Side) -> Row:
    return side.player, side.odds, side.odds_points


PAIRINGS = Table(
    "pairings",
    "Pairings",
    "Every weighted pairing that entered the ratings.",
    (
        whole("year", "the calendar year for which the games count", required=True),
        identifier("event", "id of the event", required=True),
        identifier("player_a", "id of the first player", required=True),
        identifier("odds_a", "the odds that the first player gave; empty for even play"),
        number("odds_points_a", "what these are worth [Elo]"),
        identifier("player_b", "id of the second player", required=True),
        identifier("odds_b", "the odds that the second player gave; empty for even play"),
        number("odds_points_b", "what these are worth [Elo]"),
        number("score_a", "points of the first player; from totals, perhaps outside the games"),
        number("games", "number of games", required=True, least=0),
        text(
            "basis",
            "results: added up from the results; totals: follows from the totals; guess: the "
            "totals spread evenly",
            required=True,
            values=("results", "totals", "guess"),
        ),
    ),
    _pairings,
    references=(
        reference("event", "events"),
        reference("player_a", "players"),
        reference("odds_a", "odds"),
        reference("player_b", "players"),
        reference("odds_b", "odds"),
    ),
)


def _ratings(history: History) -> Iterator[Row]:
    for years in history.ratings.players.values():
        for row in years:
            four = (row.rating, row.deviation, row.raw_rating, row.raw_deviation)
            yield (row.player, row.year, *four, row.rank, row.score, row.games)


RATINGS = Table(
    "ratings",
    "Ratings",
    "Every year of every rated player.",
    (
        identifier("player", "id of the player", required=True),
        whole("year", "the calendar year", required=True),
        number("rating", "adjusted rating, as the pages show it [Elo]", 3, required=True),
        number("deviation", "its deviation [Elo]", 3, required=True, least=0),
        number("raw_rating", "rating as it was fitted [Elo]", 3, required=True),
        number("raw_deviation", "its deviation [Elo]", 3, required=True, least=0),
        whole("rank", "place in that year’s list, the years of gaps included", required=True,
              least=1),
        number("score", "points in the games that entered the ratings", required=True),
        number("games", "number of games; 0 in the years of a gap", required=True, least=0),
    ),
    _ratings,
    key=("player", "year"),
    references=(reference("player", "players"),),
)  # fmt: skip

PLAYER_YEAR = Reference(("player", "year"), "ratings", ("player", "year"))
"""That a row is about a player's rating of a year."""

CONSISTENCY = Table(
    "consistency",
    "Level of each year",
    "The level of each year, from the adjusted ratings of all who are rated in it.",
    (
        whole("year", "the calendar year", required=True),
        whole("rated", "how many players are rated", required=True, least=0),
        number("top5", "mean rating of the first five of the list [Elo]; empty for fewer", 3),
        number("top10", "likewise of the first ten", 3),
        number("top20", "likewise of the first twenty", 3),
        number("share_below_2200", "share of the rated players whose rating is below 2200", 4,
               required=True, least=0, most=1),
    ),
    lambda history: (
        (level.year, level.rated, level.top5, level.top10, level.top20, level.share_below)
        for level in levels(history.ratings)
    ),
    key=("year",),
)  # fmt: skip

TABLES = (RATINGS, PAIRINGS, CONSISTENCY)
"""The tables of this room."""
