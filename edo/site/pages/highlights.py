"""Outstanding results: performances, wins of the weaker side, runs without a loss, by strength."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import fsum

from edo.core.model import Event
from edo.core.scale import expected_score
from edo.rating.edo import PlayerYear
from edo.rating.meetings import PlayerResult, rated_score
from edo.rating.performance import category
from edo.rating.standings import Standing
from edo.site.input import SiteInput

LEAST_GAMES = 6  # [games] with fewer, a performance has a standard error of 140 points or more
LEAST_FIELD = 4  # [players] fewer are no field
LEAST_RATED = 0.75  # the share of a field that has to be rated, or the mean is that of the strong
BAND = 100  # [Elo] the width of a band of opponents
BANDS = (1800, 2600)  # [Elo] where the lowest and the highest begin, of which each is open


@dataclass(frozen=True, slots=True)
class Field:
    """The mean rating [Elo] of the `rated` players of an event, and its category, if it has one."""

    mean: float
    rated: int
    category: int | None


def field_of(event: Event, years: Iterable[PlayerYear]) -> Field | None:
    """Return the strength of an all-play-all by its players' ratings of the year, if most have."""
    ratings = [year.rating for year in years]
    is_open = event.kind != "tournament" or bool(event.rounds)
    if is_open or len(ratings) < max(LEAST_FIELD, LEAST_RATED * len(event.players)):
        return None
    mean = fsum(ratings) / len(ratings)  # the same for the same players in any order
    return Field(mean, len(ratings), category(mean))


def best_performances(found: Iterable[tuple[Event, Standing]]) -> list[tuple[Event, Standing]]:
    """Return the performances in enough games, the highest first: by what each is at least."""
    enough = [one for one in found if one[1].rated_games >= LEAST_GAMES and one[1].least]
    return sorted(enough, key=lambda one: (-(one[1].least or 0.0), one[0].id, one[1].player))


@dataclass(frozen=True, slots=True)
class Win:
    """Games of one event that a player `won`, of each of which `expected` [points] is the forecast.

    `own` and `other` are the ratings of the year for which they count, `is_at_odds` whether the
    forecast takes odds into account.
    """

    event: Event
    own: PlayerYear
    other: PlayerYear
    won: float
    expected: float
    is_at_odds: bool


def wins(event: Event, player: str, site: SiteInput) -> Iterator[Win]:
    """Yield the rated games that a player is known to have won, where both players have a rank."""
    for result in site.index.results_of(event, player):
        tally = None if result.left_out is not None else result.tally
        if tally is None or not tally[0]:
            continue
        own = site.ratings.of(player, result.year)
        other = site.ratings.of(result.opponent, result.year)
        if own is None or own.rank is None:
            continue
        if other is not None and other.rank is not None:
            expected = expected_score(own.rating - other.rating + result.odds_points)
            yield Win(event, own, other, tally[0], expected, result.odds is not None)


def upsets(found: Iterable[Win]) -> list[Win]:
    """Return the wins, those of one event together, the least expected first."""
    together: dict[tuple[str, str, str, float], Win] = {}
    for one in found:
        key = (one.event.id, one.own.player, one.other.player, one.expected)
        before = together.get(key)
        together[key] = one if before is None else replace(one, won=before.won + one.won)
    return sorted(together.values(), key=lambda one: (one.expected, one.event.id, one.own.player))


@dataclass(frozen=True, slots=True)
class Run:
    """Events in a row in which no known game was lost, with the `games` [games] won and drawn."""

    events: tuple[Event, ...]
    won: float
    drawn: float

    @property
    def games(self) -> float:
        """Return how many games there are."""
        return self.won + self.drawn


def longest_unbeaten(player: str, site: SiteInput) -> Run | None:
    """Return the longest run of whole events without a loss, None where there is none.

    The order of the games within most events is not known, so that what was played before a loss or
    after it in the same event counts for nothing. Games that are not rated are passed over; an
    event with a score that may hide a loss ends the run.
    """
    best, run = Run((), 0.0, 0.0), Run((), 0.0, 0.0)
    for event in site.index.events_of_player.get(player, ()):
        meetings = site.index.meetings_of(event, player)
        results = [result for meeting in meetings for result in meeting.results]
        counted = [result for result in results if result.left_out is None]
        tallies = [result.tally for result in counted]
        is_unknown = (event.id, player) in site.index.pairings_of and not counted
        is_deduced = any(meeting.deduced is not None for meeting in meetings)
        if is_unknown or is_deduced or None in tallies:
            run = Run((), 0.0, 0.0)
            continue
        won, drawn, lost = (sum(t[k] for t in tallies if t is not None) for k in range(3))
        if lost:
            run = Run((), 0.0, 0.0)
        elif counted:
            run = Run((*run.events, event), run.won + won, run.drawn + drawn)
        best = max(best, run, key=lambda one: one.games)
    return best if best.events else None


@dataclass(frozen=True, slots=True)
class Band:
    """The rated games against opponents rated from `low` to below `high` [Elo], None where open.

    The `score` is by so much `more` than `expected` [points].
    """

    low: int | None
    high: int | None
    score: float
    games: float
    expected: float
    more: float


def by_strength(player: str, site: SiteInput) -> list[Band]:
    """Return the rated score by the opponents' ratings of the year, the strongest first.

    Scores that only follow from totals are left out: of single opponents they say little.
    """
    lowest, highest = BANDS
    bands: defaultdict[int, list[PlayerResult]] = defaultdict(list)
    for event in site.index.events_of_player.get(player, ()):
        for result in site.index.results_of(event, player):
            rival = site.ratings.of(result.opponent, result.year)
            if rival is not None:
                rating = int(rival.rating // BAND) * BAND
                bands[min(max(rating, lowest - BAND), highest)].append(result)
    scores = {low: rated_score(results, site.ratings) for low, results in bands.items()}
    return [
        Band(
            None if low < lowest else low,
            None if low == highest else low + BAND,
            score.points,
            score.games,
            round(score.expected, 9),
            round(score.points - score.expected, 9),
        )
        for low, score in sorted(scores.items(), reverse=True)
        if score is not None
    ]


@dataclass(frozen=True, slots=True)
class Basis:
    """What the ratings of a player rest on: rated games [games], events and opponents."""

    games: float
    events: int
    opponents: int


def basis(player: str, site: SiteInput) -> Basis:
    """Return how much of a player entered the fit."""
    events = [event.id for event in site.index.events_of_player.get(player, ())]
    found = [one for event in events for one in site.index.pairings_of.get((event, player), ())]
    return Basis(
        round(sum(one.games for one in found), 9),
        len({one.event for one in found}),
        len({side.player for one in found for side in (one.first, one.second)} - {player}),
    )


def is_at_odds(event: Event, player: str, site: SiteInput) -> bool:
    """Whether rated games of a player in an event were at odds: no measure of what he could do."""
    pairings = site.index.pairings_of.get((event.id, player), ())
    return any(one.first.odds or one.second.odds for one in pairings)


def highlights_of_player(player: str, site: SiteInput) -> Mapping[str, object]:
    """Return what the page of a rated player says of the results behind the ratings."""
    events = site.index.events_of_player.get(player, ())
    standings = (
        (event, site.index.standings_of(event.id)[player])
        for event in events
        if all(seen.result.soft is None for seen in site.index.results_of(event, player))
        and not is_at_odds(event, player, site)
    )
    every = (win for event in events for win in wins(event, player, site))
    found = upsets(every)[:SHOWN_OF_PLAYER]
    run = longest_unbeaten(player, site)
    return {
        "basis": basis(player, site),
        "performances": best_performances(standings)[:SHOWN_OF_PLAYER],
        "wins": found,
        "unbeaten": run if run is not None and run.games >= LEAST_GAMES else None,
        "strength": by_strength(player, site),
        "least_games": LEAST_GAMES,
    }


SHOWN_OF_PLAYER, SHOWN_OF_EVENT = 5, 3


def highlights_of_event(event: Event, site: SiteInput) -> Mapping[str, object]:
    """Return the best performances of an event and the wins against the favourite."""
    found = [win for player in event.players for win in wins(event, player, site)]
    performances = best_performances(
        (event, one)
        for one in site.index.standings_of(event.id).values()
        if not is_at_odds(event, one.player, site)
    )
    return {
        "performances": [one for _, one in performances[:SHOWN_OF_EVENT]],
        "upsets": [one for one in upsets(found) if one.expected < 0.5][:SHOWN_OF_EVENT],
        "least_games": LEAST_GAMES,
    }
