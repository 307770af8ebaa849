"""Axes of charts: where values, ticks and lines lie."""

from __future__ import annotations

import pytest

from edo.site.charts.axis import Axis, Rectangle, Tick, path, polyline, step_of


def test_values_lie_between_the_ends_of_the_axis() -> None:
    upwards = Axis(2000, 2400, start=516, end=236)
    assert [upwards.at(rating) for rating in (2000, 2100, 2400)] == [516, 446, 236]
    assert upwards.exact(2101) == pytest.approx(445.3)
    assert (upwards.at(2500), upwards.within(2500), upwards.within(1)) == (166, 236, 516)
    assert upwards.holds(2400) and not upwards.holds(2400.1)


def test_ticks_are_the_multiples_on_the_axis() -> None:
    axis = Axis(-7.5, 12.0, 0.0, 195.0)
    assert list(axis.multiples(5)) == [-5, 0, 5, 10]
    assert axis.ticks(10) == (Tick(75.0, "0"), Tick(175.0, "10"))
    assert [step_of(span, (1, 2, 5), 6) for span in (6, 7, 30, 900)] == [1, 2, 5, 5]


def test_lines_are_written_as_svg_has_them() -> None:
    points = [(1.0, 2.5), (3.25, 4.0)]
    assert (path(points), polyline(points)) == ("M1 2.5l2.25 1.5", "1,2.5 3.25,4")


def test_rectangles_touch_without_overlapping() -> None:
    square = Rectangle(0, 0, 10, 10)
    assert square.overlaps(Rectangle(9, 9, 20, 20))
    assert not square.overlaps(Rectangle(10, 0, 20, 10))
    assert Rectangle(-5, 12, 1, 14).moved_into(square) == Rectangle(0, 8, 6, 10)


def test_a_path_says_the_way_from_point_to_point():
    assert path([(1.0, 2.5), (1.3, 2.1), (1.3, 12.1), (0.3, 12.1)]) == "M1 2.5l.3-.4 0 10-1 0"
    assert path([(5.1, 7.0)]) == "M5.1 7"
