"""Checks of the states under which players are shown in the years in which they played."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from edo.checks.where import at_player
from edo.core import countries
from edo.core.model import Dataset
from edo.core.problems import Problem


def no_state(dataset: Dataset) -> Iterator[Problem]:
    """Nobody plays under a state that did not exist yet or any more.

    That a state was divided is minor: no source may tell where in it somebody lived.
    """
    for id_, years in _years(dataset).items():
        player = dataset.players[id_]
        for year in sorted(years):
            codes = (player.country_in(year) or "").split("/")
            if any(countries.state(code, year) is not None for code in codes):
                continue
            name, shown = countries.named(codes[0]), countries.named(codes[0], year)
            message = f"plays in {year}, when there was no one state {name}"
            hint = "say the state of the time, from which year on"
            yield replace(at_player(player, message, hint, "country"), minor=name == shown)
            break


def several_states(dataset: Dataset) -> Iterator[Problem]:
    """Nobody is under two states at one time; that is minor: no source may tell of the change."""
    for id_, years in _years(dataset).items():
        player = dataset.players[id_]
        for year in sorted(years):
            names = countries.named(player.country_in(year), year)
            if ", " in names:
                message = f"is shown in {year} under several states: {names}"
                hint = "say under `countries` from which year on each counts"
                yield replace(at_player(player, message, hint, "country"), minor=True)
                break


def _years(dataset: Dataset) -> dict[str, set[int]]:
    """Return the years in which each player whose country is on record played."""
    years: defaultdict[str, set[int]] = defaultdict(set)
    for event in dataset.events.values():
        for id_ in event.players:
            years[id_].add(event.year)
    players = dataset.players
    return {id_: of for id_, of in years.items() if id_ in players and players[id_].country}
