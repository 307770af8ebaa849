"""A background process that computes the slow parts of a site, while the preview shows the rest.

It is a new process rather than a fork, because the preview has threads.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection

from edo.core.settings import Settings
from edo.rating.inference.answers import Answers
from edo.rating.inference.posterior import answer
from edo.rating.pairings import Pairing
from edo.systems import leading
from edo.systems.all_ratings import AllRatings, rate_all, systems_with
from edo.systems.games import Games


class BackgroundTask:
    """Computes the joint distribution's answers, then the ratings by other systems."""

    def __init__(
        self,
        pairings: Sequence[Pairing],
        settings: Settings,
        born: Mapping[str, int],
        games: Games,
    ) -> None:
        context = get_context("spawn")
        self._results, results = context.Pipe(duplex=False)
        self._process = context.Process(
            target=_compute, args=(results, tuple(pairings), settings, dict(born), games)
        )
        self._process.start()
        results.close()

    def results(self) -> Iterator[Answers | AllRatings | str]:
        """Yield the answers, then the ratings by other systems, as soon as they are computed.

        Where one could not be computed, a sentence that says so is the last.
        """
        what = "the joint distribution"
        try:
            yield self._results.recv()
            what = "the other systems"
            yield self._results.recv()
        except (EOFError, ConnectionError):  # the process has ended
            self._process.join()
            yield f"{what} could not be computed ({self._process.exitcode}); see the terminal"
        finally:
            self._process.join()
            self._results.close()

    def stop(self) -> None:
        """End the process."""
        self._process.terminate()


def _compute(
    results: Connection,
    pairings: tuple[Pairing, ...],
    settings: Settings,
    born: Mapping[str, int],
    games: Games,
) -> None:
    os.nice(10)  # requests for pages come first
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to the preview too
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # its own worker processes end with it
    with suppress(ConnectionError):  # the preview has ended
        done = leading.run(pairings, games, settings)
        results.send(answer(done, born))
        known = leading.columns_of(done, games)
        results.send(rate_all(games, systems_with(settings), known=known))
