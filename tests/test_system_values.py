"""The numbers in the texts on the rating systems, counted by hand in the made-up world."""

from __future__ import annotations

from typing import Any

import pytest
from sample_history import ALDER, BIRCH, DATASET, RATINGS, YEW
from sample_systems import combined

from edo.rating.games import games_of
from edo.site.input import SiteInput
from edo.site.pages.content_values import system_values
from edo.site.placeholders import filled

SYSTEMS = combined()
SITE = SiteInput(DATASET, RATINGS, {}, None, "0" * 12, "1.0", systems=SYSTEMS)


def values(slug: str) -> Any:
    return system_values(SITE, SYSTEMS.column(slug))


def test_a_system_is_compared_with_edo() -> None:
    here = values("step")["here"]
    assert (here["n_players"], here["n_unrated"], here["n_without_edo"]) == (5, 0, 1)
    # Years with games: 1850, 1851 (Yew leads, whom Edo does not rate) and 1853.
    assert here["n_years"] == 3
    assert here["n_same_leader"] == 1
    assert here["ratings"][ALDER][1853] == pytest.approx(2263)
    assert here["edo"][ALDER][1853] == pytest.approx(2163)


def test_what_has_no_rating_is_none() -> None:
    here = values("step")["here"]
    assert here["edo"][YEW][1851] is None
    assert here["ratings"][ALDER][1700] is None
    assert here["ratings"]["nobody"][1851] is None
    assert values("shy")["here"] is None


def test_examples_without_data_are_left_out() -> None:
    text = '{% if here and here.ratings["nobody"][1851] %}a{% endif %}b'
    assert filled(text, values("step"), "x") == "b"
    assert filled(text, values("shy"), "x") == "b"


def test_facts_about_the_games() -> None:
    history = values("step")["history"]
    games = games_of(DATASET)
    assert history["n_players"] == len(games.players)
    assert history["last_year"] == 1853
    assert 0 <= history["draw_share"] <= 1
    known = games.without_odds().where(games.without_odds().played)
    assert history["draw_share"] == pytest.approx(known.draws.sum() / known.count.sum())
    totals = {
        player: sum(
            count
            for first, second, count in zip(games.first, games.second, games.count, strict=True)
            if k in (first, second)
        )
        for k, player in enumerate(games.players)
    }
    assert history["under"][4] == pytest.approx(
        sum(total < 4 for total in totals.values()) / len(totals)
    )
    assert BIRCH in totals and 0 <= history["share_year_only"] <= 1
    assert [era.first <= era.last for era in history["eras"]] == [True] * len(history["eras"])
