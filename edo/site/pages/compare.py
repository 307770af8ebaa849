"""Dataset, ratings and answers in, the page on which any players are set over each other out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from edo.core import formats, urls
from edo.core.model import Dataset
from edo.rating.edo import Ratings
from edo.rating.inference.answers import Answers
from edo.rating.inference.joint import births
from edo.site.charts.leaders import FIELD
from edo.site.input import Link, Page, SiteInput
from edo.site.pages.chances import Share, share
from edo.site.pages.material import player_link
from edo.systems.alongside import REFERENCE, Alongside

SCRIPTS = (
    *(
        urls.static(f"compare{part}.js")
        for part in ("_numbers", "_state", "_chart", "_tables", "_choice", "")
    ),
    urls.static("save.js"),
    urls.COMPARED,  # it begins
)
PAIRS = 12  # pairs with most games that are shown
ERAS = 8  # number ones that are shown
MOST = 6  # players at once: as many curves as can be told apart


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two who often met; the probability that `first` was stronger in the `year` of most games."""

    first: Link
    second: Link
    games: str
    years: str
    year: Link
    chance: Share
    by_year: Link
    by_age: Link | None


@dataclass(frozen=True, slots=True)
class EraRow:
    """A number one of many years, and the way to be set beside the next one at the same age."""

    player: Link
    years: str
    span: str
    with_next: Link | None


@dataclass(frozen=True, slots=True)
class CompareView:
    """The page without its script; `ages_unknown` counts players without a year of birth.

    `example` are the ids of those whom the script shows where the address names nobody;
    `players` and `years` are the ways to the folders of their pages; `systems` are id and name of
    each system beside Edo whose ratings can be drawn.
    """

    example: str
    players: str
    years: str
    most: str
    rated: str
    ages_unknown: str
    pairs: tuple[PairRow, ...]
    eras: tuple[EraRow, ...]
    eras_words: str
    all_eras: Link | None
    how: Link
    systems: tuple[tuple[str, str], ...]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of comparisons."""
    yield Page(
        path=urls.COMPARE,
        template="compare.html",
        view=partial(compare_view, site.dataset, site.ratings, site.answers, site.systems),
        title="Compare",
        description="The rating curves of any players over each other, by calendar year or by age, "
        "with the probability that one was stronger.",
        scripts=SCRIPTS,
    )


def compare_view(
    dataset: Dataset, ratings: Ratings, answers: Answers, systems: Alongside | None = None
) -> CompareView:
    """Return what the page shows before anybody is chosen."""
    born = births(dataset)
    eras = _number_ones(ratings)
    chosen = [player for player, _ in eras if player in born][-MOST:]
    return CompareView(
        example=",".join(player for player, _ in eras[:2]),
        players=_folder(urls.PLAYERS),
        years=_folder(urls.YEARS),
        most=formats.count(MOST),
        rated=formats.count(len(ratings.players)),
        ages_unknown=formats.count(sum(player not in born for player in ratings.players)),
        pairs=tuple(_pairs(dataset, ratings, answers, born)),
        eras=tuple(_eras(eras, dataset, born)),
        eras_words=f"Those who were first in most years, {formats.count(ERAS)} at most. Years in "
        f"which fewer than {formats.count(FIELD)} players are rated do not count here: to be first "
        "says little in them.",
        all_eras=Link("The last of them together, by age", urls.compare(*chosen, by_age=True))
        if len(chosen) > 1
        else None,
        how=Link("What the probabilities mean", f"{urls.method('joint')}#any-two-players"),
        systems=tuple(
            (one.system.slug, one.system.name)
            for one in (systems.columns if systems is not None else ())
            if one.system.slug != REFERENCE and one.rated.any()
        ),
    )


def _folder(path: str) -> str:
    """Return the way from the page of comparisons to the folder of a path."""
    return urls.relative(urls.COMPARE, path).rpartition("/")[0] + "/"


def _pairs(
    dataset: Dataset, ratings: Ratings, answers: Answers, born: Mapping[str, int]
) -> Iterator[PairRow]:
    """Yield the pairs with most rated games of whom the answers tell, most games first."""
    games: dict[tuple[str, str], dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for pairing in ratings.pairings:
        first, second = sorted((pairing.first.player, pairing.second.player))
        games[first, second][pairing.year] += pairing.games
    most = sorted(games, key=lambda pair: (-sum(games[pair].values()), pair))
    told = ((pair, one) for pair in most for one in answers.rivals.get(pair[0], ()))
    found = [(pair, one) for pair, one in told if one.rival == pair[1]][:PAIRS]
    for (first, second), one in found:
        years = games[first, second]
        yield PairRow(
            first=player_link(dataset.players[first], "#rivals"),
            second=player_link(dataset.players[second], "#rivals"),
            games=formats.amount(sum(years.values())),
            years=formats.years(min(years), max(years)),
            year=Link(str(one.year), urls.year(one.year)),
            chance=share(one.probability),
            by_year=Link("by year", urls.compare(first, second)),
            by_age=Link("by age", urls.compare(first, second, by_age=True))
            if first in born and second in born
            else None,
        )


def _number_ones(ratings: Ratings) -> list[tuple[str, list[int]]]:
    """Return who was first in most years, with these years, the earliest first.

    Years in which hardly anyone is rated do not count: to be first says little in them.
    """
    years: dict[str, list[int]] = defaultdict(list)
    for year in sorted(ratings.years):
        if len(ratings.years[year]) >= FIELD:
            years[ratings.years[year][0].player].append(year)
    most = sorted(years, key=lambda player: (-len(years[player]), player))[:ERAS]
    return [(player, years[player]) for player in sorted(most, key=lambda p: (years[p][0], p))]


def _eras(
    eras: list[tuple[str, list[int]]], dataset: Dataset, born: Mapping[str, int]
) -> Iterator[EraRow]:
    follower = {one: other for (one, _), (other, _) in pairwise(eras)}
    for player, years in eras:
        after = follower.get(player)
        by_age = player in born and after in born
        yield EraRow(
            player=player_link(dataset.players[player]),
            years=formats.count(len(years)),
            span=formats.years(years[0], years[-1]),
            with_next=None
            if after is None
            else Link(
                f"with {dataset.players[after].shown_name}, {'by age' if by_age else 'by year'}",
                urls.compare(player, after, by_age=by_age),
            ),
        )
