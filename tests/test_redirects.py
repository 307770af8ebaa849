"""Former ids: redirects to the current pages, and no address claimed twice."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import edited_minisite
import pytest
from conftest import TEXTS, build_site
from published import csv_rows

from edo.history.dataset import load, read_all

GUIDE = (TEXTS / "publishing.md").read_text()


def with_former_ids(events: Path) -> Path:
    """Give former ids to Byrd and the knock-out."""
    byrd = ("  born: 1850", "  former_ids: [bird-lucie, byrd-l]\n  born: 1850")
    edited_minisite.replace(events, "players/b.yaml", byrd)
    edited_minisite.replace(
        events, "1881/springfield-1881.yaml", ("sources:", "former_ids: [springfield-ko]\nsources:")
    )
    return events


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("moved")
    address = ("--base-url", "https://example.org/chess/")
    return build_site(
        with_former_ids(edited_minisite.copy(place / "events")), place / "site", *address
    )


REDIRECTS = {
    "players/bird-lucie.html": "players/byrd-lucy.html",
    "players/byrd-l.html": "players/byrd-lucy.html",
    "events/springfield-ko.html": "events/springfield-1881.html",
    "pairs/bird-lucie-v-castle-hugo.html": "pairs/byrd-lucy-v-castle-hugo.html",
    "pairs/byrd-l-v-castle-hugo.html": "pairs/byrd-lucy-v-castle-hugo.html",
    "pairs/bird-lucie-v-dunn-george.html": "pairs/byrd-lucy-v-dunn-george.html",
    "pairs/byrd-l-v-dunn-george.html": "pairs/byrd-lucy-v-dunn-george.html",
}


@pytest.mark.parametrize(("old", "new"), REDIRECTS.items())
def test_an_old_address_redirects_to_the_current_page(old: str, new: str, site: Path):
    html = (site / old).read_text()
    name = Path(new).name
    assert f'<meta http-equiv="refresh" content="0; url={name}">' in html
    assert '<meta name="robots" content="noindex">' in html
    assert f'<link rel="canonical" href="https://example.org/chess/{new}">' in html
    assert re.search(rf'<a href="{name}">[^<]+</a> is at another address now', html)
    assert "Cite this page" not in html
    assert (site / new).is_file()


def test_there_are_no_other_redirects_and_the_sitemap_lists_only_current_pages(site: Path):
    redirects = {
        str(path.relative_to(site))
        for path in site.rglob("*.html")
        if 'http-equiv="refresh"' in path.read_text()
    }
    assert redirects == set(REDIRECTS)
    listed = (site / "sitemap.xml").read_text()
    assert not [old for old in REDIRECTS if old in listed]
    assert all(new in listed for new in REDIRECTS.values())
    former = {row["id"]: row["former_ids"] for row in csv_rows(site, "players.csv")}
    assert former["byrd-lucy"] == "bird-lucie|byrd-l"


def test_a_browser_follows_the_redirect(site: Path, browser: Any):
    page = browser.new_page()
    page.goto((site / "players" / "bird-lucie.html").as_uri())
    page.wait_for_url("**/players/byrd-lucy.html")
    assert page.locator("h1").inner_text().startswith("Byrd, Lucy")
    page.close()


def test_a_player_and_an_event_may_have_the_same_former_id(events: Path):
    with_former_ids(events)
    castle = ("  country: SHE", "  former_ids: [springfield-ko]\n  country: SHE")
    edited_minisite.replace(events, "players/c.yaml", castle)
    assert load(events).players["castle-hugo"].former_ids == ("springfield-ko",)


def test_the_example_in_the_guide_is_valid(events: Path):
    sample = re.search(r"^    (eames-walter:\n(?:    .+\n)+)", GUIDE, re.M)
    assert sample
    (events / "players" / "e.yaml").write_text(sample[1].replace("\n    ", "\n"))
    read, warnings = read_all(events)
    assert read.players["eames-walter"].former_ids == ("eams-w",)
    assert not [warning for warning in warnings if "players/e.yaml" in warning.path]
