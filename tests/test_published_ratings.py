"""Every system, and every library that serves as its second route, gives what was printed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import trueskill
import yaml
from conftest import ROOT
from elote_reference import START, Glicko, Glicko2, elo_after, glicko2_after, glicko_after
from sample_games import history

from edo.core.scale import ELO_PER_NAT
from edo.rating.games import Games
from edo.systems import elo, glicko, sonas, spinrad, ttt
from edo.systems.all_ratings import SYSTEMS
from edo.systems.expectation_propagation import (
    CommonMargin,
    Normal,
    Play,
    chains_of,
    margin_of,
    outcomes_of,
)
from edo.systems.player_years import period_of, player_years_of

EXAMPLES = yaml.safe_load((ROOT / "tests" / "published_ratings.yaml").read_text())
Table = np.ndarray
"""A row per player, or player-year: rating, deviation, volatility, as far as there are any."""


def period(games: Games):
    return period_of(games, slice(0, len(games.first)))


def singles(games: Games) -> list[tuple[int, int, float]]:
    return list(zip(games.first.tolist(), games.second.tolist(), games.score.tolist(), strict=True))


def state(before: Table, example: Any) -> elo.State:
    n = len(before)
    return elo.State(
        before[:, 0], np.full(n, example.get("games_before", 100.0)), np.zeros(n, bool)
    )


def by_glicko(games: Games, before: Table, example: Any) -> Table:
    rating, deviation = before.T
    return np.stack(glicko.updated(rating, deviation, period(games), least=30.0), axis=1)


def by_glicko_2(games: Games, before: Table, example: Any) -> Table:
    rating, deviation, volatility = before.T
    was = glicko.State((rating - 1500) / ELO_PER_NAT, deviation / ELO_PER_NAT, volatility)
    now = glicko.after_games(was, period(games), glicko.Parameters2(**example["parameters"]))
    return np.stack([1500 + ELO_PER_NAT * now.theta, ELO_PER_NAT * now.phi, now.volatility], axis=1)


def by_elote_glicko(games: Games, before: Table, example: Any) -> Table:
    players = [Glicko(*row, START) for row in before.tolist()]
    return np.array([(p.rating, p.rd) for p in glicko_after(players, singles(games), growth=0.0)])


def by_elote_glicko_2(games: Games, before: Table, example: Any) -> Table:
    players = [Glicko2(*row, START) for row in before.tolist()]
    after = glicko2_after(players, singles(games), **example["parameters"])
    return np.array([(p.rating, p.rd, p.volatility) for p in after])


def by_trueskill(games: Games, before: Table, example: Any) -> Table:
    mean, deviation = before.T
    prior = Normal(mean, deviation**2 + (25 / 300) ** 2)
    outcomes = outcomes_of(games, np.stack([games.first, games.second]))
    play = Play(25 / 6, margin_of(0.1, 25 / 6))
    found = CommonMargin(outcomes, chains_of(np.arange(3), prior, 0.0), play).run().nodes
    return np.stack([found.mean, np.sqrt(found.variance)], axis=1)


def by_the_trueskill_library(games: Games, before: Table, example: Any) -> Table:
    players = [trueskill.Rating(*row) for row in before.tolist()]
    drawn, env = games.score[0] == 0.5, trueskill.TrueSkill(backend="scipy")
    return np.array([(r.mu, r.sigma) for r in trueskill.rate_1vs1(*players, drawn, env=env)])


def skills(rate: Callable[..., ttt.Skills]) -> Callable[..., Table]:
    """Return the route to means and deviations of skills, not yet on the usual scale."""

    def route(games: Games, before: Table, example: Any) -> Table:
        found = rate(games, ttt.Parameters(**example["parameters"])).skill
        return np.stack([found.mean, np.sqrt(found.variance)], axis=1)

    return route


def rated(slug: str) -> Callable[..., Table]:
    (system,) = (system for system in SYSTEMS if system.slug == slug)

    def route(games: Games, before: Table, example: Any) -> Table:
        found = system.rate(games, type(system.parameters)(**example["parameters"]))
        return np.stack([found.rating, found.deviation], axis=1)

    return route


ROUTES: dict[str, Callable[[Games, Table, Any], Table]] = {
    "elo-uscf": lambda games, before, one: elo.uscf_event(
        period(games), state(before, one), elo.Uscf(**one["parameters"])
    ).rating[:, None],
    "elo-fide": lambda games, before, one: elo.fide_event(
        period(games), state(before, one), elo.Fide(**one["parameters"])
    ).rating[:, None],
    "elote": lambda games, before, one: elo_after(
        before[:, 0], singles(games), **one["parameters"]
    )[:, None],
    "sonas": lambda games, before, one: sonas.sonas_event(
        period(games), state(before, one), **one["parameters"]
    ).rating[:, None],
    "spinrad": lambda games, before, one: spinrad.after_year(
        period(games), before[:, 0], **one["parameters"]
    )[:, None],
    "glicko": by_glicko,
    "elote-glicko": by_elote_glicko,
    "glicko-2": by_glicko_2,
    "elote-glicko-2": by_elote_glicko_2,
    "trueskill": by_trueskill,
    "library-trueskill": by_the_trueskill_library,
    "skills-forwards": skills(ttt.skills_forwards),
    "skills": skills(ttt.skills),
    **{slug: rated(slug) for slug in ("whr", "bayeselo", "elostat", "bradley-terry")},
}


@pytest.mark.parametrize(
    ("route", "example"),
    [
        pytest.param(route, {**one, "parameters": parameters}, id=f"{route}: {one['source']}")
        for one in EXAMPLES
        for route, parameters in one["routes"].items()
    ],
)
def test_published(route: str, example: Any) -> None:
    games = history(example["games"], colour=float(example.get("white", False)))
    before = np.array([np.atleast_1d(x) for x in example.get("before", {}).values()], float)
    found, years = ROUTES[route](games, before, example), player_years_of(games)
    for name, values in example["after"].items():
        player, _, year = name.partition(" ")
        at = games.players.index(player)
        if "before" not in example:
            (at,) = years.nodes(np.array([at]), np.array([int(year or 1900)]))
        rating, *more = values if isinstance(values, list) else [values]
        assert found[at, 0] == pytest.approx(rating, abs=example["within"])
        for k, value in enumerate(more, start=1):
            expected = sum(value) / (2 * 1.96) if isinstance(value, list) else value
            near = example.get("deviation_within", example["within"]) if k == 1 else 1e-5
            assert found[at, k] == pytest.approx(expected, abs=near)
