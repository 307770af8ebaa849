"""The numbers that the texts in `content/` name by placeholders, computed for this build."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from math import isnan, sqrt
from statistics import NormalDist, median
from typing import NamedTuple, TypedDict

import numpy as np

from edo.core import formats
from edo.core.model import Dataset, Event, OddsKind, Result
from edo.core.scale import ELO_PER_NAT, Floats, Ints, expected_score
from edo.history.project import is_of_program
from edo.history.settings import DEFAULT, Settings
from edo.history.unknown_games import is_totals_only
from edo.rating import network
from edo.rating.coverage import (
    SELECTED,
    coverage,
    event_unrated,
    games_on_record,
    main_player,
    unrated_reason,
)
from edo.rating.edo import Ratings, adjust, levels, whole_share
from edo.rating.evidence import CAREER_BREAK, carried
from edo.rating.games import Games, games_of
from edo.rating.inference import across, answers, outliers, posterior
from edo.rating.performance import expected_total, performance
from edo.site.input import SiteInput
from edo.site.legend import MARKS, Meaning
from edo.systems.all_ratings import REFERENCE, AllRatings, SystemRatings

APART = 50  # [years]: the first and the last multiple of it are compared
THIN = 5  # a year in which at most so many players are rated has a thin record


class OddsRow(NamedTuple):
    """A kind of odds, the giver's expected share of the points and the games at these odds.

    `share` is None where the worth of the odds is not known.
    """

    kind: OddsKind
    share: float | None
    games: int


class Adjustment(NamedTuple):
    """An example of the adjustment; all numbers in Elo points."""

    raw: float
    deviation: float
    rating: float
    adjusted_deviation: float


class Level(NamedTuple):
    """The ranked players of a year: the means [Elo] of the first ones, and the first ten by name.

    `rise` [Elo] is that of the mean of the first ten since the row before; `error` [Elo] the
    standard error of the difference between the level of this year and that of the last row; None
    where they are not known.
    """

    year: int
    rated: int
    top5: float | None
    top10: float
    top20: float | None
    share_below: float
    rise: float | None
    error: float | None
    first_ten: str


class Drift(NamedTuple):
    """Two years far apart: the means of their first ten, and the difference [Elo].

    `error` [Elo] is the standard error of the difference between the levels of the two; `years` is
    how many lie between, which is also by how many points a rise of one point a year would move it.
    """

    early: int
    late: int
    early_top10: float
    late_top10: float
    rise: float
    error: float
    years: int


# The types of values that have parts: `check` finds other parts in texts (`edo.site.placeholders`).


class Words(TypedDict):
    """What every text may name: the game, its colours, and the settings of the method.

    `led_by_edo` says whether the site leads with Edo; `edwards` which of the settings have Edwards'
    values, and whether `all` have; `scale` is what sets the scale, as a part of a sentence;
    `can_draw` says whether a game can be drawn, `has_program` whether the project is the folder of
    the program.
    """

    game: str
    game_title: str
    is_chess: bool
    can_draw: bool
    has_program: bool
    first_colour: str
    second_colour: str
    led_by_edo: bool
    settings: Settings
    scale: str
    edwards: Mapping[str, bool]
    self_points: tuple[float, float]
    link_deviation: float


class Deviations(TypedDict):
    """The least and the greatest deviation [Elo]."""

    least: float
    greatest: float


class ContentValues(Words):
    """What the texts on home page, method and record may name, besides numbers."""

    deviations: Deviations
    reasons: Sequence[tuple[str, int]]
    levels: Sequence[Level]
    drift: Drift | None
    expected: Mapping[int, float]
    adjustments: Sequence[Adjustment]
    odds: Sequence[OddsRow]
    marks: Sequence[Meaning]


@lru_cache(maxsize=1)
def content_values(site: SiteInput) -> Mapping[str, object]:
    """Return what the texts may name: `ContentValues`, and numbers."""
    dataset, ratings, settings = site.dataset, site.ratings, site.ratings.settings
    return {
        **words_of(site),
        **_of_events(dataset, ratings),
        **_of_results(dataset),
        **_of_ratings(ratings),
        **_of_levels(site),
        **_examples(settings),
        "plausible": outliers.PLAUSIBLE_DEVIATIONS,
        "namesake_games": outliers.MIN_NAMESAKE_GAMES,
        "short_match": outliers.SHORT_MATCH_GAMES,
        "much_weaker": outliers.MUCH_WEAKER_SCORE,
        "flat_peak_share": answers.SURE,
        "flat_peak_years": answers.LONG,
        "surprising": answers.MIN_SURPRISE,
        "one_in": round(0.5 / NormalDist().cdf(-answers.MIN_SURPRISE)),
        "n_draws": posterior.DRAWS,
        "n_drawn_for": posterior.MANY,
        "n_everybody": posterior.EVERYBODY,
        "fewest_ranked": posterior.FEWEST,
        "career_break": CAREER_BREAK,
        "n_common": across.LEADING,
        # The standard error of a share is greatest at one half.
        "draws_error": 100 * 0.5 / sqrt(posterior.DRAWS),
        "n_players": len(dataset.players),
        "odds": _odds(dataset),
        "marks": MARKS,
    }


def words_of(site: SiteInput) -> Words:
    """Return what every text may name."""
    settings, config = site.ratings.settings, site.config
    names = (f.name for f in fields(Settings) if not f.name.startswith(("anchor_", "system")))
    edwards = {name: getattr(settings, name) == getattr(DEFAULT, name) for name in names}
    games, share = settings.self_games, settings.self_score
    return {
        "game": config.game,
        "game_title": config.game_title,
        "is_chess": config.is_chess,
        "can_draw": config.draws,
        "has_program": site.project is not None and is_of_program(site.project),
        "first_colour": config.colours[0],
        "second_colour": config.colours[1],
        "led_by_edo": settings.system == REFERENCE,
        "settings": settings,
        "scale": _scale(site.dataset, settings),
        "edwards": {**edwards, "all": all(edwards.values())},
        "self_points": (games * share, games * (1 - share)),
        "link_deviation": step_for(games, settings),
    }


def _scale(dataset: Dataset, settings: Settings) -> str:
    if settings.anchor_player is not None:
        player = dataset.players.get(settings.anchor_player)
        family, _, given = (player.name if player else settings.anchor_player).partition(", ")
        return f"the fitted rating of {given} {family} in {settings.anchor_year}".replace("  ", " ")
    if settings.anchor_first is None:
        return "the mean of all fitted ratings"
    years = "each year" if settings.anchor_year is None else f"{settings.anchor_year}"
    return f"the mean fitted rating of the first {settings.anchor_first} of {years}"


def _of_events(dataset: Dataset, ratings: Ratings) -> dict[str, float]:
    events = dataset.events.values()
    in_fit = {pairing.event for pairing in ratings.pairings}
    kinds = Counter(event.kind for event in events)
    states = Counter(event.completeness for event in events)
    known = Counter(coverage(event, dataset.odds) for event in events)
    return {
        "n_events": len(events),
        "n_rated_events": len(in_fit),
        "n_tournaments": kinds["tournament"],
        "n_matches": kinds["match"],
        "n_team_matches": kinds["team match"],
        "n_complete": states["complete"],
        "n_incomplete": states["incomplete"],
        "n_unverified": states["unverified"],
        "n_totals_only": sum(map(is_totals_only, events)),
        "n_by_cells": known["whole by cells"],
        "n_by_totals": known["whole by totals"],
        "n_in_part": known["part"],
        "n_events_unrated": sum(event_unrated(event) is not None for event in events),
        "n_events_without": sum(event_unrated(e) is None and e.id not in in_fit for e in events),
        "n_one_player": sum(main_player(event) is not None for event in events),
        "n_selected": sum(event_unrated(event) == SELECTED for event in events),
        **_of_games_on_record(events),
    }


def _of_games_on_record(events: Iterable[Event]) -> dict[str, float]:
    found = [games_on_record(event) for event in events]
    return {
        "n_on_record": sum(one.known for one in found),
        "n_from_totals": sum(one.by_totals for one in found),
        "n_estimated": sum(one.estimated for one in found),
        "n_missing": sum(one.missing or 0.0 for one in found),
        "n_open_events": sum(one.missing is None for one in found),
    }


def _of_results(dataset: Dataset) -> dict[str, float]:
    results = [result for event in dataset.events.values() for result in event.results]
    return {
        "n_games": _games(results),
        "n_soft": sum(result.soft is not None for result in results),
        "n_defaults": _games(result for result in results if result.default is not None),
        "n_odds_games": _games(result for result in results if result.odds is not None),
        "n_excluded": _games(
            result
            for result in results
            if result.default is None and unrated_reason(result, dataset.odds) is not None
        ),
    }


def _of_ratings(ratings: Ratings) -> dict[str, object]:
    years = [year for years in ratings.players.values() for year in years]
    # `check` asks for the names of a history without ratings too.
    deviations = [year.deviation for year in years if not year.is_gap] or [0.0]
    counts = {year: len(rated) for year, rated in ratings.years.items()} or {0: 0}
    well_covered = [year for year, rated in counts.items() if rated > THIN]
    return {
        "whole_share": whole_share(years),
        "n_rated": len(ratings.players),
        "n_unrated": len(ratings.unrated),
        "n_rated_games": sum(pairing.games for pairing in ratings.pairings),
        "n_player_years": len(years),
        "n_ranked_years": sum(year.rank is not None for year in years),
        "n_ranked_players": sum(
            any(year.rank is not None for year in own) for own in ratings.players.values()
        ),
        "n_gap_years": sum(year.is_gap for year in years),
        "first_year": min(counts),
        "last_year": max(counts),
        "thin": THIN,
        "thin_until": min(well_covered, default=max(counts) + 1) - 1,
        "deviations": {"least": min(deviations), "greatest": max(deviations)},
        "median_deviation": median(deviations),
        "reasons": Counter(ratings.unrated.values()).most_common(),
    }


def _of_levels(site: SiteInput) -> dict[str, object]:
    """Return the level of every tenth year with ten ranked players, and of two far apart."""
    ratings, common, names = site.ratings, site.answers.common, site.index.short_names
    means = {one.year: one for one in levels(ratings) if one.year % 10 == 0}
    rows: list[Level] = []
    for year, mean in means.items():
        if mean.top10 is None:
            continue
        first = ratings.ranked(year)[:10]
        last = max(means)
        error = None if common is None or year == last else common.deviation(year, last)
        rows.append(
            Level(
                *(year, mean.rated, mean.top5, mean.top10, mean.top20, mean.share_below),
                rise=mean.top10 - rows[-1].top10 if rows else None,
                error=error,
                first_ten=", ".join(f"{names[p.player]} {formats.rating(p.rating)}" for p in first),
            )
        )
    apart = [row for row in rows if row.year % APART == 0]
    drift = None
    if common is not None and len(apart) > 1:
        early, late = apart[0], apart[-1]
        drift = Drift(
            *(early.year, late.year, early.top10, late.top10, late.top10 - early.top10),
            error=common.deviation(early.year, late.year),
            years=late.year - early.year,
        )
    return {"levels": rows, "drift": drift}


def _examples(settings: Settings) -> dict[str, object]:
    opponents, games = (2400.0, 2600.0), (4.0, 2.0)
    raw, deviation = np.array([[2599.0, 2628.0, 2813.0], [91.0, 293.0, 283.0]])
    rows = np.stack([raw, deviation, *adjust(raw, deviation, settings)], axis=1)
    return {
        "expected": {lead: expected_score(float(lead)) for lead in (100, 200, 400)},
        "link_deviation_39": step_for(settings.self_games, settings) * sqrt(39.0),
        "carried_on": dict(enumerate(carried_on(10.0, 10, settings))),
        "example_expected": expected_total(2500.0, opponents, games),
        "example_performance": performance(4.0, opponents, games),
        "adjustments": [Adjustment(*row) for row in rows.tolist()],
    }


def carried_on(games: float, years: int, settings: Settings) -> list[float]:
    """Return what some games are worth in their year and in each of so many years after it."""
    of_year = np.array([games, *[0.0] * years])
    worth = carried(of_year, np.array([0, len(of_year)]), settings.self_games)
    return [float(games) for games in worth]


def step_for(self_games: float, settings: Settings) -> float:
    """Return the standard deviation [Elo] of a year's change that so many self-games stand for."""
    # Two equals give the information 1/4 per game about the difference of their log-odds.
    return ELO_PER_NAT * sqrt(settings.variance_factor * 4.0 / self_games)


def _odds(dataset: Dataset) -> list[OddsRow]:
    played: Counter[str] = Counter()
    for event in dataset.events.values():
        for result in event.results:
            if result.odds is not None:
                played[result.odds.kind] += round(result.games)
    kinds = sorted(
        dataset.odds.values(), key=lambda kind: (kind.points is None, kind.points or 0.0, kind.id)
    )
    return [
        OddsRow(kind, None if kind.points is None else expected_score(kind.points), played[kind.id])
        for kind in kinds
    ]


def _games(results: Iterable[Result]) -> float:
    return sum(result.games for result in results)


# The texts on the systems

ERAS = (1850, 1880, 1900, 1920, 1945, 1970, 1995)
"""The years in which a new row of the share of draws begins."""


class Era(NamedTuple):
    """The share of draws among the games of some years, of which the draws are known."""

    first: int
    last: int
    draw_share: float


class PlayerRatings(dict[str, Mapping[int, float | None]]):
    """Ratings [Elo] by player and year; None for a player or a year without one."""

    def __init__(self, systems: AllRatings, values: Floats) -> None:
        super().__init__()
        self._systems, self._values = systems, values

    def __missing__(self, player: str) -> Mapping[int, float | None]:
        """Return the ratings of a player by year."""
        at = self._systems.years_of(player)
        years, values = self._systems.player_years.year[at].tolist(), self._values[at].tolist()
        known = {year: value for year, value in zip(years, values, strict=True) if not isnan(value)}
        self[player] = _OrNone(known)
        return self[player]


class _OrNone(dict[int, float | None]):
    """None for each missing key: texts test for it."""

    def __missing__(self, _: int) -> None:
        return None


class HistoryValues(TypedDict):
    """Facts about the rated games that several texts name."""

    n_players: int
    n_even_players: int
    last_year: int | None
    median_games: float
    n_one_year: int
    under: Mapping[int, float]
    share_year_only: float
    draw_share: float
    eras: Sequence[Era]
    n_lost_all: int
    n_won_all: int
    n_edo_unrated: int


class SystemHere(TypedDict):
    """How the ratings of a system compare with Edo's on the site."""

    n_players: int
    n_unrated: int
    n_without_edo: int
    spread: float
    edo_spread: float
    n_same_leader: int
    n_years: int
    ratings: Mapping[str, Mapping[int, float | None]]
    edo: Mapping[str, Mapping[int, float | None]]


class SystemValues(Words):
    """What the text on one system names; `here` is None if the system rated nothing."""

    history: HistoryValues
    here: SystemHere | None


def system_values(site: SiteInput, column: SystemRatings | None) -> SystemValues:
    """Return what the text on one system names."""
    reference = site.systems.column(REFERENCE)
    here = None if column is None or reference is None else _here(site.systems, column, reference)
    return {**words_of(site), "history": history_values(site), "here": here}


def _here(
    systems: AllRatings, column: SystemRatings, reference: SystemRatings
) -> SystemHere | None:
    """Return how the ratings of a system compare with Edo's; None if no rating can be compared."""
    both = systems.played & column.rated & reference.rated
    if not both.any():
        return None
    firsts, edo_firsts = _firsts(systems, column), _firsts(systems, reference)
    years = firsts.keys() & edo_firsts.keys()
    rated = set(systems.player_years.player[column.rated].tolist())
    edo_rated = set(systems.player_years.player[reference.rated].tolist())
    return {
        "n_players": len(rated),
        "n_unrated": len(systems.players) - len(rated),
        "n_without_edo": len(rated - edo_rated),
        "spread": float(np.std(column.rating[both])),
        "edo_spread": float(np.std(reference.rating[both])),
        "n_same_leader": sum(firsts[year] == edo_firsts[year] for year in years),
        "n_years": len(years),
        "ratings": PlayerRatings(systems, column.rating),
        "edo": PlayerRatings(systems, reference.rating),
    }


def _firsts(systems: AllRatings, column: SystemRatings) -> dict[int, int]:
    """Return the leading player of each year, by number, among those with games in it."""
    at = np.flatnonzero(systems.played & column.rated)
    at = at[np.argsort(column.rating[at], kind="stable")]
    return dict(
        zip(
            systems.player_years.year[at].tolist(),
            systems.player_years.player[at].tolist(),
            strict=True,
        )
    )


@lru_cache(maxsize=1)
def history_values(site: SiteInput) -> HistoryValues:
    """Return facts about the rated games that several texts name."""
    games = site.systems.games or games_of(site.dataset)
    even = games.without_odds()
    played = _games_by_player(games)
    per_player = played[played > 0]
    years = _years_by_player(even)
    reasons = [site.ratings.unrated.get(player) for player in games.players]
    known = even.where(even.played)
    drawn, of = known.draws.sum(), known.count.sum()
    return {
        "n_players": len(games.players),
        "n_even_players": int((_games_by_player(even) > 0).sum()),
        "last_year": int(games.year.max()) if games.year.size else None,
        "median_games": float(np.median(per_player)) if per_player.size else 0.0,
        "n_one_year": int((years == 1).sum()),
        "under": {
            limit: float((per_player < limit).mean()) if per_player.size else 0.0
            for limit in (4, 20, 30)
        },
        "share_year_only": _share_year_only(site.dataset),
        "draw_share": float(drawn / of) if of else 0.0,
        "eras": list(_eras(known)),
        "n_lost_all": reasons.count(network.LOST_ALL),
        "n_won_all": reasons.count(network.WON_ALL),
        "n_edo_unrated": sum(reason is not None for reason in reasons),
    }


def _games_by_player(games: Games) -> Floats:
    n = len(games.players)
    counts = np.bincount(games.first, games.count, n) + np.bincount(games.second, games.count, n)
    return counts.astype(np.float64)


def _years_by_player(games: Games) -> Ints:
    """Return in how many years each player has games."""
    sides = np.concatenate([games.first, games.second])
    pairs = np.unique(np.stack([sides, np.tile(games.year, 2)]), axis=1)
    counts: Ints = np.bincount(pairs[0], minlength=len(games.players))
    return counts


def _share_year_only(dataset: Dataset) -> float:
    """Return the share of the games whose event is dated by the year only."""
    total = undated = 0.0
    for event in dataset.events.values():
        games = sum(result.games for result in event.results)
        total += games
        undated += games * (event.dates is None or event.dates.end.month is None)
    return undated / total if total else 0.0


def _eras(known: Games) -> Iterator[Era]:
    """Yield the share of draws in each era; games at even play whose draws are known."""
    for era in np.unique(np.searchsorted(ERAS, known.year, side="right")).tolist():
        inside = np.searchsorted(ERAS, known.year, side="right") == era
        years = known.year[inside]
        share = known.draws[inside].sum() / known.count[inside].sum()
        yield Era(int(years.min()), int(years.max()), float(share))
