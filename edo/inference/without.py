"""A pass in; for each event the ratings that it would give without that event out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from edo.inference.condensed import Condensed
from edo.inference.deletion import Deleter, Deletion
from edo.inference.removal import Removal, removals
from edo.rating import Pass, across_gaps, adjust
from edo.scale import ELO_PER_NAT, Floats, elo_from_theta
from edo.settings import Settings

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

NARROWEST = 50.0  # [Elo]: a handful of players who happen to be equal do not make all others so


@dataclass(frozen=True, slots=True)
class Without:
    """The ratings without an event, and what they say of those who played in it.

    `rating` (n_player_years,) [Elo] is that which would be published; it means something only in
    the years of `removal.rated`. `nodes` (k,) are the player-years that played in the event;
    their strengths are believed to be normal with `mean` (k,) [Elo] and `covariance` (k, k)
    [Elo^2]: the raw ratings without the event, tempered by the distribution of all those of years
    with results (covariances scaled on both sides like the deviations). Of a player who drops,
    `known` (k,) being false, nothing else is believed. The background of chess players in general
    will not do here: whoever comes from nowhere into an event of masters is nearer to them.
    """

    removal: Removal
    rating: Floats
    nodes: Ints
    mean: Floats
    covariance: Floats
    known: Bools


def without_each(done: Pass, network: Condensed) -> Iterator[Without]:
    """Yield the ratings without each event, by id; `network` is that of the pass."""
    deleter, gauge = Deleter(network), _Gauge(network)
    for removal in removals(done.network):
        yield _on_scale(done, network, gauge, removal, deleter.delete(removal))


@dataclass(frozen=True, slots=True)
class _Centre:
    """Of the nodes' covariances [nat^2]: those with the mean of all that stay, and its variance."""

    with_mean: Floats
    of_mean: float

    def variances(self, diagonal: Floats) -> Floats:
        """Return the variances of the distances from the mean, (n,)."""
        return diagonal - 2 * self.with_mean + self.of_mean


class _Gauge:
    """The mean of all nodes, those in the years of gaps included, in which theta is centred.

    A year in a gap lies on the straight line between the years at its ends, so that half of the
    gap counts for each of them. The doubt about the line itself leaves the mean as it is.
    """

    def __init__(self, network: Condensed) -> None:
        self._network = network
        ties = np.flatnonzero(network.links.span > 1)
        self._gap = network.links.i[ties], network.links.j[ties]
        self._years = (network.links.span[ties] - 1) / 2
        self._all = self._shares(np.ones(len(network.node), bool))
        self._sums = network.covariance @ self._all
        mean = self._sums / self._all.sum()
        self.diagonal = network.covariance.diagonal()
        self.before = _Centre(mean, mean @ self._all / self._all.sum()).variances(self.diagonal)

    def of(self, removal: Removal, deletion: Deletion) -> _Centre:
        """Return what the mean of the nodes that stay has to do with each."""
        shares = self._shares(removal.stays[self._network.node])
        lost = np.flatnonzero(shares != self._all)
        sums = self._sums - (self._all - shares)[lost] @ self._network.covariance[lost]
        sums = sums + deletion.gained(shares)
        total = max(1.0, shares.sum())
        return _Centre(sums / total, float(sums @ shares) / total**2)

    def _shares(self, stays: Bools) -> Floats:
        """Return for how many nodes each one counts, (n,)."""
        i, j = self._gap
        years = np.where(stays[i] & stays[j], self._years, 0.0)
        n = len(stays)
        return np.asarray(stays + np.bincount(i, years, n) + np.bincount(j, years, n), np.float64)


def _on_scale(
    done: Pass, network: Condensed, gauge: _Gauge, removal: Removal, deletion: Deletion
) -> Without:
    """Return the ratings [Elo] after a deletion [nat]."""
    centre = gauge.of(removal, deletion)
    unit = done.settings.variance_factor * ELO_PER_NAT**2
    step = deletion.step - _step_of_scale(done, network, removal, deletion.step)
    change = centre.variances(gauge.diagonal + deletion.gained_diagonal()) - gauge.before
    years = network.node < len(done.network.year)
    raw, variance = done.raw.copy(), np.square(done.raw_deviation)
    raw[network.node[years]] += elo_from_theta(step[years])
    variance[network.node[years]] += unit * change[years]
    rating, _ = adjust(raw, np.sqrt(variance), done.settings)
    if removal.rated.any():
        rating = across_gaps(rating, removal.has_results)
    played = _played(network, removal)
    nodes = network.node[played]
    covariance = unit * _covariance(network, deletion, centre, played)
    drops = removal.dropped[network.player[played]]
    prior = _prior(done, removal, raw)
    mean, covariance = _believed(prior, raw[nodes], covariance, drops)
    return Without(removal, rating, nodes, mean, covariance, ~drops)


def _prior(done: Pass, removal: Removal, raw: Floats) -> Settings:
    """Return the settings with the distribution of the rated years instead of the background."""
    known = raw[removal.has_results & removal.rated]
    if len(known) < 2:
        return done.settings
    spread = max(float(known.std()), NARROWEST)
    return replace(done.settings, background_mean=float(known.mean()), background_deviation=spread)


def _believed(
    prior: Settings, raw: Floats, covariance: Floats, drops: Bools
) -> tuple[Floats, Floats]:
    """Return what is believed of the players of an event, mean [Elo] and covariance [Elo^2]."""
    deviation = np.sqrt(covariance.diagonal())
    mean, tempered = adjust(raw, deviation, prior)
    scale = tempered / deviation
    covariance = np.where(drops | drops[:, None], 0.0, covariance * scale * scale[:, None])
    covariance[drops, drops] = prior.background_deviation**2
    return np.where(drops, prior.background_mean, mean), covariance


def _step_of_scale(done: Pass, network: Condensed, removal: Removal, step: Floats) -> float:
    """Return how far the scale moves [nat]: with its anchor or, if he drops, with everybody."""
    anchor = done.node(done.settings.anchor_player, done.settings.anchor_year)
    if not removal.rated[anchor]:
        stays = removal.stays[network.node]
        return float(step[stays].sum() / max(1, stays.sum()))
    years = network.node < len(done.raw)
    return float(np.interp(anchor, network.node[years], step[years]))


def _played(network: Condensed, removal: Removal) -> Ints:
    """Return the player-years that played in the event, by their condensed numbers."""
    here = np.flatnonzero(removal.own)
    ends = np.concatenate([network.links.i[here], network.links.j[here]])
    return network.number(np.unique(network.home[ends]))


def _covariance(network: Condensed, deletion: Deletion, centre: _Centre, nodes: Ints) -> Floats:
    """Return the covariances (k, k) [nat^2] of the nodes' distances from the mean."""
    there = deletion.columns[nodes]
    together = network.covariance[np.ix_(nodes, nodes)] + there @ deletion.gain @ there.T
    with_mean = centre.with_mean[nodes]
    return together - with_mean - with_mean[:, None] + centre.of_mean
