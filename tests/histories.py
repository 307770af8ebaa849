"""Copies of the invented history with single changes in them, for the tests of what moved."""

from __future__ import annotations

import shutil
from pathlib import Path

from conftest import MINISITE

from edo.diff import snapshot
from edo.diff.snapshot import Edition
from edo.export.tabular import History
from edo.history.dataset import load
from edo.rating import edo


def copy(folder: Path) -> Path:
    """Copy the invented events to a folder that is not there yet."""
    return Path(shutil.copytree(MINISITE / "events", folder))


def replace(events: Path, name: str, *changes: tuple[str, str]) -> None:
    """Replace texts that stand once in a file of the events."""
    path = events / name
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, (name, old)
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def edition(events: Path, name: str = "") -> Edition:
    """Rate a folder of events."""
    dataset = load(events)
    return snapshot.of_history(History(dataset, edo.rate(dataset)), name or events.name)
