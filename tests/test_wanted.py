"""Standard errors with games added, in closed form and by a refit; what `wanted` lists."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from conftest import MINISITE
from dense import laplacian
from sample_datasets import EVERYBODY_RANKED, dataset, event, odds_by, result

from edo.commands import cli
from edo.core.model import Dataset, Event, Round, Total
from edo.core.scale import ELO_PER_NAT, elo_from_theta
from edo.history.dataset import load
from edo.history.settings import Settings
from edo.rating.edo import FittedNetwork, adjust, run
from edo.rating.fit.bradley_terry import weights
from edo.rating.games import Games, games_of
from edo.rating.inference.added_games import AddedGames, StandardErrors, information
from edo.rating.wanted import FEW, GAMES, event_games, missing_games, wanted

ANCHOR = Settings(anchor_player="a", anchor_year=1850, anchor_rating=2000, **EVERYBODY_RANKED)
PART = {"completeness": "incomplete", "missing": "Most games."}

TABLE = event("table", 1852, result("a", "b", 1, 2), result("b", "c", 1, 1), **PART)
TABLE = replace(TABLE, players=tuple("abcde"), games_per_pair=2.0, totals=(Total("b", 2.0, 3.0),))
HISTORY = dataset(
    event("one", 1850, result("a", "b", 3, 5), result("b", "c", 2, 4), result("c", "a", 1.5, 3)),
    event("two", 1851, result("a", "d", 2, 3), result("d", "c", 1, 4), result("b", "d", 2, 5)),
    TABLE,
    event("odds", 1853, result("a", "e", 2, 6, odds=odds_by("a")), result("a", "e", 3, 4)),
    event("late", 1857, result("d", "b", 2, 4), result("a", "c", 2.5, 6), result("e", "d", 1, 3)),
    event("lost", 1852, result("a", "x", 2, 2)),
)


@pytest.fixture(scope="module")
def fitted() -> FittedNetwork:
    return run(games_of(HISTORY), ANCHOR)


def added(network: FittedNetwork, *games: tuple[int, int, float]) -> AddedGames:
    i, j, number = (np.array(column) for column in zip(*games, strict=True))
    theta = network.fit.theta
    return AddedGames(i, j, information(number.astype(float), theta[i] - theta[j]))


def adjusted(variance: np.ndarray, settings: Settings) -> np.ndarray:
    """Return adjusted standard errors [Elo] from variances [nat^2]."""
    raw = elo_from_theta(np.sqrt(settings.variance_factor * variance))
    return adjust(np.zeros_like(raw), raw, settings)[1]


def test_closed_form_of_two_players() -> None:
    """Two equal players: the variance of each centred theta is 1 / games, so 4 games add up."""
    two = run(games_of(dataset(event("e", 1850, result("a", "b", 6, 12)))), ANCHOR)
    errors = StandardErrors(two)
    falls = errors.falls(added(two, (0, 1, 4)))
    before, after = (
        1 / np.sqrt(games / (0.5 * ELO_PER_NAT**2) + 1 / 300**2) for games in (12, 12 + 4)
    )
    assert two.deviation == pytest.approx([before, before])
    assert falls == pytest.approx([before - after] * 2)
    direction = np.array([[1.0], [-1.0]])
    assert errors.falls_each(direction, np.array([1.0]))[:, 0] == pytest.approx(falls)


def test_a_new_player_between_two_is_a_chain() -> None:
    """Games of weight u and v through an unrated third are one link of u v / (u + v)."""
    two = run(games_of(dataset(event("e", 1850, result("a", "b", 6, 12)))), ANCHOR)
    errors = StandardErrors(two)
    chain = AddedGames(np.array([0, 1]), np.array([2, 2]), np.array([3.0, 6.0]))
    link = AddedGames(np.array([0]), np.array([1]), np.array([2.0]))
    assert errors.falls(chain) == pytest.approx(errors.falls(link))
    each = errors.falls_each(np.array([[1.0], [-1.0]]), np.array([2.0]))
    assert each[:, 0] == pytest.approx(errors.falls(link))
    assert errors.falls(AddedGames(np.array([2]), np.array([3]), np.array([5.0]))).max() == 0
    dead_end = AddedGames(np.array([0]), np.array([2]), np.array([5.0]))
    assert errors.falls(dead_end) == pytest.approx([0, 0], abs=1e-9)


def test_missing_games_of_the_unrated_and_of_years_outside_careers(
    fitted: FittedNetwork,
) -> None:
    """The whole matrix, with the new nodes, is inverted densely.

    In 1852 a, b, c and d are rated; e is tied to 1853, one year later; x, who lost his only games,
    has no rating, and the games that he lost count, too.
    """
    lost = replace(TABLE, results=(*TABLE.results, result("a", "x", 2, 2)))
    table = replace(lost, players=("a", "b", "c", "d", "e", "x"), not_played=frozenset())
    missing = missing_games(table)
    unknown = set(combinations("abcdex", 2)) - {("a", "b"), ("a", "x")}
    assert missing == {**dict.fromkeys(unknown, 2.0), ("b", "c"): 1.0}
    theta, n = fitted.fit.theta, len(fitted.fit.theta)
    node = {p: fitted.node(p, 1852) for p in "abcd"} | {"e": n, "x": n + 1}
    strength = {p: theta[node[p]] for p in "abcd"} | {"e": theta[fitted.node("e", 1853)]}
    strength["x"] = np.mean(list(strength.values()))
    pairs = fitted.network.comparisons
    links = list(zip(pairs.i, pairs.j, weights(pairs, theta), strict=True))
    links += [
        (node[p], node[q], games / (2 + 2 * np.cosh(strength[p] - strength[q])))
        for (p, q), games in {**missing, ("a", "x"): 2.0}.items()
    ]
    links.append((fitted.node("e", 1853), n, 30 / 4))
    i, j, weight = map(np.array, zip(*links, strict=True))
    matrix = laplacian(n + 2, i, j, weight)
    old, new = slice(0, n), slice(n, n + 2)
    part = matrix[old, new] @ np.linalg.solve(matrix[new, new], matrix[new, old])
    after = adjusted(np.linalg.pinv(matrix[old, old] - part).diagonal(), ANCHOR)
    errors = StandardErrors(fitted)
    falls = errors.falls(event_games(table, missing, fitted))
    assert falls == pytest.approx(fitted.deviation - after[errors.rows], rel=1e-6, abs=1e-7)


def test_a_year_far_from_a_career_is_tied_by_a_chain_of_years(fitted: FittedNetwork) -> None:
    early = replace(TABLE, year=1846, results=(), players=("a", "b", "c"), games_per_pair=1.0)
    games = event_games(early, missing_games(early), fitted)
    ties = games.weight[games.i < len(fitted.fit.theta)]  # all three are new nodes
    assert ties == pytest.approx([30 / 4 / 4] * 3)


ROUND = Round("First round")


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        ({}, 2),
        ({"completeness": "unverified"}, 2),
        ({"completeness": "complete"}, 0),
        ({"kind": "match"}, 0),
        ({"kind": "team match"}, 0),
        ({"unrated": "Consultation."}, 0),
        ({"rest": "from totals"}, 0),
        ({"players_in_all": 8}, 0),
        ({"rounds": (ROUND,)}, 0),
        ({"format": "Knock-out"}, 0),
        ({"format": "Swiss system"}, 0),
        ({"format": "Double-round all-play-all", "games_per_pair": 2.0}, 8),
        ({"not_played": frozenset({frozenset("ac")})}, 1),
        ({"players": tuple("abcde")}, 6),
        ({"classes": {"a": "first", "b": "first", "c": "second", "d": "second"}}, 0),
        ({"classes": {"a": "first", "b": "second", "c": "first", "d": "third"}}, 1),
        ({"results": (result("a", "b", 1, 1, odds=odds_by("a")),)}, 0),
        ({"results": (result("a", "b", 1, 1, unrated="Casual."),)}, 0),
        ({"results": (result("a", "b", 1, 1, unrated="Lost."), result("b", "c", 1, 1))}, 4),
        ({"players": tuple("abcd") + tuple(f"p{k}" for k in range(26))}, 435 - 4),
        ({"players": tuple("abcd") + tuple(f"p{k}" for k in range(27))}, 0),
    ],
)
def test_missing_games(change: dict[str, object], missing: float) -> None:
    table = event("e", 1850, *(result(*pair, 1, 1) for pair in ("ab", "bc", "cd", "da")), **PART)
    assert sum(missing_games(replace(table, **change)).values()) == missing


def test_each_pair_was_to_play_as_often_as_most_of_those_known() -> None:
    def table(*games: float) -> Event:
        known = [result(*pair, 1, n) for pair, n in zip(("ab", "bc", "cd"), games, strict=True)]
        return event("e", 1850, *known, **PART)

    assert sum(missing_games(table(2, 2, 1)).values()) == 6 * 2 - 5
    assert sum(missing_games(table(1, 1, 2)).values()) == 3  # the third pair tied, and played off
    assert sum(missing_games(replace(table(1, 1, 1), results=())).values()) == 6


def test_the_list_of_a_small_history(fitted: FittedNetwork) -> None:
    rows = wanted(HISTORY, fitted)
    assert [row.gain for row in rows] == sorted((row.gain for row in rows), reverse=True)
    (table,) = (row for row in rows if row.kind == "event")
    assert (table.id, table.years, table.games) == ("table", (1852, 1852), 17)
    assert table.missing == "17 of 20 games"
    falls = StandardErrors(fitted).falls(event_games(TABLE, missing_games(TABLE), fitted))
    assert table.gain == pytest.approx(falls.sum())
    by_player = {
        player: falls[fitted.network.start[k] : fitted.network.start[k + 1]].sum()
        for k, player in enumerate(fitted.network.players)
    }
    most = sorted(by_player, key=lambda player: -by_player[player])[:3]
    assert table.gain_most == tuple((p, pytest.approx(by_player[p])) for p in most)
    assert table.standard_error is None


def test_players_are_listed_with_the_years_of_few_games(fitted: FittedNetwork) -> None:
    rows = {(row.id, *row.years): row for row in wanted(HISTORY, fitted) if row.kind == "player"}
    games = {
        (player, year): games
        for player, year, games in zip(
            fitted.network.player_ids(), fitted.network.year.tolist(), fitted.network.games,
            strict=True,
        )
    }  # fmt: skip
    listed = [(id_, year) for id_, a, b in rows for year in range(a, b + 1)]
    assert sorted(listed) == sorted(key for key, number in games.items() if number < FEW)
    assert {key for key in rows if key[0] == "a"} == {("a", 1851, 1852), ("a", 1854, 1856)}
    gap = rows["a", 1854, 1856]
    assert (gap.missing, gap.games) == ("no rated games known", GAMES)
    assert rows["a", 1851, 1852].missing == "only 5 rated games known"
    nodes = slice(fitted.node("a", 1854), fitted.node("a", 1856) + 1)
    assert gap.standard_error == fitted.deviation[nodes].max()
    others = [fitted.node(player, 1855) for player in "bcde"]
    theta = fitted.fit.theta
    direction = np.zeros((len(theta), 1))
    direction[fitted.node("a", 1855)], direction[others] = 1, -1 / 4
    weight = GAMES / (2 + 2 * np.cosh(direction[:, 0] @ theta))
    falls = StandardErrors(fitted).falls_each(direction, np.array([weight]))
    assert gap.gain == pytest.approx(falls.sum())
    assert gap.gain_most[0][0] == "a"


def test_only_those_of_some_years(fitted: FittedNetwork) -> None:
    everything = wanted(HISTORY, fitted)
    some = wanted(HISTORY, fitted, (1852, 1853))
    assert some == [row for row in everything if row.years[0] <= 1853 and row.years[1] >= 1852]
    assert 0 < len(some) < len(everything)


def test_known_totals_are_mentioned(fitted: FittedNetwork) -> None:
    totals = tuple(Total(player, 4.0) for player in TABLE.players)
    history = replace(HISTORY, events={"table": replace(TABLE, totals=totals)})
    rows = [row for row in wanted(history, fitted) if row.kind == "event"]
    assert [row.missing for row in rows] == ["17 of 20 games; all totals are known"]


def test_only_the_first_of_each_year_count(fitted: FittedNetwork) -> None:
    errors = StandardErrors(fitted, first=1)
    years = fitted.network.year[errors.rows]
    assert sorted(set(years.tolist())) == sorted(set(fitted.network.year.tolist()))
    for year in set(years.tolist()):
        of_year = fitted.rating[fitted.network.year == year]
        assert (fitted.rating[errors.rows][years == year] == of_year.max()).all()


MINI = str(MINISITE / "events")


def told(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert cli.main(["wanted", "--events", MINI, *options]) == 0
    return capsys.readouterr().out


def test_the_command_prints_the_same_in_three_forms(capsys: pytest.CaptureFixture[str]) -> None:
    history = load(MINISITE / "events")
    rows = wanted(history, run(games_of(history)))[:4]
    lines = told(capsys, "--most", "4").splitlines()
    assert lines[0].split() == ["gain", "event", "or", "player", "years", "missing", "gain", "most"]
    assert [line.split()[:2] for line in lines[1:5]] == [[f"{r.gain:.1f}", r.id] for r in rows]
    assert lines[5] == "" and lines[6].startswith("Gain: the sum of the falls of the standard ")
    objects = json.loads(told(capsys, "--most", "4", "--format", "json"))
    assert [(one["id"], one["gain"]) for one in objects] == [(r.id, round(r.gain, 2)) for r in rows]
    table = list(csv.DictReader(io.StringIO(told(capsys, "--most", "4", "--format", "csv"))))
    assert [(row["id"], row["gain"]) for row in table] == [(r.id, f"{r.gain:.2f}") for r in rows]
    assert [(int(row["first_year"]), int(row["last_year"])) for row in table] == [
        r.years for r in rows
    ]


def test_the_command_lists_some_years_only(capsys: pytest.CaptureFixture[str]) -> None:
    rows = json.loads(told(capsys, "--years", "1883", "--format", "json"))
    assert rows and all(row["years"][0] <= 1883 <= row["years"][1] for row in rows)
    assert told(capsys, "--years", "1700-1701") == (
        "nothing is wanted: no incomplete all-play-all, and nobody with few games\n"
    )
    assert told(capsys, "--years", "1700-1701", "--format", "json") == "[]\n"


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--years=1900-1899", "'1900-1899' ends before it begins"),
        ("--years=19xx", "'19xx' is neither a year nor like 1900-1914"),
        ("--most=0", "'0' is not a whole number, 1 or more"),
    ],
)
def test_wrong_options(option: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["wanted", option])
    assert message in capsys.readouterr().err


@pytest.mark.slow
def test_the_real_history_is_listed_whole(real_dataset: Dataset, real_games: Games) -> None:
    done = run(real_games)
    rows = wanted(real_dataset, done)
    assert all(row.gain >= 0 for row in rows)
    incomplete = {event.id for event in real_dataset.events.values() if missing_games(event)}
    assert {row.id for row in rows if row.kind == "event"} == incomplete
    total = done.deviation[StandardErrors(done).rows].sum()
    assert all(row.gain < total for row in rows)
