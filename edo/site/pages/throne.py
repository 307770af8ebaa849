"""The page of the throne: claimants, holders of the title, and number ones on one strip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from edo.core import formats
from edo.core.model import Series
from edo.history.content_files import Passing
from edo.rating.edo import number_ones
from edo.site import markup, urls
from edo.site.charts.throne import First, Reign, throne_strip
from edo.site.input import Link, Page, SiteInput, link_to
from edo.site.pages.series import reigns
from edo.site.pages.tables import Cell, Row, Table, amount, name, text

HOLDERS = (
    name("player", "Holder"),
    text("years", "Years", css="fixed"),
    text("title", "Title"),
    text("first", "Number one in these years", full="Who was number one, in how many of them"),
)
FIRSTS = (
    name("years", "Years"),
    text("player", "Number one"),
    amount("length", "Length", "count"),
    text("chance", "Probability", full="Least and greatest number-one probability"),
)


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page, in a history with a title that somebody holds or claims."""
    if is_shown(site):
        yield Page(
            path=urls.THRONE,
            template="throne.html",
            view=partial(throne_view, site),
            title="The throne",
            description="Claimants, world champions and number ones, through all years.",
        )


def is_shown(site: SiteInput) -> bool:
    """Whether the history has a title that somebody holds or claims, and so the page."""
    return bool(site.throne.claims) or any(
        one.title is not None for one in site.dataset.series.values()
    )


def throne_view(site: SiteInput) -> Mapping[str, object]:
    """Return the strip, and the same as tables."""
    players = site.dataset.players
    claims = [one for one in site.throne.claims if one.player in players]
    holders, firsts = _holders(site), list(_firsts(site))
    strip = throne_strip(
        [
            Reign(one.player, players[one.player].surname, one.start, one.end, lane,
                  f"{players[one.player].shown_name}, {formats.years(one.start, one.end)}")
            for one, lane in zip(claims, _lanes([(one.start, one.end) for one in claims]),
                                 strict=True)
        ],
        [one for one, _ in holders],
        firsts,
    )  # fmt: skip
    return {
        "strip": strip,
        "first": min((one.start for one in claims), default=None),
        "claims": [(one, players[one.player], markup.inline(one.said, urls.THRONE))
                   for one in claims],
        "passings": [(one, markup.inline(one.said, urls.THRONE)) for one in _passings(site)],
        "holders": Table("Holders", HOLDERS, [_holder_row(*one, firsts, site) for one in holders],
                         "holders", "holders"),
        "number_ones": Table("Number ones", FIRSTS, list(_first_rows(firsts, site)), "number-ones"),
    }  # fmt: skip


def _lanes(spans: list[tuple[int, int]]) -> Iterator[int]:
    """Yield 1 for a span that begins before the end of the one before, 0 for others."""
    until = 0
    for start, end in spans:
        yield int(start < until)
        until = max(until, end)


def _passings(site: SiteInput) -> list[Passing]:
    """Return the titles on record that passed on without an event, to players on record."""
    series, players = site.dataset.series, site.dataset.players
    return [
        one
        for one in site.throne.passings
        if one.series in series and (one.player is None or one.player in players)
    ]


def _holders(site: SiteInput) -> list[tuple[Reign, Series]]:
    """Return who held each title of men and women alike, with branches beside it, by year.

    A title that is a branch of none, such as the women's, has a page of its own series.
    """
    all_series = site.dataset.series.values()
    main = {one.branch_of for one in all_series if one.branch_of is not None} or {
        one.id for one in all_series if one.title is not None
    }
    found = []
    for series in all_series:
        if series.title is not None and (series.id in main or series.branch_of in main):
            lane = int(series.branch_of is not None)
            found += [(one, series) for one in _of_title(series, lane, site)]
    return sorted(found, key=lambda one: (one[0].start, one[0].lane))


def _of_title(series: Series, lane: int, site: SiteInput) -> Iterator[Reign]:
    """Yield who held a title: by its events, and where it passed on without one."""
    last = _last_year(site)
    starts: list[tuple[int, str | None]] = [
        (events[0].year, player) for player, events in reigns(series.id, site)
    ]
    starts += [(one.year, one.player) for one in _passings(site) if one.series == series.id]
    starts.sort(key=lambda one: one[0])
    current: Reign | None = None
    for year, player in starts:
        if current is not None and current.player == player:
            continue
        if current is not None:
            yield replace(current, end=year, words=_words(current, year, series, site))
        current = (
            None
            if player is None
            else Reign(player, site.dataset.players[player].surname, year, last, lane)
        )
    if current is not None:
        yield replace(current, words=_words(current, last, series, site))


def _words(reign: Reign, end: int, series: Series, site: SiteInput) -> str:
    shown = site.dataset.players[reign.player].shown_name
    return f"{shown}, {series.title} {formats.years(reign.start, end)}"


def _last_year(site: SiteInput) -> int:
    """Return the year with which the strip ends: the last of events, ratings and titles."""
    years: list[int] = [*site.ratings.years, *(one.year for one in _passings(site))]
    years += [event.year for event in site.dataset.events.values()]
    return max(years, default=0) + 1


def _firsts(site: SiteInput) -> Iterator[First]:
    """Yield the number one of each year that has a probability."""
    chances = site.answers.rank_probabilities
    for year, first in sorted(number_ones(site.ratings).items()):
        chance = chances.get((first.player, year))
        if chance is not None:
            yield First(
                first.player, site.dataset.players[first.player].surname, year, chance.first
            )


def _holder_row(reign: Reign, series: Series, firsts: list[First], site: SiteInput) -> Row:
    inside: dict[str, int] = {}
    for one in firsts:
        if reign.start <= one.year < reign.end:
            inside[one.player] = inside.get(one.player, 0) + 1
    last = _last_year(site)
    end = "" if reign.end == last else str(reign.end)
    players = site.dataset.players
    return Row(
        {
            "player": link_to(players[reign.player]),
            "years": f"{reign.start}–{end}",
            "title": Cell(series.title, urls.series(series.id)),
            "first": [
                Cell(f"{players[player].surname} ({years})", urls.player(player))
                for player, years in sorted(inside.items(), key=lambda one: (-one[1], one[0]))
            ],
        }
    )


def _first_rows(firsts: list[First], site: SiteInput) -> Iterator[Row]:
    run: list[First] = []
    for one in [*firsts, None]:
        if run and (one is None or one.player != run[-1].player or one.year != run[-1].year + 1):
            chances = [first.chance or 0.0 for first in run]
            shown = dict.fromkeys(formats.chance(ends) for ends in (min(chances), max(chances)))
            yield Row(
                {
                    "years": Link(formats.years(run[0].year, run[-1].year),
                                  urls.year(run[0].year)),
                    "player": link_to(site.dataset.players[run[0].player]),
                    "length": len(run),
                    "chance": " to ".join(shown),
                }
            )  # fmt: skip
            run = []
        if one is not None:
            run.append(one)
