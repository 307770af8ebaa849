"""The page of comparisons before its script fills it, against the made-up world."""

from __future__ import annotations

from dataclasses import replace

import html5lib
import pytest
from view_world import ALDER, ANSWERS, BIRCH, DATASET, OFFHAND, RATINGS

from edo.core import urls
from edo.rating.edo import PlayerYear
from edo.site.charts.leaders import FIELD
from edo.site.input import Link, SiteInput
from edo.site.pages.chances import Share
from edo.site.pages.compare import compare_view, pages
from edo.site.render import render

SITE = SiteInput(DATASET, RATINGS, {}, None, "0" * 12, "1.0", ANSWERS)


def crowded(*firsts: str):
    """Ratings of the years from 1850, in which enough are rated and these players are first."""
    filler = [PlayerYear(BIRCH, 1, 1.0, 1.0, 1.0, 1.0, k, 0, 0) for k in range(2, FIELD + 1)]
    years = {
        1850 + k: (PlayerYear(player, 1850 + k, 2.0, 1.0, 2.0, 1.0, 1, 1, 1), *filler)
        for k, player in enumerate(firsts)
    }
    return replace(RATINGS, years=years)


def test_those_who_met_most_often_and_who_was_stronger():
    view = compare_view(DATASET, RATINGS, ANSWERS)
    # Alder and Birch: 3 games in 1850, 1 in 1851, 4 in 1853 at odds that are rated, and the
    # totals of 1853, by which they shared 2 games
    pair = view.pairs[0]
    assert (pair.first.target, pair.second.target) == (
        "players/alder-anna.html#rivals",
        "players/birch-bo.html#rivals",
    )
    assert (pair.games, pair.years, pair.year) == (
        "10",
        "1850–1853",
        Link("1853", "years/1853.html"),
    )
    assert pair.chance == Share("98%", "98.0")
    assert pair.by_year == Link("by year", "compare/index.html?p=alder-anna,birch-bo")
    assert pair.by_age is None  # Birch's year of birth is not known
    assert view.ages_unknown == "2"


def test_number_ones_lead_to_the_next():
    view = compare_view(DATASET, crowded(OFFHAND, ALDER, ALDER, OFFHAND, BIRCH), ANSWERS)
    assert [(row.player.text, row.years, row.span) for row in view.eras] == [
        ("Alder, Anna (offhand), Ms.", "2", "1850–1853"),
        ("Alder, Anna, Ms.", "2", "1851–1852"),
        ("Birch, Bo", "1", "1854"),
    ]
    assert [row.with_next for row in view.eras] == [
        Link(
            "with Alder, Anna, Ms., by age",
            "compare/index.html?p=alder-anna-offhand,alder-anna&by=age",
        ),
        Link("with Birch, Bo, by year", "compare/index.html?p=alder-anna,birch-bo"),
        None,
    ]
    assert view.all_eras is not None
    assert view.all_eras.target == "compare/index.html?p=alder-anna-offhand,alder-anna&by=age"
    assert view.example == "alder-anna-offhand,alder-anna"


def test_years_in_which_hardly_anyone_is_rated_make_no_number_one():
    assert compare_view(DATASET, RATINGS, ANSWERS).eras == ()


def test_the_page_leads_its_script_to_players_and_years():
    ((_, html),) = render(pages(SITE), SITE)
    tree = html5lib.parse(html.decode(), namespaceHTMLElements=False)
    root = next(node for node in tree.iter("div") if node.get("id") == "compare")
    assert (root.get("data-players"), root.get("data-years")) == ("../players/", "../years/")
    assert "hidden" in root.attrib
    scripts = [script.get("src") for script in tree.iter("script")]
    assert scripts[-1] == "rated_players.js"  # it begins, when all others are there
    assert scripts.index("../static/compare_numbers.js") < scripts.index("../static/compare.js")
    assert "by year" in html.decode()


def test_addresses_of_comparisons():
    assert urls.compare("a", "b-c") == "compare/index.html?p=a,b-c"
    assert urls.compare("a", by_age=True) == "compare/index.html?p=a&by=age"
    assert urls.compared("a") == "compare/a.js"
    with pytest.raises(ValueError, match="cannot be a file name"):
        urls.compare("A&b")
