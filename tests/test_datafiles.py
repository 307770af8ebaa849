import csv
import io

import pytest
from sample_datasets import EVERYBODY_RANKED, dataset, event, odds_by, result

from edo.core.settings import Settings
from edo.export.files import LARGE, Edition, data_files
from edo.export.table import History, summed
from edo.rating.edo import rate

EDITION = Edition("Test", "0123456789ab", "1.2.3")
ANCHOR = Settings(anchor_player="a", anchor_year=1850, anchor_rating=2000, **EVERYBODY_RANKED)


@pytest.fixture
def files():
    history = dataset(
        event("x", 1850, result("a", "b", 1.5, 2), result("b", "a", 2, 3, odds=odds_by("a"))),
        event("y", 1852, result("a", "b", 1, 3), result("a", "z", 1, 1)),
    )
    return {
        file.name: file.content
        for file in data_files(History(history, rate(history, ANCHOR)), EDITION, None)
    }


def rows(files, name):
    return list(csv.DictReader(io.StringIO(files[name].decode())))


def test_pairings_say_all_that_the_fit_needs(files):
    assert files["pairings.csv"].decode() == (
        "year,event,player_a,odds_a,odds_points_a,player_b,odds_b,odds_points_b,score_a,games,basis\n"
        "1850,x,a,,,b,,,1.5,2,results\n"
        "1850,x,b,,,a,pawn-and-two-moves,219,2,3,results\n"
        "1852,y,a,,,b,,,1,3,results\n"
    )


def test_sums_of_shares_lose_only_the_noise_of_their_last_digits():
    assert summed(143.99999999999602) == 144
    assert summed(16 + 1 / 3) == 16.333333333


def test_ratings_have_three_decimals_and_the_years_of_a_gap(files):
    header, *lines = files["ratings.csv"].decode().splitlines()
    assert header == (
        "player,year,rating,deviation,raw_rating,raw_deviation,rank,score,games,ranked,near_games,"
        "near_opponents,whole_games,country,system,other_system,other_rating,other_deviation,other_rank"
    )
    assert [line.split(",")[:2] for line in lines] == [
        [player, year] for player in "ab" for year in ("1850", "1851", "1852")
    ]
    first = lines[0].split(",")
    assert first[4] == "2000.000" and first[7:14] == ["2.5", "5", "yes", "8", "1", "5", ""]
    assert ",0,0,yes,8,1,0," in lines[1]


def test_players_and_events_say_why_they_are_not_rated(files):
    players = {row["id"]: row for row in rows(files, "players.csv")}
    assert players["z"]["unrated_reason"].startswith("Lost every game that could be rated")
    assert players["a"]["unrated_reason"] == "" and players["a"]["peak_year"] in ("1850", "1852")
    events = {row["id"]: row for row in rows(files, "events.csv")}
    assert events["x"]["rated_games"] == "5" and events["y"]["rated_games"] == "3"
    assert events["y"]["players"] == "3"


def test_consistency_leaves_means_of_too_few_empty(files):
    lines = files["consistency.csv"].decode().splitlines()
    assert lines[0] == "year,rated,top5,top10,top20,share_below_2200"
    assert lines[1:] == [f"{year},2,,,,1.0000" for year in (1850, 1851, 1852)]


def test_large_tables_have_decimals_for_every_number():
    """They are written without the rounding of other tables, which the decimals make good."""
    numbers = [column for table in LARGE for column in table.columns if column.kind == "number"]
    assert numbers and all(column.decimals is not None for column in numbers)
