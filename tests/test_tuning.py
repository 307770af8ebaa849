"""Choosing the self-games: predictions, simulated careers, the file that keeps them, the page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import log, sqrt
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from conftest import ROOT
from sample_datasets import dataset, event, odds_by, result

from edo.commands import cli
from edo.core import json as jsonfile
from edo.core import urls
from edo.core.model import Dataset
from edo.core.problems import EdoError
from edo.core.scale import expected_scores
from edo.core.settings import DEFAULT, Settings
from edo.rating.edo import publish, run
from edo.rating.pairings import Pairing, Side, all_pairings
from edo.site import render
from edo.site.charts import evaluation_figures as figures
from edo.site.input import SiteInput, read_texts
from edo.site.pages import method
from edo.systems.evaluation import tuning
from edo.systems.evaluation.cross_validation import (
    Predictions,
    adjusted_ratings,
    finder,
    held_out,
    joined,
    neighbouring_years,
    random_parts,
    raw_ratings,
    scorable,
)
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
    tune,
    within_years,
)

ANCHOR = replace(DEFAULT, anchor_player="p0", anchor_year=1851, anchor_rating=2000.0)
RAW = partial(raw_ratings, settings=ANCHOR)
EIGHT = [f"p{k}" for k in range(8)]


def unwatched(name: str, items: Sequence[Any]) -> Iterable[Any]:
    return items


def circle(years: int = 10, seed: int = 7) -> Dataset:
    """Return eight players who all meet each other, four games a pair, every year."""
    rng = np.random.default_rng(seed)
    return dataset(
        *(
            event(
                f"meeting-{year}",
                year,
                *(result(a, b, rng.binomial(8, 0.5) / 2, 4) for a, b in combinations(EIGHT, 2)),
            )
            for year in range(1850, 1850 + years)
        ),
    )


def predictions(score: list[float], games: list[float], share: list[float]) -> Predictions:
    parts = (np.array(part) for part in (score, games, share))
    return Predictions(tuple(f"e{k}" for k in range(len(score))), *parts)


# Predictions


def test_a_constant_half_has_the_log_loss_ln_2() -> None:
    half = predictions([1.0, 0.5, 3.0], [1.0, 1.0, 4.0], [0.5, 0.5, 0.5])
    assert half.log_loss() == pytest.approx(log(2))
    # off by 1/2, 0 and 1/4 with the weights 1, 1 and 4
    assert half.error() == pytest.approx(sqrt((0.25 + 4 / 16) / 6))


def test_log_loss_is_minus_the_log_likelihood_of_a_game() -> None:
    sure = predictions([3.0], [4.0], [0.75])
    assert sure.log_loss() == pytest.approx(-(0.75 * log(0.75) + 0.25 * log(0.25)))


def test_only_played_scores_at_even_play_judge() -> None:
    history = dataset(
        event("x", 1850, result("a", "b", 1, 2), result("a", "c", 1, 2, soft="about even")),
        event("y", 1851, result("a", "b", 1, 2, odds=odds_by("a"))),
        event("z", 1852, result("b", "c", 2, 3, proportion="400/600")),
    )
    pairings = (
        *all_pairings(history),
        Pairing(1853, "t", Side("a"), Side("b"), 1.0, 2.0, "totals"),
    )
    assert scorable(history, pairings).tolist() == [True, False, False, False, False]


def test_each_judging_pairing_is_in_one_part_of_even_size() -> None:
    judging = np.arange(53) != 7
    part = random_parts(judging, 10, seed=3)
    assert part[7] == 10
    assert sorted(np.bincount(part[judging], minlength=10)) == [5] * 8 + [6] * 2
    assert np.array_equal(part, random_parts(judging, 10, seed=3))
    assert not np.array_equal(part, random_parts(judging, 10, seed=4))


def test_held_out_pairings_are_predicted_without_themselves() -> None:
    history = circle(3)
    pairings = all_pairings(history)
    out = np.arange(len(pairings)) % 9 == 0
    found = held_out(pairings, out, RAW)
    kept = run([p for p, left_out in zip(pairings, out, strict=True) if not left_out], ANCHOR)
    first = pairings[0]
    a, b = (kept.raw[kept.node(side.player, first.year)] for side in (first.first, first.second))
    assert len(found.score) == out.sum()
    assert found.expected[0] == pytest.approx(1 / (1 + 10 ** ((b - a) / 400)))
    assert (found.score[0], found.games[0]) == (first.score, first.games)


def test_what_is_left_out_does_not_change_its_prediction() -> None:
    pairings = list(all_pairings(circle(3)))
    out = np.arange(len(pairings)) == 5
    before = held_out(pairings, out, RAW)
    pairings[5] = replace(pairings[5], score=4.0 - pairings[5].score)
    assert held_out(pairings, out, RAW).expected == pytest.approx(before.expected, abs=1e-12)


def test_a_year_is_predicted_by_its_neighbours_only_where_both_are_rated() -> None:
    history = circle(4)
    pairings = all_pairings(history)
    everything = np.ones(len(pairings), bool)
    year = np.array([p.year for p in pairings])
    before, after = neighbouring_years(pairings, everything, year == 1850, RAW)
    assert (len(before.score), len(after.score)) == (0, 28)  # nobody has a rating in 1849
    kept = run([p for p in pairings if p.year != 1851], ANCHOR)
    before, after = neighbouring_years(pairings, everything, year == 1851, RAW)
    for predicted, neighbour in ((before, 1850), (after, 1852)):
        a, b = (kept.raw[kept.node(player, neighbour)] for player in EIGHT[:2])
        assert predicted.expected[0] == pytest.approx(float(expected_scores(np.array([a - b]))[0]))


def test_all_settings_are_judged_on_the_same_pairings() -> None:
    pairings = all_pairings(circle(3))
    out = np.arange(len(pairings)) % 4 == 0
    few, many = (
        held_out(pairings, out, partial(raw_ratings, settings=replace(ANCHOR, self_games=g)))
        for g in (5.0, 500.0)
    )
    assert few.event == many.event and np.array_equal(few.score, many.score)
    assert not np.allclose(few.expected, many.expected)


def test_adjusted_ratings_are_those_of_the_pass() -> None:
    pairings = all_pairings(circle(3))
    assert np.array_equal(adjusted_ratings(pairings, ANCHOR).rating, run(pairings, ANCHOR).rating)


def test_predictions_are_joined_in_order() -> None:
    both = joined([predictions([1.0], [2.0], [0.4]), predictions([0.0], [1.0], [0.3])])
    assert (both.event, both.score.tolist(), both.expected.tolist()) == (
        ("e0", "e0"), [1.0, 0.0], [0.4, 0.3]
    )  # fmt: skip


def test_a_player_year_outside_of_a_career_is_not_found() -> None:
    net = run(all_pairings(circle(2)), ANCHOR).network
    find = finder(net)
    assert (find("p1", 1850), find("p1", 1851)) == (2, 3)
    assert [find("p1", 1849), find("p1", 1852), find("nobody", 1850)] == [None] * 3


# Simulated careers


def test_a_game_varies_half_as_much_as_one_without_draws() -> None:
    n, p = 200_000, 0.7
    drawn = scores(np.full(n, p), np.ones(n), np.random.default_rng(1))
    assert sorted(set(drawn.tolist())) == [0.0, 0.5, 1.0]
    assert drawn.mean() == pytest.approx(p, abs=0.004)
    assert drawn.var() == pytest.approx(p * (1 - p) / 2, rel=0.02)
    assert np.mean(drawn == 0.5) == pytest.approx(2 * p * (1 - p), abs=0.005)


def test_scores_stay_within_their_games() -> None:
    games = np.array([0.5, 1.0, 2.5, 7.3])
    for seed in range(20):
        drawn = scores(np.full(4, 0.9), games, np.random.default_rng(seed))
        assert np.all((drawn >= 0) & (drawn <= games))


def test_the_step_is_what_the_self_games_stand_for() -> None:
    assert step_of(DEFAULT) == pytest.approx(44.85, abs=0.005)
    assert step_of(replace(DEFAULT, self_games=120.0)) == pytest.approx(44.85 / 2, abs=0.005)


def test_careers_without_steps_are_the_curve_alone() -> None:
    done = run(all_pairings(circle(31)), ANCHOR)
    truth = strengths(done, CareerModel("curves", 0.0, 0.25), np.random.default_rng(2)).reshape(
        8, 31
    )
    fall = truth[:, 15, None] - truth
    assert fall == pytest.approx(np.tile(0.25 * (np.arange(31.0) - 15) ** 2, (8, 1)))


def test_steps_have_their_size() -> None:
    done = run(all_pairings(circle(60)), ANCHOR)
    truth = strengths(done, CareerModel("steps", 40.0), np.random.default_rng(2)).reshape(8, 60)
    assert np.diff(truth, axis=1).std() == pytest.approx(40.0, rel=0.1)


def test_odds_count_for_what_they_are_worth_in_simulated_scores() -> None:
    history = dataset(
        event("x", 1851, *(result("p0", "p1", 3, 6) for _ in range(4000))),
        event("y", 1851, *(result("p0", "p1", 3, 6, odds=odds_by("p0")) for _ in range(4000))),
    )
    net = run(all_pairings(history), ANCHOR).network
    even, odds = play(net, np.array([2219.0, 2000.0]), np.random.default_rng(3))
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
    net = run(all_pairings(history), ANCHOR).network
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
    net = run(all_pairings(circle(3)), ANCHOR).network
    truth = np.arange(24.0)
    pairings = [p for p in all_pairings(circle(3)) if "p3" not in (p.first.player, p.second.player)]
    outcome = refit(pairings, net, truth, ANCHOR)
    raw = run(pairings, ANCHOR).raw
    error = raw - np.r_[truth[:9], truth[12:]]
    assert outcome.raw_error == pytest.approx(error - error.mean())


def test_deviations_of_simulated_careers_cover_as_they_say() -> None:
    done = run(all_pairings(circle()), ANCHOR)
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


def test_coverage_counts() -> None:
    errors, deviations = np.array([-0.5, 1.5, -3.0, 0.1]), np.ones(4)
    assert coverage([errors], [deviations]) == tuning.Coverage((0.5,), (0.75,))


def test_errors_within_years_have_no_mean_in_any_year() -> None:
    played = np.array([True, True, True, False])
    four = np.array([3.0, 5.0, 7.0, 99.0])
    outcome = Outcome(np.array([1850, 1850, 1851, 1850]), four, four, four, four, played)
    assert within_years(outcome).tolist() == [-1.0, 1.0, 0.0]


# What is made of them


def test_accuracy_compares_with_the_settings_of_the_pass() -> None:
    half, better = (
        predictions([1.0, 3.0], [1.0, 3.0], [0.5, 0.5]),
        predictions([1.0, 3.0], [1.0, 3.0], [0.8, 0.8]),
    )
    found = accuracy([half, better], half, chosen=0)
    assert found.log_loss == pytest.approx((log(2), -log(0.8)))
    assert found.beyond == pytest.approx((0.0, -log(0.8) - log(2)))
    assert found.beyond_error == pytest.approx((0.0, 0.0))  # the gain per game is always the same
    assert (found.pairings, found.games) == (2, 4.0)


def test_calibration_takes_the_side_of_the_favourite() -> None:
    both = predictions([1.0, 3.0, 0.5], [4.0, 4.0, 1.0], [0.28, 0.72, 0.99])
    found = calibration(both)
    assert [(b.pairings, b.games) for b in found] == [(2, 8.0), (1, 1.0)]
    assert (found[0].expected, found[0].actual) == pytest.approx((0.72, 0.75))
    assert found[0].standard_error == pytest.approx(sqrt(2 * 0.12**2) / 8)
    assert (found[1].expected, found[1].actual) == pytest.approx((0.99, 0.5))


@pytest.fixture(scope="module")
def measured() -> Tuning:
    return tune(circle(), unwatched, ANCHOR, tried=(10.0, 90.0), histories=2)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_file(measured: Tuning) -> None:
    again = tune(circle(), unwatched, ANCHOR, tried=(90.0, 10.0, 30.0), histories=2)
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


def test_raw_and_adjusted_ratings_are_each_scored_by_their_own(
    measured: Tuning,
) -> None:
    history = circle()
    pairings = run(all_pairings(history), ANCHOR).network.pairings
    judging = scorable(history, pairings)
    part = random_parts(judging, tuning.PARTS, tuning.SEED)
    years = np.array([p.year for p in pairings])
    bins, losses = [], []
    for rate in (RAW, partial(adjusted_ratings, settings=ANCHOR)):
        held = joined([held_out(pairings, part == k, rate) for k in range(tuning.PARTS)])
        # ten years make ten parts, each without one year
        alone = [neighbouring_years(pairings, judging, years == y, rate) for y in np.unique(years)]
        before, after = (joined(list(side)) for side in zip(*alone, strict=True))
        bins.append(calibration(held))
        losses.append([one.log_loss() for one in (held, before, after)])
    assert [measured.calibration, measured.adjusted_calibration] == bins
    found = (measured.held_out, measured.year_before, measured.year_after)
    assert [one.log_loss[1] for one in found] == pytest.approx(losses[0])
    assert [one.adjusted_log_loss for one in found] == pytest.approx(losses[1])
    assert len({round(loss, 6) for of_rate in losses for loss in of_rate}) == 6


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


def test_no_file_is_nothing_measured(tmp_path: Path) -> None:
    assert read_tuning(tmp_path) is None


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


def test_the_fingerprint_knows_every_score_and_setting_but_no_order() -> None:
    pairings = all_pairings(circle(2))
    here = fingerprint_of(pairings)
    assert here == fingerprint_of(reversed(pairings))
    assert here != fingerprint_of([replace(pairings[0], score=0.0), *pairings[1:]])
    assert here != fingerprint_of(pairings, Settings(self_games=31.0))


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
    ratings = publish(history, run(all_pairings(history), ANCHOR))
    content = read_texts(ROOT / "content")
    site = SiteInput(history, ratings, content, None, "0" * 12, "1", tuning=measured)
    path = urls.method("choosing")
    (choosing,) = (one for one in method.pages(site) if one.path == path)
    ((_, html),) = render.render([choosing], site)
    return html.decode()


@pytest.fixture(scope="module")
def history() -> Dataset:
    return circle()


def test_a_fresh_cache_is_shown_as_it_is(measured: Tuning, history: Dataset) -> None:
    now = fingerprint_of(run(all_pairings(history), ANCHOR).network.pairings, ANCHOR)
    html = page(replace(measured, fingerprint=now), history)
    assert "out of date" not in html and now in html
    assert f'<td class="num">{measured.held_out.log_loss[1]:.4f}</td>' in html
    assert 'src="../figures/calibration.svg"' in html


def test_a_stale_cache_is_marked_with_both_fingerprints(measured: Tuning, history: Dataset) -> None:
    now = fingerprint_of(run(all_pairings(history), ANCHOR).network.pairings, ANCHOR)
    html = page(replace(measured, fingerprint="feedfacecafe"), history)
    assert "<strong>These figures are out of date.</strong>" in html
    assert "feedfacecafe" in html and now in html


def test_a_missing_cache_is_told(history: Dataset) -> None:
    html = page(None, history)
    assert "<strong>Nothing has been measured for this build.</strong>" in html
    assert "python -m edo tune" in html and "figures/" not in html


def test_a_coverage_says_whether_it_is_within_three_points(
    measured: Tuning, history: Dataset
) -> None:
    steps = measured.found[0]
    near, far = (
        tuning.Coverage((0.0, 0.70, 0.0), (0.0, 0.94, 0.0)),
        tuning.Coverage((0.0, 0.5, 0.0), (0.0, 0.94, 0.0)),
    )
    html = page(replace(measured, found=(replace(steps, raw=near, adjusted=far),) * 3), history)
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
