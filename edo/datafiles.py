"""A dataset and its ratings in, the CSV files beside the pages out.

From `pairings.csv` alone the ratings can be fitted again: the years of a player run from the first
to the last year in it, and every other number of the pass is in the settings.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator

from edo import urls
from edo.consistency import levels
from edo.rating import Ratings, why_unrated
from edo.records import Dataset, Event, Player
from edo.scores import Pairing, Side

Cell = str | int | float | None
Row = tuple[Cell, ...]

PLAYERS = (
    "id", "name", "born", "died", "country", "woman", "offhand_of", "spellings",
    "first_rated_year", "last_rated_year", "peak_year", "peak_rating", "peak_deviation",
    "unrated_reason",
)  # fmt: skip
EVENTS = (
    "id", "name", "kind", "place", "dates", "year", "format", "completeness", "missing",
    "players", "rated_games", "unrated_reason", "sources",
)  # fmt: skip
PAIRINGS = (
    "year", "event", "player_a", "odds_a", "odds_points_a", "player_b", "odds_b", "odds_points_b",
    "score_a", "games",
)  # fmt: skip
RATINGS = (
    "player", "year", "rating", "deviation", "raw_rating", "raw_deviation", "rank", "score",
    "games",
)  # fmt: skip
CONSISTENCY = ("year", "rated", "top5", "top10", "top20", "share_below_2200")


def data_files(dataset: Dataset, ratings: Ratings) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each data file (UTF-8, a header row, `\\n` line ends)."""
    tables: tuple[tuple[str, Row, Callable[[Dataset, Ratings], Iterable[Row]]], ...] = (
        ("players.csv", PLAYERS, _players),
        ("events.csv", EVENTS, _events),
        ("pairings.csv", PAIRINGS, _pairings),
        ("ratings.csv", RATINGS, _ratings),
        ("consistency.csv", CONSISTENCY, _consistency),
    )
    for name, header, rows in tables:
        yield csv_file(name, header, rows(dataset, ratings))


def csv_file(name: str, header: Row, rows: Iterable[Row]) -> tuple[str, bytes]:
    """Return the path and the bytes of one table."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    return urls.data(name), text.getvalue().encode()


def _players(dataset: Dataset, ratings: Ratings) -> Iterator[Row]:
    for player in dataset.players.values():
        yield (*_identity(player), *_career(player, ratings), ratings.unrated.get(player.id))


def _identity(player: Player) -> Row:
    return (
        player.id,
        player.name,
        str(player.born or ""),
        str(player.died or ""),
        player.country,
        "yes" if player.woman else None,
        player.offhand_of,
        "|".join(player.spellings),
    )


def _career(player: Player, ratings: Ratings) -> Row:
    years = ratings.players.get(player.id)
    peak = ratings.peak(player.id)
    if years is None or peak is None:
        return (None,) * 5
    return years[0].year, years[-1].year, peak.year, _elo(peak.rating), _elo(peak.deviation)


def _events(dataset: Dataset, ratings: Ratings) -> Iterator[Row]:
    rated: dict[str, float] = {}
    for pairing in ratings.pairings:
        rated[pairing.event] = rated.get(pairing.event, 0.0) + pairing.games
    for event in dataset.events.values():
        yield (
            *_event(event),
            len(event.players),
            _number(rated.get(event.id, 0.0)),
            None if event.id in rated else why_unrated(event, dataset, ratings),
            "|".join(citation.source for citation in event.sources),
        )


def _event(event: Event) -> Row:
    return (
        event.id,
        event.name,
        event.kind,
        event.place,
        str(event.dates or ""),
        event.year,
        event.format,
        event.completeness,
        event.missing,
    )


def _pairings(dataset: Dataset, ratings: Ratings) -> Iterator[Row]:
    for pairing in ratings.pairings:
        yield _pairing(pairing)


def _pairing(pairing: Pairing) -> Row:
    return (
        pairing.year,
        pairing.event,
        *_side(pairing.first),
        *_side(pairing.second),
        _number(pairing.score),
        _number(pairing.games),
    )


def _side(side: Side) -> Row:
    points = None if side.odds_points is None else _number(side.odds_points)
    return side.player, side.odds, points


def _ratings(dataset: Dataset, ratings: Ratings) -> Iterator[Row]:
    for years in ratings.players.values():
        for row in years:
            four = (row.rating, row.deviation, row.raw_rating, row.raw_deviation)
            yield (row.player, row.year, *map(_elo, four), row.rank,
                   _number(row.score), _number(row.games))  # fmt: skip


def _consistency(dataset: Dataset, ratings: Ratings) -> Iterator[Row]:
    for level in levels(ratings):
        means = (level.top5, level.top10, level.top20)
        yield (level.year, level.rated, *(None if mean is None else _elo(mean) for mean in means),
               f"{level.share_below:.4f}")  # fmt: skip


def _elo(value: float) -> str:
    return f"{value:.3f}"


def _number(value: float) -> str:
    """Return the shortest text that reads back as the same number."""
    return repr(int(value)) if value == int(value) else repr(value)
