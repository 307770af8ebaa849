"""Choosing the self-games: predictions, simulated careers, the file that keeps them, the page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from math import log, sqrt
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from conftest import ROOT
from sample_datasets import dataset, event, odds_by, result
from sample_games import games_between

from edo.commands import cli
from edo.core import json as jsonfile
from edo.core.model import Dataset, Result
from edo.core.problems import EdoError
from edo.core.scale import expected_scores
from edo.history.settings import DEFAULT, Settings
from edo.rating.edo import publish, run
from edo.rating.games import Games, Pairing, Side, games_of, pairings
from edo.site import render, urls
from edo.site.charts import evaluation_figures as figures
from edo.site.input import SiteInput, read_texts
from edo.site.pages import method
from edo.systems.evaluation import tuning
from edo.systems.evaluation.backtest import random_parts
from edo.systems.evaluation.simulation import (
    CareerModel,
    Outcome,
    play,
    refit,
    scores,
    step_of,
    strengths,
)
from edo.systems.evaluation.tuning import (
    Tuning,
    accuracy,
    calibration,
    coverage,
    fingerprint_of,
    read_tuning,
    scorable,
    tune,
    within_years,
)

ANCHOR = replace(DEFAULT, anchor_player="p0", anchor_year=1851, anchor_rating=2000.0)
EIGHT = [f"p{k}" for k in range(8)]


def unwatched(name: str, items: Sequence[Any]) -> Iterable[Any]:
    return items


def scored(a: str, b: str, points: float) -> Result:
    """Return four games of two players with no more draws than the points need."""
    return result(a, b, points, 4, draws=2 * (points % 1))


def circle(years: int = 10, seed: int = 7) -> Dataset:
    """Return eight players who all meet each other, four games a pair, every year."""
    rng = np.random.default_rng(seed)
    return dataset(
        *(
            event(
                f"meeting-{year}",
                year,
                *(scored(a, b, rng.binomial(8, 0.5) / 2) for a, b in combinations(EIGHT, 2)),
            )
            for year in range(1850, 1850 + years)
        ),
    )


def pairs(score: list[float], count: list[float]) -> Games:
    """Return games of as many events, in each of which the first scored so much."""
    k = np.arange(len(score))
    return games_between(0 * k, 0 * k + 1, 1850 + k, score, count=count, draws=0.0)


# Predictions


def test_log_loss_and_error_are_those_of_a_game() -> None:
    games, half = pairs([1.0, 0.5, 3.0], [1.0, 1.0, 4.0]), np.full((2, 3), 0.5)
    found = accuracy(games, half, chosen=0)
    assert (found.log_loss[0], found.adjusted_log_loss) == pytest.approx((log(2), log(2)))
    # off by 1/2, 0 and 1/4 with the weights 1, 1 and 4
    assert found.error[0] == pytest.approx(sqrt((0.25 + 4 / 16) / 6))
    sure = accuracy(pairs([3.0], [4.0]), np.full((2, 1), 0.75), chosen=0)
    assert sure.log_loss[0] == pytest.approx(-(0.75 * log(0.75) + 0.25 * log(0.25)))


def test_only_played_scores_at_even_play_judge() -> None:
    history = dataset(
        event(
            "x", 1850,
            result("a", "b", 1, 2, draws=2), result("a", "c", 1, 2, draws=0, soft="about even"),
            result("c", "d", 1.5, 2),
        ),
        event("y", 1851, result("a", "b", 1, 2, draws=0, odds=odds_by("a"))),
        event("z", 1852, result("b", "c", 2, 3, proportion="400/600")),
    )  # fmt: skip
    assert scorable(games_of(history).summed()).tolist() == [True, False, False, False, False]


def test_each_judging_pairing_is_in_one_part_of_even_size() -> None:
    judging = np.arange(53) != 7
    part = random_parts(judging, 10, seed=3)
    assert part[7] == 10
    assert sorted(np.bincount(part[judging], minlength=10)) == [5] * 8 + [6] * 2
    assert np.array_equal(part, random_parts(judging, 10, seed=3))
    assert not np.array_equal(part, random_parts(judging, 10, seed=4))


# Simulated careers


def test_accuracy_compares_with_the_settings_of_the_pass_what_all_can_predict() -> None:
    expected = np.array([[0.5, 0.5, np.nan], [0.8, 0.8, 0.8], [0.5, 0.5, 0.5]])
    found = accuracy(pairs([1.0, 3.0, 0.0], [1.0, 3.0, 2.0]), expected, chosen=0)
    assert (found.pairings, found.games) == (2, 4.0)
    assert found.log_loss == pytest.approx((log(2), -log(0.8)))
    assert found.beyond == pytest.approx((0.0, -log(0.8) - log(2)))
    assert found.beyond_error == pytest.approx((0.0, 0.0))  # the gain per game is always the same


def test_a_game_varies_half_as_much_as_one_without_draws() -> None:
    n, p = 200_000, 0.7
    drawn = scores(np.full(n, p), np.ones(n), np.random.default_rng(1))
    assert sorted(set(drawn.tolist())) == [0.0, 0.5, 1.0]
    assert drawn.mean() == pytest.approx(p, abs=0.004)
    assert drawn.var() == pytest.approx(p * (1 - p) / 2, rel=0.02)
    assert np.mean(drawn == 0.5) == pytest.approx(2 * p * (1 - p), abs=0.005)


def test_the_step_is_what_the_self_games_stand_for() -> None:
    assert step_of(DEFAULT) == pytest.approx(44.85, abs=0.005)
    assert step_of(replace(DEFAULT, self_games=120.0)) == pytest.approx(44.85 / 2, abs=0.005)


def test_careers_follow_their_curve_and_steps_have_their_size() -> None:
    done, rng = run(games_of(circle(60)), ANCHOR), np.random.default_rng(2)
    truth = strengths(done, CareerModel("curves", 0.0, 0.25), rng).reshape(8, 60)
    fall = truth[:, 15, None] - truth
    assert fall == pytest.approx(np.tile(0.25 * (np.arange(60.0) - 15) ** 2, (8, 1)))
    steps = np.diff(strengths(done, CareerModel("steps", 40.0), rng).reshape(8, 60), axis=1)
    assert steps.std() == pytest.approx(40.0, rel=0.1)


def test_odds_count_for_what_they_are_worth_in_simulated_scores() -> None:
    history = dataset(
        event("x", 1851, *(result("p0", "p1", 3, 6) for _ in range(4000))),
        event("y", 1851, *(result("p0", "p1", 3, 6, odds=odds_by("p0")) for _ in range(4000))),
    )
    net = run(games_of(history), ANCHOR).network
    even, odds = pairings(play(net, np.array([2219.0, 2000.0]), np.random.default_rng(3)))
    assert even.score / even.games == pytest.approx(1 / (1 + 10 ** (-219 / 400)), abs=0.01)
    assert odds.score / odds.games == pytest.approx(0.5, abs=0.01)
    assert (odds.event, odds.first.odds, odds.games) == ("y", "pawn-and-two-moves", 24_000.0)


def test_a_fit_of_very_many_games_finds_the_truth() -> None:
    history = dataset(
        *(
            event(f"e{year}", year, *(result(a, b, 25e6, 5e7) for a, b in combinations(EIGHT, 2)))
            for year in (1850, 1851, 1852)
        )
    )
    net = run(games_of(history), ANCHOR).network
    truth = np.random.default_rng(4).normal(2000.0, 60.0, 24)
    outcome = refit(play(net, truth, np.random.default_rng(5)), net, truth, ANCHOR)
    assert np.abs(within_years(outcome)).max() < 0.1
    # that a whole year is stronger than the next is what no game shows
    assert np.abs(outcome.raw_error).max() > 5.0
    assert outcome.played.all() and outcome.raw_error.mean() == pytest.approx(0.0, abs=1e-9)
    share = 1 / (1 + (outcome.raw_deviation / 300) ** 2)
    adjusted = share * (truth + outcome.raw_error) + (1 - share) * 1500
    assert outcome.error == pytest.approx(adjusted - truth)


def test_the_truth_is_matched_by_player_and_year_where_the_fit_has_fewer() -> None:
    net = run(games_of(circle(3)), ANCHOR).network
    truth = np.arange(24.0)
    games = net.pairings
    games = games.where((games.first != 3) & (games.second != 3))
    outcome = refit(games, net, truth, ANCHOR)
    raw = run(games, ANCHOR).raw
    error = raw - np.r_[truth[:9], truth[12:]]
    assert outcome.raw_error == pytest.approx(error - error.mean())


def test_deviations_of_simulated_careers_cover_as_they_say() -> None:
    done = run(games_of(circle()), ANCHOR)
    model = CareerModel("steps", step_of(ANCHOR))
    outcomes = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        truth = strengths(done, model, rng)
        played = play(done.network, truth, rng)
        outcomes.append(refit(played, done.network, truth, ANCHOR))
    errors = [np.concatenate([one.raw_error for one in outcomes])]
    found = coverage(errors, [np.concatenate([one.raw_deviation for one in outcomes])])
    assert found.one[0] == pytest.approx(0.683, abs=0.03)
    assert found.two[0] == pytest.approx(0.950, abs=0.03)


def test_errors_within_years_have_no_mean_in_any_year() -> None:
    played = np.array([True, True, True, False])
    four = np.array([3.0, 5.0, 7.0, 99.0])
    outcome = Outcome(np.array([1850, 1850, 1851, 1850]), four, four, four, four, played)
    assert within_years(outcome).tolist() == [-1.0, 1.0, 0.0]


# What is made of them


def test_calibration_takes_the_side_of_the_favourite() -> None:
    games = pairs([1.0, 3.0, 0.5], [4.0, 4.0, 1.0])
    found = calibration(games, np.array([0.28, 0.72, 0.99]))
    assert [(b.pairings, b.games) for b in found] == [(2, 8.0), (1, 1.0)]
    assert (found[0].expected, found[0].actual) == pytest.approx((0.72, 0.75))
    assert found[0].standard_error == pytest.approx(sqrt(2 * 0.12**2) / 8)
    assert (found[1].expected, found[1].actual) == pytest.approx((0.99, 0.5))


@pytest.fixture(scope="module")
def measured() -> Tuning:
    return tune(circle(), unwatched, ANCHOR, tried=(10.0, 90.0), extent=(tuning.PARTS, 2))


@pytest.mark.slow
def test_the_same_seed_gives_the_same_file(measured: Tuning) -> None:
    again = tune(circle(), unwatched, ANCHOR, tried=(90.0, 10.0, 30.0), extent=(tuning.PARTS, 2))
    assert jsonfile.dump(again) == jsonfile.dump(measured)


def test_everything_is_measured(measured: Tuning) -> None:
    assert (measured.self_games, measured.chosen) == ((10.0, 30.0, 90.0), 30.0)
    assert measured.held_out.pairings == 280
    # the first year has none before it, the last none after it
    assert measured.year_before.pairings == measured.year_after.pairings == 252
    # random results are best predicted by ratings that do not follow them
    assert measured.held_out.log_loss[0] > measured.held_out.log_loss[2] > 0.6
    assert measured.held_out.adjusted_log_loss != measured.held_out.log_loss[1]
    assert [found.name for found in measured.found] == ["steps", "small steps", "curves"]
    steps = measured.found[0]
    assert steps.year_error[1] < steps.error[1] < steps.error[0]
    assert steps.histories == 2 and len(steps.log_loss) == 3


def test_each_pairing_is_predicted_by_a_pass_without_it(measured: Tuning) -> None:
    games = run(games_of(circle()), ANCHOR).network.pairings
    part = random_parts(scorable(games), tuning.PARTS, tuning.SEED)
    years = np.unique(games.year).tolist()  # ten, each of which is left out alone
    tests = ((0, part, range(tuning.PARTS)), (-1, games.year, years), (1, games.year, years))
    found = (measured.held_out, measured.year_before, measured.year_after)
    for (shift, of, numbers), accuracy_of_test in zip(tests, found, strict=True):
        expected = np.full((2, len(games)), np.nan)
        for number in numbers:
            done = run(games.where(of != number), ANCHOR)
            for row in np.flatnonzero(of == number).tolist():
                year = int(games.year[row]) + shift
                if years[0] <= year <= years[-1]:
                    ends = [int(side[row]) for side in (games.first, games.second)]
                    a, b = (done.node(games.players[k], year) for k in ends)
                    leads = np.array([done.raw[a] - done.raw[b], done.rating[a] - done.rating[b]])
                    expected[:, row] = expected_scores(leads)
        want = accuracy(games, expected, chosen=0)
        assert accuracy_of_test.log_loss[1] == pytest.approx(want.log_loss[0])
        assert accuracy_of_test.adjusted_log_loss == pytest.approx(want.adjusted_log_loss)
        if not shift:
            assert measured.calibration == calibration(games, expected[0])
            assert measured.adjusted_calibration == calibration(games, expected[1])


# The file


@pytest.fixture
def kept(measured: Tuning, tmp_path: Path) -> Path:
    (tmp_path / "tuning.json").write_bytes(jsonfile.dump(measured))
    return tmp_path


def test_the_file_reads_back(kept: Path, measured: Tuning) -> None:
    back = read_tuning(kept)
    assert back is not None
    assert jsonfile.dump(back) == (kept / "tuning.json").read_bytes()
    assert back.found[0].error == pytest.approx(measured.found[0].error, abs=1e-6)
    assert read_tuning(kept / "elsewhere") is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("held_out"), "the file has no 'held_out'"),
        (lambda d: d.update(more=1), "the file has an unknown 'more'"),
        (lambda d: d.update(chosen="30"), "chosen is not a number"),
        (lambda d: d.update(chosen=True), "chosen is not a number"),
        (lambda d: d.update(chosen=31.0), "self_games do not ascend from above 0, or lack"),
        (lambda d: d.update(self_games=[30.0, 10.0, 90.0]), "self_games do not ascend"),
        (lambda d: d.update(self_games=[]), "self_games do not ascend"),
        (lambda d: d.update(seed=1.5), "seed is not a whole number"),
        (lambda d: d.update(found={}), "found is not a list"),
        (lambda d: d.update(found=[1]), r"found\[0\] is not an object"),
        (lambda d: d["found"][0]["raw"]["one"].pop(), "not everything is there for all 3"),
        (lambda d: d["held_out"].update(error=[]), "not everything is there for all 3"),
        (lambda d: d["held_out"]["error"].append(None), r"error\[3\] is not a number"),
        (lambda d: d.update(chosen=10**400), "too large"),
    ],
)
def test_a_broken_file_is_named_with_the_remedy(kept: Path, change: Any, message: str) -> None:
    path = kept / "tuning.json"
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    with pytest.raises(EdoError, match=rf"tuning\.json: .*{message}.*; run `python -m edo tune`"):
        read_tuning(kept)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"seed": NaN}', b"null", b"9" * 5000],
    ids=["empty", "cut", "not-utf8", "deep", "nan", "null", "long"],
)
def test_no_content_makes_a_traceback(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "tuning.json").write_bytes(content)
    with pytest.raises(EdoError, match=r"tuning\.json: .*; run `python -m edo tune`"):
        read_tuning(tmp_path)


def test_pairings_are_told_apart_by_all_that_is_known_of_them() -> None:
    at_odds = Pairing(1851, "london", Side("a", "knight", 0.1 + 0.2), Side("b"), 2.5, 4.0, "guess")
    assert tuning._line(at_odds) == repr(at_odds)
    assert tuning._line(replace(at_odds, soft=1.0)) == repr(replace(at_odds, soft=1.0))


def test_the_fingerprint_knows_every_score_and_setting_but_no_order() -> None:
    rated = pairings(games_of(circle(2)))
    here = fingerprint_of(rated)
    assert here == fingerprint_of(reversed(rated))
    assert here != fingerprint_of([replace(rated[0], score=0.0), *rated[1:]])
    assert here != fingerprint_of(rated, Settings(self_games=31.0))


# Figures, page and command


def test_figures_are_drawn_where_something_was_measured(measured: Tuning) -> None:
    drawn = dict(figures.drawn(tuning.FILE, measured))
    assert len(drawn) == 2 * len(figures.TUNING) == 8
    for figure in figures.TUNING:
        drawing = figure.drawing(measured)
        assert ElementTree.fromstring(drawn[drawing.target]).get("width") == f"{drawing.width}pt"
        assert drawing.narrow in drawn
    assert b">year before</text>" in drawn["figures/foretold.svg"]
    assert b">small steps</text>" in drawn["figures/found.svg"]


def page(measured: Tuning | None, history: Dataset) -> str:
    ratings = publish(history, run(games_of(history), ANCHOR))
    content = read_texts(ROOT / "content")
    site = SiteInput(history, ratings, content, None, "0" * 12, "1", tuning=measured)
    path = urls.method("choosing")
    (choosing,) = (one for one in method.pages(site) if one.path == path)
    ((_, html),) = render.render([choosing], site)
    return html.decode()


@pytest.fixture(scope="module")
def history() -> Dataset:
    return circle()


def test_figures_are_shown_only_of_the_same_results(measured: Tuning, history: Dataset) -> None:
    now = fingerprint_of(pairings(games_of(history)), ANCHOR)
    fresh = page(replace(measured, fingerprint=now), history)
    assert "No figures yet" not in fresh
    assert f">{measured.held_out.log_loss[1]:.4f}<" in fresh
    assert 'src="../figures/calibration.svg"' in fresh
    stale = page(replace(measured, fingerprint="feedfacecafe"), history)
    assert "<strong>No figures yet.</strong>" in stale and stale == page(None, history)


def test_a_coverage_says_whether_it_is_within_three_points(
    measured: Tuning, history: Dataset
) -> None:
    steps = measured.found[0]
    near, far = (
        tuning.Coverage((0.0, 0.70, 0.0), (0.0, 0.94, 0.0)),
        tuning.Coverage((0.0, 0.5, 0.0), (0.0, 0.94, 0.0)),
    )
    now = fingerprint_of(pairings(games_of(history)), ANCHOR)
    found = (replace(steps, raw=near, adjusted=far),) * 3
    html = page(replace(measured, fingerprint=now, found=found), history)
    assert "70.0% and 94.0% of the raw intervals contain the truth: within three points" in html
    assert "50.0% and 94.0%: off by −18.3 and −1.0 points" in html


def test_the_command_writes_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, measured: Tuning
) -> None:
    asked = []

    def tune_quickly(dataset: Dataset, watch: Any, settings: Settings) -> Tuning:
        asked.append(settings)
        assert list(watch("parts", [1, 2, 3])) == [1, 2, 3]
        return measured

    monkeypatch.setattr(tuning, "tune", tune_quickly)
    out = tmp_path / "made" / "tuning.json"
    events = ROOT / "tests" / "minisite" / "events"
    assert cli.main(["tune", "--events", str(events), "--out", str(out)]) == 0
    assert asked == [DEFAULT] and out.read_bytes() == jsonfile.dump(measured)


def test_the_kept_figures_are_readable() -> None:
    kept = read_tuning(ROOT / "content")
    assert kept is not None and kept.chosen == DEFAULT.self_games
