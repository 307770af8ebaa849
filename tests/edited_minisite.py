"""Edited copies of the minisite's events, for tests of `edo diff`."""

from __future__ import annotations

import shutil
from pathlib import Path

from conftest import MINISITE

from edo.diff.edition import Edition, edition_of
from edo.history.dataset import load
from edo.rating import edo


def copy(folder: Path) -> Path:
    """Copy the minisite's events to a new folder."""
    return Path(shutil.copytree(MINISITE / "events", folder))


def replace(events: Path, name: str, *changes: tuple[str, str]) -> None:
    """Replace texts that occur exactly once in an event file."""
    path = events / name
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, (name, old)
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def rate(events: Path, name: str = "") -> Edition:
    """Return the edition of a folder of events."""
    dataset = load(events)
    return edition_of(name or events.name, dataset, edo.rate(dataset))
