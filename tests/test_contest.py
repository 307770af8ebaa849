"""The contest of the rating systems: what they are shown, how they are judged, what is printed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import log
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock
from xml.etree import ElementTree

import jinja2
import numpy as np
import pytest
from conftest import ROOT
from sample_datasets import dataset, event, odds_by, result
from sample_games import games_between
from scipy.special import expit, logit

from edo.commands import cli, folder
from edo.core import formats
from edo.core import json as jsonfile
from edo.core.model import Dataset, Result
from edo.core.problems import EdoError, NotConverged
from edo.core.scale import Floats, elo_from_theta, expected_scores, theta_from_elo
from edo.history.settings import DEFAULT, Settings
from edo.rating.edo import Ratings
from edo.rating.games import Games, games_of
from edo.site import render, urls
from edo.site.charts import evaluation_figures as figures
from edo.site.input import SiteInput, read_texts
from edo.site.measured import contest_of
from edo.site.pages import contest as contest_page
from edo.site.pages.contest import contest_values, favourites, trial_tables
from edo.systems import edo
from edo.systems.all_ratings import SYSTEMS, systems_with
from edo.systems.base import Rated, System, logistic, parameter
from edo.systems.evaluation import backtest, contest
from edo.systems.evaluation.backtest import (
    LEAST,
    LEFT_OUT,
    PARTS,
    Design,
    LeftOut,
    Predicted,
    Prediction,
    Sample,
    by_earlier_years,
    clipped,
    combined,
    design_of,
    held_out,
    loss,
    next_years,
    tuned,
    white_advantage,
)
from edo.systems.evaluation.contest import (
    Contest,
    Mean,
    compare,
    fingerprint_of,
    mean_of,
    read_contest,
    resampled,
)
from edo.systems.evaluation.fingerprint import sample_games
from edo.systems.evaluation.tuning import Bin
from edo.systems.player_years import player_years_of

STRONG = {"p0": 300.0, "p1": 200.0, "p2": 0.0, "p3": -100.0, "p4": -200.0, "p5": -200.0}
EVENTS = ROOT / "tests" / "minisite" / "events"
ALL = Sample(PARTS["events"], PARTS["pairings"], 1896, 1899, apart=1)
"""Everything; parameters of the last test are chosen in the first three years."""


def unwatched(name: str, items: Sequence[Any]) -> Iterable[Any]:
    return items


# Systems made for these tests, in the module's own namespace for other processes to find


@dataclass(frozen=True, slots=True)
class Nothing:
    """No parameters."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """By how much the true differences are stretched."""

    factor: float = parameter(4.0, "", "factor", "made up", tried=(0.0, 1.0, 2.0))
    other: float = parameter(7.0, "", "nothing that matters", "made up", tried=(8.0, 9.0))
    fixed: float = parameter(3.0, "", "nothing to try", "made up")


def rated(games: Games, of_player: Floats) -> Rated:
    player_years = player_years_of(games)
    rating = of_player[player_years.player]
    return Rated(player_years, rating, np.full(len(rating), np.nan), logistic(rating))


def all_equal(games: Games, parameters: Nothing) -> Rated:
    return rated(games, np.zeros(len(games.players)))


def know_all(games: Games, parameters: Stretch) -> Rated:
    truth = np.array([STRONG.get(name, 0.0) for name in games.players])
    return rated(games, truth * parameters.factor)


def surely(games: Games, parameters: Nothing) -> Rated:
    return rated(games, np.array([1e6 * STRONG.get(name, 0.0) for name in games.players]))


def even_years_only(games: Games, parameters: Nothing) -> Rated:
    done = all_equal(games, parameters)
    rating = np.where(done.player_years.year % 2, np.nan, 0.0)
    return replace(done, rating=rating, expected=logistic(rating))


def refuse(games: Games, parameters: Nothing) -> Rated:
    raise EdoError("not today")


def points_so_far(games: Games, parameters: Nothing) -> Rated:
    """Rate by a hundred points for every point above half, known at the end of each year."""
    player_years = player_years_of(games)
    rating = np.zeros(len(player_years.year))
    excess = 100 * (games.score - games.count / 2)
    for sign, player in ((1, games.first), (-1, games.second)):
        np.add.at(rating, player_years.nodes(player, games.year), sign * excess)
    for player in range(len(games.players)):
        own = slice(player_years.start[player], player_years.start[player + 1])
        rating[own] = np.cumsum(rating[own])
    return Rated(player_years, rating, np.full(len(rating), np.nan), logistic(rating))


def wary(games: Games, parameters: Nothing) -> Rated:
    """Know the truth, with standard errors."""
    done = know_all(games, Stretch(factor=1.0))
    return replace(done, deviation=np.full(len(done.rating), 50.0))


HALF = System("half", "Half", "nobody", 1900, "all at once", Nothing(), all_equal)
ORACLE = System("oracle", "Oracle", "nobody", 1900, "all at once", Stretch(), know_all)
SURE = System("sure", "Sure", "nobody", 1900, "all at once", Nothing(), surely)
EVEN = System("even", "Even years", "nobody", 1900, "all at once", Nothing(), even_years_only)
REFUSING = System("refusing", "Refusing", "nobody", 1900, "all at once", Nothing(), refuse)
WARY = System("wary", "Wary", "nobody", 1900, "all at once", Nothing(), wary)
FORWARDS = System("points", "Points", "nobody", 1900, "forwards", Nothing(), points_so_far)


def circle(first: int = 1893, last: int = 1904, games: int = 6) -> Dataset:
    """Return six players of known strength who all meet, several games a pair, twice a year."""
    rng = np.random.default_rng(8)

    def played(a: str, b: str) -> Result:
        share = 1 / (1 + 10 ** ((STRONG[b] - STRONG[a]) / 400))
        won = float(rng.binomial(games, share))
        return result(a, b, won, games, draws=0)

    return dataset(
        *(
            event(f"{year}-{half}", year, *(played(a, b) for a, b in combinations(STRONG, 2)))
            for year in range(first, last + 1)
            for half in (1, 2)
        ),
    )


@pytest.fixture(scope="module")
def games() -> Games:
    return games_of(circle())


@pytest.fixture(scope="module")
def design(games: Games) -> Design:
    return design_of(games, ALL)


# What a system is shown


def watching(seen: list[Games], direction: Any = "all at once") -> System:
    def watch(games: Games, parameters: Any) -> Rated:
        seen.append(games)
        return know_all(games, parameters)

    return System("watching", "Watching", "nobody", 1900, direction, Stretch(), watch)


def rows_of(games: Games) -> set[tuple[int, ...]]:
    columns = (games.first, games.second, games.event, games.year)
    return set(zip(*(column.tolist() for column in columns), strict=True))


def test_only_even_play_with_known_games_judges() -> None:
    history = dataset(
        event("x", 1850, result("a", "b", 1, 2, draws=0), result("a", "c", 1, 2, soft="a word")),
        event("y", 1851, result("a", "b", 1, 2, odds=odds_by("a"), draws=0)),
        event("z", 1852, result("b", "c", 1, 2)),
    )
    design = design_of(games_of(history), ALL)
    assert design.scored.tolist() == [True, False, False, False]
    assert (design.parts["pairings"] < PARTS["pairings"]).tolist() == design.scored.tolist()
    assert (design.parts["events"] < PARTS["events"]).tolist() == [True, True, False, False]


def test_all_rows_of_a_pairing_or_of_an_event_are_in_one_part(design: Design) -> None:
    games = games_of(folder.read(EVENTS)[0])
    dealt = design_of(games, ALL)
    for left_out, of in (("pairings", games.pairing), ("events", games.event)):
        for number in np.unique(of):
            assert len(set(dealt.parts[left_out][of == number])) == 1
    assert np.bincount(design.parts["pairings"]).tolist() == [60] * 6  # of 360 pairings
    assert sorted(np.bincount(design.parts["events"])) == [30] * 6 + [45] * 4  # of 24 events


@pytest.mark.parametrize("left_out", LEFT_OUT)
def test_no_system_sees_what_is_left_out_nor_by_what_it_is_tuned(
    design: Design, left_out: LeftOut
) -> None:
    seen: list[Games] = []
    held_out(design, watching(seen), left_out, 2)
    part = design.parts[left_out]
    inside = {number: rows_of(design.games.where(part == number)) for number in (4, 5)}
    everything = rows_of(design.games)
    # without both parts to tune, then without each to predict it
    without = [rows_of(games) for games in seen]
    assert without[0] == everything - inside[4] - inside[5]
    assert [len(games.first) for games in seen] == (
        [360 - len(inside[4]) - len(inside[5])] * 6 + [360 - len(inside[k]) for k in (4, 5)]
    )
    assert everything - inside[4] in without and everything - inside[5] in without
    assert all(rows & inside[4] == set() or rows & inside[5] == set() for rows in without)


@pytest.mark.parametrize("direction", ["all at once", "one rating for all years", "forwards"])
def test_the_next_year_is_predicted_by_the_years_before(design: Design, direction: str) -> None:
    """What goes forwards is run once over all years, but not tuned by those that judge."""
    seen: list[Games] = []
    next_years(design, watching(seen, direction))
    last = [int(games.year.max()) for games in seen]
    if direction == "forwards":
        assert (set(last[:-1]), last[-1]) == ({1898}, 1904)
    else:
        assert (set(last[:-6]), last[-6:]) == ({1895, 1896, 1897}, list(range(1898, 1904)))


def test_forwards_the_ratings_of_the_year_before_predict(design: Design) -> None:
    games = design.games
    rows = games.year == 1900
    expected = by_earlier_years(games, rows, FORWARDS, Nothing()).expected
    assert np.isnan(expected[~rows]).all()
    past = games.where(games.year < 1900)
    excess = np.zeros(len(games.players))
    np.add.at(excess, past.first, 100 * (past.score - past.count / 2))
    np.add.at(excess, past.second, -100 * (past.score - past.count / 2))
    difference = (excess[games.first] - excess[games.second])[rows]
    assert expected[rows] == pytest.approx(1 / (1 + 10 ** (-difference / 400)))


def test_who_cannot_rate_predicts_nothing(design: Design) -> None:
    assert np.isnan(held_out(design, REFUSING, "pairings", 0).expected).all()
    assert np.isnan(next_years(design, REFUSING).expected).all()
    found = held_out(design, EVEN, "pairings", 0)
    asked = design.parts["pairings"] < 2
    assert np.array_equal(np.isnan(found.expected[asked]), design.games.year[asked] % 2 == 1)


# What is chosen


def test_the_right_value_is_chosen_in_every_part(design: Design) -> None:
    first = combined([held_out(design, ORACLE, "events", k) for k in range(PARTS["events"] // 2)])
    second = next_years(design, ORACLE)
    assert [one.factor for one in first.chosen] == [1.0] * PARTS["events"]
    assert [one.factor for one in second.chosen] == [1.0]
    # of equal losses the first is kept, which is the default
    assert {one.other for one in (*first.chosen, *second.chosen)} == {7.0}
    assert not np.isnan(first.expected).any()


def test_parameters_are_chosen_one_after_the_other() -> None:
    tried: list[tuple[float, float]] = []

    def loss_of(parameters: Stretch) -> float:
        tried.append((parameters.factor, parameters.other))
        return abs(parameters.factor - 2) + abs(parameters.other - 9)

    best = tuned(ORACLE, loss_of)
    assert (best.factor, best.other, best.fixed) == (2.0, 9.0, 3.0)
    assert tried == [(4, 7), (0, 7), (1, 7), (2, 7), (2, 8), (2, 9)]


# White's advantage, and the uncertainty of ratings


def with_white(worth: float, seed: int = 3) -> Games:
    """Return the circle's games with White in turn, who is `worth` [Elo] stronger than he is."""
    games = games_of(circle(1893, 1916))
    colour = np.random.default_rng(seed).choice([-1.0, 1.0], len(games.first))
    truth = np.array([STRONG[name] for name in games.players])
    p = expected_scores(truth[games.first] - truth[games.second] + worth * colour)
    won = np.random.default_rng(seed + 1).binomial(games.count.astype(int), p).astype(float)
    return replace(games, wins=won, losses=games.count - won, colour=colour)


def test_white_s_advantage_is_where_the_slope_is_0_or_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also where Newton's first steps, from ratings that are far off, go too far."""
    games = with_white(50.0)
    sure = surely(games, Nothing())
    found = white_advantage(sure, games, "all at once")
    i, j = sure.player_years.sides(games)
    x = logit(np.clip(sure.expected(i, j, 0.0 * i), LEAST, 1 - LEAST))
    p = expit(x + found * games.colour)
    weak = theta_from_elo(np.array(100.0)) ** -2
    assert games.colour @ (games.score - games.count * p) == pytest.approx(weak * found)
    monkeypatch.setattr(backtest, "MAX_STEPS", 1)
    with pytest.raises(NotConverged, match="White's advantage was not found"):
        white_advantage(sure, games, "all at once")


def test_who_knows_colours_is_given_no_advantage() -> None:
    design = design_of(with_white(50.0), replace(ALL, tuned_from=1900, split=1910))
    blind = replace(ORACLE, parameters=Stretch(factor=1.0), uses=())
    knowing = replace(blind, uses=("colours",))
    for test in (partial(held_out, left_out="events", number=0), next_years):
        given, plain = test(design, blind), test(design, knowing)
        asked = ~np.isnan(plain.expected)
        truth = know_all(design.games, Stretch(factor=1.0))
        i, j = truth.player_years.sides(design.games)
        assert plain.expected[asked] == pytest.approx(truth.expected(i, j, 0.0 * i)[asked])
        assert loss(design.games, asked, given.expected) < loss(design.games, asked, plain.expected)


def test_next_year_what_goes_forwards_is_told_of_white_by_earlier_games_alone() -> None:
    games = with_white(50.0)
    rows, forwards = games.year >= 1910, replace(ORACLE, direction="forwards")
    before = by_earlier_years(games, rows, forwards, Stretch(factor=1.0))
    later = replace(games, colour=np.where(rows, 0.0, games.colour))
    white = by_earlier_years(later, rows, forwards, Stretch(factor=1.0))
    known = np.log(before.expected[rows] / (1 - before.expected[rows]))
    unknown = np.log(white.expected[rows] / (1 - white.expected[rows]))
    found = white_advantage(
        know_all(games, Stretch(factor=1.0)), games.where(games.year < 1910), "forwards"
    )
    assert known - unknown == pytest.approx(found * games.colour[rows])


def test_without_errors_an_average_is_what_was_expected(design: Design) -> None:
    def sure_of_it(games: Games, parameters: Any) -> Rated:
        done = know_all(games, Stretch(factor=1.0))
        return replace(done, deviation=np.zeros(len(done.rating)))

    certain = held_out(design, replace(WARY, rate=sure_of_it), "events", 0).prediction
    wary = held_out(design, WARY, "events", 0).prediction
    asked = ~np.isnan(certain.expected)
    assert certain.averaged[asked] == pytest.approx(certain.expected[asked])
    assert wary.expected[asked] == pytest.approx(certain.expected[asked])
    off = np.abs(wary.expected[asked] - 0.5)
    assert np.all((np.abs(wary.averaged[asked] - 0.5) < off) | (off < 1e-12))
    assert np.isnan(held_out(design, ORACLE, "events", 0).prediction.averaged).all()


def test_form_is_part_of_the_errors(design: Design) -> None:
    def formed(games: Games, parameters: Any) -> Rated:
        return replace(wary(games, Nothing()), form=120.0)

    found = held_out(design, replace(WARY, rate=formed), "events", 0).prediction
    asked = ~np.isnan(found.expected)
    assert elo_from_theta(found.errors[:, asked]) == pytest.approx(130)  # 50 and 120


def test_scores_are_covered_where_the_errors_are_true() -> None:
    """Strengths drawn around their predictions, and games without draws."""
    rng, n, events = np.random.default_rng(7), 10, 400
    of_event = np.array(list(combinations(range(n), 2)))
    first, second = np.tile(of_event, (events, 1)).T
    event = np.repeat(np.arange(events), len(of_event))
    error = np.repeat([[0.15], [0.35]], n // 2, axis=0)
    mean = rng.normal(0, 0.5, (n, events))
    truth = mean + error * rng.normal(size=(n, events))
    won = rng.binomial(4, expit(truth[first, event] - truth[second, event]))
    year = np.full(len(event), 1900)
    games = games_between(first, second, year, won, count=4.0, event=event)
    found = Prediction.none(len(event))
    found.expected[:] = expit(mean[first, event] - mean[second, event])
    found.errors[:] = error[first, 0], error[second, 0]
    found.averaged[:] = found.expected
    trial = compare(games, np.ones(len(event), bool), {HALF: Predicted(found, ())}, True)
    scores = trial.entries[0].scores
    assert scores is not None and scores.scores == n * events
    assert scores.one == pytest.approx(0.683, abs=0.02)
    assert scores.two == pytest.approx(0.95, abs=0.01)
    assert scores.low < 1 < scores.high and scores.rms == pytest.approx(1, abs=0.03)
    assert compare(games, games.count > 0, {HALF: Predicted(found, ())}).entries[0].scores is None
    blind = compare(games, games.count > 0, {HALF: predicted(*found.expected)}, True).entries[0]
    assert (blind.scores, blind.averaged, blind.averaging) == (None, None, None)


# Scores


def three_rows() -> Games:
    """Return a win and a draw, a loss, and four draws, in two events."""
    history = dataset(
        event("a", 1900, result("p", "q", 1.5, 2, draws=1), result("p", "r", 0, 1)),
        event("b", 1901, result("q", "r", 2, 4, draws=4)),
    )  # fmt: skip
    return games_of(history)


def test_half_comes_to_ln_2_and_the_sure_are_kept_from_zero() -> None:
    games = three_rows()
    every = np.ones(3, bool)
    assert loss(games, every, np.full(3, np.nan)) == pytest.approx(log(2))
    assert clipped(np.array([1.0, 0.0, 1.0])).tolist() == [0.99, 0.01, 0.99]
    assert loss(games, np.zeros(3, bool), np.zeros(3)) == 0.0


def predicted(*expected: float) -> Predicted:
    found = Prediction.none(len(expected))
    found.expected[:] = expected
    return Predicted(found, (Nothing(),))


def test_a_trial_in_closed_form() -> None:
    games, judged = three_rows(), np.array([True, True, True])
    trial = compare(
        games,
        judged,
        {HALF: predicted(0.5, 0.5, 0.5), SURE: predicted(1.0, 0.0, np.nan)},
    )
    assert (trial.judged, trial.games, trial.pairings, trial.events) == (7.0, 3.0, 2, 1)
    assert (trial.first_year, trial.last_year) == (1900, 1900)
    assert [entry.slug for entry in trial.entries] == ["half", "sure"]
    half, sure = trial.entries
    assert (half.coverage, sure.coverage) == (1.0, pytest.approx(3 / 7))
    assert half.log_loss.mean == pytest.approx(log(2))
    wrong = (-2.5 * log(0.99) - 0.5 * log(0.01)) / 3
    assert sure.log_loss.mean == pytest.approx(wrong)
    assert sure.log_loss_beyond.mean == pytest.approx(wrong - log(2))
    assert half.brier.mean == pytest.approx((0.25 + 0 + 0.25) / 3)
    assert sure.brier.mean == pytest.approx((2 * 0.01**2 + 0.49**2) / 3)
    assert sure.brier_beyond.mean == pytest.approx(sure.brier.mean - half.brier.mean)
    assert (half.against.games, sure.against.games) == (7.0, 3.0)
    assert half.against.log_loss == half.against.reference == pytest.approx(log(2))
    assert sure.against.beyond.mean == pytest.approx(wrong - log(2))
    # one event only: every resample is the same
    assert sure.log_loss.low == sure.log_loss.high == pytest.approx(wrong)
    assert half.behind.mean == half.log_loss_beyond.high == 0.0
    assert [(one.games, one.actual) for one in sure.bins] == [(3.0, pytest.approx(2.5 / 3))]


@pytest.mark.parametrize("well", range(4))
def test_the_best_is_who_is_best_by_all_events(well: int) -> None:
    # in the one event he is far ahead, in the other three he is a little behind
    history = dataset(*(event(id_, 1900, result("p", "q", 1, 1)) for id_ in "abcd"))
    games, every = games_of(history), np.ones(4, bool)
    best = predicted(*(0.9 if k == well else 0.45 for k in range(4)))
    trial = compare(games, every, {HALF: predicted(0.5, 0.5, 0.5, 0.5), SURE: best})
    first, second = trial.entries
    ahead = (log(0.9) + 3 * log(0.45)) / 4 - log(0.5)
    assert (first.slug, first.behind.mean) == ("sure", 0.0)
    assert second.behind.mean == pytest.approx(ahead)


def test_the_interval_is_that_of_means_of_events() -> None:
    rng = np.random.default_rng(5)
    n = 400
    values = rng.normal(3.0, 2.0, n)
    # two rows an event with the same value: they count as one draw, not as two
    event, games = np.repeat(np.arange(n), 2), np.ones(2 * n)
    assert mean_of(np.r_[1000.0, np.arange(101.0)]) == Mean(1000.0, 2.5, 97.5)
    draws = resampled(event, games, np.repeat(values, 2)[:, None])
    assert draws.shape == (1 + contest.RESAMPLES, 1)
    found = mean_of(draws[:, 0])
    assert found.mean == pytest.approx(values.mean())
    half_width = 1.96 * values.std() / np.sqrt(n)
    assert found.low == pytest.approx(values.mean() - half_width, abs=0.1 * half_width)
    assert found.high == pytest.approx(values.mean() + half_width, abs=0.1 * half_width)
    assert np.array_equal(draws, resampled(event, games, np.repeat(values, 2)[:, None]))


# All of it


TOYS = (HALF, ORACLE, SURE, WARY, FORWARDS)


@pytest.fixture(scope="module")
def found(games: Games) -> Contest:
    return contest.contest(games, TOYS, unwatched, sample=ALL)


def test_who_knows_the_truth_is_first_and_beyond_chance(found: Contest) -> None:
    assert list(found.tests) == ["whole events", "pairings", "next year"]
    for trial in found.tests.values():
        entries = {entry.slug: entry for entry in trial.entries}
        assert [entry.slug for entry in trial.entries][:1] == ["oracle"]
        assert entries["half"].log_loss.mean == pytest.approx(log(2))
        assert entries["oracle"].log_loss_beyond.high < 0 < entries["half"].behind.low
        assert trial.games == trial.judged
    assert found.whole_events.judged == found.held_out.judged == 24 * 15 * 6
    assert found.next_year.judged == 12 * 15 * 6
    assert (found.next_year.first_year, found.reference) == (1899, "half")


def test_two_processes_find_the_same(games: Games, found: Contest) -> None:
    again = contest.contest(games, TOYS, unwatched, jobs=2, sample=ALL)
    timeless = [jsonfile.dump(replace(one, times=found.times)) for one in (again, found)]
    assert timeless[0] == timeless[1]


def test_each_part_is_judged_by_the_whole_events_that_are_left_out(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contest, "EDO_INTEGRATED", WARY)
    monkeypatch.setattr(contest, "without_parts", lambda whole: iter((HALF, whole)))
    monkeypatch.setattr(contest, "log_evidences", lambda *_: {"skill": -7.0, "luck": 0.5})
    found = contest.contest(games, (HALF, WARY), unwatched, sample=ALL)
    without_skill, without_luck = found.variants
    losses = {entry.slug: entry.log_loss.mean for entry in found.whole_events.entries}
    assert (without_skill.part, without_skill.log_evidence) == ("skill", -7.0)
    gain = losses["half"] - losses["wary"]
    assert without_skill.log_loss_beyond.mean == pytest.approx(gain)
    assert without_luck.log_loss_beyond == Mean(0.0, 0.0, 0.0)
    # nothing can be predicted from outside a single event, and it is that which is said
    one_event = games_between([0, 0, 1], [1, 2, 2], [1900] * 3, [1.0, 0.5, 1.0])
    with pytest.raises(EdoError, match="no game that all systems can predict"):
        contest.contest(one_event, (WARY,), unwatched)


def test_the_fingerprint_knows_games_and_what_is_tried(games: Games) -> None:
    here = fingerprint_of(games, TOYS)
    assert here == fingerprint_of(games, TOYS)
    assert here != fingerprint_of(games, TOYS[:2])
    assert here != fingerprint_of(games.where(games.year < 1904), TOYS)
    other = replace(ORACLE, parameters=Stretch(factor=1.0))
    assert here != fingerprint_of(games, (HALF, other, SURE, WARY, FORWARDS))


def test_the_fingerprint_knows_formulas_but_not_names_of_code() -> None:
    """Every system rates the sample, so that a formula that changed shows."""

    def again(games: Games, parameters: Nothing) -> Rated:
        return all_equal(games, parameters)

    def higher(games: Games, parameters: Nothing) -> Rated:
        done = all_equal(games, parameters)
        return replace(done, rating=done.rating + 0.01)

    games = games_of(circle())
    here = fingerprint_of(games, (HALF,))
    assert here == fingerprint_of(games, (replace(HALF, rate=again),))
    assert here != fingerprint_of(games, (replace(HALF, rate=higher),))
    scaled = Settings(anchor_player="zukertort-johannes", anchor_year=1882)
    assert fingerprint_of(games, edo.with_settings(scaled)) != fingerprint_of(
        games, edo.with_settings(replace(scaled, variance_factor=1.0))
    )
    sample = sample_games()
    for system in SYSTEMS:
        rated = system.rate(sample, system.parameters)
        assert np.isfinite(rated.rating).mean() > 0.5, system.slug


@pytest.fixture
def kept(found: Contest, tmp_path: Path) -> Path:
    (tmp_path / "contest.json").write_bytes(jsonfile.dump(found))
    return tmp_path


def test_the_file_reads_back(kept: Path) -> None:
    back = read_contest(kept)
    assert back is not None
    assert jsonfile.dump(back) == (kept / "contest.json").read_bytes()
    assert read_contest(kept / "elsewhere") is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(reference="nobody"), "a system lacks a test or a time"),
        (lambda d: d["times"].pop(), "a system lacks a test or a time"),
        (lambda d: d["next_year"].update(entries=[]), "a system lacks a test or a time"),
        (lambda d: d["next_year"]["entries"][0].update(knows_white=1), "is not true or false"),
    ],
)
def test_a_broken_file_is_named_with_the_remedy(kept: Path, change: Any, message: str) -> None:
    path = kept / "contest.json"
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    with pytest.raises(EdoError, match=rf"contest\.json: .*{message}.*; run `python -m edo cont"):
        read_contest(kept)


# Tables, figures, page and command


def page(found: Contest | None, history: Dataset) -> str:
    content = read_texts(ROOT / "content")
    nothing = Ratings({}, {}, {}, ())
    site = SiteInput(history, nothing, content, None, "0" * 12, "1", contest=found)
    ((_, html),) = render.render(list(contest_page.pages(site)), site)
    return html.decode()


def test_the_home_page_says_how_favourites_did(found: Contest) -> None:
    assert favourites(found) is None  # `half` expects one half of everybody
    judged = favourites(replace(found, reference="oracle"))
    assert judged is not None
    (entry,) = (one for one in found.whole_events.entries if one.slug == "oracle")
    for given, least in zip(judged, (0.0, 0.8), strict=True):
        bins = [one for one in entry.bins if one.expected >= least]
        games = [one.games for one in bins]
        assert given.games == sum(games)
        expected = np.average([one.expected for one in bins], weights=games)
        actual = np.average([one.actual for one in bins], weights=games)
        assert (given.expected, given.actual) == pytest.approx((expected, actual))
    templates = jinja2.Environment(loader=jinja2.FileSystemLoader(render.TEMPLATES))
    templates.filters.update(formats.FILTERS)
    shown = templates.get_template("predictions.html").render(
        view={"favourites": judged}, urls=urls, anchor_of_link="{} ({})".format
    )
    first, second = (f"{one.expected:.0%}" for one in judged)
    assert f"In {judged[0].games:,.0f} games that were left out" in shown
    assert f"expected to score {first} of the points and scored {judged[0].actual:.0%};" in shown
    assert f"expected to score {second} and scored {judged[1].actual:.0%}: " in shown
    assert f"({urls.CONTEST})" in shown


def rows_of_table(table: str) -> list[list[str]]:
    return [line.strip("| ").split(" | ") for line in table.splitlines()]


def test_the_words_follow_from_the_numbers(found: Contest) -> None:
    values: Any = contest_values(found, {"oracle"})
    words = values["tests"][0]["verdict"]
    assert words.startswith("The lowest log loss is that of Oracle; Half ranks ")
    assert "Clearly better than Half: Oracle" in words
    rows = {row[1]: row for row in rows_of_table(values["tests"][0]["tables"].losses)}
    oracle, half = rows["[Oracle](/systems/oracle.html)"], rows["Half"]
    assert oracle[-1] == "best"
    assert half[2] == "0.6931"
    assert half[4:6] == ["–", "–"] and half[-1] == "worse"
    chosen = {row[1]: row for row in rows_of_table(values["choices"])}
    assert chosen["factor"][2:] == ["4", "1 (10×)", "1 (6×)", "1"] and "fixed" not in chosen
    lost = replace(found.held_out, entries=found.held_out.entries[::-1])
    assert "that of Oracle" not in contest_page.verdict(lost, found.reference)


def test_sums_of_calibration_by_hand(found: Contest) -> None:
    """100 games at .6 and 300 at .8, off by .03 and .02: sqrt(3^2 + 6^2) / 400 is .0168."""
    bins = Bin(9, 100.0, 0.6, 0.5, 0.03), Bin(9, 300.0, 0.8, 0.9, 0.02)
    entries = tuple(replace(entry, bins=bins) for entry in found.held_out.entries)
    trial = replace(found.held_out, entries=entries)
    tables = trial_tables(trial, found.reference, lambda entry: entry.name)
    _, _, row, *_ = rows_of_table(tables.calibrations)
    assert row[1:] == ["0.750", "0.800", "0.017", "300", "0.800", "0.900", "0.020"]


def test_a_file_is_shown_only_of_the_same_games_and_systems(found: Contest) -> None:
    history = circle()
    now = fingerprint_of(games_of(history), systems_with(DEFAULT))
    fresh, stale = page(replace(found, fingerprint=now), history), page(found, history)
    assert "No figures yet" not in fresh and "0.6931" in fresh
    assert 'src="../figures/calibrations-whole-events.svg"' in fresh
    assert "<strong>No figures yet.</strong>" in stale and stale == page(None, history)


def test_home_and_systems_show_no_other_contest(found: Contest) -> None:
    history = circle()
    nothing = Ratings({}, {}, {}, ())
    content = read_texts(ROOT / "content")
    now = fingerprint_of(games_of(history), systems_with(DEFAULT))
    shown = [
        contest_of(SiteInput(history, nothing, content, None, "0" * 12, "1", contest=one))
        for one in (found, replace(found, fingerprint=now), None)
    ]
    assert shown == [None, replace(found, fingerprint=now), None]


def test_a_sample_is_of_all_times_and_judges_alone(games: Games) -> None:
    few = replace(ALL, events=2, pairings=2, apart=2)
    design = design_of(games, few)
    assert np.unique(games.year[design.judged_next_year]).tolist() == [1899, 1901, 1903]
    for left_out, of in (("events", games.event), ("pairings", games.pairing)):
        parts, judged = PARTS[left_out], design.judged(left_out)
        numbers = np.unique(of[judged])
        first, last = numbers // parts, np.arange(of.max() // parts)
        assert set(first) >= set(last)  # of each run of events in time order some are left out
        assert len(numbers) == pytest.approx(2 * (of.max() + 1) / parts, abs=2)
    found = contest.contest(games, TOYS, unwatched, sample=few)
    assert (found.events_tested, found.pairings_tested, found.apart) == (2, 2, 2)
    assert found.whole_events.judged == games.count[design.judged("events")].sum()
    assert found.next_year.judged == games.count[design.judged_next_year].sum()
    assert all(entry.coverage == 1 for entry in found.held_out.entries)


def test_figures_name_every_system(found: Contest) -> None:
    drawn = dict(figures.drawn(contest.FILE, found))
    assert len(drawn) == 2 * len(figures.CONTEST) == 12
    for figure in figures.CONTEST:
        drawing = figure.drawing(found)
        assert ElementTree.fromstring(drawn[drawing.target]).get("width") == f"{drawing.width}pt"
        for system in TOYS:
            assert f">{system.name}</text>".encode() in drawn[drawing.narrow]
    long = replace(HALF, name="A system with a name that is far too long for one line")
    only = replace(found.held_out.entries[0], name=long.name, slug="half")
    trial = replace(found.held_out, entries=(only,))
    [losses] = (figure for figure in figures.CONTEST if figure.name == "losses-pairings")
    files = losses.files(replace(found, held_out=trial))
    drawn = {path: draw() for path, draw in files}
    assert f">{long.name}</text>".encode() not in drawn["figures/losses-pairings.svg"]
    assert b">A system with a name that" in drawn["figures/losses-pairings-narrow.svg"]


def test_figures_draw_each_system_where_its_numbers_are(found: Contest) -> None:
    trial, axes = found.next_year, MagicMock()
    axes.get_xticks.return_value = []
    figures._draw_losses(axes, found, "wide", "next year")
    lines = [call.args for call in axes.plot.call_args_list]
    assert lines == [
        line
        for k, entry in enumerate(trial.entries)
        for line in (([entry.log_loss.low, entry.log_loss.high], [k, k]),
                     ([entry.log_loss.mean], [k]))
    ]  # fmt: skip
    assert axes.set_ylim.call_args.args == (len(lines) / 2 - 0.4, -0.6)  # the best above
    edo = next(one for one in trial.entries if one.slug == found.reference)
    assert [call.args for call in axes.axvline.call_args_list] == [(edo.log_loss.mean,)]
    figures._draw_calibrations(axes, found, "wide", "next year")
    bars = axes.inset_axes.return_value.errorbar.call_args_list
    assert [(*call.args, call.kwargs["yerr"]) for call in bars] == [
        tuple([getattr(one, name) for one in entry.bins]
              for name in ("expected", "actual", "standard_error"))
        for entry in trial.entries
    ]  # fmt: skip


def test_the_command_prints_and_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: Contest, capsys: Any
) -> None:
    asked = []

    def quickly(games: Games, systems: Any, watch: Any, jobs: int) -> Contest:
        asked.append((systems, jobs, list(watch("parts", [1, 2]))))
        return found

    monkeypatch.setattr(contest, "contest", quickly)
    out = tmp_path / "made" / "contest.json"
    given = ["contest", "--events", str(EVENTS)]
    assert cli.main([*given, "--out", str(out), "--jobs", "2"]) == 0
    [(systems, jobs, parts)] = asked
    assert [one.slug for one in systems] == [one.slug for one in SYSTEMS]
    assert (jobs, parts) == (2, [1, 2]) and out.read_bytes() == jsonfile.dump(found)
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("Whole events: log loss of ") and said[-1] == str(out)
    assert said[1].split() == ["1", "Oracle", f"{found.whole_events.entries[0].log_loss.mean:.4f}"]
    monkeypatch.chdir(tmp_path)
    assert cli.main([*given, "--systems", "edo-raw,edo"]) == 0
    assert [system.slug for system in asked[1][0]] == ["edo-raw", "edo"]
    assert not (tmp_path / "content").exists()


def test_the_contest_of_a_project_is_kept_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: Contest, capsys: Any
) -> None:
    monkeypatch.setattr(contest, "contest", lambda *_: found)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["init", "club"]) == 0
    assert cli.main(["contest", "--project", "club"]) == 0
    assert (tmp_path / "club" / "content" / "contest.json").read_bytes() == jsonfile.dump(found)
    assert not (tmp_path / "content").exists()


@pytest.mark.parametrize(
    ("option", "message"),
    [*((f"--systems={named}", "name some of edo, edo-raw") for named in ("edo,no", "edo,edo", "")),
     ("--jobs=0", "'0' is not a whole number, 1 or more"),
     ("--jobs=two", "'two' is not a whole number, 1 or more")],
)  # fmt: skip
def test_wrong_options_are_refused(option: str, message: str, capsys: Any) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(["contest", option])
    assert left.value.code == 2
    assert message in capsys.readouterr().err


def test_the_kept_figures_are_of_all_systems() -> None:
    kept = read_contest(ROOT / "content")
    assert kept is not None
    slugs = {system.slug for system in SYSTEMS}
    for trial in kept.tests.values():
        assert {entry.slug for entry in trial.entries} == slugs
        assert trial.games <= min(entry.coverage for entry in trial.entries) * trial.judged + 1e-3
