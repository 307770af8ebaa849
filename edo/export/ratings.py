"""Tables of the pairings, the ratings, their probabilities, and the other rating systems."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations
from math import isnan
from typing import get_args

from edo.core import countries, formats
from edo.core.model import Player
from edo.export.table import (
    EVENT,
    NAME,
    PLAYER,
    PLAYER_A,
    PLAYER_B,
    YEAR,
    History,
    Reference,
    Row,
    Table,
    flag,
    identifier,
    number,
    probability,
    rows_of,
    standard_error,
    summed,
    text,
    whole,
)
from edo.rating.edo import PlayerYear, Ratings, levels
from edo.rating.inference import influence
from edo.rating.record import record_lines
from edo.systems.base import AGE, Kind

SMALLEST_CHANCE = 0.01  # smaller probabilities are left out
CHANCES = ("first", "top_ten", "rank_low", "rank_high")
"""What is published of the probabilities of a player's ranks in a year."""

PLAYER_YEAR = Reference(("player", "year"), "ratings", ("player", "year"))
"""That a row is about a player's rating of a year."""


PAIRINGS = Table(
    "pairings",
    "Pairings",
    "Every weighted pairing used for the ratings.",
    (
        whole("year", "calendar year for which the games count", required=True),
        EVENT,
        PLAYER_A,
        identifier("odds_a", "odds given by the first player; empty for even play", to="odds"),
        number("odds_points_a", "value of these odds [Elo]"),
        PLAYER_B,
        identifier("odds_b", "odds given by the second player; empty for even play", to="odds"),
        number("odds_points_b", "value of these odds [Elo]"),
        number("score_a", "points of the first player"),
        number("games", "number of games", required=True, least=0),
        text(
            "basis",
            "results: sum of the results; totals: solved from the totals; guess: totals spread "
            "evenly",
            required=True,
            values=("results", "totals", "guess"),
        ),
        number(
            "soft_games",
            "how many of the games have a score that an editor chose by a description",
            required=True,
            least=0,
        ),
    ),
    rows_of(
        lambda history: history.ratings.pairings,
        *("year", "event", "first.player", "first.odds", "first.odds_points", "second.player"),
        *("second.odds", "second.odds_points", "score", "games", "basis", "soft"),
    ),
)


def _country(player: Player, year: int) -> str | None:
    return countries.named(player.country_in(year), year) or None


def _second(player_year: PlayerYear, second: Ratings) -> Row:
    row = second.of(player_year.player, player_year.year)
    if row is None:
        return None, None, None, None
    return second.settings.second_system, row.rating, row.deviation, row.rank


RATINGS = Table(
    "ratings",
    "Ratings",
    "The rating of every rated player in every year.",
    (
        PLAYER,
        YEAR,
        number("rating", "rating as shown on the pages (Edo’s adjusted) [Elo]", 3, required=True),
        standard_error("deviation", "its standard error (Edwards’ deviation) [Elo]"),
        number("raw_rating", "rating as fitted, before Edo’s adjustment; Edo integrated has none "
               "[Elo]", 3, required=True),
        standard_error("raw_deviation", "its standard error [Elo]"),
        whole("rank", "rank in that year’s list, players in gap years included; empty where the "
              "evidence is too little for a rank", least=1),
        number("score", "points in rated games", required=True),
        number("games", "number of rated games; 0 in gap years", required=True, least=0),
        flag("ranked", "yes where the evidence is enough for a rank, else empty"),
        number("evidence", "what the player’s results are worth in the year, those of other years "
               "counted as far as the ties between years carry them (method page “Who is ranked”) "
               "[games]", 3, required=True, least=0),
        number("whole_games", "number of the year’s rated games in events that are known whole",
               required=True, least=0),
        text("country", "name of the player’s country at the time; several, separated by commas, "
             "where the years of a change are not on record"),
        identifier("system", "id of the system of these ratings, which the site leads with",
                   required=True),
        identifier("other_system", "id of the other system, shown next to it; empty if it gives no "
                   "rating"),
        number("other_rating", "rating by that system, as shown on the pages [Elo]", 3),
        number("other_deviation", "its standard error [Elo]", 3, least=0),
        whole("other_rank", "rank by that system, among those with enough evidence", least=1),
    ),
    lambda history: (
        (row.player, row.year, row.rating, row.deviation, row.raw_rating, row.raw_deviation,
         row.rank, summed(row.score), summed(row.games), row.rank is not None or None,
         row.evidence, summed(row.whole_games),
         _country(history.dataset.players[row.player], row.year),
         history.ratings.settings.system, *_second(row, history.second))
        for row in chain.from_iterable(history.ratings.players.values())
    ),
    key=("player", "year"),
)  # fmt: skip

CONSISTENCY = Table(
    "consistency",
    "Level of each year",
    "The level of each year: statistics of the ratings of all players rated in it.",
    (
        YEAR,
        whole("rated", "number of rated players", required=True, least=0),
        number("top5", "mean rating of the top five [Elo]; empty if fewer are rated", 3),
        number("top10", "likewise of the top ten", 3),
        number("top20", "likewise of the top twenty", 3),
        probability("share_below_2200", "fraction of the rated players whose rating is below 2200"),
    ),
    rows_of(
        lambda history: levels(history.ratings),
        *("year", "rated", "top5", "top10", "top20", "share_below"),
    ),
    key=("year",),
)  # fmt: skip


def _number_one(history: History) -> Iterator[Row]:
    chances = sorted(
        history.answers.rank_probabilities.values(),
        key=lambda c: (c.year, -c.first, -c.top_ten, c.player),
    )
    for chance in chances:
        if max(chance.first, chance.top_ten) >= SMALLEST_CHANCE:
            yield chance.year, chance.player, *(getattr(chance, name) for name in CHANCES)


NUMBER_ONE = Table(
    "number_one",
    "Number-one probabilities",
    "The probability of having been the strongest player of a year, or among the ten strongest: "
    "all players for whom either is 1% or more.",
    (
        YEAR,
        PLAYER,
        probability("p_first", "probability of having been the strongest of the year"),
        probability("p_top10", "probability of having been among the ten strongest"),
        whole("rank_low", "best rank of the 90% interval of the true rank",
              required=True, least=1),
        whole("rank_high", "worst rank of that interval", required=True, least=1),
    ),
    _number_one,
    key=("year", "player"),
    joint_references=(PLAYER_YEAR,),
)  # fmt: skip

SUPERIORITY = Table(
    "superiority",
    "Superiority",
    "For each year, the probability that one of its leading players was stronger than another.",
    (
        YEAR,
        identifier("player", "id of the higher-ranked player", required=True),
        identifier("other", "id of the other player", required=True),
        probability("probability", "probability that the first was stronger than the other"),
    ),
    lambda history: (
        (leaders.year, leaders.players[i], leaders.players[j], leaders.probability[i][j])
        for leaders in history.answers.superiority.values()
        for i, j in combinations(range(len(leaders.players)), 2)
    ),
    key=("year", "player", "other"),
    joint_references=(PLAYER_YEAR, Reference(("other", "year"), "ratings", ("player", "year"))),
)  # fmt: skip

RIVALS = Table(
    "rivals",
    "Rivals",
    "Players compared with their rivals, as shown on the pages of players.",
    (
        PLAYER,
        identifier("rival", "id of the rival", required=True),
        YEAR,
        number("difference", "rating of the player minus the rival’s [Elo]", 3, required=True),
        standard_error("deviation", "standard error of that difference [Elo]"),
        probability("probability", "probability that the player was stronger than the rival"),
    ),
    lambda history: (
        (player, rival.rival, rival.year, rival.difference, rival.deviation, rival.probability)
        for player, rivals in sorted(history.answers.rivals.items())
        for rival in rivals
    ),
    joint_references=(PLAYER_YEAR, Reference(("rival", "year"), "ratings", ("player", "year"))),
)  # fmt: skip

BEST_YEARS = Table(
    "best_years",
    "Best years",
    "How likely each year was the player’s best, and how far it lies below the peak.",
    (
        PLAYER,
        YEAR,
        probability("probability", "probability that this was the player’s best year"),
        number("below", "rating of the peak year minus that of this year [Elo]", 3, required=True),
        standard_error("deviation", "standard error of that difference [Elo]"),
    ),
    lambda history: (
        (player, peak_year.year, peak_year.probability, peak_year.below, peak_year.deviation)
        for player, years in sorted(history.answers.peaks.items())
        for peak_year in years
    ),
    key=("player", "year"),
    joint_references=(PLAYER_YEAR,),
)  # fmt: skip

INFLUENCE = Table(
    "influence",
    "Influence of events",
    "How much a rating would change without an event: for every player and year the events that "
    f"change it by {formats.counted(influence.MIN_SHIFT, 'point')} or more, at most the "
    f"{influence.MAX_EVENTS} with the largest effect.",
    (
        PLAYER,
        YEAR,
        EVENT,
        number("shift", "rating without the event minus rating with it [Elo]; empty if there is no "
               "rating without it", 3),
        number("of_all", "median shift of all ratings, the effect of the event on the whole scale "
               "[Elo]", 3, required=True),
    ),
    rows_of(
        lambda history: chain.from_iterable(
            influences for _, influences in sorted(history.answers.influences.items())
        ),
        *("player", "year", "event", "shift", "median_shift"),
    ),
    key=("player", "year", "event"),
    joint_references=(PLAYER_YEAR,),
)  # fmt: skip

BRIDGES = Table(
    "bridges",
    "Bridges",
    "Players rated only through one event: without it, they would have no link to the rest.",
    (EVENT, PLAYER),
    lambda history: (
        (bridge.event, str(player))
        for bridge in history.answers.bridges
        for player in bridge.players
    ),
    key=("event", "player"),
)

SUSPECTS = Table(
    "suspects",
    "Outliers",
    "The most surprising scores, judged by the leave-one-out ratings without the event.",
    (
        EVENT,
        YEAR,
        PLAYER,
        number("score", "points in rated games", required=True),
        number("games", "number of games", required=True, least=0),
        number("expected", "score predicted by the ratings without the event [points]", 3,
               required=True),
        standard_error("deviation", "standard error of that prediction, the uncertainty of the "
                       "ratings included [points]"),
        number("surprise", "score minus expected score, in standard errors", 3, required=True),
        text("causes", "possible causes, separated by |; none of them is established"),
    ),
    lambda history: (
        (outlier.event, outlier.year, outlier.player, round(outlier.score, 6),
         round(outlier.games, 6), outlier.expected, outlier.deviation, outlier.surprise,
         "|".join(outlier.causes) or None)
        for outlier in history.answers.outliers
    ),
    joint_references=(PLAYER_YEAR,),
)  # fmt: skip


SYSTEMS = Table(
    "systems",
    "Rating systems",
    "All rating systems applied to the results.",
    (
        identifier("id", "id of the system", required=True),
        NAME,
        text("author", "author of the system", required=True),
        whole("since", "year of publication", required=True),
        text(
            "direction",
            "forwards: a rating uses the games up to the end of its year; all at once: later games "
            "too; one rating for all years: it does not change",
            required=True,
            values=("forwards", "all at once", "one rating for all years"),
        ),
        whole("player_years", "number of player-years that it rates", required=True, least=0),
        number("shift", "points added to its ratings, so that their mean over the games of all "
               "player-years that both rate equals that of the system that leads the site, to a "
               "whole point [Elo]", 3, required=True),
        number("log_evidence", "natural logarithm of the probability that it gives to all games; "
               "empty if it gives none", 3),
        text("refused", "why it could not rate anything; usually empty"),
    ),
    lambda history: (
        (column.system.slug, column.system.name, column.system.author, column.system.since,
         column.system.direction, int(column.rated.sum()), column.shift, column.log_evidence,
         column.refused)
        for column in history.systems.columns
    ),
    key=("id",),
)  # fmt: skip


def _system_ratings(history: History) -> Iterator[Row]:
    systems = history.systems
    players = [systems.players[k] for k in systems.player_years.player.tolist()]
    years = systems.player_years.year.tolist()
    for column in systems.columns:
        numbers = column.rating.tolist(), column.deviation.tolist()
        for player, year, rating, deviation in zip(players, years, *numbers, strict=True):
            if not isnan(rating):
                shown_deviation = None if isnan(deviation) else deviation
                yield player, year, column.system.slug, rating, shown_deviation


SYSTEM_RATINGS = Table(
    "system_ratings",
    "Ratings under all systems",
    "Every year of every player from first to last games, under each system that rates it.",
    (
        PLAYER,
        YEAR,
        identifier("system", "id of the system", to="systems", required=True),
        number("rating", "rating including the system’s shift, as shown on the pages [Elo]", 1,
               required=True),
        number("deviation", "its standard error [Elo]; empty if the system has none", 1, least=0),
    ),
    _system_ratings,
    key=("player", "year", "system"),
)  # fmt: skip


EFFECTS = Table(
    "effects",
    "Age, country and other shared effects",
    "What systems estimate that many players share, with standard errors.",
    (
        identifier("system", "id of the system", to="systems", required=True),
        text(
            "kind",
            f"age: strength against that at {AGE}; country: level against the mean of the players "
            "whose country is known; years, events: of twice as many",
            required=True,
            values=get_args(Kind),
        ),
        text("of", "age or country", required=True),
        number("effect", "the estimate [Elo]", 2, required=True),
        number("deviation", "its standard error [Elo]", 2, required=True, least=0),
        whole("count", "players; of ages, player-years with games", required=True, least=0),
    ),
    lambda history: (
        (column.system.slug, effect.kind, effect.of, effect.effect, effect.deviation, effect.count)
        for column in history.systems.columns
        for effect in column.effects
    ),
    key=("system", "kind", "of"),
)  # fmt: skip


def _record(history: History) -> Iterator[Row]:
    editions = [("this", record_lines(history.dataset, history.ratings))]
    if history.record_before is not None:
        editions.append((history.record_before.label, history.record_before.lines))
    for edition, lines in editions:
        for line in lines:
            counts = line.events, line.by_cells, line.by_totals, line.part, line.games
            errors = line.first_ten, line.first_fifty
            yield edition, line.name, *counts, line.whole_games, line.players, *errors


RECORD = Table(
    "record",
    "The record by decade",
    "How many events and games are known and how exactly players are rated, by decade, in this "
    "edition and in the one before.",
    (
        text("edition", "this, or the name of the edition before", required=True),
        text("decade", "such as 1850s, or all", required=True),
        whole("events", "events that finished in the decade", required=True, least=0),
        whole("by_cells", "those whole by cells", required=True, least=0),
        whole("by_totals", "those whole by totals", required=True, least=0),
        whole("part", "those known in part", required=True, least=0),
        number("games", "rated games", 6, required=True, least=0),
        number("whole_games", "those of them in whole events", 6, required=True, least=0),
        whole("players", "players with rated games", required=True, least=0),
        number("first_ten", "median standard error of each year’s first ten [Elo]", 3, least=0),
        number("first_fifty", "likewise of the first fifty", 3, least=0),
    ),
    _record,
    key=("edition", "decade"),
)  # fmt: skip

TABLES = (RATINGS, PAIRINGS, CONSISTENCY, RECORD)
PROBABILITY_TABLES = (NUMBER_ONE, SUPERIORITY, RIVALS, BEST_YEARS, BRIDGES, SUSPECTS)
"""What follows from the joint distribution of the ratings."""
