"""What the pages show of other rating systems, against invented ratings of a made-up world."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from conftest import MINISITE, ROOT
from other_systems import NAN, SYSTEMS, alongside, rate_as
from view_world import ALDER, ANSWERS, BIRCH, CEDAR, DATASET, RATINGS, YEW

from edo.core.problems import EdoError
from edo.export import system_tables
from edo.export.datafiles import csv_bytes
from edo.export.tabular import History
from edo.history.dataset import load
from edo.rating.edo import PlayerYear
from edo.site.charts.overlay import overlay
from edo.site.compare_data import system_files
from edo.site.input import Link, SiteInput
from edo.site.pages import leading, system_list, systems, year_systems
from edo.site.pages import player_systems as player_systems_view
from edo.site.pages.compare import compare_view
from edo.site.pages.leading import Leader
from edo.site.pages.material import Material
from edo.site.pages.player_systems import PlayerSystems, player_systems
from edo.site.pages.year import year_view
from edo.site.render import read_content, render
from edo.systems.alongside import rate_all
from edo.systems.entries import SYSTEMS as REAL
from edo.systems.games import Games, games_of
from edo.systems.system import System

TEXT = "# {}\n\nWhat it is.\n\nWhat it assumes, and [more](/systems/index.html).\n"
CONTENT = {f"system-{one.slug}": TEXT.format(one.name) for one in SYSTEMS}
ALONGSIDE = alongside()
SITE = SiteInput(DATASET, RATINGS, CONTENT, None, "0" * 12, "1.0", ANSWERS, systems=ALONGSIDE)
MOVED = 100  # by which the second system is moved: 900 / 9


@pytest.fixture(autouse=True)
def invented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems, "SYSTEMS", SYSTEMS)
    monkeypatch.setattr(system_list, "SYSTEMS", SYSTEMS)


def column(slug: str):
    found = ALONGSIDE.column(slug)
    assert found is not None
    return found


def test_the_leading_of_a_year_are_all_who_are_rated_the_best_first():
    # 1851 by the second system, moved by 100: Yew 2600, Alder 2100, Birch 1940, offhand and
    # Cedar 1900 each, of whom Alder's offhand identity stands first in the order of ids.
    at = leading.of_year(ALONGSIDE, column("step"), 1851)
    assert [ALONGSIDE.players[ALONGSIDE.careers.player[k]] for k in at] == [
        YEW, ALDER, BIRCH, "alder-anna-offhand", CEDAR,
    ]  # fmt: skip
    assert leading.of_year(ALONGSIDE, column("step"), 1852).size == 0
    assert len(leading.of_year(ALONGSIDE, column("edo"), 1852)) == 3


def test_of_a_decade_everybody_has_his_best_year_with_games():
    ((decade, at),) = leading.of_decades(ALONGSIDE, column("edo"))
    years = [int(ALONGSIDE.careers.year[k]) for k in at]
    assert decade == 1850
    assert years == [1853, 1850, 1851, 1853]  # Alder, Birch, offhand, Cedar


def test_the_farthest_from_edo_are_years_with_games_one_of_each():
    # Alder's -300 in 1850 beats her other years; the rest are +100 away (Cedar) or 0.
    step, edo = column("step"), column("edo")
    at = leading.farthest(ALONGSIDE, step, edo, 2)
    assert [int(k) for k in at] == [0, 9]
    assert (step.rating - edo.rating)[at] == pytest.approx([-300, 100])


def test_spread_and_distance_are_over_the_years_that_both_rate():
    step, edo = column("step"), column("edo")
    found = leading.spread_and_difference(ALONGSIDE, step, edo)
    assert found is not None
    # differences after the shift: -300, 0, 100, 0, 0, 0, 0, 100, 100
    assert found[1] == pytest.approx(600 / 9)
    nine = [1700.4, 2100, 2263, 1900, 1950, 1940, 1920, 1900, 1920]
    assert found[0] == pytest.approx(float(np.std(nine)))
    assert leading.spread_and_difference(ALONGSIDE, column("shy"), edo) is None


def test_the_list_of_all_systems():
    view = system_list.systems_view(SITE)
    rows = [
        (r.system, r.later, r.changes, r.odds, r.deviations, r.players, r.differs, r.refused)
        for r in view.rows
    ]
    assert rows == [
        (Link("Edo", "systems/edo.html"), "yes", "yes", "yes", "yes", "4", "–", None),
        (Link("Step by step", "systems/step.html"), "", "yes", "", "", "5", "67", None),
        (Link("Shy", "systems/shy.html"), "yes", "", "", "", "0", "–", "the network is too small"),
    ]
    assert view.known == "5"
    assert view.decades == ("1850s",)
    assert view.leaders[0].leaders == (
        Leader(Link("Alder, Anna, Ms.", f"players/{ALDER}.html#systems"), "2163 (50)", "1853"),
    )
    assert view.leaders[1].leaders == (
        Leader(Link("Yew", f"players/{YEW}.html#systems"), "2600", "1851"),
    )
    assert view.leaders[2].leaders == (None,)


def test_the_list_says_what_each_real_system_makes_use_of(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(system_list, "SYSTEMS", REAL)
    rows = {row.system.target: row for row in system_list.systems_view(SITE).rows}
    said = {
        slug: [name for name in ("later", "colours", "draws", "odds") if getattr(row, name)]
        for slug in ("elo-fide", "sonas", "bayeselo", "ttt", "trueskill", "edo")
        for row in [rows[f"systems/{slug}.html"]]
    }
    assert said == {
        "elo-fide": [],
        "sonas": ["colours"],
        "bayeselo": ["later", "colours", "draws"],
        "ttt": ["later", "draws"],
        "trueskill": ["draws"],
        "edo": ["later", "odds"],
    }


def test_the_page_of_a_system():
    pages = {page.path: page for page in systems.pages(SITE)}
    view = pages["systems/step.html"].view()
    assert isinstance(view, systems.SystemView)
    assert view.lead == "What it is."
    assert '<a href="index.html">more</a>' in view.text
    assert (view.players, view.player_years, view.without_edo) == ("5", "10", "1")
    edo = pages["systems/edo.html"].view()
    assert isinstance(edo, systems.SystemView)
    assert (edo.players, edo.player_years, edo.without_edo) == ("4", "12", "0")
    assert (view.shift, view.log_evidence) == ("+100", "−12.3")
    assert [(p.name, p.value, p.source) for p in view.parameters] == [
        ("step", "32 Elo", "a made-up book")
    ]
    assert view.fitted == (("draw Elo", "97.3"),)
    assert [one.player.text for one in view.decades[0].leaders if one is not None] == [
        "Yew", "Alder, Anna, Ms.", "Birch", "Čedar", "Alder, Anna (offhand), Ms.",
    ]  # fmt: skip
    years = [one.year for one in view.decades[0].leaders if one is not None]
    assert years == ["1851", "1853", "1850", "1853", "1851"]
    assert view.farthest[0] == systems.FarRow(
        player=Link("Alder, Anna, Ms.", f"players/{ALDER}.html#systems"),
        year=Link("1850", "years/1850-systems.html"),
        rating="1700",
        edo="2000 (50)",
        difference="−300",
    )
    assert (view.before, view.after) == (
        Link("Edo", "systems/edo.html"),
        Link("Shy", "systems/shy.html"),
    )


def test_a_system_that_refuses_has_a_page_that_says_so():
    html = dict(render(systems.pages(SITE), SITE))["systems/shy.html"].decode()
    assert "It rates nothing here.</strong> the network is too small" in html
    assert "Parameters" in html and "leading ten" not in html


def test_a_system_without_a_text_is_refused():
    site = replace(SITE, content={k: v for k, v in CONTENT.items() if k != "system-step"})
    with pytest.raises(EdoError, match=r"^content/system-step\.md: not there; write what Step"):
        list(systems.pages(site))


def test_the_years_have_a_page_each_and_lead_to_it():
    pages = {page.path: page for page in year_systems.pages(SITE)}
    assert list(pages) == [f"years/{year}-systems.html" for year in range(1850, 1854)]
    view = pages["years/1852-systems.html"].view()
    assert isinstance(view, year_systems.YearSystemsView)
    (row,) = view.rows  # the second system rates nobody without games
    assert row.head.text == "Edo" and len(row.leaders) == 10
    assert [one.rating for one in row.leaders if one is not None] == [
        "2132 (50)", "1930 (50)", "1810 (50)",
    ]  # fmt: skip
    assert all(one.is_gap for one in row.leaders if one is not None) and view.has_gaps
    assert not any(one.year for one in row.leaders if one is not None)  # all are of 1852
    assert (view.before, view.after) == (
        Link("1851", "years/1851-systems.html"),
        Link("1853", "years/1853-systems.html"),
    )
    index = Material.of(DATASET, RATINGS).index
    year = year_view(1852, (1851, 1853), SITE, index)
    assert year.systems is not None and year.systems.target == "years/1852-systems.html"
    assert (
        year_view(1852, (1851, 1853), replace(SITE, systems=type(ALONGSIDE)()), index).systems
        is None
    )


def section(player: str) -> PlayerSystems | None:
    material = Material.of(DATASET, RATINGS, ANSWERS, ALONGSIDE)
    return player_systems(DATASET.players[player], material)


def test_the_section_of_a_player():
    found = section(ALDER)
    assert found is not None and found.has_edo
    assert [(r.number, r.highest, r.against) for r in found.rows] == [
        ("Edo", "2163 (50)", "–"),
        ("1", "2263", "−67"),  # the mean of -300, 0 and 100
    ]
    assert found.rows[0].in_year == Link("1853", "years/1853-systems.html")
    assert [(y.year, y.is_gap, y.ratings) for y in found.years] == [
        ("1850", False, ("2000", "1700")),
        ("1851", False, ("2100", "2100")),
        ("1852", True, ("2132", "–")),
        ("1853", False, ("2163", "2263")),
    ]
    assert found.drawing is None, "of four years there is too little to look at"


def test_each_system_but_edo_has_its_line_in_the_drawing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(player_systems_view, "DRAWN", 4)  # as many years as Alder has
    found = section(ALDER)
    assert found is not None
    # Edo's own curve with its band is behind every line, so that it has no line itself.
    assert found.drawing == overlay(
        RATINGS.players[ALDER], [[(1850, 1700.4), (1851, 2100.0), (1853, 2263.0)]]
    )
    assert [row.points for row in found.rows] == [None, *found.drawing.lines]
    assert found.drawing.edo


def test_a_section_tells_of_years_with_games_alone():
    # Alder's best of all years is the one without games; who has one rating has no best year.
    edo = [2000.0, 2100, 2300, 2163, 1900, 1950, 1940, 1930, 1920, 1800, 1810, 1820, NAN]
    still = [2081.0] * 4 + [1900.0] + [1950.0] * 4 + [1800.0] * 3 + [2100.0]
    deviations = [40.0 + k for k in range(13)]
    first, _, other = SYSTEMS
    systems = (
        replace(first, rate=partial(rate_as, edo, deviations)),
        replace(other, rate=partial(rate_as, still, [NAN] * 13)),
    )
    found = rate_all(games_of(DATASET), systems)
    material = Material.of(DATASET, RATINGS, ANSWERS, found)
    alder, birch = (player_systems(DATASET.players[one], material) for one in (ALDER, BIRCH))
    assert alder is not None and birch is not None
    assert [(r.highest, r.in_year and r.in_year.text, r.against) for r in alder.rows] == [
        ("2163 (43)", "1853", "–"),
        ("2081", None, "−7"),  # the mean of 81, -19 and -82
    ]
    assert [(r.highest, r.in_year and r.in_year.text, r.against) for r in birch.rows] == [
        ("1950 (45)", "1850", "–"),
        ("1950", None, "+13"),  # the mean of 0, 10 and 30
    ]


def test_who_is_rated_by_others_alone_has_a_section_too():
    found = section(YEW)
    assert found is not None and not found.has_edo
    assert [(r.number, r.highest, r.against) for r in found.rows] == [("1", "2600", "–")]
    assert player_systems(DATASET.players[YEW], Material.of(DATASET, RATINGS)) is None


def test_curves_over_each_other():
    # Ten years at least, 1847-1857, on the 174 of width that are left; 32 a hundred Elo.
    runs = [[(1850, 2000.0), (1854, 2100.0)], [(1850, 2150.0), (1854, 2101.0)]]
    drawn = overlay((), runs)
    assert (drawn.left, drawn.right, drawn.bottom) == (46.0, 220.0, 10.0 + 3 * 32.0)
    assert [tick.label for tick in drawn.rating_ticks] == ["1900", "2000", "2100", "2200"]
    # Years stand at steps of two, of which every second or third is left: three at most.
    assert [tick.label for tick in drawn.year_ticks] == ["1848", "1852", "1856"]
    y = {r: round(drawn.bottom - (r - 1900) * 0.32, 1) for r in (2000, 2100, 2150, 2101)}
    assert drawn.lines == (
        f"98.2,{y[2000]:g} 167.8,{y[2100]:g}",
        f"98.2,{y[2150]:g} 167.8,{y[2101]:g}",
    )
    with pytest.raises(ValueError, match="at least one"):
        overlay((), [])


def test_the_site_s_own_curve_with_its_band_counts_in_the_drawing():
    years = tuple(
        PlayerYear("a", year, rating, deviation, rating, deviation, 1, 1.0, 2.0)
        for year, rating, deviation in ((1850, 2000.0, 120.0), (1861, 2100.0, 70.0))
    )
    drawn = overlay(years, [])
    low, line, high = ([(1850, 2000.0 + way * 120), (1861, 2100.0 + way * 70)]
                       for way in (-1, 0, 1))  # fmt: skip
    same = overlay((), [low, line, high])
    assert (drawn.bottom, drawn.rating_ticks) == (same.bottom, same.rating_ticks)
    assert drawn.year_ticks == same.year_ticks
    (stretch,) = drawn.edo
    assert stretch.line == same.lines[1]
    assert set(stretch.band.split()) == {*same.lines[0].split(), *same.lines[2].split()}
    runs = [[(1855, 2400.0)], [(1840, 2050.0)]]
    both = overlay(years, runs)
    assert both.lines == overlay((), [*runs, low, line, high]).lines[:2]


def test_the_labels_of_a_small_drawing_are_few():
    drawn = overlay((), [[(1850, 1700.0), (1899, 2600.0)]])
    assert [tick.label for tick in drawn.rating_ticks] == ["1700", "1900", "2100", "2300", "2500"]
    assert len(drawn.year_ticks) == 3


def test_the_ratings_of_all_systems_are_published():
    table = system_tables.SYSTEM_RATINGS
    text = csv_bytes(table, table.rows(History(DATASET, RATINGS, ANSWERS, ALONGSIDE))).decode()
    lines = text.splitlines()
    assert lines[0] == "player,year,system,rating,deviation"
    assert lines[1] == "alder-anna,1850,edo,2000.4,50.0"
    assert "alder-anna,1850,step,1700.4," in lines
    assert len(lines) == 1 + 12 + 10
    (_, step, shy) = system_tables.SYSTEMS.rows(History(DATASET, RATINGS, ANSWERS, ALONGSIDE))
    assert step == (
        "step",
        "Step by step",
        "A. N. Other",
        1950,
        "forwards",
        10,
        MOVED,
        -12.34,
        None,
    )
    assert shy[5:] == (0, 0.0, None, "the network is too small")


def test_compare_offers_the_systems_that_rate_anybody():
    view = compare_view(DATASET, RATINGS, ANSWERS, ALONGSIDE)
    assert view.systems == (("step", "Step by step"),)
    ((path, script),) = system_files(RATINGS, ALONGSIDE)
    assert path == "compare/by_step.js"
    assert script.decode() == (
        'edoCompare.system({"id":"step","players":{"alder-anna":[[1700,2100,null,2263],[]],'
        '"alder-anna-offhand":[[1900],[]],"birch-bo":[[1950,1940,null,1920],[]],'
        '"cedar-cy":[[1900,null,1920],[]]}});\n'
    )


def test_every_real_system_has_its_text():
    content = read_content(ROOT / "content")
    for system in REAL:
        title, lead, rest = systems.text_of(content, system)
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
