"""Correlations of ratings of a year or an age, against dense algebra."""

import numpy as np
import pytest
from sample_datasets import dataset, event, result
from test_posterior import dense_covariance, history

from edo.core.model import Dataset, PartialDate, Player
from edo.rating.games import births
from edo.rating.inference import posterior
from edo.rating.inference.joint import condense, same_age

BORN = {"a": 1820, "b": 1820, "c": 1822, "k": 1821}


@pytest.fixture(scope="module")
def done():
    return history()


@pytest.fixture(scope="module")
def found(done):
    return posterior.from_distribution(done, condense(done), BORN).correlations


@pytest.fixture(scope="module")
def rho(done):
    covariance = dense_covariance(done)
    spread = np.sqrt(covariance.diagonal())
    return covariance / spread / spread[:, None]


def test_correlations_of_a_year_agree_with_the_dense_covariance(done, found, rho):
    assert sorted(found.by_year) == list(range(1850, 1856))
    for year, block in found.by_year.items():
        nodes = [done.node(player, year) for player in block.players]
        assert nodes == np.flatnonzero(done.network.year == year).tolist()
        np.testing.assert_allclose(block.rho, rho[np.ix_(nodes, nodes)], atol=1e-5)


def test_correlations_of_an_age_agree_with_the_dense_covariance(done, found, rho):
    assert sorted(found.by_age) == list(range(28, 36))
    assert found.by_age[28].players == ("c",)
    assert found.by_age[29].players == ("c", "k")
    assert found.by_age[31].players == ("a", "b", "c", "k")
    for age, block in found.by_age.items():
        nodes = [done.node(player, BORN[player] + age) for player in block.players]
        np.testing.assert_allclose(block.rho, rho[np.ix_(nodes, nodes)], atol=1e-5)


def test_without_years_of_birth_there_are_no_ages(done):
    assert same_age(done.network, {}) == {}
    assert posterior.from_distribution(done, condense(done)).correlations.by_age == {}


def test_offhand_identities_have_the_year_of_birth_of_the_person():
    plain = dataset(event("e", 1850, result("a", "b", 1, 2)))
    players = {
        "a": Player("a", "A", born=PartialDate(1820, 3)),
        "a-offhand": Player("a-offhand", "A (offhand)", offhand_of="a"),
        "b": Player("b", "B"),
        "b-offhand": Player("b-offhand", "B (offhand)", offhand_of="b"),
    }
    everybody = Dataset(plain.events, players, plain.places, plain.sources, plain.odds)
    assert births(everybody) == {"a": 1820, "a-offhand": 1820}
