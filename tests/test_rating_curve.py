"""The rating curve's geometry, against coordinates worked out by hand."""

from __future__ import annotations

import pytest

from edo.rating.edo import PlayerYear
from edo.site.charts.rating_curve import LEFT, PER_100_ELO, RIGHT, TOP, WIDTH, rating_curve


def year_of(year: int, rating: float, deviation: float, games: float = 10.0) -> PlayerYear:
    return PlayerYear(
        player="a",
        year=year,
        rating=rating,
        deviation=deviation,
        raw_rating=rating,
        raw_deviation=deviation,
        rank=1,
        score=games / 2,
        games=games,
    )


def test_two_neighbouring_years():
    # Ten years at least are drawn: 1850-1851 lies in 1846-1856, 41.8 units a year.
    # 300 Elo at least: a hundred is added below the 2400 that the band needs.
    curve = rating_curve([year_of(1850, 2450, 50), year_of(1851, 2500, 40)])
    assert [tick.label for tick in curve.year_ticks] == [str(y) for y in range(1846, 1857, 2)]
    assert [tick.label for tick in curve.rating_ticks] == ["2300", "2400", "2500", "2600"]
    assert curve.year_ticks[0].at == LEFT
    assert curve.year_ticks[-1].at == WIDTH - RIGHT
    assert curve.rating_ticks[-1].at == TOP
    assert curve.bottom == TOP + 3 * PER_100_ELO
    (stretch,) = curve.stretches
    assert not stretch.is_gap
    assert stretch.line == "213.2,76 255,54"
    assert stretch.band == "213.2,54 255,36.4 255,71.6 213.2,98"
    assert [dot.is_lone for dot in curve.dots] == [False, False]


def test_a_gap_is_a_stretch_of_its_own_and_has_no_dots():
    curve = rating_curve(
        [
            year_of(1850, 2450, 50),
            year_of(1851, 2450, 50),
            year_of(1852, 2450, 60, games=0),
            year_of(1853, 2450, 60, games=0),
            year_of(1854, 2450, 50),
        ]
    )
    assert [stretch.is_gap for stretch in curve.stretches] == [False, True]
    played, gap = curve.stretches
    assert played.line.split()[-1] == gap.line.split()[0]
    assert len(gap.line.split()) == 4
    assert len(gap.band.split()) == 8
    assert [(dot.year, dot.is_lone) for dot in curve.dots] == [
        (1850, False),
        (1851, False),
        (1854, True),
    ]


def test_a_single_year_is_a_lone_dot_with_its_deviation():
    curve = rating_curve([year_of(1850, 2000, 100)])
    assert curve.stretches == ()
    (dot,) = curve.dots
    assert dot.is_lone
    assert (dot.x, dot.low, dot.y, dot.high) == (255.0, TOP + 88, TOP + 44, TOP)


def test_the_vertical_step_is_the_same_for_every_player():
    for spread in (100.0, 700.0):
        years = [year_of(1850, 2000, 90), year_of(1851, 2000 + spread, 90)]
        ticks = rating_curve(years).rating_ticks
        assert ticks[0].at - ticks[1].at == pytest.approx(PER_100_ELO)


@pytest.mark.parametrize(
    ("last", "labels"),
    [
        (1861, ["1852", "1854", "1856", "1858", "1860"]),
        (1895, ["1855", "1860", "1865", "1870", "1875", "1880", "1885", "1890", "1895"]),
        (1941, ["1860", "1870", "1880", "1890", "1900", "1910", "1920", "1930", "1940"]),
    ],
)
def test_years_are_labelled_sensibly(last: int, labels: list[str]):
    years = [year_of(year, 2000, 50) for year in range(1851, last + 1)]
    assert [tick.label for tick in rating_curve(years).year_ticks] == labels


def test_no_year_is_refused():
    with pytest.raises(ValueError, match="at least one year"):
        rating_curve([])
