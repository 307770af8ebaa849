"""A background process that computes the slow parts of a site, while the preview shows the rest.

It is a new process rather than a fork, because the preview has threads.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from edo.core.cache import pickled
from edo.rating import edo
from edo.rating.inference.answers import Answers
from edo.rating.inference.posterior import answer
from edo.rating.pairings import Pairing
from edo.systems.alongside import Alongside, rate_all
from edo.systems.games import Games


class BackgroundTask:
    """Computes the joint distribution's answers, then the ratings by other systems."""

    def __init__(self, pairings: Sequence[Pairing], born: Mapping[str, int], games: Games) -> None:
        context = get_context("spawn")
        self._results, results = context.Pipe(duplex=False)
        self._process = context.Process(
            target=_compute, args=(results, tuple(pairings), dict(born), games)
        )
        self._process.start()
        results.close()

    def __enter__(self) -> BackgroundTask:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.join()
        self._results.close()

    def answers(self) -> Answers | str:
        """Wait for the answers and return them, or a sentence on why there are none."""
        answers: Answers | None = self._next()
        return answers or self._failure("the joint distribution could not be computed")

    def systems(self) -> Alongside | str:
        """Wait for the ratings by other systems after the answers, and return them likewise."""
        systems: Alongside | None = self._next()
        return systems or self._failure("the other systems could not be computed")

    def _next(self) -> Any:
        """Return the next result, None where the process ended before it."""
        try:
            return pickle.loads(self._results.recv_bytes())
        except (EOFError, ConnectionError):
            return None

    def _failure(self, what: str) -> str:
        self._process.join()
        return f"{what} ({self._process.exitcode}); see the terminal"

    def stop(self) -> None:
        """End the process."""
        self._process.terminate()


def _compute(
    results: Connection, pairings: tuple[Pairing, ...], born: Mapping[str, int], games: Games
) -> None:
    os.nice(10)  # requests for pages come first
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to the preview too
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with suppress(ConnectionError):  # the preview has ended
        results.send_bytes(pickled(answer(edo.run(pairings), born)))
        results.send_bytes(pickled(rate_all(games)))
