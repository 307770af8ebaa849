"""The history in, the tables of what the joint distribution of the ratings answers out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from edo.core import formats
from edo.export.rating_tables import PLAYER_YEAR
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
from edo.rating.inference import influence

WORTH_TELLING = 0.01  # a smaller chance of a place is left out

_PLAYER = identifier("player", "id of the player", required=True)
_EVENT = identifier("event", "id of the event", required=True)
_YEAR = whole("year", "the calendar year", required=True)


def _number_one(history: History) -> Iterator[Row]:
    chances = sorted(
        history.answers.chances.values(), key=lambda c: (c.year, -c.first, -c.top_ten, c.player)
    )
    for one in chances:
        if max(one.first, one.top_ten) >= WORTH_TELLING:
            yield one.year, one.player, one.first, one.top_ten, one.rank_low, one.rank_high


NUMBER_ONE = Table(
    "number_one",
    "Who was first",
    "Who may have been the strongest of a year, or among the ten strongest: everyone with a "
    "probability of 1% or more.",
    (
        _YEAR,
        _PLAYER,
        number("p_first", "probability of having been the strongest of the year", 4,
               required=True, least=0, most=1),
        number("p_top10", "probability of having been among the ten strongest", 4,
               required=True, least=0, most=1),
        whole("rank_low", "the best rank of the range that holds the true one in nine cases of ten",
              required=True, least=1),
        whole("rank_high", "the worst rank of that range", required=True, least=1),
    ),
    _number_one,
    key=("year", "player"),
    references=(PLAYER_YEAR,),
)  # fmt: skip

SUPERIORITY = Table(
    "superiority",
    "Who was stronger",
    "For each year the probability that one of its leading players was stronger than another.",
    (
        _YEAR,
        identifier("player", "id of the player of the better rank", required=True),
        identifier("other", "id of the other player", required=True),
        number("probability", "probability that the first of the two was the stronger", 4,
               required=True, least=0, most=1),
    ),
    lambda history: (
        (one.year, one.players[i], one.players[j], one.probability[i][j])
        for one in history.answers.superiority.values()
        for i, j in combinations(range(len(one.players)), 2)
    ),
    key=("year", "player", "other"),
    references=(PLAYER_YEAR, Reference(("other", "year"), "ratings", ("player", "year"))),
)  # fmt: skip

RIVALS = Table(
    "rivals",
    "Rivals",
    "How players stand to their rivals, as the pages of players show it.",
    (
        _PLAYER,
        identifier("rival", "id of the rival", required=True),
        _YEAR,
        number("difference", "the player’s rating less the rival’s [Elo]", 3, required=True),
        number("deviation", "deviation of that difference [Elo]", 3, required=True, least=0),
        number("probability", "probability that the player was the stronger of the two", 4,
               required=True, least=0, most=1),
    ),
    lambda history: (
        (player, one.rival, one.year, one.difference, one.deviation, one.probability)
        for player, rivals in sorted(history.answers.rivals.items())
        for one in rivals
    ),
    references=(PLAYER_YEAR, Reference(("rival", "year"), "ratings", ("player", "year"))),
)  # fmt: skip

BEST_YEARS = Table(
    "best_years",
    "Best years",
    "Which of a player’s years was his best, and how far the others lie below his peak.",
    (
        _PLAYER,
        _YEAR,
        number("probability", "probability that this was his best year", 4,
               required=True, least=0, most=1),
        number("below", "rating of his peak year less that of this year [Elo]", 3, required=True),
        number("deviation", "deviation of that difference [Elo]", 3, required=True, least=0),
    ),
    lambda history: (
        (player, one.year, one.probability, one.below, one.deviation)
        for player, years in sorted(history.answers.peaks.items())
        for one in years
    ),
    key=("player", "year"),
    references=(PLAYER_YEAR,),
)  # fmt: skip

INFLUENCE = Table(
    "influence",
    "Influence of events",
    "By how much a rating would move without an event: for every year of every player the "
    f"events that move it by {formats.counted(influence.SMALLEST, 'point')} or more, the "
    f"{influence.MOST} that matter most.",
    (
        _PLAYER,
        _YEAR,
        _EVENT,
        number("shift", "rating without the event less rating with it [Elo]; empty: no rating "
               "without it", 3),
        number("of_all", "the median of the shifts of all ratings: what the event does to the "
               "whole scale [Elo]", 3, required=True),
    ),
    lambda history: (
        (one.player, one.year, one.event, one.shift, one.median_shift)
        for _, found in sorted(history.answers.influences.items())
        for one in found
    ),
    key=("player", "year", "event"),
    references=(PLAYER_YEAR, reference("event", "events")),
)  # fmt: skip

BRIDGES = Table(
    "bridges",
    "Bridges",
    "The events without which players would have no link to the rest, and no rating.",
    (_EVENT, _PLAYER),
    lambda history: (
        (one.event, str(player)) for one in history.answers.bridges for player in one.players
    ),
    key=("event", "player"),
    references=(reference("event", "events"), reference("player", "players")),
)

SUSPECTS = Table(
    "suspects",
    "Doubtful scores",
    "The scores that are hard to believe, judged by the ratings without the event.",
    (
        _EVENT,
        _YEAR,
        _PLAYER,
        number("score", "points in the games that entered the ratings", required=True),
        number("games", "number of games", required=True, least=0),
        number("expected", "points that the ratings made without the event lead to expect", 3,
               required=True),
        number("deviation", "deviation of the expected points, doubt about the ratings included", 3,
               required=True, least=0),
        number("surprise", "score less expected points, in deviations", 3, required=True),
        text("causes", "what could lie behind it, separated by |; none of it is established"),
    ),
    lambda history: (
        (one.event, one.year, one.player, round(one.score, 6), round(one.games, 6), one.expected,
         one.deviation, one.surprise, "|".join(one.causes) or None)
        for one in history.answers.suspects
    ),
    references=(reference("event", "events"), PLAYER_YEAR),
)  # fmt: skip

TABLES = (NUMBER_ONE, SUPERIORITY, RIVALS, BEST_YEARS, INFLUENCE, BRIDGES, SUSPECTS)
"""The tables of this room."""
