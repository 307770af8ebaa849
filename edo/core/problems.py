"""Problems in input files, shown to editors with place and hint, and the program's exceptions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

Severity = Literal["error", "warning", "note"]


def printable(text: str) -> str:
    """Return the text with a `�` for each character that a terminal would act on or not show."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "�" for c in text)


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """An error, a warning or a note about one line of an input file.

    Reads as `events/1851/london-1851.yaml:41: pairing a - b: 2.5 + 1 points do not make 3 games;
    correct a score or mark it soft`. A warning that an editor can acknowledge has its kind in
    `warning`, and in `about` the other player or event that it is about, if any. It is `minor`
    where it is seldom a mistake, and then shown only on request.
    """

    path: str
    line: int
    place: str
    message: str
    hint: str
    severity: Severity = "error"
    warning: str = ""
    about: str = ""
    minor: bool = False

    def __post_init__(self) -> None:
        """Replace line breaks and control characters quoted from a file."""
        for name in ("path", "place", "message", "hint"):
            text: str = getattr(self, name)
            if not text.isprintable():
                object.__setattr__(self, name, printable(text))

    @property
    def acknowledgement(self) -> str:
        """Return how a record names the warning under `acknowledged`, empty where it cannot."""
        about = f", about: {self.about}" if self.about else ""
        return f"warning: {self.warning}{about}" if self.warning else ""

    def __str__(self) -> str:
        """Return the problem on one line."""
        word = "" if self.severity == "error" else f"{self.severity}: "
        place = f"{self.place}: " if self.place else ""
        return f"{self.path}:{self.line}: {word}{place}{self.message}; {self.hint}"


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """A warning that an editor checked, and why the record is correct.

    `about` is the other player or event of the warning, empty where it has none.
    """

    warning: str
    why: str
    about: str = ""
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        """Return the warning, whom or what it is about, and why the record is correct."""
        return f"{self.warning} {self.about}".rstrip() + f": {self.why}"


SHOWN_OF_A_KIND = 20  # [problems] of one file that differ in what they quote only


def _in_groups(problems: Sequence[Problem]) -> Iterator[str]:
    """Yield the problems as lines, and in place of most that are alike how many there are."""
    alike = Counter(map(_kind, problems))
    shown: Counter[tuple[str, str, str]] = Counter()
    for problem in problems:
        kind = _kind(problem)
        more = alike[kind] - SHOWN_OF_A_KIND
        if more > 1 and shown[kind] == SHOWN_OF_A_KIND:
            continue
        yield str(problem)
        shown[kind] += 1
        if more > 1 and shown[kind] == SHOWN_OF_A_KIND:
            yield f"{problem.path}: and {more} more of the kind"


def _kind(problem: Problem) -> tuple[str, str, str]:
    """Return what problems share that differ in what they quote only."""
    return problem.path, re.sub("`[^`]*`", "``", problem.message), problem.severity


class EdoError(Exception):
    """The program cannot go on; the text of the exception is for people."""


class InputError(EdoError):
    """The input files have errors; `problems` holds all of them, sorted."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(_in_groups(self.problems)))


class ScaleNotSet(EdoError):
    """The events have no rating of those by which `site.yaml` sets the scale."""

    def __init__(self, message: str, hint: str) -> None:
        self.message, self.hint = message, hint
        super().__init__(f"site.yaml: scale: {message}; {hint}")


class NotConverged(EdoError):
    """The fit did not reach its tolerance; says what was reached and what to try."""


class DisconnectedNetwork(EdoError):
    """The maximum of the likelihood does not exist, because the network falls apart."""
