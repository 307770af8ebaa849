"""The names of countries: all codes of the real files have one, unknown codes stay as they are."""

from __future__ import annotations

from conftest import ROOT

from edo.core.countries import NAMES, named


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
