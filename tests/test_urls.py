"""Links: where pages stand, and how one leads to another."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from edo.site import urls


def test_pages_stand_in_the_folder_of_their_section() -> None:
    assert urls.player("morphy-paul") == "players/morphy-paul.html"
    assert urls.event("london-1851") == "events/london-1851.html"
    assert urls.year(1883) == "years/1883.html"
    assert urls.place("new-york") == "places/new-york.html"
    assert urls.source("gaige-1969") == "sources/gaige-1969.html"
    assert urls.method("odds") == "method/odds.html"
    assert urls.data("ratings.csv") == "data/ratings.csv"
    assert urls.data("number_one.csv") == "data/number_one.csv"
    assert urls.figure("top-ten") == "figures/top-ten.svg"


@pytest.mark.parametrize("make", [urls.player, urls.event, urls.place, urls.source, urls.method])
def test_an_id_cannot_take_the_place_of_the_index(make: Callable[[str], str]) -> None:
    with pytest.raises(ValueError, match="the section's own page"):
        make("index")


@pytest.mark.parametrize("bad", ["", "Morphy", "a b", "../a", "a/b", "a.b", "-a", "a--b", "é"])
def test_an_id_must_be_a_file_name(bad: str) -> None:
    with pytest.raises(ValueError, match="cannot be a file name"):
        urls.player(bad)


@pytest.mark.parametrize("bad", ["index.html", "../a.csv", "a/b.csv", "", ".hidden"])
def test_a_data_file_must_have_a_plain_name(bad: str) -> None:
    with pytest.raises(ValueError, match="cannot be the name of a data file"):
        urls.data(bad)


@pytest.mark.parametrize(
    ("here", "there", "link"),
    [
        ("index.html", "players/a.html", "players/a.html"),
        ("index.html", "index.html", "index.html"),
        ("players/a.html", "index.html", "../index.html"),
        ("players/a.html", "players/b.html", "b.html"),
        ("players/a.html", "events/b.html", "../events/b.html"),
        ("players/a.html", "players/b.html#y1858", "b.html#y1858"),
        ("players/a.html", "players/a.html#y1858", "#y1858"),
        ("players/a.html", "players/a.html", "a.html"),
        ("404.html", "static/style.css", "static/style.css"),
    ],
)
def test_links_are_relative(here: str, there: str, link: str) -> None:
    assert urls.relative(here, there) == link


@pytest.mark.parametrize(
    "bad", ["", "/index.html", "../index.html", "https://example.org/", "#top", "a/../b.html"]
)
def test_links_stay_on_the_site(bad: str) -> None:
    with pytest.raises(ValueError, match="not a path from the root"):
        urls.relative("index.html", bad)
    if bad != "#top":
        with pytest.raises(ValueError, match="not a path from the root"):
            urls.relative(bad, "index.html")


def test_sections() -> None:
    assert urls.section("players/a.html") == urls.PLAYERS
    assert urls.section(urls.PEAKS) == urls.LISTS
    assert urls.section(urls.HOME) is None
    assert urls.section(urls.NOT_FOUND) is None
    assert urls.section("figures/a.svg") is None
