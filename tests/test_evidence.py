"""The minimum of evidence for a rank, and the tests on whole events left out."""

from __future__ import annotations

import minisite_data
import numpy as np
import pytest
from sample_datasets import dataset, event, result
from scipy.optimize import OptimizeResult

from edo.core.model import Dataset
from edo.core.problems import EdoError, NotConverged
from edo.core.scale import Floats, theta_from_elo
from edo.history.settings import DEFAULT, Settings
from edo.rating.edo import rate, run
from edo.rating.evidence import carried
from edo.rating.games import games_of, pairings
from edo.rating.inference import posterior
from edo.systems.evaluation import whole_events
from edo.systems.evaluation.tuning import scorable


def careers(
    *games: tuple[str, int, float], settings: Settings = DEFAULT, **more: object
) -> dict[str, list[int]]:
    """Return the years with a rank of players who drew games with `m`, each (id, year, games)."""
    met = [*games, ("n", 1900, 30.0), ("n", 1901, 30.0)]  # who keeps `m` company in the ranking
    events = [event(f"e{k}", y, result(p, "m", n / 2, n)) for k, (p, y, n) in enumerate(met)]
    return ranked_years(dataset(*events), settings)


def ranked_years(events: Dataset, settings: Settings = DEFAULT) -> dict[str, list[int]]:
    ratings = rate(events, settings)
    return {
        player: [row.year for row in rows if row.rank is not None]
        for player, rows in ratings.players.items()
    }


def test_games_are_carried_as_variances_add_up() -> None:
    """Without other results each variance is that of the games and of the steps, by 4 / games."""
    games = np.array([10.0, 0.0, 0.0, 6.0, 5.0])
    worth = carried(games, np.array([0, 4, 5]), 30.0)
    assert worth[:2] == pytest.approx([10 + 1 / (1 / 6 + 3 / 30), 7.5 + 1 / (1 / 6 + 2 / 30)])
    assert worth[3:] == pytest.approx([6 + 1 / (1 / 10 + 3 / 30), 5.0])  # another player's year


def test_what_results_are_worth_is_the_information_of_a_fit_with_known_opponents() -> None:
    games, tie = np.array([3.0, 0.0, 8.0, 1.0]), 30.0
    information = np.diag(games) + tie * (
        np.diag([1.0, 2, 2, 1]) - np.eye(4, k=1) - np.eye(4, k=-1)
    )
    expected = 1 / np.linalg.inv(information).diagonal()
    assert carried(games, np.array([0, 4]), tie) == pytest.approx(expected)


def test_a_career_is_ranked_from_its_first_to_its_last_year_with_enough() -> None:
    found = careers(("a", 1900, 8.0), ("a", 1901, 1.0), ("b", 1900, 7.0), ("b", 1901, 0.5),
                    ("c", 1900, 9.0))  # fmt: skip
    assert found["a"] == [1900]  # 8 games are worth 6.3 in the next year, which has one more
    assert found["b"] == []
    assert found["c"] == []  # one event


def test_no_year_between_two_is_left_out_but_a_long_break_ends_a_career() -> None:
    short = careers(("a", 1900, 9.0), ("a", 1910, 9.0))
    long = careers(("a", 1900, 9.0), ("a", 1911, 9.0))
    assert short["a"] == list(range(1900, 1911))
    assert long["a"] == [1900, 1911]


def test_soft_results_are_no_evidence() -> None:
    def history(**soft: str) -> Dataset:
        return dataset(
            event("x", 1900, result("a", "m", 5, 10, **soft), result("b", "m", 5, 10)),
            event("y", 1900, result("a", "b", 5, 10, **soft), result("b", "m", 5, 10)),
        )

    assert ranked_years(history())["a"] == [1900]
    assert ranked_years(history(soft="by a letter"))["a"] == []


def test_nobody_is_ranked_alone() -> None:
    events = dataset(
        event("x", 1900, result("a", "b", 3, 6)), event("y", 1900, result("a", "c", 3, 6))
    )
    assert not any(ranked_years(events).values())
    assert rate(events).of("a", 1900).shortfall == "no second player with a rank"  # type: ignore[union-attr]


def test_what_is_too_little_is_said_in_words() -> None:
    ratings = minisite_data.history().ratings
    for row in (row for rows in ratings.players.values() for row in rows):
        assert (row.rank is None) == (row.shortfall != "")
    words = dataset(
        event("x", 1900, result("a", "m", 5, 10), result("b", "m", 5, 10), result("c", "m", 2, 4)),
        event("y", 1900, result("a", "b", 5, 10), result("c", "m", 1, 3)),
        event("z", 1912, result("a", "b", 5, 10), result("d", "m", 5, 10)),
    )
    shown = {
        (row.player, row.year): row.shortfall
        for rows in rate(words).players.values()
        for row in rows
    }
    assert shown["a", 1900] == "" and shown["c", 1900] == "results worth 7 games"
    assert shown["a", 1905] == "a break of more than 10 years"
    assert shown["d", 1912] == "1 event"


def test_ranks_are_among_those_with_enough_evidence() -> None:
    history = minisite_data.history()
    for year, listed in history.ratings.years.items():
        ranked = history.ratings.ranked(year)
        assert listed[: len(ranked)] == ranked
        assert all(one.rank is None for one in listed[len(ranked) :])
        for one in ranked:
            assert one.rank == 1 + sum(other.rating > one.rating for other in ranked)
        known = {p for p, y in history.answers.rank_probabilities if y == year}
        if len(ranked) < posterior.FEWEST:
            assert not known
            continue
        assert known == {one.player for one in ranked}
        first = [history.answers.rank_probabilities[one.player, year].first for one in ranked]
        assert sum(first) == pytest.approx(1.0)


def test_a_peak_is_a_year_with_a_rank_where_there_is_one() -> None:
    ratings = minisite_data.history().ratings
    for player, years in ratings.players.items():
        peak, played = ratings.peak(player), [year for year in years if not year.is_gap]
        assert peak is not None
        candidates = [year for year in played if year.rank is not None] or played
        assert peak.rating == max(year.rating for year in candidates)


def test_without_ranked_players_nobody_is_first() -> None:
    events = dataset(event("x", 1850, result("a", "b", 2, 4)))
    settings = Settings(anchor_player="a", anchor_year=1850)
    done = run(games_of(events), settings)
    assert not done.evidence.ranked.any()
    answers = posterior.answer(done)
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
        "scipy.optimize.minimize", lambda *_, **__: OptimizeResult(success=False, message="lost")
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
