"""Reports of imports for editors, as Markdown and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from edo.core.yaml import Plain
from edo.importers.known import Already
from edo.importers.names import Roster

SHOWN = 200  # findings of one kind in the Markdown; the JSON has more
KEPT = 10_000  # findings of one kind in the JSON; all are counted

SECTIONS = {
    "drafted": ("Drafts", "Compare each with a source, then move it into the folder `events/`."),
    "unsure": ("Drafts with warnings", "Look at each before it is moved."),
    "refused": ("Events not drafted", "Correct the table, or enter the event by hand."),
    "already": (
        "Already in the history",
        "Compare the differences with the sources and correct the file where it is wrong.",
    ),
    "perhaps": (
        "Perhaps already in the history",
        "If it is another event, enter it as a new one; otherwise compare the two.",
    ),
    "apart": (
        "Events set apart",
        "Not drafted, because their results say little about strength. Nothing needs to be done.",
    ),
    "exact": ("Names of known players", "Nothing needs to be done."),
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
    "twice": ("Duplicate games", "One of each is kept."),
    "conflicts": (
        "Games that contradict each other",
        "Neither is kept. Look up the result and add it to the draft.",
    ),
    "dates": ("Impossible dates", "The part that is possible is kept."),
    "bare": ("Games without moves", "Check whether they were won by default."),
}
"""Each kind of finding, with its title and what to do about it."""


@dataclass(slots=True)
class _Section:
    number: int = 0
    findings: list[dict[str, Plain]] = field(default_factory=list)


class Report:
    """Collects findings, each with its place and a sentence, and counts them."""

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

    def note_names(self, roster: Roster, new: Sequence[str]) -> None:
        """Note who was recognized, and by which spelling; `new` are the new players drafted."""
        for each in sorted(roster.mapped, key=lambda each: (each.text, each.match.player or "")):
            text = f"`{each.text}` ({each.when}, {each.count} games) is {each.match.player}"
            self.note("mapped", each.place, f"{text}: {each.match.reason}",
                      player=each.match.player)  # fmt: skip
        for player in (one for one in roster.new if one.id in new):
            spelled = ", ".join(f"`{each.text}` ({each.when})" for each in player.spellings)
            listed = "; ".join(f"{id_}: {why}" for id_, why in player.candidates.items())
            text = f"{player.id}: {spelled}" + (f"; perhaps {listed}" if listed else "")
            self.note("new", player.spellings[0].place, text, player=player.id,
                      candidates=dict(player.candidates))  # fmt: skip

    def note_known(self, place: str, called: str, found: Already, remark: str = "") -> None:
        """Note that the history has an event, and how its file differs."""
        text = "; ".join(found.differences) or "nothing differs"
        self.note("already" if found.sure else "perhaps", place,
                  f"{called}: {found.event.path}; {text}{remark}", file=found.event.path,
                  event=found.event.id, differences=list(found.differences))  # fmt: skip

    def files(
        self, title: str, inputs: Mapping[str, Plain], counts: Mapping[str, Plain]
    ) -> dict[str, str]:
        """Return `REPORT.md` and `report.json`; `inputs` are lines about the files with details."""
        lines = [f"# {title}", "", *(f"- {line}" for line in inputs), ""]
        lines += [f"- {name}: {value}" for name, value in counts.items()]
        for name, held in self._sections.items():
            if held.number:
                lines += ["", *_as_markdown(*SECTIONS[name], held)]
        sections = {
            name: {"title": SECTIONS[name][0], "number": held.number, "findings": held.findings}
            for name, held in self._sections.items()
        }
        data = {"files": list(inputs.values()), "counts": counts, "sections": sections}
        return {
            "REPORT.md": "\n".join(lines) + "\n",
            "report.json": json.dumps(data, indent=1, ensure_ascii=False) + "\n",
        }


def _as_markdown(title: str, advice: str, held: _Section) -> list[str]:
    lines = [f"## {title} ({held.number})", "", advice, ""]
    lines += [
        f"- {_escaped(each['place'])}: {_escaped(each['text'])}" for each in held.findings[:SHOWN]
    ]
    if held.number > SHOWN:
        lines.append(f"- and {held.number - SHOWN} more, in `report.json`")
    return lines


def _escaped(text: Plain) -> str:
    """Return text of others with its Markdown and HTML made harmless."""
    shown = str(text)
    for mark in "\\<>[]*_#|":
        shown = shown.replace(mark, f"\\{mark}")
    return shown
