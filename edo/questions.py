"""A pass in; everything that its joint distribution is asked out."""

from __future__ import annotations

from edo import influence, posterior, suspects
from edo.answers import Answers
from edo.rating import Pass
from edo.without import without_each


def answer(done: Pass) -> Answers:
    """Return the answers to all questions that pages and data files show."""
    joint = posterior.joint(done)
    without = tuple(without_each(done))
    return Answers(
        chances=joint.chances,
        superiority=joint.superiority,
        rivals=joint.rivals,
        peaks=joint.peaks,
        influences=influence.influences(done, without),
        bridges=influence.bridges(done, without),
        suspects=suspects.suspects(done, without),
    )
