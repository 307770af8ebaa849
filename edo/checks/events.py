"""Checks of events and of the records that they name."""

from __future__ import annotations

import datetime
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from itertools import chain, combinations

from edo.checks.where import (
    at_appearance,
    at_field,
    at_player,
    days_between,
    ends,
    may_overlap,
    player_path,
    starts,
)
from edo.core.model import Citation, Dataset, Event, Player, Result, Total
from edo.core.problems import Problem
from edo.history.final_table import final_points, in_order
from edo.history.notation import TOLERANCE, first_day, number_text

WEEK = 7  # [days] few went from one country to another and played again in less
BY_AIR = 1946  # year from which they did
LONG = 100  # [days] those who play in a longer event, such as a league, have weeks free
NAMED = 3  # players that a warning names
_STAGE = re.compile(
    r"\b(?:preliminar|qualif|quarter|semi-?final|final|[qs]f\d|play-?off|tie-?break|knock-?out"
    r"|handicap|extra|supplementary|consolation|rapid|blitz)",
    re.IGNORECASE,
)


def two_places(dataset: Dataset) -> Iterator[Problem]:
    """Two events at two places share a player, who may be two, or a date is wrong.

    They are on the same days, or, before masters flew, within one week in two countries. Only
    events of at most `LONG` days, of which all dates are known to the day, tell anything.
    """
    persons = {id_: player.offhand_of or id_ for id_, player in dataset.players.items()}
    for first, second, between in _close_in_time(dataset.events.values()):
        if first.place == second.place or (between > 0 and _is_near(dataset, first, second)):
            continue
        there = {persons.get(id_) for id_ in first.players}
        shared = [id_ for id_ in second.players if id_ in persons and persons[id_] in there]
        if shared:
            when = f"{between} day{'' if between == 1 else 's'} apart"
            when = "on the same days" if between <= 0 else when
            message = f"{_listed(shared)} in two places {when}, here and in `{first.id}`"
            hint = "look for a wrong date or a namesake"
            yield at_appearance(second, dataset.players[shared[0]], message, hint, first.id)


def _close_in_time(events: Collection[Event]) -> Iterator[tuple[Event, Event, int]]:
    """Yield each two events less than a week apart, in their order, with the days [days] between.

    Only events with a place and exact dates, and not too long.
    """
    order = {event.id: k for k, event in enumerate(events)}
    exact = [event for event in events if event.place is not None and _is_short(event)]
    before: list[Event] = []  # the others that have not ended a week before
    for event in sorted(exact, key=starts):
        before = [earlier for earlier in before if (starts(event) - ends(earlier)).days < WEEK]
        for earlier in before:
            first, second = sorted((event, earlier), key=lambda either: order[either.id])
            yield first, second, (starts(event) - ends(earlier)).days
        before.append(event)


def _is_short(event: Event) -> bool:
    between = days_between(event, event)
    return between is not None and -between <= LONG


def _is_near(dataset: Dataset, first: Event, second: Event) -> bool:
    """Whether who played in the one could be at the other within a day or two."""
    if min(first.year, second.year) >= BY_AIR:
        return True
    places = [dataset.places.get(event.place or "") for event in (first, second)]
    countries = [place and place.country for place in places]
    return countries[0] is not None and countries[0] == countries[1]


def _listed(ids: list[str]) -> str:
    names = ", ".join(f"`{id_}`" for id_ in ids[:NAMED])
    more = len(ids) - NAMED
    return f"{names} and {more} more" if more > 0 else names


def two_sections(dataset: Dataset) -> Iterator[Problem]:
    """Two sections of one congress share a player, who may be two, or a game stands in both.

    They are tournaments at one place, of one series or on the same days. Stages of one contest have
    the same players, and handicaps and the like are played besides.
    """
    groups: defaultdict[tuple[str, int], list[Event]] = defaultdict(list)
    for event in dataset.events.values():
        if event.kind == "tournament" and event.place is not None and not _STAGE.search(event.name):
            groups[event.place, event.year].append(event)
    for group in groups.values():
        for first, second in combinations(group, 2):
            between = days_between(first, second)
            is_same_series = first.series is not None and first.series == second.series
            if not may_overlap(first, second) or not (is_same_series or (between or 0) < 0):
                continue
            there = dataset.players.keys() & set(first.players)
            shared = [id_ for id_ in second.players if id_ in there]
            if shared:
                message = f"{_listed(shared)} also in `{first.id}`, another section"
                hint = "look for a namesake, or a game that stands in both"
                yield at_appearance(second, dataset.players[shared[0]], message, hint, first.id)


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
            yield Problem(event.path, event.totals[0].line, "totals", message, hint)


def rows_in_order(dataset: Dataset) -> Iterator[Problem]:
    """The players of a tournament stand in the order of its final table."""
    for event in dataset.events.values():
        points = final_points(event) or {}
        pair = next((pair for pair in zip(event.players, in_order(event), strict=True)
                     if pair[0] != pair[1]), None)  # fmt: skip
        if pair is not None:
            above, below = (f"`{one}` ({number_text(points.get(one, 0))})" for one in pair)
            message = f"{above} stands above {below}"
            hint = (
                "put the rows in the order of the points, the winner first, or say under "
                "`ranked_by` what the final table went by"
            )
            field = "crosstable" if event.has_crosstable else "players"
            yield at_field(event, field, message, hint)


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


def still_to_come(dataset: Dataset) -> Iterator[Problem]:
    """Nothing of the future is on record."""
    today = datetime.date.today()
    for event in dataset.events.values():
        if starts(event) > today:
            field = "dates" if event.dates else "year"
            message = f"{event.dates or event.year} is still to come"
            yield at_field(event, field, message, "correct the year, or enter it when it is over")
    for player in dataset.players.values():
        for field, date in (("born", player.born), ("died", player.died)):
            if date is not None and first_day(date) > today:
                message = f"{date} is still to come"
                yield at_player(player, message, "correct the year", field)


def no_page(dataset: Dataset) -> Iterator[Problem]:
    """An event of which no source says where in it the results are."""
    for event in dataset.events.values():
        if not any(citation.where for citation in citations_of(event)):
            message = "no source says where in it this stands"
            yield at_field(event, "sources", message, "add `where`, like `where: p. 12`")


def citations_of(event: Event) -> Iterator[Citation]:
    """Yield the citations of an event, its results and its totals."""
    yield from event.sources
    for record in chain[Result | Total](event.results, event.totals):
        yield from record.sources


def lone_series(dataset: Dataset) -> Iterator[Problem]:
    """A series of a single event is no series."""
    named = Counter(event.series for event in dataset.events.values())
    for event in dataset.events.values():
        if event.series is not None and named[event.series] == 1:
            message = f"no other event is of the series `{event.series}`"
            yield at_field(event, "series", message, "name it in the others too, or leave it out")


def former_ids(dataset: Dataset) -> Iterator[Problem]:
    """Each former address leads to exactly one page."""
    for records in (dataset.players, dataset.events):
        first: dict[str, str] = {}
        for id_, record in records.items():
            for former in record.former_ids:
                bearer = former if former in records else first.setdefault(former, id_)
                if former in records or bearer != id_:
                    whose = "is in use" if bearer == former else f"is also named by `{bearer}`"
                    yield _at_former_ids(record, f"the former id `{former}` {whose}")
            if len(set(record.former_ids)) < len(record.former_ids):
                yield _at_former_ids(record, "a former id stands twice")


def _at_former_ids(record: Player | Event, message: str) -> Problem:
    place, hint = "former_ids", "take it away where it does not belong"
    if isinstance(record, Player):
        return at_player(record, message, hint, place)
    return at_field(record, place, message, hint)


def unused_records(dataset: Dataset) -> Iterator[Problem]:
    """Sources, places, series and players that nothing names.

    Kinds of odds are left out: the list is taken over whole from its source.
    """
    events, players = dataset.events.values(), dataset.players
    cited = {citation.source for event in events for citation in citations_of(event)}
    cited |= {citation.source for player in players.values() for citation in player.sources}
    played = {id_ for event in events for id_ in event.players}
    played |= {players[id_].offhand_of or id_ for id_ in played if id_ in players}
    places, series = ({getattr(event, name) for event in events} for name in ("place", "series"))
    for kind, records, used, message in (
        ("sources", dataset.sources, cited, "nothing cites this source"),
        ("places", dataset.places, places, "no event is at this place"),
        ("series", dataset.series, series, "no event is of this series"),
        ("players", players, played, "no event names this player"),
    ):
        for id_, record in records.items():
            if id_ not in used:
                path = player_path(id_) if kind == "players" else f"events/{kind}.yaml"
                hint = "use it, correct the id, or delete it"
                yield Problem(path, record.line, id_, message, hint)
