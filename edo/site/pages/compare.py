"""The page of comparisons of any players, filled by a script from the files of `compare_data`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from edo.rating.edo import Ratings
from edo.rating.games import births
from edo.rating.inference.answers import Answers
from edo.site import urls
from edo.site.charts.timeline import FIELD
from edo.site.input import Page, SiteInput

SCRIPTS = (
    urls.static("numbers.js"),
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


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of comparisons."""
    yield Page(
        path=urls.COMPARE,
        template="compare.html",
        view=partial(compare_view, site),
        title="Compare",
        description="Overlaid rating curves of any players, by calendar year or by age, with the "
        "probability that one was stronger.",
        scripts=SCRIPTS,
    )


def compare_view(site: SiteInput) -> Mapping[str, object]:
    """Return what the page shows before players are chosen.

    `eras` are the number ones of most years, with these years; those `born` in a known year can be
    compared by age, and `latest` are the last of them. `example` are the ids that the script shows
    if the address names none: the two who met most often.
    """
    ratings, all_born = site.ratings, births(site.dataset)
    pairs, eras = tuple(_pairs(ratings, site.answers)), _number_ones(ratings)
    named = {player for row in pairs for player in (row.first, row.second)}
    named |= {player for player, _ in eras}
    born = sorted(named & all_born.keys())
    example = (pairs[0].first, pairs[0].second) if pairs else [player for player, _ in eras[:2]]
    return {
        "rated": len(ratings.players),
        "ages_unknown": sum(player not in all_born for player in ratings.players),
        "pairs": pairs,
        "eras": eras,
        "born": born,
        "example": ",".join(example),
        "latest": [player for player, _ in eras if player in born][-MOST:],
        "most": MOST,
        "most_eras": ERAS,
        "field": FIELD,
    }


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

    Years with few ranked players do not count, as being first means little in them.
    """
    years: dict[str, list[int]] = defaultdict(list)
    for year in sorted(ratings.years):
        ranked = ratings.ranked(year)
        if len(ranked) >= FIELD:
            years[ranked[0].player].append(year)
    most = sorted(years, key=lambda player: (-len(years[player]), player))[:ERAS]
    return tuple((p, tuple(years[p])) for p in sorted(most, key=lambda p: (years[p][0], p)))
