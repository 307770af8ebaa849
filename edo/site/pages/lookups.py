"""Lookup tables that several kinds of pages share, built once for the whole site."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from edo.core import formats
from edo.core.model import Dataset, Event, Player, Result
from edo.core.scale import Bools
from edo.rating.edo import NOBODY, Ratings
from edo.rating.games import Pairing
from edo.rating.inference.answers import Answers, Bridge, Influence
from edo.site import urls
from edo.site.input import SiteInput
from edo.site.pages.crosstable import Deduced, Encounter, deduced, encounters
from edo.site.pages.standings import Standing, standings
from edo.systems.all_ratings import AllRatings

K = TypeVar("K")
V = TypeVar("V")

MANY = 10  # [games] two players who met as often have a page of their games


@dataclass(frozen=True, slots=True)
class Index:
    """Who played where, built once; events are in the order in which they were played.

    `pairings_of` holds the weighted pairings that entered the fit, by event and player, each seen
    as it was rated: the player may be either side; `rated_years` are those for which they count.
    `results_of` holds the results in which a player took part, by event and player.
    `events_counting_in` a year are its own and those of later years some results of which count for
    it. `identities_of` leads from a person to the separate offhand identities. `games_of_pair`
    counts the games [games] of two players, by their sorted ids, without those decided by default.
    """

    events_of_player: Mapping[str, tuple[Event, ...]]
    events_of_year: Mapping[int, tuple[Event, ...]]
    events_counting_in: Mapping[int, tuple[Event, ...]]
    pairings_of_event: Mapping[str, tuple[Pairing, ...]]
    pairings_of: Mapping[tuple[str, str], tuple[Pairing, ...]]
    rated_years: Mapping[tuple[str, str], tuple[int, ...]]
    results_of: Mapping[tuple[str, str], tuple[Result, ...]]
    identities_of: Mapping[str, tuple[Player, ...]]
    games_of_pair: Mapping[tuple[str, str], float]

    @classmethod
    def of(cls, dataset: Dataset, ratings: Ratings) -> Index:
        """Return the index of a dataset and the ratings made from it."""
        events = sorted(dataset.events.values(), key=chronological)
        pairings = ratings.pairings
        sides = (((p.event, side.player), p) for p in pairings for side in (p.first, p.second))
        pairings_of = gather(sides)
        return cls(
            events_of_player=gather((p, e) for e in events for p in e.players),
            events_of_year=gather((e.year, e) for e in events),
            events_counting_in=gather((year, e) for e in events for year in _years(e)),
            pairings_of_event=gather((p.event, p) for p in pairings),
            pairings_of=pairings_of,
            rated_years={at: tuple(sorted({p.year for p in of})) for at, of in pairings_of.items()},
            results_of=gather(
                ((e.id, player), result)
                for e in events
                for result in e.results
                for player in (result.first, result.second)
            ),
            identities_of=gather(
                (p.offhand_of, p) for p in dataset.players.values() if p.offhand_of is not None
            ),
            games_of_pair=games_of_pairs(events),
        )

    def games_of(self, one: str, other: str) -> float:
        """Return how often two players met [games]."""
        return self.games_of_pair.get(_sorted(one, other), 0.0)

    def often(self) -> list[tuple[str, str]]:
        """Return the two players of each pair that has a page of its games, by their sorted ids."""
        return sorted(pair for pair, games in self.games_of_pair.items() if games >= MANY)

    def page_of_pair(self, one: str, other: str) -> str | None:
        """Return the path of the page of two players' games, None where they met too rarely."""
        return urls.pair(one, other) if self.games_of(one, other) >= MANY else None

    def years_of(self, event: Event, player: str) -> tuple[int, ...]:
        """Return the years for which the player's rated games count; the event's if none are."""
        return self.rated_years.get((event.id, player)) or (event.year,)


def _sorted(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _years(event: Event) -> list[int]:
    return sorted({event.year, *(result.year or event.year for result in event.results)})


def chronological(event: Event) -> tuple[int, int, int, str, int, str]:
    """Return the sort key by year, then by the end as exactly as known, then by id.

    What is known only by its year comes after what is known by the month, but first in the year if
    it began in the year before. Of parts of one event the preliminary comes before the final, and
    that before the play-off.
    """
    month, day = _known_end(event)
    return event.year, month, day, *_part(event.id), event.id


def _known_end(event: Event) -> tuple[int, int]:
    """Return month and day of the end; 0 and 13 stand before and after all that are known."""
    if event.dates is None:
        return 13, 32
    end = event.dates.end
    began_before = event.dates.start.year < event.year
    return end.month or (0 if began_before else 13), end.day or 32


def _part(event_id: str) -> tuple[str, int]:
    """Return the whole of which an id names a part, and where in it the part stands."""
    words = event_id.split("-")
    for place, word in enumerate(words):
        if word in _PARTS:
            return "-".join(words[:place]), _PARTS[word]
    return event_id, 0


_PARTS = {"preliminary": -2, "semifinal": -1, "final": 1, "playoff": 2}


def games_of_pairs(events: Iterable[Event]) -> dict[tuple[str, str], float]:
    """Return how many known games any two played."""
    games: defaultdict[tuple[str, str], float] = defaultdict(float)
    for event in events:
        for result in event.results:
            if result.default is None:
                games[_sorted(result.first, result.second)] += result.games
    return {pair: round(number, 9) for pair, number in games.items()}


def gather(items: Iterable[tuple[K, V]]) -> dict[K, tuple[V, ...]]:
    """Return all values of each key, in the order in which they come."""
    gathered: defaultdict[K, list[V]] = defaultdict(list)
    for key, value in items:
        gathered[key].append(value)
    return {key: tuple(values) for key, values in gathered.items()}


@dataclass(frozen=True, slots=True)
class Lookups:
    """The history and its ratings, with all that is looked up in them by several pages."""

    dataset: Dataset
    ratings: Ratings
    index: Index
    standings: Mapping[str, Mapping[str, Standing]]
    """By event and player, computed when an event is first asked for."""
    deduced: Mapping[str, Mapping[tuple[str, str], Deduced]]
    """By event, then by player and opponent; only events where results are missing."""
    answers: Answers
    changes: Mapping[str, tuple[Influence, ...]]
    """What each event changes in its players' ratings of its year."""
    bridges_of: Mapping[str, tuple[Bridge, ...]]
    """The events without which a player would have no rating."""
    short_names: Mapping[str, str]
    """Surnames, and the whole name of those who share theirs."""
    system_scripts: Mapping[str, str]
    """The paths of the scripts with the ratings under all systems, of players whom any rates."""
    ranked: Bools
    """Which player-years (n_player_years,) of the systems have enough evidence for a rank."""
    ranked_in: Mapping[int, int]
    """How many players have a rank in a year."""
    second: Ratings
    """The ratings by the second system, which the site shows next to the leading one."""

    @classmethod
    def of(
        cls,
        dataset: Dataset,
        ratings: Ratings,
        answers: Answers | None = None,
        systems: AllRatings | None = None,
        second: Ratings = NOBODY,
    ) -> Lookups:
        """Return the lookups of a dataset, the ratings made from it and their posterior answers."""
        index, by_event, parts = lookups_of_events(dataset, ratings)
        answers = answers or Answers()
        bridges = gather((player, one) for one in answers.bridges for player in one.players)
        names = _short_names(dataset.players.values())
        systems = systems or AllRatings()
        return cls(
            *(dataset, ratings, index, by_event, parts, answers),
            _changes(dataset, answers),
            *(bridges, names),
            system_scripts={p: urls.system_ratings(p) for p in _rated_by_any(systems)},
            ranked=_ranked(ratings, systems),
            ranked_in={year: len(ratings.ranked(year)) for year in ratings.years},
            second=second,
        )

    def encounters(self, event: Event, player: str) -> Iterator[Encounter]:
        """Yield the results of the event in which the player took part, from that player's side."""
        return encounters(self.index.results_of.get((event.id, player), ()), player)

    def deduced_of(self, event: Event, player: str) -> dict[str, Deduced]:
        """Return what the player is taken to have made in games without known results.

        By opponent, in the order of the event's players.
        """
        parts = self.deduced.get(event.id, {})
        return {p: parts[player, p] for p in event.players if (player, p) in parts}


@lru_cache(maxsize=1)
def lookups_of(site: SiteInput) -> Lookups:
    """Return the lookups of the site, made once for all kinds of pages that need them."""
    return Lookups.of(site.dataset, site.ratings, site.answers, site.systems, site.second)


@lru_cache(maxsize=1)
def lookups_of_events(dataset: Dataset, ratings: Ratings) -> tuple[Any, ...]:
    """Return what of the lookups follows from events and ratings: `index` to `deduced`."""
    index = Index.of(dataset, ratings)
    by_event = _Standings(dataset.events, index.pairings_of_event, ratings)
    parts = {event.id: deduced(event, dataset.odds) for event in dataset.events.values()}
    parts = {event_id: found for event_id, found in parts.items() if found}
    return index, by_event, parts


class _Standings(Mapping[str, Mapping[str, Standing]]):
    """The standings of each event: a page needs those of few."""

    def __init__(
        self,
        events: Mapping[str, Event],
        pairings: Mapping[str, tuple[Pairing, ...]],
        ratings: Ratings,
    ) -> None:
        self._events, self._pairings, self._ratings = events, pairings, ratings
        self._made: dict[str, Mapping[str, Standing]] = {}

    def __getitem__(self, event: str) -> Mapping[str, Standing]:
        if event not in self._made:
            pairings = self._pairings.get(event, ())
            self._made[event] = standings(self._events[event], pairings, self._ratings)
        return self._made[event]

    def __iter__(self) -> Iterator[str]:
        return iter(self._events)

    def __len__(self) -> int:
        return len(self._events)


def _changes(dataset: Dataset, answers: Answers) -> dict[str, tuple[Influence, ...]]:
    found = (one for of_player in answers.influences.values() for one in of_player)
    of_events = ((dataset.events.get(one.event), one) for one in found)
    return gather(
        (event.id, one)
        for event, one in of_events
        if event is not None and event.year == one.year and one.player in event.players
    )


def _rated_by_any(systems: AllRatings) -> frozenset[str]:
    numbers = {
        number
        for column in systems.columns
        for number in systems.player_years.player[column.rated].tolist()
    }
    return frozenset(systems.players[number] for number in numbers)


def _ranked(ratings: Ratings, systems: AllRatings) -> Bools:
    """Return which player-years (n_player_years,) of the systems have enough evidence for a rank.

    The evidence is the same for all systems: the games and opponents near the year, and the
    standard error of Edo's rating.
    """
    years = zip(
        systems.player_years.player.tolist(), systems.player_years.year.tolist(), strict=True
    )
    found = (ratings.of(systems.players[player], year) for player, year in years)
    return np.array([one is not None and one.rank is not None for one in found], bool)


def shown_names(players: Iterable[str], dataset: Dataset) -> dict[str, str]:
    """Return the shown names of players, by id in alphabetical order."""
    return {player: dataset.players[player].shown_name for player in sorted(set(players))}


def _short_names(players: Iterable[Player]) -> dict[str, str]:
    bearers = gather((_surname(player), player) for player in players)
    return {
        player.id: surname if len(own) == 1 else player.shown_name
        for surname, own in bearers.items()
        for player in own
    }


def _surname(player: Player) -> str:
    return player.name.partition(",")[0]


def shown_rating(ratings: Ratings, player: str, year: int) -> str | None:
    """Return a rating with its deviation in a year, `2763 (31)`; None where there is none."""
    found = ratings.of(player, year)
    return None if found is None else formats.rating_with_deviation(found.rating, found.deviation)
