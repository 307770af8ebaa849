"""Events of the invented history foretold, in Python and by `python -m edo predict`."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import MINISITE, ROOT
from numpy.testing import assert_allclose

from edo.commands import cli
from edo.core.problems import EdoError
from edo.history.dataset import load
from edo.systems.bayeselo import Parameters, rate_part
from edo.systems.forecast import Task, Tournament, after, forecast_event
from edo.systems.games import Games, games_of


@pytest.fixture(scope="module")
def games() -> Games:
    return games_of(load(MINISITE / "events"))


def single_games(games: Games) -> list[str]:
    """Return the events all of whose games are known and even, the largest first."""
    sizes = {}
    for k, event in enumerate(games.events):
        rows = games.where(games.event == k)
        if np.all(rows.played) and not np.any(rows.odds) and np.all(rows.count % 1 == 0):
            sizes[event] = len(rows.first)
    return sorted(sizes, key=lambda event: -sizes[event])


def test_points_are_those_there_are_and_ratings_know_nothing_of_them(games: Games) -> None:
    event = single_games(games)[0]
    inside = games.event == games.events.index(event)
    found = forecast_event(games, Task(event, runs=2000))
    total = games.where(inside).count.sum()
    assert found.forecast.expected.sum() == pytest.approx(total)
    assert found.scored.sum() == pytest.approx(total)
    others, who, level = rate_part(games.where(~inside), Parameters())
    for player, rating, known in zip(found.players, found.rating, found.known, strict=True):
        number = games.players.index(player)
        assert known == (number in who)
        if known:
            assert rating == pytest.approx(level + others.rating[list(who).index(number)])
        else:
            assert rating == pytest.approx(level)


def test_games_so_far_and_points_carried(games: Games) -> None:
    event, other = single_games(games)[:2]
    bare = forecast_event(games, Task(event, runs=2000))
    rows = games.where(games.event == games.events.index(event))
    first, second = (games.players[side[0]] for side in (rows.first, rows.second))
    begun = forecast_event(games, Task(event, played=[(first, second, 0.5)], runs=2000))
    points = dict(zip(begun.players, begun.forecast.points, strict=True))
    assert points[first] == points[second] == 0.5
    assert sum(points.values()) == 1.0
    assert begun.forecast.expected.sum() == pytest.approx(bare.forecast.expected.sum())
    carried = forecast_event(games, Task(event, carried=other, runs=2000))
    before = games.where(games.event == games.events.index(other))
    for player, brought in zip(carried.players, carried.forecast.points, strict=True):
        number = games.players.index(player)
        mine = before.score[before.first == number].sum()
        mine += (before.count - before.score)[before.second == number].sum()
        assert brought == pytest.approx(mine)
    assert_allclose(carried.scored - carried.forecast.points, bare.scored)


def test_earlier_ratings_do_not_know_what_came_later(games: Games) -> None:
    event = max(
        single_games(games), key=lambda e: games.year[games.event == games.events.index(e)][0]
    )
    year = games.year[games.event == games.events.index(event)][0]
    found = forecast_event(games, Task(event, earlier=True, runs=100))
    fit, who, level = rate_part(games.where(games.year < year), Parameters())
    ratings = dict(zip(who, level + fit.rating, strict=True))
    expected = [ratings.get(games.players.index(p), level) for p in found.players]
    assert_allclose(found.rating, expected)


def test_a_game_is_played_by_who_had_white() -> None:
    tournament = Tournament(
        np.array([0, 1, 0]), np.array([1, 0, 2]), np.array([1.0, 1.0, 0.0]), np.zeros(3)
    )
    left = after(tournament, 1, 0, 1.0)
    assert (left.first.tolist(), left.second.tolist()) == ([0, 0], [1, 2])
    assert left.points.tolist() == [0.0, 1.0, 0.0]
    with pytest.raises(ValueError, match="no more games"):
        after(left, 1, 2, 0.5)


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (Task("nowhere-1900"), "no rated games of an event `nowhere-1900`"),
        (
            Task("castle-byrd-1881"),
            "castle-byrd-1881 cannot be predicted: games of castle-hugo and byrd-lucy were at odds",
        ),
        (
            Task("castle-dunn-1886"),
            "castle-dunn-1886 cannot be predicted: games of castle-hugo and dunn-george are not "
            "known one by one, or not for certain",
        ),
        (
            Task("springfield-1880", earlier=True),
            "springfield-1880 cannot be predicted: there are no other results; add some",
        ),
    ],
)
def test_refusals(games: Games, task: Task, message: str) -> None:
    with pytest.raises(EdoError, match=message):
        forecast_event(games, task)


def test_a_game_that_is_not_to_be_played(games: Games) -> None:
    event = single_games(games)[0]
    with pytest.raises(EdoError, match="not both of them play"):
        forecast_event(games, Task(event, played=[("nobody", "nemo", 1.0)]))
    rows = games.where(games.event == games.events.index(event))
    pair = [games.players[side[0]] for side in (rows.first, rows.second)]
    with pytest.raises(EdoError, match="no more games to play"):
        forecast_event(games, Task(event, played=[(*pair, 1.0)] * 9))


def test_verb(games: Games, capsys: pytest.CaptureFixture[str]) -> None:
    event = single_games(games)[0]
    given = ["predict", event, "--events", str(MINISITE / "events"), "--runs", "1000"]
    assert cli.main(given) == cli.OK
    shown = capsys.readouterr().out
    lines = shown.splitlines()
    assert lines[0].split()[:2] == ["player", "rating"]
    assert any(line.startswith("1,000 simulations") for line in lines)
    found = forecast_event(games, Task(event, runs=1000))
    best = found.players[found.forecast.expected.argmax()]
    assert lines[1].startswith(best)
    assert f"{found.forecast.expected.max():.2f}" in lines[1]
    assert cli.main([given[0], f"events/{event}.yaml", *given[2:], "--seed", "0"]) == cli.OK
    assert capsys.readouterr().out == shown
    assert cli.main(["predict", "nowhere", "--events", str(MINISITE / "events")]) == cli.FAILED
    for wrong in (["--runs", "0"], ["--played", "a:b:2"]):
        with pytest.raises(SystemExit):
            cli.main([*given, *wrong])
        assert wrong[1] in capsys.readouterr().err


def test_an_event_that_lacks_games_says_so(
    games: Games, capsys: pytest.CaptureFixture[str]
) -> None:
    events = load(MINISITE / "events").events
    lacking = {events[event].completeness != "complete": event for event in single_games(games)}
    for is_lacking, event in lacking.items():
        given = ["predict", event, "--events", str(MINISITE / "events"), "--runs", "100"]
        assert cli.main(given) == cli.OK
        last = capsys.readouterr().out.splitlines()[-1]
        assert last.startswith("Only the known games are simulated") == is_lacking
        if is_lacking:
            assert last.endswith(events[event].missing or "is not known.")
    assert set(lacking) == {True, False}


@pytest.mark.slow
def test_the_table_on_the_page_of_bayeselo(real_games: Games) -> None:
    """The page may lag behind small corrections of the history, not behind what it tells."""
    text = (ROOT / "content" / "examples.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if "% |" in line]
    before = "st-petersburg-1914-preliminary"
    found = forecast_event(
        real_games, Task("st-petersburg-1914-final", earlier=True, carried=before)
    )
    assert len(rows) == len(found.players)
    for row in rows:
        name, expected, first, scored = row
        k = [player.startswith(name.lower()) for player in found.players].index(True)
        mean, deviation = (float(x) for x in expected.split(" ± "))
        assert found.forecast.expected[k] == pytest.approx(mean, abs=0.2)
        assert found.forecast.deviation[k] == pytest.approx(deviation, abs=0.1)
        assert 100 * found.forecast.rank_probability[k, 0] == pytest.approx(
            float(first.removesuffix("%")), abs=3
        )
        assert found.scored[k] == float(scored.replace("½", ".5"))
