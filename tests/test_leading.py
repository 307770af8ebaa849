"""Sites led by Edo integrated: its joint distribution by a dense route, and a whole small site."""

from __future__ import annotations

import shutil
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from conftest import MINISITE, small_config, small_content
from numpy.testing import assert_allclose
from published import csv_rows
from test_system_edo_integrated import (
    HYPER,
    all_of,
    dense_information,
    dense_prior,
    games,  # noqa: F401 (a fixture)
)

import build
from edo.core.problems import InputError, NotConverged
from edo.core.scale import ELO_PER_NAT, Floats
from edo.history.dataset import load
from edo.history.project import read_site_config
from edo.history.settings import LEADING, Settings
from edo.rating import edo, network
from edo.rating.evidence import evidence
from edo.rating.games import Games, Row, Side, games_of, numbered, pairings
from edo.rating.inference.joint import blocks, condense
from edo.rating.inference.leave_one_out import leave_out_each
from edo.systems import hierarchical_fit, integrated_joint, leading
from edo.systems.all_ratings import SYSTEMS, rate_all, systems_with
from edo.systems.edo_integrated import Parameters, fit
from edo.systems.evaluation.tuning import fingerprint_of
from edo.systems.hierarchical_fit import Posterior
from edo.systems.integrated_joint import IntegratedNetwork, rated_network

INTEGRATED = Settings(system="edo-integrated")


def test_the_systems_that_can_lead_are_systems_with_these_names() -> None:
    names = {one.slug: one.name for one in SYSTEMS}
    assert {slug: names[slug] for slug in LEADING} == LEADING


def test_measurements_of_edo_do_not_depend_on_who_leads() -> None:
    assert fingerprint_of([], INTEGRATED) == fingerprint_of([], Settings())


@pytest.fixture(scope="module")
def rated(games: Games) -> IntegratedNetwork:  # noqa: F811
    ordered = games.in_order()
    found = fit(ordered, Parameters())
    wide = replace(found, hyper=HYPER, point=found.posterior.fit(HYPER))
    return rated_network(ordered, wide, INTEGRATED)


def dense(rated: IntegratedNetwork, posterior: Posterior) -> tuple[Floats, Floats]:
    """The map from all numbers to ratings less their mean, and the inverse of the information."""
    fitted, k = rated.fit, posterior.k
    to_rating = np.hstack([np.eye(k), np.zeros((k, posterior.p)), fitted.structure.shape])
    prior = dense_prior(posterior, fitted.hyper)
    at = posterior.fit(fitted.hyper)
    information = dense_information(all_of(at), posterior, prior)
    return to_rating, np.linalg.inv(information)


def test_blocks_are_the_dense_covariances(rated: IntegratedNetwork) -> None:
    to_rating, inverse = dense(rated, rated.fit.posterior)
    centred = to_rating - to_rating.mean(axis=0)
    expected = ELO_PER_NAT**2 * centred @ inverse @ centred.T
    k = len(expected)
    groups = [np.arange(k), np.array([k - 1, 0, 3]), np.arange(2, k, 4)]
    for nodes, block in zip(groups, blocks(rated, condense(rated), groups), strict=True):
        assert_allclose(block.covariance, expected[np.ix_(nodes, nodes)], rtol=1e-5, atol=1e-3)
        assert_allclose(block.mean, rated.rating[nodes])
    assert_allclose(rated.deviation, np.sqrt(expected.diagonal()), rtol=1e-8)


def test_years_are_those_of_the_network_and_the_scale_that_of_the_settings(
    rated: IntegratedNetwork,
) -> None:
    assert rated.network.year.tolist() == rated.fit.structure.model.player_years.year.tolist()
    assert rated.rating.mean() == pytest.approx(1500)
    assert_allclose(np.diff(rated.rating), np.diff(rated.fit.rating))


def test_leaving_out_an_event_is_a_fit_without_its_games(rated: IntegratedNetwork) -> None:
    posterior, ordered = rated.fit.posterior, rated.games
    model, moved = posterior.model, 0.0
    for one in leave_out_each(rated, condense(rated)):
        own = np.array([ordered.events[event] == one.removal.event for event in ordered.event])
        without = Posterior(replace(model, weight=np.where(own, 0.0, model.weight)))
        at = without.fit(rated.fit.hyper)
        expected = ELO_PER_NAT * (at.u + rated.fit.structure.shape @ at.c)
        stay = one.removal.rated
        expected += 1500 - expected[stay].mean()
        assert_allclose(one.rating[stay], expected[stay], atol=0.5)
        moved = max(moved, np.abs(one.rating - rated.rating)[stay].max())
        to_rating, inverse = dense(rated, without)
        to_form = to_rating[one.nodes].copy()  # the form at one more event comes on top
        found = ELO_PER_NAT**2 * (
            to_form @ inverse @ to_form.T + rated.fit.hyper.form**2 * np.eye(len(one.nodes))
        )
        for i, j in combinations(range(len(one.nodes)), 2):
            across = np.eye(len(one.nodes))[i] - np.eye(len(one.nodes))[j]
            given = across @ one.covariance @ across
            assert given == pytest.approx(across @ found @ across, rel=0.02)
    assert moved > 20  # there was something to find


def test_where_the_kept_matrix_leads_on_too_slowly_a_fit_finds_the_maximum(
    rated: IntegratedNetwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a step by the kept matrix all is as before, the factor for the next event too."""
    monkeypatch.setattr(integrated_joint, "MIN_MOVE", 0.0)
    before = list(leave_out_each(rated, condense(rated)))
    monkeypatch.setattr(integrated_joint, "MAX_STEPS", 0)
    for by_steps, by_fit in zip(before, leave_out_each(rated, condense(rated)), strict=True):
        stay = by_steps.removal.rated
        assert_allclose(by_fit.rating[stay], by_steps.rating[stay], atol=0.5)
        assert_allclose(by_fit.covariance, by_steps.covariance, rtol=1e-9)
    monkeypatch.setattr(hierarchical_fit, "MAX_STEPS", 0)
    with pytest.raises(NotConverged, match="no maximum after 0 steps"):
        next(leave_out_each(rated, condense(rated)))


def test_who_played_in_one_event_only_has_no_rating_without_it(rated: IntegratedNetwork) -> None:
    events: dict[str, set[str]] = {}
    for pairing in pairings(rated.network.pairings):
        for one in (pairing.first.player, pairing.second.player):
            events.setdefault(one, set()).add(pairing.event)
    for one in leave_out_each(rated, condense(rated)):
        expected = [events[player] == {one.removal.event} for player in rated.network.players]
        assert one.removal.dropped.tolist() == expected


def test_a_rank_takes_a_chain_of_games_to_the_main_body() -> None:
    groups = ("abcdef", "wxyz")
    met = [pair for group in groups for pair in combinations(group, 2)]
    rows = [Row(1900, "e", Side(a), Side(b), 5.0, 10.0) for a, b in met]
    net = network.build(numbered(rows), INTEGRATED, everybody=True)
    found = evidence(net, replace(INTEGRATED, ranked_events=1))
    assert dict(zip(net.players, found.ranked, strict=True)) == {
        **dict.fromkeys(groups[0], True), **dict.fromkeys(groups[1], False)
    }  # fmt: skip
    node = net.players.index("w")
    assert found.shortfall(node, INTEGRATED) == "no chain of games to the main body of players"


def test_the_other_system_is_at_the_level_of_the_leading_one() -> None:
    dataset = load(MINISITE / "events")
    history = games_of(dataset)
    both = [one for one in systems_with(Settings()) if one.slug in LEADING]
    done = leading.run(history, INTEGRATED)
    systems = rate_all(history, both, known=leading.columns_of(done, history))
    column = systems.column("edo-integrated")
    assert systems.leading == "edo-integrated" and column is not None
    assert_allclose(column.rating, done.rating)
    other = leading.second_ratings(dataset, history, systems, edo.publish(dataset, done))
    own = edo.publish(dataset, edo.run(history, Settings()))
    assert other.players.keys() == own.players.keys()
    shifts = {
        round(one.rating - before.rating, 6)
        for player, years in other.players.items()
        for one, before in zip(years, own.players[player], strict=True)
    }
    assert len(shifts) == 1  # the ratings of Edo, shifted
    assert set(edo.publish(dataset, done).players) > set(own.players)


@pytest.fixture(scope="module")
def led(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site of the minisite's events, led by Edo integrated."""
    folder = tmp_path_factory.mktemp("led")
    shutil.copytree(MINISITE / "events", folder / "events")
    shutil.copytree(small_content(), folder / "content")
    small_config(folder)
    config = (folder / "site.yaml").read_text()
    config = config.replace("\nsystem: edo\n", "\nsystem: edo-integrated\n")
    (folder / "site.yaml").write_text(config)
    assert build.main(["--project", str(folder)]) == 0
    return folder / "site"


@pytest.mark.slow
def test_a_history_can_be_led_by_edo_integrated(led: Path, minisite: Path) -> None:
    ratings, by_edo = (csv_rows(site, "ratings.csv") for site in (led, minisite))
    assert {one["system"] for one in ratings} == {"edo-integrated"}
    assert {one["system"] for one in by_edo} == {"edo"}
    assert {one["other_system"] for one in by_edo} == {"edo-integrated"}
    differences = {  # each system's ratings differ by one constant between the two sites
        round(float(one["other_rating"]) - float(again["rating"]), 2)
        for one in ratings
        for again in by_edo
        if one["other_system"] and (one["player"], one["year"]) == (again["player"], again["year"])
    }
    assert len(differences) == 1
    for name in ("number_one.csv", "superiority.csv.gz", "best_years.csv.gz", "influence.csv.gz"):
        assert csv_rows(led, name), name
    zukertort = next(
        one for one in ratings if one["player"] == "zukertort-johannes" and one["year"] == "1882"
    )
    assert float(zukertort["rating"]) == 2665


def test_an_unknown_system_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "site.yaml"
    path.write_text("name: A\nsystem: glicko\n")
    with pytest.raises(InputError) as refused:
        read_site_config(path)
    assert str(refused.value) == (
        f"{path}:2: system: `glicko` cannot lead a site; write edo or edo-integrated"
    )
    path.write_text("name: A\nsystem: edo-integrated\n")
    assert read_site_config(path).settings == INTEGRATED
