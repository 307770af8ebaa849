"""A whole dataset comes in; the scores that lie far from what the ratings expect go out.

The ratings are those that include each score, because they are quick to have. They bend towards
it, so that fewer scores seem surprising than on the site's list of scores that are hard to believe.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from edo import rating
from edo.answers import SURPRISING
from edo.checks import at_event
from edo.errors import EdoError, Problem
from edo.notation import number_text
from edo.rating import Pass
from edo.records import Dataset
from edo.scale import Floats, theta_from_elo
from edo.scores import Side, all_pairings

FEWEST_GAMES = 2  # one game tells nothing: of ten honest ones the much weaker player wins one


@dataclass(frozen=True, slots=True)
class Score:
    """What a player scored in an event, `score` of `games`, and what was to be expected [points].

    `surprise` is how many deviations the score is off.
    """

    event: str
    player: str
    score: float
    games: float
    expected: float
    surprise: float


def surprising_scores(dataset: Dataset) -> Iterator[Problem]:
    """Scores `SURPRISING` deviations off; a dataset that cannot be rated is told of as one."""
    try:
        done = rating.run(all_pairings(dataset))
    except EdoError as error:
        finding, remedy = f"there are no ratings yet: {error}", "without them there is no site"
        yield Problem("events", 1, "", finding, remedy, "notice")
        return
    said: set[str] = set()
    for score in far_scores(done):
        event = dataset.events[score.event]
        if len(event.players) == 2 and score.event in said:
            continue  # the other side of the same match
        said.add(score.event)
        yield at_event(
            event,
            dataset.players[score.player],
            f"`{score.player}` scored {number_text(score.score)} of {number_text(score.games)} "
            f"where {score.expected:.1f} were to be expected, {abs(score.surprise):.1f} deviations "
            "off, judged by the ratings that include it",
            "look for a wrong score, a namesake, or odds that are not stated",
            "notice",
        )


def far_scores(done: Pass) -> list[Score]:
    """Return the scores at least `SURPRISING` deviations off, in the order of the events."""
    pairings = done.network.pairings
    share = _shares(done)
    points, games = np.array([(p.score, p.games) for p in pairings]).T
    rows: dict[tuple[str, str, int], int] = {}  # each player's in each event and year
    for p in pairings:
        for side in (p.first, p.second):
            rows.setdefault((p.event, side.player, p.year), len(rows))
    first = [rows[p.event, p.first.player, p.year] for p in pairings]
    second = [rows[p.event, p.second.player, p.year] for p in pairings]

    def sums(of_first: Floats, of_second: Floats) -> Floats:
        sides = ((first, of_first), (second, of_second))
        return np.asarray(sum(np.bincount(of, x, len(rows)) for of, x in sides), np.float64)

    score, played = sums(points, games - points), sums(games, games)
    expected = sums(games * share, games * (1 - share))
    variance = games * share * (1 - share)
    spread = sums(variance, variance)
    surprise = (score - expected) / np.sqrt(done.settings.variance_factor * spread)
    numbers = zip(*(column.tolist() for column in (score, played, expected, surprise)), strict=True)
    return [
        Score(event, player, *of_one)
        for (event, player, _), of_one in zip(rows, numbers, strict=True)
        if abs(of_one[-1]) >= SURPRISING and of_one[1] >= FEWEST_GAMES
    ]


def _shares(done: Pass) -> Floats:
    """Return the expected score per game of the first side of each pairing, (n_pairings,)."""
    net = done.network
    players = np.repeat(np.array(net.players), np.diff(net.start)).tolist()
    raw = dict(zip(zip(players, net.year.tolist(), strict=True), done.raw.tolist(), strict=True))
    lead = [
        _strength(raw, p.first, p.year) - _strength(raw, p.second, p.year) for p in net.pairings
    ]
    return np.asarray(expit(theta_from_elo(np.array(lead))), np.float64)


def _strength(raw: Mapping[tuple[str, int], float], side: Side, year: int) -> float:
    """Return a side's raw rating less what the odds that it gave are worth [Elo]."""
    return raw[side.player, year] - (side.odds_points or 0.0)
