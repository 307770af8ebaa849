"""The list of published ids, which keeps the addresses of pages from vanishing unnoticed.

`ids.txt` in the folder of events has one line for each record with a page, such as
`players/morphy-paul`. `edo fmt` adds new ids; it never removes one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from edo.core import yaml
from edo.core.model import Dataset
from edo.core.problems import Problem

FILE = "ids.txt"
KINDS = ("events", "places", "players", "series", "sources")  # those with a page for each record
_HEADER = "# Published ids: `edo fmt` adds new ones. Delete a line only if its page may vanish.\n"


def vanished(dataset: Dataset, path: Path, shown_path: str) -> list[Problem]:
    """Return an error for each id of the list that no record has, or had formerly."""
    text, problems = yaml.read_text(path, shown_path)
    if text is None:
        return problems
    known = set(_ids(dataset))
    for kind, records in (("events", dataset.events), ("players", dataset.players)):
        for record in records.values():
            known.update(f"{kind}/{id_}" for id_ in record.former_ids)
    for line, entry in enumerate(text.splitlines(), 1):
        if entry.strip() and not entry.startswith("#") and entry not in known:
            problems.append(_gone(entry, line, shown_path))
    return problems


def _gone(entry: str, line: int, shown_path: str) -> Problem:
    kind, _, id_ = entry.partition("/")
    if kind not in KINDS or not id_:
        hint = f"write {', '.join(f'`{kind}/ID`' for kind in KINDS)}, one on each line"
        return Problem(shown_path, line, "", f"`{entry}` is not an id with its kind", hint)
    hint = "restore the record, or delete this line if its page may vanish"
    if kind in ("events", "players"):
        hint = f"list it under `former_ids` of the record that replaces it; else {hint}"
    return Problem(shown_path, line, "", f"the published id `{entry}` has vanished", hint)


def with_new_ids(dataset: Dataset, text: str) -> str:
    """Return the text of the list with the ids of all records added, sorted."""
    return with_ids(text, _ids(dataset))


def with_ids(text: str, new: Iterable[str], gone: Iterable[str] = ()) -> str:
    """Return the text of the list with and without some entries, sorted."""
    listed = {line for line in text.splitlines() if line.strip() and not line.startswith("#")}
    return _HEADER + "".join(f"{entry}\n" for entry in sorted(listed.union(new).difference(gone)))


def _ids(dataset: Dataset) -> Iterator[str]:
    for kind in KINDS:
        for id_ in getattr(dataset, kind):
            yield f"{kind}/{id_}"
