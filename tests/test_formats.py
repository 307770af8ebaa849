"""How numbers and dates look: each form written out by hand."""

from __future__ import annotations

import datetime
import math
import random
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest

from edo.core import formats
from edo.core.model import DateSpan, PartialDate, Player


@pytest.mark.parametrize(
    ("points", "text"),
    [
        (0, "0"),
        (0.5, "½"),
        (1, "1"),
        (10.5, "10½"),
        (11.0, "11"),
        (7 / 3, "2.33"),
        (1234.5, "1234½"),
    ],
)
def test_scores(points: float, text: str) -> None:
    assert formats.score(points) == text


@pytest.mark.parametrize("bad", [-0.5, math.nan, math.inf])
def test_scores_that_are_none(bad: float) -> None:
    with pytest.raises(ValueError, match=r"score|number"):
        formats.score(bad)


def test_results_of_two_sides() -> None:
    assert formats.result(8, 3) == "8–3"
    assert formats.result(2.5, 1.5) == "2½ – 1½"
    assert formats.result(0.5, 0.5) == "½ – ½"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2506.5, "2507"),  # not to the even neighbour
        (2507.5, "2508"),
        (2506.49, "2506"),
        (-148.4, "−148"),
        (-0.4, "0"),
        (0.0, "0"),
        (np.float64(2665.0), "2665"),
    ],
)
def test_ratings(value: float, text: str) -> None:
    assert formats.rating(value) == text


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, np.float64("nan")])
def test_what_is_no_rating(bad: float) -> None:
    with pytest.raises(ValueError, match="no number to print"):
        formats.rating(bad)


def test_deviations() -> None:
    assert formats.deviation(30.5) == "31"
    assert formats.deviation(0.4) == "0"
    assert formats.rating_with_deviation(2762.6, 31.2) == "2763 (31)"
    with pytest.raises(ValueError, match="deviation of -1"):
        formats.deviation(-1.0)
    with pytest.raises(ValueError, match="no number"):
        formats.deviation(math.nan)


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (1.005, 2, "1.01"),
        (0.125, 2, "0.13"),
        (4.2666, 2, "4.27"),
        (-0.004, 2, "0.00"),
        (2, 2, "2.00"),
    ],
)
def test_decimals_round_as_a_reader_would(value: float, places: int, text: str) -> None:
    assert formats.fixed(value, places) == text


def test_expected_scores() -> None:
    assert formats.expected(4.265) == "4.27"


@pytest.mark.parametrize(
    ("value", "text"), [(12.4, "+12"), (-7.0, "−7"), (0.0, "0"), (-0.3, "0"), (0.5, "+1")]
)
def test_differences_have_signs(value: float, text: str) -> None:
    assert formats.signed(value) == text


def test_differences_with_decimals() -> None:
    assert formats.signed(0.25, 1) == "+0.3"
    assert formats.signed(-0.04, 1) == "0.0"


def test_chances_are_never_quite_none_or_all() -> None:
    assert formats.chance(0.675) == "68%"
    assert (formats.chance(0.0), formats.chance(0.0099), formats.chance(0.01)) == (
        "<1%",
        "<1%",
        "1%",
    )
    assert (formats.chance(0.99), formats.chance(0.9901), formats.chance(1.0)) == (
        "99%",
        ">99%",
        ">99%",
    )


def test_percentages() -> None:
    assert formats.percentage(0.675) == "68%"
    assert formats.percentage(1.0) == "100%"
    assert formats.percentage(0.7791, 1) == "77.9%"


def test_counts() -> None:
    assert formats.count(19700) == "19,700"
    assert formats.counted(1, "game") == "1 game"
    assert formats.counted(0.5, "game") == "½ game"
    assert formats.counted(2.5, "game") == "2½ games"
    assert formats.counted(0, "game") == "0 games"
    assert formats.counted(2, "match", "matches") == "2 matches"
    assert formats.counted(19700, "game") == "19,700 games"


def test_ranks() -> None:
    assert formats.rank(1) == "1"
    with pytest.raises(ValueError, match="rank of 0"):
        formats.rank(0)


APRIL_26 = PartialDate(1883, 4, 26)


@pytest.mark.parametrize(
    ("date", "text"),
    [
        (APRIL_26, "26 April 1883"),
        (PartialDate(1883, 4), "April 1883"),
        (PartialDate(1883), "1883"),
        (PartialDate(1790, approximate=True), "about 1790"),
        (PartialDate(1790, 5, approximate=True), "about May 1790"),
    ],
)
def test_dates(date: PartialDate, text: str) -> None:
    assert formats.date(date) == text


@pytest.mark.parametrize(
    ("start", "end", "text"),
    [
        (APRIL_26, PartialDate(1883, 6, 23), "26 April – 23 June 1883"),
        (APRIL_26, PartialDate(1883, 4, 30), "26–30 April 1883"),
        (APRIL_26, APRIL_26, "26 April 1883"),
        (APRIL_26, PartialDate(1883, 6), "26 April – June 1883"),
        (PartialDate(1883, 4), PartialDate(1883, 6), "April – June 1883"),
        (PartialDate(1881), PartialDate(1882), "1881–1882"),
        (PartialDate(1881, 12, 28), PartialDate(1882, 1, 5), "28 December 1881 – 5 January 1882"),
        (PartialDate(1881, 12), PartialDate(1882), "December 1881 – 1882"),
        (PartialDate(1883), PartialDate(1883, 6), "1883 – June 1883"),
        (PartialDate(1881, approximate=True), PartialDate(1882), "about 1881–1882"),
        (PartialDate(1883, 4), PartialDate(1883, 4, 30), "April – 30 April 1883"),
    ],
)
def test_spans(start: PartialDate, end: PartialDate, text: str) -> None:
    assert formats.dates(DateSpan(start, end)) == text


def test_ranges() -> None:
    assert formats.span(2, 5) == "2–5"
    assert formats.span(1200, 1200) == "1,200"


def test_years() -> None:
    assert formats.years(1849, 1869) == "1849–1869"
    assert formats.years(1849, 1849) == "1849"


@pytest.mark.parametrize(
    ("born", "died", "text"),
    [
        (PartialDate(1818, 7, 6), PartialDate(1879, 3, 13), "1818–1879"),
        (PartialDate(1888), None, "b. 1888"),
        (None, PartialDate(1879), "d. 1879"),
        (PartialDate(1790, approximate=True), PartialDate(1850), "c. 1790–1850"),
        (None, None, "?"),
    ],
)
def test_lives(born: PartialDate | None, died: PartialDate | None, text: str) -> None:
    assert formats.life(born, died) == text


def test_tally() -> None:
    assert formats.tally(7, 2, 2) == "+7 −2 =2"


def test_amounts_of_shared_games_are_whole_again() -> None:
    assert formats.amount(19380 + 3 * (1 / 3)) == "19,381"
    assert formats.amount(19380.999999999993) == "19,381"
    assert formats.amount(2.5) == "2½"
    assert formats.counted(0.1 + 0.2 + 0.7, "game") == "1 game"


def test_quarters_of_points() -> None:
    assert [formats.score(x) for x in (10.25, 4.75, 0.25, 0)] == ["10¼", "4¾", "¼", "0"]


def test_shares_of_games_are_rounded():
    assert formats.amount(172 + 1 / 3) == "≈172"
    assert formats.counted(3.2, "more game") == "≈3 more games"
    assert formats.amount(0.2) == "0.20"
    assert formats.points_of_games(12 + 1 / 3, 16 + 1 / 3) == "≈12½/16"
    assert formats.points_of_games(0.5, 2 / 3) == "½/0.67"
    assert formats.points_of_games(7, 12.5) == "7/12½"


def test_points_of_games():
    assert formats.points_of_games(10.5, 13) == "10½/13"
    assert formats.points_of_games(0, 0) == "–"
    assert formats.points_of_games(-1e-12, 12) == "0/12"
    with pytest.raises(ValueError, match=r"a score of -0\.67 points"):
        formats.points_of_games(-0.67, 12)


@pytest.mark.parametrize(
    ("name", "more"), [("rating", ()), ("score", ()), ("signed", (1,)), ("points_of_games", (2.0,))]
)
def test_filters_show_what_is_not_known_as_a_dash(name: str, more: tuple[float, ...]):
    assert formats.FILTERS[name](None, *more) == "–"
    assert formats.FILTERS[name](1.0, *more) == getattr(formats, name)(1.0, *more)


def test_a_change_is_that_of_the_shown_ratings():
    assert formats.change(2163.0, 2131.5) == "+31"
    assert formats.change(2000.4, 2000.0) == "0"
    assert formats.change(-1.0, 1.0) == "−2"


def test_small_chances_are_not_shown():
    shown = [formats.chance_from_1(p) for p in (None, 0.0099, 0.01, 0.999)]
    assert shown == ["", "", "1%", ">99%"]


def test_days_and_dates_of_events():
    assert formats.day(datetime.date(2026, 4, 26)) == "26 April 2026"
    assert formats.when(None, 1851) == "1851"
    assert formats.when(DateSpan(PartialDate(1851, 5), PartialDate(1851, 6)), 1851) == (
        "May – June 1851"
    )


def test_the_life_of_a_player_without_dates_is_not_shown():
    assert formats.life_of(Player("a", "A")) == ""
    assert formats.life_of(Player("a", "A", died=PartialDate(1877))) == "d. 1877"


def test_numbers_are_rounded_as_their_shortest_decimal_form():
    rng = random.Random(1883)
    for _ in range(3000):
        places = rng.choice([0, 1, 2, 4])
        half = (rng.randrange(-99999, 99999) + 0.5) / 10**places
        for value in (
            half,
            math.nextafter(half, 0.0),
            rng.uniform(-1, 1) * 10 ** rng.uniform(-6, 13),
        ):
            step = Decimal(1).scaleb(-places)
            rounded = Decimal(repr(value)).quantize(step, rounding=ROUND_HALF_UP)
            expected = f"{abs(rounded):f}"
            assert formats.fixed(value, places) == (formats.MINUS if rounded < 0 else "") + expected
