"""The list of all checks, running them, and settling the warnings that editors acknowledged.

To add a check, write a function from Dataset to problems, and name it in CHECKS: as an error, which
refuses the history, or as a kind of warning.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from edo.checks import events, lives, rounds, states, titles
from edo.checks.namesakes import close_names
from edo.checks.scores import surprising_scores
from edo.checks.twice import entered_twice
from edo.checks.where import player_path
from edo.core.model import Dataset
from edo.core.problems import Acknowledgement, Problem
from edo.history.dataset import Reading, Readings, read_partially
from edo.history.names import nearest
from edo.history.values import shown
from edo.rating.edo import FittedNetwork

KINDS: Mapping[str, str] = {
    "lifetime": "games before the birth or after the death of",
    "age": "the age of",
    "same dates": "born and dead on the same days as",
    "same spelling": "a name written like that of",
    "lone series": "the only event of its series",
    "series": "a title that names a series that the event is not in,",
    "close name": "a name close to that of",
    "two places": "players who were elsewhere within a week, in",
    "two sections": "players who are also in another section,",
    "entered twice": "perhaps the same event as",
    "totals": "totals that do not add up",
    "rounds": "rounds that cannot all be right, with",
    "no page": "no source says where in it this stands",
    "score": "a score far from what the ratings expect of",
    "country": "a country that was no state, or one of several, in a year of play",
    "name": "a name that looks copied from a database, or is spelled in two ways",
}
"""The kinds of warnings, as editors name them to acknowledge one, and as pages say them."""


@dataclass(frozen=True, slots=True)
class Check:
    """A check, and what it says: an error, a warning of a kind, or one of no kind.

    A warning of no kind cannot be acknowledged. A check that `needs` the whole history waits until
    no file has an error, because a missing one may settle what it finds; one that needs the ratings
    is a function of these as well.
    """

    find: Callable[..., Iterable[Problem]]
    says: str
    needs: Literal["", "whole", "ratings"] = ""

    def run(self, *given: object) -> Iterator[Problem]:
        """Yield what the check finds, as it says it."""
        kind = self.says if self.says in KINDS else ""
        for problem in self.find(*given):
            yield replace(
                problem,
                severity="error" if self.says == "error" else "warning",
                warning=kind,
                about=problem.about if kind else "",
            )


def unknown_kinds(dataset: Dataset) -> Iterator[Problem]:
    """What is acknowledged is a warning of one of the kinds."""
    for (path, id_), acknowledged in _acknowledged(dataset):
        for entry in acknowledged:
            if entry.warning not in KINDS:
                place = f"{id_}, acknowledged" if id_ else "acknowledged"
                message = f"{shown(entry.warning)} is not one of {', '.join(KINDS)}"
                hint = nearest(entry.warning, KINDS, "write one of them")
                yield Problem(path, entry.line, place, message, hint)


CHECKS = (
    Check(lives.plays_out_of_life, "error"),
    Check(lives.may_play_out_of_life, "lifetime"),
    Check(lives.unlikely_ages, "age"),
    Check(lives.impossible_careers, "error"),
    Check(lives.long_careers, "age"),
    Check(lives.same_dates, "same dates"),
    Check(lives.same_spellings, "same spelling"),
    Check(lives.offhand_of_offhand, "error"),
    Check(lives.person_twice_in_event, "error"),
    Check(states.no_state, "country"),
    Check(states.several_states, "country"),
    Check(close_names, "close name", needs="whole"),
    Check(titles.remains_in_names, "name"),
    Check(titles.names_without_comma, "name"),
    Check(titles.remains_in_places, "warning"),
    Check(titles.russian_names, "name"),
    Check(titles.dashes_in_titles, "name"),
    Check(titles.places_in_titles, "name"),
    Check(titles.series_in_titles, "series"),
    Check(titles.spellings_in_titles, "name"),
    Check(titles.women_are_marked, "name"),
    Check(events.two_places, "two places", needs="whole"),
    Check(events.two_sections, "two sections"),
    Check(entered_twice, "entered twice"),
    Check(events.totals_add_up, "totals"),
    Check(events.rows_in_order, "warning"),
    Check(events.no_page, "no page"),
    Check(events.still_to_come, "warning"),
    Check(rounds.round_names, "warning"),
    Check(rounds.twice_in_round, "rounds"),
    Check(rounds.beaten_and_on, "rounds"),
    Check(events.lone_series, "lone series", needs="whole"),
    Check(events.former_ids, "error"),
    Check(unknown_kinds, "error"),
    Check(events.unused_records, "warning", needs="whole"),
    Check(surprising_scores, "score", needs="ratings"),
)


def read(folder: Path, readings: Readings | None = None) -> Reading:
    """Return what could be read of a folder of events, with the errors that the checks find."""
    reading = read_partially(folder, readings)
    errors = (problem for check in CHECKS if check.says == "error"
              for problem in check.run(reading.dataset))  # fmt: skip
    return replace(reading, problems=tuple(sorted({*reading.problems, *errors})))


def warnings(dataset: Dataset, whole: bool, rated: FittedNetwork | None) -> Iterator[Problem]:
    """Yield all warnings; `rated` are the ratings, None where there are none.

    `whole` says that no file is missing in the dataset.
    """
    for check in CHECKS:
        if check.says == "error" or (check.needs and not whole):
            continue
        if check.needs != "ratings":
            yield from check.run(dataset)
        elif rated is not None:
            yield from check.run(dataset, rated)


_Record = tuple[str, str]
"""The path of a file, and the id of a player in it."""
_Key = tuple[_Record, str, str]
"""A record, the kind of the warning, and whom or what it is about."""


def settle(
    problems: Sequence[Problem], dataset: Dataset, whole: bool = True
) -> tuple[list[Problem], int]:
    """Return the problems that no record acknowledges, and the number of those that one does.

    An entry under `acknowledged` of a record settles one warning of one kind. An entry that matches
    no warning is itself a warning, because the warning may have come back in another form. `whole`
    says that no file is missing in the dataset: else some warnings are not raised, and such entries
    are not reported.
    """
    records = dict(_acknowledged(dataset))
    acknowledged: dict[_Key, Acknowledgement] = {
        (record, entry.warning, entry.about): entry
        for record, entries in records.items()
        for entry in entries
    }
    keys = [_key(problem, records) for problem in problems]
    raised = {key: problem for key, problem in zip(keys, problems, strict=True) if problem.warning}
    left = [problem for key, problem in zip(keys, problems, strict=True) if key not in acknowledged]
    left += _unmatched(acknowledged, raised) if whole else ()
    return left, len(acknowledged.keys() & raised.keys())


def _acknowledged(dataset: Dataset) -> Iterator[tuple[_Record, tuple[Acknowledgement, ...]]]:
    for event in dataset.events.values():
        yield (event.path, ""), event.acknowledged
    for player in dataset.players.values():
        yield (player_path(player.id), player.id), player.acknowledged


def _key(problem: Problem, records: Container[_Record]) -> _Key:
    record = problem.path, problem.place
    if record not in records:
        record = problem.path, ""
    return record, problem.warning, problem.about


def _unmatched(
    acknowledged: Mapping[_Key, Acknowledgement], raised: Mapping[_Key, Problem]
) -> Iterator[Problem]:
    """Yield a warning for each entry without a warning, with the warnings of its record."""
    for key, entry in acknowledged.items():
        if key in raised or entry.warning not in KINDS:
            continue
        (path, id_), warning, about = key
        there = [problem.acknowledgement for other, problem in raised.items() if other[0] == key[0]]
        yield Problem(
            path,
            entry.line,
            f"{id_}, acknowledged" if id_ else "acknowledged",
            f"there is no warning `{warning}`{f' about `{about}`' if about else ''} here",
            f"delete it, or write one that there is: {'; '.join(there)}" if there else "delete it",
            "warning",
        )
