"""Leave-one-out: the ratings without each event, approximated without a refit.

Without an event some players cannot be rated any more; then their other pairings drop out too. Who
remains ratable is decided, among the players in the network, as in `network.unratable`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from edo.core.problems import ScaleNotSet
from edo.core.scale import ELO_PER_NAT, Bools, Floats, Ints, elo_from_theta
from edo.core.settings import Settings
from edo.rating.edo import FittedNetwork, across_gaps, adjust, scale_weights
from edo.rating.inference.joint import Condensed
from edo.rating.network import ResultsNetwork, ScoringGraph

MAX_STEPS = 12  # usually 1 to 4 are needed
MAX_MOVE = 1.0  # [nat], 174 Elo: from farther away Newton on a logistic curve overshoots
TOLERANCE = 0.01  # [nat], 2 Elo: the next step is then smaller by a factor of some hundreds
MIN_MOVE = 0.05  # [nat], 9 Elo: a smaller move of a difference changes no weight by over 0.1 %
MIN_CORRECTION = 0.01  # relative change of the variance of a link's difference
MAX_CORRECTIONS = 100  # links; with more the step is no better, but slower
MIN_PRIOR_DEVIATION = 50.0  # [Elo]: a few players who happen to be equal say little of the others


@dataclass(frozen=True, slots=True)
class Removal:
    """What remains of a network without an event.

    `own`, `gone` (n_pairings,) mark the event's pairings and all that drop out with it; `dropped`
    (n_players,) the players who lose their rating. Of the rest, `rated` (n_player_years,) marks
    the years that still have a rating, `has_results` (n_player_years,) those with results, and
    `stays` (n_nodes,) the rated years and the ghosts still in use.
    """

    event: str
    own: Bools
    gone: Bools
    dropped: Bools
    rated: Bools
    has_results: Bools
    stays: Bools


def removals(network: ResultsNetwork) -> tuple[Removal, ...]:
    """Return the removal of each event of the network, by id."""
    events, event = np.unique([p.event for p in network.pairings], return_inverse=True)
    graph = ScoringGraph(network.players, network.pairings)
    return tuple(_removal(network, graph, str(name), event == k) for k, name in enumerate(events))


def _removal(network: ResultsNetwork, graph: ScoringGraph, event: str, own: Bools) -> Removal:
    dropped = graph.dropped(own)
    gone = own | dropped[graph.first] | dropped[graph.second]
    pairs, n = network.comparisons, len(network.year)
    left = np.flatnonzero(~gone)
    in_use = np.zeros(pairs.n, bool)
    in_use[pairs.i[left]] = in_use[pairs.j[left]] = True
    has_results = in_use.copy()
    has_results[network.owner[in_use]] = True
    rated = _between(has_results[:n], network.start)
    stays = np.concatenate([rated, in_use[n:]])
    return Removal(event, own, gone, dropped, rated, has_results[:n], stays)


def _between(has_results: Bools, start: Ints) -> Bools:
    """Mark each player's years from the first to the last with results (n_player_years,)."""
    before = np.concatenate([[0], np.cumsum(has_results)])
    base, lengths = before[start[:-1]], np.diff(start)
    so_far = before[1:] - np.repeat(base, lengths)
    total = np.repeat(before[start[1:]] - base, lengths)
    return np.asarray((so_far > 0) & (so_far - has_results < total))


@dataclass(frozen=True, slots=True)
class Downdate:
    """A step (n,) [nat] of all theta, and the low-rank change of the inverse information with it.

    The inverse gains `columns` `gain` `columns`', of the shapes (n, k), (k, k), (k, n).
    """

    step: Floats
    columns: Floats
    gain: Floats

    def gained(self, right: Floats) -> Floats:
        """Return what the inverse times `right` (n,) gains."""
        return np.asarray(self.columns @ (self.gain @ (right @ self.columns)))

    def gained_diagonal(self) -> Floats:
        """Return what the diagonal of the inverse gains, (n,)."""
        return np.asarray(np.einsum("ij,ij->i", self.columns @ self.gain, self.columns))


@dataclass(frozen=True, slots=True)
class _Removed:
    """The (m,) links to be removed, or parts of them, between `ends` (2, m).

    `surplus` [points] is what the first scored in each above expectation, `weight` [1 / nat^2] the
    information.
    """

    ends: Ints
    surplus: Floats
    weight: Floats

    def __add__(self, other: _Removed) -> _Removed:
        return _Removed(
            np.concatenate([self.ends, other.ends], axis=1),
            np.concatenate([self.surplus, other.surplus]),
            np.concatenate([self.weight, other.weight]),
        )


class Downdater:
    """Removes one event after another from the same fit, by Newton steps of low rank.

    Source: the Sherman-Morrison-Woodbury formula; Golub, Van Loan, Matrix Computations (2013).
    """

    def __init__(self, network: Condensed) -> None:
        self._network = network
        self._surplus = network.links.surplus(network.theta)
        self._weight = network.links.weights(network.theta)

    def remove(self, removal: Removal) -> Downdate:
        """Return the step that a removal causes; that of dropped players means nothing.

        No difference moves by more than `MAX_MOVE` in one step.
        """
        drops = removal.dropped[self._network.player]
        left = np.ones(len(self._weight), bool)
        left[: len(removal.gone)] = ~removal.gone
        links = self._network.links
        removed = corrected = self._removed(removal, drops)
        at = np.zeros(len(drops))
        for _ in range(MAX_STEPS):
            downdate = self._step(corrected, drops)
            farthest = np.abs(links.differences(downdate.step - at)[left]).max(initial=0.0)
            at = at + min(1.0, MAX_MOVE / max(farthest, MAX_MOVE)) * (downdate.step - at)
            corrections = self._corrections(left, at, downdate)
            if farthest <= TOLERANCE or (farthest <= MAX_MOVE and not len(corrections.weight)):
                break
            corrected = removed + corrections
        return Downdate(at, downdate.columns, downdate.gain)

    def _removed(self, removal: Removal, drops: Bools) -> _Removed:
        """Return the links that drop out, and an extra link for each dropped player.

        Without it the information about him would be singular. The extra link (information that is
        added) ties him to a node that stays, without a surplus, so it has no effect on the others.
        Where nobody stays, nothing is removed.
        """
        here = np.flatnonzero(removal.gone & ~drops.all())
        links = self._network.links
        ends, weight = np.stack([links.i[here], links.j[here]]), self._weight[here]
        nodes = np.unique(ends)
        staying, dropped = nodes[~drops[nodes]], nodes[drops[nodes]]
        _, one_each = np.unique(self._network.player[dropped], return_index=True)
        tied = dropped[one_each]
        extra = np.full(len(tied), weight.sum() / max(1, len(weight)))
        ties = np.stack([tied, np.resize(staying[:1], len(tied))])
        return _Removed(ends, self._surplus[here], weight) + _Removed(ties, 0 * extra, -extra)

    def _corrections(self, left: Bools, at: Floats, downdate: Downdate) -> _Removed:
        """Return the corrections for nonlinearity of the remaining links that need them most.

        At the point `at`, each replaces the linear approximation of the link at theta by one there.
        """
        moved = self._network.links.differences(at)
        some = np.flatnonzero(left & (np.abs(moved) > MIN_MOVE))
        moved, theta = moved[some], self._network.theta + at
        links = self._network.links.subset(some)
        lost = self._weight[some] - links.weights(theta)
        across = downdate.columns[links.i] - downdate.columns[links.j]
        variance = self._network.variances(links)
        variance += np.einsum("ij,ij->i", across @ downdate.gain, across)
        change = np.abs(lost) * variance
        most = np.argsort(-change, kind="stable")[:MAX_CORRECTIONS]
        most = most[change[most] > MIN_CORRECTION]
        residue = self._surplus[some] - links.surplus(theta) - links.weights(theta) * moved
        return _Removed(np.stack([links.i, links.j])[:, most], residue[most], lost[most])

    def _step(self, removed: _Removed, drops: Bools) -> Downdate:
        nodes, at = np.unique(removed.ends, return_inverse=True)
        k, (i, j) = len(nodes), at.reshape(2, -1)
        force = np.bincount(i, removed.surplus, k) - np.bincount(j, removed.surplus, k)
        force[drops[nodes]] = 0.0
        information = np.zeros((k, k))
        for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            np.add.at(information, (a, b), sign * removed.weight)
        columns = self._network.covariance[nodes].T
        right = np.hstack([force[:, None], information])
        solved = np.asarray(
            np.linalg.solve(np.eye(k) - information @ columns[nodes], right), np.float64
        )
        return Downdate(-columns @ solved[:, 0], columns, solved[:, 1:])


@dataclass(frozen=True, slots=True)
class LeaveOneOut:
    """The ratings without an event, and the strengths they predict for those who played in it.

    `rating` (n_player_years,) [Elo] is the one that would be published; it is valid only in the
    years of `removal.rated`. `nodes` (k,) are the player-years that played in the event. The
    prediction of their strengths is normal with `mean` (k,) [Elo] and `covariance` (k, k) [Elo^2]:
    the raw ratings without the event, adjusted with the distribution of all raw ratings of years
    with results as prior (covariances scaled on both sides like the deviations). A player who
    drops, `known` (k,) being false, has the prior alone. The background of chess players in general
    would be a bad prior: an unknown player in an event of masters is nearer to them.
    `raw_covariance` (k, k) [Elo^2] is that of the raw ratings without the event.
    """

    removal: Removal
    rating: Floats
    nodes: Ints
    mean: Floats
    covariance: Floats
    known: Bools
    raw_covariance: Floats


def leave_out_each(fitted: FittedNetwork, network: Condensed) -> Iterator[LeaveOneOut]:
    """Yield the ratings without each event, by id; `network` is the condensed one of the pass."""
    downdater, centring = Downdater(network), _Centring(network)
    for removal in removals(fitted.network):
        yield _on_scale(fitted, network, centring, removal, downdater.remove(removal))


@dataclass(frozen=True, slots=True)
class _Mean:
    """Covariances [nat^2] of the nodes with the mean of all that stay, and its variance."""

    covariances: Floats
    variance: float

    def centred_variances(self, diagonal: Floats) -> Floats:
        """Return the variances of the distances from the mean, (n,)."""
        return diagonal - 2 * self.covariances + self.variance


class _Centring:
    """The mean of all nodes, those in the years of gaps included, on which theta is centred.

    A year in a gap is on the straight line between the years at its ends, so half of the gap
    counts for each of them. The variance around that line is left out of the mean.
    """

    def __init__(self, network: Condensed) -> None:
        self._network = network
        gaps = np.flatnonzero(network.links.span > 1)
        self._ends = network.links.i[gaps], network.links.j[gaps]
        self._years = (network.links.span[gaps] - 1) / 2
        self._all = self._counts(np.ones(len(network.node), bool))
        self._sums = network.covariance @ self._all
        mean = self._sums / self._all.sum()
        self.diagonal = network.covariance.diagonal()
        before = _Mean(mean, mean @ self._all / self._all.sum())
        self.variances_before = before.centred_variances(self.diagonal)

    def mean_after(self, removal: Removal, downdate: Downdate) -> _Mean:
        """Return the covariances with the mean of the nodes that stay."""
        counts = self._counts(removal.stays[self._network.node])
        lost = np.flatnonzero(counts != self._all)
        sums = self._sums - (self._all - counts)[lost] @ self._network.covariance[lost]
        sums = sums + downdate.gained(counts)
        total = max(1.0, counts.sum())
        return _Mean(sums / total, float(sums @ counts) / total**2)

    def _counts(self, stays: Bools) -> Floats:
        """Return for how many nodes of the full network each one counts, (n,)."""
        i, j = self._ends
        years = np.where(stays[i] & stays[j], self._years, 0.0)
        n = len(stays)
        return np.asarray(stays + np.bincount(i, years, n) + np.bincount(j, years, n), np.float64)


def _on_scale(
    fitted: FittedNetwork,
    network: Condensed,
    centring: _Centring,
    removal: Removal,
    downdate: Downdate,
) -> LeaveOneOut:
    """Return the ratings [Elo] after a downdate [nat]."""
    centre = centring.mean_after(removal, downdate)
    unit = fitted.settings.variance_factor * ELO_PER_NAT**2
    step = downdate.step - _shift_of_scale(fitted, network, removal, downdate.step)
    diagonal = centring.diagonal + downdate.gained_diagonal()
    change = centre.centred_variances(diagonal) - centring.variances_before
    years = network.node < len(fitted.network.year)
    raw, variance = fitted.raw.copy(), np.square(fitted.raw_deviation)
    raw[network.node[years]] += elo_from_theta(step[years])
    variance[network.node[years]] += unit * change[years]
    rating, _ = adjust(raw, np.sqrt(variance), fitted.settings)
    if removal.rated.any():
        rating = across_gaps(rating, removal.has_results)
    played = _played(network, removal)
    nodes = network.node[played]
    raw_covariance = unit * _covariance(network, downdate, centre, played)
    drops = removal.dropped[network.player[played]]
    prior = _prior(fitted, removal, raw)
    mean, covariance = _predicted(prior, raw[nodes], raw_covariance, drops)
    return LeaveOneOut(removal, rating, nodes, mean, covariance, ~drops, raw_covariance)


def _prior(fitted: FittedNetwork, removal: Removal, raw: Floats) -> Settings:
    """Return the settings with the distribution of the rated years instead of the background."""
    known = raw[removal.has_results & removal.rated]
    if len(known) < 2:
        return fitted.settings
    deviation = max(float(known.std()), MIN_PRIOR_DEVIATION)
    return replace(
        fitted.settings, background_mean=float(known.mean()), background_deviation=deviation
    )


def _predicted(
    prior: Settings, raw: Floats, covariance: Floats, drops: Bools
) -> tuple[Floats, Floats]:
    """Return the predicted strengths of the players, mean [Elo] and covariance [Elo^2]."""
    deviation = np.sqrt(covariance.diagonal())
    mean, adjusted = adjust(raw, deviation, prior)
    scale = adjusted / deviation
    covariance = np.where(drops | drops[:, None], 0.0, covariance * scale * scale[:, None])
    covariance[drops, drops] = prior.background_deviation**2
    return np.where(drops, prior.background_mean, mean), covariance


def _shift_of_scale(
    fitted: FittedNetwork, network: Condensed, removal: Removal, step: Floats
) -> float:
    """Return the step [nat] of the mean that sets the scale, over the ratings that stay.

    Where they are not all those that set it before, also by how much the mean of the others differs
    from the scale's. Where none stays, the mean step.
    """
    weight, settings = np.where(removal.rated, fitted.scale_weight, 0.0), fitted.settings
    years, node = network.node < len(fitted.raw), np.arange(len(fitted.raw))
    if settings.anchor_first is not None:
        raw = fitted.raw + elo_from_theta(np.interp(node, network.node[years], step[years]))
        with suppress(ScaleNotSet):  # else those who were the first remain so
            stay = removal.rated & fitted.evidence.ranked
            weight = scale_weights(fitted.network, raw, stay, settings)
    node = node[weight > 0]
    if not len(node):
        stays = removal.stays[network.node]
        return float(step[stays].sum() / max(1, stays.sum()))
    moved = np.interp(node, network.node[years], step[years])
    moved += (fitted.raw[node] - settings.anchor_rating) / ELO_PER_NAT
    return float(weight[node] @ moved / weight[node].sum())


def _played(network: Condensed, removal: Removal) -> Ints:
    """Return the player-years that played in the event, by their condensed numbers."""
    here = np.flatnonzero(removal.own)
    ends = np.concatenate([network.links.i[here], network.links.j[here]])
    return np.searchsorted(network.node, np.unique(network.owner[ends]))


def _covariance(network: Condensed, downdate: Downdate, centre: _Mean, nodes: Ints) -> Floats:
    """Return the covariances (k, k) [nat^2] of the nodes' distances from the mean."""
    columns = downdate.columns[nodes]
    covariance = network.covariance[np.ix_(nodes, nodes)] + columns @ downdate.gain @ columns.T
    with_mean = centre.covariances[nodes]
    return covariance - with_mean - with_mean[:, None] + centre.variance
