"""The history in, the tables of the other rating systems and of their ratings out."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan

from edo.export.tabular import History, Row, Table, identifier, number, reference, text, whole
from edo.systems.alongside import Column


def _systems(history: History) -> Iterator[Row]:
    for one in history.systems.columns:
        system = one.system
        said = (system.slug, system.name, system.author, system.since, system.direction)
        yield (*said, int(one.rated.sum()), one.shift, one.log_evidence, one.refused)


SYSTEMS = Table(
    "systems",
    "Rating systems",
    "Every rating system by which the history is rated.",
    (
        identifier("id", "the system’s id", required=True),
        text("name", "as the pages show it", required=True),
        text("author", "whose it is", required=True),
        whole("since", "the year in which it was published", required=True),
        text(
            "direction",
            "forwards: a rating knows the games up to the end of its year; all at once: the later "
            "ones too; one rating for all years: it does not change",
            required=True,
            values=("forwards", "all at once", "one rating for all years"),
        ),
        whole("player_years", "how many it rates", required=True, least=0),
        number("shift", "points added to its ratings, so that their mean is that of Edo’s over "
               "the player-years with games that both rate [Elo]", 3, required=True),
        number("log_evidence", "natural logarithm of the probability that it gives to all games; "
               "empty where it has none", 3),
        text("refused", "why it could rate nothing; mostly empty"),
    ),
    _systems,
    key=("id",),
)  # fmt: skip


def _ratings(history: History) -> Iterator[Row]:
    systems = history.systems
    players = [systems.players[k] for k in systems.careers.player.tolist()]
    years = systems.careers.year.tolist()
    for one in systems.columns:
        for row in zip(players, years, *_numbers(one), strict=True):
            player, year, rating, deviation = row
            if not isnan(rating):
                known = None if isnan(deviation) else deviation
                yield player, year, one.system.slug, rating, known


def _numbers(column: Column) -> tuple[list[float], list[float]]:
    return column.rating.tolist(), column.deviation.tolist()


SYSTEM_RATINGS = Table(
    "system_ratings",
    "Ratings under all systems",
    "Every year of every player from his first games to his last, under each system that rates it.",
    (
        identifier("player", "id of the player", required=True),
        whole("year", "the calendar year", required=True),
        identifier("system", "id of the system", required=True),
        number("rating", "rating with the system’s shift, as the pages show it [Elo]", 1,
               required=True),
        number("deviation", "its deviation [Elo]; empty where the system knows none", 1, least=0),
    ),
    _ratings,
    key=("player", "year", "system"),
    references=(reference("player", "players"), reference("system", "systems")),
)  # fmt: skip

TABLES = (SYSTEMS,)
"""The tables of this room that stand in all forms."""

LARGE = (SYSTEM_RATINGS,)
"""Those that stand as CSV alone, being larger than all others together."""
