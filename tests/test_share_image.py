"""The pictures that stand for shared pages: their size, what is on them, and where."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT
from PIL import Image

from edo.core import urls
from edo.core.model import Dataset, PartialDate, Player
from edo.history.project import SiteConfig
from edo.rating.edo import PlayerYear, Ratings
from edo.site import metadata, render
from edo.site.charts import share_image
from edo.site.input import Page, SiteInput
from edo.site.pages import home

IMPRINT = SiteConfig("Ratings", "A motto")
PLAYER = Player("able-b", "Able, B.", born=PartialDate(1820), died=PartialDate(1880))


def year(number: int, rating: float, deviation: float = 50.0, games: float = 2.0) -> PlayerYear:
    return PlayerYear("able-b", number, rating, deviation, rating, deviation, 1, 1.0, games)


CAREER = (year(1850, 2400), year(1851, 2420, games=0), year(1852, 2440), year(1853, 2500))


def picture(years: tuple[PlayerYear, ...] = CAREER, player: Player = PLAYER) -> np.ndarray:
    """Return the numbers of the colours, (height, width)."""
    dataset = Dataset(events={}, players={player.id: player}, places={}, sources={}, odds={})
    ratings = Ratings({player.id: years}, {}, {}, ())
    made = dict(share_image.files(dataset, ratings, IMPRINT))
    image = Image.open(io.BytesIO(made[urls.picture(player.id)]))
    assert image.format == "PNG" and image.mode == "P" and image.size == (1200, 630)
    return np.asarray(image)


def history(players: dict[str, tuple[PlayerYear, ...]]) -> tuple[Dataset, Ratings]:
    by_year: dict[int, tuple[PlayerYear, ...]] = {}
    for years in players.values():
        for one in years:
            by_year[one.year] = (*by_year.get(one.year, ()), one)
    dataset = Dataset(
        events={},
        players={name: Player(name, name.title()) for name in players},
        places={},
        sources={},
        odds={},
    )
    return dataset, Ratings(players, by_year, {}, ())


def rows_of(picture: np.ndarray, colours: set[int], column: int) -> np.ndarray:
    return np.flatnonzero(np.isin(picture[:, column], list(colours)))


BANDED = {
    part + band
    for part in (share_image.PLAIN, share_image.GRID, share_image.EDGE)
    for band in (share_image.GAP, share_image.WHOLE)
}


def test_a_rating_lies_where_the_scale_says():
    scale = share_image.Scale(1850, 1860, 2000, 2400)
    assert scale.at(1850, 2000) == (140, 516)
    assert scale.at(1860, 2400) == (1136, 236)
    assert scale.at(1855, 2300) == (638, 306)


def test_the_scale_holds_the_band_and_shows_at_least_six_years_and_300_elo():
    scale = share_image.scale_of([year(1850, 2400, 50.0), year(1851, 2420, 80.0)])
    assert (scale.first, scale.last) == (1847.5, 1853.5)
    assert (scale.lowest, scale.highest) == (2270, 2570)
    wide = share_image.scale_of([year(1800, 2000, 100.0), year(1850, 2500, 100.0)])
    assert (wide.first, wide.last, wide.lowest, wide.highest) == (1800, 1850, 1880, 2620)


def test_the_curve_and_its_band_are_where_the_ratings_are():
    drawn = picture()
    scale = share_image.scale_of(CAREER)
    x, y = scale.at(1853, 2500)
    column = round(x) - 20  # before the last dot, the band is that of neighbouring years
    band = rows_of(drawn, BANDED | {share_image.CURVE}, column)
    assert band.min() == pytest.approx(scale.at(1853, 2550)[1], abs=8)
    assert band.max() == pytest.approx(scale.at(1853, 2450)[1], abs=8)
    assert drawn[round(y), round(x) - 2] == share_image.CURVE
    assert share_image.WHOLE in drawn[:, column] and share_image.GAP not in drawn[:, column]
    within_gap = round(scale.at(1851.5, 0)[0])
    assert share_image.GAP in drawn[:, within_gap] and share_image.WHOLE not in drawn[:, within_gap]


@pytest.mark.parametrize(
    "years",
    [
        CAREER,
        (year(1850, 2400), year(1851, 2400)),
        (year(1850, 1000, 400.0), year(1851, 3000, 400.0)),
        tuple(year(1700 + k, 2000.0 + k) for k in range(250)),
    ],
    ids=["gap", "short", "steep", "long"],
)
def test_the_band_stays_in_the_frame(years: tuple[PlayerYear, ...]):
    left, top, right, bottom = share_image.FRAME
    at = np.argwhere(np.isin(picture(years), [*BANDED, share_image.EDGE, share_image.CURVE]))
    assert len(at) > 100
    assert at[:, 0].min() >= top and at[:, 0].max() < bottom
    assert at[:, 1].min() >= left - 8 and at[:, 1].max() <= right + 8


def test_a_year_alone_has_its_doubt_beside_it():
    years = year(1850, 2400), year(1851, 2400, games=0), year(1852, 2400)
    scale = share_image.scale_of(years)
    x, top = scale.at(1850, 2450)
    rows = rows_of(picture(years), BANDED, round(x) - 6)
    assert rows.min() == pytest.approx(top, abs=1)
    assert rows.max() == pytest.approx(scale.at(1850, 2350)[1], abs=1)


@pytest.mark.parametrize("name", ["Able, B.", "A" * 60, "Wide Name " * 200])
def test_names_fit_between_the_margins(name: str):
    drawn = picture(player=Player("able-b", name))
    head = np.argwhere(drawn[: share_image.FRAME[1] - 10] != share_image.PLAIN)
    assert head[:, 1].min() >= share_image.MARGIN - 2
    assert head[:, 1].max() <= share_image.WIDTH - share_image.MARGIN + 2
    assert len(np.argwhere(drawn[80:145] >= share_image.INK)) > 50  # something is written there


def test_what_stands_beneath_the_name():
    assert share_image._subtitle(PLAYER, CAREER[-1]) == "1820–1880  ·  peak 2500 in 1853"
    assert share_image._subtitle(Player("x", "X"), CAREER[-1]) == "peak 2500 in 1853"


def test_there_is_one_for_each_curve_and_year_and_one_for_the_site():
    of_baker = (year(1852, 2300), year(1853, 2300))
    careers = {"able-b": CAREER, "baker": of_baker, "once": (year(1853, 2200),)}
    dataset, ratings = history(careers)
    made = dict(share_image.files(dataset, ratings, IMPRINT))
    assert list(made) == [
        "pictures/the_site.png",
        "pictures/able-b.png",
        "pictures/baker.png",
        *(f"pictures/year_{number}.png" for number in (1850, 1851, 1852, 1853)),
    ]
    assert made == dict(share_image.files(dataset, ratings, IMPRINT))
    assert len(set(made.values())) == 7
    assert all(3_000 < len(file) < 40_000 for file in made.values())


def test_a_site_without_ratings_has_its_name_and_motto():
    made = dict(share_image.files(*history({}), IMPRINT))
    image = Image.open(io.BytesIO(made[urls.SITE_PICTURE]))
    assert image.size == (1200, 630)
    assert len(np.argwhere(np.asarray(image)[:220] != share_image.PLAIN)) > 500


def test_the_colours_are_those_of_the_stylesheet():
    style = (ROOT / "templates" / "static" / "style.css").read_text(encoding="utf-8")
    assert f"--paper: {share_image.PAPER};" in style
    colours = np.frombuffer(share_image._palette(), np.uint8).reshape(16, 3)
    assert tuple(colours[share_image.PLAIN]) == (0xFA, 0xF6, 0xEC)
    assert tuple(colours[share_image.INK + 2]) == (0x21, 0x1C, 0x15)


def shared(page: Page, base_url: str | None) -> dict[str, str]:
    return dict(metadata.open_graph(page, IMPRINT.name, base_url))


PAGE = Page(
    urls.player("able-b"), "player.html", object, "Able, B.", "Words.",
    picture=urls.picture("able-b"),
)  # fmt: skip


def test_a_player_is_a_profile_with_his_own_picture():
    assert shared(PAGE, "https://e.org/chess/") == {
        "og:title": "Able, B.",
        "og:description": "Words.",
        "og:type": "profile",
        "og:site_name": "Ratings",
        "og:url": "https://e.org/chess/players/able-b.html",
        "og:image": "https://e.org/chess/pictures/able-b.png",
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": "The rating curve of Able, B.",
    }


def test_other_pages_are_shown_by_the_picture_of_the_site():
    home = Page(urls.HOME, "home.html", object, "Home", "Words.")
    given = shared(home, "https://e.org")
    assert given["og:title"] == "Ratings" and given["og:type"] == "website"
    assert given["og:url"] == "https://e.org/"
    assert given["og:image"] == "https://e.org/pictures/the_site.png"
    assert shared(Page(urls.PLAYERS, "x", object, "Players", "W."), None)["og:type"] == "website"


def test_without_an_address_of_the_site_no_address_is_made_up():
    assert set(shared(PAGE, None)) == {"og:title", "og:description", "og:type", "og:site_name"}


def test_the_head_of_a_page_holds_them_escaped():
    dataset, ratings = history({})
    site = SiteInput(dataset, ratings, {}, "https://e.org", "f", "v", config=IMPRINT)
    view = partial(home.search_view, site)
    page = Page(urls.SEARCH, "search.html", view, 'A "quoted" <name>', "Words.")
    [(_, html)] = render.render([page], site)
    found = dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)">', html.decode()))
    assert found["og:title"] == "A &#34;quoted&#34; &lt;name&gt;"
    assert found["og:image"] == "https://e.org/pictures/the_site.png"
    assert '<meta name="twitter:card" content="summary_large_image">' in html.decode()


def test_every_picture_that_a_page_names_is_there(minisite: Path):
    made = {path.stem for path in (minisite / "pictures").glob("*.png")} - {"the_site"}
    years = {name for name in made if name.startswith("year_")}
    assert {minisite / f"years/{name[5:]}.html" for name in years} == {
        page
        for page in (minisite / "years").glob("????.html")
        if "leading-dots" in page.read_text()
    }
    rated = made - years
    assert rated and all((minisite / f"players/{name}.html").exists() for name in rated)


def test_ratings_that_move_by_less_than_is_printed_leave_a_picture_as_it_is():
    years = tuple(PlayerYear("p", year, 2500.1, 40.2, 0.0, 0.0, 1, 1.0, 2.0) for year in (1, 2))
    moved = tuple(replace(one, rating=2499.9, deviation=39.8, score=1.5) for one in years)
    more = tuple(replace(one, rating=2500.6) for one in years)
    shown = share_image._as_printed
    assert shown(years) == shown(moved) != shown(more)
