"""The page of comparisons before its script fills it, against the made-up world."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rendered import Rendered, Row, rendered
from sample_history import ALDER, ANSWERS, BIRCH, DATASET, OFFHAND, RATINGS

from edo.rating.edo import PlayerYear, Ratings
from edo.site import urls
from edo.site.charts.timeline import FIELD
from edo.site.input import SiteInput
from edo.site.pages.compare import pages

SITE = SiteInput(DATASET, RATINGS, {}, None, "0" * 12, "1.0", ANSWERS)


def crowded(*firsts: str):
    """Ratings of the years from 1850, in which enough are rated and these players are first."""
    filler = [PlayerYear(BIRCH, 1, 1.0, 1.0, 1.0, 1.0, k, 0, 0) for k in range(2, FIELD + 1)]
    years = {
        1850 + k: (PlayerYear(player, 1850 + k, 2.0, 1.0, 2.0, 1.0, 1, 1, 1), *filler)
        for k, player in enumerate(firsts)
    }
    return replace(RATINGS, years=years)


def drawn(ratings: Ratings = RATINGS) -> Rendered:
    return rendered(pages, replace(SITE, ratings=ratings), urls.COMPARE)


def rows(page: Rendered, heading: str) -> list[Row]:
    (region,) = (one for one in page.tree.iter("div") if one.get("aria-label") == heading)
    region.set("id", heading)
    return page.rows(heading)


def test_those_who_met_most_often_and_who_was_stronger():
    page = drawn()
    # Alder and Birch: 3 games in 1850, 1 in 1851, 4 in 1853 at odds that are rated, and the
    # totals of 1853, by which they shared 2 games
    pair = rows(page, "Most games against each other")[0]
    assert pair.links("First")[0][1] == "../players/alder-anna.html#rivals"
    assert pair.links("Second")[0][1] == "../players/birch-bo.html#rivals"
    assert pair.texts("Games", "Years") == ("10", "1850–1853")
    assert pair.links("Busiest") == [("1853", "../years/1853.html")]
    assert pair["First stronger"] == "98%"
    # Birch's year of birth is not known, so that there is no comparison by age
    assert pair.links("Compare") == [("by year", "index.html?p=alder-anna,birch-bo")]
    assert "; 2 rated players, whose year of birth is not recorded" in page.html


def test_number_ones_lead_to_the_next():
    page = drawn(crowded(OFFHAND, ALDER, ALDER, OFFHAND, BIRCH))
    eras = rows(page, "Number ones of successive eras")
    assert [row.texts("Player", "Years first", "Between") for row in eras] == [
        ("Alder, Anna (offhand)", "2", "1850–1853"),
        ("Alder, Anna", "2", "1851–1852"),
        ("Birch, Bo", "1", "1854"),
    ]
    assert [row.links("Compare") for row in eras] == [
        [
            (
                "with Alder, Anna, by age",
                "index.html?p=alder-anna-offhand,alder-anna&by=age",
            )
        ],
        [("with Birch, Bo, by year", "index.html?p=alder-anna,birch-bo")],
        [],
    ]
    together = '<a href="index.html?p=alder-anna-offhand,alder-anna&amp;by=age">The latest of them'
    assert together in page.html
    assert page.find("compare").get("data-example") == "alder-anna,birch-bo"  # who met most often


def test_years_in_which_hardly_anyone_is_rated_make_no_number_one():
    assert not drawn().has("eras")


def test_addresses_of_comparisons():
    assert urls.compare("a", "b-c") == "compare/index.html?p=a,b-c"
    assert urls.compare("a", by_age=True) == "compare/index.html?p=a&by=age"
    assert urls.compared("a") == "compare/players_a.js"
    with pytest.raises(ValueError, match="cannot be a file name"):
        urls.compare("A&b")
