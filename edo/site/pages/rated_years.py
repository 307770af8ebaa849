"""A player's ratings in, the rating curve with its words and the table year by year out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from edo.core import formats, urls
from edo.core.model import Player
from edo.rating.edo import PlayerYear
from edo.site.charts.charts import RatingCurve, rating_curve
from edo.site.input import Link
from edo.site.pages import chances
from edo.site.pages.material import Material, shown_score

SCRIPTS = (urls.static("curve.js"), urls.static("save.js"))
"""What a page with a rating curve loads."""


@dataclass(frozen=True, slots=True)
class Peak:
    """The highest adjusted rating in a year with results."""

    rating: str
    deviation: str
    year: Link
    rank: str


@dataclass(frozen=True, slots=True)
class YearRow:
    """One line of the table year by year; `anchor` is its id on the page.

    `range` holds the rank in 90 % of the joint draws, `first` the probability of having been the
    strongest where it is 1 % or more; both empty where they are not known. `why` leads to what
    carries the rating, None where that is not told.
    """

    anchor: str
    year: Link
    rating: str
    why: str | None
    deviation: str
    rank: str
    range: str
    first: str
    raw_rating: str
    raw_deviation: str
    score: str
    events: tuple[Link, ...]
    is_gap: bool


@dataclass(frozen=True, slots=True)
class DotNote:
    """What the curve says of one of its dots: the tooltip, and the row where it leads."""

    target: str
    text: str


@dataclass(frozen=True, slots=True)
class RatedYears:
    """The curve and the table year by year of one identity.

    `name` makes ids unique on a page with two curves; `notes` belong to the curve's dots in order;
    `file` is the name of the file in which a reader may save the drawing.
    """

    name: str
    file: str
    title: str
    description: str
    compare: Link
    curve: RatingCurve
    notes: tuple[DotNote, ...]
    peak: Peak
    rows: tuple[YearRow, ...]
    has_gaps: bool
    has_chances: bool
    has_firsts: bool


def peak_of(years: Iterable[PlayerYear]) -> PlayerYear:
    """Return the year with results of the highest rating, the first of equals."""
    return max((y for y in years if not y.is_gap), key=lambda y: (y.rating, -y.year))


def rated_years(player: Player, material: Material, prefix: str = "") -> RatedYears | None:
    """Return the curve and table of a player, None where unrated; `prefix` is that of the ids."""
    years = material.ratings.players.get(player.id)
    if years is None:
        return None
    events: defaultdict[int, list[Link]] = defaultdict(list)
    for event in material.index.events_of_player.get(player.id, ()):
        for counted in material.index.years_of(event, player.id):
            events[counted].append(Link(event.name, urls.event(event.id)))
    peak = peak_of(years)
    of = material.ratings.years
    told = material.answers.influences.get(player.id, ())
    carried = frozenset(() if prefix else (one.year for one in told))
    rows = tuple(
        _year_row(year, prefix, material, tuple(events[year.year]), year.year in carried)
        for year in years
    )
    return RatedYears(
        name=f"{prefix}curve",
        file=f"{player.id}-ratings.svg",
        title=f"Ratings of {player.shown_name}",
        description=_curve_description(years, peak),
        compare=Link("Compare with others", urls.compare(player.id)),
        curve=rating_curve(years),
        notes=tuple(_dot_note(y, prefix, len(of[y.year])) for y in years if not y.is_gap),
        peak=_peak(peak, len(of[peak.year])),
        rows=rows,
        has_gaps=any(y.is_gap for y in years),
        has_chances=any(row.range for row in rows),
        has_firsts=any(row.first for row in rows),
    )


def _peak(year: PlayerYear, rated: int) -> Peak:
    return Peak(
        rating=formats.rating(year.rating),
        deviation=formats.deviation(year.deviation),
        year=Link(str(year.year), f"{urls.year(year.year)}#{year.player}"),
        rank=_rank(year, rated),
    )


def _year_row(
    year: PlayerYear, prefix: str, material: Material, events: tuple[Link, ...], is_told: bool
) -> YearRow:
    chance = material.answers.chances.get((year.player, year.year))
    return YearRow(
        anchor=f"{prefix}y{year.year}",
        year=Link(str(year.year), f"{urls.year(year.year)}#{year.player}"),
        rating=formats.rating(year.rating),
        why=f"#{why_anchor(year.year)}" if is_told else None,
        deviation=formats.deviation(year.deviation),
        rank=_rank(year, len(material.ratings.years[year.year])),
        range=chances.rank_range(chance),
        first=chances.first(chance),
        raw_rating=formats.rating(year.raw_rating),
        raw_deviation=formats.deviation(year.raw_deviation),
        score=shown_score(year.score, year.games),
        events=events,
        is_gap=year.is_gap,
    )


def why_anchor(year: int) -> str:
    """Return the id of what carries the rating of a year, on the page of the player."""
    return f"why{year}"


def _rank(year: PlayerYear, rated: int) -> str:
    return f"{formats.rank(year.rank)} of {formats.count(rated)}"


def _dot_note(year: PlayerYear, prefix: str, rated: int) -> DotNote:
    number = formats.rating_with_deviation(year.rating, year.deviation)
    return DotNote(
        target=f"#{prefix}y{year.year}",
        text=f"{year.year}: {number}, rank {_rank(year, rated)}",
    )


def _curve_description(years: tuple[PlayerYear, ...], peak: PlayerYear) -> str:
    """Return the curve in words, for those who do not see it."""
    shown = formats.rating_with_deviation(peak.rating, peak.deviation)
    if len(years) == 1:
        return f"One rated year, {peak.year}: {shown}."
    first, last = years[0], years[-1]
    return (
        f"From {formats.rating(first.rating)} in {first.year} to {formats.rating(last.rating)} in "
        f"{last.year}; the highest {shown} in {peak.year}. "
        f"Years with results: {sum(not y.is_gap for y in years)} of {len(years)}."
    )
