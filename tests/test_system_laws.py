"""What every rating system must keep to, whatever its rule, and what it says of itself."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from conftest import MINISITE
from sample_games import by_name, history, random_rows, renamed, swapped

from edo.core.problems import DisconnectedNetwork
from edo.history.dataset import load
from edo.rating.games import EVEN, Games, games_of
from edo.systems import elo
from edo.systems.all_ratings import SYSTEMS
from edo.systems.base import Rated, System, parameters_of

SMALL = {"chessmetrics": {"least_players": 2.0}}  # where ten play there is no list of ten
ROUGH = {"edo-integrated", "trueskill", "ttt", "ttt-d"}  # stop when near this
LEVEL = {"start", "threshold", "initial", "mean", "anchor", "level"}
"""The parameters that alone set the level of the ratings."""

WITHOUT_DEVIATIONS = {"elo-fide", "elo-uscf", "sonas", "elo-davidson", "spinrad", "chessmetrics"}
SLUGS = [system.slug for system in SYSTEMS]


def every(systems: Iterable[System] = SYSTEMS) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("system", list(systems), ids=lambda system: system.slug)


def going(direction: str) -> pytest.MarkDecorator:
    return every(system for system in SYSTEMS if system.direction == direction)


@cache
def games() -> Games:
    """Return two events a year of ten players, with colours; one of them holds the scale."""
    rows = [(year + 28, *row) for year, *row in random_rows(3, players=10, years=9, a_year=25)]
    number = np.arange(len(rows))
    colour = np.random.default_rng(1).integers(-1, 2, len(rows)).astype(float)
    return history(rows, event=number // 25 * 2 + number % 25 // 13, colour=colour)


def rate(system: System, of: Games) -> Rated:
    return system.rate(of, replace(system.parameters, **SMALL.get(system.slug, {})))


@cache
def rated(system: System) -> Rated:
    return rate(system, games())


def near(system: System) -> float:
    return 0.05 if system.slug in ROUGH else 1e-6


def assert_same(system: System, of: Games, found: Rated) -> None:
    """Compare the ratings of `of` with those of `games()`, by player and year."""
    here = rated(system)
    for ours, theirs in ((here.rating, found.rating), (here.deviation, found.deviation)):
        expected = by_name(games(), here, ours)
        assert by_name(of, found, theirs) == pytest.approx(expected, abs=near(system), nan_ok=True)
    assert found.log_evidence == pytest.approx(here.log_evidence, abs=near(system))


@every()
@pytest.mark.parametrize("change", [renamed, swapped])
def test_names_sides_and_order_do_not_matter(system: System, change) -> None:
    of = change(games())
    assert_same(system, of, rate(system, of))


@every()
def test_expectations_are_of_this_world_and_travel(system: System) -> None:
    of = rated(system)
    assert np.isfinite(of.rating).mean() > 0.5
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


@every()
def test_deviations_are_there_or_not(system: System) -> None:
    deviation = rated(system).deviation[np.isfinite(rated(system).rating)]
    if system.slug in WITHOUT_DEVIATIONS:
        assert np.isnan(deviation).all()
    else:
        assert np.all(deviation > 0)


@every(one for one in SYSTEMS if LEVEL & {p.name for p in parameters_of(one)})
def test_a_shift_of_the_level_shifts_all(system: System, monkeypatch) -> None:
    """By 512 points, so that a table for whole points rounds the same differences."""
    for limit in ("MASTER", "SENIOR_MASTER"):
        monkeypatch.setattr(elo, limit, getattr(elo, limit) + 512)
    of = {p.name: p.value for p in parameters_of(system) if p.name in LEVEL}
    more = {name: value + 512 for name, value in of.items()}
    found = rate(replace(system, parameters=replace(system.parameters, **more)), games())
    assert_same(system, games(), replace(found, rating=found.rating - 512))


@every()
@pytest.mark.parametrize("use", ["colours", "draws", "odds"])
def test_only_what_a_system_uses_changes_its_ratings(system: System, use: str) -> None:
    of, third = games(), np.arange(len(games().first)) % 3 == 0
    changed = {
        "colours": replace(of, colour=0 * of.colour),
        "draws": replace(
            of, wins=of.wins + of.draws / 2, draws=0 * of.draws, losses=of.losses + of.draws / 2
        ),
        "odds": replace(
            of, odds=np.where(third, 150.0, 0.0), odds_kinds=("odds",),
            odds_kind=np.where(third, 0, EVEN),
        ),
    }[use]  # fmt: skip
    before = changed.without_odds() if use == "odds" else of
    here, there = rate(system, before), rate(system, changed)
    expected, found = by_name(before, here), by_name(changed, there)
    same = {key: found[key] for key in expected} == pytest.approx(
        expected, abs=near(system), nan_ok=True
    )
    evidence = there.log_evidence == pytest.approx(here.log_evidence, abs=near(system))
    assert (same and evidence) == (use not in system.uses)


@every()
def test_a_row_of_several_games_is_as_many_rows(system: System) -> None:
    pairs = [(year + 28, a, b) for year, a, b, _ in random_rows(5, players=8, years=3, a_year=12)]
    scores = [(2.5, (1.0, 1.0, 0.5, 0.0)), (1.5, (1.0, 0.5, 0.0, 0.0))]  # in four games
    together = history([(*pair, scores[k % 2][0], 4.0) for k, pair in enumerate(pairs)])
    single = history([(*pair, one) for k, pair in enumerate(pairs) for one in scores[k % 2][1]])
    expected, found = (by_name(of, rate(system, of)) for of in (together, single))
    assert found == pytest.approx(expected, abs=near(system), nan_ok=True)


@every()
def test_equal_results_give_equal_ratings(system: System) -> None:
    rows = [(1878, a, b, score) for a in "abcd" for b in "abcd" if a < b for score in (0, 1, 0.5)]
    found = rate(system, history(rows + rows))
    for values in (found.rating, found.deviation):
        assert values == pytest.approx(np.full(4, values[0]), abs=near(system), nan_ok=True)


@every()
def test_a_win_raises_the_winner_and_lowers_the_loser(system: System) -> None:
    of, turned = games(), np.arange(len(games().first)) == 200
    rest = {"wins": ~turned * of.wins, "draws": ~turned * of.draws, "losses": ~turned * of.losses}
    won, lost = (
        rate(system, replace(of, **{**rest, outcome: rest[outcome] + turned}))
        for outcome in ("wins", "losses")
    )
    i, j = (int(side[200]) for side in won.player_years.sides(of))
    assert won.rating[i] > lost.rating[i]
    assert won.rating[j] < lost.rating[j]


@going("forwards")
@pytest.mark.parametrize("folder", ["minisite", None])
def test_what_goes_forwards_knows_nothing_of_later_games(system: System, folder) -> None:
    """The contest runs it once over all years, which is only fair if this holds."""
    of = games() if folder is None else games_of(load(MINISITE / "events"))
    years = np.unique(of.year)
    whole = rate(system, of)
    cut = rate(system, of.where(of.year <= years[len(years) // 2]))
    player, at = cut.player_years.player, cut.player_years.year
    same = whole.player_years.nodes(player, at)
    assert (same >= 0).all()
    np.testing.assert_allclose(whole.rating[same], cut.rating, atol=1e-6)
    np.testing.assert_allclose(whole.deviation[same], cut.deviation, atol=1e-6)
    one, other = (k.ravel() for k in np.meshgrid(np.arange(len(at)), np.arange(len(at))))
    for colour in (-1.0, 0.0, 1.0):
        colours = np.full(len(one), colour)
        np.testing.assert_allclose(
            whole.expected(same[one], same[other], colours),
            cut.expected(one, other, colours),
            atol=1e-9,
        )


@every(one for one in SYSTEMS if one.direction == "forwards" and one.slug != "chessmetrics")
def test_forwards_a_year_without_games_keeps_the_rating(system: System) -> None:
    """Chessmetrics lists everybody each month, whose opponents may have moved."""
    found, years = rated(system), rated(system).player_years
    played = np.zeros(len(years.year), np.bool_)
    played[np.concatenate(years.sides(games()))] = True
    idle = np.flatnonzero(~played)
    assert len(idle) > 5
    assert found.rating[idle] == pytest.approx(found.rating[idle - 1])
    if system.slug not in WITHOUT_DEVIATIONS:
        assert np.all(found.deviation[idle] > found.deviation[idle - 1])


MIRRORED = {"edo": {}, "edo-raw": {}, "edo-integrated": {}, "spinrad": {"k": 8.0, "sweeps": 300.0}}


@every(system for system in SYSTEMS if system.slug in MIRRORED)
def test_time_may_run_backwards(system: System) -> None:
    """In others a player's first year has a prior of its own."""
    at = replace(system, parameters=replace(system.parameters, **MIRRORED[system.slug]))
    of, ends = games(), int(games().year.max() + games().year.min())
    back = ends - of.year
    turned = replace(of, year=back, month=12 * back + 6).where(np.argsort(back, kind="stable"))
    expected = by_name(of, rate(at, of))
    found = by_name(turned, rate(at, turned))
    assert {(name, ends - year): value for (name, year), value in found.items()} == pytest.approx(
        expected, abs=0.05, nan_ok=True
    )


@going("all at once")
def test_later_results_reach_earlier_years(system: System) -> None:
    before = rate(system, games().where(games().year < games().year.max()))
    at = before.player_years
    same = rated(system).player_years.nodes(at.player, at.year)
    moved = np.abs(before.rating - rated(system).rating[same])[at.year == games().year.min()]
    assert np.nanmax(moved) > 0.01


@going("one rating for all years")
def test_all_years_of_a_player_are_the_same(system: System) -> None:
    found = rated(system)
    for player in range(len(games().players)):
        assert len(set(found.rating[found.player_years.player == player].tolist())) == 1


CONNECTED = {"edo", "edo-raw", "edo-integrated", "bradley-terry", "whr", "bayeselo", "elostat"}


@every(system for system in SYSTEMS if system.slug in CONNECTED)
def test_a_network_without_games_is_refused(system: System) -> None:
    with pytest.raises(DisconnectedNetwork, match=r"no two players have points|no games to rate"):
        rate(system, games().where(games().year < 0))


def test_ids_of_systems_can_be_pages_and_are_told_apart() -> None:
    assert len(set(SLUGS)) == len(SLUGS)
    assert "contest" not in SLUGS and "index" not in SLUGS
    assert SLUGS[0] == "edo"
