"""What an editor should look for next: the games that would make the ratings more certain.

An incomplete all-play-all lacks the games of the pairs that are not known. A player of the first
fifty with no or few rated games in some years lacks games there; how many there were is not known,
so `GAMES` are supposed, against the strength of the first fifty, in the middle of these years.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np

from edo.core import json
from edo.core.formats import counted
from edo.core.model import Dataset, Event
from edo.core.scale import Floats, Ints
from edo.history.notation import number_text
from edo.history.settings import Settings
from edo.history.unknown_games import games_of_pairs, open_pairs
from edo.rating.edo import DIGITS, FittedNetwork
from edo.rating.inference.added_games import BATCH, AddedGames, StandardErrors, information

GAMES = 10.0  # games supposed for a player in years with few
FEW = 4.0  # rated games of a year; with more it is not listed
LARGEST = 30  # players; larger tournaments were no all-play-alls, but Swiss or of several groups
GAINING = 3  # players listed for each row
PAIRED_OTHERWISE = re.compile(r"knock|swiss|scheveningen|team", re.IGNORECASE)

FILE = "wanted.json"  # in the folder of the texts
REMEDY = "make it anew: python -m edo wanted --most 500 --format json > content/wanted.json"

Kind = str  # "event" or "player"
Years = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Wanted:
    """An event or a player of whom games are missing, and what they would tell.

    `gain` [Elo] is the sum of the falls of the standard errors of the first fifty of all years,
    `gain_most` the players of whom it is most, each with his part of it. `games` is the number of
    missing games, of a player those supposed; `standard_error` [Elo] is a player's largest one in
    these years.
    """

    kind: Kind
    id: str
    name: str
    years: Years
    games: float
    missing: str
    gain: float
    gain_most: tuple[tuple[str, float], ...]
    standard_error: float | None = None


def wanted(dataset: Dataset, fitted: FittedNetwork, years: Years | None = None) -> list[Wanted]:
    """Return what is missing, largest gain first; `years` are the first and last year listed."""
    errors = StandardErrors(fitted)
    rows = [*_events(dataset, fitted, errors, years), *_players(dataset, fitted, errors, years)]
    return sorted(rows, key=lambda row: (-round(row.gain, DIGITS), row.kind, row.id, row.years))


def _events(
    dataset: Dataset, fitted: FittedNetwork, errors: StandardErrors, years: Years | None
) -> Iterator[Wanted]:
    for event in dataset.events.values():
        if _within((event.year, event.year), years) and (missing := missing_games(event)):
            games = sum(missing.values())
            known_games = sum(games_of_pairs(event).values())
            falls = errors.falls(event_games(event, missing, fitted))
            yield Wanted(
                "event",
                event.id,
                event.name,
                (event.year, event.year),
                games,
                _missing(event, games, known_games),
                float(falls.sum()),
                _gain_most(fitted, errors, falls),
            )


def read_wanted(content: Path) -> tuple[Wanted, ...]:
    """Return what the command `wanted` found, nothing without the file.

    Raises EdoError where the file is not what the command writes as JSON.
    """
    path = content / FILE
    return json.load(path, tuple[Wanted, ...], REMEDY) if path.exists() else ()


def still_missing(event: Event) -> str | None:
    """Return what of an event is missing today, None where nothing is."""
    games = sum(missing_games(event).values())
    return _missing(event, games, sum(games_of_pairs(event).values())) if games else None


def _missing(event: Event, games: float, known_games: float) -> str:
    totals = "; all totals are known" if len(event.totals) == len(event.players) else ""
    return f"{number_text(games)} of {number_text(games + known_games)} games{totals}"


def _within(span: Years, years: Years | None) -> bool:
    return years is None or (span[0] <= years[1] and years[0] <= span[1])


def _gain_most(
    fitted: FittedNetwork, errors: StandardErrors, falls: Floats
) -> tuple[tuple[str, float], ...]:
    """Return the players whose falls are most in sum, with these [Elo]."""
    player = np.searchsorted(fitted.network.start, errors.rows, side="right") - 1
    sums = np.bincount(player, falls, len(fitted.network.players))
    most = np.argsort(-sums.round(DIGITS), kind="stable")[:GAINING]
    return tuple((fitted.network.players[k], float(sums[k])) for k in most if sums[k] > 0)


def missing_games(event: Event) -> Mapping[tuple[str, str], float]:
    """Return the missing games [games] of each pair of an incomplete all-play-all.

    Empty for other events, where the unknown results follow from totals, and where games were at
    odds or not to be rated; in a handicap by classes, only the pairs of one class. Where the file
    does not say how often each pair was to play, it is as often as most of the known pairs did.
    """
    by_totals = event.rest is not None or event.players_in_all is not None
    if event.kind != "tournament" or event.completeness == "complete" or by_totals:
        return {}
    if event.unrated is not None or event.rounds or PAIRED_OTHERWISE.search(event.format or ""):
        return {}
    if not 3 <= len(event.players) <= LARGEST:
        return {}
    if any(result.odds is not None for result in event.results) or not _rates_any(event):
        return {}
    per_pair = event.games_per_pair or _usual(games_of_pairs(event).values())
    return {
        (first, second): games
        for (first, second), games in open_pairs(event, per_pair).items()
        if event.classes.get(first) == event.classes.get(second)
    }


def _rates_any(event: Event) -> bool:
    return not event.results or any(result.unrated is None for result in event.results)


def _usual(games: Iterable[float]) -> float:
    """Return the number of games that most of the known pairs played, the larger of equals."""
    counts = Counter(games)
    return max(counts, key=lambda number: (counts[number], number), default=1.0)


def event_games(
    event: Event, missing: Mapping[tuple[str, str], float], fitted: FittedNetwork
) -> AddedGames:
    """Return the information of an event's missing games at the fitted ratings.

    A player whose rated years do not include the event is tied to the nearest of them by
    self-pairings. Those without a rating are supposed to be as strong as the others on average;
    their known games, which are not in the fit, count too.
    """
    places, known_games = _Places(event, fitted), games_of_pairs(event)
    games: dict[tuple[str, str], float] = {}
    for pair in combinations(event.players, 2):
        number = missing.get(pair, 0.0)
        if not places.unrated.isdisjoint(pair):
            number += known_games.get(frozenset(pair), 0.0)
        if number:
            games[pair] = number
    i, j = np.array([[places.node[p] for p in pair] for pair in games], np.int64).reshape(-1, 2).T
    theta = np.array([[places.theta[p] for p in pair] for pair in games]).reshape(-1, 2)
    weight = information(np.array(list(games.values())), theta[:, 0] - theta[:, 1])
    ties = np.array(places.ties, np.float64).reshape(-1, 3).T
    return AddedGames(
        np.r_[i, ties[0].astype(np.int64)],
        np.r_[j, ties[1].astype(np.int64)],
        np.r_[weight, ties[2]],
    )


class _Places:
    """The nodes of an event's players: `node` and `theta` [nat] by player, and the new ones.

    `unrated` are those without any rating; `ties` are the links of new years to rated ones.
    """

    def __init__(self, event: Event, fitted: FittedNetwork) -> None:
        self.node: dict[str, int] = {}
        self.theta: dict[str, float] = {}
        self.ties: list[tuple[int, int, float]] = []
        rated = _spans(fitted)
        self.unrated = set(event.players) - rated.keys()
        new_node = len(fitted.fit.theta)
        for player in event.players:
            first_node, years = rated.get(player, (0, (0, 0)))
            nearest = first_node + min(max(event.year, years[0]), years[1]) - years[0]
            away = max(years[0] - event.year, event.year - years[1])
            if player in rated and away <= 0:
                self.node[player] = nearest
            else:
                self.node[player] = new_node
                if player in rated:
                    self.ties.append((nearest, new_node, _self_information(fitted.settings) / away))
                new_node += 1
            if player in rated:
                self.theta[player] = float(fitted.fit.theta[nearest])
        mean = float(np.mean([*self.theta.values()])) if self.theta else 0.0
        self.theta |= dict.fromkeys(self.unrated, mean)


def _spans(fitted: FittedNetwork) -> dict[str, tuple[int, Years]]:
    """Return the first node of each rated player, and his first and last year."""
    net = fitted.network
    return {
        player: (int(a), (int(net.year[a]), int(net.year[b - 1])))
        for player, (a, b) in zip(net.players, pairwise(net.start), strict=True)
    }


def _self_information(settings: Settings) -> float:
    """Return the information [1 / nat^2] between neighbouring years of the same strength."""
    return settings.self_games / 4


def _players(
    dataset: Dataset, fitted: FittedNetwork, errors: StandardErrors, years: Years | None
) -> Iterator[Wanted]:
    spans = [span for span in _gaps(fitted, errors.rows) if _within(_years(fitted, span), years)]
    for begin in range(0, len(spans), BATCH):
        batch = spans[begin : begin + BATCH]
        falls = errors.falls_each(*_supposed(fitted, errors.rows, batch))
        for span, fall in zip(batch, falls.T, strict=True):
            player = fitted.network.players[
                int(np.searchsorted(fitted.network.start, span[0], side="right")) - 1
            ]
            yield Wanted(
                "player",
                player,
                dataset.players[player].shown_name,
                _years(fitted, span),
                GAMES,
                _few_games(float(fitted.network.games[span].sum())),
                float(fall.sum()),
                _gain_most(fitted, errors, fall),
                float(fitted.deviation[span].max()),
            )


def _gaps(fitted: FittedNetwork, rows: Ints) -> list[Ints]:
    """Return the player-years of the rows with few games, successive ones together."""
    few = rows[fitted.network.games[rows] < FEW]
    breaks = (np.diff(few) > 1) | np.isin(few[1:], fitted.network.start)
    return [span for span in np.split(few, np.flatnonzero(breaks) + 1) if len(span)]


def _years(fitted: FittedNetwork, span: Ints) -> Years:
    return int(fitted.network.year[span[0]]), int(fitted.network.year[span[-1]])


def _few_games(games: float) -> str:
    return f"only {counted(games, 'rated game')} known" if games else "no rated games known"


def _supposed(fitted: FittedNetwork, rows: Ints, spans: Sequence[Ints]) -> tuple[Floats, Floats]:
    """Return the direction (n_nodes, k) and information (k,) of the games supposed in each span.

    They are against one opponent, whose theta is the mean of the others among the first fifty.
    """
    theta, year = fitted.fit.theta, fitted.network.year
    of_year: dict[int, Ints] = {}
    directions, difference = np.zeros((len(theta), len(spans))), np.zeros(len(spans))
    for k, span in enumerate(spans):
        node = int(span[len(span) // 2])
        listed = of_year.setdefault(int(year[node]), rows[year[rows] == year[node]])
        others = listed[listed != node]
        if len(others):
            directions[node, k] = 1.0
            directions[others, k] = -1.0 / len(others)
            difference[k] = theta[node] - theta[others].mean()
    return directions, information(np.full(len(spans), GAMES), difference)
