"""Standings and ratings in; the columns that every table of an event shares, ready to show, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from edo.core import formats, urls
from edo.core.model import Citation, Dataset, Event, Total
from edo.history.unplayed import by_default
from edo.rating.edo import Ratings
from edo.site import markup
from edo.site.input import Link
from edo.site.pages.deduced import Deduced, deduced
from edo.site.pages.remarks import Cited, cited
from edo.site.pages.standings import Standing


@dataclass(frozen=True, slots=True)
class PlayerCell:
    """A player with rating and deviation of the event's year; both None where there are none.

    `unrated` is the reason why the player has no rating in any year.
    """

    player: Link
    rating: str | None
    deviation: str | None
    unrated: str | None


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A player's line in a table of an event.

    `number` is the place in the order of the table, `class_name` the player's class in a handicap.
    `uncounted` of the `points` stand outside the event's totals, and `deduced` are the points that
    the totals give the player where no results are known, `by_default` those that they give him
    for games against somebody who withdrew. `published` is the printed total, and
    `published_number` that of the note on it. `rated`, `expected` and `performance` are None where
    nothing was rated; `performance` also at 0 % and 100 %.
    """

    number: str
    cell: PlayerCell
    class_name: str | None
    points: str
    games: str
    uncounted: str | None
    deduced: str | None
    by_default: str | None
    published: str | None
    published_number: int | None
    rated: str | None
    expected: str | None
    performance: str | None


@dataclass(frozen=True, slots=True)
class PublishedNote:
    """Why published totals differ from the results; the same words about several stand once."""

    number: int
    players: tuple[Link, ...]
    text: Markup
    sources: tuple[Cited, ...]


@dataclass(frozen=True, slots=True)
class ScoreColumns:
    """Which of the columns the table needs: those in which some row has something to say.

    `points` heads the points of the known games, None where no result is known at all. `deduced`
    heads those of games without known results.
    """

    classes: bool
    points: str | None
    uncounted: bool
    deduced: str | None
    by_default: bool
    published: bool
    rated: bool
    expected: bool


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """The rows of an event's players, its columns, and the notes on published totals."""

    rows: tuple[ScoreRow, ...]
    columns: ScoreColumns
    published_notes: tuple[PublishedNote, ...]


def player_cell(player: str, year: int, dataset: Dataset, ratings: Ratings) -> PlayerCell:
    """Return the player with the numbers of the year."""
    link = Link(dataset.players[player].shown_name, urls.player(player))
    own = ratings.of(player, year)
    if own is None:
        return PlayerCell(link, None, None, ratings.unrated.get(player))
    return PlayerCell(link, formats.rating(own.rating), formats.deviation(own.deviation), None)


def score_table(
    event: Event,
    standings: Mapping[str, Standing],
    dataset: Dataset,
    ratings: Ratings,
) -> ScoreTable:
    """Return the rows of all players in the event's order."""
    totals = {total.player: total for total in event.totals}
    notes, numbers = _published_notes(event, dataset)
    parts, given = deduced(event, dataset.odds), by_default(event)
    has_points = any(standing.games for standing in standings.values())
    points = "Points" if event.completeness == "complete" else "Known"
    head = {"guess": "Guessed", "totals": "From totals"}
    shows_published = any(_differs(standings[p], total) for p, total in totals.items())
    shows_rated = any(s.is_rated_differently for s in standings.values())
    rows = tuple(
        _row(
            number,
            standing,
            player_cell(standing.player, event.year, dataset, ratings),
            _Beside(
                event.classes.get(standing.player),
                tuple(part for pair, part in parts.items() if pair[0] == standing.player),
                given.get(standing.player, 0.0),
                totals.get(standing.player),
                numbers.get(standing.player),
            ),
        )
        for number, standing in enumerate(standings.values(), start=1)
    )
    is_rated = any(standing.rated_games for standing in standings.values())
    columns = ScoreColumns(
        classes=bool(event.classes),
        points=points if has_points else None,
        uncounted=any(standing.uncounted for standing in standings.values()),
        deduced=next((head[part.kind] for part in parts.values()), None),
        by_default=bool(given),
        published=shows_published,
        rated=is_rated and shows_rated,
        expected=is_rated,
    )
    return ScoreTable(rows, columns, notes)


@dataclass(frozen=True, slots=True)
class _Beside:
    """What is said of a player beside his results.

    `given` [points] are his by default, `note` is the number of what is said of his total.
    """

    class_name: str | None
    parts: tuple[Deduced, ...]
    given: float
    total: Total | None
    note: int | None


def _row(number: int, standing: Standing, cell: PlayerCell, beside: _Beside) -> ScoreRow:
    rated = None
    if standing.rated_games:
        rated = f"{formats.score(standing.rated_points)}/{formats.score(standing.rated_games)}"
    return ScoreRow(
        number=str(number),
        cell=cell,
        class_name=beside.class_name,
        points=formats.score(standing.points),
        games=formats.score(standing.games),
        uncounted=formats.score(standing.uncounted) if standing.uncounted else None,
        deduced=_points_of(beside.parts) if beside.parts else None,
        by_default=formats.score(round(beside.given, 9)) if beside.given else None,
        published=None if beside.total is None else _published(beside.total),
        published_number=beside.note,
        rated=rated,
        expected=None if standing.expected is None else formats.expected(standing.expected),
        performance=None if standing.performance is None else formats.rating(standing.performance),
    )


def _points_of(parts: Iterable[Deduced]) -> str:
    """Return what several parts add up to; sums are halves but for the last digits."""
    return formats.score(round(sum(part.points for part in parts), 9))


def _published(total: Total) -> str:
    points = formats.score(total.points)
    return points if total.games is None else f"{points}/{formats.score(total.games)}"


def _differs(standing: Standing, total: Total) -> bool:
    return total.note is not None or abs(standing.points - total.points) > 1e-9


def _published_notes(
    event: Event, dataset: Dataset
) -> tuple[tuple[PublishedNote, ...], Mapping[str, int]]:
    """Return the notes on published totals, and the number of that on each player's."""
    said: dict[tuple[str, tuple[Citation, ...]], list[str]] = {}
    for total in event.totals:
        if total.note is not None:
            said.setdefault((total.note, total.sources), []).append(total.player)
    page = urls.event(event.id)
    notes = tuple(
        PublishedNote(
            number,
            tuple(Link(dataset.players[p].shown_name, urls.player(p)) for p in players),
            markup.inline(text, page),
            cited(sources, dataset.sources),
        )
        for number, ((text, sources), players) in enumerate(said.items(), start=1)
    )
    numbers = {p: number for number, players in enumerate(said.values(), start=1) for p in players}
    return notes, numbers
