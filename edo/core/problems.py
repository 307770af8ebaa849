"""What can go wrong comes in from every floor; place, finding and remedy go out to people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

Severity = Literal["error", "notice"]

Doubt = Literal[
    "lifetime",
    "age",
    "same dates",
    "same spelling",
    "lone series",
    "close name",
    "two places",
    "entered twice",
    "no page",
    "score",
]


def printable(text: str) -> str:
    """Return the text with a `�` for each character that a terminal would act on or not show."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "�" for c in text)


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One finding in one input file.

    Reads as `events/1851/london-1851.yaml:41: pairing a - b: 2.5 + 1 points do not make 3 games;
    correct a score or mark it soft`. A notice that can stand as it is names its kind of doubt, and
    the player or event that the doubt is about beside the record itself.
    """

    path: str
    line: int
    place: str
    message: str
    hint: str
    severity: Severity = "error"
    doubt: Doubt | Literal[""] = ""
    about: str = ""

    def __post_init__(self) -> None:
        """Keep to one line of letters that can be shown, whatever words of a file are repeated."""
        for name in ("path", "place", "message", "hint"):
            text: str = getattr(self, name)
            if not text.isprintable():
                object.__setattr__(self, name, printable(text))

    def as_doubt(self, doubt: Doubt, about: str = "") -> Problem:
        """Return the same as a notice that can stand where an editor looked at it."""
        return replace(self, severity="notice", doubt=doubt, about=about)

    @property
    def mark(self) -> str:
        """Return how a record names the doubt under `looked_at`, empty where it cannot stand."""
        about = f", about: {self.about}" if self.about else ""
        return f"doubt: {self.doubt}{about}" if self.doubt else ""

    def __str__(self) -> str:
        """Return the one-line form shown to editors."""
        word = "notice: " if self.severity == "notice" else ""
        place = f"{self.place}: " if self.place else ""
        return f"{self.path}:{self.line}: {word}{place}{self.message}; {self.hint}"


class EdoError(Exception):
    """Anything this program refuses to go on from; its text is meant for people."""


class InputError(EdoError):
    """The input files have errors; `problems` holds all of them, sorted."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(str(problem) for problem in self.problems))


class NotConverged(EdoError):
    """The fit did not reach its tolerance; says what was reached and what to try."""


class DisconnectedNetwork(EdoError):
    """The maximum of the likelihood does not exist, because the network falls apart."""


DOUBTS: tuple[Doubt, ...] = get_args(Doubt)


@dataclass(frozen=True, slots=True)
class LookedAt:
    """A doubt of the check that an editor looked at, and why the record stands as it is.

    `about` is the other player or event of the doubt, empty where it has none.
    """

    doubt: Doubt
    why: str
    about: str = ""
    line: int = field(default=0, compare=False)

    def __str__(self) -> str:
        """Return the doubt, whom or what it is about, and why the record stands."""
        return f"{self.doubt} {self.about}".rstrip() + f": {self.why}"
