"""Leave-one-out: the ratings without each event, from the factor of the fit with all of them.

With L the information matrix, C the rows of its inverse, 0 at one node, at the few player-years
whose links are removed, S the part of C between these, K the information removed and f the points
by which the removed results exceeded expectation, a Newton step and the change of the covariances
are

    -C' inv(I - K S) f   and   C' inv(I - K S) K C.

Source: the Sherman-Morrison-Woodbury formula; Golub, Van Loan, Matrix Computations (2013).

The step is exact only where no other difference of ratings moves. So links that do move are removed
as well, and put back as they are at the point reached, until the steps end. On the real history of
November 2026 the ratings without eight events, of which five are the hardest, agree with those of a
refit within 1 Elo, and half of all ratings within 0.01.

Without an event some players cannot be rated any more; then their other pairings drop out too. Who
remains ratable is decided, among the players in the network, as in `network.unratable`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import singledispatch
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from edo.core.problems import NotConverged, ScaleNotSet
from edo.core.scale import ELO_PER_NAT, Bools, Floats, Ints, elo_from_theta
from edo.history.settings import Settings
from edo.rating.edo import FittedNetwork, RatedNetwork, adjust, population, scale_weights
from edo.rating.inference.joint import Condensed, Joint, Surroundings
from edo.rating.network import ResultsNetwork, ScoringGraph, scoring_graph

MAX_STEPS = 40  # 1 to 4 are usual, 12 the most on the history of November 2026
MAX_MOVE = 1.0  # [nat], 174 Elo: from farther away Newton on a logistic curve overshoots
TOLERANCE = 0.01  # [nat], 2 Elo: the next step is then smaller by a factor of some hundreds
MIN_CHANGE = 0.005  # of the variance of the difference of the ends of a link; more is noticed
MIN_MOVE = 0.02  # [nat], 3 Elo: a smaller move changes no information by more than this share
AT_ONCE = 200  # columns solved at a time: of fewer, each takes longer; more leave the cache
KEPT = 150_000_000  # numbers in columns kept for the next events, which are near in time: 600 MB


@dataclass(frozen=True, slots=True)
class Removal:
    """What remains of a network without an event.

    `of_event` (n_pairings,) marks the event's own pairings, `gone` (n_pairings,) all that drop out
    with it. `dropped` (n_players,) marks the players who lose their rating. What is left: `rated`
    (n_player_years,) marks the years that still have a rating, `has_results` (n_player_years,)
    those with results, and `stays` (n_nodes,) the rated years and the ghosts still in use.
    """

    event: str
    of_event: Bools
    gone: Bools
    dropped: Bools
    rated: Bools
    has_results: Bools
    stays: Bools


def removals(network: ResultsNetwork, everybody: bool = False) -> Iterator[Removal]:
    """Yield the removal of each event of the network, by year and id.

    Where `everybody` can be rated, only those drop out who have no other event.
    """
    ids = np.array(network.pairings.events)[network.pairings.event]
    names, event = np.unique(ids, return_inverse=True)
    event_year = np.zeros(len(names), np.int64)  # of the last pairing, should there be several
    np.maximum.at(event_year, event, network.pairings.year)
    remover, pairing_year = _Remover(network), event_year[event]
    for year in np.unique(event_year):
        # Who stays without the whole year stays without any event of it, so they count as one: a
        # small graph serves all events of the year.
        rows = np.flatnonzero(pairing_year == year)
        contracted = None if everybody else remover.graph.contracted(pairing_year == year)
        for k in np.flatnonzero(event_year == year):
            yield remover.removal(str(names[k]), rows[event[rows] == k], contracted)


class _Remover:
    """What the removals of all events have in common."""

    def __init__(self, network: ResultsNetwork) -> None:
        self._network = network
        self.graph = scoring_graph(network.pairings)
        m, pairs = len(network.pairings), network.comparisons
        self._ends = np.stack([pairs.i[:m], pairs.j[:m]])
        self._owners = network.owner[self._ends]
        self._uses = np.bincount(self._ends.ravel(), minlength=pairs.n)
        self._results = np.bincount(self._owners.ravel(), minlength=len(network.year))
        self._players = np.stack([network.pairings.first, network.pairings.second])
        order = np.argsort(self._players.ravel(), kind="stable")
        self._counts = np.bincount(self._players.ravel(), minlength=len(network.players))
        self._of_player = np.split(order % m, np.cumsum(self._counts)[:-1])

    def removal(
        self, event: str, rows: Ints, contracted: tuple[ScoringGraph, Ints] | None
    ) -> Removal:
        """Return the removal of an event with these pairings.

        `contracted` is the graph of those who may drop out and their numbers in it, None where
        nobody else does than who has no other pairings.
        """
        net, is_own = self._network, np.zeros(len(self._network.pairings), bool)
        is_own[rows] = True
        if contracted is None:
            in_event = np.bincount(self._players[:, rows].ravel(), minlength=len(self._counts))
            dropped = in_event == self._counts
        else:
            dropped = contracted[0].dropped(is_own)[contracted[1]]
        gone = is_own.copy()
        for player in np.flatnonzero(dropped):
            gone[self._of_player[player]] = True
        lost, n = np.flatnonzero(gone), len(net.year)
        in_use = self._uses - np.bincount(self._ends[:, lost].ravel(), minlength=len(self._uses))
        results = self._results - np.bincount(self._owners[:, lost].ravel(), minlength=n)
        has_results, rated = results > 0, np.ones(n, bool)
        owners = self._owners[:, lost].ravel()
        ended = np.searchsorted(net.start, owners[~has_results[owners]], side="right") - 1
        for player in np.unique(ended):
            begin, end = net.start[player], net.start[player + 1]
            played = np.flatnonzero(has_results[begin:end])
            rated[begin:end] = False
            if len(played):
                rated[begin + played[0] : begin + played[-1] + 1] = True
        stays = np.concatenate([rated, in_use[n:] > 0])
        return Removal(event, is_own, gone, dropped, rated, has_results, stays)


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


@dataclass(slots=True)
class _Way:
    """The state of a removal between two Newton steps.

    `removed` are the links that drop out. `corrected` is what the next step removes: these links,
    and corrections to the links that moved too far to be linear. `also_needed` are nodes whose
    covariances are wanted although no removed link ends there. `stays` (m,) marks the links that do
    not drop out, `relinearised` (m,) those that are corrected. `point` (n,) [nat] is the change of
    theta reached so far. `farthest` [nat] is the largest change of a difference that the last step
    asked for.
    """

    removal: Removal
    removed: _Removed
    also_needed: Ints
    stays: Bools
    relinearised: Bools
    point: Floats
    corrected: _Removed
    farthest: float = 0.0

    @property
    def nodes(self) -> Ints:
        """Return the nodes (k,) whose columns the next step takes."""
        return np.unique(np.r_[self.corrected.ends.ravel(), self.also_needed])


@dataclass(frozen=True, slots=True)
class Downdate:
    """The step (n,) [nat] of theta without an event, and the change of the covariances with it.

    These change by `columns.T @ gain @ columns`. `columns` (k, n) [nat^2] are the covariances of
    `nodes` (k,) with all others before it.
    """

    step: Floats
    nodes: Ints
    columns: NDArray[np.float32]
    gain: Floats


class Downdater:
    """Removes events from the same fit; all nodes are those of the condensed network."""

    def __init__(self, network: Condensed) -> None:
        self._network = network
        self._surplus = network.links.surplus(network.theta)
        self._weight = network.links.weights(network.theta)
        self.counting = _Counting(network)
        self._columns = _Columns(network)
        ends = np.concatenate([network.links.i, network.links.j])
        self._link_at = np.argsort(ends, kind="stable") % len(network.links.i)
        self._starts = np.searchsorted(np.sort(ends), np.arange(len(network.node) + 1))

    def without(self, removal: Removal) -> Downdate:
        """Return the step that a removal causes; that of dropped players means nothing.

        Raises NotConverged.
        """
        way = self._begin(removal)
        for _ in range(MAX_STEPS):
            downdate = self._downdate(way)
            if self._arrives(way, downdate):
                return replace(downdate, step=way.point)
        raise NotConverged(
            f"the ratings without {removal.event} still moved by {way.farthest:.2g} nat after "
            f"{MAX_STEPS} steps"
        )

    def _begin(self, removal: Removal) -> _Way:
        lost = np.flatnonzero(self.counting.lost(removal))
        stays = np.ones(len(self._weight), bool)
        stays[: len(removal.gone)] = ~removal.gone
        removed, point = self._removed(removal), np.zeros(len(self._network.node))
        also_needed = np.union1d(lost, played(self._network, removal))
        relinearised = np.zeros(len(stays), bool)
        return _Way(removal, removed, also_needed, stays, relinearised, point, removed)

    def _arrives(self, way: _Way, downdate: Downdate) -> bool:
        """Go a step, as long as it may be, and return whether it is the last one."""
        away = downdate.step - way.point
        links = self._network.links
        moved = self._moved(away, TOLERANCE)
        moved = moved[way.stays[moved]]
        way.farthest = float(np.abs(links.subset(moved).differences(away)).max(initial=0.0))
        way.point = way.point + min(1.0, MAX_MOVE / max(way.farthest, MAX_MOVE)) * away
        # a link that was relinearised once stays so, or the steps might go to and fro
        way.relinearised[self._bent(way.point, downdate)] = True
        way.relinearised &= way.stays
        way.corrected = way.removed + self._corrections(way.point, np.flatnonzero(way.relinearised))
        # where every link is still nearly linear, one whole step is exact enough
        is_near = way.farthest <= MAX_MOVE and not way.relinearised.any()
        return way.farthest <= TOLERANCE or is_near

    def _removed(self, removal: Removal) -> _Removed:
        """Return the links that drop out, and an extra link for each dropped player.

        Without it the information about him would be singular. The extra link (information that is
        added) ties him to a node that stays, without a surplus, so it has no effect on the others.
        Where nobody stays, nothing is removed.
        """
        drops = removal.dropped[self._network.player]
        gone_links = np.flatnonzero(removal.gone & ~drops.all())
        links = self._network.links
        ends, weight = np.stack([links.i, links.j])[:, gone_links], self._weight[gone_links]
        nodes = np.unique(ends)
        staying, dropped = nodes[~drops[nodes]], nodes[drops[nodes]]
        _, one_each = np.unique(self._network.player[dropped], return_index=True)
        tied = dropped[one_each]
        extra = np.full(len(tied), weight.sum() / max(1, len(weight)))
        ties = np.stack([tied, np.resize(staying[:1], len(tied))])
        return _Removed(ends, self._surplus[gone_links], weight) + _Removed(ties, 0 * extra, -extra)

    def _bent(self, moves: Floats, downdate: Downdate) -> Ints:
        """Return the links that are too far from linear after `moves` (n,) [nat] of theta.

        What counts is the change of a link's information times the variance of its difference: a
        link among many others hardly matters.
        """
        moved = self._moved(moves, MIN_MOVE)
        links = self._network.links.subset(moved)
        change = links.weights(self._network.theta + moves) - self._weight[moved]
        across = downdate.columns[:, links.i] - downdate.columns[:, links.j]
        gained = downdate.gain.astype(np.float32) @ across
        variance = self._network.variance[moved] + np.einsum("km,km->m", gained, across)
        return np.asarray(moved[np.abs(change) * variance > MIN_CHANGE])

    def _moved(self, moves: Floats, least: float) -> Ints:
        """Return the links whose ends differ by more than `least` [nat] in `moves` (n,) [nat]."""
        # One of the two ends is then farther than half of it from whatever the middle is.
        near = np.zeros(len(self._weight), bool)
        near[self._links_at(np.abs(moves - moves.mean()) > least / 2)] = True
        links = np.flatnonzero(near)
        apart = moves[self._network.links.i[links]] - moves[self._network.links.j[links]]
        return np.asarray(links[np.abs(apart) > least])

    def _links_at(self, chosen: Bools) -> Ints:
        """Return the links that end at chosen nodes (n,); one between two of them occurs twice."""
        begin, end = self._starts[:-1][chosen], self._starts[1:][chosen]
        last = np.cumsum(end - begin)
        return np.asarray(
            self._link_at[np.arange(last[-1:].sum()) + np.repeat(end - last, end - begin)]
        )

    def _corrections(self, moves: Floats, chosen: Ints) -> _Removed:
        """Return what makes the chosen links linear after `moves` (n,) [nat] of theta."""
        links = self._network.links.subset(chosen)
        theta = self._network.theta + moves
        weights = links.weights(theta)
        residue = self._surplus[chosen] - links.surplus(theta) - weights * links.differences(moves)
        return _Removed(np.stack([links.i, links.j]), residue, self._weight[chosen] - weights)

    def _downdate(self, way: _Way) -> Downdate:
        """Return the next step of a removal, from the beginning of its way."""
        nodes, removed = way.nodes, way.corrected
        k, (i, j) = len(nodes), np.searchsorted(nodes, removed.ends)
        force = np.bincount(i, removed.surplus, k) - np.bincount(j, removed.surplus, k)
        # A dropped player is tied to somebody who stays: a pull on him would move the others.
        force[way.removal.dropped[self._network.player[nodes]]] = 0.0
        information = np.zeros((k, k))
        for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            np.add.at(information, (a, b), sign * removed.weight)
        columns = self._columns.of(nodes)
        # In single precision the two triangles differ in their last digits, which must not make
        # the small system asymmetric; it is solved in double precision.
        among = columns[:, nodes].astype(np.float64)
        solved = np.linalg.solve(
            np.eye(k) - information @ ((among + among.T) / 2), np.column_stack([force, information])
        )
        gain = (solved[:, 1:] + solved[:, 1:].T) / 2
        step = (-solved[:, 0]).astype(np.float32) @ columns
        return Downdate(step.astype(np.float64), nodes, columns, gain)


class _Columns:
    """Columns of the inverse of the information matrix, kept for events near in time.

    They are kept in single precision, a millionth of the largest value: with twice the numbers a
    history of 12,500 players would take two gigabytes for them.
    """

    def __init__(self, network: Condensed) -> None:
        self._tree, self._number = network.tree, network.number
        self._kept: dict[int, NDArray[np.float32]] = {}
        self._most = KEPT // len(network.number)
        self._coming = iter(np.argsort(network.year, kind="stable").tolist())

    def of(self, nodes: Ints) -> NDArray[np.float32]:
        """Return the columns (k, n) [nat^2] of nodes; they are 0 at the ground."""
        missing = [node for node in nodes.tolist() if node not in self._kept]
        for begin in range(0, len(missing), AT_ONCE):
            self._add(missing[begin : begin + AT_ONCE])
        columns = np.array([self._kept[node] for node in nodes.tolist()])
        # oldest first: the next events are near in time, and need the latest columns
        for node in list(islice(self._kept, max(0, len(self._kept) - self._most))):
            del self._kept[node]
        return columns

    def _add(self, missing: list[int]) -> None:
        """Compute columns, and as many more as fit of nodes that later events will need."""
        new = dict.fromkeys(missing)
        while len(new) < AT_ONCE and (node := next(self._coming, None)) is not None:
            if node not in self._kept:
                new[node] = None
        batch = np.array(list(new))
        batch = batch[np.argsort(self._number[batch])]
        grounded = int(self._number[batch[0]] < 0)
        rows = np.zeros((len(batch), len(self._number)), np.float32)
        solved = self._tree.columns(self._number[batch[grounded:]])
        rows[grounded:] = solved[self._number].T
        rows[:, self._number < 0] = 0.0
        self._kept.update(zip(batch.tolist(), rows, strict=True))


@dataclass(frozen=True, slots=True)
class LeaveOneOut:
    """The ratings without an event, and the strengths they predict for those who played in it.

    `rating` (n_player_years,) [Elo] is what would be published without the event; it is valid only
    in the years of `removal.rated`. `nodes` (k,) are the player-years that played in the event.

    Their predicted strengths are normal with `mean` (k,) [Elo] and `covariance` (k, k) [Elo^2].
    These come from the raw ratings without the event, adjusted with a prior; covariances are scaled
    on both sides like the deviations. The prior is the distribution of all raw ratings of years
    with results. The background of chess players in general would be a bad one: an unknown player
    in an event of masters is nearer to them. A player who drops out has the prior alone; for him
    `known` (k,) is false.

    `raw_covariance` (k, k) [Elo^2] is that of the raw ratings without the event. `game_variance` is
    the variance of its games relative to that of games without draws, None for the settings'
    factor.
    """

    removal: Removal
    rating: Floats
    nodes: Ints
    mean: Floats
    covariance: Floats
    known: Bools
    raw_covariance: Floats
    game_variance: float | None = None


@singledispatch
def leave_out_each(fitted: RatedNetwork, network: Joint) -> Iterator[LeaveOneOut]:
    """Yield the ratings without each event; each model registers its own way."""
    raise NotImplementedError


@leave_out_each.register
def _(fitted: FittedNetwork, network: Condensed) -> Iterator[LeaveOneOut]:
    """Yield the ratings without each event; `network` is the condensed one of the pass."""
    downdater, baseline = Downdater(network), _Baseline(fitted, network)
    for removal in removals(fitted.network):
        yield _on_scale(baseline, downdater.counting, removal, downdater.without(removal))


class _Counting:
    """The mean of all nodes, those in the years of gaps included, on which theta is centred.

    A year in a gap lies on the straight line between the years at its ends. So each end counts
    for half of the years of the gap. The variance around that line is left out of the mean.
    """

    def __init__(self, network: Condensed) -> None:
        self._network = network
        gaps = np.flatnonzero(network.links.span > 1)
        self._ends = network.links.i[gaps], network.links.j[gaps]
        self._years = (network.links.span[gaps] - 1) / 2
        self.all = self._counts(np.ones(len(network.node), bool))
        self.with_all = network.information.grounded_solve(self.all)
        total = self.all.sum()
        self.with_mean = self.with_all / total
        self.variance = float(self.with_mean @ self.all / total)

    def lost(self, removal: Removal) -> Floats:
        """Return by how much less each node counts without the event, (n,); 0 if none stays."""
        stays = removal.stays[self._network.node]
        if stays.all() or not stays.any():
            return np.zeros(len(stays))
        return self.all - self._counts(stays)

    def _counts(self, stays: Bools) -> Floats:
        """Return for how many nodes of the full network each one counts, (n,)."""
        i, j = self._ends
        years = np.where(stays[i] & stays[j], self._years, 0.0)
        n = len(stays)
        return np.asarray(stays + np.bincount(i, years, n) + np.bincount(j, years, n), np.float64)

    def centred(self, removal: Removal, downdate: Downdate) -> _Centred:
        """Return the covariances without an event, centred on the mean of all nodes that stay."""
        nodes, columns, gain = downdate.nodes, downdate.columns, downdate.gain
        lost = self.lost(removal)
        total, gone = (self.all - lost).sum(), np.flatnonzero(lost)
        # Products with columns are in single precision too, or the columns would be converted.
        of_lost = lost[gone].astype(np.float32) @ columns[np.searchsorted(nodes, gone)]
        nodes_with_mean = (self.with_all[nodes] - columns[:, gone] @ lost[gone]) / total
        with_mean = (self.with_all - of_lost) / total
        with_mean += (nodes_with_mean @ gain).astype(np.float32) @ columns
        variance = float(with_mean @ (self.all - lost) / total)
        change = np.einsum("kn,kn->n", gain.astype(np.float32) @ columns, columns)
        change = change - 2 * (with_mean - self.with_mean) + (variance - self.variance)
        return _Centred(change, with_mean, variance)


@dataclass(frozen=True, slots=True)
class _Centred:
    """The covariances [nat^2] without an event, centred on the mean of all nodes that stay.

    `change` (n,) is that of the variances, `with_mean` (n,) the covariances with this mean,
    `variance` that of the mean.
    """

    change: Floats
    with_mean: Floats
    variance: float

    def covariance(self, downdate: Downdate, nodes: Ints) -> Floats:
        """Return the covariances (k, k) of some of the downdate's nodes."""
        columns = downdate.columns[:, nodes].astype(np.float64)
        positions = np.searchsorted(downdate.nodes, nodes)
        among = columns[positions] + columns.T @ downdate.gain @ columns
        mean = self.with_mean[nodes]
        return np.asarray(among - mean - mean[:, None] + self.variance)


class _Baseline:
    """The ratings with all events, at the years with results.

    `raw` (years,) [Elo] and `variance` (years,) [Elo^2] belong to the condensed nodes without the
    ghosts, which come last. `node` (years,) is the player-year of each. `of_all` interpolates: it
    takes values at these nodes and returns them for all player-years, (n_player_years,).
    """

    def __init__(self, fitted: FittedNetwork, network: Condensed) -> None:
        self.fitted, self.network = fitted, network
        self.node = network.node[: np.searchsorted(network.node, len(fitted.raw))]
        self.raw, deviation = fitted.raw[self.node], fitted.raw_deviation[self.node]
        self.variance = np.square(deviation)
        self.of_all = Surroundings(fitted.network, self.node).interpolated

    def adjusted(self, raw: Floats, variance: Floats, has_results: Bools) -> Floats:
        """Return the adjusted ratings (n_player_years,) [Elo] from raw ones (years,) [Elo].

        Those of nodes that have no results any more are interpolated, as `across_gaps` does.
        """
        rating, _ = adjust(raw, np.sqrt(variance), self.fitted.settings)
        stay = has_results[self.node]
        gone = np.flatnonzero(~stay)
        if len(gone) < len(stay):
            rating[gone] = np.interp(self.node[gone], self.node[stay], rating[stay])
        return self.of_all(rating)


def _on_scale(
    baseline: _Baseline, counting: _Counting, removal: Removal, downdate: Downdate
) -> LeaveOneOut:
    """Return the ratings [Elo] after a downdate [nat]."""
    network, centred = baseline.network, counting.centred(removal, downdate)
    settings, years = baseline.fitted.settings, len(baseline.node)
    unit = settings.variance_factor * ELO_PER_NAT**2
    step = downdate.step[:years] - _shift_of_scale(baseline, removal, downdate.step)
    raw = baseline.raw + elo_from_theta(step)
    variance = baseline.variance + unit * centred.change[:years]
    rating = baseline.adjusted(raw, variance, removal.has_results)
    in_event = played(network, removal)
    raw_covariance = unit * centred.covariance(downdate, in_event)
    drops = removal.dropped[network.player[in_event]]
    with_results = removal.has_results[baseline.node] & removal.rated[baseline.node]
    prior = _prior(settings, raw[with_results], variance[with_results])
    mean, covariance = _predicted(prior, raw[in_event], raw_covariance, drops)
    nodes = baseline.node[in_event]
    return LeaveOneOut(removal, rating, nodes, mean, covariance, ~drops, raw_covariance)


def _prior(settings: Settings, raw: Floats, variance: Floats) -> Settings:
    """Return the settings with the population behind raw ratings (m,) [Elo] as background."""
    if len(raw) < 2:
        return settings
    mean, spread = population(raw, variance)
    return replace(settings, background_mean=mean, background_deviation=spread)


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


def _shift_of_scale(baseline: _Baseline, removal: Removal, step: Floats) -> float:
    """Return by how much the scale has shifted without the event [nat].

    The scale is set by the mean of some ratings. Its step counts over those of them that stay; to
    this comes by how much their mean was off the scale before. Where none stays, it is the mean
    step of all nodes that stay.
    """
    fitted = baseline.fitted
    weight = scale_weights_without(
        fitted, removal, lambda: fitted.raw + elo_from_theta(baseline.of_all(step))
    )
    total, counted = float(weight.sum()), np.flatnonzero(weight)  # often of one year only
    if not total:
        stays = removal.stays[baseline.network.node]
        return float(step[stays].sum() / max(1, stays.sum()))
    away = (weight @ fitted.raw / total - fitted.settings.anchor_rating) / ELO_PER_NAT
    return float(weight[counted] @ baseline.of_all(step, counted) / total + away)


def scale_weights_without(
    fitted: RatedNetwork, removal: Removal, raw: Callable[[], Floats]
) -> Floats:
    """Return the weights (n_player_years,) of the mean that sets the scale, 0 without a rating.

    `raw` returns the ratings without the event [Elo], of any offset; they decide who is among the
    first. Where too few are left for that, the weights are the former ones.
    """
    settings = fitted.settings
    if settings.anchor_first is not None:
        with suppress(ScaleNotSet):
            stay = removal.rated & fitted.evidence.ranked
            return scale_weights(fitted.network, raw(), stay, settings)
    return np.where(removal.rated, fitted.scale_weight, 0.0)


def played(network: Condensed, removal: Removal) -> Ints:
    """Return the player-years that played in the event, by their condensed numbers."""
    rows = np.flatnonzero(removal.of_event)
    ends = np.concatenate([network.links.i[rows], network.links.j[rows]])
    return np.searchsorted(network.node, np.unique(network.owner[ends]))
