"""A check for events that were entered twice, under two names or as a part of one another."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations

from edo.checks.events import citations_of
from edo.checks.where import days_between, may_overlap
from edo.core.model import Dataset, Event
from edo.core.problems import Problem
from edo.core.text import words
from edo.history.names import sound
from edo.rating.coverage import main_player

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
    surnames = {id_: surname(player.name) for id_, player in dataset.players.items()}
    scores = [_scores(event) for event in events]
    met = list(_met_again(events, scores))
    found: dict[tuple[int, int], list[str]] = {}
    for pairs, what in (
        (_same_name(events), "the same name and year"),
        (_same_points(events), "the same points of the same players"),
        (_same_days(events), "the same players on the same days"),
        (_same_players(events), _NEARLY_SAME_PLAYERS),
        (_same_score(events, met), "the same score of the same two players"),
        (_near_score(events, met), _NEARLY_SAME_SCORE),
        (_part_of_event(events, scores, surnames), "a few games of the same surnames"),
        (_game_of_match(events, scores), "a game of the same two players"),
    ):
        for pair in sorted(pairs):
            found.setdefault(pair, []).append(what)
    for (i, j), ways in sorted(found.items()):
        first, second = events[i], events[j]
        message, line = f"{' and '.join(ways)} as in `{first.id}`", second.lines.get("name", 1)
        hint = "look whether they are one event"
        yield Problem(second.path, line, "", message, hint, about=first.id)


_NEARLY_SAME_PLAYERS = "nearly the same players in the same year, and results that agree"
_NEARLY_SAME_SCORE = "nearly the same score of the same two players, or part of it,"


def surname(name: str) -> str:
    """Return a surname as it sounds, for comparing."""
    return " ".join(sound(word) for word in words(name.partition(",")[0].partition(" (")[0]))


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
        if part and may_overlap(first, second) and _agree(first, second):
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
Scores = Mapping[tuple[str, str], Score]
"""The points [points] of each pair in an event."""
Met = Sequence[tuple[int, int, Score, Score]]
"""Each two events that may overlap and have scores of the same pair, with the scores."""


def _scores(event: Event, names: Mapping[str, str] | None = None) -> Scores:
    """Return the points [points] of each pair, the earlier id first, or by other `names`."""
    names = names or {}
    scores: dict[tuple[str, str], Score] = defaultdict(lambda: (0.0, 0.0))
    for result in event.results:
        one = (names.get(result.first, result.first), result.points_first)
        other = (names.get(result.second, result.second), result.points_second)
        (first, points), (second, others) = (one, other) if one <= other else (other, one)
        before = scores[first, second]
        scores[first, second] = before[0] + points, before[1] + others
    return scores


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
            is_even = _odds(events[i]) == _odds(events[j])
            if is_even and _may_tell_of_one(events[i], events[j]):
                found.add((i, j))
    return found


def _may_tell_of_one(first: Event, second: Event) -> bool:
    """Whether two events can be one of the same days that different sources tell of."""
    sources = [{cited.source for cited in citations_of(event)} for event in (first, second)]
    return sources[0].isdisjoint(sources[1]) and may_overlap(first, second)


def _part_of_event(
    events: Sequence[Event], scores: Sequence[Scores], surnames: Mapping[str, str]
) -> Pairs:
    """Return pairs of an event with a few games and another one that can have had all of them.

    Players are compared by their surnames, because such an event often has a namesake.
    """
    found = set()

    @cache
    def spoken(i: int) -> Scores:
        return _scores(events[i], surnames)

    for at_place in _by_place(events).values():
        for i in at_place:
            if sum(map(sum, scores[i].values())) >= FEWEST_GAMES:
                continue
            few = spoken(i)
            is_table = len(few) > 1 and events[i].completeness == "complete"
            if is_table or events[i].totals or not few:
                continue  # more of it is known than these games
            for j in at_place:
                is_part = j != i and _all_within(few, spoken(j))
                if is_part and _may_tell_of_one(events[i], events[j]):
                    found.add((min(i, j), max(i, j)))
    return found


def _all_within(few: Scores, scores: Scores) -> bool:
    return len(scores) >= len(few) and all(
        _is_within(score, scores.get(pair)) for pair, score in few.items()
    )


def _game_of_match(events: Sequence[Event], scores: Sequence[Scores]) -> Pairs:
    """Return pairs of a tournament known by one player's games, and a match with one of them."""
    matches = defaultdict(list)
    for j, event in enumerate(events):
        if event.kind == "match":
            for pair, score in scores[j].items():
                matches[pair, event.year].append((j, score))
    return {
        (min(i, j), max(i, j))
        for i, event in enumerate(events)
        if main_player(event) is not None
        for pair, few in scores[i].items()
        for j, score in matches[pair, event.year]
        if _is_within(few, score) and _may_tell_of_one(event, events[j])
    }


def _by_place(events: Sequence[Event]) -> Mapping[tuple[str, int], Sequence[int]]:
    """Return the indices of the events of each known place and year."""
    groups: dict[tuple[str, int], list[int]] = defaultdict(list)
    for i, event in enumerate(events):
        if event.place is not None:
            groups[event.place, event.year].append(i)
    return groups


def _is_within(score: Score, other: Score | None) -> bool:
    return other is not None and score[0] <= other[0] and score[1] <= other[1]


def _met_again(
    events: Sequence[Event], scores: Sequence[Scores]
) -> Iterator[tuple[int, int, Score, Score]]:
    """Yield each two events that may overlap and have scores of the same pair, with the scores."""
    met: dict[tuple[str, str], list[tuple[int, Score]]] = defaultdict(list)
    for k, of_pairs in enumerate(scores):
        for pair, score in of_pairs.items():
            if sum(score) >= FEWEST_GAMES:
                met[pair].append((k, score))
    for group in met.values():
        for (i, one), (j, other) in combinations(group, 2):
            if may_overlap(events[i], events[j]):
                yield i, j, one, other


def _odds(event: Event) -> set[tuple[str, str] | None]:
    return {(r.odds.giver, r.odds.kind) if r.odds is not None else None for r in event.results}


def _sharing(keys: Sequence[object]) -> Pairs:
    """Return the indices of each two keys that are the same."""
    groups: dict[object, list[int]] = defaultdict(list)
    for index, key in enumerate(keys):
        groups[key].append(index)
    return {pair for group in groups.values() for pair in combinations(group, 2)}
