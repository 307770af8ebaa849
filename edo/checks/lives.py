"""Checks of players' lives: who cannot have played, and who may be two persons or the same one."""

from __future__ import annotations

import datetime
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace

from edo.checks.where import at_appearance, at_player, ends, starts
from edo.core import formats
from edo.core.model import Dataset, Event, PartialDate, Player
from edo.core.problems import Problem
from edo.history.names import YOUNGEST
from edo.history.notation import first_day, last_day

CHILD = 10  # [years] of the period's prodigies, few played in events earlier (Morphy, Reshevsky)
OLDEST = 95  # [years] no master of the period played a recorded event at this age
LONGEST = OLDEST - YOUNGEST  # [years] between the first and the last event of any life
BOUND = 200  # [years] clubs play on; each year costs a rating in every system and a page


def plays_out_of_life(dataset: Dataset) -> Iterator[Problem]:
    """Nobody plays before birth or after death, where all dates are certain."""
    return (problem for problem, certain in _out_of_life(dataset) if certain)


def may_play_out_of_life(dataset: Dataset) -> Iterator[Problem]:
    """Somebody plays before birth or after death, where a date is not certain."""
    return (problem for problem, certain in _out_of_life(dataset) if not certain)


def _out_of_life(dataset: Dataset) -> Iterator[tuple[Problem, bool]]:
    """Yield each such appearance, and whether all dates are certain.

    Where most appearances of a player are such, the date in his record is probably wrong: then one
    problem stands there instead.
    """
    played = Counter(id_ for event in dataset.events.values() for id_ in event.players)
    outside: defaultdict[tuple[str, str], list[tuple[Event, Player]]] = defaultdict(list)
    for event, player in _appearances(dataset):
        if player.born is not None and ends(event) < first_day(player.born):
            outside[player.id, "born"].append((event, player))
        if player.died is not None and starts(event) > last_day(player.died):
            outside[player.id, "died"].append((event, player))
    for (id_, field), there in outside.items():
        problems = [_plays(event, player, field) for event, player in there]
        if 1 < len(there) > played[id_] / 2:
            (problem, _), more = problems[0], formats.counted(len(there) - 1, "more event")
            player = dataset.players[id_]
            person = dataset.players[player.offhand_of or id_]
            message = f"{problem.message} in `{there[0][0].id}` and {more}"
            hint = "correct the date, or the name in these events"
            certain = any(certain for _, certain in problems)
            yield at_player(person, message, hint, about=id_), certain
        else:
            yield from problems


def _plays(event: Event, player: Player, field: str) -> tuple[Problem, bool]:
    his, span = "her" if player.woman else "his", event.dates
    date = player.born if field == "born" else player.died
    when = f"before {his} birth" if field == "born" else f"after {his} death"
    message = f"`{player.id}` plays {when} ({span or event.year}, {date})"
    hint = "correct the name or one of the dates"
    problem = at_appearance(event, player, message, hint, player.id)
    dates = (date, span.start, span.end) if span else ()
    return problem, bool(dates) and not any(one is None or one.approximate for one in dates)


def unlikely_ages(dataset: Dataset) -> Iterator[Problem]:
    """A very young or very old player is often a namesake."""
    unborn = {problem.about for problem, _ in _out_of_life(dataset) if "birth" in problem.message}
    for event, player in _appearances(dataset):
        born, died = player.born, player.died
        if born is None or player.id in unborn:
            continue  # the date of birth is wrong, or he is a namesake anyway
        oldest, youngest = _age(first_day(born), ends(event)), _age(last_day(born), starts(event))
        if (oldest >= CHILD and youngest <= OLDEST) or oldest < 0:
            continue
        if died is None or starts(event) <= last_day(died):
            age = f"at least {youngest}" if youngest > OLDEST else f"at most {oldest}"
            message = f"`{player.id}` plays at the age of {age}"
            yield at_appearance(event, player, message, "look whether it is a namesake", player.id)


def _age(born: datetime.date, on: datetime.date) -> int:
    """Return the age [years] on a day, negative before birth."""
    return on.year - born.year - ((on.month, on.day) < (born.month, born.day))


def impossible_careers(dataset: Dataset) -> Iterator[Problem]:
    """A career far longer than a life means a wrong year."""
    return (problem for problem, length in _long_careers(dataset) if length > BOUND)


def long_careers(dataset: Dataset) -> Iterator[Problem]:
    """A career longer than a life means namesakes; where a birth is known the age says it."""
    return (
        problem
        for problem, length in _long_careers(dataset)
        if length <= BOUND and _with_life(dataset.players[problem.about], dataset).born is None
    )


def _long_careers(dataset: Dataset) -> Iterator[tuple[Problem, int]]:
    """Yield the last event of each career that is too long, with its length [years]."""
    first: dict[str, int] = {}
    last: dict[str, Event] = {}
    for event in dataset.events.values():  # by year
        for id_ in event.players:
            first.setdefault(id_, event.year)
            last[id_] = event
        for result in event.results:
            if result.year is not None:  # the games count for an earlier year
                for id_ in (result.first, result.second):
                    first[id_] = min(first[id_], result.year)
    for id_, event in last.items():
        player, length = dataset.players.get(id_), event.year - first[id_]
        if player is not None and length > LONGEST:
            his = "her" if player.woman else "his"
            message = f"`{id_}` plays {length:,} years after {his} first games, of {first[id_]}"
            hint = "look whether it is a namesake"
            yield at_appearance(event, player, message, hint, id_), length


def same_dates(dataset: Dataset) -> Iterator[Problem]:
    """Two players with the same dates of birth and death may be one under two names."""
    first: dict[tuple[PartialDate, PartialDate], Player] = {}
    for player in dataset.players.values():
        life = known_life(player)
        if life is None or player.offhand_of:
            continue
        namesake = first.setdefault(life, player)
        if namesake is not player:
            message = f"born and died on the same days as `{namesake.id}`"
            hint = "look whether they are one person"
            yield at_player(player, message, hint, about=namesake.id)


def known_life(player: Player) -> tuple[PartialDate, PartialDate] | None:
    """Return the days of birth and death, None where one of them is not known to the day."""
    born, died = player.born, player.died
    return (born, died) if born and died and born.day and died.day else None


def same_spellings(dataset: Dataset) -> Iterator[Problem]:
    """One spelling for two persons makes names ambiguous."""
    first: dict[str, Player] = {}
    for player in dataset.players.values():
        if player.offhand_of is not None:
            continue  # it bears the name of its person
        for spelling in sorted({name.casefold() for name in (player.name, *player.spellings)}):
            namesake = first.setdefault(spelling, player)
            if namesake is not player:
                message = f"the name `{spelling}` is also one of `{namesake.id}`"
                hint = "look whether they are one person, or tell them apart"
                yield at_player(player, message, hint, about=namesake.id)


def offhand_of_offhand(dataset: Dataset) -> Iterator[Problem]:
    """An offhand identity belongs to a person, not to another offhand identity."""
    for player in dataset.players.values():
        person = dataset.players.get(player.offhand_of or "")
        if person is not None and person is not player and person.offhand_of is not None:
            message = f"`{person.id}` is an offhand identity itself"
            hint = f"name the person, `{person.offhand_of}`"
            yield at_player(player, message, hint, "offhand_of")


def person_twice_in_event(dataset: Dataset) -> Iterator[Problem]:
    """A person and his offhand identity do not play in the same event."""
    for event in dataset.events.values():
        for id_ in event.players:
            player = dataset.players.get(id_)
            if player is not None and player.offhand_of in event.players:
                message = f"`{id_}` and `{player.offhand_of}` are one person"
                hint = "name the player under one of the two"
                yield at_appearance(event, player, message, hint)


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
