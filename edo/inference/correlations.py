"""A pass and years of birth in; how all ratings that can be set against each other correlate, out.

Two ratings can be compared in the same calendar year, or at the same age in different ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from edo.answers import Correlated, Correlations
from edo.fitting.factor import Ints
from edo.inference.joint import Block
from edo.network import ResultsNetwork
from edo.records import Dataset


def births(dataset: Dataset) -> dict[str, int]:
    """Return the year of birth of each player of whom it is known.

    A separate offhand identity was born when the person was.
    """
    known = {player.id: player.born for player in dataset.players.values()}
    persons = {player.id: player.offhand_of or player.id for player in dataset.players.values()}
    dates = {player: known[player] or known.get(person) for player, person in persons.items()}
    return {player: date.year for player, date in dates.items() if date is not None}


def same_age(net: ResultsNetwork, born: Mapping[str, int]) -> dict[int, Ints]:
    """Return the player-years of each age, player by player; those without year of birth in none.

    The age is the one reached in the year.
    """
    counts = np.diff(net.start)
    of_player = np.repeat(np.arange(len(net.players)), counts)
    known = np.array([player in born for player in net.players], np.bool_)[of_player]
    birth = np.array([born.get(player, 0) for player in net.players], np.int64)[of_player]
    age = net.year - birth
    return {int(a): np.flatnonzero(known & (age == a)) for a in np.unique(age[known])}


def correlations(
    by_year: Mapping[int, Block], by_age: Mapping[int, Block], names: Sequence[str]
) -> Correlations:
    """Return the correlations in each block; `names` holds the player of each player-year."""
    return Correlations(
        dict(_correlated(by_year.items(), names)), dict(_correlated(by_age.items(), names))
    )


def _correlated(
    blocks: Iterable[tuple[int, Block]], names: Sequence[str]
) -> Iterable[tuple[int, Correlated]]:
    for key, block in blocks:
        spread = np.sqrt(block.covariance.diagonal())
        rho = (block.covariance / spread / spread[:, None]).astype(np.float32)
        yield key, Correlated(tuple(names[node] for node in block.nodes), rho)
