"""Checks of the rounds of an event: who meets whom in a round, and who plays on after a defeat."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from edo.core.model import Dataset, Event, Result
from edo.core.problems import Problem
from edo.history.notation import TOLERANCE

_NUMBERED = re.compile(
    r"\b(?:round|matchday|week) \d+$|^(?:first|second|third|fourth|fifth) round$", re.IGNORECASE
)
_KNOCK_OUT = re.compile(r"\bknock-?out", re.IGNORECASE)
_MORE = re.compile(  # who is beaten there may play on
    r"double|elimination|group|losers|swiss|all-play-all|class|places|some kind", re.IGNORECASE
)
_STAGE = re.compile(r"\bfinals?\b|\bsemi-?finals?|\bquarter-?finals?|^(?:last|round of) \d+$", re.I)
_BESIDE = re.compile(r"\bplaces?\b|\bthird\b|3rd|consolation|losers|minor|play-?off", re.I)


def round_names(dataset: Dataset) -> Iterator[Problem]:
    """Two rounds of an event have different names."""
    for event in dataset.events.values():
        names = Counter(one.name.casefold() for one in event.rounds)
        for round_ in event.rounds:
            if names.pop(round_.name.casefold(), 0) > 1:
                message = f"two rounds are called `{round_.name}`"
                hint = "make one round of the two, or correct a name"
                yield _at(event, event.lines.get("rounds", 1), message, hint)


def twice_in_round(dataset: Dataset) -> Iterator[Problem]:
    """Nobody has two opponents in one round."""
    for event in dataset.events.values():
        first: dict[str, Problem] = {}
        for index, results in sorted(_by_round(event).items()):
            name = event.rounds[index].name
            stage = event.format is not None and _is_knock_out(event) and _STAGE.search(name)
            if not (stage or _NUMBERED.search(name)):
                continue  # such as a group, or rounds that no source tells apart
            for player, others in _opponents(results).items():
                if len(others) > 1:
                    one, two = list(others)[:2]
                    message = f"`{player}` meets both `{one}` and `{two}` in {name}"
                    hint = "look for a namesake, or a pairing in a wrong round"
                    problem = _at(event, others[two].line, message, hint, player)
                    first.setdefault(player, problem)
        yield from first.values()


def beaten_and_on(dataset: Dataset) -> Iterator[Problem]:
    """Who has lost in a knock-out plays on for a place at most."""
    for event in dataset.events.values():
        if not _is_knock_out(event):
            continue
        beaten: dict[str, str] = {}
        for index, results in sorted(_by_round(event).items()):
            name = event.rounds[index].name
            pairs = _pairs(results)
            ahead = any(beaten.keys().isdisjoint(pair) for pair in pairs)
            for pair, games in pairs.items():
                lost = [player for player in pair if player in beaten]
                # Two who were beaten play for the third place beside others who play for the first.
                for_place = _BESIDE.search(name) or (ahead and len(lost) == len(pair))
                if lost and not for_place:
                    message = f"`{lost[0]}` lost in {beaten[lost[0]]} and plays on in {name}"
                    hint = "correct a result or a name, or call it a match for a place"
                    yield _at(event, games[0].line, message, hint, lost[0])
            for pair, games in pairs.items():
                if (loser := _loser(pair, games)) is not None:
                    beaten.setdefault(loser, name)


def _at(event: Event, line: int, message: str, hint: str, about: str = "") -> Problem:
    return Problem(event.path, line, "rounds", message, hint, about=about)


def _by_round(event: Event) -> Mapping[int, Sequence[Result]]:
    found: defaultdict[int, list[Result]] = defaultdict(list)
    for result in event.results:
        if result.round is not None:
            found[result.round].append(result)
    return found


def _is_knock_out(event: Event) -> bool:
    """Whether an event is a knock-out by its format, or by the names of its rounds without one."""
    if event.kind != "tournament" or not event.rounds:
        return False
    if event.format is not None:
        return bool(_KNOCK_OUT.search(event.format)) and not _MORE.search(event.format)
    return all(
        _STAGE.search(event.rounds[index].name)
        and all(len(others) == 1 for others in _opponents(results).values())
        for index, results in _by_round(event).items()
    )


def _opponents(results: Sequence[Result]) -> Mapping[str, Mapping[str, Result]]:
    """Return each player's opponents, with the first result against each."""
    opponents: defaultdict[str, dict[str, Result]] = defaultdict(dict)
    for result in results:
        opponents[result.first].setdefault(result.second, result)
        opponents[result.second].setdefault(result.first, result)
    return opponents


def _pairs(results: Sequence[Result]) -> Mapping[tuple[str, str], Sequence[Result]]:
    pairs: defaultdict[tuple[str, str], list[Result]] = defaultdict(list)
    for result in results:
        first, second = sorted((result.first, result.second))
        pairs[first, second].append(result)
    return pairs


def _loser(pair: tuple[str, str], games: Sequence[Result]) -> str | None:
    """Return who made fewer points, with the games that decided a tie; None where nobody did."""
    made = dict.fromkeys(pair, 0.0)
    for result in games:
        made[result.first] += result.points_first
        made[result.second] += result.points_second
    first, second = pair
    if abs(made[first] - made[second]) < TOLERANCE:
        return None
    return first if made[first] < made[second] else second
