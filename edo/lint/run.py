"""A dataset that was read comes in; what an editor should look at once more goes out, as notices.

To add a doubt, write a function from Dataset to problems and put it into one of the two lists.

A mark on a record, `looked_at`, settles one doubt of one kind. One that settles nothing is itself a
notice, for the doubt that it was about may have come back in another form.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from edo.core.model import Dataset
from edo.core.problems import LookedAt, Problem
from edo.history.checks import Check, player_path
from edo.lint.events import entered_twice, two_places
from edo.lint.names import close_names
from edo.lint.scores import surprising_scores
from edo.lint.unused import no_page, unused_places, unused_players, unused_series, unused_sources

OF_ANY: tuple[Check, ...] = (close_names, two_places, entered_twice, no_page)
"""Doubts that a dataset raises even where files with errors are missing in it."""
OF_WHOLE: tuple[Check, ...] = (
    unused_sources,
    unused_places,
    unused_series,
    unused_players,
    surprising_scores,
)
"""Doubts that ask for every file, because the missing one may dispel them."""

_Record = tuple[str, str]
"""The path of a file, and the id of a player in it."""
_Key = tuple[_Record, str, str]
"""A record, the kind of the doubt, and whom or what it is about."""


def run(dataset: Dataset, whole: bool = True) -> list[Problem]:
    """Return the doubts; `whole` says that no file is missing in the dataset."""
    doubts = OF_ANY + OF_WHOLE if whole else OF_ANY
    return [problem for doubt in doubts for problem in doubt(dataset)]


@dataclass(frozen=True, slots=True)
class Settled:
    """The problems that are open, and the number of doubts that an editor looked at."""

    open: tuple[Problem, ...]
    looked_at: int


def settle(problems: Sequence[Problem], dataset: Dataset, whole: bool = True) -> Settled:
    """Return what is open of all that was found in a dataset.

    `whole` says that no file is missing in it: else some doubts are not raised, and nothing is told
    of marks that settle nothing.
    """
    records = dict(_records(dataset))
    marks: dict[_Key, LookedAt] = {
        (record, one.doubt, one.about): one for record, said in records.items() for one in said
    }
    keys = [_key(one, records) for one in problems]
    raised = {key: one for key, one in zip(keys, problems, strict=True) if one.doubt}
    left = [one for key, one in zip(keys, problems, strict=True) if key not in marks]
    idle = list(_idle(marks, raised)) if whole else []
    return Settled((*left, *idle), len(marks.keys() & raised.keys()))


def _records(dataset: Dataset) -> Iterator[tuple[_Record, tuple[LookedAt, ...]]]:
    for event in dataset.events.values():
        yield (event.path, ""), event.looked_at
    for player in dataset.players.values():
        yield (player_path(player.id), player.id), player.looked_at


def _key(problem: Problem, records: Container[_Record]) -> _Key:
    own = problem.path, problem.place
    return own if own in records else (problem.path, ""), problem.doubt, problem.about


def _idle(marks: Mapping[_Key, LookedAt], raised: Mapping[_Key, Problem]) -> Iterator[Problem]:
    """Yield a notice for each mark without a doubt, with the doubts that its record does raise."""
    for key, one in marks.items():
        if key in raised:
            continue
        (path, id_), doubt, about = key
        there = [found.mark for other, found in raised.items() if other[0] == key[0]]
        yield Problem(
            path,
            one.line,
            f"{id_}, looked_at" if id_ else "looked_at",
            f"no doubt `{doubt}`{f' about `{about}`' if about else ''} arises here",
            f"delete it, or write one that does: {'; '.join(there)}" if there else "delete it",
            "notice",
        )
