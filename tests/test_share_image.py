"""The pictures that stand for shared pages: their size, what is on them, and where."""

from __future__ import annotations

import io
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT
from PIL import Image
from sample_careers import players_in_order

from edo.core.model import Dataset, PartialDate, Player
from edo.history.project import SiteConfig
from edo.rating.edo import PlayerYear, Ratings
from edo.site import metadata, render, urls
from edo.site.charts import share_image
from edo.site.charts.share_image import BAND, CURVE, GAP_BAND, PAPER
from edo.site.input import Page, SiteInput
from edo.site.pages import home

CONFIG = SiteConfig("Ratings", "A motto")
PLAYER = Player("able-b", "Able, B.", born=PartialDate(1820), died=PartialDate(1880))


def year(number: int, rating: float, deviation: float = 50.0, games: float = 2.0) -> PlayerYear:
    return PlayerYear("able-b", number, rating, deviation, rating, deviation, 1, 1.0, games)


CAREER = (year(1850, 2400), year(1851, 2420, games=0), year(1852, 2440), year(1853, 2500))


def picture(years: tuple[PlayerYear, ...] = CAREER, player: Player = PLAYER) -> np.ndarray:
    """Return the picture of a player as colours, (height, width, 3)."""
    dataset = Dataset(events={}, players={player.id: player}, places={}, sources={}, odds={})
    files = dict(share_image.files(dataset, Ratings({player.id: years}, {}, {}, ()), CONFIG))
    image = Image.open(io.BytesIO(files[urls.picture(player.id)]()))
    assert (image.format, image.mode, image.size) == ("PNG", "P", (1200, 630))
    return np.asarray(image.convert("RGB"))


def places(picture: np.ndarray, *colours: tuple[int, int, int]) -> np.ndarray:
    """Return row and column of the points that have one of these colours, (n, 2)."""
    return np.concatenate([np.argwhere((picture == colour).all(axis=-1)) for colour in colours])


def test_the_axes_hold_the_band_and_show_at_least_six_years_and_300_elo():
    x, y = share_image.axes_of([year(1850, 2400, 50.0), year(1851, 2420, 80.0)])
    assert (x.low, x.high, y.low, y.high) == (1847.5, 1853.5, 2270, 2570)
    x, y = share_image.axes_of([year(1800, 2000, 100.0), year(1850, 2500, 100.0)])
    assert (x.low, x.high, y.low, y.high) == (1800, 1850, 1880, 2620)


def test_the_curve_and_its_band_are_where_the_ratings_are():
    drawn, (x, y) = picture(), share_image.axes_of(CAREER)
    last = round(x.exact(1853)), round(y.exact(2500))
    assert tuple(drawn[last[1], last[0] - 2]) == CURVE
    column = drawn[:, last[0] - 20 : last[0] - 19]  # before the last dot
    band = places(column, BAND, CURVE)[:, 0]
    assert band.min() == pytest.approx(y.exact(2550), abs=8)
    assert band.max() == pytest.approx(y.exact(2450), abs=8)
    assert not places(column, GAP_BAND).size
    in_gap = round(x.exact(1851.5))
    column = drawn[:, in_gap : in_gap + 1]
    assert places(column, GAP_BAND).size and not places(column, BAND).size


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
    # Between the words around the frame, whose edges have such colours too.
    at = places(picture(years)[top - 30 : bottom + 14, left - 12 :], BAND, GAP_BAND, CURVE)
    assert len(at) > 100
    assert at[:, 0].min() >= 30 and at[:, 0].max() < bottom - top + 30
    assert at[:, 1].min() >= 4 and at[:, 1].max() <= right - left + 20


def test_a_year_alone_has_its_standard_error_beside_it():
    years = year(1850, 2400), year(1851, 2400, games=0), year(1852, 2400)
    x, y = share_image.axes_of(years)
    beside = round(x.exact(1850)) - 6
    rows = places(picture(years)[:, beside : beside + 1], BAND)[:, 0]
    assert (rows.min(), rows.max()) == pytest.approx((y.exact(2450), y.exact(2350)), abs=2)


@pytest.mark.parametrize("name", ["Able, B.", "A" * 60, "Wide Name " * 200])
def test_names_fit_between_the_margins(name: str):
    head = picture(player=Player("able-b", name))[: share_image.FRAME[1] - 10]
    written = np.argwhere((head != PAPER).any(axis=-1))
    assert written[:, 1].min() >= share_image.MARGIN - 2
    assert written[:, 1].max() <= share_image.WIDTH - share_image.MARGIN + 2
    assert len(places(head[80:145], share_image.INK)) > 50  # something is written there


def test_what_stands_beneath_the_name():
    assert share_image._subtitle(PLAYER, CAREER[-1]) == "1820–1880  ·  peak 2500 in 1853"
    assert share_image._subtitle(Player("x", "X"), CAREER[-1]) == "peak 2500 in 1853"


def test_there_is_one_for_each_curve_with_a_rank_and_for_each_year_and_the_site():
    dataset, ratings = players_in_order(3)
    careers = dict(ratings.players)
    careers["player-b"] = careers["player-b"][:1]  # no curve
    careers["player-c"] = tuple(
        PlayerYear("player-c", k, 2000.0, 60.0, 2000.0, 60.0, None, 1.0, 2.0) for k in (1850, 1851)
    )
    ratings = Ratings(careers, ratings.years, {}, ())
    made = {path: draw() for path, draw in share_image.files(dataset, ratings, CONFIG)}
    assert list(made) == [
        urls.SITE_PICTURE, "pictures/player-a.png", *map(urls.year_picture, ratings.years)
    ]  # fmt: skip
    assert made == {path: draw() for path, draw in share_image.files(dataset, ratings, CONFIG)}
    assert all(3_000 < len(file) < 40_000 for file in made.values())


def test_a_site_without_ratings_has_its_name_and_motto():
    dataset = Dataset({}, {}, {}, {}, {})
    [(path, draw)] = share_image.files(dataset, Ratings({}, {}, {}, ()), CONFIG)
    assert path == urls.SITE_PICTURE
    drawn = np.asarray(Image.open(io.BytesIO(draw())).convert("RGB"))
    assert len(np.argwhere((drawn[:220] != PAPER).any(axis=-1))) > 500


def test_the_paper_is_that_of_the_stylesheet():
    style = (ROOT / "templates" / "static" / "style.css").read_text(encoding="utf-8")
    assert f"--paper: #{bytes(PAPER).hex()};" in style
    assert len(share_image.COLOURS) <= 16


PAGE = Page(
    urls.player("able-b"), "player.html", object, "Able, B.", "Words.",
    picture=urls.picture("able-b"),
)  # fmt: skip


def shared(page: Page, base_url: str | None) -> dict[str, str]:
    return dict(metadata.open_graph(page, CONFIG.name, base_url))


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
    assert set(shared(PAGE, None)) == {"og:title", "og:description", "og:type", "og:site_name"}


def test_the_head_of_another_page_names_the_picture_of_the_site():
    site = SiteInput(
        Dataset({}, {}, {}, {}, {}), Ratings({}, {}, {}, ()), {}, "https://e.org", "f", "v",
        config=CONFIG,
    )  # fmt: skip
    view = partial(home.search_view, site)
    page = Page(urls.SEARCH, "search.html", view, 'A "quoted" <name>', "Words.")
    [(_, html)] = render.render([page], site)
    head = dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)">', html.decode()))
    assert head["og:title"] == "A &#34;quoted&#34; &lt;name&gt;"
    assert head["og:image"] == "https://e.org/pictures/the_site.png"
    assert head["og:type"] == "website"
    assert '<meta name="twitter:card" content="summary_large_image">' in html.decode()


def test_every_picture_that_a_page_names_is_there(minisite: Path):
    made = {path.stem for path in (minisite / "pictures").glob("*.png")} - {"the_site"}
    years = {name for name in made if name.startswith("year_")}
    assert {minisite / f"years/{name[5:]}.html" for name in years} == {
        page
        for page in (minisite / "years").glob("????.html")
        if "leading-dots" in page.read_text()
    }
    players = {
        page.stem
        for page in (minisite / "players").glob("*.html")
        if "Save the picture" in page.read_text()
    }
    assert made - years == players != set()
