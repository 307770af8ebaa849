"""Every system, and every library that is its second route, gives what was printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import trueskill
import yaml
from conftest import ROOT
from elote_reference import (
    START,
    Game,
    Glicko,
    Glicko2,
    elo_after,
    glicko2_after,
    glicko_after,
    single_games,
)
from numpy.typing import ArrayLike
from sample_games import history

from edo.core.scale import ELO_PER_NAT, Floats
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
from edo.systems.player_years import Period, period_of, player_years_of


@dataclass
class Given:
    """Games, and a row per player before them: rating, deviation and volatility, if any."""

    games: Games
    before: Floats
    parameters: Mapping[str, Any]
    games_before: float

    @property
    def period(self) -> Period:
        return period_of(self.games, slice(0, len(self.games.first)))

    @property
    def singles(self) -> list[Game]:
        return list(single_games(self.games, slice(None)))

    @property
    def state(self) -> elo.State:
        n = len(self.before)
        return elo.State(self.before[:, 0], np.full(n, self.games_before), np.zeros(n, np.bool_))


def by_glicko_2(given: Given) -> ArrayLike:
    rating, deviation, volatility = given.before.T
    before = glicko.State((rating - 1500) / ELO_PER_NAT, deviation / ELO_PER_NAT, volatility)
    after = glicko.after_games(before, given.period, glicko.Parameters2(**given.parameters))
    return 1500 + ELO_PER_NAT * after.theta, ELO_PER_NAT * after.phi, after.volatility


def by_elote_glicko(given: Given) -> ArrayLike:
    players = [Glicko(*row, START) for row in given.before.tolist()]
    return np.transpose([(p.rating, p.rd) for p in glicko_after(players, given.singles, 0.0)])


def by_elote_glicko_2(given: Given) -> ArrayLike:
    players = [Glicko2(*row, START) for row in given.before.tolist()]
    after = glicko2_after(players, given.singles, **given.parameters)
    return np.transpose([(p.rating, p.rd, p.volatility) for p in after])


def by_trueskill(given: Given) -> ArrayLike:
    """By its own parameters: performance 25/6, a drift of 25/300 a game, 10 % draws."""
    mean, deviation = given.before.T
    chains = chains_of(np.arange(3), Normal(mean, deviation**2 + (25 / 300) ** 2), 0.0)
    outcomes = outcomes_of(given.games, np.stack([given.games.first, given.games.second]))
    return of_normal(
        CommonMargin(outcomes, chains, Play(25 / 6, margin_of(0.1, 25 / 6))).run().nodes
    )


def by_the_trueskill_library(given: Given) -> ArrayLike:
    players = [trueskill.Rating(*row) for row in given.before.tolist()]
    env = trueskill.TrueSkill(backend="scipy")
    after = trueskill.rate_1vs1(*players, given.singles[0][2] == 0.5, env=env)
    return np.transpose([(player.mu, player.sigma) for player in after])


def of_normal(found: Normal) -> ArrayLike:
    return found.mean, np.sqrt(found.variance)


ROUTES: dict[str, Callable[[Given], ArrayLike]] = {
    "elo-uscf": lambda x: elo.uscf_event(x.period, x.state, elo.Uscf(**x.parameters)).rating,
    "elo-fide": lambda x: elo.fide_event(x.period, x.state, elo.Fide(**x.parameters)).rating,
    "elote": lambda x: elo_after(x.before[:, 0], x.singles, **x.parameters),
    "sonas": lambda x: sonas.sonas_event(x.period, x.state, **x.parameters).rating,
    "spinrad": lambda x: spinrad.after_year(x.period, x.before[:, 0], **x.parameters),
    "glicko": lambda x: glicko.updated(*x.before.T, x.period, least=30.0),
    "elote-glicko": by_elote_glicko,
    "glicko-2": by_glicko_2,
    "elote-glicko-2": by_elote_glicko_2,
    "trueskill": by_trueskill,
    "library-trueskill": by_the_trueskill_library,
    # of skills, not yet on the usual scale
    "skills-forwards": lambda x: of_normal(
        ttt.skills_forwards(x.games, ttt.Parameters(**x.parameters)).skill
    ),
    "skills": lambda x: of_normal(ttt.skills(x.games, ttt.Parameters(**x.parameters)).skill),
}
RATE = {system.slug: (system.rate, type(system.parameters)) for system in SYSTEMS}


def found_by(route: str, given: Given) -> Floats:
    """Return a row per number, a column per player or, without ratings before, player-year."""
    if route in ROUTES:
        return np.atleast_2d(ROUTES[route](given))
    rate, parameters = RATE[route]
    rated = rate(given.games, parameters(**given.parameters))
    return np.stack([rated.rating, rated.deviation])


def examples() -> Iterator[Any]:
    for source in yaml.safe_load((ROOT / "tests" / "published_ratings.yaml").read_text()):
        for number, example in enumerate(source["examples"], start=1):
            whole = {**source, **example}
            for route in whole["routes"]:
                yield pytest.param(route, whole, id=f"{route}: {source['source']}, {number}")


@pytest.mark.parametrize(("route", "example"), list(examples()))
def test_published(route: str, example: Any) -> None:
    games = history(example["games"], colour=float(example.get("white", False)))
    before = np.array([np.atleast_1d(x) for x in example.get("before", {}).values()], float)
    given = Given(games, before, example["routes"][route], example.get("games_before", 100.0))
    found, years = found_by(route, given), player_years_of(games)
    for name, values in example["after"].items():
        player, _, year = name.partition(" ")
        at = games.players.index(player)
        if not len(before):
            (at,) = years.nodes(np.array([at]), np.array([int(year or 1900)]))
        expected, within = np.atleast_1d(values), np.atleast_1d(example["within"])
        off = np.abs(found[: len(expected), at] - expected)
        assert np.all(off < within[: len(expected)]), (name, found[:, at])
