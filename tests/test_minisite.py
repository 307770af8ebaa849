"""The small site with one of everything, against its expected output.

What each event is for stands in its `notes`, or follows from what it says of its gaps. A page that
it shows needs no test of its own; tests beside it are for numbers by a second way, for laws, and
for what is too large, too empty or too hostile for it.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import html5lib
import pytest
from conftest import MINISITE

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


def test_every_page_is_valid_and_whole(minisite: Path):
    for path in sorted(minisite.rglob("*.html")):
        html, page = path.read_text(), path.relative_to(minisite)
        html5lib.HTMLParser(strict=True).parse(html)
        for name in ("id", r'role="region"[^>]*\saria-label'):
            values = Counter(re.findall(rf'\s{name}="([^"]*)"', html))
            assert not [value for value, n in values.items() if n > 1], page
        ids = re.findall(r'\sid="([^"]*)"', html)
        assert set(re.findall(r'href="#([^"]+)"', html)) <= set(ids), page
        assert len(re.findall(r"<h1[ >]", html)) == 1, page
        for never in (' style="', ">None<", ">nan<", "Undefined", "FIGURE ", "{{ "):
            assert never not in html, (page, never)
