"""Prompts on a terminal for the command `new`, each answer checked at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from edo.history.draft import ENTRY_FIELDS, DraftRefused, Lookup, problem_with
from edo.history.fields import RECORDS, Field, Registry
from edo.history.reading import Known

_LISTED = 12  # candidates that are shown at once
NEW = "new"


@dataclass(frozen=True, slots=True)
class Terminal:
    """A terminal: `read` shows a prompt and returns a line, `say` prints one."""

    read: Callable[[str], str] = input
    say: Callable[[str], None] = print

    def line(self, prompt: str) -> str:
        """Return the line typed; raises DraftRefused at the end of the input."""
        try:
            return self.read(prompt).strip()
        except EOFError:
            raise DraftRefused("the input ended before the last question") from None

    def value(self, field: Field, known: Known, default: str = "", required: bool = False) -> str:
        """Return a valid answer, empty where the editor does not know it."""
        self.say(f"\n{field.doc}")
        while True:
            shown = f"[{default}]" if default else f"(like {field.example})"
            answer = self.line(f"{field.name} {shown}: ") or default
            if not answer and not required:
                return ""
            wrong = problem_with(field, answer, known) if answer else None
            if answer and wrong is None:
                return answer
            self.say(f"  {wrong.message}; {wrong.hint}" if wrong else "  this has to be known")

    def choice(self, lookup: Lookup, registry: Registry, question: str, required: bool) -> str:
        """Return the id of a record found by a part of its name, or of a new entry."""
        typed = ""
        while True:
            typed = typed or self.line(f"{question} (part of the name, or `{NEW}`): ")
            if not typed and not required:
                return ""
            if typed == NEW:
                return self.entry(lookup, registry)
            if typed in lookup.ids(registry):
                return typed
            found = lookup.find(registry, typed)
            typed = self._picked(lookup, registry, typed, found)
            if typed in found:
                return typed

    def _picked(self, lookup: Lookup, registry: Registry, typed: str, found: Sequence[str]) -> str:
        """Return the one that is chosen of those found, or what to search for instead."""
        if not typed:
            self.say("  this has to be known")
            return ""
        if not found:
            self.say(f"  nothing known is called `{typed}`; try less of it, or `{NEW}`")
            return ""
        shown = found[:_LISTED]
        for number, id_ in enumerate(shown, start=1):
            self.say(f"  {number:2}  {lookup.label(registry, id_)}")
        if len(found) > _LISTED:
            self.say(f"  and {len(found) - _LISTED} more; type more of the name to see fewer")
        answer = self.line("  number, or another part of the name: ")
        return shown[int(answer) - 1] if answer in map(str, range(1, len(shown) + 1)) else answer

    def entry(self, lookup: Lookup, registry: Registry) -> str:
        """Return the id of a new entry, made of answers; what is not known stays absent."""
        fields = {one.name: one for one in RECORDS[registry].fields}
        answers = {
            name: self.value(fields[name], lookup.known(), required=fields[name].required)
            for name in ENTRY_FIELDS[registry]
        }
        id_ = lookup.add(registry, answers)
        self.say(f"  new: {lookup.label(registry, id_)}")
        return id_

    def players(self, lookup: Lookup, kind: str) -> list[str]:
        """Return the ids of the two of a match, or of all in a tournament until an empty line."""
        chosen: list[str] = []
        if kind == "tournament":
            self.say(
                "\nThe players in finishing order, one a question; an empty line ends the list."
            )
        while kind == "tournament" or len(chosen) < 2:
            required = len(chosen) < 2
            id_ = self.choice(lookup, "players", f"player {len(chosen) + 1}", required)
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
