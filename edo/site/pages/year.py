"""The whole input of the site in, a page for every year and the list of all years out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from edo.core import countries, formats, urls
from edo.core.model import Dataset, Event
from edo.rating.edo import PlayerYear, Ratings
from edo.rating.inference.answers import Answers
from edo.site.input import Link, Page, SiteInput
from edo.site.pages import chances, year_systems
from edo.site.pages.index import Index
from edo.site.pages.material import NOTHING, material_of, player_link, shown_score
from edo.site.pages.superiority import SuperiorityTable, superiority_table
from edo.site.pages.winners import Winner, winner

TOP = 10  # how many are the leading ones, of whom the years' list shows the mean


@dataclass(frozen=True, slots=True)
class RankRow:
    """One line of a year's ranking; `anchor`, the player's id, is its id on the page.

    `range` holds the rank in 90 % of the joint draws; `first` and `top_ten` are the probabilities
    of these places where they are 1 % or more.
    """

    anchor: str
    rank: str
    range: str
    first: str
    top_ten: str
    player: Link
    country: str
    rating: str
    deviation: str
    change: str
    score: str
    is_gap: bool
    is_new: bool


@dataclass(frozen=True, slots=True)
class YearEventRow:
    """One of the year's events."""

    event: Link
    when: str
    kind: str
    place: Link | None
    players: str
    winner: Winner | None
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class YearView:
    """The page of a year, every number ready to show.

    `last` are those who have no later result, empty in the last year of all; `has_gaps` says
    whether the ranking has years without results; `has_top_ten` whether it is longer than ten,
    so that to be among them says something.
    """

    rated: str
    with_results: str
    ranking: tuple[RankRow, ...]
    newcomers: tuple[Link, ...]
    last: tuple[Link, ...]
    events: tuple[YearEventRow, ...]
    before: Link | None
    after: Link | None
    has_gaps: bool
    has_chances: bool
    has_top_ten: bool
    superiority: SuperiorityTable | None
    how: Link
    systems: Link | None


@dataclass(frozen=True, slots=True)
class YearsRow:
    """One line of the list of all years; `is_gap` is said of the number one."""

    anchor: str
    year: Link
    rated: str
    with_results: str
    first: Link | None
    rating: str
    deviation: str
    is_gap: bool
    top_mean: str
    events: str


@dataclass(frozen=True, slots=True)
class YearsView:
    """The list of all years."""

    rows: tuple[YearsRow, ...]
    decades: tuple[Link, ...]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of all years, and a page for each with an event or a rated player."""
    dataset, ratings = site.dataset, site.ratings
    index = material_of(site).index
    years = sorted({*index.events_counting_in, *ratings.years})
    yield Page(
        path=urls.YEARS,
        template="years.html",
        view=partial(years_view, years, dataset, ratings, index),
        title="Years",
        description="All years: how many players are rated, who stood first, how many events.",
    )
    for place, year in enumerate(years):
        neighbours = (
            years[place - 1] if place else None,
            years[place + 1] if place + 1 < len(years) else None,
        )
        yield Page(
            path=urls.year(year),
            template="year.html",
            view=partial(year_view, year, neighbours, site, index),
            title=str(year),
            description=f"The chess ratings of {year}: full ranking, newcomers and events.",
            scripts=(urls.static("filters.js"),),
            table=urls.table(urls.year(year)) if year in ratings.years else None,
        )


def year_view(
    year: int,
    neighbours: tuple[int | None, int | None],
    site: SiteInput,
    index: Index,
) -> YearView:
    """Return everything that the page of a year shows; `neighbours` have pages too."""
    dataset, ratings, answers = site.dataset, site.ratings, site.answers
    ranking = ratings.years.get(year, ())
    rows = tuple(_rank_row(row, dataset, ratings, answers) for row in ranking)
    before, after = (None if n is None else Link(str(n), urls.year(n)) for n in neighbours)
    return YearView(
        rated=formats.counted(len(ranking), "player"),
        with_results=formats.count(sum(not row.is_gap for row in ranking)),
        ranking=rows,
        newcomers=_edge(ranking, 0, dataset, ratings),
        last=() if after is None else _edge(ranking, -1, dataset, ratings),
        events=tuple(
            _event_row(event, dataset) for event in index.events_counting_in.get(year, ())
        ),
        before=before,
        after=after,
        has_gaps=any(row.is_gap for row in ranking),
        has_chances=any(row.range for row in rows),
        has_top_ten=len(rows) > TOP and any(row.top_ten for row in rows),
        superiority=superiority_table(answers.superiority.get(year), dataset),
        how=Link("Questions to all ratings at once", urls.method("joint")),
        systems=_systems(year, site),
    )


def _systems(year: int, site: SiteInput) -> Link | None:
    """Return the link to who leads in the year under each system, None where none rates it."""
    if year not in year_systems.years_of(site):
        return None
    return Link("The leading ten under other rating systems", urls.year_systems(year))


def years_view(years: Sequence[int], dataset: Dataset, ratings: Ratings, index: Index) -> YearsView:
    """Return the list of all years, with links to the first year of each decade."""
    starts = {year // 10 * 10: year for year in reversed(years)}
    return YearsView(
        rows=tuple(_years_row(year, dataset, ratings, index) for year in years),
        decades=tuple(
            Link(f"{decade}s", f"{urls.YEARS}#y{first}") for decade, first in sorted(starts.items())
        ),
    )


def _rank_row(row: PlayerYear, dataset: Dataset, ratings: Ratings, answers: Answers) -> RankRow:
    player = dataset.players[row.player]
    chance = answers.chances.get((row.player, row.year))
    before = ratings.of(row.player, row.year - 1)
    return RankRow(
        anchor=row.player,
        rank=formats.rank(row.rank),
        range=chances.rank_range(chance),
        first=chances.first(chance),
        top_ten=chances.top_ten(chance),
        player=player_link(player, f"#y{row.year}"),
        country=countries.named(player.country),
        rating=formats.rating(row.rating),
        deviation=formats.deviation(row.deviation),
        change="" if before is None else _change(before.rating, row.rating),
        score=shown_score(row.score, row.games),
        is_gap=row.is_gap,
        is_new=before is None,
    )


def _change(before: float, now: float) -> str:
    """Return the difference of the ratings as they are shown, so that a reader's sum comes out."""
    return formats.signed(_shown(now) - _shown(before))


def _shown(rating: float) -> int:
    return int(formats.rating(rating).replace(formats.MINUS, "-"))


def _edge(
    ranking: Sequence[PlayerYear], end: int, dataset: Dataset, ratings: Ratings
) -> tuple[Link, ...]:
    """Return those whose first (`end` 0) or last (-1) rated year this is, by rank."""
    return tuple(
        player_link(dataset.players[row.player], f"#y{row.year}")
        for row in ranking
        if ratings.players[row.player][end].year == row.year
    )


def _event_row(event: Event, dataset: Dataset) -> YearEventRow:
    place = None if event.place is None else dataset.places[event.place]
    marks = () if event.completeness == "complete" else (event.completeness,)
    return YearEventRow(
        event=Link(event.name, urls.event(event.id)),
        when="" if event.dates is None else formats.dates(event.dates),
        kind=event.kind,
        place=None if place is None else Link(place.name, urls.place(place.id)),
        players=formats.count(len(event.players)),
        winner=winner(event, dataset),
        marks=(*marks, *(("unrated",) if event.unrated is not None else ())),
    )


def _years_row(year: int, dataset: Dataset, ratings: Ratings, index: Index) -> YearsRow:
    ranking = ratings.years.get(year, ())
    first = ranking[0] if ranking else None
    top = [row.rating for row in ranking[:TOP]]
    return YearsRow(
        anchor=f"y{year}",
        year=Link(str(year), urls.year(year)),
        rated=formats.count(len(ranking)),
        with_results=formats.count(sum(not row.is_gap for row in ranking)),
        first=None if first is None else player_link(dataset.players[first.player], f"#y{year}"),
        rating=NOTHING if first is None else formats.rating(first.rating),
        deviation=NOTHING if first is None else formats.deviation(first.deviation),
        is_gap=first is not None and first.is_gap,
        top_mean=formats.rating(sum(top) / TOP) if len(top) == TOP else NOTHING,
        events=formats.count(len(index.events_counting_in.get(year, ()))),
    )
