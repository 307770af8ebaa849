"""The small site with one of everything, against its expected output."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import MINISITE, build_site

EXPECTED = MINISITE / "expected"
UPDATE = "Then run `make update-golden`."
KEPT = {".html", ".csv"}  # the style is a copy, pictures by matplotlib depend on its version


def contents(folder: Path) -> dict[str, bytes]:
    """Return the kept files."""
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.suffix in KEPT
    }


def test_the_site_is_as_expected(minisite: Path, request: pytest.FixtureRequest):
    if request.config.getoption("--update-golden"):
        shutil.rmtree(EXPECTED, ignore_errors=True)
        for name, content in contents(minisite).items():
            (EXPECTED / name).parent.mkdir(parents=True, exist_ok=True)
            (EXPECTED / name).write_bytes(content)
    got, expected = contents(minisite), contents(EXPECTED)
    assert got.keys() == expected.keys()
    for name, content in got.items():
        assert content.decode() == expected[name].decode(), f"{name}: is this intended? {UPDATE}"


def test_two_builds_give_the_same_bytes(minisite: Path, tmp_path: Path):
    again = build_site(MINISITE / "events", tmp_path / "again")
    everything = {
        p.relative_to(minisite): p.read_bytes() for p in minisite.rglob("*") if p.is_file()
    }
    assert everything == {
        p.relative_to(again): p.read_bytes() for p in again.rglob("*") if p.is_file()
    }
