"""A network in; for each event what else goes when it goes out: players, player-years, pairings.

Without an event some players cannot be rated any more; then their other pairings are no use
either. Who stays is judged by the players in the network as `network.unratable` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from edo.core.scale import ELO_PER_NAT, Floats, elo_from_theta
from edo.core.settings import Settings
from edo.rating.edo import Pass, across_gaps, adjust
from edo.rating.inference.condensed import Condensed, home_nodes
from edo.rating.network import ResultsNetwork, largest_strong_part

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Removal:
    """What is left of a network without an event.

    `own`, `gone` (n_pairings,) mark the event's pairings and all that go with it; `dropped`
    (n_players,) the players who lose their rating. Of the rest, `rated` (n_player_years,) marks
    the years that still have one, `has_results` (n_player_years,) those with results, and `stays`
    (n_nodes,) the rated years and the ghosts still in use.
    """

    event: str
    own: Bools
    gone: Bools
    dropped: Bools
    rated: Bools
    has_results: Bools
    stays: Bools


def removals(network: ResultsNetwork) -> tuple[Removal, ...]:
    """Return what each event of the network takes with it, by id."""
    events, event = np.unique([p.event for p in network.pairings], return_inverse=True)
    players, home = _Players(network), home_nodes(network)
    return tuple(
        _removal(network, players, home, str(name), event == k) for k, name in enumerate(events)
    )


class _Players:
    """The two players of each pairing, and the arcs from who scored to the other, each once.

    `scored` holds the arcs that pairings make, one after the other, and `by` the pairings.
    """

    def __init__(self, network: ResultsNetwork) -> None:
        pairings = network.pairings
        index = {player: k for k, player in enumerate(network.players)}
        self.count = len(index)
        self.first = np.array([index[p.first.player] for p in pairings], np.int64)
        self.second = np.array([index[p.second.player] for p in pairings], np.int64)
        won = np.flatnonzero([p.score > 0 for p in pairings])
        lost = np.flatnonzero([p.score < p.games for p in pairings])
        tail = np.concatenate([self.first[won], self.second[lost]])
        head = np.concatenate([self.second[won], self.first[lost]])
        arcs, self.scored = np.unique(tail * self.count + head, return_inverse=True)
        self.by = np.concatenate([won, lost])
        self.tail, self.head = np.divmod(arcs, self.count)

    def dropped(self, gone: Bools) -> Bools:
        """Return who is outside of the largest strongly connected part without these pairings."""
        left = np.zeros(len(self.tail), bool)
        left[self.scored[~gone[self.by]]] = True
        if left.all():  # other pairings make the same arcs, so that all hangs together as before
            return np.zeros(self.count, bool)
        stay = largest_strong_part(self.count, self.tail[left], self.head[left])
        return np.ones(self.count, bool) if stay.sum() < 2 else ~stay


def _removal(
    network: ResultsNetwork, players: _Players, home: Ints, event: str, own: Bools
) -> Removal:
    dropped = players.dropped(own)
    gone = own | dropped[players.first] | dropped[players.second]
    pairs, n = network.comparisons, len(network.year)
    left = np.flatnonzero(~gone)
    enabled = np.zeros(pairs.n, bool)
    enabled[pairs.i[left]] = enabled[pairs.j[left]] = True
    has_results = enabled.copy()
    has_results[home[enabled]] = True
    rated = _between(has_results[:n], network.start)
    stays = np.concatenate([rated, enabled[n:]])
    return Removal(event, own, gone, dropped, rated, has_results[:n], stays)


def _between(has_results: Bools, start: Ints) -> Bools:
    """Mark each player's years from the first to the last with results (n_player_years,)."""
    before = np.concatenate([[0], np.cumsum(has_results)])
    base, lengths = before[start[:-1]], np.diff(start)
    so_far = before[1:] - np.repeat(base, lengths)
    total = np.repeat(before[start[1:]] - base, lengths)
    return np.asarray((so_far > 0) & (so_far - has_results < total))


MOST_STEPS = 12
FARTHEST = 1.0  # [nat], 174 Elo: Newton on a logistic curve overshoots from farther away
SETTLED = 0.01  # [nat], 2 Elo: the next step is then smaller by a factor of some hundreds
MOVED = 0.05  # [nat], 9 Elo: a difference that moves less changes no weight by more than 0.1 %
BENT = 0.01  # relative change of the variance of a link's difference
MOST_BENT = 100  # links; more make the step no better and slower


@dataclass(frozen=True, slots=True)
class Deletion:
    """A step (n,) [nat] of all theta, and the change of the inverse information with it.

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
class _Share:
    """The (m,) links to be removed, between `ends` (2, m).

    What the first scored in each beyond expectation, and its information.
    """

    ends: Ints
    surplus: Floats
    weight: Floats

    def __add__(self, other: _Share) -> _Share:
        return _Share(
            np.concatenate([self.ends, other.ends], axis=1),
            np.concatenate([self.surplus, other.surplus]),
            np.concatenate([self.weight, other.weight]),
        )


class Deleter:
    """Removes one thing after another from the same network."""

    def __init__(self, network: Condensed) -> None:
        self._network = network
        self._surplus = network.links.surplus(network.theta)
        self._weight = network.links.weights(network.theta)

    def delete(self, removal: Removal) -> Deletion:
        """Return the step without what is removed; it says nothing of dropped players.

        On the way no difference moves by more than `FARTHEST` at a time.
        """
        drops = removal.dropped[self._network.player]
        left = np.ones(len(self._weight), bool)
        left[: len(removal.gone)] = ~removal.gone
        links = self._network.links
        removed = share = self._removed(removal, drops)
        at = np.zeros(len(drops))
        for _ in range(MOST_STEPS):
            deletion = self._step(share, drops)
            farthest = np.abs(links.differences(deletion.step - at)[left]).max(initial=0.0)
            at = at + min(1.0, FARTHEST / max(farthest, FARTHEST)) * (deletion.step - at)
            bent = self._bent(left, at, deletion)
            if farthest <= SETTLED or (farthest <= FARTHEST and not len(bent.weight)):
                break
            share = removed + bent
        return Deletion(at, deletion.columns, deletion.gain)

    def _removed(self, removal: Removal, drops: Bools) -> _Share:
        """Return the links that go, and one spring for each dropped player.

        He would be left with ties to nothing. A spring (information that is not removed) holds
        him to a node that stays; nothing pulls at him, so it has no effect on the others. Where
        nobody stays nothing is left to be moved.
        """
        here = np.flatnonzero(removal.gone & ~drops.all())
        links = self._network.links
        ends, weight = np.stack([links.i[here], links.j[here]]), self._weight[here]
        nodes = np.unique(ends)
        staying, dropped = nodes[~drops[nodes]], nodes[drops[nodes]]
        _, one_each = np.unique(self._network.player[dropped], return_index=True)
        held = dropped[one_each]
        spring = np.full(len(held), weight.sum() / max(1, len(weight)))
        ties = np.stack([held, np.resize(staying[:1], len(held))])
        springs = _Share(ties, 0 * spring, -spring)
        return _Share(ends, self._surplus[here], weight) + springs

    def _bent(self, left: Bools, at: Floats, deletion: Deletion) -> _Share:
        """Return how the links that bend most on the way differ from what a step takes them for."""
        moved = self._network.links.differences(at)
        some = np.flatnonzero(left & (np.abs(moved) > MOVED))
        moved, theta = moved[some], self._network.theta + at
        links = self._network.links.chosen(some)
        fewer = self._weight[some] - links.weights(theta)
        across = deletion.columns[links.i] - deletion.columns[links.j]
        variance = self._network.variances(links)
        variance += np.einsum("ij,ij->i", across @ deletion.gain, across)
        change = np.abs(fewer) * variance
        most = np.argsort(-change, kind="stable")[:MOST_BENT]
        most = most[change[most] > BENT]
        residue = self._surplus[some] - links.surplus(theta) - links.weights(theta) * moved
        return _Share(np.stack([links.i, links.j])[:, most], residue[most], fewer[most])

    def _step(self, share: _Share, drops: Bools) -> Deletion:
        nodes, at = np.unique(share.ends, return_inverse=True)
        k, (i, j) = len(nodes), at.reshape(2, -1)
        force = np.bincount(i, share.surplus, k) - np.bincount(j, share.surplus, k)
        force[drops[nodes]] = 0.0
        information = np.zeros((k, k))
        for a, b, weight in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            np.add.at(information, (a, b), weight * share.weight)
        columns = self._network.covariance[nodes].T
        right = np.hstack([force[:, None], information])
        solved = np.asarray(
            np.linalg.solve(np.eye(k) - information @ columns[nodes], right), np.float64
        )
        return Deletion(-columns @ solved[:, 0], columns, solved[:, 1:])


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
