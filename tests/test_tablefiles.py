"""The CSV twins of pages: their rows are those of the large tables, shared out."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from sample_history import ANSWERS, DATASET, RATINGS

from edo.export.files import table_files
from edo.export.table import History

FILES = {
    path: content.decode() for path, content in table_files(History(DATASET, RATINGS, ANSWERS))
}


def test_a_player_has_the_years_of_his_ratings():
    assert FILES["players/birch-bo.csv"] == (
        "player,year,rating,deviation,raw_rating,raw_deviation,rank,score,games,"
        "ranked,near_games,near_opponents,whole_games,country,"
        "system,other_system,other_rating,other_deviation,other_rank\n"
        "birch-bo,1850,2000.000,110.000,2050.000,120.000,2,1.5,3,yes,0,0,0,German states,edo,,,,\n"
        "birch-bo,1851,2000.000,90.000,2050.000,100.000,3,1,3,yes,0,0,0,German states,edo,,,,\n"
        "birch-bo,1852,2000.000,95.000,2050.000,105.000,2,0,0,yes,0,0,0,German states,edo,,,,\n"
        "birch-bo,1853,2000.000,98.000,2050.000,108.000,2,4,8,yes,0,0,0,German states,edo,,,,\n"
    )


def test_a_year_has_its_ranking_with_the_chances_of_the_page():
    header, *lines = FILES["years/1851.csv"].splitlines()
    assert header.endswith(
        "whole_games,country,system,other_system,other_rating,other_deviation,other_rank,"
        "p_first,p_top10,rank_low,rank_high,name"
    )
    assert [line.split(",")[0] for line in lines] == [
        "alder-anna", "alder-anna-offhand", "birch-bo", "cedar-cy",
    ]  # fmt: skip
    assert lines[0] == (
        "alder-anna,1851,2100.000,80.000,2150.000,90.000,1,1.5,2,yes,0,0,0,England,edo,,,,,"
        '0.6000,1.0000,1,2,"Alder, Anna"'
    )
    assert lines[3].endswith(',0.0040,1.0000,4,4,"Čedar, Cy"')
    # of 1853 nothing is known but the ratings
    assert (
        FILES["years/1853.csv"]
        .splitlines()[1]
        .split('"')[0]
        .endswith(",1,4.5,8,yes,0,0,0,England,edo,,,,,,,,,")
    )


def test_an_event_has_the_pairings_that_entered_the_fit():
    assert FILES["events/offhand-1851.csv"] == (
        "year,event,player_a,odds_a,odds_points_a,player_b,odds_b,odds_points_b,score_a,games,basis,"
        "name_a,name_b\n1851,offhand-1851,alder-anna-offhand,,,birch-bo,,,1,2,results,"
        '"Alder, Anna (offhand)","Birch, Bo"\n'
    )


def test_only_what_is_rated_has_a_file():
    assert set(FILES) == {
        *(f"players/{player}.csv" for player in RATINGS.players),
        *(f"years/{year}.csv" for year in RATINGS.years),
        *(f"events/{pairing.event}.csv" for pairing in RATINGS.pairings),
    }
    assert "players/yew-una.csv" not in FILES
    assert "events/silent-1852.csv" not in FILES


def test_every_page_names_its_file_and_every_file_has_its_page(minisite: Path):
    named = set()
    for page in minisite.rglob("*.html"):
        html = page.read_text()
        heads = re.findall(r'<link rel="alternate" type="text/csv" href="([^"]+)">', html)
        ways = re.findall(r'<a href="([^"]+)" type="text/csv">', html)
        assert heads == ways, page
        named |= {(page.parent / way).resolve() for way in ways}
    folders = ("players", "years", "events", "lists")
    own = {path for folder in folders for path in (minisite / folder).glob("*.csv")}
    data = {minisite / "data" / name for name in ("record.csv", "effects.csv")}
    assert named == {path.resolve() for path in own | data}
    assert len(named) > 20


def test_the_files_of_the_players_together_are_the_file_of_all(minisite: Path):
    with (minisite / "data" / "ratings.csv").open(newline="") as file:
        together = sorted(csv.reader(file))
    apart = []
    for path in (minisite / "players").glob("*.csv"):
        with path.open(newline="") as file:
            header, *rows = csv.reader(file)
        apart += rows
    assert sorted([header, *apart]) == together
