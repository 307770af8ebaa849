"""The systems that a site can lead with: the ratings of one, and those of the second next to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from edo.core.model import Dataset
from edo.history.settings import Settings
from edo.rating import edo, network
from edo.rating.edo import PlayerYear, RatedNetwork, Ratings
from edo.rating.evidence import evidence
from edo.rating.games import Games, games_of
from edo.systems import edo_integrated as integrated
from edo.systems.all_ratings import REFERENCE, AllRatings, SystemRatings
from edo.systems.edo import both_of, with_settings
from edo.systems.edo_integrated import EDO_INTEGRATED
from edo.systems.integrated_joint import IntegratedNetwork, rated_network


def rate(dataset: Dataset, settings: Settings) -> Ratings:
    """Rate every player whom the leading system can rate; raises what `run` raises."""
    return edo.publish(dataset, run(games_of(dataset), settings))


def run(games: Games, settings: Settings) -> RatedNetwork:
    """Fit the leading system.

    Raises ScaleNotSet where the scale cannot be set, DisconnectedNetwork where nobody can be rated,
    NotConverged where the fit fails.
    """
    if settings.system == REFERENCE:
        return edo.run(games, settings)
    games = games.in_order()
    fitted = integrated.fit(games, EDO_INTEGRATED.parameters)
    return rated_network(games, fitted, settings)


def columns_of(rated: RatedNetwork, games: Games) -> list[SystemRatings]:
    """Return the ratings as columns among all systems: of Edo both, adjusted and raw."""
    if not isinstance(rated, IntegratedNetwork):
        systems_rated = zip(with_settings(rated.settings), both_of(rated, games), strict=True)
        return [
            SystemRatings(system, rated_by.rating, rated_by.deviation)
            for system, rated_by in systems_rated
        ]
    fitted = rated.fit
    return [SystemRatings(
        EDO_INTEGRATED, rated.rating, rated.deviation, log_evidence=fitted.log_evidence,
        fitted=integrated.estimates(rated.games, fitted),
        effects=tuple(integrated.effects(rated.games, fitted)),
    )]  # fmt: skip


def second_ratings(
    dataset: Dataset, games: Games, systems: AllRatings, leading: Ratings
) -> Ratings:
    """Return the ratings by the second system, at the level of the leading one.

    Who has a rank has one under both, and nobody's ratings begin before or end after those by the
    leading system. No ratings where there are none.
    """
    settings = leading.settings
    column = systems.column(settings.second_system)
    if column is None or not column.rated.any():
        return edo.NOBODY
    everybody = column.system.slug != REFERENCE
    net = network.build(games, settings, everybody)
    player = np.repeat([systems.number[name] for name in net.players], np.diff(net.start))
    nodes = systems.player_years.nodes(player, net.year)
    # Without a rating are only years that are left out below.
    rating, deviation = (
        np.nan_to_num(values[nodes]) for values in (column.rating, column.deviation)
    )
    player_years = zip(net.player_ids(), net.year.tolist(), strict=True)
    found = [leading.of(*player_year) for player_year in player_years]
    ranked = np.array([row is not None and row.rank is not None for row in found], np.bool_)
    node_evidence = replace(evidence(net, settings), ranked=ranked)
    none = np.zeros(len(rating))
    rated = RatedNetwork(net, rating, deviation, rating, deviation, node_evidence, settings, none)
    return _within(edo.publish(dataset, rated), leading)


def _within(second: Ratings, leading: Ratings) -> Ratings:
    """Return the ratings without the years in which only the leading system does not rate a player.

    It may leave out games of which the other one makes a rating, years before all others.
    """

    def kept(rows: Sequence[PlayerYear]) -> tuple[PlayerYear, ...]:
        return tuple(
            row
            for row in rows
            if row.player not in leading.players or leading.of(row.player, row.year) is not None
        )

    return replace(
        second,
        players={player: kept(rows) for player, rows in second.players.items()},
        years={year: rows for year, of_year in second.years.items() if (rows := kept(of_year))},
    )
