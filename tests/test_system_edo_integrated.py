"""Edo integrated: maximum, evidence, its gradient and deviations, each by a second route."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from dense import slopes
from numpy.testing import assert_allclose
from sample_games import games_between, network
from scipy.optimize import minimize
from scipy.special import expit

from edo.core.problems import NotConverged
from edo.core.scale import Floats, elo_from_theta, theta_from_elo
from edo.rating.games import EVEN, Games, Traits
from edo.systems import edo_integrated
from edo.systems.base import averaged, logistic_score
from edo.systems.edo_integrated import Parameters, structure_of
from edo.systems.hierarchical_fit import Hyper, LogEvidence, Point, Posterior
from edo.systems.player_years import PlayerYears

HYPER = Hyper(0.15, 0.11, 0.55, -0.2, (0.2, 0.12))


@pytest.fixture(scope="module")
def games() -> Games:
    """Forty games of seven players in six years, with colours, odds, draws, ages and countries."""
    start = network(3, 7, 40, 6, has_draws=False)
    rng = np.random.default_rng(4)
    draws = (rng.random(40) < 0.3).astype(float)
    wins = np.where(draws > 0, 0.0, start.wins)
    first = int(start.year.min())
    born = np.array([first - 15.0, first - 20, first - 31, np.nan, first - 55, first - 40, np.nan])
    colour = rng.integers(-1, 2, 40).astype(float)
    odds = np.where(rng.random(40) < 0.1, 100.0, 0.0)
    return replace(
        start,
        wins=wins,
        draws=draws,
        losses=1 - wins - draws,
        colour=colour,
        odds=odds,
        odds_kinds=("odds",),
        odds_kind=np.where(odds == 0, EVEN, 0),
        traits=Traits(born, ("AUT", "AUT", "GER", None, "ENG", "GER", "GER")),
    )


@pytest.fixture(scope="module")
def posterior(games: Games) -> Posterior:
    model = structure_of(games, Parameters()).model
    return Posterior(replace(model, weight=np.full(len(model.i), 1.4)))


def dense_prior(posterior: Posterior, hyper: Hyper) -> Floats:
    """The precision of the whole prior, residual by residual as the module's text has them."""
    model, k, p, c = posterior.model, posterior.k, posterior.p, posterior.c
    eye, rows, weights = np.eye(k + p + c), [], []
    for at in range(p):
        rows.append(eye[k + at] - eye[model.of[at]])
        weights.append(hyper.form**-2)
    for at in posterior.later:
        rows.append(eye[at] - eye[at - 1])
        weights.append(hyper.step**-2)
    level = model.level[model.player_years.player]
    for at in range(k):
        n = model.years[at]
        sigma = hyper.spread * np.exp(hyper.spread_power * (np.log(n) - 1))
        rows.append(eye[at] - np.r_[np.zeros(k + p), level[at]])
        weights.append(1 / (n * sigma**2))
    for at in range(c):
        rows.append(eye[k + p + at])
        weights.append(model.weak[at])
    for group, deviation in zip(model.groups, hyper.groups, strict=True):
        for row in group.rows:
            rows.append(np.r_[np.zeros(k + p), row])
            weights.append(deviation**-2)
    return np.array(rows).T * weights @ np.array(rows)


def dense_rows(posterior: Posterior) -> Floats:
    """The difference of each row of games as a combination of all numbers."""
    model, k, p = posterior.model, posterior.k, posterior.p
    eye = np.eye(p)
    between = np.hstack([eye[model.i] - eye[model.j], model.shared.toarray()])
    return np.hstack([np.zeros((len(between), k)), between])


def dense_loss(z: Floats, posterior: Posterior, prior: Floats) -> float:
    """Minus the log posterior, up to a constant."""
    model = posterior.model
    x = dense_rows(posterior) @ z + model.odds
    lost = model.games - model.score
    likelihood = model.score * np.log(expit(x)) + lost * np.log(expit(-x))
    return float(z @ prior @ z / 2 - model.weight @ likelihood)


def dense_gradient(z: Floats, posterior: Posterior, prior: Floats) -> Floats:
    model, rows = posterior.model, dense_rows(posterior)
    surplus = model.score - model.games * expit(rows @ z + model.odds)
    return prior @ z - rows.T @ (model.weight * surplus)


def dense_information(z: Floats, posterior: Posterior, prior: Floats) -> Floats:
    model, rows = posterior.model, dense_rows(posterior)
    p = expit(rows @ z + model.odds)
    return prior + rows.T * (model.weight * model.games * p * (1 - p)) @ rows


def all_of(at: Point) -> Floats:
    return np.r_[at.u, at.v, at.c]


def test_the_maximum_is_that_of_a_dense_fit(posterior: Posterior) -> None:
    found, prior = all_of(posterior.fit(HYPER)), dense_prior(posterior, HYPER)
    again = minimize(
        dense_loss, np.zeros_like(found), (posterior, prior), "BFGS", jac=dense_gradient,
        options={"maxiter": 3000, "gtol": 1e-7},
    )  # fmt: skip
    n = posterior.n  # a coefficient of a country or an age without anybody is 0 in both
    assert_allclose(elo_from_theta(found[:n]), elo_from_theta(again.x[:n]), atol=0.02)
    assert dense_loss(found, posterior, prior) <= again.fun + 1e-9


def test_the_evidence_is_that_of_dense_determinants(posterior: Posterior) -> None:
    at, prior = posterior.fit(HYPER), dense_prior(posterior, HYPER)
    z = all_of(at)
    determinants = [
        np.linalg.slogdet(one)[1] for one in (prior, dense_information(z, posterior, prior))
    ]
    expected = -dense_loss(z, posterior, prior) + (determinants[0] - determinants[1]) / 2
    assert posterior.evidence(at, HYPER).value == pytest.approx(expected, abs=1e-7)


def test_the_gradient_of_the_evidence_is_that_of_differences(posterior: Posterior) -> None:
    at = posterior.fit(HYPER)

    def evidence(numbers: Floats) -> float:
        hyper = Hyper.of_numbers(numbers)
        return posterior.evidence(posterior.fit(hyper, at), hyper).value

    expected = slopes(evidence, HYPER.numbers(), 1e-4)
    assert posterior.evidence(at, HYPER).gradient == pytest.approx(expected, abs=1e-5)


def test_the_average_information_is_the_dense_one(posterior: Posterior) -> None:
    at = posterior.fit(HYPER)
    z, prior = all_of(at), dense_prior(posterior, HYPER)

    def pull(numbers: Floats) -> Floats:
        return np.asarray(dense_prior(posterior, Hyper.of_numbers(numbers)) @ z)

    d = slopes(pull, HYPER.numbers()).T
    learnt = np.linalg.inv(prior) - np.linalg.inv(dense_information(z, posterior, prior))
    np.testing.assert_allclose(
        posterior.evidence(at, HYPER).information, d.T @ learnt @ d / 2, rtol=1e-5, atol=1e-6
    )


def test_deviations_and_predictions_are_those_of_the_dense_inverse(games: Games) -> None:
    found = edo_integrated.fit(games, Parameters())
    posterior, shape = found.posterior, found.structure.shape
    k, p = posterior.k, posterior.p
    prior = dense_prior(posterior, found.hyper)
    covariance = np.linalg.inv(dense_information(all_of(found.point), posterior, prior))
    to_rating = np.hstack([np.eye(k), np.zeros((k, p)), shape])
    centred = to_rating - to_rating.mean(axis=0)
    variance = np.diag(centred @ covariance @ centred.T)
    assert_allclose(found.deviation(), elo_from_theta(np.sqrt(variance)), rtol=1e-6)
    first, second, colour = np.array([0, 3]), np.array([5, 9]), np.array([1.0, -1.0])
    across = to_rating[first] - to_rating[second]
    across[:, -1] += colour
    mean = across @ all_of(found.point)
    spread = np.diag(across @ covariance @ across.T) + 2 * found.hyper.form**2
    expected = averaged(expit, mean, spread)
    predicted = edo_integrated.Predictive(found)(first, second, colour)
    assert_allclose(predicted, expected, atol=1e-9)
    assert np.all(np.abs(predicted - 0.5) < np.abs(expit(mean) - 0.5))


def test_shared_effects_are_those_of_the_dense_inverse(games: Games) -> None:
    found = edo_integrated.fit(games, Parameters())
    names, posterior = found.structure.names, found.posterior
    z, prior = all_of(found.point), dense_prior(posterior, found.hyper)
    covariance = np.linalg.inv(dense_information(z, posterior, prior))[posterior.n :, posterior.n :]
    effects = {(one.kind, one.of): one for one in edo_integrated.effects(games, found)}
    at = {name: np.eye(len(names))[k] for k, name in enumerate(names)}
    halfway = (at["age 18"] + at["age 22"]) / 2 - at["age 30"]
    members = {"AUT": 2, "ENG": 1, "GER": 3}
    mean = sum(n * at[f"country {code}"] for code, n in members.items()) / 6
    expected = {
        ("age", "20"): halfway,
        ("age", "30"): 0 * halfway,
        ("country", "GER"): at["country GER"] - mean,
        ("events", "twice as many"): np.log(2) * at["events"],
    }
    for key, vector in expected.items():
        one = effects[key]
        assert one.effect == pytest.approx(elo_from_theta(vector @ found.point.c), abs=1e-9), key
        deviation = elo_from_theta(np.sqrt(vector @ covariance @ vector))
        assert one.deviation == pytest.approx(deviation, rel=1e-6), key
    assert {of: one.count for (kind, of), one in effects.items() if kind == "country"} == members
    played = set(zip(games.first.tolist(), games.year.tolist(), strict=True))
    played |= set(zip(games.second.tolist(), games.year.tolist(), strict=True))
    assert games.traits is not None
    known = [who for who, _ in played if not np.isnan(games.traits.born[who])]
    assert sum(one.count for (kind, _), one in effects.items() if kind == "age") == len(known)


def test_an_average_is_the_integral() -> None:
    grid = np.linspace(-12, 12, 20001)
    for mean, variance in ((0.3, 0.2), (-1.5, 1.0), (2.0, 3.0)):
        density = np.exp(-((grid - mean) ** 2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
        integral = np.trapezoid(expit(grid) * density, grid)
        found = averaged(expit, np.array([mean]), np.array([variance]))
        assert found[0] == pytest.approx(integral, abs=1e-5)


def test_the_shape_of_a_career_leaves_its_mean_where_it_is(games: Games) -> None:
    structure = structure_of(games, Parameters())
    player = structure.model.player_years.player
    for column, name in zip(structure.shape.T, structure.names, strict=True):
        assert np.bincount(player, column) == pytest.approx(0, abs=1e-12), name
    unknown = np.isnan(games.traits.born)[player] if games.traits else None
    ages = [at for at, name in enumerate(structure.names) if name.startswith("age ")]
    assert not structure.shape[unknown][:, ages].any()
    assert structure.shape[~unknown][:, ages].any()


def test_to_have_a_country_is_worth_nothing(games: Games) -> None:
    """The mean effect of the players whose country is known is that of the others: 0."""
    structure = structure_of(games, Parameters())
    at = [k for k, name in enumerate(structure.names) if name.startswith("country ")]
    level = structure.model.level[:, at]
    assert level.sum(axis=0) == pytest.approx(0, abs=1e-12)
    assert not level[3].any()
    assert [structure.names[k] for k in at] == ["country AUT", "country ENG", "country GER"]


def test_without_traits_the_model_has_neither_ages_nor_countries(games: Games) -> None:
    structure = structure_of(replace(games, traits=None), Parameters())
    assert structure.names == ("years", "events", "curve", "white")
    assert not structure.model.groups


@pytest.mark.slow
def test_parts_of_the_model_can_be_left_out(games: Games) -> None:
    whole = edo_integrated.rate(games, Parameters())
    labels = {"ages": "age 18 against 30 [Elo]", "events": "twice as many events [Elo]",
              "countries": "spread of countries [Elo]"}  # fmt: skip
    for part, label in labels.items():
        found = edo_integrated.rate(games, replace(Parameters(), **{part: 0.0}))
        assert label in whole.fitted and label not in found.fitted
    still = edo_integrated.fit(games, Parameters(form=0.0))
    assert elo_from_theta(still.point.v - still.point.u[still.structure.model.of]) == pytest.approx(
        0, abs=0.05
    )


@pytest.mark.slow
def test_a_part_that_says_nothing_is_worth_nothing(games: Games) -> None:
    """Without traits there are no ages and countries to leave out, nor colours without any."""
    plain = replace(games, traits=None, colour=0 * games.colour)
    found = edo_integrated.log_evidences(plain, Parameters())
    assert [found[part] for part in ("ages", "countries", "colours")] == pytest.approx(
        [0, 0, 0],
        abs=0.05,  # searches end where a step more is not worth 0.01 nat
    )
    assert abs(found["events"]) > 0.05


def test_the_order_of_rows_does_not_matter_at_all(games: Games) -> None:
    found = edo_integrated.rate(games, Parameters())
    again = edo_integrated.rate(
        games.where(np.random.default_rng(5).permutation(len(games.first))), Parameters()
    )
    assert np.array_equal(again.rating, found.rating)
    p = found.expected(np.zeros(2, np.int64), np.zeros(2, np.int64), np.array([1.0, -1.0]))
    white = found.fitted["White's advantage [Elo]"]
    assert p == pytest.approx(logistic_score(np.zeros(2), np.array([1.0, -1.0]), white))


def with_form(seed: int, form: float) -> tuple[Games, Floats, PlayerYears]:
    """A history drawn from the model itself: levels, steps, age, form at events, and draws."""
    rng = np.random.default_rng(seed)
    players, rows, truth = 150, [], {}
    born = rng.integers(1850, 1880, players).astype(float)
    begin, length = rng.integers(1870, 1900, players), rng.integers(1, 25, players)
    for who in range(players):
        n = length[who]
        walk = np.cumsum(np.r_[0.0, rng.normal(0, 12, n - 1)])
        age = begin[who] + np.arange(n) - born[who]
        bend = -0.15 * (np.clip(age, 14, 74) - 34) ** 2
        level = rng.normal(0, 110) + walk - walk.mean() + bend - bend.mean()
        truth |= {(who, begin[who] + k): value for k, value in enumerate(level)}
    event = 0
    for year in range(1870, 1925):
        here = np.flatnonzero((begin <= year) & (year < begin + length))
        for _ in range(2 if len(here) > 5 else 0):
            field = rng.permutation(here)[: min(len(here), 10)]
            strength = {who: truth[who, year] + rng.normal(0, form) for who in field}
            rows += [
                (a, b, year, event, strength[a] - strength[b])
                for at, a in enumerate(field) for b in field[:at]
            ]  # fmt: skip
            event += 1
    first, second, year, of, lead = map(np.array, zip(*rows, strict=True))
    p = expit(theta_from_elo(lead + 30))
    drawn, dice = 1.6 * p * (1 - p), rng.random(len(p))
    score = np.where(dice < p - drawn / 2, 1.0, np.where(dice < p + drawn / 2, 0.5, 0.0))
    games = games_between(first, second, year, score, colour=1.0, event=of)
    games = replace(games, traits=Traits(born, (None,) * players))
    years = structure_of(games, Parameters()).model.player_years
    values = [truth[key] for key in zip(years.player.tolist(), years.year.tolist(), strict=True)]
    return games, np.array(values), years


@pytest.mark.slow
def test_deviations_cover_the_truth_and_shared_numbers_are_found_again() -> None:
    inside, size, fitted = np.zeros(2), 0, []
    for seed in range(6):
        games, truth, _ = with_form(seed, 60.0)
        rated = edo_integrated.rate(games, Parameters())
        off = rated.rating - truth
        off = np.abs(off - off.mean()) / rated.deviation
        inside += (off < 1).sum(), (off < 1.96).sum()
        size += len(off)
        fitted.append(rated.fitted)
    one, two = inside / size
    assert 0.66 <= one <= 0.70
    assert 0.94 <= two <= 0.96
    mean = {name: np.mean([one[name] for one in fitted]) for name in fitted[0] if "Elo" in name}
    assert 48 < mean["form at an event [Elo]"] < 62  # of 60: Laplace takes scatter as too small
    assert mean["step from year to year [Elo]"] == pytest.approx(12, abs=8)
    assert mean["White's advantage [Elo]"] == pytest.approx(30, abs=6)
    assert mean["age 18 against 30 [Elo]"] == pytest.approx(-36, abs=18)


def test_an_evidence_that_no_step_raises_is_refused(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gradient of the wrong sign leads down at every length of the step."""
    climb = Posterior.evidence

    def turned(self: Posterior, at: Point, hyper: Hyper) -> LogEvidence:
        found = climb(self, at, hyper)
        return replace(found, gradient=-found.gradient)

    monkeypatch.setattr(Posterior, "evidence", turned)
    with pytest.raises(NotConverged, match="no part of a step of the hyperparameters"):
        edo_integrated.fit(games, Parameters())
