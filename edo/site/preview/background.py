"""A background process that computes the slow parts of a site, while the preview shows the rest.

It is a new process rather than a fork, because the preview has threads.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection

from edo.core.model import Dataset
from edo.history.project import SiteConfig
from edo.rating.edo import publish
from edo.rating.games import games_of
from edo.rating.inference.posterior import answer
from edo.systems import leading
from edo.systems.all_ratings import rate_all, systems_with


class BackgroundTask:
    """Computes the joint distribution's answers, then the ratings by other systems."""

    def __init__(self, dataset: Dataset, config: SiteConfig) -> None:
        context = get_context("spawn")
        self._results, results = context.Pipe(duplex=False)
        self._process = context.Process(target=_compute, args=(results, dataset, config))
        self._process.start()
        results.close()

    def results(self) -> Iterator[dict[str, object] | str]:
        """Yield the answers, then the ratings by other systems, as soon as they are computed.

        Each by its name in `SiteInput`. Where one could not be computed, a sentence that says so is
        the last.
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


def _compute(results: Connection, dataset: Dataset, config: SiteConfig) -> None:
    os.nice(10)  # requests for pages come first
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to the preview too
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # its own worker processes end with it
    with suppress(ConnectionError):  # the preview has ended
        games, settings = games_of(dataset), config.settings
        rated = leading.run(games, settings)
        results.send({"answers": answer(rated, config.question, config.asked_pairs)})
        known = leading.columns_of(rated, games)
        systems = rate_all(games, systems_with(settings), known=known)
        ratings = publish(dataset, rated)
        second = leading.second_ratings(dataset, games, systems, ratings)
        results.send({"systems": systems, "second": second})
