"""A pass and years of birth in; everything that its joint distribution is asked out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor

from edo import influence, posterior, rating, suspects
from edo.answers import Answers
from edo.rating import Pass
from edo.scores import Pairing
from edo.settings import Settings
from edo.without import without_each


def answer(pairings: Sequence[Pairing], done: Pass, born: Mapping[str, int]) -> Answers:
    """Return the answers to all questions that pages and data files show.

    `pairings` are those of which the pass was made; `born` is the year of birth of each player of
    whom it is known. Of the two halves of the work a second process does one, from a pass of its
    own: the factor of a pass cannot be handed over, and a pass is soon made.
    """
    with ProcessPoolExecutor(max_workers=1) as second:
        asked = second.submit(_joint, pairings, done.settings, born)
        without = tuple(without_each(done))
        joint = asked.result()
    return Answers(
        chances=joint.chances,
        superiority=joint.superiority,
        rivals=joint.rivals,
        peaks=joint.peaks,
        influences=influence.influences(done, without),
        bridges=influence.bridges(done, without),
        suspects=suspects.suspects(done, without),
        correlations=joint.correlations,
    )


def _joint(
    pairings: Sequence[Pairing], settings: Settings, born: Mapping[str, int]
) -> posterior.Joint:
    return posterior.joint(rating.run(pairings, settings), born)
