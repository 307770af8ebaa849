"""The pages of years, and the list of all years."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from edo.core.model import Dataset, Event
from edo.rating.coverage import event_unrated
from edo.rating.edo import PlayerYear, Ratings, whole_share
from edo.site import urls
from edo.site.charts import leading
from edo.site.charts.axis import Axis
from edo.site.input import Link, Page, SiteInput, link_to, neighbours
from edo.site.pages.annotations import coverage_mark
from edo.site.pages.event import winner
from edo.site.pages.tables import Cell, Row, Table, amount, minor, name, number, text

AMONG = 50  # the ranks within which a rise or a fall is worth a line
MOVERS = 5  # how many who rose and how many who fell are named
TOP = 10  # how many are the leading ones, of whom the years' list shows the mean


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of all years, and a page for each with an event or a rated player."""
    ratings = site.ratings
    years = sorted({*site.index.events_counting_in, *ratings.years})
    yield Page(
        path=urls.YEARS,
        template="years.html",
        view=partial(years_view, years, site),
        title="Years",
        description="All years: how many players are rated, who stood first, how many events.",
    )
    label = site.config.year_label
    links = [Link(label(year), urls.year(year)) for year in years]
    for year, pager in zip(years, neighbours(links), strict=True):
        yield Page(
            path=urls.year(year),
            template="year.html",
            view=partial(year_view, year, pager, site),
            title=label(year),
            description=(
                f"The {site.config.game} ratings of {label(year)}: full ranking and events."
            ),
            scripts=(
                urls.static("filters.js"),
                urls.static("save.js"),
                urls.static("neighbours.js"),
            ),
            picture=urls.year_picture(year) if ratings.ranked(year) else None,
        )


def year_view(
    year: int, pager: tuple[Link | None, Link | None], site: SiteInput
) -> Mapping[str, object]:
    """Return what the page of a year shows; `pager` are the links to the years around it.

    `before` holds the ratings [Elo] of the year before, `chances` the rank probabilities, `second`
    the ratings by the second system, all only of those who have them; `added` are those with a rank
    by that alone.
    """
    ratings, answers = site.ratings, site.answers
    ranking = ratings.years.get(year, ())
    found = {one.player: answers.rank_probabilities.get((one.player, year)) for one in ranking}
    chances = {player: one for player, one in found.items() if one is not None}
    before = {one.player: ratings.of(one.player, year - 1) for one in ranking}
    by_second = site.second.years.get(year, ())
    table, ranked = answers.superiority.get(year), len(ratings.ranked(year))
    return {
        "year": year,
        "picture": year_picture(site, year, ratings) if ranked else None,
        "moves": moves(ratings, year),
        "among": AMONG,
        "ranking": ranking,
        "ranked": ranked,
        "whole_share": whole_share(ranking),
        "second": {player_year.player: player_year for player_year in by_second},
        "added": [one for one in by_second if one.rank is not None and one.player not in found],
        "before": {player: one.rating for player, one in before.items() if one is not None},
        "chances": chances,
        # Where all are among the first ten, a place there means nothing.
        "has_top_ten": ranked > TOP and any(c.top_ten >= 0.01 for c in chances.values()),
        "events": [
            _event(event, site.dataset) for event in site.index.events_counting_in.get(year, ())
        ],
        "pager": pager,
        "superiority": table if table is not None and len(table.players) > 1 else None,
    }


Move = tuple[PlayerYear, PlayerYear]
"""A player with results in a year, before it and in it."""


def moves(ratings: Ratings, year: int) -> tuple[tuple[Move, ...], tuple[Move, ...]]:
    """Return who rose and who fell most among those with results in the year, the most first.

    Only those who were among the first fifty of this year or of the year before.
    """
    found = []
    for after in ratings.years.get(year, ()):
        before = ratings.of(after.player, year - 1)
        if before is None or before.rank is None or after.rank is None or after.is_gap:
            continue
        if min(before.rank, after.rank) <= AMONG:
            found.append((before, after))
    found.sort(key=lambda move: (move[0].rating - move[1].rating, move[1].player))
    rose = tuple(move for move in found[:MOVERS] if move[0].rating < move[1].rating)
    fell = tuple(move for move in found[: -MOVERS - 1 : -1] if move[0].rating > move[1].rating)
    return rose, fell


def year_picture(
    site: SiteInput,
    year: int,
    ratings: Ratings,
    axis: Axis | None = None,
    rows: int | None = None,
) -> leading.Picture:
    """Return the picture of the first twenty of a year, on an axis of its own unless one is given.

    It has room for so many rows, or for all that there are.
    """
    players, chances = site.dataset.players, site.answers.rank_probabilities
    shown = leading.leading(ratings, year)
    names = leading.labels((players[y.player] for y in shown), site.index.short_names)
    words = [leading.words(y, players[y.player], chances.get((y.player, year))) for y in shown]
    said = {y.player: (names[y.player], one) for y, one in zip(shown, words, strict=True)}
    axis = axis or leading.axis_of(shown, has_intervals=True)
    return leading.picture(year, ratings, axis, said, rows)


def _event(event: Event, dataset: Dataset) -> Mapping[str, object]:
    """Return one of the events of a year; `marks` are kinds of the legend."""
    marks = [coverage_mark(event, dataset.odds)]
    if event_unrated(event) is not None:
        marks.append("unrated")
    return {
        "event": link_to(event),
        "kind": event.kind,
        "place": None if event.place is None else link_to(dataset.places[event.place]),
        "dates": event.dates,
        "players": len(event.players),
        "winner": winner(event, dataset),
        "marks": tuple(filter(None, marks)),
    }


YEARS = (
    name("year", "Year"),
    minor("events", "Events", "count"),
    amount(
        "rated",
        "Rated",
        "count",
        meaning="players with a rating for the year, including those with a gap in their results.",
    ),
    minor("active", "Active", "count", "Rated players with results in the year"),
    minor(
        "ranked",
        "Ranked",
        "count",
        "Players with a rank",
        "players with a rank; only they can be the number one or among the top ten.",
    ),
    text("first", "Number one"),
    amount("rating", "Rating", "rating", meaning="the rating of the number one."),
    number("deviation", "Dev.", "deviation", "Its standard error (Edwards’ deviation)", hides=True),
    minor("top_mean", "Top ten", "rating", "Mean of the ten highest ratings of the year"),
    minor("whole_share", "Whole", "percentage", "Share of the rated games in events known whole"),
)


def years_view(years: Sequence[int], site: SiteInput) -> Mapping[str, object]:
    """Return the list of all years, with links to the first year of each decade."""
    starts = {year // 10 * 10: year for year in reversed(years)}
    rows = [_years_row(year, site) for year in years]
    return {
        "table": Table("All years", YEARS, rows),
        "decades": [
            Link(f"{decade}s", f"{urls.YEARS}#y{first}") for decade, first in sorted(starts.items())
        ],
    }


def _years_row(year: int, site: SiteInput) -> Row:
    """Return a year with its number one and the mean of its ten highest ratings."""
    ranking, ranked = site.ratings.years.get(year, ()), site.ratings.ranked(year)
    first = ranked[0] if ranked else None
    top = [row.rating for row in ranked[:TOP]]
    player = None if first is None else link_to(site.dataset.players[first.player], f"#y{year}")
    is_gap = first is not None and first.is_gap
    return Row(
        {
            "year": Link(str(year), urls.year(year)),
            "events": len(site.index.events_counting_in.get(year, ())),
            "rated": len(ranking),
            "active": sum(not row.is_gap for row in ranking),
            "ranked": len(ranked),
            "first": ""
            if player is None
            else Cell(player.text, player.target, css="gap" if is_gap else ""),
            "rating": None if first is None else first.rating,
            "deviation": None if first is None else first.deviation,
            "top_mean": sum(top) / TOP if len(top) == TOP else None,
            "whole_share": whole_share(ranking),
        },
        f"y{year}",
    )
