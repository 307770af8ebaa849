"""Histories at the edge of what can be rated: rated, or refused with a word; all links lead."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

from edo.checks import run as checks
from edo.history import dataset
from edo.history.project import Project, read_site_config
from edo.rating import edo
from edo.rating.games import games_of
from edo.site.input import SiteInput, read_site_input
from edo.site.pages.systems import _estimate
from edo.systems.all_ratings import rate_all
from edo.systems.elo_davidson import Davidson

REGISTRIES = {
    "sources.yaml": "book:\n  title: Book\n",
    "places.yaml": "riga:\n  name: Riga\n",
    "odds.yaml": "pawn:\n  name: Pawn\n  points: 100\n",
    "series.yaml": "cup:\n  name: Cup\n",
    "players/a.yaml": "ant-ann:\n  name: Ant, Ann\n",
    "players/b.yaml": "bee-bob:\n  name: Bee, Bob\n",
    "players/z.yaml": "zukertort-johannes:\n  name: Zukertort, Johannes\n",
}


def event(year: int, first: str, second: str, score: str) -> dict[str, str]:
    return {
        f"{year}/match-{year}.yaml": f"name: Match\nkind: match\nyear: {year}\n"
        f"pairings:\n- {{players: [{first}, {second}], score: {score}}}\n"
        "sources: [{source: book}]\n"
    }


def write(files: dict[str, str], folder: Path) -> None:
    """Write a history into the folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def site_of(files: dict[str, str], folder: Path) -> SiteInput:
    """Return the input of the site of a history written into the folder."""
    write(files, folder)
    found = dataset.load(folder)
    project = Project(ROOT, folder, ROOT / "content")
    ratings = edo.publish(found, edo.run(games_of(found)))
    site = read_site_input(project, read_site_config(project.config_file), found, ratings)
    return replace(site, systems=rate_all(games_of(found)))


LINKED = event(1882, "zukertort-johannes", "ant-ann", "3-2")


def told(files: dict[str, str], folder: Path) -> list[tuple[str, str, str]]:
    """Return path, severity and message of all that is said of a history."""
    write({**REGISTRIES, **files}, folder)
    reading = checks.read(folder)
    problems = {*reading.problems, *checks.warnings(reading.dataset, whole=False, rated=None)}
    return [(p.path, p.severity, p.message) for p in sorted(problems) if p.warning in ("", "age")]


@pytest.mark.parametrize(
    ("year", "severity"),
    [(1970, None), (1971, "warning"), (2082, "warning"), (2083, "error"), (2999, "error")],
)
def test_careers_longer_than_a_life_are_doubted_and_endless_ones_refused(
    year: int, severity: str | None, tmp_path: Path
):
    found = told({**LINKED, **event(year, "ant-ann", "bee-bob", "1-1")}, tmp_path)
    message = f"`ant-ann` plays {year - 1882:,} years after his first games, of 1882"
    said = (f"events/{year}/match-{year}.yaml", severity, message)
    assert [one for one in found if "years after" in one[2]] == ([said] if severity else [])


def test_where_the_birth_is_known_the_age_is_doubted_alone(tmp_path: Path):
    born = {"players/a.yaml": "ant-ann:\n  name: Ant, Ann\n  born: '1860'\n"}
    found = told({**LINKED, **event(1971, "ant-ann", "bee-bob", "1-1"), **born}, tmp_path)
    ages = [message for _, _, message in found if "plays" in message]
    assert ages == ["`ant-ann` plays at the age of at least 110"]  # 111 once the birthday is past


def test_games_split_off_into_years_long_before_are_refused_too(tmp_path: Path):
    split = event(1882, "zukertort-johannes", "ant-ann", "3-2, year: 1000")
    refused = [message for _, severity, message in told(split, tmp_path) if severity == "error"]
    assert refused == [
        "`ant-ann` plays 882 years after his first games, of 1000",
        "`zukertort-johannes` plays 882 years after his first games, of 1000",
    ]


@pytest.mark.parametrize(
    ("score", "games"),
    [
        ("600-400", None),
        ("600-400½", "1000½"),
        ("200000-100000", "300000"),
        ("+99999 =1", "100000"),
    ],
)
def test_more_games_than_two_ever_played_are_refused(score: str, games: str | None, tmp_path: Path):
    found = told(event(1882, "zukertort-johannes", "ant-ann", f"{score}, soft: x"), tmp_path)
    message = f"{games} games of two players, more than 1,000"
    assert [one[1:] for one in found] == ([("error", message)] if games else [])


@pytest.mark.parametrize(("points", "errors"), [("2000", 0), ("2000.5", 1), ("999999", 1)])
def test_odds_at_which_all_chances_are_none_or_all_are_refused(
    points: str, errors: int, tmp_path: Path
):
    kinds = {"odds.yaml": f"army:\n  name: Army\n  points: {points}\n"}
    found = told({**LINKED, **kinds}, tmp_path)
    refused = ("events/odds.yaml", "error", "odds of more than 2,000 points")
    assert found == [refused] * errors


def test_the_largest_odds_and_scores_that_are_let_in_can_be_rated(tmp_path: Path):
    files = {
        **REGISTRIES,
        "odds.yaml": "army:\n  name: Army\n  points: 2000\n",
        **event(1881, "ant-ann", "bee-bob", "999-1"),
        **event(1882, "zukertort-johannes", "ant-ann", "999-1"),
        **event(1883, "bee-bob", "ant-ann", "2-2, odds: {giver: ant-ann, kind: army}"),
    }
    site = site_of(files, tmp_path / "events")
    assert all(np.isfinite(year.rating) for years in site.ratings.years.values() for year in years)
    for column in site.systems.columns:
        assert column.refused is None, column
        assert not np.isinf(column.rating).any(), column.system.slug
        assert column.log_evidence is None or np.isfinite(column.log_evidence)


def test_where_all_games_are_at_odds_systems_say_that_they_have_none(tmp_path: Path):
    odds = "3-2, odds: {giver: zukertort-johannes, kind: pawn}"
    site = site_of(
        {**REGISTRIES, **event(1882, "zukertort-johannes", "ant-ann", odds)}, tmp_path / "events"
    )
    refused = {c.system.slug: c.refused for c in site.systems.columns if c.refused is not None}
    no_games = "there are no games to rate; add results without odds"
    assert refused["bayeselo"] == refused["elostat"] == no_games
    assert len(site.ratings.years[1882]) == 2


def test_the_chance_of_an_upset_has_a_logarithm_however_small_it_is():
    """Of a draw at x nats less than even, kappa e^x / (e^2x + kappa e^x + 1) is about kappa e^x."""
    model = Davidson(0.5, 0.0)
    x = 1e6 / model.scale
    logs = model.log_chances(np.array([-1e6]), np.zeros(1))
    assert logs.ravel() == pytest.approx([-2 * x, np.log(0.5) - x, 0.0])


def test_estimates_that_are_nothing_but_rounding_are_shown_as_0():
    assert [_estimate(x) for x in (-1.28e-15, 0.0, 0.0358, -36.91, 153.2)] == [
        "0.0000", "0.00", "0.0358", "−36.9", "153",
    ]  # fmt: skip
