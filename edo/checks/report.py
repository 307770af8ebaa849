"""Output formats of problems: text for people, JSON for programs, annotations for GitHub."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Literal, TextIO

from edo.core.problems import Problem, Severity

Format = Literal["text", "json", "github"]

_COLOURS: dict[Severity, str] = {"error": "31", "warning": "33", "note": "36"}  # red, yellow, cyan
_BOLD, _FAINT = "1", "2"


def as_text(problems: Sequence[Problem], colour: bool = False) -> str:
    """Return the problems by file, each with its hint on the line below."""

    def painted(text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if colour else text

    lines: list[str] = []
    for path, of_file in groupby(problems, key=lambda problem: problem.path):
        lines.append(painted(path, _BOLD))
        for one in of_file:
            place = f"{one.place}: " if one.place else ""
            severity = painted(f"{one.severity:<7}", _COLOURS[one.severity])
            lines.append(f"  {one.line:>5}  {severity}  {place}{one.message}")
            kind = f" ({one.acknowledgement})" if one.warning else ""
            lines.append(f"{'':18}{painted(one.hint + kind, _FAINT)}")
        lines.append("")
    return "".join(f"{line}\n" for line in lines)


def as_json(problems: Sequence[Problem]) -> str:
    """Return a JSON list of objects, in the order of file and line.

    Each has `path`, `line` (from 1), `place` (in the file, may be empty), `message`, `hint`,
    `severity` (`error`, `warning` or `note`), for a warning that can be acknowledged `warning` and
    `about`, as `acknowledged` names it (else empty), and whether it is `minor`, in this order.
    """
    return json.dumps([asdict(one) for one in problems], indent=1, ensure_ascii=False) + "\n"


def as_github(problems: Sequence[Problem]) -> str:
    """Return a workflow command for each problem, which GitHub shows at the line.

    Source: GitHub Docs, "Workflow commands for GitHub Actions", and `actions/toolkit`,
    `packages/core/src/command.ts`, for what is escaped.
    """
    return "".join(
        f"::{'notice' if one.severity == 'note' else one.severity} "
        f"file={_property(one.path)},line={one.line},"
        f"title={_property(one.place or one.severity)}::{_data(f'{one.message}; {one.hint}')}\n"
        for one in problems
    )


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def summary(
    problems: Sequence[Problem],
    n_files: int,
    seconds: float,
    acknowledged: int = 0,
    hidden: int = 0,
) -> str:
    """Return the last line: `3 errors, 4 warnings (2 more acknowledged) in 797 files, 1.4 s`.

    `hidden` is the number of minor warnings that are not among the problems.
    """
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = sum(problem.severity == "warning" for problem in problems)
    counts = f"{_count(errors, 'error')}, {_count(warnings, 'warning')}"
    more = [f"{acknowledged} more acknowledged"] * bool(acknowledged)
    more += [f"{hidden} minor ones with `--all`"] * bool(hidden)
    counts += f" ({', '.join(more)})" if more else ""
    return f"{counts} in {_count(n_files, 'file')}, {seconds:.1f} s"


def _count(n: int, noun: str) -> str:
    return f"{n or 'no'} {noun}" + ("" if n == 1 else "s")


def wants_colour(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether to use colour: on a terminal unless NO_COLOR is set, or where FORCE_COLOR is.

    Source: no-color.org, force-color.org.
    """
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"


FORMATS: Mapping[Format, Callable[[Sequence[Problem]], str]] = {
    "text": as_text,
    "json": as_json,
    "github": as_github,
}
