"""The command `new`: draft the file of a new event, from options or prompts."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from collections.abc import Collection
from pathlib import Path

from edo.commands import check
from edo.commands.folder import EVENTS, add_events_option
from edo.commands.prompts import Terminal
from edo.core import files as writer
from edo.core.problems import Problem
from edo.history import draft as drafts
from edo.history.dataset import load
from edo.history.draft import ENTRY_FIELDS, FIELDS, Draft, DraftRefused, Lookup
from edo.history.fields import CITATION, PAIRING, RECORDS, Field, Registry
from edo.history.values import InvalidValue
from edo.lint.report import as_text, wants_colour

_PLAIN = ("name", "series", "place", "dates", "year", "format", "completeness", "missing", "notes")
_ASKED = ("name", "place", "dates", "year", "format")
_NEW: dict[str, Registry] = {
    "new_player": "players",
    "new_place": "places",
    "new_source": "sources",
}
_WHERE = next(one for one in CITATION.fields if one.name == "where")
_SCORE = next(one for one in PAIRING.fields if one.name == "score")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.epilog = (
        "On a terminal, missing options are prompted for. Players, places and sources are given by "
        "their ids, or by their names in full where only one is called so."
    )
    parser.add_argument(
        "kind", choices=drafts.KINDS,
        help="a team match or a knock-out is written in rounds: "
        "copy the one of the guide, content/editing.md",
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
    for option, registry in _NEW.items():
        form = "; ".join(ENTRY_FIELDS[registry])
        parser.add_argument(
            f"--{option.replace('_', '-')}", action="append", default=[], metavar="ENTRY",
            help=f"`{form}`, only what is known",
        )  # fmt: skip
    parser.add_argument("--bare", action="store_true", help="without the other fields in comments")
    parser.add_argument("--yes", action="store_true", help="do not prompt")
    add_events_option(parser)


def run(options: argparse.Namespace) -> int:
    """Write the event, then check the whole history; return the exit code."""
    lookup = Lookup(load(options.events))
    terminal = Terminal() if sys.stdin.isatty() and not options.yes else None
    _make_entries(options, lookup)
    if terminal is not None:
        _ask(options, lookup, terminal)
    draft = _draft(options, lookup)
    files = drafts.files(draft, lookup, options.events, options.bare)
    path = list(files)[-1]
    if terminal is not None:
        terminal.show(files[path].splitlines())
        if not terminal.agreed(f"Write {path}?"):
            raise DraftRefused("nothing was written")
    _write(files, path)
    found = _check(options.events, path, [id_ for own in lookup.added.values() for id_ in own])
    print("Correct these errors first." if found else _next_steps(draft, path, options.events))
    return found


def _write(files: dict[Path, str], event: Path) -> None:
    for path, text in files.items():
        if path == event and path.exists():  # created during the prompts
            raise DraftRefused(f"{path} is there already; give another id with --id")
        writer.write_file(path, text.encode())
        print(path)


def _check(events: Path, written: Path, entries: Collection[str]) -> int:
    """Print all errors of the history, and the warnings of what is new; return the exit code."""
    found = check.find(events)
    problems, n_files = found.problems, found.n_files
    errors = [one for one in problems if one.severity == "error"]
    new = [one for one in problems if _is_about(one, written, entries) and one not in errors]
    print(as_text(errors + new, wants_colour(sys.stdout, os.environ)), end="")
    print(f"{n_files} files read, errors: {len(errors)}, warnings of what is new: {len(new)}")
    return check.FOUND if errors else 0


def _is_about(problem: Problem, written: Path, entries: Collection[str]) -> bool:
    ids = {problem.place.partition(",")[0], *re.findall(r"[`(]([a-z0-9-]+)[`)]", problem.message)}
    return Path(problem.path).resolve() == written.resolve() or not ids.isdisjoint(entries)


def _next_steps(draft: Draft, path: Path, events: Path) -> str:
    own, check_all, build = "", "make check", "make site"
    if events != EVENTS:
        own = f" --events {shlex.quote(str(events))}"
        check_all, build = f"python -m edo check{own}", f"python build.py{own}"
    first = f"Fill in the table in {path}" if draft.kind == "tournament" \
        else f"Read {path} again beside the source"  # fmt: skip
    explain = f"`python -m edo explain {draft.id}{own}` says what it gives"
    return f"{first}, then `{check_all}`; {explain}; `{build}` builds."


def _make_entries(options: argparse.Namespace, lookup: Lookup) -> None:
    """Make the registry entries given by options; raises DraftRefused with all errors."""
    wrong: list[str] = []
    for option, registry in _NEW.items():
        fields = {one.name: one for one in RECORDS[registry].fields}
        for entry in getattr(options, option):
            values = [value.strip() for value in entry.split(";")]
            answers = dict(zip(ENTRY_FIELDS[registry], values, strict=False))
            faults = [
                _fault(fields[name], value, lookup)
                for name, value in answers.items()
                if value or fields[name].required
            ]
            if len(values) > len(ENTRY_FIELDS[registry]):
                faults.append(f"`{entry}` has more than {'; '.join(ENTRY_FIELDS[registry])}")
            wrong += [f"--{option.replace('_', '-')}: {fault}" for fault in faults if fault]
            if not any(faults):
                lookup.add(registry, answers)
    if wrong:
        raise DraftRefused("\n".join(wrong))


def _fault(one: Field, answer: str, lookup: Lookup) -> str:
    wrong = drafts.problem_with(one, answer, lookup.known())
    return f"{wrong.place}: {wrong.message}; {wrong.hint}" if wrong else ""


def _ask(options: argparse.Namespace, lookup: Lookup, terminal: Terminal) -> None:
    """Prompt for what no option gives."""
    known = lookup.known()
    for name in _ASKED:
        if getattr(options, name) is not None:
            continue
        if name == "place":
            terminal.say("\nWhere it was played; an empty line where that is not known.")
            options.place = terminal.choice(lookup, "places", "place", required=False)
        else:
            default = drafts.year_of(options.dates or "") or "" if name == "year" else ""
            required = FIELDS[name].required
            setattr(options, name, terminal.value(FIELDS[name], known, default, required))
    if not options.players:
        options.players = terminal.players(lookup, options.kind)
    if options.kind == "match" and not (options.score or options.games):
        options.score = _asked_result(terminal)
    if options.source is None:
        terminal.say("\nWhat the record rests on.")
        options.source = terminal.choice(lookup, "sources", "source", required=True)
    if options.where is None:
        options.where = terminal.value(_WHERE, known)
    if options.id is None:
        taken = lookup.event_ids()
        proposed = drafts.proposed_id(options.name, options.year, taken)
        terminal.say("\nThe id is the name of the file and of the page, for good.")
        options.id = terminal.line(f"id [{proposed}]: ") or proposed


def _asked_result(terminal: Terminal) -> str:
    terminal.say("\nThe score or the games in order, from the first player's side.")
    while True:
        answer = terminal.line(f"score (like {_SCORE.example}, +7 -2 =2 or 1w 0b =w): ")
        try:
            drafts.result_field(answer)
        except InvalidValue as refused:
            terminal.say(f"  {refused.message}; {refused.hint}")
        else:
            return answer


def _draft(options: argparse.Namespace, lookup: Lookup) -> Draft:
    """Return the draft of complete options; or raise DraftRefused with all that is missing."""
    wrong = _missing(options)
    answers = {name: value for name in _PLAIN if (value := getattr(options, name))}
    if "year" not in answers and (year := drafts.year_of(options.dates or "")):
        answers["year"] = year
    players = [_meant(lookup, "players", typed, wrong) for typed in options.players]
    source = _meant(lookup, "sources", options.source or "", wrong)
    if options.place:
        answers["place"] = _meant(lookup, "places", options.place, wrong)
    known = lookup.known()
    for name, value in answers.items():
        problem = None if name == "place" else drafts.problem_with(FIELDS[name], value, known)
        wrong += [f"--{name}: {problem.message}; {problem.hint}"] if problem else []
    result = options.score or options.games
    if options.score and options.games:
        wrong.append("both --score and --games are given; keep one of them")
    if options.kind != "match" and result:
        wrong.append("--score and --games are of a match; fill in the table of a tournament")
    if options.kind == "match" and result:
        try:
            drafts.result_field(result)
        except InvalidValue as refused:
            flag = "--score" if options.score else "--games"
            wrong.append(f"{flag}: {refused.message}; {refused.hint}")
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


def _meant(lookup: Lookup, registry: Registry, typed: str, wrong: list[str]) -> str:
    if not typed:
        return ""
    try:
        return lookup.resolve(registry, typed)
    except InvalidValue as refused:
        wrong.append(f"{refused.message}; {refused.hint}")
        return ""
