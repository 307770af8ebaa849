"""The lists: players A to Z, highest peaks, number ones, unlikely results, single connections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, groupby
from typing import TypeVar

from edo.core import urls
from edo.core.model import Dataset, Player
from edo.core.text import index_key
from edo.export.lists import LISTS
from edo.rating.edo import PlayerYear, Ratings, highest_years, whole_share
from edo.rating.inference.answers import Answers, RankProbabilities
from edo.site.charts.ridgeline import ridgeline
from edo.site.input import Link, Page, SiteInput, no_view
from edo.site.pages import long_lists
from edo.site.pages.long_lists import Group
from edo.site.pages.lookups import Index, gather, lookups_of, shown_names

PEAKS = 100  # how long the list of the highest peaks is
LEAST_OTHER = 0.05  # from which probability of having been the strongest others are named

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One line of the list of all players, `games` [games] those that were rated.

    `anchor` is the row's id on the page where it is the first of its letter; `active` are the first
    and the last year with an event; `person` is the one whose offhand games these are.
    """

    player: Player
    anchor: str | None
    active: tuple[int, int] | None
    events: int
    games: float | None
    peak: PlayerYear | None
    person: Player | None


@dataclass(frozen=True, slots=True)
class NumberOneRow:
    """The number one of a year, the second (None where only one has a rank), and others.

    `ranked` is the number of players with a rank in the year; `chance` is that of the number one,
    None where it is not known; `others` may have been the strongest with 5 % or more, the likeliest
    first.
    """

    ranked: int
    first: PlayerYear
    second: PlayerYear | None
    is_new: bool
    chance: RankProbabilities | None
    others: tuple[RankProbabilities, ...]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of lists, and the lists of players, years and results."""
    dataset, ratings, answers = site.dataset, site.ratings, site.answers
    filters = (urls.static("filters.js"),)
    yield Page(
        path=urls.LISTS,
        template="lists.html",
        view=lambda: {
            "peaks": PEAKS,
            "whole_share": whole_share(chain.from_iterable(ratings.players.values())),
            "listed": [(one.title, urls.listing(one.name), one.description) for one in LISTS],
        },
        title="Lists",
        description=(
            "Peaks, number ones, performances, upsets, ages, countries, tournaments and careers; "
            "all players and all years."
        ),
    )
    yield from players_pages(site)
    yield Page(
        path=urls.PEAKS,
        template="peaks.html",
        view=partial(peaks_view, dataset, ratings),
        title="Highest peaks",
        description="The players with the highest ratings that anyone reached in a year.",
        scripts=filters,
    )
    yield Page(
        path=urls.NUMBER_ONES,
        template="number_ones.html",
        view=partial(number_ones_view, dataset, ratings, answers),
        title="Number ones through time",
        description="Who had the highest rating in each year, and how far ahead of the second.",
    )
    yield from _pages_for_editors(site)


def players_pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of all players, by letter where it is long."""
    whole = Page(
        path=urls.PLAYERS,
        template="players.html",
        view=no_view,
        title="Players",
        description="All players from A to Z, with their dates, peaks and years of play.",
        scripts=(urls.static("filters.js"),),
    )
    view = partial(players_view, site.dataset, site.ratings, lookups_of(site).index)
    yield from long_lists.pages(whole, letters(site.dataset), view)


def _pages_for_editors(site: SiteInput) -> Iterator[Page]:
    """Yield the lists that show editors what to check."""
    dataset, ratings, answers = site.dataset, site.ratings, site.answers
    yield Page(
        path=urls.BRIDGES,
        template="bridges.html",
        view=partial(bridges_view, dataset, answers),
        title="Rated only through one event",
        description="Events without which players could not be compared with the rest or rated.",
    )
    yield Page(
        path=urls.SUSPECTS,
        template="suspects.html",
        view=partial(suspects_view, dataset, ratings, answers),
        title="Unlikely results",
        description="Scores far from the prediction of the ratings without the event, for editors.",
    )


def players_view(
    dataset: Dataset, ratings: Ratings, index: Index, groups: Sequence[Group]
) -> Mapping[str, object]:
    """Return the players under some letters in the order of the alphabet."""
    return {
        "all": len(dataset.players),
        "rated": len(ratings.players),
        "rows": [
            _player_row(
                dataset.players[id_], None if place else group.anchor, dataset, ratings, index
            )
            for group in groups
            for place, id_ in enumerate(group.ids)
        ],
    }


def _player_row(
    player: Player, anchor: str | None, dataset: Dataset, ratings: Ratings, index: Index
) -> PlayerRow:
    rated = ratings.players.get(player.id)
    events = index.events_of_player.get(player.id, ())
    return PlayerRow(
        player=player,
        anchor=anchor,
        active=(events[0].year, events[-1].year) if events else None,
        events=len(events),
        games=None if rated is None else sum(year.games for year in rated),
        peak=ratings.peak(player.id),
        person=None if player.offhand_of is None else dataset.players[player.offhand_of],
    )


def letters(dataset: Dataset) -> list[Group]:
    """Return the ids of the players under each letter."""
    return [
        Group(letter, "other" if letter == "#" else letter.lower(), [one.id for one in players])
        for letter, players in by_letter(dataset.players.values(), lambda player: player.name)
    ]


def letter_links(dataset: Dataset) -> tuple[Link, ...]:
    """Return a link to each letter of the list of players."""
    return long_lists.links(urls.PLAYERS, letters(dataset))


def by_letter(items: Iterable[T], name: Callable[[T], str]) -> list[tuple[str, list[T]]]:
    """Return the items under their letters, both in the order of the alphabet."""
    ordered = sorted(items, key=lambda item: index_key(name(item)))
    return [(key, list(group)) for key, group in groupby(ordered, lambda item: letter(name(item)))]


def letter(name: str) -> str:
    """Return the capital under which the name stands, `#` where it begins with no letter."""
    first = index_key(name)[0][:1].upper()
    return first if first.isascii() and first.isalpha() else "#"


def peaks_view(dataset: Dataset, ratings: Ratings) -> Mapping[str, object]:
    """Return the highest peaks in years with results; the order is that of the exact ratings.

    `apart` are players whose highest rating is among these but has too little evidence for a rank.
    """
    peaks = highest_peaks(ratings, PEAKS)
    apart = _unranked_peaks(ratings, peaks[-1].rating) if peaks else ()
    everyone = [*peaks, *apart]
    return {
        "peaks": peaks,
        "apart": apart,
        "players": {one.player: dataset.players[one.player] for one in everyone},
        "settings": ratings.settings,
    }


def _unranked_peaks(ratings: Ratings, least: float) -> tuple[PlayerYear, ...]:
    """Return the highest year without a rank, of at least this rating [Elo], of each player."""
    without = highest_years(
        one
        for one in chain.from_iterable(ratings.players.values())
        if one.rank is None and not one.is_gap and one.rating >= least
    )
    peaks = ((one, ratings.peak(one.player)) for one in without)
    return tuple(
        one for one, peak in peaks if peak is None or peak.rank is None or one.rating > peak.rating
    )


def highest_peaks(ratings: Ratings, n: int) -> tuple[PlayerYear, ...]:
    """Return the peaks of the n players with the highest ones, the highest first.

    Only years with enough evidence for a rank count.
    """
    years = chain.from_iterable(ratings.players.values())
    return tuple(highest_years(y for y in years if y.rank is not None and not y.is_gap)[:n])


def number_ones_view(dataset: Dataset, ratings: Ratings, answers: Answers) -> Mapping[str, object]:
    """Return the first two of each year, and the reigns: runs of years with the same first."""
    likely = (one for one in answers.rank_probabilities.values() if one.first >= LEAST_OTHER)
    candidates = gather((one.year, one) for one in likely)
    rankings = [ranked for year in sorted(ratings.years) if (ranked := ratings.ranked(year))]
    firsts = [ranking[0] for ranking in rankings]
    before = [None, *(first.player for first in firsts)][: len(firsts)]
    rows = tuple(
        NumberOneRow(
            ranked=len(ranking),
            first=ranking[0],
            second=ranking[1] if len(ranking) > 1 else None,
            is_new=ranking[0].player != previous,
            chance=answers.rank_probabilities.get((ranking[0].player, ranking[0].year)),
            others=_others(ranking[0], candidates.get(ranking[0].year, ())),
        )
        for ranking, previous in zip(rankings, before, strict=True)
    )
    named = {one.player for row in rows for one in (row.first, row.second, *row.others) if one}
    return {
        "reigns": list(_reigns(firsts)),
        "rows": rows,
        "plot": ridgeline(answers.rank_probabilities.values(), dataset),
        "names": shown_names(named, dataset),
        "unranked": [year for year in sorted(ratings.years) if not ratings.ranked(year)],
    }


def _reigns(firsts: Sequence[PlayerYear]) -> Iterator[tuple[str, int, int]]:
    """Yield the runs of years with the same number one: the player, the first and the last year."""
    for player, run in groupby(firsts, lambda first: first.player):
        years = [first.year for first in run]
        yield player, years[0], years[-1]


def _others(
    first: PlayerYear, candidates: Sequence[RankProbabilities]
) -> tuple[RankProbabilities, ...]:
    others = (one for one in candidates if one.player != first.player)
    return tuple(sorted(others, key=lambda one: (-one.first, one.player)))


def suspects_view(dataset: Dataset, ratings: Ratings, answers: Answers) -> Mapping[str, object]:
    """Return the results that the ratings without their event did not expect.

    `rated` are those whose player is rated in that year, so that there is a row to link to.
    """
    found = answers.outliers
    years = {(one.player, one.year) for one in found}
    return {
        "suspects": found[: long_lists.MOST],
        "all": len(found),
        "rated": sorted(year for year in years if ratings.of(*year) is not None),
        "players": shown_names((one.player for one in found), dataset),
        "events": {one.event: dataset.events[one.event].name for one in found},
    }


def bridges_view(dataset: Dataset, answers: Answers) -> Mapping[str, object]:
    """Return the events without which players would have no rating, the largest groups first."""
    events = {one.event: dataset.events[one.event] for one in answers.bridges}
    found = sorted(
        answers.bridges, key=lambda one: (-len(one.players), events[one.event].year, one.event)
    )
    single = [one for one in found if len(one.players) == 1]
    return {
        "groups": [one for one in found if len(one.players) > 1],
        "single": single[: long_lists.MOST],
        "all": len(single),
        "players": shown_names((player for one in found for player in one.players), dataset),
        "events": {id_: event.name for id_, event in events.items()},
        "years": {id_: event.year for id_, event in events.items()},
    }
