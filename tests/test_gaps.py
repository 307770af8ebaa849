"""Variances of differences of player-years, in gaps too: closed forms and the full network."""

from dataclasses import replace

import numpy as np
import pytest
from sample_datasets import EVERYBODY_RANKED, covariances, dataset, event, odds_by, result

from edo.history.settings import Settings
from edo.rating.edo import run
from edo.rating.games import games_of
from edo.rating.inference.joint import GapInterpolation, condense

ANCHOR = Settings(anchor_player="a", anchor_year=1850, anchor_rating=2000, **EVERYBODY_RANKED)


UNEVEN = (
    event("first", 1850, result("a", "b", 3, 5), result("b", "c", 2, 4)),
    event("odds", 1853, result("a", "c", 2, 6, odds=odds_by("a")), result("c", "d", 2, 5)),
    event("last", 1859, result("a", "d", 1, 3), result("b", "d", 2, 3)),
)


def passed(*events):
    return run(games_of(dataset(*events)), ANCHOR)


def every_difference(done):
    """The variances (k, k) of all differences between player-years, by `GapInterpolation`."""
    nodes = np.arange(len(done.network.year))
    return GapInterpolation(done.network, condense(done)).variances(nodes)


def test_variances_of_differences_agree_with_the_full_network():
    done = passed(*UNEVEN)
    n = len(done.network.year)
    assert (done.network.games == 0).sum() == 7 + 8 + 2 + 5  # of a, who has two gaps, b, c and d
    whole = covariances(done.fit, np.arange(n))[:n]
    own = whole.diagonal()
    np.testing.assert_allclose(
        every_difference(done), own[:, None] + own - 2 * whole, rtol=1e-5, atol=1e-6
    )


@pytest.mark.parametrize("self_score", [0.5, 0.6])
def test_theta_maximises_the_likelihood_of_the_condensed_network(self_score):
    """The gradient of the condensed network is zero at the fit."""
    settings = replace(ANCHOR, self_score=self_score)
    done = run(games_of(dataset(*UNEVEN)), settings)
    network = condense(done)
    links, n = network.links, len(network.node)
    assert (links.span > 1).sum() == 2 + 1 + 1 + 1
    surplus = links.surplus(network.theta)
    assert np.abs(surplus[links.span > 1]).max() > 0.3
    pull = np.bincount(links.i, surplus, n) - np.bincount(links.j, surplus, n)
    assert pull == pytest.approx(np.zeros(n), abs=1e-6)


def test_a_gap_between_equals_in_closed_form():
    """At even scores each self-pairing has the information 30 / 4, each match its own."""
    done = passed(
        event("first", 1850, result("a", "b", 4, 8)), event("last", 1853, result("a", "b", 4, 8))
    )
    apart = every_difference(done)
    step, match = 4 / 30, 4 / 8
    assert done.network.year.tolist() == [1850, 1851, 1852, 1853] * 2
    # a ring of two chains of three self-pairings each, and two matches
    ring = 6 * step + 2 * match
    assert apart[0, 4] == pytest.approx(match * (ring - match) / ring)
    assert apart[1, 2] == pytest.approx(step * (ring - step) / ring)
    assert apart[0, 2] == pytest.approx(2 * step * (ring - 2 * step) / ring)
    across = match + 3 * step  # from 1851 of the one to 1852 of the other, either way round
    assert apart[1, 6] == pytest.approx(across / 2)
    assert np.array_equal(apart.diagonal(), np.zeros(8))
