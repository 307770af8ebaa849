"""Questions to an editor on a terminal; answers that reading takes, one at a time, out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from edo.history.draft import wrong_with
from edo.history.field_types import Field, Registry
from edo.history.fields import RECORDS
from edo.history.lookup import ASKED, DraftRefused, Ledger
from edo.history.reading import Known

_LISTED = 12  # candidates that are shown at once
NEW = "new"


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where questions are asked: `read` shows a prompt and returns a line, `say` prints one."""

    read: Callable[[str], str] = input
    say: Callable[[str], None] = print

    def line(self, prompt: str) -> str:
        """Return what is typed; raises DraftRefused where the input ends."""
        try:
            return self.read(prompt).strip()
        except EOFError:
            raise DraftRefused("the input ended before the last question") from None

    def value(self, asked: Field, known: Known, default: str = "", required: bool = False) -> str:
        """Return an answer that the field takes, empty where nothing is known of it."""
        self.say(f"\n{asked.doc}")
        while True:
            shown = f"[{default}]" if default else f"(like {asked.example})"
            answer = self.line(f"{asked.name} {shown}: ") or default
            if not answer and not required:
                return ""
            wrong = wrong_with(asked, answer, known) if answer else None
            if answer and wrong is None:
                return answer
            self.say(f"  {wrong.message}; {wrong.hint}" if wrong else "  this has to be known")

    def choice(self, ledger: Ledger, registry: Registry, question: str, required: bool) -> str:
        """Return the id of a record found by a part of its name, or of a new entry."""
        typed = ""
        while True:
            typed = typed or self.line(f"{question} (part of the name, or `{NEW}`): ")
            if not typed and not required:
                return ""
            if typed == NEW:
                return self.entry(ledger, registry)
            if typed in ledger.ids(registry):
                return typed
            found = ledger.find(registry, typed)
            typed = self._picked(ledger, registry, typed, found)
            if typed in found:
                return typed

    def _picked(self, ledger: Ledger, registry: Registry, typed: str, found: Sequence[str]) -> str:
        """Return the one that is chosen of those found, or what to search for instead."""
        if not typed:
            self.say("  this has to be known")
            return ""
        if not found:
            self.say(f"  nothing known is called `{typed}`; try less of it, or `{NEW}`")
            return ""
        shown = found[:_LISTED]
        for number, id_ in enumerate(shown, start=1):
            self.say(f"  {number:2}  {ledger.label(registry, id_)}")
        if len(found) > _LISTED:
            self.say(f"  and {len(found) - _LISTED} more; type more of the name to see fewer")
        answer = self.line("  number, or another part of the name: ")
        return shown[int(answer) - 1] if answer in map(str, range(1, len(shown) + 1)) else answer

    def entry(self, ledger: Ledger, registry: Registry) -> str:
        """Return the id of a new entry, made of answers; what is not known stays absent."""
        fields = {one.name: one for one in RECORDS[registry].fields}
        answers = {
            name: self.value(fields[name], ledger.known(), required=fields[name].required)
            for name in ASKED[registry]
        }
        id_ = ledger.add(registry, answers)
        self.say(f"  new: {ledger.label(registry, id_)}")
        return id_

    def players(self, ledger: Ledger, kind: str) -> list[str]:
        """Return the ids of the two of a match, or of all in a tournament until an empty line."""
        chosen: list[str] = []
        if kind == "tournament":
            self.say(
                "\nThe players in finishing order, one a question; an empty line ends the list."
            )
        while kind == "tournament" or len(chosen) < 2:
            required = len(chosen) < 2
            id_ = self.choice(ledger, "players", f"player {len(chosen) + 1}", required)
            if not id_:
                break
            if id_ in chosen:
                self.say(f"  `{id_}` is in the list already")
                continue
            chosen.append(id_)
        return chosen

    def agreed(self, question: str) -> bool:
        """Return whether the answer is yes, as an empty one is."""
        return self.line(f"{question} [Y/n]: ").lower() in ("", "y", "yes")

    def show(self, lines: Sequence[str]) -> None:
        """Print lines of a file, set in."""
        for line in lines:
            self.say(f"    {line}")
