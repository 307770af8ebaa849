"""The names of countries, of today and of the time, and the countries of players by years."""

from __future__ import annotations

import pytest
from conftest import ROOT

from edo.core.countries import NAMES, STATES, named
from edo.core.model import Player
from edo.history.registries import RegistryFile, read_registries


def test_one_code_several_codes_none_and_one_not_listed():
    assert named("URS") == "Soviet Union"
    assert named("ROU/AUT") == "Romania, Austria"
    assert named("XXX") == "XXX"
    assert named(None) == ""


def test_every_code_of_the_real_files_has_a_name():
    lines = [
        line.split(":")[1].strip()
        for file in (ROOT / "events" / "players").glob("*.yaml")
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.startswith("  country:")
    ]
    assert len(lines) > 500
    assert {code for line in lines for code in line.split("/")} == set(NAMES)


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
        assert all(first is None or first <= last for first, last, _ in states)
        ends = [last for _, last, _ in states]
        assert all(first is not None for first, _, _ in states[1:])
        assert all(end < (first or 0) for end, (first, _, _) in zip(ends, states[1:], strict=False))


def test_a_player_s_country_of_a_year():
    alekhine = Player("a", "A", country="RUS/FRA", countries=((1892, "RUS"), (1921, "FRA")))
    found = [named(alekhine.country_in(year), year) for year in (1914, 1920, 1921, 1927)]
    assert found == ["Russian Empire", "Soviet Russia", "France", "France"]
    # before the first year, and where no years are on record, all are named
    assert alekhine.country_in(1880) == "RUS/FRA"
    assert Player("b", "B", country="GER/USA").country_in(1900) == "GER/USA"


def test_countries_of_a_record(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(
        "a-b:\n  name: B\n  country: RUS/FRA\n  countries: {1892: RUS, 1921: FRA}\n"
        "a-c:\n  name: C\n  country: RUS\n  countries: {1921: FRA, 1892: RUS}\n"
    )
    records, _, problems = read_registries([RegistryFile("players", path, "a.yaml")])
    assert records["players"]["a-b"].countries == ((1892, "RUS"), (1921, "FRA"))
    assert [str(problem) for problem in problems] == [
        "a.yaml:8: a-c, countries: the years are not in order; put the earliest year first",
        "a.yaml:8: a-c, countries: `FRA` is not among `country`; add it there, or correct it",
    ]
