"""Edo integrated as a leading system: its joint distribution, and its ratings without each event.

Covariances are those of Laplace's approximation, at hyperparameters taken as known, for the ratings
less their mean over all player-years. An event is left out by Newton's method from the maximum with
it: with H minus the Hessian there, U the participations and the shared numbers that the games of
the event touch, and K their information, the inverse without it is

    inv(H - U K U') = inv(H) + X inv(I - K G) K X',  X = inv(H) U,  G = U' X.

Hyperparameters, the share of draws, and the years and events that count for a player's level are
those with the event.

Source: the Sherman-Morrison-Woodbury formula; Golub, Van Loan, Matrix Computations (2013).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from edo.core.scale import ELO_PER_NAT, Floats, Ints, elo_from_theta
from edo.history.settings import Settings
from edo.rating import network
from edo.rating.edo import RatedNetwork, on_scale
from edo.rating.evidence import evidence
from edo.rating.games import Games
from edo.rating.inference.joint import Block, blocks, blocks_of, condense
from edo.rating.inference.leave_one_out import (
    LeaveOneOut,
    Removal,
    leave_out_each,
    removals,
    scale_weights_without,
)
from edo.systems.edo_integrated import Fitted
from edo.systems.hierarchical_fit import Bordered, Point

MIN_MOVE = 0.05  # [nat], 9 Elo: where no difference moves farther, one step is enough
TOLERANCE = 0.005  # [nat], 1 Elo, of the last step
MAX_STEPS = 12  # with the matrix of all events; where that leads on too slowly a fit takes over


@dataclass(frozen=True, slots=True)
class IntegratedNetwork(RatedNetwork):
    """The ratings of everybody by Edo integrated, with the `games` and the `fit` they come from."""

    games: Games
    fit: Fitted


def rated_network(games: Games, fitted: Fitted, settings: Settings) -> IntegratedNetwork:
    """Return the ratings of a fit to `games`, in order, on the scale of the settings.

    Raises ScaleNotSet where the scale cannot be set.
    """
    net = network.build(games, settings, everybody=True)
    deviation = fitted.deviation()
    node_evidence = evidence(net, settings)
    raw, weight = on_scale(net, fitted.rating, node_evidence.ranked, settings)
    return IntegratedNetwork(
        net, raw, deviation, raw, deviation, node_evidence, settings, weight, games, fitted
    )


@condense.register
def _(fitted: IntegratedNetwork) -> Bordered:
    return fitted.fit.posterior.factorised(fitted.fit.point, fitted.fit.hyper)


@blocks.register
def _(fitted: IntegratedNetwork, inverse: Bordered, groups: Iterable[Ints]) -> Iterator[Block]:
    shape, with_mean = fitted.fit.structure.shape, fitted.fit.with_mean(inverse)

    def covariance(nodes: Ints) -> Floats:
        mean = with_mean[nodes]
        between = inverse.covariance(nodes, shape[nodes])
        centred = between - mean - mean[:, None] + with_mean.mean()
        return np.asarray(ELO_PER_NAT**2 * centred)

    yield from blocks_of(fitted.rating, covariance, groups)


@leave_out_each.register
def _(fitted: IntegratedNetwork, inverse: Bordered) -> Iterator[LeaveOneOut]:
    events, games = _Events(fitted, inverse), fitted.games
    of_event = np.split(np.argsort(games.event), np.cumsum(np.bincount(games.event))[:-1])
    rows = dict(zip(games.events, of_event, strict=True))
    for removal in removals(fitted.network, everybody=True):
        yield events.without(removal, rows[removal.event])


class _Events:
    """Removes events from the same fit."""

    def __init__(self, fitted: IntegratedNetwork, inverse: Bordered) -> None:
        self._rated, self._inverse, self._fitted = fitted, inverse, fitted.fit
        self._posterior = fitted.fit.posterior
        n, c = self._posterior.n, self._posterior.c
        self._of_shared = inverse.solve(np.zeros((n, c)), np.eye(c))
        self._level = fitted.rating[0] - fitted.fit.rating[0]

    def without(self, removal: Removal, rows: Ints) -> LeaveOneOut:
        """Return the ratings without an event that has these rows of the games."""
        fitted, model, shape = self._rated, self._posterior.model, self._fitted.structure.shape
        downdate = _Downdate(self._fitted, self._inverse, self._of_shared, rows)
        point = downdate.maximum()
        rating = self._level + elo_from_theta(point.u + shape @ point.c)
        rating -= _shift(fitted, removal, rating)
        nodes = model.of[downdate.participations]
        to_strength = np.hstack([np.eye(len(nodes)), shape[nodes]])
        covariance = ELO_PER_NAT**2 * to_strength @ downdate.covariance() @ to_strength.T
        known = ~removal.dropped[model.player_years.player[nodes]]
        spread = float(np.mean(1 / model.weight[rows]))
        return LeaveOneOut(
            removal, rating, nodes, rating[nodes], covariance, known, covariance, spread
        )


class _Downdate:
    """The posterior without some rows of the games, near the maximum with them.

    `participations` (q,) are the participations in the event, ascending.
    """

    def __init__(
        self, fitted: Fitted, inverse: Bordered, of_shared: tuple[Floats, Floats], rows: Ints
    ) -> None:
        self._fitted, self._posterior, self._inverse = fitted, fitted.posterior, inverse
        model, self._rows = fitted.posterior.model, rows
        ends = np.r_[model.i[rows], model.j[rows]]
        self.participations, side = np.unique(ends, return_inverse=True)
        q, m, (i, j) = len(self.participations), len(rows), side.reshape(2, -1)
        self._links = np.zeros((m, q))
        self._links[np.arange(m), i] += 1.0
        self._links[np.arange(m), j] -= 1.0
        self._links = np.hstack([self._links, model.shared[rows].toarray()])
        right = np.zeros((self._posterior.n, q))
        right[self._posterior.k + self.participations, np.arange(q)] = 1.0
        inner, outer = inverse.solve(right, np.zeros((self._posterior.c, q)))
        self._inner, self._outer = (inner, of_shared[0]), np.hstack([outer, of_shared[1]])
        of_forms = np.hstack(
            [columns[self._posterior.k + self.participations] for columns in self._inner]
        )
        self._between = np.vstack([of_forms, self._outer])
        _, weight = self._of_rows(fitted.point)
        self._information = (self._links.T * weight) @ self._links
        self._gain = np.linalg.inv(np.eye(len(self._between)) - self._information @ self._between)

    def _of_rows(self, point: Point) -> tuple[Floats, Floats]:
        """Return the gradient of the rows by what they touch, and the information of each (m,)."""
        model, rows = self._posterior.model, self._rows
        p = expit(self._posterior.differences(point)[rows])
        surplus = model.weight[rows] * (model.score[rows] - model.games[rows] * p)
        return self._links.T @ surplus, model.weight[rows] * model.games[rows] * p * (1 - p)

    def _columns(self, by: Floats) -> tuple[Floats, Floats]:
        """Return X times a vector, by strengths and forms, and by shared numbers."""
        q = len(self.participations)
        return self._inner[0] @ by[:q] + self._inner[1] @ by[q:], self._outer @ by

    def covariance(self) -> Floats:
        """Return the covariances [nat^2] of forms and shared numbers without the rows."""
        g = self._between
        return np.asarray(g + g @ self._gain @ self._information @ g)

    def maximum(self) -> Point:
        """Return the maximum without the rows; raises NotConverged where it is not found."""
        start = self._fitted.point
        surplus, _ = self._of_rows(start)
        point = _moved(start, *self._columns(-self._gain @ surplus))
        moves = self._posterior.differences(point) - self._posterior.differences(start)
        # the rows of the event are gone, so how far they move does not matter
        if np.abs(np.delete(moves, self._rows)).max(initial=0.0) <= MIN_MOVE:
            return point
        for _ in range(MAX_STEPS):
            inner, outer = self._posterior.gradient(point, self._fitted.hyper)
            surplus, _ = self._of_rows(point)
            q, forms = len(self.participations), self._posterior.k + self.participations
            inner[forms] -= surplus[:q]
            outer = outer - surplus[q:]
            inner_step, outer_step = self._inverse.solve(inner, outer)
            put_back = self._gain @ self._information @ np.r_[inner_step[forms], outer_step]
            correction = self._columns(put_back)
            point = _moved(point, inner_step + correction[0], outer_step + correction[1])
            if (
                max(
                    np.abs(inner_step + correction[0]).max(),
                    np.abs(outer_step + correction[1]).max(),
                )
                <= TOLERANCE
            ):
                return point
        return self._fitted_without(point)

    def _fitted_without(self, start: Point) -> Point:
        """Return the maximum by a fit without the rows; the factor is that with them again after.

        The fit and its copies share one factor, which the next event needs as it was.
        """
        weight = self._posterior.model.weight.copy()
        weight[self._rows] = 0.0
        point = self._posterior.with_weight(weight).fit(self._fitted.hyper, start)
        self._posterior.factorised(self._fitted.point, self._fitted.hyper)
        return point


def _moved(point: Point, inner: Floats, outer: Floats) -> Point:
    k = len(point.u)
    return Point(point.u + inner[:k], point.v + inner[k:], point.c + outer)


def _shift(fitted: IntegratedNetwork, removal: Removal, rating: Floats) -> float:
    """Return by how much the mean that sets the scale is too high [Elo], over those who stay.

    Where none of them does, their mean shift.
    """
    stay, weight = removal.rated, scale_weights_without(fitted, removal, lambda: rating)
    if not weight.any():
        return float((rating - fitted.rating)[stay].mean()) if stay.any() else 0.0
    return float(weight @ rating / weight.sum()) - fitted.settings.anchor_rating
