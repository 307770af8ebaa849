"""What every rating system must keep to, whatever its rule: names, sides and order say nothing."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from sample_games import by_name, history, random_rows, renamed, swapped

from edo.rating.games import Games
from edo.systems.all_ratings import SYSTEMS
from edo.systems.base import Rated, System

SMALL = {"chessmetrics": {"least_players": 2.0}}  # where ten play there is no list of ten
ROUGH = {"edo-integrated", "trueskill", "ttt", "ttt-d"}  # stop when near this
every_system = pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.slug)


@cache
def games() -> Games:
    """Return games of ten players in nine years with colours; one of them holds the scale."""
    rows = [(year + 28, *row) for year, *row in random_rows(3, players=10, years=9, a_year=25)]
    made = history(rows)
    colour = np.random.default_rng(1).integers(-1, 2, len(rows)).astype(float)
    return replace(made, colour=colour)


def rate(system: System, of: Games) -> Rated:
    return system.rate(of, replace(system.parameters, **SMALL.get(system.slug, {})))


@cache
def rated(system: System) -> Rated:
    return rate(system, games())


@every_system
@pytest.mark.parametrize("change", [renamed, swapped])
def test_names_sides_and_order_do_not_matter(system: System, change) -> None:
    here, other = rated(system), change(games())
    there, near = rate(system, other), 0.05 if system.slug in ROUGH else 1e-6
    found = by_name(other, there)
    assert np.isfinite(list(found.values())).mean() > 0.5
    assert found == pytest.approx(by_name(games(), here), abs=near, nan_ok=True)
    doubt = by_name(games(), here, here.deviation)
    assert by_name(other, there, there.deviation) == pytest.approx(doubt, abs=near, nan_ok=True)
    assert there.log_evidence == pytest.approx(here.log_evidence, abs=near)


@every_system
def test_expectations_are_of_this_world_and_travel(system: System) -> None:
    of = rated(system)
    expected = pickle.loads(pickle.dumps(of.expected))
    nodes = np.flatnonzero(np.isfinite(of.rating))
    one, other = (side.ravel() for side in np.meshgrid(nodes, nodes))
    for white in (1.0, 0.0, -1.0):
        colour = np.full(one.size, white)
        found = expected(one, other, colour)
        assert found.tolist() == of.expected(one, other, colour).tolist()
        assert np.all((found > 0.0) & (found < 1.0))
        assert found + expected(other, one, -colour) == pytest.approx(1.0)
    ahead = of.rating[one] > of.rating[other] + 100
    assert np.all(expected(one[ahead], other[ahead], np.zeros(ahead.sum())) > 0.5)
