"""The values that all pages share: links, and what stands before and after each."""

from __future__ import annotations

import pytest

from edo.site.input import Link, neighbours

A, B, C = Link("a", "a.html"), Link("b", "b.html"), Link("c", "c.html")


@pytest.mark.parametrize(
    ("links", "beside"),
    [
        ([], []),
        ([A], [(None, None)]),
        ([A, B], [(None, B), (A, None)]),
        ([A, B, C], [(None, B), (A, C), (B, None)]),
    ],
)
def test_each_link_has_what_stands_before_and_after_it(
    links: list[Link], beside: list[tuple[Link | None, Link | None]]
):
    assert list(neighbours(links)) == beside
