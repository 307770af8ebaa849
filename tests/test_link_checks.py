"""The check of links and texts: it finds what a build would refuse, at its line, without pages."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import MINISITE, ROOT, real_settings, small_content

from edo.commands.check import find
from edo.history.dataset import load
from edo.rating import edo
from edo.site.links import Addresses, check_content, check_pairs, texts_and_data

MATCH = "1884/byrd-dunn-1884.yaml"
NOTE = """\
notes: |
  See [the tournament](/events/springfield-1880.html#results).

  {} {}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copytree(MINISITE / "events", tmp_path / "events")
    shutil.copytree(small_content(), tmp_path / "content")
    shutil.copy(ROOT / "site.yaml", tmp_path)
    return tmp_path


def told(project: Path) -> list[str]:
    """Return what the check says, without the one warning of the small history."""
    found = (str(one) for one in find(project / "events").problems if one.warning != "no page")
    return [one.removeprefix(f"{project}/") for one in found]


def note(project: Path, *links: str) -> None:
    file = project / "events" / MATCH
    lines = file.read_text().splitlines(keepends=True)
    start = next(k for k, line in enumerate(lines) if line.startswith("notes:"))
    lines[start] = NOTE.format(*(f"[link]({link})" for link in links))
    file.write_text("".join(lines))


def test_the_addresses_are_those_of_the_built_site(minisite: Path):
    dataset = load(MINISITE / "events")
    addresses = Addresses(dataset, MINISITE / "static", settings=real_settings())
    built = {path.relative_to(minisite).as_posix() for path in minisite.rglob("*.html")}
    rated = {f"years/{year}.html" for year in edo.rate(dataset, real_settings()).years}
    rated |= {path.replace(".html", "-systems.html") for path in rated}
    pairs = {path for path in built if path.startswith("pairs/") and "-v-" in path}
    assert (
        pairs
        and addresses.pages
        | pairs
        | (rated & built)
        | {path for path in texts_and_data() if path.endswith(".html")}
        == built
    )
    assert all(path in addresses for path in built)
    assert "data/players.csv" in addresses and "data/nobody.csv" not in addresses
    for path in (
        "years/1700.html",
        "pairs/byrd-lucy-v-nobody.html",
        "players/nobody.csv",
        "a.html",
    ):
        assert path not in addresses


def test_links_of_notes_are_told_with_file_and_line(project: Path):
    note(project, "/players/byrd-lucyy.html#y1884", "/years/1700.html")
    assert told(project) == [
        f"events/{MATCH}:11: notes: the link `/players/byrd-lucyy.html#y1884` leads to no page of "
        "the site; did you mean `byrd-lucy`?",
        f"events/{MATCH}:11: notes: the link `/years/1700.html` leads to no page of the site; "
        "correct its address",
    ]


def test_links_that_pages_leave_out_are_warnings(project: Path):
    note(project, "players/byrd-lucy.html", "javascript:alert")
    hint = "link to pages like `/players/a.html`, to other sites and pictures by `https://…`"
    assert told(project) == [
        f"events/{MATCH}:11: warning: notes: the link `{link}` is left out of the page; {hint}"
        for link in ("javascript:alert", "players/byrd-lucy.html")
    ]


def test_a_broken_record_makes_no_link_to_it_wrong(project: Path):
    note(project, "/players/byrd-lucy.html", "/method/nowhere.html")
    broken = project / "events/players/b.yaml"
    broken.write_text(broken.read_text().replace("name:", "nmae:", 1))
    assert [one for one in told(project) if "leads to no page" in one] == [
        f"events/{MATCH}:11: notes: the link `/method/nowhere.html` leads to no page of the site; "
        "correct its address"
    ]


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("about.md", "\n[x](/method/nope.html)\n", "the link `/method/nope.html` leads to no page"),
        ("about.md", "\n{{ n_rated( }}\n", "unexpected '}', expected ')'; correct the placeholder"),
        ("extra.md", "# X\n\nY.\n\nZ.", "warning: no page is made of this text; rename it, or"),
        ("examples.md", "\n[[nowhere]]\n\nX.\n", "no text has a place for nowhere; the names are"),
        ("tuning.json", "{", "run `python -m edo tune` to make it anew"),
        ("changes.yaml", "\n- id: x\n", "`title` is missing; add it"),
    ],
)
def test_errors_of_the_texts_are_told(name: str, change: str, said: str, project: Path):
    file = project / "content" / name
    file.write_text((file.read_text() if file.exists() else "") + change)
    found = told(project)
    assert any(one.startswith(f"content/{name}:") and said in one for one in found), found


def test_two_pairs_with_one_page_are_told(project: Path):
    events = project / "events"
    players = events / "players"
    for one, other in (("ab", "cd-v-ef"), ("ab-v-cd", "ef")):
        for id_ in (one, other):
            file = players / f"{id_[0]}.yaml"
            entries = file.read_text() if file.exists() else ""
            file.write_text(f"{entries}{id_}:\n  name: {id_}\n")
        (events / "1884" / f"{one}-1884.yaml").write_text(
            f"name: M\nkind: match\nyear: 1884\npairings:\n- {{players: [{one}, {other}], "
            "score: 6-6}\nsources:\n- {source: book}\n"
        )
    (problem,) = check_pairs(load(events))
    assert problem.message == "pairs/ab-v-cd-v-ef.html is the page of two pairs of players"


def test_the_texts_of_this_site_have_no_problems():
    addresses = Addresses(load(MINISITE / "events"), ROOT / "static", is_whole=False)
    assert list(check_content(ROOT / "content", addresses)) == []
