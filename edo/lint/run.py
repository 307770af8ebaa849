"""Warnings about a dataset that was read, and the acknowledgements that settle them.

To add a warning, write a function from Dataset to problems and add it to one of the two lists.

An entry under `acknowledged` of a record settles one warning of one kind. An entry that matches no
warning is itself a warning, because the warning may have come back in another form.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from edo.core.model import Dataset
from edo.core.problems import Acknowledgement, Problem
from edo.core.settings import DEFAULT, Settings
from edo.history.checks import Check, player_path
from edo.lint.events import citations_of, entered_twice, no_page, totals_add_up, two_places
from edo.lint.names import close_names
from edo.lint.scores import surprising_scores
from edo.lint.titles import untidy_names


def unused_entries(dataset: Dataset) -> Iterator[Problem]:
    """Sources, places, series and players that nothing names.

    Kinds of odds are left out: the list is taken over whole from its source.
    """
    events = dataset.events.values()
    cited = {one.source for event in events for one in citations_of(event)}
    cited |= {one.source for player in dataset.players.values() for one in player.sources}
    played = {id_ for event in events for id_ in event.players}
    played |= {dataset.players[id_].offhand_of or id_ for id_ in played if id_ in dataset.players}
    places, series = ({getattr(event, name) for event in events} for name in ("place", "series"))
    for kind, records, used, message in (
        ("sources", dataset.sources, cited, "nothing cites this source"),
        ("places", dataset.places, places, "no event is at this place"),
        ("series", dataset.series, series, "no event is of this series"),
        ("players", dataset.players, played, "no event names this player"),
    ):
        for id_, record in records.items():
            if id_ not in used:
                path = player_path(id_) if kind == "players" else f"events/{kind}.yaml"
                hint = "use it, correct the id, or delete it"
                yield Problem(path, record.line, id_, message, hint, "warning")


OF_ANY: tuple[Check, ...] = (
    close_names,
    two_places,
    entered_twice,
    totals_add_up,
    no_page,
    untidy_names,
)
"""Warnings that make sense even where files with errors are missing in the dataset."""
OF_WHOLE: tuple[Check, ...] = (unused_entries,)
"""Warnings that need every file, because a missing one may settle them; `surprising_scores` too."""

_Record = tuple[str, str]
"""The path of a file, and the id of a player in it."""
_Key = tuple[_Record, str, str]
"""A record, the kind of the warning, and whom or what it is about."""


def run(dataset: Dataset, whole: bool = True, settings: Settings = DEFAULT) -> list[Problem]:
    """Return the warnings; `whole` says that no file is missing in the dataset.

    `settings` are those of the ratings, by which scores are judged.
    """
    checks = OF_ANY + OF_WHOLE if whole else OF_ANY
    scores = surprising_scores(dataset, settings) if whole else ()
    return [*(problem for check in checks for problem in check(dataset)), *scores]


def settle(
    problems: Sequence[Problem], dataset: Dataset, whole: bool = True
) -> tuple[list[Problem], int]:
    """Return the problems that no record acknowledges, and the number of those that one does.

    `whole` says that no file is missing in the dataset: else some warnings are not raised, and
    acknowledgements without a warning are not reported.
    """
    records = dict(_records(dataset))
    given: dict[_Key, Acknowledgement] = {
        (record, one.warning, one.about): one for record, all_ in records.items() for one in all_
    }
    keys = [_key(one, records) for one in problems]
    raised = {key: one for key, one in zip(keys, problems, strict=True) if one.warning}
    left = [one for key, one in zip(keys, problems, strict=True) if key not in given]
    left += _unmatched(given, raised) if whole else ()
    return left, len(given.keys() & raised.keys())


def _records(dataset: Dataset) -> Iterator[tuple[_Record, tuple[Acknowledgement, ...]]]:
    for event in dataset.events.values():
        yield (event.path, ""), event.acknowledged
    for player in dataset.players.values():
        yield (player_path(player.id), player.id), player.acknowledged


def _key(problem: Problem, records: Container[_Record]) -> _Key:
    own = problem.path, problem.place
    return own if own in records else (problem.path, ""), problem.warning, problem.about


def _unmatched(
    given: Mapping[_Key, Acknowledgement], raised: Mapping[_Key, Problem]
) -> Iterator[Problem]:
    """Yield a warning for each entry without a warning, with the warnings of its record."""
    for key, one in given.items():
        if key in raised:
            continue
        (path, id_), warning, about = key
        there = [found.acknowledgement for other, found in raised.items() if other[0] == key[0]]
        yield Problem(
            path,
            one.line,
            f"{id_}, acknowledged" if id_ else "acknowledged",
            f"there is no warning `{warning}`{f' about `{about}`' if about else ''} here",
            f"delete it, or write one that there is: {'; '.join(there)}" if there else "delete it",
            "warning",
        )
