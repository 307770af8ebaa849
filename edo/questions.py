"""A pass and years of birth in; everything that its joint distribution is asked out."""

from __future__ import annotations

from collections.abc import Mapping

from edo import influence, posterior, suspects
from edo.answers import Answers
from edo.rating import Pass
from edo.without import without_each


def answer(done: Pass, born: Mapping[str, int]) -> Answers:
    """Return the answers to all questions that pages and data files show.

    `born` is the year of birth of each player of whom it is known.
    """
    joint = posterior.joint(done, born)
    without = tuple(without_each(done))
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
