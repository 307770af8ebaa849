"""Scripts with the ratings of all players under all systems, shown on players' pages on demand.

The players are divided by the first letter of their ids. Ratings are whole points, as pages print
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import isnan

import numpy as np

from edo.core.json import in_script
from edo.core.scale import Floats, whole_points
from edo.site import urls
from edo.site.input import SiteInput
from edo.systems.all_ratings import AllRatings

Career = tuple[int, str, list[list[int | None]]]
"""First year, `1` for each year with games and `0` for others, and ratings [Elo] by system."""


def system_files(site: SiteInput) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of each script, none where no system has rated anybody."""
    systems = site.systems
    if not systems.columns:
        return
    names = [(column.system.slug, column.system.name) for column in systems.columns]
    rating = whole_points(np.array([column.rating for column in systems.columns]))
    for path, players in groupby(sorted(systems.players), urls.system_ratings):
        careers = {player: _career(player, systems, rating) for player in players}
        shown = in_script({"systems": names, "players": careers}).replace("]],", "]],\n")
        yield path, f"edoSystems({shown});\n".encode()


def _career(player: str, systems: AllRatings, rating: Floats) -> Career:
    years = systems.years_of(player)
    played = "".join("1" if has_games else "0" for has_games in systems.played[years])
    rows = [
        [None if isnan(points) else int(points) for points in row]
        for row in rating[:, years].tolist()
    ]
    return int(systems.player_years.year[years.start]), played, rows
