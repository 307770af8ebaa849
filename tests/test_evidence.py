"""The minimum of evidence for a rank, and the tests on whole events left out."""

from __future__ import annotations

import minisite_data
import numpy as np
import pytest
from sample_datasets import dataset, event, result
from scipy.optimize import OptimizeResult

from edo.core.problems import EdoError, NotConverged
from edo.core.scale import Floats, theta_from_elo
from edo.history.settings import DEFAULT, Settings
from edo.rating.edo import rate, run
from edo.rating.evidence import shortfall
from edo.rating.games import games_of, pairings
from edo.rating.inference import posterior
from edo.systems.evaluation import whole_events
from edo.systems.evaluation.tuning import scorable


def test_evidence_is_counted_in_the_pairings() -> None:
    ratings = minisite_data.history().ratings
    states = set()
    for (player, year), one in {
        (y.player, y.year): y for p in ratings.players.values() for y in p
    }.items():
        near = [
            p
            for p in ratings.pairings
            if abs(p.year - year) <= 2 and player in (p.first.player, p.second.player)
        ]
        others = {p.first.player for p in near} | {p.second.player for p in near}
        assert one.near_games == pytest.approx(sum(p.games for p in near))
        assert one.near_opponents == len(others - {player})
        enough = one.near_games >= 10 and one.near_opponents >= 3 and one.deviation <= 90
        assert (one.rank is not None) == enough == (one.shortfall(DEFAULT) == "")
        states.add(enough)
    assert states == {True, False}  # the minisite has both


def test_ranks_are_among_those_with_enough_evidence() -> None:
    history = minisite_data.history()
    for year, listed in history.ratings.years.items():
        ranked = history.ratings.ranked(year)
        assert listed[: len(ranked)] == ranked
        assert all(one.rank is None for one in listed[len(ranked) :])
        for one in ranked:
            assert one.rank == 1 + sum(other.rating > one.rating for other in ranked)
        assert {p for p, y in history.answers.rank_probabilities if y == year} == {
            one.player for one in ranked
        }
        first = [history.answers.rank_probabilities[one.player, year].first for one in ranked]
        assert not ranked or sum(first) == pytest.approx(1.0)


def test_a_peak_is_a_year_with_a_rank_where_there_is_one() -> None:
    ratings = minisite_data.history().ratings
    for player, years in ratings.players.items():
        peak, played = ratings.peak(player), [year for year in years if not year.is_gap]
        assert peak is not None
        candidates = [year for year in played if year.rank is not None] or played
        assert peak.rating == max(year.rating for year in candidates)


def test_what_is_too_little_is_said_in_words() -> None:
    assert shortfall(120.2, 4, 1, DEFAULT) == ("4 games", "1 opponent", "standard error above 90")
    assert shortfall(90.0, 10, 3, DEFAULT) == ()
    assert shortfall(90.1, 10, 3, DEFAULT) == ("standard error above 90",)


def test_without_ranked_players_nobody_is_first() -> None:
    events = dataset(event("x", 1850, result("a", "b", 2, 4)))
    settings = Settings(anchor_player="a", anchor_year=1850)
    done = run(games_of(events), settings)
    assert not done.evidence.ranked.any()
    answers = posterior.answer(done, {})
    assert answers.rank_probabilities == {} and answers.superiority == {}
    assert rate(events, settings).peak("a") is not None


@pytest.mark.parametrize(
    ("points", "factor"), [(6.0, np.log(3)), (2.0, -np.log(3)), (0.0, None), (8.0, None)]
)
def test_the_factor_of_equal_leads_has_a_closed_form(points: float, factor: float | None) -> None:
    """None is best where favourites won or lost all; of the second row the other is favourite."""
    score, games, lead = np.array([points, 8 - points]), np.full(2, 8.0), np.array([200.0, -200.0])
    found = whole_events.evidence_bin("all", score, games, lead)
    assert (found.games, found.actual) == (16.0, points / 8)
    assert found.expected == pytest.approx(1 / (1 + 10**-0.5))
    if factor is None:
        assert found.factor is None
    else:
        assert found.factor == pytest.approx(factor / theta_from_elo(200.0), abs=1e-4)


def made_up(off: Floats) -> whole_events.EventScores:
    ones = np.ones(len(off))
    return whole_events.EventScores(off, ones, ones, ones > 0, np.arange(len(off)))


def test_scores_that_say_nothing_of_the_variances_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(NotConverged, match="all scores are exactly as expected"):
        whole_events._variances(made_up(np.zeros(20)))
    monkeypatch.setattr(
        whole_events, "minimize", lambda *_, **__: OptimizeResult(success=False, message="lost")
    )
    with pytest.raises(NotConverged, match="no most likely variance of scores was found: lost"):
        whole_events._variances(made_up(np.ones(20)))


def test_no_bound_hides_a_variance() -> None:
    """Where both say the same only their sum is known: a large one, or the smallest."""
    for size in (30.0, 0.1):
        assert sum(whole_events._variances(made_up(np.full(20, size)))) == pytest.approx(
            size**2, rel=0.1
        )


def test_the_variances_of_made_up_scores_are_found_again() -> None:
    rng = np.random.default_rng(1)
    games, ratings = rng.uniform(0.5, 3.0, 20_000), rng.uniform(0.02, 2.0, 20_000)
    off = rng.normal(0, np.sqrt(0.7 * games + 1.5 * ratings))
    scores = whole_events.EventScores(off, games, ratings, ratings > 1, np.arange(20_000) // 10)
    assert whole_events._variances(scores) == pytest.approx((0.7, 1.5), rel=0.06)


def test_each_event_is_predicted_without_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_events, "RESAMPLES", 5)
    history = minisite_data.history().dataset
    done = run(games_of(history))
    games = done.network.pairings
    scored = scorable(games)
    found = whole_events.whole_events(done, scored, 1)
    by_error = found.groups[0].bins
    # Refitting without each event is the second route to the leads that predict its games.
    total = expected = 0.0
    for number, name in enumerate(games.events):
        try:
            refit = run(games.where(games.event != number))
        except EdoError:  # the anchor of the scale drops out with the event
            continue
        places = zip(refit.network.player_ids(), refit.network.year.tolist(), strict=True)
        known = dict(zip(places, refit.rating, strict=True))
        for p, is_scored in zip(pairings(games), scored, strict=True):
            ends = (p.first.player, p.year), (p.second.player, p.year)
            if p.event == name and is_scored and all(end in known for end in ends):
                lead = abs(known[ends[0]] - known[ends[1]])
                total += p.games
                expected += p.games / (1 + 10 ** (-lead / 400))
    assert sum(one.games for one in by_error) >= total > 0
    ours = sum(one.games * one.expected for one in by_error) / sum(one.games for one in by_error)
    assert ours == pytest.approx(expected / total, abs=0.03)
