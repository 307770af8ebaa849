"""A player and all answers in; his rivals, his peak and the events that carry his ratings out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from edo.core import formats, urls
from edo.core.model import Player
from edo.rating.inference.answers import Bridge, Comparison, Influence, PeakYear
from edo.site.input import Link
from edo.site.pages.chances import Share, share
from edo.site.pages.material import NOTHING, Material, player_link
from edo.site.pages.rated_years import peak_of, why_anchor

LEAST_PEAK = 0.05  # below this a year is not shown as a possible peak
MOST_EVENTS = 6  # how many events are shown for the year of the peak
FEW_EVENTS = 3  # how many for every other year

VERDICTS = (
    (0.975, "almost certainly the stronger"),
    (0.84, "very probably the stronger"),
    (0.6, "probably the stronger"),
    (0.4, "hard to tell"),
    (0.16, "probably the weaker"),
    (0.025, "very probably the weaker"),
    (0.0, "almost certainly the weaker"),
)
"""From which probability of having been the stronger which words are used."""


@dataclass(frozen=True, slots=True)
class RivalRow:
    """The player against a rival in a year; `lead` and `deviation` [Elo].

    `pair` leads to the page of their games, None where they met too rarely for one.
    """

    rival: Link
    pair: Link | None
    year: Link
    lead: str
    deviation: str
    chance: Share
    words: str


@dataclass(frozen=True, slots=True)
class PeakRow:
    """A year that may have been the best, and how far it was below the highest rating."""

    year: Link
    rating: str
    chance: Share
    below: str
    deviation: str


@dataclass(frozen=True, slots=True)
class InfluenceRow:
    """An event, and by how much the rating, and the median of all ratings, would move without.

    `moves_all` where the median moves by a point or more.
    """

    event: Link
    year: str
    shift: str
    median_shift: str
    moves_all: bool


@dataclass(frozen=True, slots=True)
class CarriedYear:
    """The events that carry the rating of a year, those that move it most first.

    `anchor` is its id on the page.
    """

    anchor: str
    year: Link
    rating: str
    rows: tuple[InfluenceRow, ...]


@dataclass(frozen=True, slots=True)
class BridgeNote:
    """An event that alone links the player to the rest, and for how many others it does so."""

    event: Link
    others: str | None
    more: Link


@dataclass(frozen=True, slots=True)
class PlayerAnswers:
    """What the joint distribution says of a player; `peak` is the year of the highest rating.

    `others` counts the other years.
    """

    rivals: tuple[RivalRow, ...]
    peaks: tuple[PeakRow, ...]
    peak: CarriedYear | None
    other_years: tuple[CarriedYear, ...]
    others: str
    bridges: tuple[BridgeNote, ...]
    how: Link
    why: Link
    file: Link


HOW = Link("Questions to all ratings at once", urls.method("joint"))
WHY = Link("How this is worked out", f"{urls.method('joint')}#why-this-rating")
INFLUENCES = Link("influence.csv", urls.data("influence.csv"))


def player_answers(player: Player, material: Material) -> PlayerAnswers:
    """Return what is answered about a player; empty parts where nothing is."""
    answers = material.answers
    rated = material.ratings.players.get(player.id)
    peak_year = None if rated is None else peak_of(rated).year
    years = {year.anchor: year for year in _carried_years(player, peak_year, material)}
    peak = None if peak_year is None else years.pop(why_anchor(peak_year), None)
    return PlayerAnswers(
        rivals=tuple(_rival(one, player, material) for one in answers.rivals.get(player.id, ())),
        peaks=tuple(_peaks(player, material)),
        peak=peak,
        other_years=tuple(years.values()),
        others=formats.counted(len(years), "other year"),
        bridges=tuple(_bridge(one, material) for one in material.bridges_of.get(player.id, ())),
        how=HOW,
        why=WHY,
        file=INFLUENCES,
    )


def verdict(probability: float) -> str:
    """Return in words what a probability of having been the stronger means."""
    return next(words for least, words in VERDICTS if probability >= least)


def _rival(one: Comparison, player: Player, material: Material) -> RivalRow:
    page = material.index.page_of_pair(player.id, one.rival)
    games = material.index.games_of_pair.get(
        (min(player.id, one.rival), max(player.id, one.rival)), 0.0
    )
    return RivalRow(
        pair=None if page is None else Link(formats.counted(games, "game"), page),
        rival=player_link(material.dataset.players[one.rival], f"#y{one.year}"),
        year=Link(str(one.year), f"{urls.year(one.year)}#{player.id}"),
        lead=formats.signed(one.difference),
        deviation=formats.deviation(one.deviation),
        chance=share(one.probability),
        words=verdict(one.probability),
    )


def _peaks(player: Player, material: Material) -> Iterator[PeakRow]:
    """Yield the years that may have been the best, the likeliest first; none of an only year."""
    found = material.answers.peaks.get(player.id, ())
    if len(material.ratings.players.get(player.id, ())) < 2:
        return
    for one in sorted(found, key=lambda one: (-one.probability, one.year)):
        if one.probability >= LEAST_PEAK:
            yield _peak_row(one, player, material)


def _peak_row(one: PeakYear, player: Player, material: Material) -> PeakRow:
    rated = material.ratings.of(player.id, one.year)
    is_highest = one.deviation == 0
    return PeakRow(
        year=_own_year(player, one.year),
        rating=NOTHING if rated is None else formats.rating(rated.rating),
        chance=share(one.probability),
        below=NOTHING if is_highest else formats.rating(one.below),
        deviation=NOTHING if is_highest else formats.deviation(one.deviation),
    )


def _carried_years(
    player: Player, peak_year: int | None, material: Material
) -> Iterator[CarriedYear]:
    influences = sorted(material.answers.influences.get(player.id, ()), key=lambda one: one.year)
    for year, of_year in groupby(influences, key=lambda one: one.year):
        rated = material.ratings.of(player.id, year)
        if rated is not None:
            rating = formats.rating_with_deviation(rated.rating, rated.deviation)
            most = MOST_EVENTS if year == peak_year else FEW_EVENTS
            yield CarriedYear(
                anchor=why_anchor(year),
                year=_own_year(player, year),
                rating=rating,
                rows=tuple(
                    _influence(one, material) for one in sorted(of_year, key=_weight)[:most]
                ),
            )


def _influence(one: Influence, material: Material) -> InfluenceRow:
    event = material.dataset.events[one.event]
    median_shift = formats.signed(one.median_shift)
    return InfluenceRow(
        event=Link(event.name, urls.event(event.id)),
        year=str(event.year),
        shift="no rating" if one.shift is None else formats.signed(one.shift),
        median_shift=median_shift,
        moves_all=median_shift != "0",
    )


def _weight(one: Influence) -> tuple[bool, float, str]:
    """Return the key that puts what the rating rests on first, then what moves it most."""
    return one.own is not None, -abs(one.own or 0.0), one.event


def _bridge(bridge: Bridge, material: Material) -> BridgeNote:
    others = len(bridge.players) - 1
    name = material.dataset.events[bridge.event].name
    return BridgeNote(
        event=Link(name, urls.event(bridge.event)),
        others=formats.counted(others, "other player") if others else None,
        more=Link("The links that hold groups to the rest", f"{urls.BRIDGES}#{bridge.event}"),
    )


def _own_year(player: Player, year: int) -> Link:
    return Link(str(year), f"{urls.player(player.id)}#y{year}")
