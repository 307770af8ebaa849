"""Ratings of different years against each other.

Two ratings of one year are compared by their own covariance (`posterior`). For all pairs of
different years, such as those in which two players reach an age, these would be too many to keep,
and they are not needed: players who are decades apart are linked only through the many who played
in between, so that what their ratings have in common is about the same whoever they are. It is the
mean covariance between the leading players of the one year and those of the other (`CommonPart`).
The pairs that a site asks for are computed with their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from scipy.special import ndtr

from edo.core.scale import Floats, Ints
from edo.rating.edo import DIGITS, RatedNetwork
from edo.rating.inference.answers import AcrossYears, CommonPart, OfYear, Peaks
from edo.rating.inference.joint import Block, Joint, blocks

STEP = 10  # [years] between the years for which the common part is computed
LEADING = 50  # players of such a year: the first by rating of those with a rank
FEWEST = 5  # of fewer it would be what some players happen to have in common
PEAKS = 10  # players whose highest ratings are compared with each other


def common_part(fitted: RatedNetwork, network: Joint) -> CommonPart | None:
    """Return what ratings of any two years have in common, None where too few have a rank.

    It is computed for every tenth year, and for the first and the last with enough players.
    """
    year = fitted.network.year
    ranked = _by_rating(fitted, np.flatnonzero(fitted.evidence.ranked))
    years, counts = np.unique(year[ranked], return_counts=True)
    enough = years[counts >= FEWEST].tolist()
    chosen = [y for y in enough if y % STEP == 0 or y in (enough[0], enough[-1])]
    if not chosen:
        return None
    groups = [np.sort(ranked[year[ranked] == one][:LEADING]) for one in chosen]
    (block,) = blocks(fitted, network, [np.sort(np.concatenate(groups))])
    return CommonPart(tuple(chosen), _means(block, groups))


def _means(block: Block, groups: Sequence[Ints]) -> Floats:
    """Return the mean covariances (k, k) [Elo^2] between different player-years of the groups."""
    sizes = np.array([len(group) for group in groups], np.float64)
    member = np.zeros((len(groups), len(block.nodes)))
    for k, group in enumerate(groups):
        member[k, np.searchsorted(block.nodes, group)] = 1.0
    sums = member @ block.covariance @ member.T
    sums[np.diag_indices_from(sums)] -= member @ block.covariance.diagonal()
    pairs = sizes[:, None] * sizes - np.diag(sizes)
    return np.asarray(sums / pairs)


def _by_rating(fitted: RatedNetwork, nodes: Ints) -> Ints:
    """Return player-years with the highest ratings first, equals by player and year."""
    return nodes[np.argsort(-fitted.rating[nodes].round(DIGITS), kind="stable")]


def peaks(fitted: RatedNetwork, network: Joint) -> Peaks | None:
    """Return the players with the highest peaks, each against each; None where nobody has a rank.

    As in the list of peaks, only years with results and a rank count.
    """
    net, names = fitted.network, fitted.network.player_ids()
    first: dict[str, int] = {}
    for node in _by_rating(fitted, np.flatnonzero(fitted.evidence.ranked & (net.games > 0))):
        if names[node] not in first and len(first) < PEAKS:
            first[names[node]] = int(node)
    if not first:
        return None
    nodes = np.array(list(first.values()))
    (block,) = blocks(fitted, network, [nodes])
    years = zip(first, net.year[block.nodes].tolist(), strict=True)
    probability, deviation = block.superiority().tolist(), block.deviations().tolist()
    return Peaks(tuple(years), tuple(map(tuple, probability)), tuple(map(tuple, deviation)))


def compared(
    fitted: RatedNetwork, network: Joint, question: Iterable[OfYear]
) -> AcrossYears | None:
    """Return one player-year against another, None where they are not two that are rated."""
    asked = tuple(question)
    nodes = [_node(fitted, *one) for one in asked]
    if len(nodes) != 2 or None in nodes or nodes[0] == nodes[1]:
        return None
    (block,) = blocks(fitted, network, [np.array(nodes, np.int64)])
    lead = float(block.mean[0] - block.mean[1])
    deviation = float(block.deviations()[0, 1])
    return AcrossYears(asked[0], asked[1], lead, deviation, float(ndtr(lead / deviation)))


def _node(fitted: RatedNetwork, player: str, year: int) -> int | None:
    """Return the index of a player-year, None where the player is not rated then."""
    players = fitted.network.player_ids()
    if player not in players:
        return None
    node = fitted.node(player, year)
    return node if 0 <= node < len(players) and players[node] == player else None
