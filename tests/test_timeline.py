"""The timeline of the home page: who is shown, where the curves and bars lie, and what they say."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from sample_careers import players_in_order, years

from edo.core.model import Player
from edo.rating.edo import Ratings
from edo.rating.inference.answers import Answers, RankProbabilities
from edo.site.charts.axis import Rectangle
from edo.site.charts.timeline import (
    COLOURS,
    TALL,
    WIDE,
    Shape,
    Timeline,
    leading_players,
    place_names,
    timeline,
    years_among_first,
)
from edo.site.input import SiteInput
from edo.site.render import TEMPLATES


def points_of(path: str) -> list[tuple[float, float]]:
    """Return the points of a path of one line, to a tenth."""
    numbers = [float(number) for number in re.findall(r"-?[0-9]*\.?[0-9]+", path)]
    steps = np.cumsum(np.reshape(numbers, (-1, 2)), axis=0)
    return [(round(x, 1), round(y, 1)) for x, y in steps.tolist()]


@pytest.fixture
def site() -> SiteInput:
    dataset, ratings = players_in_order(20)
    chance = RankProbabilities("player-a", 1851, 0.75, 1.0, 1, 2)
    answers = Answers(rank_probabilities={("player-a", 1851): chance})
    return SiteInput(dataset, ratings, {}, None, "abc", "0", answers=answers)


@pytest.fixture
def wide(site: SiteInput) -> Timeline:
    return drawn(site, WIDE)


def drawn(site: SiteInput, shape: Shape) -> Timeline:
    return timeline(site.dataset, site.ratings, site.answers.rank_probabilities, shape)


def test_leading_players_are_those_of_the_first_three_places() -> None:
    _, ratings = players_in_order()
    assert leading_players(ratings, 2) == ["player-a", "player-b"]
    assert leading_players(ratings, 9) == ["player-a", "player-b", "player-c"]
    assert years_among_first(ratings)["player-c"] == 10


def test_no_colour_is_used_twice() -> None:
    assert len(set(COLOURS)) == len(COLOURS) >= max(WIDE.leaders, TALL.leaders)
    dataset, ratings = players_in_order(20)
    site = SiteInput(dataset, ratings, {}, None, "abc", "0")
    wide, tall = drawn(site, WIDE), drawn(site, TALL)
    colours = {leader.player: leader.colour for leader in wide.leaders}
    assert len(set(colours.values())) == len(colours)
    assert all(colours[leader.player] == leader.colour for leader in tall.leaders)


def test_the_style_sheet_has_every_colour_once_in_light_and_in_dark() -> None:
    style = (TEMPLATES / "static" / "style.css").read_text(encoding="utf-8")
    found = re.findall(r"\.line-([a-z]) \{ --line: (#[0-9a-f]{6}); \}", style)
    for shown in (found[: len(COLOURS)], found[len(COLOURS) :]):
        assert "".join(name for name, _ in shown) == COLOURS
        assert len({colour for _, colour in shown}) == len(COLOURS)


def test_names_stand_apart_inside_the_frame() -> None:
    x = np.linspace(10.0, 190.0, 10)
    curves = [np.column_stack([x, np.full(10, y)]) for y in (30.0, 32.0, 70.0)]
    frame = Rectangle(0.0, 0.0, 200.0, 110.0)
    places = place_names(curves, [50.0, 50.0, 50.0], 14.0, frame)
    assert all(place.is_in(frame) for place in places)
    assert not any(a.overlaps(b) for k, a in enumerate(places) for b in places[:k])
    assert places[0].bottom == 26.0  # just above the highest curve
    tall = place_names([np.array([[5.0, 5.0]])], [60.0], 14.0, Rectangle(0.0, 0.0, 60.0, 100.0))
    assert tall == [Rectangle(0.0, 0.0, 60.0, 14.0)]  # moved into the frame that it just fits


def test_a_leader_says_his_peak_and_leads_to_his_page(wide: Timeline) -> None:
    assert [leader.name for leader in wide.leaders] == ["Alder", "Blder", "Clder"]
    first = wide.leaders[0]
    assert first.player == "player-a"
    assert first.words == "Alder, Ann: highest 2709 (60) in 1859; among the first three in 10 years"


def test_curves_lie_where_years_and_ratings_are(wide: Timeline) -> None:
    """Ten years share 944 units; 2250 to 2709 + 60 Elo share 432."""
    assert wide.year_width == 94.4
    begin, *_, end = points_of(wide.leaders[0].way)
    assert begin == (95.2, round(8 + 432 * 69 / 519, 1))
    assert end == (944.8, round(8 + 432 * 60 / 519, 1))
    assert [tick.label for tick in wide.rating_ticks] == ["2300", "2400", "2500", "2600", "2700"]
    assert wide.rating_ticks[-1].at == round(8 + 432 * 69 / 519, 1)


def test_only_links_between_years_with_results_are_drawn_through(wide: Timeline) -> None:
    leader = wide.leaders[0]
    # results in 1850, 1852, 1853, 1855, 1856, 1858, 1859
    assert [len(points_of(run)) - 1 for run in leader.played.split("M")[1:]] == [1, 1, 1]
    assert [len(points_of(run)) - 1 for run in leader.gaps.split("M")[1:]] == [2, 2, 2]
    assert len(points_of(leader.way)) == 10


def test_bars_are_as_high_as_the_probability(wide: Timeline) -> None:
    known = wide.firsts[1]
    assert known.height == 33.0  # three quarters of 44
    assert known.y + known.height == wide.shape.base
    assert known.year == 1851
    assert known.words == "1851: Alder, Ann, 2701 (60), the strongest with 75%"
    assert wide.firsts[0].height == 4.4  # of too few for a probability
    assert wide.firsts[0].words == "1850: Alder, Ann, 2700 (60)"
    assert len(wide.firsts) == 10
    assert {first.colour for first in wide.firsts} == {wide.leaders[0].colour}


def test_neighbouring_years_of_one_number_one_bear_his_name(wide: Timeline) -> None:
    (reign,) = wide.reigns
    assert (reign.name, reign.x, reign.has_room) == ("Alder", 520.0, True)
    assert reign.words == "Alder, Ann: number one 1850–1859"


def ruled(site: SiteInput, firsts: list[str]) -> Timeline:
    """Return the drawing where these are the number ones, one a year."""
    by_year = {1850 + k: years(name, 1850 + k, [2500.0], 1) for k, name in enumerate(firsts)}
    names = dict.fromkeys(firsts)
    players = {name: Player(name, f"{name.title()}, X.") for name in names}
    careers = {
        name: tuple(year for (year,) in by_year.values() if year.player == name) for name in names
    }
    ratings = Ratings(careers, by_year, {}, ())
    dataset = replace(site.dataset, players=site.dataset.players | players)
    return drawn(replace(site, dataset=dataset, ratings=ratings), WIDE)


def test_the_longest_reigns_are_named_first_and_the_shortest_not(site: SiteInput) -> None:
    drawing = ruled(site, ["verylongname"] * 6 + ["b"] * 100 + ["longernamethanroom"] * 6 + ["c"])
    assert [(one.name, one.has_room) for one in drawing.reigns] == [
        ("Verylongname", True),
        ("B", True),
        ("Longernamethanroom", True),
    ]
    edge = drawing.reigns[-1]
    assert edge.x < (edge.left + edge.right) / 2, "the name stays inside the drawing"
    crowded = ruled(site, ["a"] * 90 + ["first long name"] * 10 + ["another long name"] * 9)
    assert [one.has_room for one in crowded.reigns] == [True, True, False]


def test_the_years_begin_with_the_first_that_has_an_order(site: SiteInput) -> None:
    assert ruled(site, ["a"] * 20 + ["b"] * 20).first_year == 1850


def test_the_field_is_shown_where_many_are_rated(site: SiteInput, wide: Timeline) -> None:
    (tenth,) = wide.places  # the thirtieth would ask for sixty
    assert tenth[0] == "10th"
    assert tenth[1].split("l")[0] == f"M95.2 {8 + 432 * (2769 - 2520) / 519:.1f}"
    assert len(points_of(wide.field)) == 20
    assert tenth[2] == round(8 + 432 * (2769 - 2529) / 519, 1)
    few = Ratings(site.ratings.players, {y: r[:19] for y, r in site.ratings.years.items()}, {}, ())
    without = drawn(replace(site, ratings=few), WIDE)
    assert (without.places, without.field) == ((), "")


@pytest.mark.parametrize(
    ("first", "last", "ticks"),
    [
        (1849, 1872, [1850, 1860, 1870]),
        (1850, 1859, [1850, 1855]),
        (2003, 2009, [2004, 2006, 2008]),
        (2011, 2013, [2011, 2012, 2013]),
        (2011, 2011, [2011]),
    ],
)
def test_short_histories_have_years_on_their_axis(
    site: SiteInput, first: int, last: int, ticks: list[int]
) -> None:
    career = years("player-a", first, [2000.0] * (last + 1 - first), 1)
    by_year = {year.year: (year,) for year in career}
    drawing = drawn(replace(site, ratings=Ratings({"player-a": career}, by_year, {}, ())), WIDE)
    assert [year for year, _, _ in drawing.decades] == ticks
    assert all(is_rated for _, _, is_rated in drawing.decades)


def test_a_number_one_without_a_curve_is_grey(site: SiteInput) -> None:
    guest = years("guest", 1857, [2900.0], 1)
    lists = site.ratings.years | {1857: (*guest, *site.ratings.years[1857])}
    dataset = replace(
        site.dataset, players=site.dataset.players | {"guest": Player("guest", "Guest")}
    )
    ratings = Ratings(site.ratings.players | {"guest": guest}, lists, {}, ())
    crowded = replace(site, dataset=dataset, ratings=ratings)
    drawing = drawn(crowded, replace(TALL, leaders=3))
    assert [leader.name for leader in drawing.leaders] == ["Alder", "Blder", "Clder"]
    assert [first.colour == "other" for first in drawing.firsts] == [False] * 7 + [True] + [
        False
    ] * 2


def test_one_year_of_two_players_is_enough() -> None:
    dataset, ratings = players_in_order(2)
    lists = {1850: ratings.years[1850]}
    careers = {player: career[:1] for player, career in ratings.players.items()}
    alone = SiteInput(dataset, Ratings(careers, lists, {}, ()), {}, None, "abc", "0")
    drawing = drawn(alone, WIDE)
    strokes = [leader.played for leader in drawing.leaders]
    assert strokes == [f"{leader.way}m-3 0h6" for leader in drawing.leaders]
    assert drawing.decades == ((1850, 520.0, True),)
    assert next(leader.way for leader in drawing.leaders).startswith("M520 ")
