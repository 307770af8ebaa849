"""What pages look up in a history and its ratings: who played where, against whom, how well."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TypeVar

from edo.core.model import Dataset, Event, Player
from edo.rating.edo import Ratings
from edo.rating.finish import Finish, finish
from edo.rating.games import Pairing
from edo.rating.meetings import Meeting, Meetings, PlayerResult, meetings
from edo.rating.standings import Standing, standings
from edo.site import urls

MANY = 16  # [games] two players who met as often have a page of their games
K = TypeVar("K")
V = TypeVar("V")
RECENT = 1000  # remembered tables of an event: pages of its players ask for them again


class Index:
    """The tables of a dataset and the ratings made from it, each made when first asked for.

    Events are everywhere in the order in which they were played.
    """

    def __init__(self, dataset: Dataset, ratings: Ratings) -> None:
        self.dataset, self.ratings = dataset, ratings
        self._standings: dict[str, Mapping[str, Standing]] = {}
        self._meetings: dict[str, Meetings] = {}
        self._finishes: dict[str, Finish | None] = {}
        # Here and not in a cache of their own, which would keep the tables of former sites alive.
        self._results_of = lru_cache(RECENT)(self._results)

    def is_of(self, dataset: Dataset, ratings: Ratings) -> bool:
        """Whether the tables are those of a dataset and its ratings."""
        return self.dataset is dataset and self.ratings is ratings

    def prepare(self) -> None:
        """Make all tables, which several processes then share."""
        for name, table in vars(Index).items():
            if isinstance(table, cached_property):
                getattr(self, name)
        for event in self._events:
            self.standings_of(event.id)
            self.meetings_in(event)
            self.finish_of(event)

    def player(self, id_: str) -> Player:
        """Return a player; raises KeyError without one, which a template's own look-up does not."""
        return self.dataset.players[id_]

    def event(self, id_: str) -> Event:
        """Return an event; raises KeyError without one, as after an edit in the preview."""
        return self.dataset.events[id_]

    @cached_property
    def _events(self) -> list[Event]:
        return sorted(self.dataset.events.values(), key=chronological)

    @cached_property
    def events_of_player(self) -> Mapping[str, tuple[Event, ...]]:
        """Return the events in which each player took part."""
        return gather((player, event) for event in self._events for player in event.players)

    @cached_property
    def events_of_year(self) -> Mapping[int, tuple[Event, ...]]:
        """Return the events of each year."""
        return gather((event.year, event) for event in self._events)

    @cached_property
    def events_of_place(self) -> Mapping[str | None, tuple[Event, ...]]:
        """Return the events of each place, by its id."""
        return gather((event.place, event) for event in self._events)

    @cached_property
    def events_of_series(self) -> Mapping[str | None, tuple[Event, ...]]:
        """Return the events of each series, by its id."""
        return gather((event.series, event) for event in self._events)

    @cached_property
    def events_counting_in(self) -> Mapping[int, tuple[Event, ...]]:
        """Return each year's own events, and later ones some results of which count for it."""
        return gather((year, event) for event in self._events for year in _years(event))

    @cached_property
    def pairings_of_event(self) -> Mapping[str, tuple[Pairing, ...]]:
        """Return the pairings of each event that entered the fit."""
        return gather((pairing.event, pairing) for pairing in self.ratings.pairings)

    @cached_property
    def pairings_of(self) -> Mapping[tuple[str, str], tuple[Pairing, ...]]:
        """Return the same by event and player, who may be either side."""
        return gather(
            ((pairing.event, side.player), pairing)
            for pairing in self.ratings.pairings
            for side in (pairing.first, pairing.second)
        )

    @cached_property
    def identities_of(self) -> Mapping[str, tuple[Player, ...]]:
        """Return the separate offhand identities of each person that has any."""
        players = self.dataset.players.values()
        return gather((p.offhand_of, p) for p in players if p.offhand_of is not None)

    @cached_property
    def games_of_pair(self) -> Mapping[tuple[str, str], float]:
        """Return how often two players met, by sorted ids, without games decided by default."""
        games: defaultdict[tuple[str, str], float] = defaultdict(float)
        for event in self._events:
            for result in event.results:
                if result.default is None:
                    games[_sorted(result.first, result.second)] += result.games
        return {pair: round(number, 9) for pair, number in games.items()}

    @cached_property
    def short_names(self) -> Mapping[str, str]:
        """Return surnames by id, and the whole name of those who share theirs."""
        bearers = gather((player.surname, player) for player in self.dataset.players.values())
        return {
            player.id: surname if len(own) == 1 else player.shown_name
            for surname, own in bearers.items()
            for player in own
        }

    @cached_property
    def ranked_in(self) -> Mapping[int, int]:
        """Return how many players have a rank in each year."""
        return {year: len(self.ratings.ranked(year)) for year in self.ratings.years}

    def standings_of(self, event_id: str) -> Mapping[str, Standing]:
        """Return the standings of an event by player."""
        if event_id not in self._standings:
            pairings = self.pairings_of_event.get(event_id, ())
            event = self.dataset.events[event_id]
            self._standings[event_id] = standings(event, pairings, self.ratings)
        return self._standings[event_id]

    def finish_of(self, event: Event) -> Finish | None:
        """Return who won an event and where its players finished, None where it is not known."""
        if event.id not in self._finishes:
            self._finishes[event.id] = finish(event, self.dataset.odds)
        return self._finishes[event.id]

    def meetings_in(self, event: Event) -> Meetings:
        """Return the meetings of an event, by player and opponent."""
        if event.id not in self._meetings:
            self._meetings[event.id] = meetings(event, self.dataset.odds)
        return self._meetings[event.id]

    def meetings_of(self, event: Event, player: str) -> Sequence[Meeting]:
        """Return the player's meetings in an event.

        Where scores are deduced, in the order of the event's players; else as they are in the file.
        """
        found = list(self.meetings_in(event).get(player, {}).values())
        if any(meeting.deduced is not None for meeting in found):
            found.sort(key=lambda meeting: event.players.index(meeting.opponent))
        return found

    def results_of(self, event: Event, player: str) -> tuple[PlayerResult, ...]:
        """Return the results of the event in which the player took part, in the file's order."""
        return self._results_of(event.id, player)

    def _results(self, event_id: str, player: str) -> tuple[PlayerResult, ...]:
        met = self.meetings_in(self.dataset.events[event_id]).get(player, {}).values()
        results = [result for meeting in met for result in meeting.results]
        return tuple(sorted(results, key=lambda result: result.place))

    def head_to_heads(self, player: str) -> Mapping[str, tuple[Meeting, ...]]:
        """Return the meetings of a player with each opponent, in order of time.

        Scores deduced from totals count only between players who are rated.
        """
        found: defaultdict[str, list[Meeting]] = defaultdict(list)
        unrated = self.ratings.unrated
        for event in self.events_of_player.get(player, ()):
            for opponent, meeting in self.meetings_in(event).get(player, {}).items():
                if player not in unrated and opponent not in unrated:
                    found[opponent].append(meeting)
                elif meeting.results:
                    found[opponent].append(replace(meeting, deduced=None))
        return {opponent: tuple(met) for opponent, met in found.items()}

    def have_met(self, player: str, opponent: str, event: Event) -> bool:
        """Whether a result of two players is known in an event."""
        meeting = self.meetings_in(event).get(player, {}).get(opponent)
        return meeting is not None and bool(meeting.results)

    def games_of(self, player: str, opponent: str) -> float:
        """Return how often two players met [games]."""
        return self.games_of_pair.get(_sorted(player, opponent), 0.0)

    def often(self) -> list[tuple[str, str]]:
        """Return the two players of each pair that has a page of its games, by their sorted ids."""
        return sorted(pair for pair, games in self.games_of_pair.items() if games >= MANY)

    def page_of_pair(self, player: str, opponent: str) -> str | None:
        """Return the path of the page of two players' games, None where they met too rarely."""
        return urls.pair(player, opponent) if self.games_of(player, opponent) >= MANY else None

    def years_of(self, event: Event, player: str) -> tuple[int, ...]:
        """Return the years for which the player's rated games count; the event's if none are."""
        years = {pairing.year for pairing in self.pairings_of.get((event.id, player), ())}
        return tuple(sorted(years)) or (event.year,)


def _sorted(player: str, opponent: str) -> tuple[str, str]:
    return (player, opponent) if player < opponent else (opponent, player)


def _years(event: Event) -> list[int]:
    return sorted({event.year, *(result.year or event.year for result in event.results)})


def chronological(event: Event) -> tuple[int, int, int, str, int, str]:
    """Return the sort key by year, then by the end as exactly as known, then by id.

    What is known only by its year comes after what is known by the month, but first in the year if
    it began in the year before. Of parts of one event the preliminary comes before the final, and
    that before the play-off; of matches of the same two players that with the lower number.
    """
    month, day = _known_end(event)
    return event.year, month, day, *_part(event), event.id


def _known_end(event: Event) -> tuple[int, int]:
    """Return month and day of the end; 0 and 13 stand before and after all that are known."""
    if event.dates is None:
        return 13, 32
    end = event.dates.end
    began_before = event.dates.start.year < event.year
    if end.year < event.year:  # in the autumn in which its season began
        return (end.month or 1) - 13, end.day or 32
    return end.month or (0 if began_before else 13), end.day or 32


def _part(event: Event) -> tuple[str, int]:
    """Return the whole of which an event is a part, and where in it the part stands.

    The id names the part of a tournament, the name the number of a match: `match 2`, `(2)`.
    """
    words = event.id.split("-")
    for place, word in enumerate(words):
        if word in _PARTS:
            # A play-off comes after whatever its id continues: `x-1962-curacao`, `x-1962-playoff`.
            return "-".join(words[:place]) + "~" * (word == "playoff"), _PARTS[word]
    if event.kind != "match":
        return event.id, 0
    numbered = _NUMBER.search(event.name)
    return "-".join(sorted(event.players)), 0 if numbered is None else int(numbered[1])


_NUMBER = re.compile(r"(?:\bmatch |\()(\d{1,2})\b(?!\d)")
_PARTS = {"preliminary": -2, "semifinal": -1, "final": 1, "playoff": 2}


def gather(items: Iterable[tuple[K, V]]) -> dict[K, tuple[V, ...]]:
    """Return all values of each key, in the order in which they come."""
    gathered: defaultdict[K, list[V]] = defaultdict(list)
    for key, value in items:
        gathered[key].append(value)
    return {key: tuple(values) for key, values in gathered.items()}
