"""Dataset, ratings and answers in; who was first in each year, and how surely, out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from edo.core import formats, urls
from edo.core.model import Dataset
from edo.rating.edo import PlayerYear, Ratings
from edo.rating.inference.answers import Answers, RankProbabilities
from edo.site.input import Link
from edo.site.pages import chances
from edo.site.pages.index import gather
from edo.site.pages.material import NOTHING, player_link
from edo.site.pages.strips import Strips, strips

LEAST = 0.05  # from which probability of having been the strongest others are named


@dataclass(frozen=True, slots=True)
class Reign:
    """Years in a row with the same number one."""

    player: Link
    years: str
    length: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody else who may have been the strongest, and with which probability."""

    player: Link
    chance: str


@dataclass(frozen=True, slots=True)
class NumberOneRow:
    """The first two of a year; `second` is None where only one player is rated.

    `rated` is the number of players among whom they are the first.
    `chance` is the probability that the first was the strongest, empty where it is not known;
    `others` may have been it with 5 % or more, the likeliest first.
    """

    anchor: str
    year: Link
    rated: str
    first: Link
    rating: str
    deviation: str
    is_gap: bool
    second: Link | None
    second_rating: str
    margin: str
    is_new: bool
    chance: str
    others: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class NumberOnesView:
    """The number ones through time: by reigns, year by year, and as a picture of all chances."""

    reigns: tuple[Reign, ...]
    rows: tuple[NumberOneRow, ...]
    picture: Strips | None
    how: Link


def number_ones_view(dataset: Dataset, ratings: Ratings, answers: Answers) -> NumberOnesView:
    """Return the first two of each year, and the reigns: runs of years with the same first."""
    candidates = gather((one.year, one) for one in answers.chances.values() if one.first >= LEAST)
    rankings = [ratings.years[year] for year in sorted(ratings.years)]
    firsts = [ranking[0] for ranking in rankings]
    before = [None, *(first.player for first in firsts[:-1])]
    return NumberOnesView(
        reigns=tuple(_reigns(firsts, dataset)),
        rows=tuple(
            _number_one_row(
                ranking,
                dataset,
                is_new=ranking[0].player != previous,
                chance=answers.chances.get((ranking[0].player, ranking[0].year)),
                candidates=candidates.get(ranking[0].year, ()),
            )
            for ranking, previous in zip(rankings, before, strict=True)
        ),
        picture=strips(answers.chances.values(), dataset),
        how=Link("Questions to all ratings at once", urls.method("joint")),
    )


def _reigns(firsts: Sequence[PlayerYear], dataset: Dataset) -> Iterator[Reign]:
    for player, run in groupby(firsts, lambda first: first.player):
        years = [first.year for first in run]
        yield Reign(
            player=player_link(dataset.players[player], f"#y{years[0]}"),
            years=formats.years(years[0], years[-1]),
            length=formats.counted(len(years), "year"),
        )


def _number_one_row(
    ranking: Sequence[PlayerYear],
    dataset: Dataset,
    *,
    is_new: bool,
    chance: RankProbabilities | None,
    candidates: Sequence[RankProbabilities],
) -> NumberOneRow:
    first = ranking[0]
    second = ranking[1] if len(ranking) > 1 else None
    return NumberOneRow(
        anchor=f"y{first.year}",
        year=Link(str(first.year), urls.year(first.year)),
        rated=formats.count(len(ranking)),
        first=player_link(dataset.players[first.player], f"#y{first.year}"),
        rating=formats.rating(first.rating),
        deviation=formats.deviation(first.deviation),
        is_gap=first.is_gap,
        second=(
            None
            if second is None
            else player_link(dataset.players[second.player], f"#y{first.year}")
        ),
        second_rating=(
            NOTHING
            if second is None
            else formats.rating_with_deviation(second.rating, second.deviation)
        ),
        margin=NOTHING if second is None else formats.rating(first.rating - second.rating),
        is_new=is_new,
        chance=chances.first(chance),
        others=tuple(_others(first.player, candidates, dataset)),
    )


def _others(
    first: str, candidates: Sequence[RankProbabilities], dataset: Dataset
) -> Iterator[Candidate]:
    for one in sorted(candidates, key=lambda one: (-one.first, one.player)):
        if one.player != first:
            player = player_link(dataset.players[one.player], f"#y{one.year}")
            yield Candidate(player, formats.chance(one.first))
