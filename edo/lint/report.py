"""Problems come in; how people, programs and GitHub are told of them goes out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Literal, TextIO

from edo.core.problems import Problem, Severity

Format = Literal["text", "json", "github"]

_COLOURS: dict[Severity, str] = {"error": "31", "notice": "33"}  # red, yellow
_BOLD, _FAINT = "1", "2"


def as_text(problems: Sequence[Problem], colour: bool = False) -> str:
    """Return the problems under the names of their files, each with its remedy below it."""
    return "".join(
        "".join(_file(path, list(of_file), colour))
        for path, of_file in groupby(problems, key=lambda problem: problem.path)
    )


def _file(path: str, problems: Sequence[Problem], colour: bool) -> Iterator[str]:
    yield _painted(path, _BOLD, colour) + "\n"
    for problem in problems:
        place = f"{problem.place}: " if problem.place else ""
        severity = _painted(f"{problem.severity:<6}", _COLOURS[problem.severity], colour)
        yield f"  {problem.line:>5}  {severity}  {place}{problem.message}\n"
        mark = f" ({problem.mark})" if problem.doubt else ""
        yield f"{'':17}{_painted(problem.hint + mark, _FAINT, colour)}\n"
    yield "\n"


def _painted(text: str, code: str, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text


def as_json(problems: Sequence[Problem]) -> str:
    """Return a JSON list of objects, in the order of file and line.

    Each has `path`, `line` (from 1), `place` (in the file, may be empty), `finding`, `remedy`,
    `severity` (`error` or `notice`), and of a notice that can stand `doubt` and `about`, by which
    `looked_at` names it (else empty), in this order.
    """
    return json.dumps([asdict(one) for one in problems], indent=1, ensure_ascii=False) + "\n"


def as_github(problems: Sequence[Problem]) -> str:
    """Return a workflow command for each problem, which GitHub shows beside the line.

    Source: GitHub Docs, "Workflow commands for GitHub Actions", and `actions/toolkit`,
    `packages/core/src/command.ts`, for what is escaped.
    """
    return "".join(
        f"::{one.severity} file={_property(one.path)},line={one.line},"
        f"title={_property(one.place or one.severity)}::{_data(f'{one.message}; {one.hint}')}\n"
        for one in problems
    )


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def counted(problems: Sequence[Problem], n_files: int, seconds: float, looked_at: int = 0) -> str:
    """Return the closing line: `3 errors, 4 notices, 2 doubts looked at in 797 files, 1.4 s`."""
    errors = sum(problem.severity == "error" for problem in problems)
    counts = f"{_count(errors, 'error')}, {_count(len(problems) - errors, 'notice')}"
    counts += f", {_count(looked_at, 'doubt')} looked at" if looked_at else ""
    return f"{counts} in {_count(n_files, 'file')}, {seconds:.1f} s"


def _count(n: int, noun: str) -> str:
    return f"{n or 'no'} {noun}" + ("" if n == 1 else "s")


def wants_colour(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether to paint: on a terminal that can, unless NO_COLOR is set, or where FORCE_COLOR is.

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
