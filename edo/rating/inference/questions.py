"""A pass and years of birth in; everything that its joint distribution is asked out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from edo.core import parallel
from edo.rating.edo import Pass
from edo.rating.inference import influence, outliers, posterior
from edo.rating.inference.answers import Answers, Bridge, Influence, Outlier
from edo.rating.inference.condensed import Condensed, condense
from edo.rating.inference.leave_one_out import without_each
from edo.rating.inference.posterior import Joint

MUCH = 500  # player-years from which a second process is worth starting


@dataclass(frozen=True, slots=True)
class OfEvents:
    """What follows from the ratings without each event."""

    influences: Mapping[str, tuple[Influence, ...]]
    bridges: tuple[Bridge, ...]
    suspects: tuple[Outlier, ...]


def answer(done: Pass, born: Mapping[str, int]) -> Answers:
    """Return the answers to all questions that pages and data files show.

    `born` is the year of birth of each player of whom it is known.
    """
    return answers(*parallel.run_parallel("asking", tasks(done, born), len(done.raw) >= MUCH))


def tasks(done: Pass, born: Mapping[str, int]) -> list[Callable[[], object]]:
    """Return the two halves of the work, which `answers` puts together; the longer one first."""
    network = condense(done)
    return [partial(posterior.joint, done, network, born), partial(_of_events, done, network)]


def answers(joint: Joint, of_events: OfEvents) -> Answers:
    """Return the answers of both halves of the work."""
    return Answers(
        chances=joint.chances,
        superiority=joint.superiority,
        rivals=joint.rivals,
        peaks=joint.peaks,
        influences=of_events.influences,
        bridges=of_events.bridges,
        suspects=of_events.suspects,
        correlations=joint.correlations,
    )


def _of_events(done: Pass, network: Condensed) -> OfEvents:
    without = tuple(without_each(done, network))
    return OfEvents(
        influence.influences(done, without),
        influence.bridges(done, without),
        outliers.suspects(done, without),
    )
