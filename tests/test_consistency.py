"""The level of each year, by hand-made lists."""

from __future__ import annotations

import pytest

from edo.rating.edo import PlayerYear, Ratings, YearLevel, levels


def listed(year: int, *ratings: float) -> tuple[PlayerYear, ...]:
    return tuple(
        PlayerYear(f"p{rank}", year, rating, 50.0, rating, 50.0, rank, 1.0, 2.0)
        for rank, rating in enumerate(ratings, start=1)
    )


def test_means_of_the_first_and_the_share_below() -> None:
    twenty = [2600.0 - 25 * k for k in range(20)]  # 2600 to 2125: 2200 itself is not below
    years = {1860: listed(1860, *twenty), 1859: listed(1859, 2400, 2300, 2200, 2100, 2000)}
    assert levels(Ratings({}, years, {}, ())) == (
        YearLevel(1859, 5, 2200.0, None, None, pytest.approx(2 / 5)),
        YearLevel(1860, 20, 2550.0, 2487.5, 2362.5, pytest.approx(3 / 20)),
    )
