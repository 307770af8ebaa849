"""Pairings and years of birth come in to a process of its own; the answers to all questions go out.

As one pickle on standard input, and one on standard output. It is for whoever cannot fork, since he
has threads: `python -m edo.asked`.
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

from edo import rating
from edo.answers import Answers
from edo.questions import answer
from edo.scores import Pairing
from edo.store import pickled

ROOT = Path(__file__).parent.parent


class Asked:
    """Answers that a second process is working on."""

    def __init__(self, pairings: Sequence[Pairing], born: Mapping[str, int]) -> None:
        self._given = pickled((tuple(pairings), dict(born)))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "edo.asked"],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def answers(self) -> Answers | str:
        """Wait for the answers and return them, or in words why there are none."""
        found, _ = self._process.communicate(self._given)
        if self._process.returncode:
            return f"the ratings could not be asked ({self._process.returncode}); see the terminal"
        answers: Answers = pickle.loads(found)
        return answers

    def stop(self) -> None:
        """Let the work be; its processes end."""
        self._process.terminate()


def main() -> None:
    """Answer what comes in on standard input."""
    os.nice(10)  # the page that somebody waits for comes first
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # the terminal sends it to all; the first ends this
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with suppress(EOFError, pickle.UnpicklingError, BrokenPipeError):  # nobody is there any more
        pairings, born = pickle.loads(sys.stdin.buffer.read())
        answers = answer(pairings, rating.run(pairings), born)
        sys.stdout.buffer.write(pickled(answers))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
