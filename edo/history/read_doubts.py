"""A record's fields come in; the doubts that it says an editor looked at go out."""

from __future__ import annotations

from edo.core.model import LookedAt
from edo.history.reading import Desk, Entry


def looked_at(entry: Entry) -> tuple[LookedAt, ...]:
    """Return the doubts that an entry says an editor looked at, as far as they could be read."""
    return tuple(
        LookedAt(item.value.get("doubt"), item.value.get("why"), item.value.get("about") or "",
                 item.line)
        for item in entry.get("looked_at") or ()
        if {"doubt", "why"} <= item.value.values.keys()
    )  # fmt: skip


def check_looked_at(desk: Desk, entry: Entry) -> None:
    """Note an error for each doubt that an entry names twice."""
    said: set[tuple[str, str]] = set()
    for one in looked_at(entry):
        if (one.doubt, one.about) in said:
            desk.error(one.line, f"doubt {one.doubt}", "it stands twice", "keep one of them")
        said.add((one.doubt, one.about))
