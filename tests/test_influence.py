from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import ROOT
from dense import laplacian
from sample_datasets import EVERYBODY_RANKED, covariances, dataset, event, odds_by, result
from sample_games import without_event

from edo.core.model import Total
from edo.core.problems import NotConverged
from edo.core.scale import ELO_PER_NAT
from edo.history import dataset as reading
from edo.history.settings import Settings
from edo.rating.edo import LEAST_SPREAD, population, run
from edo.rating.fit.bradley_terry import gradient, weights
from edo.rating.games import games_of, pairings
from edo.rating.inference import leave_one_out
from edo.rating.inference.answers import Influence
from edo.rating.inference.influence import MAX_EVENTS, MIN_SHIFT, bridges, influences
from edo.rating.inference.joint import condense
from edo.rating.inference.leave_one_out import TOLERANCE, Downdater, leave_out_each, removals
from edo.rating.network import build

ANCHOR = Settings(anchor_player="a", anchor_year=1850, anchor_rating=2000, **EVERYBODY_RANKED)


MEAN = replace(ANCHOR, anchor_player=None, anchor_year=None)


def small_history(gaps=True, settings=ANCHOR):
    """Five connected players, one of whom gives odds, and two connected by only one event."""
    later = 1853 if gaps else 1851
    return run(
        games_of(
            dataset(
                event("one", 1850, result("a", "b", 3, 5), result("b", "c", 2, 4),
                      result("c", "a", 1.5, 3)),
                event("two", 1850, result("a", "c", 2, 3), result("b", "d", 4, 5),
                      result("d", "c", 1, 4)),
                event("odds", 1851, result("a", "e", 2, 6, odds=odds_by("a")),
                      result("a", "d", 3, 4)),
                event("three", later, result("e", "b", 1, 4), result("a", "c", 2.5, 6)),
                event("far", 1851, result("x", "y", 3, 5)),
                event("bridge", 1851, result("d", "x", 3, 5), result("c", "x", 1, 3)),
                event("handicap", 1851, players=("a", "b", "d"), games_per_pair=2,
                      totals=(Total("a", 2), Total("b", 2.5), Total("d", 1.5)),
                      classes={"a": "I", "b": "II", "d": "II"}, class_names=("I", "II"),
                      class_odds={1: odds_by("a").kind}),
            )
        ),
        settings,
    )  # fmt: skip


def test_the_history_has_odds_from_totals():
    assert np.count_nonzero(small_history().network.comparisons.offset) == 2


def dense_information(comparisons, theta, kept):
    i, j, weight = comparisons.i, comparisons.j, weights(comparisons, theta)
    return laplacian(comparisons.n, i, j, weight * kept)


def kept_comparisons(done, removal):
    return np.r_[~removal.gone, np.ones(len(done.network.comparisons.i) - len(removal.gone), bool)]


@pytest.fixture
def first_order(monkeypatch):
    monkeypatch.setattr(leave_one_out, "MIN_CHANGE", np.inf)
    monkeypatch.setattr(leave_one_out, "MAX_MOVE", 1e9)


@pytest.fixture
def converged(monkeypatch):
    monkeypatch.setattr(leave_one_out, "MIN_CHANGE", 0.0)
    monkeypatch.setattr(leave_one_out, "MIN_MOVE", 0.0)
    monkeypatch.setattr(leave_one_out, "TOLERANCE", 1e-7)


def test_the_first_step_agrees_with_a_dense_newton_step(first_order):
    done = small_history()
    network, theta = condense(done), done.fit.theta
    downdater, pairs = Downdater(network), done.network.comparisons
    checked = 0
    for removal in removals(done.network):
        kept = kept_comparisons(done, removal)
        stays = removal.stays.copy()
        # years with results only in the event are tied to the others: they stay for the step
        staying_players = ~removal.dropped
        of_player = np.repeat(staying_players, np.diff(done.network.start))
        stays[: len(of_player)] |= of_player
        info = dense_information(pairs, theta, kept)[np.ix_(stays, stays)]
        columns = ("i", "j", "score", "games", "offset")
        rest = replace(pairs, **{name: getattr(pairs, name)[kept] for name in columns})
        surplus = gradient(rest, theta)
        step = np.linalg.pinv(info) @ surplus[stays]
        whole = np.full(pairs.n, np.nan)
        whole[stays] = step
        deleted = downdater.without(removal).step
        difference = (deleted - whole[network.node])[removal.stays[network.node]]
        assert np.ptp(difference) < 1e-6  # single precision
        checked += removal.dropped.any()
    assert checked >= 1


def test_the_downdated_inverse_agrees_with_the_dense_one(first_order):
    done = small_history()
    network = condense(done)
    downdater = Downdater(network)
    for removal in removals(done.network):
        if removal.dropped.any():
            continue
        kept = kept_comparisons(done, removal)
        dense = np.linalg.pinv(dense_information(done.network.comparisons, done.fit.theta, kept))
        deleted = downdater.without(removal)
        ours = network.information.grounded_solve(np.eye(len(network.node)))
        ours += deleted.columns.T @ deleted.gain @ deleted.columns
        true = dense[np.ix_(network.node, network.node)]
        assert differences(ours) == pytest.approx(differences(true), rel=1e-5, abs=1e-6)


def differences(covariance):
    """The variances of all differences, which do not depend on how theta is centred."""
    own = covariance.diagonal()
    return own[:, None] + own - 2 * covariance


def refitted(done, name):
    """Return the published ratings of a refit without the event, NaN where there are none."""
    refit = run(without_event(done.network.pairings, name), done.settings)
    at = {(p, int(refit.network.year[k])): refit.rating[k] for p, k in player_years(refit)}
    return np.array([at.get((p, int(done.network.year[k])), np.nan) for p, k in player_years(done)])


def player_years(done):
    start = done.network.start
    for p, player in enumerate(done.network.players):
        for k in range(start[p], start[p + 1]):
            yield player, k


@pytest.mark.parametrize(
    "settings",
    [ANCHOR, MEAN, replace(MEAN, anchor_first=3), replace(MEAN, anchor_first=2, anchor_year=1850)],
    ids=("one rating", "mean of all", "first of every year", "first of a year"),
)
def test_converged_steps_agree_with_a_refit(converged, settings):
    done = small_history(gaps=False, settings=settings)
    assert not np.any(done.network.games == 0)
    for one in leave_out_each(done, condense(done)):
        true = refitted(done, one.removal.event)
        assert one.removal.rated.tolist() == (~np.isnan(true)).tolist()
        assert one.rating[one.removal.rated] == pytest.approx(true[one.removal.rated], abs=1e-3), (
            one.removal.event
        )


@pytest.mark.parametrize(("lost", "score"), [(200, 3), (19, 1)])
def test_nonlinear_links_are_corrected(lost, score):
    # the long match determines the difference of a and b; without it only the small one is left,
    # and in the second case its estimate is so far away that a full Newton step would overshoot
    done = run(
        games_of(dataset(event("long", 1850, result("a", "b", 400 - lost, 400)),
                             event("small", 1850, result("a", "b", score, 4)))),
        ANCHOR,
    )  # fmt: skip
    (long, _) = removals(done.network)
    before = np.subtract(*done.fit.theta)
    assert before == pytest.approx(np.log((400 - lost + score) / (lost + 4 - score)))
    after = before + np.subtract(*Downdater(condense(done)).without(long).step)
    assert after == pytest.approx(np.log(score / (4 - score)), abs=TOLERANCE / 2)


def test_steps_that_do_not_end_raise(monkeypatch):
    monkeypatch.setattr(leave_one_out, "MAX_STEPS", 1)
    done = small_history()
    with pytest.raises(NotConverged, match=r"the ratings without .* after 1 steps"):
        list(leave_out_each(done, condense(done)))


def test_the_spread_of_a_population_is_that_without_the_errors():
    rng = np.random.default_rng(1)
    noise = rng.uniform(50, 200, 20_000)
    raw = 1600 + rng.normal(0, 150, len(noise)) + rng.normal(0, noise)
    assert population(raw, noise**2) == pytest.approx((1600, 150), abs=5)
    assert population(np.array([1500.0, 1500.0]), np.full(2, 100.0)) == (1500, LEAST_SPREAD)


def test_a_dropped_player_moves_as_a_whole():
    done = run(
        games_of(dataset(event("x", 1850, result("a", "b", 3, 5), result("c", "a", 4, 6)),
                             event("y", 1850, result("b", "c", 3, 5)),
                             event("only", 1851, result("a", "d", 2, 6)),
                             event("lost", 1854, result("d", "b", 3, 3)))),
        ANCHOR,
    )  # fmt: skip
    network = condense(done)
    (only,) = (one for one in removals(done.network) if one.event == "only")
    step = Downdater(network).without(only).step
    (of_d,) = np.nonzero(network.player == 3)
    assert only.dropped.tolist() == [False] * 3 + [True]
    assert len(of_d) == 2 and step[of_d[0]] == pytest.approx(step[of_d[1]], abs=1e-6)


def test_ratings_in_and_next_to_gaps_agree_with_a_refit(converged):
    done = small_history()
    assert np.any(done.network.games == 0)
    for one in leave_out_each(done, condense(done)):
        true, rated = refitted(done, one.removal.event), one.removal.rated
        # gap years that drop out with an event change the covariances with the mean a little
        assert one.rating[rated] == pytest.approx(true[rated], abs=0.1)
        if one.removal.event == "one":  # of which all gaps stay
            assert one.rating[rated] == pytest.approx(true[rated], abs=1e-4)


def test_a_removal_leaves_the_network_of_the_other_events():
    done = run(
        games_of(
            dataset(
                event("first", 1850, result("a", "b", 3, 5), result("b", "c", 2, 4)),
                event("odds", 1853, result("a", "c", 2, 6, odds=odds_by("a")),
                      result("c", "d", 2, 5)),
                event("last", 1859, result("a", "d", 1, 3), result("b", "d", 2, 3)),
                event("lost", 1860, result("b", "e", 0, 3)),
                event("won", 1861, result("e", "b", 0, 1), result("f", "b", 1, 1)),
                event("back", 1862, result("b", "f", 2, 2)),
            )
        ),
        ANCHOR,
    )  # fmt: skip
    net, keys = done.network, [(p, int(done.network.year[k])) for p, k in player_years(done)]
    for removal in removals(net):
        rest = build(without_event(net.pairings, removal.event), ANCHOR)
        still = dict(zip(years_in(rest), rest.games > 0, strict=True))
        assert [k for k, rated in zip(keys, removal.rated, strict=True) if rated] == [*still]
        assert [still.get(k, False) for k in keys] == removal.has_results.tolist()
        assert [p in rest.players for p in net.players] == (~removal.dropped).tolist()
        assert removal.stays.sum() == rest.comparisons.n  # ghosts too
        stay = pairings(rest.pairings)
        there = [p in stay for p in pairings(net.pairings)]
        assert there == (~removal.gone).tolist()
    dropped = {r.event: np.array(net.players)[r.dropped].tolist() for r in removals(net)}
    # e won all of "lost" and lost all of "won"; f won all of "won" and lost all of "back"
    assert dropped["lost"] == ["e"] and dropped["won"] == ["e", "f"] and dropped["back"] == ["f"]
    assert dropped["first"] == dropped["odds"] == []


def years_in(network):
    players = np.repeat(np.array(network.players), np.diff(network.start)).tolist()
    return list(zip(players, network.year.tolist(), strict=True))


@pytest.mark.usefixtures("converged")
def test_predicted_strengths_agree_with_an_adjusted_dense_refit():
    done = small_history(gaps=False)
    checked = 0
    for one in leave_out_each(done, condense(done)):
        if one.removal.dropped.any():
            continue
        rest = run(without_event(done.network.pairings, one.removal.event), ANCHOR)
        at = {key: k for k, key in enumerate(years_in(rest.network))}
        keys = years_in(done.network)
        if any(keys[k] not in at for k in one.nodes):
            continue
        nodes = [at[keys[k]] for k in one.nodes]
        mean, spread = population(rest.raw, np.square(rest.raw_deviation))
        raw = rest.raw[nodes]
        whole = 0.5 * ELO_PER_NAT**2 * covariances(rest.fit, nodes)[nodes]
        kept = 1 / (1 + whole.diagonal() / spread**2)
        assert one.mean == pytest.approx(mean + kept * (raw - mean))
        tempered = whole * np.sqrt(kept * kept[:, None])
        np.testing.assert_allclose(one.covariance, tempered, rtol=1e-5, atol=1e-3)
        checked += 1
    assert checked >= 1


def test_influences_are_close_to_refits():
    done = small_history()
    found = influences(done, leave_out_each(done, condense(done)))
    assert {player for player, _ in found} == set(done.network.players)
    for (player, _), rows in found.items():
        for row in rows:
            true = refitted(done, row.event)[done.node(player, row.year)]
            if row.shift is None:
                assert np.isnan(true)
            else:
                assert abs(row.own) >= MIN_SHIFT
                change = true - done.rating[done.node(player, row.year)]
                assert row.shift == pytest.approx(change, abs=1 + 0.1 * abs(change))


def shifted(event, shifts, years):
    """A pass with one player-year for each player, and given shifts without an event."""
    network = SimpleNamespace(players=["a", "b", "c"], start=np.arange(4), year=np.array(years))
    done = SimpleNamespace(network=network, rating=np.array([2000.0, 1900.0, 1800.0]))
    away = np.array([np.nan if s is None else s for s in shifts])
    removal = SimpleNamespace(event=event, rated=~np.isnan(away))
    return done, SimpleNamespace(removal=removal, rating=done.rating + np.nan_to_num(away))


def test_only_shifts_beyond_the_median_shift_are_listed():
    # the median shift is 1; the shift of a beyond it is exactly the least listed, that of c is 3
    done, one = shifted("x", [0.0, 1.0, 4.0], [1850] * 3)
    assert influences(done, [one]) == {
        ("a", 1850): (Influence("a", 1850, "x", 0.0, 1.0),),
        ("c", 1850): (Influence("c", 1850, "x", 4.0, 1.0),),
    }
    # a player who loses his rating does not count in the median, which is 2
    done, one = shifted("x", [None, 1.5, 2.5], [1850] * 3)
    assert influences(done, [one]) == {("a", 1850): (Influence("a", 1850, "x", None, 2.0),)}


def test_the_ten_events_with_the_largest_shifts_of_a_year_are_listed():
    made = [shifted(f"e{k:02}", [0.0, 0.0, k + 1.0], [1850] * 3) for k in range(12)]
    found = influences(made[0][0], [one for _, one in made])["c", 1850]
    assert [row.event for row in found] == [f"e{k:02}" for k in range(11, 1, -1)]
    assert len(found) == MAX_EVENTS == 10


def test_influences_have_lost_ratings_first():
    done = small_history()
    by_year = influences(done, leave_out_each(done, condense(done)))
    rows = by_year["x", 1851]
    assert {year for player, year in by_year if player == "x"} == {1851}
    assert {row.event for row in rows if row.shift is None} == {"bridge"}
    assert rows[0].shift is None
    sizes = [abs(row.own) for row in rows if row.own is not None]
    assert sizes == sorted(sizes, reverse=True)
    last = by_year["e", 1853]
    assert last[0].event == "three" and last[0].shift is None


def test_an_event_that_alone_connects_a_group_is_a_bridge():
    done = small_history()
    found = bridges(done, leave_out_each(done, condense(done)))
    assert found[0].event == "bridge" and found[0].players == ("x", "y")
    # y plays in one event only; no other event connects more players
    assert ("far", ("y",)) in [(b.event, b.players) for b in found]
    sizes = [len(b.players) for b in found]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.usefixtures("converged")
def test_the_scale_keeps_the_mean_if_its_anchor_drops():
    done = run(
        games_of(
            dataset(event("x", 1850, result("b", "c", 3, 5)),
                    event("y", 1850, result("a", "b", 2, 5), result("a", "c", 2, 5)))
        ),
        ANCHOR,
    )  # fmt: skip
    found = influences(done, leave_out_each(done, condense(done)))
    assert next((row.event, row.shift) for row in found["a", 1850]) == ("y", None)
    by_event = {row.event: row.shift for row in found["b", 1850]}
    other = {row.event: row.shift for row in found["c", 1850]}
    # b and c keep the mean of their raw ratings; 3 of 5 is their difference; each has half of its
    # deviation
    middle = (done.raw[done.node("b", 1850)] + done.raw[done.node("c", 1850)]) / 2
    doubt = np.sqrt(0.5 / (5 * 0.6 * 0.4)) * ELO_PER_NAT / 2
    kept = 1 / (1 + doubt**2 / ANCHOR.background_deviation**2)
    for player, shift, away in (("b", by_event["y"], 0.5), ("c", other["y"], -0.5)):
        raw = middle + away * ELO_PER_NAT * np.log(3 / 2)
        rating = ANCHOR.background_mean + kept * (raw - ANCHOR.background_mean)
        assert shift == pytest.approx(rating - done.rating[done.node(player, 1850)], abs=1e-4)


@pytest.mark.usefixtures("converged")
def test_the_mean_is_over_years_with_results_if_the_anchor_drops():
    settings = replace(ANCHOR, background_deviation=1e9)  # ratings are raw ones
    done = run(
        games_of(
            dataset(event("x", 1850, result("b", "c", 3, 5)),
                    event("y", 1850, result("a", "b", 2, 5), result("a", "c", 2, 5)),
                    event("z", 1854, result("b", "c", 5, 8)))
        ),
        settings,
    )  # fmt: skip
    one = next(o for o in leave_out_each(done, condense(done)) if o.removal.event == "y")
    played = one.removal.has_results
    assert one.removal.rated.tolist() == [False] + [True] * 10 and played.sum() == 4
    assert (one.rating - done.rating)[played].mean() == pytest.approx(0, abs=1e-3)


def test_without_the_only_event_nobody_is_rated():
    done = run(games_of(dataset(event("x", 1850, result("a", "b", 3, 5)))), ANCHOR)
    without = tuple(leave_out_each(done, condense(done)))
    found = influences(done, without)
    assert [(row.event, row.shift) for row in found["a", 1850]] == [("x", None)]
    assert [(row.event, row.shift) for row in found["b", 1850]] == [("x", None)]
    assert bridges(done, without)[0].players == ("a", "b")


@pytest.fixture(scope="module")
def history():
    return run(games_of(reading.load(Path(ROOT / "events"))))


@pytest.fixture(scope="module")
def without(history):
    return tuple(leave_out_each(history, condense(history)))


HARD = ("varsity-match-1898-oxford-cambridge", "cable-match-1909", "london-1883", "dutch-ch-1926",
        "new-zealand-championship-1913-14-auckland")  # fmt: skip
"""Events without which many ratings move far: four in which the steps once went to and fro."""


@pytest.mark.slow
def test_the_real_history_agrees_with_refits(history, without):
    for one in (one for one in without if one.removal.event in HARD):
        true, rated = refitted(history, one.removal.event), one.removal.rated
        assert rated.tolist() == (~np.isnan(true)).tolist()
        assert np.abs(one.rating - true)[rated].max() < 1.0, one.removal.event
        assert np.median(np.abs(one.rating - true)[rated]) < 0.05


@pytest.mark.slow
def test_the_real_history_lists_at_most_ten_events_a_year(history, without):
    found = influences(history, without)
    assert 1 <= min(map(len, found.values())) <= max(map(len, found.values())) == MAX_EVENTS
