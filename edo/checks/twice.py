"""A check for events that were entered twice, under two names or as a part of one another."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from edo.checks.events import citations_of
from edo.checks.where import days_between, ends, starts
from edo.core.model import Dataset, Event
from edo.core.problems import Problem
from edo.core.text import words

ALIKE = 0.75  # of the players of the smaller event, a share that chance does not bring
ENOUGH = 3  # players whose points are the same; of a match both
APART = 1  # [years] sources that mean the same event seldom differ by more
FEWEST_PLAYERS = 4  # smaller tables share their players too often
FEWEST_GAMES = 3  # shorter scores are the same too often
NEAR = 1  # [points] by which sources differ on a score, mostly for draws

Points = Mapping[str, float]
Pairs = set[tuple[int, int]]
"""Events by their places in the dataset, the earlier one first."""


def entered_twice(dataset: Dataset) -> Iterator[Problem]:
    """Two events with the same name, points, players and days, results, or one match in another."""
    events = list(dataset.events.values())
    met = list(_met_again(events))
    found: dict[tuple[int, int], list[str]] = {}
    for pairs, what in (
        (_same_name(events), "the same name and year"),
        (_same_points(events), "the same points of the same players"),
        (_same_days(events), "the same players on the same days"),
        (
            _same_players(events),
            "nearly the same players in the same year, and results that agree",
        ),
        (_same_score(events, met), "the same score of the same two players"),
        (
            _near_score(events, met),
            "nearly the same score of the same two players, or part of it,",
        ),
    ):
        for pair in sorted(pairs):
            found.setdefault(pair, []).append(what)
    for (i, j), ways in sorted(found.items()):
        first, second = events[i], events[j]
        message, line = f"{' and '.join(ways)} as in `{first.id}`", second.lines.get("name", 1)
        hint = "look whether they are one event"
        yield Problem(second.path, line, "", message, hint, about=first.id)


def _same_name(events: Sequence[Event]) -> Pairs:
    return _sharing([(*words(event.name), event.year) for event in events])


def _same_points(events: Sequence[Event]) -> Pairs:
    """Return pairs at most a year apart in which nearly all players of the smaller score alike."""
    points = [_points(event) for event in events]
    return {
        (i, j)
        for (i, j), shared in _common(events, points).items()
        if shared >= min(ENOUGH, max(len(points[i]), len(points[j])))
        and shared >= ALIKE * min(len(points[i]), len(points[j]))
    }


def _common(events: Sequence[Event], points: Sequence[Points]) -> Counter[tuple[int, int]]:
    """Count the players who score alike in each two events at most a year apart, if any do."""
    groups: dict[tuple[str, float], list[int]] = defaultdict(list)
    common: Counter[tuple[int, int]] = Counter()
    for j, event in enumerate(events):  # by year, so that those before are near the end of a group
        for one in points[j].items():
            for i in reversed(groups[one]):
                if events[i].year < event.year - APART:
                    break
                common[i, j] += 1
            groups[one].append(j)
    return common


def _points(event: Event) -> Points:
    """Return what each player scored [points], his total where the file states it."""
    points: dict[str, float] = defaultdict(float)
    for result in event.results:
        points[result.first] += result.points_first
        points[result.second] += result.points_second
    return points | {total.player: total.points for total in event.totals}


def _same_days(events: Sequence[Event]) -> Pairs:
    return {
        (i, j)
        for i, j in _sharing([frozenset(event.players) for event in events])
        if (between := days_between(events[i], events[j])) is not None and between <= 0
    }


def _same_players(events: Sequence[Event]) -> Pairs:
    """Return pairs of tables with nearly the same players, that can be parts of the same results.

    One of them is incomplete, else their points tell; and their days can be the same.
    """
    tables = {k: event for k, event in enumerate(events) if len(event.players) >= FEWEST_PLAYERS}
    found = set()
    for (i, j), shared in _common_players(events, tables).items():
        first, second = events[i], events[j]
        smaller, larger = sorted((len(first.players), len(second.players)))
        if shared < max(FEWEST_PLAYERS, ALIKE * smaller, larger / 2):
            continue
        part = {first.completeness, second.completeness} != {"complete"}
        if part and _may_overlap(first, second) and _agree(first, second):
            found.add((i, j))
    return found


def _common_players(events: Sequence[Event], chosen: Collection[int]) -> Counter[tuple[int, int]]:
    """Count the players that each two of the chosen events, of the same year, have in common."""
    played: dict[tuple[str, int], list[int]] = defaultdict(list)
    for k in chosen:
        for player in events[k].players:
            played[player, events[k].year].append(k)
    return Counter(pair for group in played.values() for pair in combinations(group, 2))


def _agree(first: Event, second: Event) -> bool:
    """Whether most pairs that both know have the same score, and few points exceed a total."""
    scores = [_scores(event) for event in (first, second)]
    both = scores[0].keys() & scores[1].keys()
    within = [scores[0][pair] == scores[1][pair] for pair in both]
    if sum(within) < ALIKE * len(within):
        return False
    for known, other in ((first, second), (second, first)):
        totals = {total.player: total.points for total in other.totals}
        points = {one: value for one, value in _points(known).items() if one in totals}
        fewer = sum(value <= totals[one] for one, value in points.items())
        if fewer < ALIKE * len(points):
            return False
    return bool(both or first.totals or second.totals)


Score = tuple[float, float]


def _scores(event: Event) -> Mapping[tuple[str, str], Score]:
    """Return the points [points] of each pair, the earlier id first."""
    scores: dict[tuple[str, str], Score] = defaultdict(lambda: (0.0, 0.0))
    for result in event.results:
        first, second = result.first, result.second
        points, others = result.points_first, result.points_second
        if second < first:
            first, second, points, others = second, first, others, points
        before = scores[first, second]
        scores[first, second] = before[0] + points, before[1] + others
    return scores


Met = Iterable[tuple[int, int, Score, Score]]
"""Two events that may overlap and have scores of the same pair, with the scores."""


def _same_score(events: Sequence[Event], met: Met) -> Pairs:
    """Return pairs of a match and a table of the same time that has the same score of the two."""
    return {
        (i, j)
        for i, j, one, other in met
        if one == other and (events[i].kind == "match") != (events[j].kind == "match")
    }


def _near_score(events: Sequence[Event], met: Met) -> Pairs:
    """Return pairs of matches of the same time, of which one can be a part of the other.

    Sources may also differ a little on the score. One source does not tell the same match twice.
    """
    found = set()
    for i, j, one, other in met:
        apart = [b - a for a, b in zip(one, other, strict=True)]
        near = max(map(abs, apart)) <= NEAR or min(apart) >= 0 or max(apart) <= 0
        if near and one != other and events[i].kind == events[j].kind == "match":
            sources = [{cited.source for cited in citations_of(events[k])} for k in (i, j)]
            if sources[0].isdisjoint(sources[1]) and _odds(events[i]) == _odds(events[j]):
                found.add((i, j))
    return found


def _met_again(events: Sequence[Event]) -> Iterator[tuple[int, int, Score, Score]]:
    """Yield each two events that may overlap and have scores of the same pair, with the scores."""
    met: dict[tuple[str, str], list[tuple[int, Score]]] = defaultdict(list)
    for k, event in enumerate(events):
        for pair, score in _scores(event).items():
            if sum(score) >= FEWEST_GAMES:
                met[pair].append((k, score))
    for group in met.values():
        for (i, one), (j, other) in combinations(group, 2):
            if _may_overlap(events[i], events[j]):
                yield i, j, one, other


def _odds(event: Event) -> set[tuple[str, str] | None]:
    return {(r.odds.giver, r.odds.kind) if r.odds is not None else None for r in event.results}


def _may_overlap(first: Event, second: Event) -> bool:
    """Whether they can have been played on the same days, as far as their dates are known."""
    return starts(first) <= ends(second) and starts(second) <= ends(first)


def _sharing(keys: Sequence[object]) -> Pairs:
    """Return the indices of each two keys that are the same."""
    groups: dict[object, list[int]] = defaultdict(list)
    for index, key in enumerate(keys):
        groups[key].append(index)
    return {pair for group in groups.values() for pair in combinations(group, 2)}
