"""The built site of the real history: every link, every id, every number anyone could check."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urldefrag

import html5lib
import numpy as np
import pytest
from published import csv_rows

ELO = 400 / np.log(10)


def html_files(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


HREF = re.compile(r'\s(?:href|src)="([^"]*)"')
ID = re.compile(r'\sid="([^"]*)"')


@pytest.fixture(scope="module")
def texts(site: Path) -> dict[str, str]:
    return {p.relative_to(site).as_posix(): p.read_text() for p in html_files(site)}


@cache
def target(folder: str, href: str) -> tuple[str, str] | None:
    """Return the file and the fragment of a link of a page in a folder, None if it leads away."""
    url, fragment = urldefrag(href.replace("&amp;", "&"))
    if re.match(r"[a-z]+:", url):
        return None
    assert not url.startswith("/"), f"{href} in {folder} does not work from a sub-path"
    path = unquote(url.partition("?")[0])
    return posixpath.normpath(posixpath.join(folder, path)) if path else "", unquote(fragment)


@pytest.mark.slow
def test_every_link_and_anchor_resolves(site: Path, texts: dict[str, str]):
    ids = {page: set(ID.findall(text)) for page, text in texts.items()}
    files = {p.relative_to(site).as_posix() for p in site.rglob("*") if p.is_file()}
    missing = Counter()
    for page, text in texts.items():
        for href in set(HREF.findall(text)):
            path, fragment = target(posixpath.dirname(page), href) or (page, "")
            path = path or page
            if path not in files:
                missing[f"{page} -> {path}"] += 1
            elif fragment and fragment not in ids.get(path, {fragment}):
                missing[f"{page} -> {path}#{fragment}"] += 1
    assert not missing, missing.most_common(20)


def test_pages_are_whole(texts: dict[str, str]):
    for page, text in texts.items():
        ids = ID.findall(text)
        assert len(ids) == len(set(ids)), f"{page}: {Counter(ids).most_common(3)}"
        assert text.startswith("<!DOCTYPE html>") and '<html lang="en"' in text, page
        assert len(re.findall(r"<title>[^<]+</title>", text.split("<svg")[0])) == 1, page
        assert len(re.findall(r"<h1[ >]", text)) == 1, page
        ours = r'<script(?! defer src=| type="application/ld\+json">)'
        assert not re.search(ours, text) and " style=" not in text, page
        assert "Undefined" not in text and "None</" not in text and ">nan<" not in text, page


def test_no_page_asks_a_third_party(texts: dict[str, str], site: Path):
    """No address of another host is loaded; links that people may follow are another matter."""
    loaded = re.compile(r"""<(?:script|img|link|source|iframe|audio|video|object|embed)\b[^>]*?"""
                        r"""(?:src|href|srcset|data)=["'](?:https?:)?//""")  # fmt: skip
    for page, text in texts.items():
        assert not loaded.search(re.sub(r'<link rel="canonical"[^>]*>', "", text)), page
    for path in site.rglob("*.css"):
        css = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        assert "//" not in css and "@import" not in css, path


def test_html_parses_without_errors(site: Path):
    pages = html_files(site)
    sample = [*pages[:: max(1, len(pages) // 60)], site / "index.html"]
    for page in sample:
        parser = html5lib.HTMLParser(strict=False)
        parser.parse(page.read_bytes(), transport_encoding="utf-8")
        assert not parser.errors, f"{page}: {parser.errors[:3]}"


def test_every_player_and_event_has_a_page(site: Path):
    players, events = csv_rows(site, "players.csv"), csv_rows(site, "events.csv")
    assert len(players) >= 3_800 and len(events) >= 1_600
    for folder, records in (("players", players), ("events", events)):
        present = {record["id"] for record in records}
        former = {id_ for record in records for id_ in record["former_ids"].split("|") if id_}
        assert not present & former
        pages = {path.stem for path in (site / folder).glob("*.html")}
        lists = {stem for stem in pages if stem.startswith("by_")}  # no id has the underscore
        assert pages == present | former | {"index"} | lists


def test_every_rated_player_year_is_in_the_ratings_or_says_why(site: Path):
    rated = {r["player"] for r in csv_rows(site, "ratings.csv")}
    for player in csv_rows(site, "players.csv"):
        assert (player["id"] in rated) != bool(player["unrated_reason"]), player["id"]


def refit(site: Path) -> dict[tuple[str, int], float]:
    """Fit the ratings again from pairings.csv.gz alone.

    This route shares no code with the program: dictionaries, and scipy's own solver.
    """
    pairings = csv_rows(site, "pairings.csv.gz")
    spans: dict[str, list[int]] = {}
    for p in pairings:
        for side in ("player_a", "player_b"):
            spans.setdefault(p[side], []).append(int(p["year"]))
    nodes: dict[tuple[str, int, str], int] = {}
    for player, years in spans.items():
        for year in range(min(years), max(years) + 1):
            nodes[player, year, ""] = len(nodes)
    links: list[tuple[int, int, float, float, float]] = []
    for player, years in spans.items():
        for year in range(min(years), max(years)):
            links.append((nodes[player, year + 1, ""], nodes[player, year, ""], 15.0, 30.0, 0.0))
    for p in pairings:
        ends = []
        offset = 0.0
        for side in "ab":
            player, year, odds = p[f"player_{side}"], int(p["year"]), p[f"odds_{side}"]
            if odds and p["basis"] != "results":  # of totals only the worth of the odds is known
                worth = float(p[f"odds_points_{side}"]) / ELO
                offset += worth if side == "b" else -worth
                odds = ""
            if (player, year, odds) not in nodes:
                nodes[player, year, odds] = len(nodes)
                share = 1 / (1 + 10 ** (-float(p[f"odds_points_{side}"]) / 400))
                real = nodes[player, year, ""]
                links.append((real, nodes[player, year, odds], 100 * share, 100.0, 0.0))
            ends.append(nodes[player, year, odds])
        links.append((*ends, float(p["score_a"]), float(p["games"]), offset))
    i, j = (np.array([link[k] for link in links]) for k in (0, 1))
    score, games, offset = (np.array([link[k] for link in links]) for k in (2, 3, 4))
    theta = _newton(len(nodes), i, j, score, games, offset)
    elo = theta * ELO
    elo += 2665 - elo[nodes["zukertort-johannes", 1882, ""]]
    return {(player, year): elo[k] for (player, year, odds), k in nodes.items() if not odds}


def _newton(n, i, j, score, games, offset):
    from scipy.sparse import coo_array
    from scipy.sparse.linalg import spsolve

    theta = np.zeros(n)
    for _ in range(40):
        p = 1 / (1 + np.exp(theta[j] - theta[i] - offset))
        surplus = np.zeros(n)
        np.add.at(surplus, i, score - games * p)
        np.add.at(surplus, j, games * p - score)
        w = games * p * (1 - p)
        rows = np.concatenate([i, j, i, j])
        columns = np.concatenate([i, j, j, i])
        matrix = coo_array((np.concatenate([w, w, -w, -w]), (rows, columns)), shape=(n, n)).tocsc()
        step = np.concatenate([[0], spsolve(matrix[1:, 1:], surplus[1:])])
        theta += step * min(1, 2 / np.abs(step).max())
        if np.abs(step).max() < 1e-11:
            return theta
    raise AssertionError("the second route did not converge")


@pytest.mark.slow
def test_ratings_can_be_fitted_again_from_the_pairings(site: Path):
    again = refit(site)
    published = csv_rows(site, "ratings.csv")
    assert len(again) == len(published) > 5000
    for row in published:
        got = again[row["player"], int(row["year"])]
        assert got == pytest.approx(float(row["raw_rating"]), abs=0.0006), row


def test_adjustment_and_gaps_follow_from_the_raw_numbers(site: Path):
    by_player: dict[str, list[dict[str, str]]] = {}
    for row in csv_rows(site, "ratings.csv"):
        by_player.setdefault(row["player"], []).append(row)
    for years in by_player.values():
        active = [r for r in years if float(r["games"]) > 0]
        assert active[0] is years[0] and active[-1] is years[-1]
        x = [int(r["year"]) for r in active]
        y = []
        for r in active:
            raw, s = float(r["raw_rating"]), float(r["raw_deviation"])
            y.append((raw / s**2 + 1500 / 300**2) / (1 / s**2 + 1 / 300**2))
        for r in years:
            assert float(r["rating"]) == pytest.approx(np.interp(int(r["year"]), x, y), abs=0.005)
            s = float(r["raw_deviation"])
            assert float(r["deviation"]) == pytest.approx((1 / s**2 + 1 / 9e4) ** -0.5, abs=0.001)


def test_ranks_and_totals_add_up(site: Path):
    ratings, pairings = csv_rows(site, "ratings.csv"), csv_rows(site, "pairings.csv.gz")
    games: Counter = Counter()
    score: Counter = Counter()
    for p in pairings:
        n, s = float(p["games"]), float(p["score_a"])
        games[p["player_a"], p["year"]] += n
        games[p["player_b"], p["year"]] += n
        score[p["player_a"], p["year"]] += s
        score[p["player_b"], p["year"]] += n - s
    years: dict[str, list[tuple[int, float]]] = {}
    for r in ratings:
        key = r["player"], r["year"]
        assert float(r["games"]) == pytest.approx(games[key])
        assert float(r["score"]) == pytest.approx(score[key])
        assert bool(r["rank"]) == (r["ranked"] == "yes")
        if r["rank"]:
            years.setdefault(r["year"], []).append((int(r["rank"]), float(r["rating"])))
    for listed in years.values():
        listed.sort()
        for rank, rating in listed:  # two players may be equal in the digits printed only
            higher = sum(other > rating for _, other in listed)
            equal = sum(other == rating for _, other in listed)
            assert higher + 1 <= rank <= higher + equal
        assert all(a >= b for (_, a), (_, b) in pairwise(listed))
