"""Pairings, years of birth and games come in to a process of its own; answers and ratings go out.

As one pickle on standard input, and two on standard output: the answers to all questions as soon as
they are there, then the ratings by all systems. It is for whoever cannot fork, since he
has threads: `python -m edo.site.preview.background`.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, cast

from edo.core.cache import pickled
from edo.rating import edo
from edo.rating.inference.answers import Answers
from edo.rating.inference.questions import answer
from edo.rating.pairings import Pairing
from edo.systems.alongside import Alongside, rate_all
from edo.systems.games import Games

ROOT = Path(__file__).parents[2]


class Asked:
    """Answers and ratings that a second process is working on."""

    def __init__(self, pairings: Sequence[Pairing], born: Mapping[str, int], games: Games) -> None:
        self._given = pickled((tuple(pairings), dict(born), games))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "edo.site.preview.background"],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        self._into = cast("IO[bytes]", self._process.stdin)
        self._out = cast("IO[bytes]", self._process.stdout)

    def __enter__(self) -> Asked:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.wait()
        self._out.close()

    def answers(self) -> Answers | str:
        """Wait for the answers and return them, or in words why there are none."""
        with suppress(BrokenPipeError), self._into:
            self._into.write(self._given)
        answers: Answers | None = self._next()
        return answers or self._failed("the ratings could not be asked")

    def systems(self) -> Alongside | str:
        """Wait for the ratings by all systems after the answers, and return them likewise."""
        systems: Alongside | None = self._next()
        return systems or self._failed("the other systems could not rate")

    def _next(self) -> Any:
        """Return what the process hands over next, None where it ended before."""
        try:
            return pickle.load(self._out)
        except (EOFError, pickle.UnpicklingError):
            return None

    def _failed(self, what: str) -> str:
        return f"{what} ({self._process.wait()}); see the terminal"

    def stop(self) -> None:
        """Let the work be; its processes end."""
        self._process.terminate()


def main() -> None:
    """Answer what comes in on standard input."""
    os.nice(10)  # the page that somebody waits for comes first
    # The terminal sends it to all; the first process ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with suppress(EOFError, pickle.UnpicklingError, BrokenPipeError):  # nobody is there any more
        pairings, born, games = pickle.loads(sys.stdin.buffer.read())
        _say(answer(edo.run(pairings), born))
        _say(rate_all(games))


def _say(found: object) -> None:
    sys.stdout.buffer.write(pickled(found))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
