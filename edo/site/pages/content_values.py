"""The dataset and its ratings in, the numbers that our own texts name by placeholders out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, median

import numpy as np

from edo.core import formats
from edo.core.model import Dataset, Result
from edo.core.problems import EdoError
from edo.core.scale import ELO_PER_NAT, expected_score
from edo.core.settings import DEFAULT, Settings
from edo.rating.edo import Ratings, adjust, levels
from edo.rating.inference import answers, outliers, posterior
from edo.rating.pairings import is_totals_only, unrated_reason
from edo.rating.performance import expected_total, performance
from edo.site.input import SiteInput
from edo.site.legend import MARKS


@dataclass(frozen=True, slots=True)
class OddsRow:
    """A kind of odds in the table of odds; `games` counts those known at these odds."""

    name: str
    points: str
    share: str
    games: str


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """Why players have no rating, and how many."""

    words: str
    players: str


@dataclass(frozen=True, slots=True)
class AdjustmentRow:
    """An example of the adjustment."""

    raw: str
    deviation: str
    rating: str
    adjusted_deviation: str


@dataclass(frozen=True, slots=True)
class LevelRow:
    """The level of a year: means of the first 5, 10 and 20, and the share rated below 2200."""

    year: str
    rated: str
    top5: str
    top10: str
    top20: str
    below: str


def text_of(site: SiteInput, slug: str) -> str:
    """Return one of our texts. Raises EdoError where it is not there."""
    if slug not in site.content:
        raise EdoError(f"content/{slug}.md: not there; the page made of it needs it")
    return site.content[slug]


def content_values(
    dataset: Dataset, ratings: Ratings, settings: Settings = DEFAULT
) -> Mapping[str, object]:
    """Return every value that a text may name."""
    return {
        **_of_events(dataset, ratings),
        **_of_results(dataset),
        **_of_ratings(ratings),
        **_of_settings(settings),
        **_examples(settings),
        "n_players": formats.count(len(dataset.players)),
        "n_places": formats.count(len(dataset.places)),
        "n_sources": formats.count(len(dataset.sources)),
        **_of_suspects(),
        "n_draws": formats.count(posterior.DRAWS),
        # A probability of one half is the one that draws tell least exactly.
        "draws_error": formats.fixed(100 * 0.5 / sqrt(posterior.DRAWS), 2),
        "anchor_name": _name_of(settings.anchor_player, dataset),
        "odds": _odds(dataset),
        "reasons": _reasons(ratings),
        "levels": _levels(ratings),
        "marks": MARKS,
    }


def _of_events(dataset: Dataset, ratings: Ratings) -> dict[str, str]:
    events = dataset.events.values()
    in_fit = {pairing.event for pairing in ratings.pairings}
    kinds = Counter(event.kind for event in events)
    states = Counter(event.completeness for event in events)
    return {
        "n_events": formats.count(len(dataset.events)),
        "n_tournaments": formats.count(kinds["tournament"]),
        "n_matches": formats.count(kinds["match"]),
        "n_team_matches": formats.count(kinds["team match"]),
        "n_complete": formats.count(states["complete"]),
        "n_incomplete": formats.count(states["incomplete"]),
        "n_unverified": formats.count(states["unverified"]),
        "n_totals_only": formats.count(sum(map(is_totals_only, events))),
        "n_events_unrated": formats.count(sum(event.unrated is not None for event in events)),
        "n_events_without": formats.count(
            sum(event.unrated is None and event.id not in in_fit for event in events)
        ),
    }


def _of_results(dataset: Dataset) -> dict[str, str]:
    results = [result for event in dataset.events.values() for result in event.results]
    kept_out = [
        result
        for result in results
        if result.default is None and unrated_reason(result, dataset.odds) is not None
    ]
    return {
        "n_games": _games(results),
        "n_soft": formats.count(sum(result.soft is not None for result in results)),
        "n_defaults": _games([result for result in results if result.default is not None]),
        "n_odds_games": _games([result for result in results if result.odds is not None]),
        "n_excluded": _games(kept_out),
    }


def _of_ratings(ratings: Ratings) -> dict[str, str]:
    years = [year for years in ratings.players.values() for year in years]
    played = [year for year in years if not year.is_gap]
    return {
        "n_rated": formats.count(len(ratings.players)),
        "n_unrated": formats.count(len(ratings.unrated)),
        "n_pairings": formats.count(len(ratings.pairings)),
        "n_rated_events": formats.count(len({pairing.event for pairing in ratings.pairings})),
        "n_rated_games": formats.amount(sum(pairing.games for pairing in ratings.pairings)),
        "n_player_years": formats.count(len(years)),
        "n_gap_years": formats.count(len(years) - len(played)),
        "first_year": str(min(ratings.years)),
        "last_year": str(max(ratings.years)),
        "least_deviation": formats.deviation(min(year.deviation for year in played)),
        "median_deviation": formats.deviation(median(year.deviation for year in played)),
        "greatest_deviation": formats.deviation(max(year.deviation for year in played)),
    }


def _of_settings(settings: Settings) -> dict[str, str]:
    half = settings.self_games / 2
    return {
        "self_games": formats.score(settings.self_games),
        "self_half": formats.score(half),
        "ghost_games": formats.score(settings.ghost_games),
        "background_mean": formats.rating(settings.background_mean),
        "background_deviation": formats.rating(settings.background_deviation),
        "anchor_year": str(settings.anchor_year),
        "anchor_rating": formats.rating(settings.anchor_rating),
    }


def _of_suspects() -> dict[str, str]:
    return {
        "surprising": formats.score(answers.SURPRISING),
        "one_in": formats.count(round(0.5 / NormalDist().cdf(-answers.SURPRISING))),
        "plausible": formats.counted(outliers.PLAUSIBLE, "deviation"),
        "namesake_games": formats.score(outliers.ENOUGH_GAMES),
        "short_match": formats.score(outliers.SHORT_MATCH),
        "much_weaker": formats.percentage(outliers.MUCH_WEAKER),
    }


def _examples(settings: Settings) -> dict[str, object]:
    # Two equals tell 1/4 a game about the difference of their log-odds.
    link = ELO_PER_NAT * sqrt(settings.variance_factor * 4.0 / settings.self_games)
    opponents, games = (2400.0, 2600.0), (4.0, 2.0)
    found = performance(4.0, opponents, games)
    return {
        "expected_100": formats.percentage(expected_score(100.0)),
        "expected_200": formats.percentage(expected_score(200.0)),
        "expected_400": formats.percentage(expected_score(400.0)),
        "link_deviation": formats.fixed(link, 2),
        "link_deviation_39": formats.fixed(link * sqrt(39.0), 1),
        "example_expected": formats.expected(expected_total(2500.0, opponents, games)),
        "example_performance": formats.rating(found) if found is not None else formats.DASH,
        "adjustments": tuple(
            _adjustment(raw, deviation, settings)
            for raw, deviation in ((2599.0, 91.0), (2628.0, 293.0), (2813.0, 283.0))
        ),
    }


def _adjustment(raw: float, deviation: float, settings: Settings) -> AdjustmentRow:
    rating, adjusted = adjust(np.array([raw]), np.array([deviation]), settings)
    return AdjustmentRow(
        raw=formats.rating(raw),
        deviation=formats.deviation(deviation),
        rating=formats.rating(rating[0]),
        adjusted_deviation=formats.deviation(adjusted[0]),
    )


def _odds(dataset: Dataset) -> tuple[OddsRow, ...]:
    played: Counter[str] = Counter()
    for event in dataset.events.values():
        for result in event.results:
            if result.odds is not None:
                played[result.odds.kind] += round(result.games)
    kinds = sorted(
        dataset.odds.values(), key=lambda kind: (kind.points is None, kind.points or 0.0, kind.id)
    )
    return tuple(
        OddsRow(
            name=kind.name,
            points=formats.DASH if kind.points is None else formats.rating(kind.points),
            share=(
                "not rated"
                if kind.points is None
                else formats.percentage(expected_score(kind.points), 1)
            ),
            games=formats.count(played[kind.id]) if played[kind.id] else "",
        )
        for kind in kinds
    )


def _reasons(ratings: Ratings) -> tuple[ReasonRow, ...]:
    return tuple(
        ReasonRow(reason, formats.count(number))
        for reason, number in Counter(ratings.unrated.values()).most_common()
    )


def _levels(ratings: Ratings) -> tuple[LevelRow, ...]:
    """Return the level of the first year of each decade that has ten rated players."""
    return tuple(
        LevelRow(
            str(level.year),
            formats.count(level.rated),
            _mean(level.top5),
            _mean(level.top10),
            _mean(level.top20),
            formats.percentage(level.share_below),
        )
        for level in levels(ratings)
        if level.year % 10 == 0 and level.top10 is not None
    )


def _mean(rating: float | None) -> str:
    return formats.DASH if rating is None else formats.rating(rating)


def _name_of(player: str, dataset: Dataset) -> str:
    """Return a name in the order in which it is spoken."""
    family, _, given = dataset.players[player].name.partition(", ")
    return f"{given} {family}".strip()


def _games(results: Iterable[Result]) -> str:
    return formats.amount(sum(result.games for result in results))
