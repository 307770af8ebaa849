"""Tables of the lists: performances, upsets, number ones, ages, countries, fields and careers.

A list shows the same rows on its page as in its CSV file.
"""

from __future__ import annotations

from functools import partial

from edo.export.table import (
    EVENT,
    PLAYER,
    YEAR,
    Column,
    Table,
    flag,
    identifier,
    number,
    text,
    whole,
)

TOP = 10  # [ranks] who is among the first of a year
FEWEST_RANKED = 10  # [players] with a rank, in a year whose number one means something
FEWEST_FOR_TEN = 20  # [players] with a rank, in a year whose first ten are a choice
LEAST_RANKED = 0.75  # the share of a field, or of the opponents, that has to have a rank
OF_COUNTRY = 5  # [players] shown of each country
JUNIOR = 20  # [years] the age up to which a player is a junior, as in FIDE's championships
FEWEST_OF_AGE = 20  # [player-years] of an age whose quantiles are shown
LENGTH = 100  # [rows] of the lists that could go on and on
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)

required = partial(number, required=True, least=0)
elo = partial(number, decimals=3, required=True)
chance = partial(number, decimals=4, least=0, most=1)

PLACE = whole("place", "place in the list", least=1)
AGE = whole("age", "age that the player reached in the year", required=True)
COUNTRY = text("country", "country codes of the player; empty if not known")
FIRST_YEAR = whole("first_year", "the first of the years", required=True)
LAST_YEAR = whole("last_year", "the last of the years", required=True)
RATING = elo("rating", "rating of the year [Elo]")
DEVIATION = elo("deviation", "its standard error (Edwards’ deviation) [Elo]", least=0)
RANK = whole("rank", "rank in the year", required=True, least=1)
GAMES = required("games", "number of rated games")
TOP_TEN = chance("p_top10", "probability of having been among the ten strongest of the year")


def _list(name: str, title: str, description: str, *columns: Column) -> Table:
    return Table(name, title, description, columns, lambda history: history.lists[name])


PERFORMANCES = _list(
    "performances",
    "Best performances",
    "The best performances in a single event, in the order of what each is worth at least: one "
    "standard error less.",
    PLACE,
    PLAYER,
    elo("performance", "rating whose expected score equals the score; of all points, of half a "
        "point less [Elo]"),
    elo("deviation", "its standard error, the opponents’ ratings taken as exact [Elo]", least=0),
    flag("all_points", "yes if the player won every game, so that the performance is only the "
         "least that it can be"),
    required("score", "points in the rated games"),
    required("games", "number of these games"),
    EVENT,
    YEAR,
    elo("opposition", "mean rating of the opponents [Elo]"),
    RATING,
)  # fmt: skip

UPSETS = _list(
    "upsets",
    "Biggest upsets",
    "Games that the player with the lower rating won, the least expected first.",
    PLACE,
    PLAYER,
    RATING,
    identifier("other", "id of the opponent", to="players", required=True),
    elo("other_rating", "rating of the opponent in the year [Elo]"),
    required("expected", "expected score in each of the games [points]", decimals=4),
    required("won", "number of games won against this opponent in the event"),
    EVENT,
    YEAR,
)

REIGNS = _list(
    "reigns",
    "Longest reigns",
    "The runs of years with the same number one, the longest first.",
    PLACE,
    PLAYER,
    FIRST_YEAR,
    LAST_YEAR,
    whole("years", "number of years", required=True, least=1),
    number("expected_years", "sum of the number-one probabilities of these years: how many of them "
           "the player is expected to have been the strongest", 3, least=0),
    chance("p_least", "the smallest of these probabilities"),
)  # fmt: skip

LEADS = _list(
    "leads",
    "Largest leads",
    "The lead of the number one of a year over the second, the largest first.",
    PLACE,
    PLAYER,
    YEAR,
    elo("lead", "rating of the number one minus that of the second [Elo]", least=0),
    identifier("second", "id of the second", to="players", required=True),
    chance("p_stronger", "probability of having been stronger than the second"),
    chance("p_first", "probability of having been the strongest of the year"),
    RATING,
    DEVIATION,
    elo("second_rating", "rating of the second [Elo]"),
)

YOUNGEST = _list(
    "youngest",
    "Youngest in the first ten",
    "The age at which players were first among the first ten of a year, the youngest first.",
    *(PLACE, PLAYER, AGE, YEAR, RANK, RATING, DEVIATION, TOP_TEN),
)

OLDEST = _list(
    "oldest",
    "Oldest in the first ten",
    "The age at which players were last among the first ten of a year, the oldest first.",
    *(PLACE, PLAYER, AGE, YEAR, RANK, RATING, DEVIATION, TOP_TEN),
)

COUNTRIES = _list(
    "countries",
    "Best of each country",
    f"The highest ratings under each country of the time, at most {OF_COUNTRY} players; the "
    "countries in the order of the highest.",
    whole("of_country", "place among the players of the country", required=True, least=1),
    PLAYER,
    text("country", "name of the country at the time", required=True),
    RATING,
    DEVIATION,
    YEAR,
)

WOMEN = _list(
    "women",
    "Highest-rated women",
    "The highest rating of each woman in a year with results.",
    PLACE,
    PLAYER,
    RATING,
    DEVIATION,
    YEAR,
    COUNTRY,
    required("near_games", "number of rated games in the year and near it"),
    text("shortfall", "what is too little for a rank; empty with a rank"),
)

JUNIORS = _list(
    "juniors",
    "Juniors",
    f"The highest rating of each player in a year with results, up to the age of {JUNIOR}.",
    *(PLACE, PLAYER, AGE, RATING, DEVIATION, YEAR, RANK),
)

TOURNAMENTS = _list(
    "tournaments",
    "Strongest tournaments",
    "All-play-all tournaments by the mean rating of their players in the year.",
    PLACE,
    EVENT,
    YEAR,
    whole("players", "number of players", required=True, least=1),
    whole("ranked", "number of them with a rank in the year", required=True, least=1),
    elo("mean", "mean rating of the rated players [Elo]"),
    whole("category", "FIDE’s category of this mean rating; empty below the first", least=1),
)

MOST_GAMES = _list(
    "most-games",
    "Most games",
    "The players with the most rated games on record.",
    PLACE,
    PLAYER,
    GAMES,
    whole("events", "number of events with these games", required=True, least=1),
    whole("opponents", "number of opponents in them", required=True, least=1),
    FIRST_YEAR,
    LAST_YEAR,
)

CAREERS = _list(
    "careers",
    "Longest careers",
    "The players with the longest time between the first and the last rated game on record.",
    PLACE,
    PLAYER,
    whole("years", "last year minus first year", required=True, least=0),
    FIRST_YEAR,
    LAST_YEAR,
    whole("active", "number of years with rated games", required=True, least=1),
    GAMES,
)

AGES = _list(
    "ages",
    "Rating by age",
    "The distribution of the ratings of players of the same age.",
    AGE,
    whole("player_years", "number of ratings at that age", required=True, least=1),
    *(elo(f"q{round(100 * q)}", f"rating that {q:.0%} of them do not exceed [Elo]")
      for q in QUANTILES),
)  # fmt: skip

LISTS = (
    *(PERFORMANCES, UPSETS, REIGNS, LEADS, YOUNGEST, OLDEST, JUNIORS, WOMEN, COUNTRIES),
    *(TOURNAMENTS, MOST_GAMES, CAREERS, AGES),
)
"""All lists, in the order in which the page of the lists names them."""
