"""The page of comparisons of any players, filled by a script from the files of `comparefiles`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from edo.core import urls
from edo.core.model import Dataset
from edo.rating.edo import Ratings
from edo.rating.inference.answers import Answers
from edo.rating.inference.joint import births
from edo.site.charts.palette import FIELD
from edo.site.input import Page, SiteInput
from edo.systems.alongside import REFERENCE, Alongside

SCRIPTS = (
    *(
        urls.static(f"compare{part}.js")
        for part in ("_numbers", "_state", "_chart", "_tables", "_choice", "")
    ),
    urls.static("save.js"),
    urls.COMPARED,  # last: it starts the others
)
PAIRS = 12  # pairs with most games that are shown
ERAS = 8  # number ones that are shown
MOST = 6  # players at once: more curves cannot be distinguished


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two who often met; the probability that the first was stronger in the `year` of most games.

    `span` are the first and the last year of their `games` [games].
    """

    first: str
    second: str
    games: float
    span: tuple[int, int]
    year: int
    probability: float


@dataclass(frozen=True, slots=True)
class CompareView:
    """The page without its script; `ages_unknown` counts players without a year of birth.

    `eras` are the number ones of most years, with these years; those `born` in a known year can be
    compared by age. `systems` are id and name of each system other than Edo that can be drawn.
    """

    rated: int
    ages_unknown: int
    pairs: tuple[PairRow, ...]
    eras: tuple[tuple[str, tuple[int, ...]], ...]
    names: Mapping[str, str]
    born: frozenset[str]
    systems: tuple[tuple[str, str], ...]
    most: int = MOST
    most_eras: int = ERAS
    field: int = FIELD

    @property
    def example(self) -> str:
        """Return the ids of the players that the script shows if the address names none."""
        return ",".join(player for player, _ in self.eras[:2])

    @property
    def latest(self) -> tuple[str, ...]:
        """Return the last number ones who can be compared by age."""
        return tuple(player for player, _ in self.eras if player in self.born)[-self.most :]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of comparisons."""
    yield Page(
        path=urls.COMPARE,
        template="compare.html",
        view=partial(compare_view, site.dataset, site.ratings, site.answers, site.systems),
        title="Compare",
        description="Overlaid rating curves of any players, by calendar year or by age, with the "
        "probability that one was stronger.",
        scripts=SCRIPTS,
    )


def compare_view(
    dataset: Dataset, ratings: Ratings, answers: Answers, systems: Alongside | None = None
) -> CompareView:
    """Return what the page shows before players are chosen."""
    born = births(dataset)
    pairs, eras = tuple(_pairs(ratings, answers)), _number_ones(ratings)
    named = {player for row in pairs for player in (row.first, row.second)}
    named |= {player for player, _ in eras}
    return CompareView(
        rated=len(ratings.players),
        ages_unknown=sum(player not in born for player in ratings.players),
        pairs=pairs,
        eras=eras,
        names={player: dataset.players[player].shown_name for player in sorted(named)},
        born=frozenset(named & born.keys()),
        systems=tuple(
            (one.system.slug, one.system.name)
            for one in (systems.columns if systems is not None else ())
            if one.system.slug != REFERENCE and one.rated.any()
        ),
    )


def _pairs(ratings: Ratings, answers: Answers) -> Iterator[PairRow]:
    """Yield the pairs with most rated games among the answers, most games first."""
    games: dict[tuple[str, str], dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for pairing in ratings.pairings:
        first, second = sorted((pairing.first.player, pairing.second.player))
        games[first, second][pairing.year] += pairing.games
    most = sorted(games, key=lambda pair: (-sum(games[pair].values()), pair))
    answered = ((pair, one) for pair in most for one in answers.rivals.get(pair[0], ()))
    for pair, one in [(pair, one) for pair, one in answered if one.rival == pair[1]][:PAIRS]:
        years = games[pair]
        span = min(years), max(years)
        yield PairRow(*pair, sum(years.values()), span, one.year, one.probability)


def _number_ones(ratings: Ratings) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return who was first in most years, with these years, the earliest first.

    Years with few rated players do not count, as being first means little in them.
    """
    years: dict[str, list[int]] = defaultdict(list)
    for year in sorted(ratings.years):
        if len(ratings.years[year]) >= FIELD:
            years[ratings.years[year][0].player].append(year)
    most = sorted(years, key=lambda player: (-len(years[player]), player))[:ERAS]
    return tuple((p, tuple(years[p])) for p in sorted(most, key=lambda p: (years[p][0], p)))
