"""Checks across files: contradictions between events, players and series.

To add a check, write a function from Dataset to problems and add it to CHECKS.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from edo.core.model import Dataset, Event, PartialDate, Player
from edo.core.problems import Problem
from edo.history.names import YOUNGEST
from edo.history.notation import first_day, last_day

CHILD = 10  # [years] of the period's prodigies, few played in events earlier (Morphy, Reshevsky)
OLDEST = 95  # [years] no master of the period played a recorded event at this age
LONGEST = OLDEST - YOUNGEST  # [years] between the first and the last event of any life
BOUND = 200  # [years] clubs play on; each year costs a rating in every system and a page

Check = Callable[[Dataset], Iterator[Problem]]


def player_path(id_: str) -> str:
    """Return the path of the file that holds a player, as messages name it."""
    return f"events/players/{id_[0]}.yaml"


def check_lifetimes(dataset: Dataset) -> Iterator[Problem]:
    """Nobody plays before birth or after death; with inexact dates it is only a warning."""
    for event, player in _appearances(dataset):
        if player.born is not None and ends(event) < first_day(player.born):
            yield _out_of_life(event, player, player.born, "before his birth")
        if player.died is not None and starts(event) > last_day(player.died):
            yield _out_of_life(event, player, player.died, "after his death")


def _out_of_life(event: Event, player: Player, date: PartialDate, when: str) -> Problem:
    span = event.dates
    certain = span is not None and not (
        date.approximate or span.start.approximate or span.end.approximate
    )
    played = str(span or event.year)
    message = f"`{player.id}` plays {when.replace('his', _his(player))} ({played}, {date})"
    found = at_event(event, player, message, "correct the name or one of the dates")
    return found if certain else found.as_warning("lifetime", player.id)


def _his(player: Player) -> str:
    return "her" if player.woman else "his"


def check_ages(dataset: Dataset) -> Iterator[Problem]:
    """A very young or very old player is often a namesake."""
    for event, player in _appearances(dataset):
        born, died = player.born, player.died
        if born is None:
            continue
        oldest, youngest = _age(first_day(born), ends(event)), _age(last_day(born), starts(event))
        if (oldest >= CHILD and youngest <= OLDEST) or oldest < 0:
            continue
        if died is None or starts(event) <= last_day(died):
            age = f"at least {youngest}" if youngest > OLDEST else f"at most {oldest}"
            message = f"`{player.id}` plays at the age of {age}"
            found = at_event(event, player, message, "look whether it is a namesake")
            yield found.as_warning("age", player.id)


def _age(born: datetime.date, on: datetime.date) -> int:
    """Return the age [years] on a day, negative before birth."""
    return on.year - born.year - ((on.month, on.day) < (born.month, born.day))


def check_careers(dataset: Dataset) -> Iterator[Problem]:
    """A career longer than a life means namesakes; one far longer means a wrong year."""
    first: dict[str, int] = {}
    last: dict[str, Event] = {}
    for event in dataset.events.values():  # by year
        for id_ in event.players:
            first.setdefault(id_, event.year)
            last[id_] = event
        for result in event.results:
            for id_ in (result.first, result.second):
                first[id_] = min(first.get(id_, event.year), result.year or event.year)
    for id_, event in last.items():
        player, length = dataset.players.get(id_), event.year - first[id_]
        if player is None or length <= LONGEST:
            continue
        since = f"{length:,} years after {_his(player)} first games, of {first[id_]}"
        hint = "look whether it is a namesake"
        found = at_event(event, player, f"`{id_}` plays {since}", hint)
        if length > BOUND:
            yield found
        elif _with_life(player, dataset).born is None:  # else the age says it
            yield found.as_warning("age", id_)


def check_lives(dataset: Dataset) -> Iterator[Problem]:
    """Two players with the same dates of birth and death may be one under two names."""
    first: dict[tuple[PartialDate, PartialDate], Player] = {}
    for player in dataset.players.values():
        life = known_life(player)
        if life is None or player.offhand_of:
            continue
        other = first.setdefault(life, player)
        if other is not player:
            message = f"born and died on the same days as `{other.id}`"
            found = at_player(player, message, "look whether they are one person")
            yield found.as_warning("same dates", other.id)


def known_life(player: Player) -> tuple[PartialDate, PartialDate] | None:
    """Return the days of birth and death, None where one of them is not known to the day."""
    born, died = player.born, player.died
    return (born, died) if born and died and born.day and died.day else None


def check_offhand(dataset: Dataset) -> Iterator[Problem]:
    """An offhand identity belongs to a person, not to another offhand identity."""
    for player in dataset.players.values():
        person = dataset.players.get(player.offhand_of or "")
        if person is not None and person is not player and person.offhand_of is not None:
            message = f"`{person.id}` is an offhand identity itself"
            hint = f"name the person, `{person.offhand_of}`"
            yield at_player(player, message, hint, "offhand_of")


def check_spellings(dataset: Dataset) -> Iterator[Problem]:
    """One spelling for two persons makes names ambiguous."""
    first: dict[str, Player] = {}
    for player in dataset.players.values():
        if player.offhand_of is not None:
            continue  # it bears the name of its person
        for spelling in sorted({name.casefold() for name in (player.name, *player.spellings)}):
            other = first.setdefault(spelling, player)
            if other is not player:
                message = f"the name `{spelling}` is also one of `{other.id}`"
                hint = "look whether they are one person, or tell them apart"
                yield at_player(player, message, hint).as_warning("same spelling", other.id)


def check_twice(dataset: Dataset) -> Iterator[Problem]:
    """A person and his offhand identity do not play in the same event."""
    for event in dataset.events.values():
        for id_ in event.players:
            player = dataset.players.get(id_)
            if player is not None and player.offhand_of in event.players:
                message = f"`{id_}` and `{player.offhand_of}` are one person"
                yield at_event(event, player, message, "name the player under one of the two")


def check_series(dataset: Dataset) -> Iterator[Problem]:
    """A series of a single event is no series."""
    named = Counter(event.series for event in dataset.events.values())
    for event in dataset.events.values():
        if event.series is not None and named[event.series] == 1:
            message = f"no other event is of the series `{event.series}`"
            hint = "name it in the others too, or leave it out"
            line = event.lines.get("series", 1)
            yield Problem(event.path, line, "series", message, hint).as_warning("lone series")


def check_former_ids(dataset: Dataset) -> Iterator[Problem]:
    """Each former address leads to exactly one page."""
    for records in (dataset.players, dataset.events):
        first: dict[str, str] = {}
        for id_, record in records.items():
            for former in record.former_ids:
                other = former if former in records else first.setdefault(former, id_)
                if former in records or other != id_:
                    whose = "is in use" if other == former else f"is also named by `{other}`"
                    yield _at_former_ids(record, f"the former id `{former}` {whose}")
            if len(set(record.former_ids)) < len(record.former_ids):
                yield _at_former_ids(record, "a former id stands twice")


def _at_former_ids(record: Player | Event, message: str) -> Problem:
    place, hint = "former_ids", "take it away where it does not belong"
    if isinstance(record, Player):
        return at_player(record, message, hint, place)
    return Problem(record.path, record.lines.get(place, 1), place, message, hint)


CHECKS: tuple[Check, ...] = (
    check_lifetimes,
    check_ages,
    check_careers,
    check_lives,
    check_offhand,
    check_spellings,
    check_twice,
    check_series,
    check_former_ids,
)


def run(dataset: Dataset) -> list[Problem]:
    """Return what all the checks find."""
    return [problem for check in CHECKS for problem in check(dataset)]


def _appearances(dataset: Dataset) -> Iterator[tuple[Event, Player]]:
    for event in dataset.events.values():
        for id_ in event.players:
            player = dataset.players.get(id_)
            if player is not None:
                yield event, _with_life(player, dataset)


def _with_life(player: Player, dataset: Dataset) -> Player:
    """Return the player; an offhand identity with the dates of its person."""
    person = dataset.players.get(player.offhand_of or "")
    if person is None:
        return player
    return replace(player, born=person.born, died=person.died, woman=person.woman)


def starts(event: Event) -> datetime.date:
    """Return the first day on which the event can have been played, as far as its file says."""
    return first_day(event.dates.start if event.dates else PartialDate(event.year))


def ends(event: Event) -> datetime.date:
    """Return the last day on which the event can have been played."""
    return last_day(event.dates.end if event.dates else PartialDate(event.year))


def days_between(one: Event, other: Event) -> int | None:
    """Return the days from the end of the earlier event to the start of the later one.

    None unless all their dates are known to the day; 0 and less where they overlap.
    """
    for span in (one.dates, other.dates):
        if span is None or not all(d.day and not d.approximate for d in (span.start, span.end)):
            return None
    return max((starts(other) - ends(one)).days, (starts(one) - ends(other)).days)


def at_player(player: Player, message: str, hint: str, field: str = "") -> Problem:
    """Return a problem at the record of a player."""
    place = f"{player.id}, {field}" if field else player.id
    return Problem(player_path(player.id), player.line, place, message, hint)


def at_event(event: Event, player: Player, message: str, hint: str) -> Problem:
    """Return a problem at the first line of the event's file that mentions the player."""
    lines = [result.line for result in event.results if player.id in (result.first, result.second)]
    lines += [total.line for total in event.totals if total.player == player.id]
    line = lines[0] if lines else event.lines.get("players", 1)
    return Problem(event.path, line, "", message, hint)
