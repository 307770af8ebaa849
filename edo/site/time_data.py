"""The scripts with what the time machine of the home page shows of each year.

The rankings of all years are in one; the events of each decade have their own, as they are many.
Rows are as short as can be: players and places are named by their number in a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from edo.core import formats
from edo.core.json import in_script
from edo.core.model import Event, Place
from edo.rating.edo import PlayerYear
from edo.rating.inference.answers import RankProbabilities
from edo.site import urls
from edo.site.charts import leading, maps
from edo.site.input import SiteInput

PATH = urls.static("time_data.js")

Chances = Mapping[tuple[str, int], RankProbabilities]


def time_files(site: SiteInput) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of the scripts."""
    dataset, ratings, chances = site.dataset, site.ratings, site.answers.rank_probabilities
    events, short_names = site.index.events_of_year, site.index.short_names
    shown = {
        year: found for year in sorted(ratings.years) if (found := leading.leading(ratings, year))
    }
    players = sorted({one.player for ranking in shown.values() for one in ranking})
    labels = leading.labels((dataset.players[player] for player in players), short_names)
    spots = [(place, maps.spot(place)) for place in dataset.places.values()]
    number = {player: k for k, player in enumerate(players)}
    place_number = {place.id: k for k, (place, _) in enumerate(spots)}
    given = {
        "players": [(p, labels[p], dataset.players[p].shown_name) for p in players],
        "years": {
            year: [
                (number[player_year.player], *_printed(player_year, chances))
                for player_year in ranking
            ]
            for year, ranking in shown.items()
        },
        "places": [_place(place, spot) for place, spot in spots],
        "decades": sorted({year // 10 * 10 for year in events}),
    }
    yield PATH, f"edoTime({in_script(given)});\n".encode()
    for decade, years in groupby(sorted(events), lambda year: year // 10 * 10):
        rows = {
            year: [
                (event.id, event.name, place_number.get(event.place or "", -1))
                for event in by_field(events[year], shown.get(year, ()))
            ]
            for year in years
        }
        path = PATH.replace(".js", f"_{decade}.js")
        yield path, f"edoTimeEvents({decade},{in_script(rows)});\n".encode()


def by_field(events: Sequence[Event], shown: Sequence[PlayerYear]) -> list[Event]:
    """Return events with those first in which most of the players shown took part."""
    leaders = {one.player for one in shown}
    return sorted(events, key=lambda e: (-len(leaders & set(e.players)), -len(e.players)))


def _printed(player_year: PlayerYear, chances: Chances) -> tuple[str | int, ...]:
    """Return rank, rating, standard error and chance of being first as pages print them.

    The chance is empty below 1 %. 1 follows for a year without results.
    """
    chance = chances.get((player_year.player, player_year.year))
    return (
        formats.rank(player_year.rank or 0),
        formats.rating(player_year.rating),
        formats.deviation(player_year.deviation),
        formats.chance_from_1(None if chance is None else chance.first),
        *([1] if player_year.is_gap else []),
    )


def _place(place: Place, spot: tuple[maps.Frame, float, float] | None) -> tuple[object, ...]:
    """Return id and name, and the number of its map and the point on it where that is known."""
    if spot is None:
        return place.id, place.name
    frame, x, y = spot
    return place.id, place.name, maps.frames().index(frame), x, y
