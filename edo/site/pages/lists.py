"""The whole input of the site in, the lists of players out: A to Z, highest peaks, number ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from edo.core import countries, formats, urls
from edo.core.model import Dataset, Player
from edo.rating.edo import PlayerYear, Ratings
from edo.site.input import Link, Page, SiteInput
from edo.site.pages.alphabet import by_letter
from edo.site.pages.index import Index
from edo.site.pages.material import NOTHING, material_of, player_link
from edo.site.pages.number_ones import number_ones_view
from edo.site.pages.rated_years import peak_of
from edo.site.pages.suspects import bridges_view, suspects_view

PEAKS = 100  # how long the list of the highest peaks is


@dataclass(frozen=True, slots=True)
class ListLink:
    """A list and what it is."""

    target: Link
    words: str


@dataclass(frozen=True, slots=True)
class ListsView:
    """The ways to the lists."""

    lists: tuple[ListLink, ...]


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One line of the list of all players; `rating`, `deviation` are those of the peak year.

    `anchor` is the row's id on the page where it is the first of its letter; `games` are those that
    were rated; `peak_year` is None for the unrated.
    """

    anchor: str | None
    player: Link
    life: str
    is_birth_known: bool
    country: str
    years: str
    events: str
    games: str
    rating: str
    deviation: str
    peak_year: Link | None
    person: Link | None
    is_unrated: bool


@dataclass(frozen=True, slots=True)
class PlayersView:
    """All players from A to Z, with ways to the letters."""

    total: str
    rated: str
    jumps: tuple[Link, ...]
    rows: tuple[PlayerRow, ...]


@dataclass(frozen=True, slots=True)
class PeakRow:
    """One line of the highest peaks."""

    place: str
    player: Link
    country: str
    rating: str
    deviation: str
    year: Link


@dataclass(frozen=True, slots=True)
class PeaksView:
    """The highest peaks, each player once."""

    rows: tuple[PeakRow, ...]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the way to the lists and the lists of players."""
    dataset, ratings = site.dataset, site.ratings
    yield Page(
        path=urls.LISTS,
        template="lists.html",
        view=lists_view,
        title="Lists",
        description="The highest peaks, the number ones through time, all players and all years.",
    )
    yield Page(
        path=urls.PLAYERS,
        template="players.html",
        view=partial(players_view, dataset, ratings, material_of(site).index),
        title="Players",
        description="All players from A to Z, with their dates, peaks and years of play.",
        scripts=(urls.static("filters.js"),),
    )
    yield Page(
        path=urls.PEAKS,
        template="peaks.html",
        view=partial(peaks_view, dataset, ratings),
        title="Highest peaks",
        description="The players with the highest ratings that anyone reached in a year.",
        scripts=(urls.static("filters.js"),),
    )
    yield Page(
        path=urls.NUMBER_ONES,
        template="number_ones.html",
        view=partial(number_ones_view, dataset, ratings, site.answers),
        title="Number ones through time",
        description="Who had the highest rating in each year, and how far ahead of the second.",
    )
    yield from _editors_pages(site)


def _editors_pages(site: SiteInput) -> Iterator[Page]:
    """Yield the lists of what to look into."""
    yield Page(
        path=urls.BRIDGES,
        template="bridges.html",
        view=partial(bridges_view, site.dataset, site.answers),
        title="The links that hold groups to the rest",
        description="Events without which players would have no link to the rest, and no rating.",
    )
    yield Page(
        path=urls.SUSPECTS,
        template="suspects.html",
        view=partial(suspects_view, site.dataset, site.ratings, site.answers),
        title="Scores that are hard to believe",
        description="Scores that the ratings made without them did not expect: a list for editors.",
    )


def lists_view() -> ListsView:
    """Return the ways to the lists."""
    ways = (
        (urls.PEAKS, "Highest peaks", f"The {PEAKS} highest ratings, each player once."),
        (
            urls.NUMBER_ONES,
            "Number ones through time",
            "Who stood first in each year, how far ahead of the second, and how surely.",
        ),
        (urls.PLAYERS, "All players, A to Z", "With dates, countries, peaks and years of play."),
        (urls.YEARS, "All years", "How many are rated, who is first, the mean of the first ten."),
        (urls.EVENTS, "All events", "Tournaments, matches and team matches in order of time."),
        (urls.PLACES, "Places", "Where it all was played."),
        (urls.SOURCES, "Sources", "The bibliography, and the events that rest on each source."),
        (
            urls.BRIDGES,
            "The links that hold groups to the rest",
            "Events without which their players could not be rated.",
        ),
        (
            urls.SUSPECTS,
            "Scores that are hard to believe",
            "For editors: what to check first, and what may lie behind it.",
        ),
    )
    return ListsView(tuple(ListLink(Link(name, path), words) for path, name, words in ways))


def players_view(dataset: Dataset, ratings: Ratings, index: Index) -> PlayersView:
    """Return all players in the order of the alphabet."""
    letters = by_letter(dataset.players.values(), lambda player: player.name)
    anchors = {letter: "other" if letter == "#" else letter.lower() for letter, _ in letters}
    return PlayersView(
        total=formats.count(len(dataset.players)),
        rated=formats.count(len(ratings.players)),
        jumps=tuple(Link(name, f"{urls.PLAYERS}#{anchor}") for name, anchor in anchors.items()),
        rows=tuple(
            _player_row(player, None if place else anchors[letter], dataset, ratings, index)
            for letter, players in letters
            for place, player in enumerate(players)
        ),
    )


def peaks_view(dataset: Dataset, ratings: Ratings) -> PeaksView:
    """Return the highest peaks in years with results; the order is that of the exact ratings."""
    peaks = sorted(map(peak_of, ratings.players.values()), key=lambda y: (-y.rating, y.player))
    return PeaksView(
        tuple(
            PeakRow(
                place=formats.rank(place),
                player=player_link(dataset.players[peak.player]),
                country=countries.named(dataset.players[peak.player].country),
                rating=formats.rating(peak.rating),
                deviation=formats.deviation(peak.deviation),
                year=_in_ranking(peak),
            )
            for place, peak in enumerate(peaks[:PEAKS], start=1)
        )
    )


def _player_row(
    player: Player, anchor: str | None, dataset: Dataset, ratings: Ratings, index: Index
) -> PlayerRow:
    rated = ratings.players.get(player.id, ())
    peak = peak_of(rated) if rated else None
    events = index.events_of_player.get(player.id, ())
    person = None if player.offhand_of is None else dataset.players[player.offhand_of]
    is_dated = player.born is not None or player.died is not None
    return PlayerRow(
        anchor=anchor,
        player=player_link(player),
        life=formats.life(player.born, player.died) if is_dated else "",
        is_birth_known=player.born is not None,
        country=countries.named(player.country),
        years=formats.years(events[0].year, events[-1].year) if events else NOTHING,
        events=formats.count(len(events)),
        games=formats.amount(sum(year.games for year in rated)) if rated else NOTHING,
        rating=NOTHING if peak is None else formats.rating(peak.rating),
        deviation=NOTHING if peak is None else formats.deviation(peak.deviation),
        peak_year=None if peak is None else _in_ranking(peak),
        person=None if person is None else player_link(person),
        is_unrated=peak is None,
    )


def _in_ranking(year: PlayerYear) -> Link:
    """Return the link from a year's number to the player's row in its ranking."""
    return Link(str(year.year), f"{urls.year(year.year)}#{year.player}")
