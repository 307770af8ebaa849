"""The home page, the search page, and the page for addresses where there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from edo.core import formats
from edo.rating.edo import PlayerYear, Ratings, number_ones
from edo.rating.inference.posterior import FEWEST
from edo.site import markup, metadata, placeholders, time_data, urls
from edo.site.charts import leading, maps
from edo.site.charts.timeline import TALL, WIDE, timeline
from edo.site.index import gather
from edo.site.input import Page, SiteInput, link_to, no_view
from edo.site.measured import contest_of
from edo.site.pages import long_lists
from edo.site.pages.content_values import content_values
from edo.site.pages.contest import favourites
from edo.site.pages.events import decades as events_decades
from edo.site.pages.lists import highest_peaks, letter_links
from edo.site.pages.year import year_picture
from edo.systems.all_ratings import SYSTEMS

PEAKS = 10  # how many of the highest peaks are shown
EVENTS = 12  # how many events of a year the time machine names
SMALLEST, GROWTH = 2.5, 2.0  # of the circles of a year's events: `maps.maps`


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the home page, the search page, and the page for addresses where there is none."""
    years = site.ratings.years or (0,)  # `check` lists the pages of histories without ratings too
    first, last = min(years), max(years)
    what, when = f"{site.config.game_title} ratings", formats.years(first, last)
    yield Page(
        path=urls.HOME,
        template="home.html",
        view=partial(home_view, site),
        title=f"Who was the strongest? {what}, {when}",
        description=(
            f"Ratings of the {site.config.game} players of {when}, year by year, with their "
            "uncertainty, the results that they rest on and the sources of these."
        ),
        about=metadata.web_site(site.config.name, site.base_url),
        scripts=(urls.static("save.js"), urls.static("time.js")),
    )
    yield Page(
        path=urls.SEARCH,
        template="search.html",
        view=partial(search_view, site),
        title="Search",
        description="Find players, events, places and years by name.",
        scripts=(urls.static("found.js"),),
    )
    yield Page(
        path=urls.NOT_FOUND,
        template="404.html",
        view=no_view,
        title="Page not found",
        description="There is no page at this address.",
    )


def home_view(site: SiteInput) -> Mapping[str, object]:
    """Return the home page, with the same timeline for wide and for narrow screens."""
    dataset, ratings, chances = site.dataset, site.ratings, site.answers.rank_probabilities
    intro = placeholders.filled(site.content["home"], content_values(site), "home")
    peaks = highest_peaks(ratings, PEAKS)
    timelines = [timeline(dataset, ratings, chances, shape) for shape in (WIDE, TALL)]
    contest = contest_of(site)
    return {
        "intro": markup.article(intro, urls.HOME),
        "timelines": timelines,
        "machine": _machine(site, timelines[0].first_year),
        "favourites": None if contest is None else favourites(contest),
        "question": _question(site),
        "letters": letter_links(dataset),
        "decades": tuple(_decades(ratings)),
        "peaks": peaks,
        "has_chances": bool(chances),
        "events": len(dataset.events),
        "places": len(dataset.places),
        "sources": len(dataset.sources),
        "systems": len(SYSTEMS),
    }


def _question(site: SiteInput) -> Mapping[str, object] | None:
    """Return the two player-years of the question with its answer, None where there is none."""
    answer = site.answers.question
    if answer is None:
        return None
    asked = answer.first, answer.second
    years = [site.ratings.of(*of_year) for of_year in asked]
    players = [site.dataset.players[player] for player, _ in asked]
    names = [player.surname for player in players]
    if names[0] == names[1]:
        names = [player.shown_name for player in players]
    return {
        "answer": answer,
        "years": years,
        "names": names,
        "compared": urls.compare(
            *(player for player, _ in asked), years=[year for _, year in asked]
        ),
    }


def _machine(site: SiteInput, first_year: int) -> Mapping[str, object] | None:
    """Return the time machine at the year of the smallest lead, as it is before its script runs.

    The lead is that of the first over the second, where enough have a rank for a number-one
    probability. None where nobody has a rank.
    """
    ratings = site.ratings
    years = [year for year in sorted(number_ones(ratings)) if year >= first_year]
    of_year = site.index.events_of_year
    if not years:
        return None
    year = min(years, key=lambda number: (*_lead(ratings.ranked(number)), -number))
    ranking, events = leading.leading(ratings, year), of_year.get(year, ())
    shown = [one for number in years for one in leading.leading(ratings, number)]
    axis = leading.axis_of(shown, has_intervals=False)
    rows = max(len(leading.leading(ratings, number)) for number in years)
    drawn = year_picture(site, year, site.ratings, axis, rows)
    places = site.dataset.places.values()
    held = gather((event.place or "", event.year) for event in events)
    return {
        "year": year,
        "picture": drawn,
        "maps": maps.maps(places, held, SMALLEST, GROWTH) if any(map(maps.spot, places)) else (),
        "circles": (SMALLEST, GROWTH),
        "ranking": ranking,
        "events": [link_to(event) for event in time_data.by_field(events, ranking)[:EVENTS]],
        "more": max(len(events) - EVENTS, 0),
        "data": time_data.PATH,
    }


def _lead(ranking: Sequence[PlayerYear]) -> tuple[bool, float]:
    """Return whether too few have a rank, and the lead of the first over the second [Elo]."""
    if len(ranking) < FEWEST:
        return True, 0.0
    return False, ranking[0].rating - ranking[1].rating


def search_view(site: SiteInput) -> Mapping[str, object]:
    """Return examples of searches, and the indexes to look in where scripts are off.

    `pair` are the family names of the two with most games against each other, `held` place and
    year of the event with most players; None where there is none.
    """
    dataset, games = site.dataset, site.index.games_of_pair
    events = [one for one in dataset.events.values() if one.place is not None]
    largest = max(events, key=lambda one: (len(one.players), one.id), default=None)
    place = None if largest is None else dataset.places.get(largest.place or "")
    most = max(games, key=lambda pair: (games[pair], pair), default=())
    decades = long_lists.links(urls.EVENTS, events_decades(site.index))
    return {
        "pair": [dataset.players[one].surname for one in most],
        "held": None if largest is None or place is None else f"{place.name} {largest.year}",
        "letters": letter_links(dataset),
        "decades": decades,
    }


def _decades(ratings: Ratings) -> Iterator[Mapping[str, object]]:
    """Yield the decades: their years, how many were rated, and who stood first how often."""
    years, firsts = sorted(ratings.years), number_ones(ratings)
    for decade in sorted({year // 10 * 10 for year in years}):
        inside = [year for year in years if decade <= year < decade + 10]
        yield {
            "first_year": decade,
            "years": inside,
            "rated": [len(ratings.years[year]) for year in inside],
            "number_ones": Counter(firsts[year].player for year in inside if year in firsts),
        }
