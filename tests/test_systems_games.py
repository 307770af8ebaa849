"""The real history as arrays in time order: nothing is lost and nothing counted twice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from conftest import ROOT
from sample_datasets import event

from edo.commands import folder
from edo.core.model import Dataset, Player, Total
from edo.history.unknown_games import is_totals_only
from edo.rating.coverage import compares_all
from edo.rating.games import Games, games_of, pairings
from edo.systems.player_years import player_years_of


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return folder.read(ROOT / "tests" / "minisite" / "events")[0]


@pytest.fixture(scope="module")
def games(dataset: Dataset) -> Games:
    return games_of(dataset)


def test_pairings_sum_the_points_and_games_of_the_rows(games: Games) -> None:
    seen = pairings(games)
    assert games.count.sum() == pytest.approx(sum(p.games for p in seen))
    for player, name in enumerate(games.players):
        points = sum(p.score for p in seen if p.first.player == name)
        points += sum(p.games - p.score for p in seen if p.second.player == name)
        assert games.points()[player] == pytest.approx(points)


def test_time_goes_forward_and_nobody_meets_himself(games: Games) -> None:
    assert np.all(np.diff(games.month) >= 0) or np.all(np.diff(games.year) >= 0)
    assert np.all(games.first != games.second)
    assert set(np.unique(games.colour)) <= {-1.0, 0.0, 1.0}
    assert np.all(games.draws >= 0)
    stops = [part.stop for part in games.by_event()]
    assert stops[-1] == len(games.first)
    assert sum(part.stop - part.start for part in games.by_year()) == len(games.first)


def test_events_of_a_turn_share_no_player_and_follow_all_earlier_ones(games: Games) -> None:
    event = games.event * 10_000 + games.year
    turns, seen = list(games.turns()), dict[int, int]()
    assert sorted(np.concatenate(turns).tolist()) == list(range(len(games.first)))
    assert len(turns) <= len(np.unique(event))
    for rows in turns:
        for one in np.unique(event[rows]):
            own = np.flatnonzero(event == one)
            assert np.isin(own, rows).all()
            for player in np.unique([games.first[own], games.second[own]]).tolist():
                others = np.setdiff1d(rows, own)
                assert player not in np.r_[games.first[others], games.second[others]]
                assert seen.get(player, -1) < own[0]
                seen[player] = int(own[-1])


def test_rows_of_one_pairing_share_players_and_event(games: Games) -> None:
    for pairing in np.unique(games.pairing):
        rows = games.where(games.pairing == pairing)
        both = {frozenset(pair) for pair in zip(rows.first, rows.second, strict=True)}
        assert len(both) == len(set(rows.event)) == len(set(rows.year)) == 1


def test_careers_cover_gaps_and_nothing_else(games: Games) -> None:
    careers = player_years_of(games)
    for player in range(len(games.players)):
        own = slice(careers.start[player], careers.start[player + 1])
        played = games.year[(games.first == player) | (games.second == player)]
        assert careers.year[own].tolist() == list(range(played.min(), played.max() + 1))
    player = careers.player[:1]
    first = careers.year[:1]
    assert careers.nodes(player, first) == [0]
    assert careers.nodes(player, first - 1) == [-1]
    assert careers.latest(player, first - 1) == [-1]
    assert careers.latest(player, first + 500) == [careers.start[player[0] + 1] - 1]
    assert careers.nodes(player, first + 500) == [-1]


def test_a_player_without_games_has_no_years(games: Games) -> None:
    nobody = games.first[0]
    others = games.where((games.first != nobody) & (games.second != nobody))
    careers = player_years_of(others)
    assert careers.start[nobody] == careers.start[nobody + 1]
    assert careers.latest(np.array([nobody]), np.array([1900])) == [-1]


CLASSES = {"byrd-lucy": "I", "finch-ada": "I", "castle-hugo": "II", "dunn-george": "II"}
POINTS = {"byrd-lucy": 1.5, "finch-ada": 1.5, "castle-hugo": 2.75, "dunn-george": 0.25}
HANDICAP = event("handicap", 1881, players=tuple(CLASSES), games_per_pair=1, classes=CLASSES,
                 class_names=("I", "II"),
                 class_odds={1: "pawn-and-two-moves"},
                 totals=tuple(Total(*row) for row in POINTS.items()))  # fmt: skip


@pytest.mark.parametrize(
    "folder_", [pytest.param("events", marks=pytest.mark.slow), "tests/minisite/events"]
)
def test_no_row_has_less_than_nothing_and_every_event_its_totals(folder_: str) -> None:
    """All systems read these rows: none may rate games that nobody played."""
    dataset, _ = folder.read(ROOT / folder_)
    players = {id_: Player(id_, id_) for id_ in CLASSES} | dict(dataset.players)
    events = {**dataset.events, "handicap": HANDICAP}
    games = games_of(replace(dataset, players=players, events=events))
    assert min(column.min() for column in (games.wins, games.draws, games.losses)) >= 0
    for one in (*dataset.events.values(), HANDICAP):
        if not is_totals_only(one) or one.unrated or not compares_all(one, dataset.odds):
            continue
        rows = games.where(games.event == games.events.index(one.id))
        made = dict(zip(games.players, rows.points().tolist(), strict=True))
        want = {total.player: total.points for total in one.totals}
        assert {player: made[player] for player in want} == pytest.approx(want, abs=1e-9)


def test_games_at_odds_leave_the_others_of_a_table_as_they_are(dataset: Dataset) -> None:
    games = games_of(replace(dataset, events={"handicap": HANDICAP}))
    assert games.deduced.all() and games.count.sum() == 6
    assert games.without_odds().count.tolist() == [1.0, 1.0]
