"""Leave-one-out: the ratings without each event, approximated without a refit.

The step of all ratings and the changes of their variances are combinations of the columns of the
inverse that belong to the few player-years whose links are removed. These are in single precision,
and directions of least weight (`NEGLIGIBLE`) are left out: on the real history of November 2026 no
shift changes by more than 0.0005 Elo by that, and half of them by less than 2e-5.

Without an event some players cannot be rated any more; then their other pairings drop out too. Who
remains ratable is decided, among the players in the network, as in `network.unratable`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import singledispatch
from itertools import islice

import numpy as np

from edo.core.problems import ScaleNotSet
from edo.core.scale import ELO_PER_NAT, Bools, Floats, Ints, elo_from_theta
from edo.core.settings import Settings
from edo.rating.edo import FittedNetwork, RatedNetwork, adjust, scale_weights
from edo.rating.fit.elimination_tree import Columns, Singles, product
from edo.rating.inference.joint import Condensed, Joint, Surroundings
from edo.rating.network import ResultsNetwork, ScoringGraph, player_numbers, scoring_graph

MAX_STEPS = 12  # usually 1 to 4 are needed
MAX_MOVE = 1.0  # [nat], 174 Elo: from farther away Newton on a logistic curve overshoots
TOLERANCE = 0.01  # [nat], 2 Elo: the next step is then smaller by a factor of some hundreds
MIN_MOVE = 0.05  # [nat], 9 Elo: a smaller move of a difference changes no weight by over 0.1 %
MIN_CORRECTION = 0.01  # relative change of the variance of a link's difference
MAX_CORRECTIONS = 100  # links; with more the step is no better, but slower
NEGLIGIBLE = 3e-4  # [nat], 0.04 Elo: squares of so little change no variance noticeably
EVENTS = 200  # taken together: they share columns
KEPT = 4000  # columns kept for the next events, which are near in time
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


def removals(network: ResultsNetwork, everybody: bool = False) -> Iterator[Removal]:
    """Yield the removal of each event of the network, by year and id.

    Where `everybody` can be rated, only those drop out who have no other event.
    """
    names, event = np.unique([p.event for p in network.pairings], return_inverse=True)
    years = np.zeros(len(names), np.int64)  # of the last pairing, should there be several
    np.maximum.at(years, event, [p.year for p in network.pairings])
    history, year = _History(network), years[event]
    for one in np.unique(years):
        own = np.flatnonzero(year == one)
        contracted = None if everybody else history.graph.contracted(year == one)
        for k in np.flatnonzero(years == one):
            yield history.removal(str(names[k]), own[event[own] == k], contracted)


class _History:
    """What the removals of all events have in common."""

    def __init__(self, network: ResultsNetwork) -> None:
        self._network = network
        self.graph = scoring_graph(network.players, network.pairings)
        m, pairs = len(network.pairings), network.comparisons
        self._ends = np.stack([pairs.i[:m], pairs.j[:m]])
        self._owners = network.owner[self._ends]
        self._uses = np.bincount(self._ends.ravel(), minlength=pairs.n)
        self._results = np.bincount(self._owners.ravel(), minlength=len(network.year))
        self._players = player_numbers(network.players, network.pairings)
        order = np.argsort(self._players.ravel(), kind="stable")
        self._counts = np.bincount(self._players.ravel(), minlength=len(network.players))
        self._of_player = np.split(order % m, np.cumsum(self._counts)[:-1])

    def removal(
        self, event: str, own: Ints, contracted: tuple[ScoringGraph, Ints] | None
    ) -> Removal:
        """Return the removal of an event with these pairings.

        `contracted` is the graph of those who may drop out and their numbers in it, None where
        nobody else does than who has no other pairings.
        """
        net, is_own = self._network, np.zeros(len(self._network.pairings), bool)
        is_own[own] = True
        if contracted is None:
            here = np.bincount(self._players[:, own].ravel(), minlength=len(self._counts))
            dropped = here == self._counts
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
class Downdate:
    """A step (n,) [nat] of all theta, and the low-rank change of the covariances with it.

    The covariances, less a common one, gain r directions with their `sign` (r,) times their
    transpose. `nodes` (k,) are those of the removal and its corrections, `covariance` (k, k)
    [nat^2] theirs before it, `columns` (k, n + 1) are those with all others, by `number` (n,). The
    directions are their combinations `weights` (r, k). `lost` (k,) is by how much less each of the
    nodes counts in the mean of all; no other does.
    """

    step: Floats
    sign: Singles
    number: Ints
    nodes: Ints
    covariance: Floats
    columns: Singles
    weights: Singles
    lost: Floats

    def rows(self, nodes: Ints) -> Floats:
        """Return the directions (k, r) at some nodes."""
        at_nodes = product(self.weights, self.columns[:, self.number[nodes]])
        return np.asarray(at_nodes.T, np.float64)


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
class _State:
    """A removal under way.

    `at` (n,) [nat] is the step so far, `corrected` are the links of the next one, `also` further
    nodes whose columns are needed; `lost` (n,) as in `_Counting.lost`.
    """

    removal: Removal
    drops: Bools
    removed: _Removed
    corrected: _Removed
    also: Ints
    lost: Floats
    at: Floats
    steps: int = 0


class Downdater:
    """Removes events from the same fit, by Newton steps of low rank.

    Source: the Sherman-Morrison-Woodbury formula; Golub, Van Loan, Matrix Computations (2013).
    """

    def __init__(self, network: Condensed) -> None:
        self._network = network
        self._surplus = network.links.surplus(network.theta)
        self._weight = network.links.weights(network.theta)
        ends, m = np.r_[network.links.i, network.links.j], len(network.links.i)
        self._incident = np.argsort(ends, kind="stable") % m
        self._start = np.r_[0, np.cumsum(np.bincount(ends, minlength=len(network.node)))]
        self._columns = Columns(network.tree)
        self.counting = _Counting(network)

    def remove_all(self, some: Sequence[Removal]) -> Iterator[tuple[Removal, Downdate]]:
        """Yield the step that each removal causes, as they are found; that of dropped players
        means nothing.

        No difference moves by more than `MAX_MOVE` in one step.
        """
        self._columns.forget(but=KEPT)
        states = [self._begin(removal) for removal in some]
        while states:
            wanted = [np.r_[one.corrected.ends.ravel(), one.also] for one in states]
            self._columns.add(self._network.number[np.unique(np.concatenate(wanted))])
            going: list[_State] = []
            for state in states:
                downdate = self._downdate(state)
                if self._converges(state, downdate):
                    yield state.removal, replace(downdate, step=state.at)
                else:
                    going.append(state)
            states = going

    def _begin(self, removal: Removal) -> _State:
        drops = removal.dropped[self._network.player]
        removed = self._removed(removal, drops)
        lost = self.counting.lost(removal)
        also = np.union1d(np.flatnonzero(lost), _played(self._network, removal))
        return _State(removal, drops, removed, removed, also, lost, np.zeros(len(drops)))

    def _converges(self, state: _State, downdate: Downdate) -> bool:
        """Take a step, as long as it may be, and return whether it is the last one."""
        away = downdate.step - state.at
        links = self._network.links.subset(self._moved(away, TOLERANCE, state.removal))
        farthest = float(np.abs(links.differences(away)).max(initial=0.0))
        state.at = state.at + min(1.0, MAX_MOVE / max(farthest, MAX_MOVE)) * away
        corrections = self._corrections(state, downdate)
        state.corrected = state.removed + corrections
        state.steps += 1
        is_near = farthest <= MAX_MOVE and not len(corrections.weight)
        return farthest <= TOLERANCE or is_near or state.steps == MAX_STEPS

    def _moved(self, by: Floats, least: float, removal: Removal) -> Ints:
        """Return the remaining links of which an end moves by half of `least` from most others."""
        usual = np.median(by[:: max(1, len(by) // 500)])
        nodes = np.flatnonzero(~(np.abs(by - usual) <= least / 2))
        lengths = self._start[nodes + 1] - self._start[nodes]
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        touched = np.zeros(len(self._weight), bool)
        touched[self._incident[np.repeat(self._start[nodes], lengths) + within]] = True
        touched[: len(removal.gone)] &= ~removal.gone
        return np.flatnonzero(touched)

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

    def _corrections(self, state: _State, downdate: Downdate) -> _Removed:
        """Return the corrections for nonlinearity of the remaining links that need them most.

        Each replaces the linear approximation of the link at theta by one at the point reached.
        """
        some, theta = self._moved(state.at, MIN_MOVE, state.removal), self._network.theta + state.at
        links = self._network.links.subset(some)
        moved, weights = links.differences(state.at), links.weights(theta)
        lost = self._weight[some] - weights
        # after the downdate no variance of a difference is above 1 / weight
        least = MIN_CORRECTION * self._weight[some]
        chosen = np.flatnonzero((np.abs(moved) > MIN_MOVE) & (np.abs(lost) > least))
        across = downdate.rows(links.i[chosen]) - downdate.rows(links.j[chosen])
        variance = self._network.variance[some[chosen]] + np.square(across) @ downdate.sign
        change = np.abs(lost[chosen]) * variance
        most = np.argsort(-change.round(9), kind="stable")[:MAX_CORRECTIONS]
        most = chosen[most[change[most] > MIN_CORRECTION]]
        residue = self._surplus[some] - links.surplus(theta) - weights * moved
        return _Removed(np.stack([links.i, links.j])[:, most], residue[most], lost[most])

    def _downdate(self, state: _State) -> Downdate:
        """Return the next step of a removal.

        Directions that change no variance noticeably are left out: they are largest at its nodes.
        """
        removed, number = state.corrected, self._network.number
        nodes = np.unique(np.r_[removed.ends.ravel(), state.also])
        k, (i, j) = len(nodes), np.searchsorted(nodes, removed.ends)
        force = np.bincount(i, removed.surplus, k) - np.bincount(j, removed.surplus, k)
        force[state.drops[nodes]] = 0.0
        information = np.zeros((k, k))
        for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            np.add.at(information, (a, b), sign * removed.weight)
        whole = self._columns.of(number[nodes])
        covariance = whole[:, number[nodes]].astype(np.float64)
        covariance = (covariance + covariance.T) / 2
        solved = np.linalg.solve(
            np.eye(k) - information @ covariance, np.hstack([force[:, None], information])
        )
        gain = (solved[:, 1:] + solved[:, 1:].T) / 2
        at_ground = number[nodes] < 0
        gain[at_ground] = gain[:, at_ground] = 0.0
        values, vectors = np.linalg.eigh(gain)
        directions = vectors * np.sqrt(np.abs(values))
        kept = np.abs(covariance @ directions).max(axis=0, initial=0.0) > NEGLIGIBLE
        step = product(-solved[:, 0].astype(np.float32), whole)[number].astype(np.float64)
        right = np.sign(values[kept]), directions[:, kept].T
        sign, weights = (one.astype(np.float32) for one in right)
        return Downdate(step, sign, number, nodes, covariance, whole, weights, state.lost[nodes])


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
    `raw_covariance` (k, k) [Elo^2] is that of the raw ratings without the event; `game_variance`
    the variance of its games against that of games without draws, None for the settings' factor.
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
    """Yield the ratings without each event, by year; each model registers its own way."""
    raise NotImplementedError


@leave_out_each.register
def _(fitted: FittedNetwork, network: Condensed) -> Iterator[LeaveOneOut]:
    """Yield the ratings without each event; `network` is the condensed one of the pass."""
    downdater, before = Downdater(network), _Before(fitted, network)
    each = removals(fitted.network)
    while some := list(islice(each, EVENTS)):
        for removal, downdate in downdater.remove_all(some):
            yield _on_scale(before, downdater.counting, removal, downdate)


class _Counting:
    """The mean of all nodes, those in the years of gaps included, on which theta is centred.

    A year in a gap is on the straight line between the years at its ends, so half of the gap
    counts for each of them. The variance around that line is left out of the mean.
    """

    def __init__(self, network: Condensed) -> None:
        self._network = network
        gaps = np.flatnonzero(network.links.span > 1)
        self._ends = network.links.i[gaps], network.links.j[gaps]
        self._years = (network.links.span[gaps] - 1) / 2
        self.all = self._counts(np.ones(len(network.node), bool))
        self.total = float(self.all.sum())
        self.share = np.zeros(network.tree.n + 1)
        self.share[network.number] = self.all / self.total
        self.with_mean = network.tree.solve(self.share[:-1, None])[:, 0]
        self.variance = float(self.with_mean @ self.share)

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


@dataclass(frozen=True, slots=True)
class _Centred:
    """The covariances without an event, centred on the mean of all nodes that stay.

    By tree number, (n + 1,): `change` [nat^2] is that of the variances, `with_mean` the covariances
    with this mean before the downdate; `middle` (r,) is the mean of the directions, `variance` that
    of the mean.
    """

    change: Floats
    with_mean: Floats
    middle: Floats
    variance: float


def _centred(counting: _Counting, downdate: Downdate) -> _Centred:
    share, with_mean, variance = counting.share, counting.with_mean, counting.variance
    moved: Floats | float = 0.0
    if downdate.lost.any():
        lost = downdate.lost / counting.total
        larger = 1 / (1 - float(lost.sum()))
        share = share * larger
        share[downdate.number[downdate.nodes]] -= lost * larger
        with_mean = (with_mean - product(lost.astype(np.float32), downdate.columns)) * larger
        variance = float(with_mean @ share)
        moved = variance - counting.variance - 2 * (with_mean - counting.with_mean)
    away = product(downdate.weights, downdate.columns)
    middle = product(away, share.astype(np.float32))
    away -= middle[:, None]
    change = product(downdate.sign, np.square(away, out=away)) + moved
    return _Centred(change, with_mean, middle.astype(np.float64), variance)


class _Before:
    """The ratings before a removal, at the nodes with results, and how those of all years follow.

    `raw` [Elo] and `variance` [Elo^2] (years,) are at the first of the condensed nodes, `node`
    (years,) their numbers among the player-years; the ghosts come after them. `of_all` returns the
    values (n_player_years,) of all years from those of the nodes.
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
    before: _Before, counting: _Counting, removal: Removal, downdate: Downdate
) -> LeaveOneOut:
    """Return the ratings [Elo] after a downdate [nat]."""
    network, centred = before.network, _centred(counting, downdate)
    unit, years = before.fitted.settings.variance_factor * ELO_PER_NAT**2, len(before.node)
    step = downdate.step[:years] - _shift_of_scale(before, removal, downdate.step)
    raw = before.raw + elo_from_theta(step)
    variance = before.variance + unit * centred.change[network.number[:years]]
    rating = before.adjusted(raw, variance, removal.has_results)
    played = _played(network, removal)
    raw_covariance = unit * _covariance(downdate, centred, played)
    drops = removal.dropped[network.player[played]]
    known = removal.has_results[before.node] & removal.rated[before.node]
    prior = _prior(before.fitted.settings, raw[known])
    mean, covariance = _predicted(prior, raw[played], raw_covariance, drops)
    nodes = before.node[played]
    return LeaveOneOut(removal, rating, nodes, mean, covariance, ~drops, raw_covariance)


def _prior(settings: Settings, raw: Floats) -> Settings:
    """Return the settings with the distribution of raw ratings (m,) [Elo] as background."""
    if len(raw) < 2:
        return settings
    deviation = max(float(raw.std()), MIN_PRIOR_DEVIATION)
    return replace(settings, background_mean=float(raw.mean()), background_deviation=deviation)


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


def _shift_of_scale(before: _Before, removal: Removal, step: Floats) -> float:
    """Return the step [nat] of the mean that sets the scale, over the ratings that stay.

    Where they are not all those that set it before, also by how much the mean of the others differs
    from the scale's. Where none stays, the mean step.
    """
    fitted = before.fitted
    weight = scale_weights_without(
        fitted, removal, lambda: fitted.raw + elo_from_theta(before.of_all(step))
    )
    total, some = float(weight.sum()), np.flatnonzero(weight)  # often of one year only
    if not total:
        stays = removal.stays[before.network.node]
        return float(step[stays].sum() / max(1, stays.sum()))
    away = (weight @ fitted.raw / total - fitted.settings.anchor_rating) / ELO_PER_NAT
    return float(weight[some] @ before.of_all(step, some) / total + away)


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


def _played(network: Condensed, removal: Removal) -> Ints:
    """Return the player-years that played in the event, by their condensed numbers."""
    here = np.flatnonzero(removal.own)
    ends = np.concatenate([network.links.i[here], network.links.j[here]])
    return np.searchsorted(network.node, np.unique(network.owner[ends]))


def _covariance(downdate: Downdate, centred: _Centred, nodes: Ints) -> Floats:
    """Return the covariances (k, k) [nat^2] of the nodes' distances from the mean."""
    at, away = np.searchsorted(downdate.nodes, nodes), downdate.rows(nodes) - centred.middle
    with_mean = centred.with_mean[downdate.number[nodes]]
    before = downdate.covariance[np.ix_(at, at)] - with_mean - with_mean[:, None]
    return np.asarray(before + centred.variance + (away * downdate.sign) @ away.T)
