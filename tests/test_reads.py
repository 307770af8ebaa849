"""What a view looks up is noted, and its digest changes with what was looked up alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import pytest

from edo.site import reads
from edo.site.reads import Log


@dataclass(frozen=True)
class Part:
    names: Mapping[str, str]


@dataclass(frozen=True)
class Event:
    name: str


@dataclass(frozen=True)
class Tables:
    part: Part
    events: Mapping[str, tuple[Event, ...]]
    numbers: tuple[int, ...] = (1, 2)
    years: Mapping[int, int] = field(default_factory=dict)


TABLES = Tables(Part({"a": "A", "b": "B"}), {"a": (Event("x"), Event("y"))}, years={1: 2})


def looked_up(tables: Tables, view) -> tuple[reads.Reads, str]:
    """Return what a view of the tables looks up, and the digest of that."""
    log = Log((Part,), (Event,))
    made = partial(view, log.recorded(tables))
    log.begin()
    made()
    found = log.reads()
    assert reads.unpacked(reads.packed(found)) == found
    return found, log.digest_of(made, found)


def test_what_is_looked_up_is_noted_also_where_nothing_is_found():
    def view(tables: Tables) -> object:
        return tables.part.names["a"], tables.years.get(3), "z" in tables.events

    assert looked_up(TABLES, view)[0] == {"part.names": ["a"], "years": [3], "events": ["z"]}


@pytest.mark.parametrize("through", [list, len, lambda table: [*table.items()], bool])
def test_going_through_a_table_notes_all_of_it(through):
    assert "*" in looked_up(TABLES, lambda tables: through(tables.part.names))[0]["part.names"]


@pytest.mark.parametrize("shared", [set(), {"events", "part.names"}])
def test_the_digest_follows_what_was_looked_up_and_nothing_else(
    shared: set[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(reads, "SHARED", shared)

    def view(tables: Tables) -> object:
        return tables.part.names.get("a"), tables.events["a"]

    def digest(tables: Tables) -> str:
        return looked_up(tables, view)[1]

    first = digest(TABLES)
    assert digest(replace(TABLES, part=Part({"a": "A", "b": "other"}), years={})) == first
    assert digest(replace(TABLES, part=Part({"a": "other", "b": "B"}))) != first
    assert digest(replace(TABLES, part=Part({"b": "B"}))) != first
    assert digest(replace(TABLES, events={"a": (Event("x"), Event("z"))})) != first


def test_what_a_view_is_given_counts_too():
    log = Log((Part,), (Event,))
    tables = log.recorded(TABLES)
    assert len({log.digest_of(partial(len, (tables, k)[1:]), {}) for k in (1, 1, 2)}) == 2


def test_what_is_no_table_cannot_be_looked_up_unseen():
    with pytest.raises(TypeError):
        looked_up(TABLES, lambda tables: tables.numbers[0])
    with pytest.raises(TypeError):
        looked_up(TABLES, lambda tables: list(tables.numbers))
    assert looked_up(TABLES, lambda tables: tables.numbers.count(1))[0] == {"numbers": ["*"]}
