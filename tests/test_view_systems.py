"""What the pages show of other rating systems, against invented ratings of a made-up world."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from conftest import MINISITE, ROOT
from rendered import rendered
from sample_history import ANSWERS, DATASET, RATINGS
from sample_systems import SYSTEMS, combined

from edo.export import ratings as rating_tables
from edo.export.files import csv_bytes
from edo.export.table import History
from edo.history.dataset import load
from edo.rating.games import Games, games_of
from edo.site.input import SiteInput, read_texts
from edo.site.markup import split
from edo.site.pages import systems
from edo.systems.all_ratings import SYSTEMS as REAL
from edo.systems.base import System

TEXT = "# {}\n\nWhat it is.\n\nWhat it assumes, and [more](/systems/index.html).\n"
CONTENT = {f"system-{one.slug}": TEXT.format(one.name) for one in SYSTEMS}
ALONGSIDE = combined()
SITE = SiteInput(DATASET, RATINGS, CONTENT, None, "0" * 12, "1.0", ANSWERS, systems=ALONGSIDE)


@pytest.fixture(autouse=True)
def invented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems, "SYSTEMS", SYSTEMS)


def column(slug: str):
    found = ALONGSIDE.column(slug)
    assert found is not None
    return found


def test_of_a_decade_everybody_has_his_best_year_with_games():
    everybody = np.ones(len(ALONGSIDE.player_years.year), bool)
    ((decade, at),) = systems.leading_of_decades(ALONGSIDE, column("edo"), everybody)
    years = [int(ALONGSIDE.player_years.year[k]) for k in at]
    assert decade == 1850
    assert years == [1853, 1850, 1851, 1853]  # Alder, Birch, offhand, Cedar


def test_the_farthest_from_edo_are_years_with_games_one_of_each():
    # Alder's -300 in 1850 beats her other years; the rest are +100 away (Cedar) or 0.
    step, edo = column("step"), column("edo")
    at = systems.farthest(ALONGSIDE, step, edo, 2)
    assert [int(k) for k in at] == [0, 9]
    assert (step.rating - edo.rating)[at] == pytest.approx([-300, 100])


def test_spread_and_distance_are_over_the_years_that_both_rate():
    step, edo = column("step"), column("edo")
    found = systems.spread_and_difference(ALONGSIDE, step, edo)
    assert found is not None
    # differences after the shift: -300, 0, 100, 0, 0, 0, 0, 100, -25
    assert found[1] == pytest.approx(525 / 9)
    nine = [1700.4, 2100, 2263, 1900, 1950, 1940, 1920, 1900, 1795]
    assert found[0] == pytest.approx(float(np.std(nine)))
    assert systems.spread_and_difference(ALONGSIDE, column("shy"), edo) is None


def test_a_system_that_refuses_has_a_page_that_says_so():
    html = rendered(systems.pages, SITE, "systems/shy.html").html
    assert "It could not rate these results.</strong> the network is too small" in html
    assert "Parameters" in html and "The top ten" not in html


def test_the_ratings_of_all_systems_are_published():
    table, history = rating_tables.SYSTEM_RATINGS, History(DATASET, RATINGS, ANSWERS, ALONGSIDE)
    lines = csv_bytes(table, table.rows(history)).decode().splitlines()
    assert lines[:2] == [
        "player,year,system,rating,deviation",
        "alder-anna,1850,edo,2000.4,50.0",
    ]
    assert "alder-anna,1850,step,1700.4," in lines
    assert len(lines) == 1 + 12 + 10
    (_, _, shy) = rating_tables.SYSTEMS.rows(history)
    assert shy[5:] == (0, 0.0, None, "the network is too small")


def test_every_real_system_has_its_text():
    content = read_texts(ROOT / "content")
    for system in REAL:
        title, lead, rest = split(content[f"system-{system.slug}"], system.slug)
        assert title and lead.endswith((".", "…")) and len(rest) > 500, system.slug


@pytest.fixture(scope="module")
def minisite_games() -> Games:
    return games_of(load(MINISITE / "events"))


@pytest.mark.parametrize("system", REAL, ids=lambda system: system.slug)
def test_what_the_list_says_of_a_system_is_what_it_does(system: System, minisite_games: Games):
    games = minisite_games
    plain = system.rate(games, system.parameters)
    half, sign = games.draws / 2, np.where(np.arange(len(games.draws)) % 2, -1, 1)
    others = {
        "colours": replace(games, colour=sign * games.colour),
        "draws": replace(games, wins=games.wins + half / 2, draws=half,
                         losses=games.losses + half / 2),
        "odds": replace(games, odds=1.5 * games.odds),
    }  # fmt: skip
    assert all(np.any(getattr(games, name) != 0) for name in ("colour", "draws", "odds"))
    for name, changed in others.items():
        rated = system.rate(changed, system.parameters)
        is_same = rated.log_evidence == pytest.approx(plain.log_evidence) and np.allclose(
            rated.rating, plain.rating, atol=0.01, equal_nan=True
        )
        assert is_same != (name in system.uses), name
