"""What an import of a collection found and was unsure about in; a report for editors out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from edo.core.yaml import Plain

SHOWN = 200  # findings of one kind in the text; the JSON has more
KEPT = 10_000  # findings of one kind in the JSON; all are counted

SECTIONS = {
    "drafted": ("Drafts", "Compare each with a source, then move it into the folder `events/`."),
    "unsure": ("Drafts with doubts", "Look at each before it is moved."),
    "already": (
        "Already in the history",
        "Not drafted again. Where the collection differs, look which of the two is right.",
    ),
    "perhaps": (
        "Perhaps already in the history",
        "Not drafted. If it is another event, enter it with `python -m edo new`.",
    ),
    "apart": (
        "Events set apart",
        "Not drafted, because their results say little of strength. Nothing is to be done.",
    ),
    "mapped": (
        "Spellings taken for known players",
        "If one is wrong, correct the id in the drafts; if right, add it to the player's "
        "`spellings`.",
    ),
    "new": (
        "Proposed new players",
        "They are in `players.yaml`. If one is a candidate after all, put the candidate's id into "
        "the drafts instead.",
    ),
    "left out": ("Games left out", "Correct the collection where a result or a name is known."),
    "twice": ("Games that stand twice", "One of each is kept."),
    "at odds": (
        "Games that contradict each other",
        "Neither is kept. Look up the result and add it to the draft.",
    ),
    "dates": ("Dates that cannot be", "The part that can be is kept."),
    "bare": ("Games without moves", "Look whether they were won by default."),
}
"""Each kind of finding, with its title and what to do about it."""


@dataclass(slots=True)
class _Section:
    number: int = 0
    findings: list[dict[str, Plain]] = field(default_factory=list)


class Ledger:
    """Collects findings, each with its place and a sentence; counts those beyond measure."""

    def __init__(self) -> None:
        self._sections = {name: _Section() for name in SECTIONS}

    def note(self, section: str, place: str, text: str, **more: Plain) -> None:
        """Add one finding; `more` goes into the JSON only."""
        held = self._sections[section]
        held.number += 1
        if len(held.findings) < KEPT:
            held.findings.append({"place": place, "text": text, **more})

    def number(self, section: str) -> int:
        """Return how many findings of the kind there are."""
        return self._sections[section].number

    def text(self, counts: Mapping[str, Plain], files: Iterable[str]) -> str:
        """Return the report as Markdown."""
        lines = ["# Import of games", "", *(f"- {line}" for line in files), ""]
        lines += [f"- {name}: {value}" for name, value in counts.items()]
        for name, held in self._sections.items():
            if held.number:
                lines += ["", *_in_words(SECTIONS[name], held)]
        return "\n".join(lines) + "\n"

    def data(self, counts: Mapping[str, Plain], files: Sequence[Plain]) -> dict[str, Plain]:
        """Return the report for machines."""
        return {
            "files": files,
            "counts": counts,
            "sections": {
                name: {"title": SECTIONS[name][0], "number": held.number,
                       "findings": held.findings}
                for name, held in self._sections.items()
            },
        }  # fmt: skip


def _in_words(heading: tuple[str, str], held: _Section) -> list[str]:
    title, what_to_do = heading
    lines = [f"## {title} ({held.number})", "", what_to_do, ""]
    lines += [
        f"- {_plain(each['place'])}: {_plain(each['text'])}" for each in held.findings[:SHOWN]
    ]
    if held.number > SHOWN:
        lines.append(f"- and {held.number - SHOWN} more, in `report.json`")
    return lines


def _plain(text: Plain) -> str:
    """Return text of a collection that is neither markup nor HTML in a report."""
    shown = str(text)
    for mark in "\\<>[]*_#|":
        shown = shown.replace(mark, f"\\{mark}")
    return shown
