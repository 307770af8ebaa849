"""The names of countries, of today and of the time, and the countries of players by years."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from conftest import ROOT

from edo.core.countries import NAMES, STATES, named, periods
from edo.core.model import Player
from edo.history.registries import RegistryFile, read_registries


def test_one_code_several_codes_none_and_one_not_listed():
    assert named("URS") == "Soviet Union"
    assert named("ROU/AUT") == "Romania, Austria"
    assert named("XXX") == "XXX"
    assert named(None) == ""


def test_every_code_of_the_real_files_has_a_name():
    files = (ROOT / "events" / "players").glob("*.yaml")
    codes = {
        code
        for file in files
        for codes in re.findall(
            r"^ +(?:country|\d{4}): ([A-Z/]+)$", file.read_text(encoding="utf-8"), re.MULTILINE
        )
        for code in codes.split("/")
    }
    assert len(codes) > 40
    assert codes <= set(NAMES)


@pytest.mark.parametrize(
    ("codes", "year", "name"),
    [
        ("RUS", 1912, "Russian Empire"),
        ("RUS", 1917, "Russia"),
        ("RUS", 1922, "Soviet Russia"),
        ("URS", 1923, "Soviet Union"),
        ("RUS/URS", 1930, "Soviet Union"),
        ("AUT/CSR", 1900, "Austria-Hungary"),
        ("AUT/CSR", 1925, "Austria, Czechoslovakia"),
        ("GER", 1860, "German states"),
        ("GER", 1871, "Germany"),
        ("POL", 1907, "Partitioned Poland"),
        ("RUS/ISR", 1912, "Russian Empire"),
        ("YUG", 1907, "later Yugoslavia"),
        ("YUG", 2002, "Yugoslavia"),
        ("YUG/USA", 2003, "United States"),
        ("SRB", 2004, "Serbia and Montenegro"),
        ("URS", 1995, "formerly Soviet Union"),
        ("GER", 1970, "Germany"),
        ("GDR", 1970, "East Germany"),
        ("FRG", 1936, "Germany"),
        ("EST", 1912, "Russian Empire"),
        ("EST", 1937, "Estonia"),
        ("EST", 1943, "German-occupied Estonia"),
        ("EST", 1970, "Soviet Union"),
        ("EST", 1992, "Estonia"),
        ("UKR", 1985, "Soviet Union"),
        ("CZE", 1930, "Czechoslovakia"),
        ("HUN", 1900, "Hungary"),
        ("XXX", 1900, "XXX"),
        (None, 1900, ""),
    ],
)
def test_the_state_of_the_time(codes: str | None, year: int, name: str):
    assert named(codes, year) == name


def test_the_states_of_a_country_follow_one_another():
    assert set(STATES) <= set(NAMES)
    for states in STATES.values():
        spans = [(0 if first is None else first, last or 9999) for first, last, _ in states]
        assert all(first <= last for first, last in spans)
        assert all(end < first for (_, end), (first, _) in pairwise(spans))


def test_a_player_s_country_of_a_year():
    alekhine = Player("a", "A", country="RUS/FRA", countries=((1892, "RUS"), (1921, "FRA")))
    found = [named(alekhine.country_in(year), year) for year in (1914, 1920, 1921, 1927)]
    assert found == ["Russian Empire", "Soviet Russia", "France", "France"]
    shown = periods(alekhine.country_in, 1907, 1946)
    assert shown == {
        1907: "Russian Empire", 1917: "Russia", 1918: "Soviet Russia", 1921: "France"
    }  # fmt: skip
    # the first one counts also before its year; where no years are on record, all are named
    assert alekhine.country_in(1880) == "RUS"
    assert Player("b", "B", country="GER/USA").country_in(1900) == "GER/USA"


def test_countries_of_a_record(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(
        "a-b:\n  name: B\n  countries: {1892: RUS, 1921: FRA}\n"
        "a-c:\n  name: C\n  countries: {1921: FRA, 1892: RUS}\n"
        "a-d:\n  name: D\n  born: 1900\n  died: 1930\n  countries: {1899: RUS, 1931: FRA}\n"
        "a-e:\n  name: E\n  countries: {1900: RUS, 1910: RUS}\n"
        "a-f:\n  name: F\n  country: RUS\n  countries: {1900: RUS}\n"
    )
    records, _, problems = read_registries([RegistryFile("players", path, "a.yaml")])
    assert records["players"]["a-b"].countries == ((1892, "RUS"), (1921, "FRA"))
    assert records["players"]["a-b"].country == "RUS/FRA"
    assert [str(problem) for problem in problems] == [
        "a.yaml:6: a-c, countries: the years are not in order; put the earliest year first",
        "a.yaml:11: a-d, countries: 1899 is before the birth on 1900; correct the year or the date",
        "a.yaml:11: a-d, countries: 1931 is after the death on 1930; correct the year or the date",
        "a.yaml:14: a-e, countries: 1910 changes nothing: `RUS` stands before it, too; "
        "delete the year, or correct the country",
        "a.yaml:18: a-f: both `country` and `countries` are given; keep one of them",
    ]
