"""The command `new`: draft the file of a new event, from options or prompts."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from edo.checks.report import as_text, wants_colour
from edo.commands import check
from edo.commands.arguments import EVENTS, add_events_option
from edo.commands.folder import project_around
from edo.core import files as writer
from edo.core.parallel import Stopped
from edo.core.problems import Problem
from edo.history import draft as drafts
from edo.history.dataset import load
from edo.history.draft import ENTRY_FIELDS, FIELDS, Draft, DraftRefused, Lookup, fault, result_field
from edo.history.fields import CITATION, FORMER_ID, PAIRING, RECORDS, Field, Registry
from edo.history.values import InvalidValue

_PLAIN = ("name", "series", "place", "dates", "year", "format", "completeness", "missing", "notes")
_PROMPTED = ("name", "place", "dates", "year", "format")
_NEW_ENTRIES: dict[str, Registry] = {
    "--new-player": "players",
    "--new-place": "places",
    "--new-source": "sources",
}
_WHERE = next(one for one in CITATION.fields if one.name == "where")
_SCORE = next(one for one in PAIRING.fields if one.name == "score")
_ID = Field("id", FORMER_ID, "The id is the name of the file and of the page, for good.", "")
_LISTED = 12  # candidates that are shown at once
NEW = "new"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.epilog = (
        "On a terminal, missing options are prompted for. Players, places and sources are given by "
        "their ids, or by their names in full where only one is called so."
    )
    parser.add_argument(
        "kind", choices=drafts.KINDS,
        help="a team match or a knock-out is written in rounds: "
        "copy the one of the guide for editors on the site",
    )  # fmt: skip
    for name in _PLAIN:
        one = FIELDS[name]
        parser.add_argument(f"--{name}", help=f"{one.doc} Like `{one.example}`.")
    parser.add_argument("--players", nargs="+", default=[], help="all of them, in finishing order")
    parser.add_argument("--score", help="of a match: `8-3`, `+7 -2 =2`")
    parser.add_argument("--games", help="of a match instead: `1w 0b =w`, from the first one's side")
    parser.add_argument("--source", help="what it rests on")
    parser.add_argument("--where", help=_WHERE.doc)
    parser.add_argument("--id", help="the name of the file; proposed where it is not given")
    for option, registry in _NEW_ENTRIES.items():
        says = f"`{'; '.join(ENTRY_FIELDS[registry])}`, only what is known"
        parser.add_argument(option, action="append", default=[], metavar="ENTRY", help=says)
    parser.add_argument("--bare", action="store_true", help="without the other fields in comments")
    parser.add_argument("--yes", action="store_true", help="do not prompt")
    add_events_option(parser)


def run(options: argparse.Namespace) -> int:
    """Write the event, then check the whole history; return the exit code."""
    lookup = Lookup(load(options.events))
    _make_entries(options, lookup)
    if sys.stdin.isatty() and not options.yes:
        try:
            _prompt(options, Terminal(lookup))
        except (Stopped, KeyboardInterrupt, DraftRefused):
            print(
                f"\nto go on with these answers, or to correct them:\n{_command(options, lookup)}"
            )
            raise
    draft = _draft(options, lookup)
    files = drafts.files(draft, lookup, options.events, options.bare)
    path = list(files)[-1]
    writer.replace_files(files)
    print(*files, sep="\n")
    new_ids = [id_ for entries in lookup.added.values() for id_ in entries]
    failed = _check(options.events, path, new_ids)
    print("Correct these errors first." if failed else _next_steps(draft, path, options.events))
    return failed


def _command(options: argparse.Namespace, lookup: Lookup) -> str:
    """Return the command that gives the answers so far by options."""
    words = ["python", "-m", "edo", "new", options.kind]
    if options.events != EVENTS:
        words += ["--events", str(options.events)]
    for option, registry in _NEW_ENTRIES.items():
        for entry in lookup.added.get(registry, {}).values():
            values = [str(entry.get(name) or "") for name in ENTRY_FIELDS[registry]]
            words += [option, "; ".join(values).rstrip("; ")]
    for name in (*_PLAIN, "score", "games", "source", "where", "id"):
        if value := getattr(options, name):
            words += [f"--{name}", value]
    if options.players:
        words += ["--players", *options.players]
    return shlex.join(words)


def _check(events: Path, written: Path, entries: Collection[str]) -> int:
    """Print all errors of the history, and the warnings of what is new; return the exit code."""
    found = check.find(events)
    errors = [one for one in found.problems if one.severity == "error"]
    warnings = [one for one in found.problems if one.severity == "warning"]
    new = [one for one in warnings if _is_about(one, written, entries)]
    print(as_text(errors + new, wants_colour(sys.stdout, os.environ)), end="")
    print(f"{found.n_files} files read, errors: {len(errors)}, warnings of what is new: {len(new)}")
    return check.FOUND if errors else 0


def _is_about(problem: Problem, written: Path, entries: Collection[str]) -> bool:
    ids = {problem.place.partition(",")[0], *re.findall(r"[`(]([a-z0-9-]+)[`)]", problem.message)}
    return Path(problem.path).resolve() == written.resolve() or not ids.isdisjoint(entries)


def _next_steps(draft: Draft, path: Path, events: Path) -> str:
    own = "" if events == EVENTS else f" --project {shlex.quote(str(project_around(events).root))}"
    if events.name != EVENTS.name:
        own += f" --events {shlex.quote(str(events))}"
    first = f"Fill in the table in {path}" if draft.kind == "tournament" \
        else f"Read {path} again beside the source"  # fmt: skip
    explain = f"`python -m edo explain {draft.id}{own}` says what it gives"
    build = f"`python -m edo build{own}` builds"
    return f"{first}, then `python -m edo check{own}`; {explain}; {build}."


def _make_entries(options: argparse.Namespace, lookup: Lookup) -> None:
    """Make the registry entries given by options; raises DraftRefused with all errors."""
    wrong: list[str] = []
    for option, registry in _NEW_ENTRIES.items():
        fields = {one.name: one for one in RECORDS[registry].fields}
        for entry in getattr(options, option.strip("-").replace("-", "_")):
            values = [value.strip() for value in entry.split(";")]
            answers = dict(zip(ENTRY_FIELDS[registry], values, strict=False))
            faults = [
                f"{option}: {name}: {wrong_value}"
                for name, value in answers.items()
                if value or fields[name].required
                if (wrong_value := _fault(registry, fields[name], value, lookup))
            ]
            if len(values) > len(ENTRY_FIELDS[registry]):
                known = "; ".join(ENTRY_FIELDS[registry])
                faults.append(f"{option}: `{entry}` has more than {known}")
            wrong += faults
            if not faults:
                lookup.add(registry, answers)
    if wrong:
        raise DraftRefused("\n".join(wrong))


def _fault(registry: Registry | None, field: Field, answer: str, lookup: Lookup) -> str:
    """Return what is wrong with an answer; a player's name begins with the surname."""
    is_person = registry == "players" and field.name == "name"
    return fault(field, answer, lookup.known()) or (drafts.given_first(answer) if is_person else "")


@dataclass(frozen=True, slots=True)
class Terminal:
    """Prompts whose answers are checked at once; `read` shows a prompt and returns a line."""

    lookup: Lookup
    read: Callable[[str], str] = input

    def line(self, prompt: str) -> str:
        """Return the line typed; raises DraftRefused at the end of the input."""
        try:
            return self.read(prompt).strip()
        except EOFError:
            raise DraftRefused("the input ended before the last question") from None

    def value(
        self,
        field: Field,
        default: str = "",
        required: bool = False,
        registry: Registry | None = None,
    ) -> str:
        """Return a valid answer, empty where the editor does not know it."""
        print(f"\n{field.doc}")
        while True:
            shown = f"[{default}]" if default else f"(like {field.example})"
            answer = self.line(f"{field.name} {shown}: ") or default
            wrong = _fault(registry, field, answer, self.lookup) if answer else ""
            if not wrong and (answer or not required):
                return answer
            print(f"  {wrong or 'this has to be known'}")

    def choice(self, registry: Registry, question: str, required: bool) -> str:
        """Return the id of a record found by a part of its name, or of a new entry."""
        typed = ""
        while True:
            typed = typed or self.line(f"{question} (part of the name, or `{NEW}`): ")
            if typed == NEW:
                return self.entry(registry)
            if typed in self.lookup.ids(registry) or not (typed or required):
                return typed
            matching = self.lookup.find(registry, typed)
            typed = self._picked(registry, typed, matching)
            if typed in matching:
                return typed

    def _picked(self, registry: Registry, typed: str, matching: Sequence[str]) -> str:
        """Return the one that is chosen of those listed, or what to search for instead."""
        if not matching:
            unknown = f"nothing known is called `{typed}`; try less of it, or `{NEW}`"
            print(f"  {unknown if typed else 'this has to be known'}")
            return ""
        listed = matching[:_LISTED]
        for number, id_ in enumerate(listed, start=1):
            print(f"  {number:2}  {self.lookup.label(registry, id_)}")
        if len(matching) > _LISTED:
            print(f"  and {len(matching) - _LISTED} more; type more of the name to see fewer")
        answer = self.line("  number, or another part of the name: ")
        return listed[int(answer) - 1] if answer in map(str, range(1, len(listed) + 1)) else answer

    def entry(self, registry: Registry) -> str:
        """Return the id of a new entry, made of answers; what is not known stays absent."""
        fields = {field.name: field for field in RECORDS[registry].fields}
        answers = {
            name: self.value(fields[name], required=fields[name].required, registry=registry)
            for name in ENTRY_FIELDS[registry]
        }
        id_ = self.lookup.add(registry, answers)
        print(f"  new: {self.lookup.label(registry, id_)}")
        return id_

    def players(self, kind: str, chosen: list[str]) -> None:
        """Add the ids of the two of a match, or of all in a tournament until an empty line."""
        if kind == "tournament":
            print("\nThe players in finishing order, one a question; an empty line ends the list.")
        while kind == "tournament" or len(chosen) < 2:
            id_ = self.choice("players", f"player {len(chosen) + 1}", len(chosen) < 2)
            if not id_:
                break
            if id_ in chosen:
                print(f"  `{id_}` is in the list already")
            else:
                chosen.append(id_)

    def result(self) -> str:
        """Return the score or the games of a match."""
        print("\nThe score or the games in order, from the first player's side.")
        while True:
            answer = self.line(f"score (like {_SCORE.example}, +7 -2 =2 or 1w 0b =w): ")
            try:
                result_field(answer)
            except InvalidValue as refused:
                print(f"  {refused}")
            else:
                return answer

    def free_id(self, proposed: str) -> str:
        """Return an id that no event has or had."""
        while (id_ := self.value(_ID, proposed)) in self.lookup.event_ids():
            print(f"  there is or was an event `{id_}` already")
        return id_


def _prompt(options: argparse.Namespace, terminal: Terminal) -> None:
    """Prompt for what no option gives, and for consent; raises DraftRefused where it is refused."""
    lookup = terminal.lookup
    for name in _PROMPTED:
        if getattr(options, name) is not None:
            continue
        if name == "place":
            print("\nWhere it was played; an empty line where that is not known.")
            options.place = terminal.choice("places", "place", required=False)
        else:
            default = (drafts.year_of(options.dates or "") or "") if name == "year" else ""
            answer = terminal.value(FIELDS[name], default, FIELDS[name].required)
            setattr(options, name, answer)
    if len(options.players) < 2:
        terminal.players(options.kind, options.players)
    if options.kind == "match" and not (options.score or options.games):
        options.score = terminal.result()
    if options.source is None:
        print("\nWhat the record rests on.")
        options.source = terminal.choice("sources", "source", required=True)
    if options.where is None:
        options.where = terminal.value(_WHERE)
    if options.id is None:
        proposed = drafts.proposed_id(options.name, options.year, lookup.event_ids())
        options.id = terminal.free_id(proposed)
    files = drafts.files(_draft(options, lookup), lookup, options.events, options.bare)
    path = list(files)[-1]
    print("".join(f"    {line}\n" for line in (files[path].after or "").splitlines()), end="")
    if terminal.line(f"Write {path}? [Y/n]: ").lower() not in ("", "y", "yes"):
        raise DraftRefused("nothing was written")


def _draft(options: argparse.Namespace, lookup: Lookup) -> Draft:
    """Return the draft of complete options; or raise DraftRefused with all that is missing."""
    wrong = _missing(options)

    def id_of(registry: Registry, typed: str) -> str:
        try:
            return lookup.resolve(registry, typed)
        except InvalidValue as refused:
            wrong.append(str(refused))
            return ""

    answers = {name: value for name in _PLAIN if (value := getattr(options, name))}
    if "year" not in answers and (year := drafts.year_of(options.dates or "")):
        answers["year"] = year
    players = [id_of("players", typed) for typed in options.players]
    source = id_of("sources", options.source) if options.source else ""
    if options.place:
        answers["place"] = id_of("places", options.place)
    for name, value in answers.items():
        if name != "place" and (found := fault(FIELDS[name], value, lookup.known())):
            wrong.append(f"--{name}: {found}")
    result = options.score or options.games
    if options.score and options.games:
        wrong.append("both --score and --games are given; keep one of them")
    if options.kind != "match" and result:
        wrong.append("--score and --games are of a match; fill in the table of a tournament")
    if options.kind == "match" and result:
        try:
            result_field(result)
        except InvalidValue as refused:
            wrong.append(f"{'--score' if options.score else '--games'}: {refused}")
    if wrong:
        raise DraftRefused("\n".join(wrong))
    id_ = options.id or drafts.proposed_id(answers["name"], answers["year"], lookup.event_ids())
    return Draft(id_, options.kind, answers, tuple(players), result, source, options.where or None)


def _missing(options: argparse.Namespace) -> list[str]:
    needed = {"--name": options.name, "--source": options.source}
    needed["--year or --dates"] = options.year or options.dates
    if options.kind == "match":
        needed["--score or --games"] = options.score or options.games
    wrong = [f"{name} is missing" for name, value in needed.items() if not value]
    given = len(options.players)
    if options.kind == "match" and given != 2:
        wrong.append(f"--players: {given} named, a match has 2")
    elif given < 2:
        wrong.append(f"--players: {given} named, a tournament has 2 or more")
    return wrong
