"""Expectation propagation where each player has his own draw margin.

To win, a performance must exceed the opponent's by more than the opponent's margin: a margin is
the ability to hold a draw. A draw therefore says two things at once: neither performance exceeded
the other by too much. The paper weighs the two one after the other; here they are weighed jointly
and exactly, because otherwise the log evidence of a draw is several percent too large.

Source: Dangauthier, Herbrich, Minka & Graepel, TrueSkill Through Time (2007), section 3.3.
"""

from __future__ import annotations

import numpy as np

from edo.systems.expectation_propagation import (
    Chains,
    Messages,
    Normal,
    Outcomes,
    Play,
    Propagation,
    both_positive,
    messages_to,
    positive,
)
from edo.systems.games import Floats

_SIGNS = np.array([[1.0], [-1.0], [-1.0]])  # the winner's skill, the loser's, the loser's margin


class OwnMargins(Propagation):
    """Games between nodes with a skill and a margin each.

    The chains hold n nodes of skills and then n of margins; `play` gives performance and scale
    only, not its common margin. Edges are those of won games (3, m), of drawn ones (4, m), to two
    skills and two margins, and one that keeps each margin above 0 (n,).
    """

    def __init__(self, outcomes: Outcomes, chains: Chains, play: Play) -> None:
        won, drawn = outcomes.where(~outcomes.drawn), outcomes.where(outcomes.drawn)
        n = len(chains.order) // 2
        nodes = np.concatenate([
            *won.nodes, won.nodes[1] + n, *drawn.nodes, *(drawn.nodes + n), np.arange(n, 2 * n)
        ])  # fmt: skip
        copies = np.concatenate([np.tile(won.count, 3), np.tile(drawn.count, 4), np.ones(n)])
        super().__init__(chains, nodes, copies, play.elo)
        self._won, self._drawn, self._noise = won.count, drawn.count, play.noise

    def updates(self, cavity: Normal) -> tuple[Messages, float]:
        """Return new messages given cavities (n_edges,), and the log probability of all games."""
        ends = np.cumsum([3 * len(self._won), 4 * len(self._drawn)])
        won, drawn, margins = zip(*(np.split(x, ends) for x in cavity), strict=True)
        parts = (
            _won(Normal(*(x.reshape(3, -1) for x in won)), self._noise),
            _drawn(Normal(*(x.reshape(4, -1) for x in drawn)), self._noise),
            _positive(Normal(*margins)),
        )
        precision, shift = (
            np.concatenate([messages[k].ravel() for messages, _ in parts]) for k in (0, 1)
        )
        log_mass = parts[0][1] @ self._won + parts[1][1] @ self._drawn + parts[2][1].sum()
        return Messages(precision, shift), float(log_mass)


def _won(cavity: Normal, noise: float) -> tuple[Messages, Floats]:
    """Return the messages of won games (3, m), and their log probabilities (m,)."""
    total = cavity.variance.sum(axis=0) + noise
    spread = np.sqrt(total)
    found = positive((_SIGNS * cavity.mean).sum(axis=0) / spread)
    messages = messages_to(cavity, _SIGNS * found.slope / spread, found.curvature / total)
    return messages, found.log_mass


def _drawn(cavity: Normal, noise: float) -> tuple[Messages, Floats]:
    """Return the messages of draws (4, m), and their log probabilities (m,)."""
    mean, variance = cavity
    ahead, apart = mean[0] - mean[1], variance[0] + variance[1] + noise
    # How far the first is from losing and the second: one plus, the other minus the difference.
    total = apart + variance[2:]
    spread = np.sqrt(total)
    product = spread[0] * spread[1]
    rest = (apart * variance[2:].sum(axis=0) + variance[2] * variance[3]) / product**2
    spare = np.stack([ahead + mean[2], mean[3] - ahead])
    found = both_positive(spare / spread, -apart / product, rest)
    slope, curvature = found.slope / spread, found.curvature / total
    by_difference = slope[0] - slope[1]
    of_difference = curvature.sum(axis=0) - 2 * found.mixed / product
    messages = messages_to(
        cavity,
        np.stack([by_difference, -by_difference, *slope]),
        np.stack([of_difference, of_difference, *curvature]),
    )
    return messages, found.log_mass


def _positive(cavity: Normal) -> tuple[Messages, Floats]:
    """Return the messages that keep margins (n,) above 0, and the log probabilities (n,)."""
    spread = np.sqrt(cavity.variance)
    found = positive(cavity.mean / spread)
    messages = messages_to(cavity, found.slope / spread, found.curvature / cavity.variance)
    return messages, found.log_mass
