"""The whole input of the site in, the home page and the page for what is not there out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from edo.core import formats, urls
from edo.core.model import Dataset
from edo.rating.edo import PlayerYear, Ratings
from edo.site import markup, metadata
from edo.site.input import Link, Page, SiteInput
from edo.site.pages.alphabet import by_letter
from edo.site.pages.century import Century, century
from edo.site.pages.century_scale import TALL, WIDE
from edo.site.pages.content_values import content_values, text_of
from edo.systems.entries import SYSTEMS

PEAKS = 10  # how many of the highest peaks are shown


@dataclass(frozen=True, slots=True)
class NumberOne:
    """A player who stood first in some years of a decade, and in how many."""

    player: Link
    years: str


@dataclass(frozen=True, slots=True)
class Decade:
    """One line of the table of decades; `rated` says how many were rated in its years."""

    name: str
    rated: str
    years: tuple[Link, ...]
    firsts: tuple[NumberOne, ...]


@dataclass(frozen=True, slots=True)
class PeakRow:
    """One of the highest peaks."""

    place: str
    player: Link
    rating: str
    deviation: str
    year: Link


@dataclass(frozen=True, slots=True)
class HomeView:
    """The home page; `intro` comes from `content/home.md`.

    `centuries` is the same drawing for wide and for narrow screens; `how_surely` leads to the
    picture of who was first, None where that is not known.
    """

    intro: Markup
    centuries: tuple[Century, ...]
    search: Link
    letters: tuple[Link, ...]
    decades: tuple[Decade, ...]
    peaks: tuple[PeakRow, ...]
    players: Link
    years: Link
    number_ones: Link
    how_surely: Link | None
    all_peaks: Link
    events: Link
    places: Link
    sources: Link
    method: Link
    systems: Link
    data: Link


@dataclass(frozen=True, slots=True)
class NotFoundView:
    """What to do about a page that is not there."""

    ways: tuple[Link, ...]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the home page and the page for what is not there."""
    first, last = min(site.ratings.years), max(site.ratings.years)
    yield Page(
        path=urls.HOME,
        template="home.html",
        view=partial(home_view, site),
        title=f"Chess players of {formats.years(first, last)}, rated",
        description=(
            f"Ratings of the chess players of {formats.years(first, last)}, year by year, with "
            "their uncertainty, the results that they rest on and the sources of these."
        ),
        about=metadata.web_site(site.config.name, site.base_url),
    )
    yield Page(
        path=urls.NOT_FOUND,
        template="404.html",
        view=_not_found,
        title="Page not found",
        description="There is no page at this address.",
    )


def _not_found() -> NotFoundView:
    return NotFoundView(tuple(Link(name, target) for name, target in urls.SECTIONS))


def home_view(site: SiteInput) -> HomeView:
    """Return the home page."""
    dataset, ratings = site.dataset, site.ratings
    intro = markup.filled(text_of(site, "home"), content_values(dataset, ratings), "home")
    return HomeView(
        intro=markup.article(intro, urls.HOME),
        centuries=(century(site, WIDE), century(site, TALL)),
        search=Link("search", urls.SEARCH),
        letters=tuple(_letters(dataset)),
        decades=tuple(_decades(dataset, ratings)),
        peaks=tuple(_peaks(dataset, ratings)),
        players=Link("All players, A to Z", urls.PLAYERS),
        years=Link("All years", urls.YEARS),
        number_ones=Link("The number ones, year by year", urls.NUMBER_ONES),
        how_surely=(
            Link("how surely they were first: a picture", f"{urls.NUMBER_ONES}#picture")
            if site.answers.chances
            else None
        ),
        all_peaks=Link("More peaks", urls.PEAKS),
        events=Link(formats.counted(len(dataset.events), "event"), urls.EVENTS),
        places=Link(formats.counted(len(dataset.places), "place"), urls.PLACES),
        sources=Link(formats.counted(len(dataset.sources), "source"), urls.SOURCES),
        method=Link("How it is done", urls.METHOD),
        systems=Link(formats.counted(len(SYSTEMS), "rating system"), urls.SYSTEMS),
        data=Link("The data", urls.DATA),
    )


def _letters(dataset: Dataset) -> Iterator[Link]:
    for letter, _ in by_letter(dataset.players.values(), lambda player: player.name):
        anchor = "other" if letter == "#" else letter.lower()
        yield Link(letter, f"{urls.PLAYERS}#{anchor}")


def _decades(dataset: Dataset, ratings: Ratings) -> Iterator[Decade]:
    years = sorted(ratings.years)
    for decade in sorted({year // 10 * 10 for year in years}):
        inside = [year for year in years if decade <= year < decade + 10]
        rated = sorted(len(ratings.years[year]) for year in inside)
        firsts = Counter(ratings.years[year][0].player for year in inside)
        yield Decade(
            f"{decade}s",
            formats.span(rated[0], rated[-1]),
            tuple(Link(str(year), urls.year(year)) for year in inside),
            tuple(
                NumberOne(_player(player, dataset), formats.counted(number, "year"))
                for player, number in firsts.items()
            ),
        )


def _peaks(dataset: Dataset, ratings: Ratings) -> Iterator[PeakRow]:
    peaks = [peak for player in ratings.players if (peak := ratings.peak(player)) is not None]
    peaks.sort(key=lambda peak: (-peak.rating, peak.player))
    for place, peak in enumerate(peaks[:PEAKS], start=1):
        yield _peak_row(place, peak, dataset)


def _peak_row(place: int, peak: PlayerYear, dataset: Dataset) -> PeakRow:
    return PeakRow(
        place=formats.rank(place),
        player=_player(peak.player, dataset),
        rating=formats.rating(peak.rating),
        deviation=formats.deviation(peak.deviation),
        year=Link(str(peak.year), f"{urls.year(peak.year)}#{peak.player}"),
    )


def _player(player: str, dataset: Dataset) -> Link:
    return Link(dataset.players[player].shown_name, urls.player(player))
