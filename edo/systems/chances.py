"""A rating difference in; the chances that White wins, that it is drawn and that Black wins out.

The model of Bayeselo: draws come in where neither side passes a threshold.

Source: Rao, Kupper, Ties in paired-comparison experiments, J. Am. Stat. Assoc. 62 (1967), with
the advantage of the first move; Coulom, Bayesian Elo Rating (2010).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from edo.core.scale import theta_from_elo
from edo.systems.games import Floats, Ints

WBEC_ADVANTAGE, WBEC_DRAW = 32.8, 97.3  # [Elo] Coulom, of 29,610 games of computers


@dataclass(frozen=True, slots=True)
class Chances:
    """Chances of the three results: `advantage` of White [Elo], `draw` [Elo] wide, at least 0.

    Differences are those of the model; on the usual scale they are `scale` times as large.
    """

    advantage: float = WBEC_ADVANTAGE
    draw: float = WBEC_DRAW

    @property
    def scale(self) -> float:
        """Return how steep the expected score is at even strength, 1 being Elo's logistic."""
        half = theta_from_elo(np.array(self.draw)) / 2
        return float(1 / np.cosh(half) ** 2)

    def of(self, difference: Floats) -> tuple[Floats, Floats, Floats]:
        """Return win, draw and loss of White, any shape, at White's rating less Black's [Elo]."""
        x, draw = theta_from_elo(difference + self.advantage), theta_from_elo(np.array(self.draw))
        win, loss = np.asarray(expit(x - draw)), np.asarray(expit(-x - draw))
        return win, np.expm1(2 * draw) * win * loss, loss

    def score(self, difference: Floats) -> Floats:
        """Return White's expected score, any shape, at White's rating less Black's [Elo]."""
        win, _, loss = self.of(difference)
        return (1 + win - loss) / 2


@dataclass(frozen=True, slots=True, eq=False)
class Expected:
    """Foretells by ratings (k,) [Elo, usual scale], by the mean of both colours where unknown."""

    rating: Floats
    chances: Chances

    def __call__(self, first: Ints, second: Ints, colour: Floats, /) -> Floats:
        """Return the expected scores per game (m,)."""
        difference = (self.rating[first] - self.rating[second]) / self.chances.scale
        white, black = self.chances.score(difference), 1 - self.chances.score(-difference)
        return np.asarray(((1 + colour) * white + (1 - colour) * black) / 2)
