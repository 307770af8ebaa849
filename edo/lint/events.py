"""Warnings about events: two places at once, entered twice, no page of the source."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain, combinations

from edo.core.model import Citation, Dataset, Event, Result, Total
from edo.core.problems import Problem
from edo.core.text import words
from edo.history.checks import at_event, days_between, ends, starts
from edo.history.notation import TOLERANCE, number_text

WEEK = 7  # [days] few went from one country to another and played again in less
LONG = 100  # [days] those who play in a longer event, such as a league, have weeks free
NAMED = 3  # players that a warning names


def two_places(dataset: Dataset) -> Iterator[Problem]:
    """Two events at two places share a player, who may be two, or a date is wrong.

    They are on the same days, or within one week in two countries. Only events of at most `LONG`
    days, of which all dates are known to the day, tell anything.
    """
    persons = {id_: player.offhand_of or id_ for id_, player in dataset.players.items()}
    for first, second, between in _close_in_time(dataset.events.values()):
        if first.place == second.place or (between > 0 and _same_country(dataset, first, second)):
            continue
        there = {persons.get(id_) for id_ in first.players}
        shared = [id_ for id_ in second.players if id_ in persons and persons[id_] in there]
        if shared:
            when = f"{between} day{'' if between == 1 else 's'} apart"
            when = "on the same days" if between <= 0 else when
            message = f"{_listed(shared)} in two places {when}, here and in `{first.id}`"
            hint = "look for a wrong date or a namesake"
            found = at_event(second, dataset.players[shared[0]], message, hint)
            yield found.as_warning("two places", first.id)


def _close_in_time(events: Collection[Event]) -> Iterator[tuple[Event, Event, int]]:
    """Yield each two events less than a week apart, in their order, with the days [days] between.

    Only events with a place and exact dates, and not too long.
    """
    order = {event.id: k for k, event in enumerate(events)}
    exact = [event for event in events if event.place is not None and _is_short(event)]
    before: list[Event] = []  # the others that have not ended a week before
    for event in sorted(exact, key=starts):
        before = [other for other in before if (starts(event) - ends(other)).days < WEEK]
        for other in before:
            first, second = sorted((event, other), key=lambda one: order[one.id])
            yield first, second, (starts(event) - ends(other)).days
        before.append(event)


def _is_short(event: Event) -> bool:
    between = days_between(event, event)
    return between is not None and -between <= LONG


def _same_country(dataset: Dataset, first: Event, second: Event) -> bool:
    places = [dataset.places.get(event.place or "") for event in (first, second)]
    countries = [place and place.country for place in places]
    return countries[0] is not None and countries[0] == countries[1]


def _listed(ids: list[str]) -> str:
    names = ", ".join(f"`{id_}`" for id_ in ids[:NAMED])
    more = len(ids) - NAMED
    return f"{names} and {more} more" if more > 0 else names


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
    found: dict[tuple[int, int], list[str]] = {}
    for alike, what in _WAYS:
        for pair in sorted(alike(events)):
            found.setdefault(pair, []).append(what)
    for (i, j), ways in sorted(found.items()):
        first, second = events[i], events[j]
        message, line = f"{' and '.join(ways)} as in `{first.id}`", second.lines.get("name", 1)
        problem = Problem(second.path, line, "", message, "look whether they are one event")
        yield problem.as_warning("entered twice", first.id)


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
        one, other = (result.first, result.points_first), (result.second, result.points_second)
        (first, points), (second, others) = sorted((one, other))
        before = scores[first, second]
        scores[first, second] = before[0] + points, before[1] + others
    return scores


def _same_score(events: Sequence[Event]) -> Pairs:
    """Return pairs of a match and a table of the same time that has the same score of the two."""
    return {
        (i, j)
        for i, j, one, other in _met_again(events)
        if one == other and (events[i].kind == "match") != (events[j].kind == "match")
    }


def _near_score(events: Sequence[Event]) -> Pairs:
    """Return pairs of matches of the same time, of which one can be a part of the other.

    Sources may also differ a little on the score. One source does not tell the same match twice.
    """
    found = set()
    for i, j, one, other in _met_again(events):
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


_WAYS: tuple[tuple[Callable[[Sequence[Event]], Pairs], str], ...] = (
    (_same_name, "the same name and year"),
    (_same_points, "the same points of the same players"),
    (_same_days, "the same players on the same days"),
    (_same_players, "nearly the same players in the same year, and results that agree"),
    (_same_score, "the same score of the same two players"),
    (_near_score, "nearly the same score of the same two players, or part of it,"),
)


def _sharing(keys: Sequence[object]) -> Pairs:
    """Return the indices of each two keys that are the same."""
    groups: dict[object, list[int]] = defaultdict(list)
    for index, key in enumerate(keys):
        groups[key].append(index)
    return {pair for group in groups.values() for pair in combinations(group, 2)}


def totals_add_up(dataset: Dataset) -> Iterator[Problem]:
    """Everybody's totals of an incomplete event should make the points that were played for.

    Reading checks the totals of complete events, and those from which results follow.
    """
    for event in dataset.events.values():
        expected = _played_for(event)
        made = sum(total.points for total in event.totals)
        if expected is not None and abs(made - expected) > TOLERANCE:
            message = f"the totals make {number_text(made)} points of {number_text(expected)}"
            hint = "look for a wrong total, or games that were not played"
            problem = Problem(event.path, event.totals[0].line, "totals", message, hint)
            yield problem.as_warning("totals")


def _played_for(event: Event) -> float | None:
    """Return the points [points] that an incomplete event has by its totals' games or pairs.

    None where they do not follow, or the file says that the published totals are wrong.
    """
    checked = event.rest or event.players_in_all or event.completeness == "complete"
    if checked or event.draws_not_scored or "published_totals" in event.lines:
        return None
    if len(event.totals) < max(len(event.players), 1):
        return None
    games = [total.games for total in event.totals if total.games is not None]
    if len(games) == len(event.totals):
        return sum(games) / 2
    if event.games_per_pair is None:
        return None
    pairs = len(event.players) * (len(event.players) - 1) / 2
    return event.games_per_pair * (pairs - len(event.not_played))


def no_page(dataset: Dataset) -> Iterator[Problem]:
    """An event of which no source says where in it the results are."""
    for event in dataset.events.values():
        if not any(citation.where for citation in citations_of(event)):
            message = "no source says where in it this stands"
            hint, line = "add `where`, like `where: p. 12`", event.lines.get("sources", 1)
            yield Problem(event.path, line, "sources", message, hint).as_warning("no page")


def citations_of(event: Event) -> Iterator[Citation]:
    """Yield the citations of an event, its results and its totals."""
    yield from event.sources
    for one in chain[Result | Total](event.results, event.totals):
        yield from one.sources
