"""What the pages show of other rating systems, against invented ratings of a made-up world."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from conftest import MINISITE, ROOT
from rendered import Rendered, Row, rendered
from sample_history import ALDER, ANSWERS, BIRCH, CEDAR, DATASET, RATINGS, YEW
from sample_systems import NAN, SYSTEMS, combined, rate_as

from edo.core import urls
from edo.export import ratings as rating_tables
from edo.export.files import csv_bytes
from edo.export.table import History
from edo.history.dataset import load
from edo.rating.edo import PlayerYear
from edo.site.charts.rating_curve import overlay
from edo.site.compare_data import compare_files
from edo.site.input import SiteInput, read_texts
from edo.site.markup import split
from edo.site.pages import compare, player, systems, year
from edo.site.pages import player_systems as player_systems_view
from edo.site.pages.lookups import Lookups
from edo.site.pages.player_systems import PlayerSystems, player_systems
from edo.site.pages.systems import Leader
from edo.systems.all_ratings import SYSTEMS as REAL
from edo.systems.all_ratings import rate_all
from edo.systems.base import System
from edo.systems.games import Games, games_of

TEXT = "# {}\n\nWhat it is.\n\nWhat it assumes, and [more](/systems/index.html).\n"
CONTENT = {f"system-{one.slug}": TEXT.format(one.name) for one in SYSTEMS}
ALONGSIDE = combined()
SITE = SiteInput(DATASET, RATINGS, CONTENT, None, "0" * 12, "1.0", ANSWERS, systems=ALONGSIDE)
MOVED = 100  # by which the second system is moved: 900 / 9


@pytest.fixture(autouse=True)
def invented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(systems, "SYSTEMS", SYSTEMS)


def column(slug: str):
    found = ALONGSIDE.column(slug)
    assert found is not None
    return found


def test_the_leading_of_a_year_are_all_who_are_rated_the_best_first():
    # 1851 by the second system, moved by 100: Yew 2600, Alder 2100, Birch 1940, offhand and
    # Cedar 1900 each, of whom Alder's offhand identity stands first in the order of ids.
    everybody = np.ones(len(ALONGSIDE.player_years.year), bool)
    at = systems.leading_of_year(ALONGSIDE, column("step"), everybody, 1851)
    assert [ALONGSIDE.players[ALONGSIDE.player_years.player[k]] for k in at] == [
        YEW, ALDER, BIRCH, "alder-anna-offhand", CEDAR,
    ]  # fmt: skip
    assert systems.leading_of_year(ALONGSIDE, column("step"), everybody, 1852).size == 0
    assert len(systems.leading_of_year(ALONGSIDE, column("edo"), everybody, 1852)) == 3


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


def test_the_list_of_all_systems():
    page = rendered(systems.pages, SITE, urls.SYSTEMS)
    rows = page.rows("systems")
    heads = ("System", "Later", "Years", "Odds", "Dev.", "Players", "From Edo")
    assert [row.texts(*heads) for row in rows] == [
        ("Edo", "yes", "yes", "yes", "yes", "4", "–"),
        ("Step by step", "", "yes", "", "", "5", "58"),
        ("Shy", "yes", "", "", "", "0", "–"),
    ]
    assert [row.links("System") for row in rows] == [
        [("Edo", "edo.html")], [("Step by step", "step.html")], [("Shy", "shy.html")],
    ]  # fmt: skip
    assert page.html.count("could not rate these results") == 1
    assert "Shy could not rate these results.</strong> the network is too small" in page.html
    assert "of 5 with games that can be rated" in page.html
    view = systems.systems_view(SITE)
    assert view["decades"] == ["1850s"]
    assert [row.leaders for row in view["leaders"]] == [
        (Leader(ALDER, "Alder, Anna", 2163.0, 50.0, 1853),),
        (Leader(ALDER, "Alder, Anna", 2263.0, None, 1853),),  # Yew has no rank
        (None,),
    ]
    assert f'<a href="../players/{ALDER}.html#systems">Alder, Anna</a>' in page.html
    assert '<span class="aside">2163 (50), 1853</span>' in page.html
    assert '<span class="aside">2263, 1853</span>' in page.html


def test_the_list_says_what_each_real_system_makes_use_of(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(systems, "SYSTEMS", REAL)
    content = {f"system-{one.slug}": TEXT.format(one.name) for one in REAL}
    rows = rendered(systems.pages, replace(SITE, content=content), urls.SYSTEMS).rows("systems")
    by_target = {row.links("System")[0][1]: row for row in rows}
    heads = {"later": "Later", "colours": "White", "draws": "Draws", "odds": "Odds"}
    said = {
        slug: [name for name, head in heads.items() if by_target[f"{slug}.html"][head] == "yes"]
        for slug in ("elo-fide", "sonas", "bayeselo", "ttt", "trueskill", "edo")
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
    page = rendered(systems.pages, SITE, "systems/step.html")
    assert '<p class="lead">What it is.</p>' in page.html
    assert '<a href="index.html">more</a>' in page.html
    counted = "5 players, 10 player-years, 1 of them without a rating by Edo"
    assert page.facts()["Rated here"] == counted
    edo = rendered(systems.pages, SITE, "systems/edo.html")
    counted = "4 players, 12 player-years, 0 of them without a rating by Edo"
    assert edo.facts()["Rated here"] == counted
    assert page.facts()["Shifted by"].startswith("+100 points")
    assert page.facts()["Log evidence"] == "−12.3"
    (parameter,) = table_after(page, "Parameters")
    assert parameter.texts("Parameter", "Value", "Source") == ("step", "32 Elo", "a made-up book")
    assert '<th scope="row">draw Elo</th><td class="num">97.3</td>' in page.html
    (decade,) = table_after(page, "The top ten of each decade")
    leaders = [
        "Alder, Anna 2263, 1853", "Birch 1950, 1850", "Alder, Anna (offhand) 1900, 1851",
        "Čedar 1900, 1851", "",
    ]  # fmt: skip
    assert decade.texts(*map(str, range(1, 6))) == tuple(leaders)
    first = table_after(page, "Farthest from Edo")[0]
    assert first.links("Player") == [("Alder, Anna", f"../players/{ALDER}.html#systems")]
    assert first.links("Year") == [("1850", "../years/1850-systems.html")]
    assert first.texts("Step by step", "Edo", "Difference") == ("1700", "2000 (50)", "−300")
    assert page.pager() == {"prev": "edo.html", "next": "shy.html"}


def table_after(page: Rendered, label: str) -> list[Row]:
    """Return the rows of the table of that label."""
    (region,) = (one for one in page.tree.iter("div") if one.get("aria-label") == label)
    region.set("id", label)
    return page.rows(label)


def test_a_system_that_refuses_has_a_page_that_says_so():
    html = rendered(systems.pages, SITE, "systems/shy.html").html
    assert "It could not rate these results.</strong> the network is too small" in html
    assert "Parameters" in html and "The top ten" not in html


def test_the_years_have_a_page_each_and_lead_to_it():
    paths = [page.path for page in year.systems_pages(SITE)]
    assert paths == [f"years/{one}-systems.html" for one in range(1850, 1854)]
    page = rendered(year.systems_pages, SITE, "years/1852-systems.html")
    # the second system rates nobody without games
    (row,) = table_after(page, "1852 under all systems")
    assert row["System"] == "Edo" and list(row.cells)[1:] == [str(k) for k in range(1, 11)]
    # all are of 1852, so that no year stands beside the ratings
    assert [row[str(k)].rpartition(" ")[0].rpartition(" ")[2] for k in (1, 2, 3)] == [
        "2132", "1930", "1810",
    ]  # fmt: skip
    assert all(row[str(k)].endswith(" (50)") for k in (1, 2, 3)) and row["4"] == ""
    gaps = ["gap" in (row.cells[str(k)].get("class") or "") for k in (1, 2, 3)]
    assert gaps == [True] * 3 and "In italics: no games in this year." in page.html
    assert page.pager() == {"prev": "1851-systems.html", "next": "1853-systems.html"}
    assert 'href="1852-systems.html"' in rendered(year.pages, SITE, "years/1852.html").html
    without = replace(SITE, systems=type(ALONGSIDE)())
    assert "1852-systems.html" not in rendered(year.pages, without, "years/1852.html").html


def section(player_id: str) -> PlayerSystems | None:
    lookups = Lookups.of(DATASET, RATINGS, ANSWERS, ALONGSIDE)
    return player_systems(DATASET.players[player_id], lookups)


def shown(player_id: str, site: SiteInput = SITE) -> list[tuple[str, ...]]:
    """Return number, highest rating, its year and difference from Edo as the page shows them."""
    rows = rendered(player.pages, site, f"players/{player_id}.html").rows("systems-table")
    heads = [head for head in ("No.", "Highest", "In", "From Edo") if head in rows[0].cells]
    return [row.texts(*heads) for row in rows]


def test_the_section_of_a_player():
    found = section(ALDER)
    assert found is not None and found.has_own
    assert shown(ALDER) == [
        ("Edo", "2163 (50)", "1853", "–"),
        ("1", "2263", "1853", "−67"),  # the mean of -300, 0 and 100
    ]
    page = rendered(player.pages, SITE, f"players/{ALDER}.html")
    assert page.rows("systems-table")[0].links("In") == [("1853", "../years/1853-systems.html")]
    assert [(y.year, y.is_gap, y.ratings) for y in found.years] == [
        (1850, False, (2000.0, 1700.0)),
        (1851, False, (2100.0, 2100.0)),
        (1852, True, (2132.0, None)),
        (1853, False, (2163.0, 2263.0)),
    ]
    assert found.drawing is None, "of four years there is too little to look at"


def test_the_years_under_all_systems_are_shown_where_there_is_a_drawing(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(player_systems_view, "DRAWN", 4)
    page = rendered(player.pages, SITE, f"players/{ALDER}.html")
    rows = table_after(page, "Year by year under all systems")
    assert [row.texts("Year", "Edo", "1") for row in rows] == [
        ("1850", "2000", "1700"), ("1851", "2100", "2100"),
        ("1852", "2132", "–"), ("1853", "2163", "2263"),
    ]  # fmt: skip
    assert ["gap" in row.classes for row in rows] == [False, False, True, False]


def test_each_system_but_edo_has_its_line_in_the_drawing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(player_systems_view, "DRAWN", 4)  # as many years as Alder has
    found = section(ALDER)
    assert found is not None
    # Edo's own curve with its band is behind every line, so that it has no line itself.
    assert found.drawing == overlay(
        RATINGS.players[ALDER], [[(1850, 1700.0), (1851, 2100.0), (1853, 2263.0)]]
    )
    assert [row.curve for row in found.rows] == [None, *found.drawing.lines]
    assert found.drawing.stretches


def test_a_section_tells_of_years_with_games_alone():
    # Alder's best of all years is the one without games; who has one rating has no best year.
    edo = [2000.0, 2100, 2300, 2163, 1900, 1950, 1940, 1930, 1920, 1800, 1810, 1820, NAN]
    still = [2081.0] * 4 + [1900.0] + [1950.0] * 4 + [1800.0] * 3 + [2100.0]
    deviations = [40.0 + k for k in range(13)]
    first, _, other = SYSTEMS
    both = (
        replace(first, rate=partial(rate_as, edo, deviations)),
        replace(other, rate=partial(rate_as, still, [NAN] * 13)),
    )
    site = replace(SITE, systems=rate_all(games_of(DATASET), both))
    assert shown(ALDER, site) == [
        ("Edo", "2163 (43)", "1853", "–"),
        ("1", "2088", "", "0"),  # the mean of 81, -19 and -82, shifted by 270 / 37, about 7
    ]
    assert shown(BIRCH, site) == [
        ("Edo", "1950 (45)", "1850", "–"),
        ("1", "1957", "", "+20"),  # the mean of 0, 10 and 30, shifted likewise
    ]


def test_who_is_rated_by_others_alone_has_a_section_too():
    found = section(YEW)
    assert found is not None and not found.has_own
    assert shown(YEW) == [("1", "2600", "1851")]
    assert found.rows[0].difference is None
    assert player_systems(DATASET.players[YEW], Lookups.of(DATASET, RATINGS)) is None


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
    (stretch,) = drawn.stretches
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
    table = rating_tables.SYSTEM_RATINGS
    text = csv_bytes(table, table.rows(History(DATASET, RATINGS, ANSWERS, ALONGSIDE))).decode()
    lines = text.splitlines()
    assert lines[0] == "player,year,system,rating,deviation"
    assert lines[1] == "alder-anna,1850,edo,2000.4,50.0"
    assert "alder-anna,1850,step,1700.4," in lines
    assert len(lines) == 1 + 12 + 10
    (_, step, shy) = rating_tables.SYSTEMS.rows(History(DATASET, RATINGS, ANSWERS, ALONGSIDE))
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
    html = rendered(compare.pages, SITE, urls.COMPARE).html
    offered = '<option value="">Edo</option><option value="step">Step by step</option></select>'
    assert offered in html
    scripts = dict(compare_files(DATASET, RATINGS, ANSWERS, (), ALONGSIDE))
    for id_, under in {
        "alder-anna": "[[1700,2100,null,2263],[]]",
        "alder-anna-offhand": "[[1900],[]]",
        "birch-bo": "[[1950,1940,null,1920],[]]",
        "cedar-cy": "[[1900,null,1795],[]]",
    }.items():
        assert f'"under":{{"step":{under}}}' in scripts[f"compare/{id_}.js"].decode()


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
