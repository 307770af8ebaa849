"""A pass and years of birth in; everything that its joint distribution is asked out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection

from edo import influence, posterior, rating, signals, suspects
from edo.answers import Answers
from edo.errors import EdoError
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
    receiver, sender = Pipe(duplex=False)
    second = Process(
        target=_ask, args=(receiver, sender, pairings, done.settings, born), daemon=True
    )
    second.start()
    sender.close()
    try:
        without = tuple(without_each(done))
        joint = _received(receiver)
    finally:
        second.kill()
        second.join()
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


def _ask(
    receiver: Connection,
    sender: Connection,
    pairings: Sequence[Pairing],
    settings: Settings,
    born: Mapping[str, int],
) -> None:
    """Send the second half of the work, or the error that it met."""
    receiver.close()  # with this end open here too, sending to a killed build would wait for ever
    signals.leave_to_the_first()
    found: posterior.Joint | Exception
    try:
        found = posterior.joint(rating.run(pairings, settings), born)
    except Exception as error:
        found = error
    with suppress(BrokenPipeError):
        sender.send(found)


def _received(receiver: Connection) -> posterior.Joint:
    try:
        found: posterior.Joint | Exception = receiver.recv()
    except EOFError:
        raise EdoError("the second process was killed; look whether the memory suffices") from None
    if isinstance(found, Exception):
        raise found
    return found
