"""Event files that pass the check can be built, however unusual; each was found by a generator."""

from __future__ import annotations

import csv
import re
import shutil
from pathlib import Path

import pytest
from conftest import MINISITE, ROOT

import build

EVENTS = {
    "unrated-1886": "kind: match\nyear: 1886\nunrated: Blindfold play.\npairings:\n"
    "- {players: [finch-ada, zukertort-johannes], score: 7-5}\n",
    # three more points than the linear formula could give to a pair of twelve games
    "one-sided-1886": "kind: tournament\nyear: 1886\ncompleteness: incomplete\n"
    "missing: Most games.\ngames_per_pair: 12\nrest: from totals\n"
    "pairings:\n- {players: [castle-hugo, dunn-george], games: 1}\n"
    "totals: |\n  castle-hugo 23½\n  dunn-george 12\n  byrd-lucy ½\n",
    "uncounted-1886": "kind: match\nyear: 1886\npairings:\n"
    "- {players: [finch-ada, dunn-george], games: 0=, uncounted: A trial.}\n",
    "two-years-1886": "kind: match\nyear: 1886\npairings:\n"
    "- {players: [byrd-lucy, eames-walter], score: ½-½, year: 1885}\n"
    "- {players: [byrd-lucy, eames-walter], score: 3-8}\n",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shapes")
    events = Path(shutil.copytree(MINISITE / "events", folder / "events"))
    for id_, text in EVENTS.items():
        path = events / "1886" / f"{id_}.yaml"
        path.write_text(f"name: {id_}\n{text}sources: [{{source: book, where: p. 1}}]\n")
    out = folder / "site"
    arguments = ["--events", str(events), "--content", str(ROOT / "content"), "--out", str(out)]
    assert build.main(arguments) == 0
    return out


def facts(page: Path) -> dict[str, str]:
    """Return the facts at the head of a page as plain text."""
    found = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page.read_text(), re.DOTALL)
    return {term: re.sub("<.*?>", "", text) for term, text in found}


def test_a_pair_without_rated_games_has_a_page_without_a_score(site: Path) -> None:
    page = site / "pairs/finch-ada-v-zukertort-johannes.html"
    assert facts(page)["Score"] == "–" and facts(page)["Rated"] == "none of these games"
    assert "12 games, none of them counted." in page.read_text()


def test_a_match_without_a_game_that_counts_has_no_winner(site: Path) -> None:
    row = (site / "years/1886.html").read_text().split("uncounted-1886</a>")[1].split("</tr>")[0]
    assert "dunn" not in row.lower() and "finch" not in row.lower()


def test_derived_scores_lie_between_nothing_and_all_games(site: Path) -> None:
    with (site / "data/pairings.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["event"] == "one-sided-1886"]
    derived = [row for row in rows if row["basis"] == "totals"]
    assert len(derived) == 3
    assert all(0 <= float(row["score_a"]) <= float(row["games"]) for row in derived)
    assert "one-sided-1886" in (site / "pairs/castle-hugo-v-dunn-george.html").read_text()


def test_a_part_of_a_split_score_is_not_taken_for_a_draw(site: Path) -> None:
    assert facts(site / "pairs/byrd-lucy-v-eames-walter.html")["Won, drawn, lost"] == "+– =– −–"
