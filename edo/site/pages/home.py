"""The home page, and the page for addresses where there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from edo.core import formats, urls
from edo.rating.edo import PlayerYear, Ratings
from edo.site import markup, metadata
from edo.site.charts.timeline import TALL, WIDE, Timeline, timeline
from edo.site.input import Link, Page, SiteInput, no_view
from edo.site.pages.content_values import content_values, text_of
from edo.site.pages.lists import highest_peaks, letter_links
from edo.systems.alongside import SYSTEMS

PEAKS = 10  # how many of the highest peaks are shown


@dataclass(frozen=True, slots=True)
class Decade:
    """One line of the table of decades; `rated` are the numbers of rated players of its years.

    `number_ones` are the players who stood first, each with the number of years.
    """

    first_year: int
    years: tuple[int, ...]
    rated: tuple[int, ...]
    number_ones: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class HomeView:
    """The home page; `intro` comes from `content/home.md`.

    `timelines` is the same drawing for wide and for narrow screens; `has_chances` says whether the
    probabilities of having been first are known; `names` are shown names by id.
    """

    intro: Markup
    timelines: tuple[Timeline, ...]
    letters: tuple[Link, ...]
    decades: tuple[Decade, ...]
    peaks: tuple[PlayerYear, ...]
    names: Mapping[str, str]
    has_chances: bool
    events: int
    places: int
    sources: int
    systems: int


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the home page and the page for addresses where there is none."""
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
        view=no_view,
        title="Page not found",
        description="There is no page at this address.",
    )


def home_view(site: SiteInput) -> HomeView:
    """Return the home page."""
    dataset, ratings = site.dataset, site.ratings
    intro = markup.filled(text_of(site, "home"), content_values(dataset, ratings), "home")
    peaks, decades = highest_peaks(ratings, PEAKS), tuple(_decades(ratings))
    named = {peak.player for peak in peaks}
    named |= {player for decade in decades for player, _ in decade.number_ones}
    return HomeView(
        intro=markup.article(intro, urls.HOME),
        timelines=tuple(
            timeline(dataset, ratings, site.answers.chances, shape) for shape in (WIDE, TALL)
        ),
        letters=letter_links(dataset),
        decades=decades,
        peaks=peaks,
        names={player: dataset.players[player].shown_name for player in sorted(named)},
        has_chances=bool(site.answers.chances),
        events=len(dataset.events),
        places=len(dataset.places),
        sources=len(dataset.sources),
        systems=len(SYSTEMS),
    )


def _decades(ratings: Ratings) -> Iterator[Decade]:
    years = sorted(ratings.years)
    for decade in sorted({year // 10 * 10 for year in years}):
        inside = tuple(year for year in years if decade <= year < decade + 10)
        rated = tuple(len(ratings.years[year]) for year in inside)
        firsts = Counter(ratings.years[year][0].player for year in inside)
        yield Decade(decade, inside, rated, tuple(firsts.items()))
