"""Lookup tables that several kinds of pages share, built once for the whole site."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

import numpy as np

from edo.core import formats
from edo.core.model import Dataset, Event, Player
from edo.core.scale import Bools
from edo.rating.edo import NOBODY, Ratings
from edo.rating.games import Pairing
from edo.rating.inference.answers import Answers, Bridge, Influence
from edo.rating.meetings import Meeting, Meetings, PlayerResult, meetings
from edo.site import urls
from edo.site.input import SiteInput
from edo.site.links import MANY, games_of_pairs
from edo.site.pages.standings import Standing, standings
from edo.systems.all_ratings import AllRatings

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Index:
    """Who played where, built once; events are in the order in which they were played.

    `pairings_of` holds the weighted pairings that entered the fit, by event and player, each seen
    as it was rated: the player may be either side; `rated_years` are those for which they count.
    `meetings` are by event, player and opponent.
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
    meetings: Mapping[str, Meetings]
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
            meetings={e.id: meetings(e, dataset.odds) for e in events},
            identities_of=gather(
                (p.offhand_of, p) for p in dataset.players.values() if p.offhand_of is not None
            ),
            games_of_pair=games_of_pairs(events),
        )

    def have_met(self, one: str, other: str, event: Event) -> bool:
        """Whether a result of two players is known in an event."""
        meeting = self.meetings[event.id].get(one, {}).get(other)
        return meeting is not None and bool(meeting.results)

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
        index, by_event = lookups_of_events(dataset, ratings)
        answers = answers or Answers()
        bridges = gather((player, one) for one in answers.bridges for player in one.players)
        names = _short_names(dataset.players.values())
        systems = systems or AllRatings()
        return cls(
            *(dataset, ratings, index, by_event, answers),
            _changes(dataset, answers),
            *(bridges, names),
            system_scripts={p: urls.system_ratings(p) for p in _rated_by_any(systems)},
            ranked=_ranked(ratings, systems),
            ranked_in={year: len(ratings.ranked(year)) for year in ratings.years},
            second=second,
        )

    def meetings_of(self, event: Event, player: str) -> Sequence[Meeting]:
        """Return the player's meetings in an event.

        Where scores are deduced, in the order of the event's players; else as they are in the file.
        """
        found = list(self.index.meetings[event.id].get(player, {}).values())
        if any(meeting.deduced is not None for meeting in found):
            found.sort(key=lambda meeting: event.players.index(meeting.opponent))
        return found

    def results_of(self, event: Event, player: str) -> list[PlayerResult]:
        """Return the results of the event in which the player took part, in the file's order."""
        met = self.index.meetings[event.id].get(player, {}).values()
        results = [result for meeting in met for result in meeting.results]
        return sorted(results, key=lambda result: result.place)

    def head_to_heads(self, player: str) -> Mapping[str, tuple[Meeting, ...]]:
        """Return the meetings of a player with each opponent, in order of time.

        Scores deduced from totals count only between players who are rated.
        """
        found: defaultdict[str, list[Meeting]] = defaultdict(list)
        unrated = self.ratings.unrated
        for event in self.index.events_of_player.get(player, ()):
            for opponent, meeting in self.index.meetings[event.id].get(player, {}).items():
                if player not in unrated and opponent not in unrated:
                    found[opponent].append(meeting)
                elif meeting.results:
                    found[opponent].append(replace(meeting, deduced=None))
        return {opponent: tuple(met) for opponent, met in found.items()}


@lru_cache(maxsize=1)
def lookups_of(site: SiteInput) -> Lookups:
    """Return the lookups of the site, made once for all kinds of pages that need them."""
    return Lookups.of(site.dataset, site.ratings, site.answers, site.systems, site.second)


@lru_cache(maxsize=1)
def lookups_of_events(
    dataset: Dataset, ratings: Ratings
) -> tuple[Index, Mapping[str, Mapping[str, Standing]]]:
    """Return what of the lookups follows from events and ratings: `index` and `standings`."""
    index = Index.of(dataset, ratings)
    return index, _Standings(dataset.events, index.pairings_of_event, ratings)


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
