"""Two players in, their ratings, games and chances year by year out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from edo.core import formats, urls
from edo.rating.inference.answers import Answers
from edo.rating.pairings import Pairing
from edo.site.input import Link
from edo.site.pages.chances import Share, share
from edo.site.pages.material import NOTHING, Material, shown_score
from edo.site.pages.meetings import Met
from edo.site.pages.pair_events import rating_link
from edo.site.pages.standings import expected_of


@dataclass(frozen=True, slots=True)
class PairYear:
    """A year of two players: what they rated-scored, their ratings, and who was the stronger.

    Everything is the first one's; `chance` is that of having been the stronger, None where it was
    not worked out; `lead` [Elo] is empty where one has no rating.
    """

    year: Link
    score: str
    expected: str
    first: Link
    second: Link
    lead: str
    chance: Share | None


def pair_years(
    pair: tuple[str, str], met: Met, pairings: Iterable[Pairing], material: Material
) -> tuple[PairYear, ...]:
    """Return the years with rated games of the two, and those for which a chance is known."""
    of_year: dict[int, list[Pairing]] = {}
    for one in pairings:
        of_year.setdefault(one.year, []).append(one)
    chances = chances_of(pair, material.answers)
    years = sorted({*of_year, *chances})
    return tuple(
        _row(pair, year, of_year.get(year, []), chances.get(year), material) for year in years
    )


def chances_of(pair: tuple[str, str], answers: Answers) -> Mapping[int, float]:
    """Return in which years the first was stronger with which probability, as far as answered."""
    first, second = pair
    found: dict[int, float] = {}
    for year, table in answers.superiority.items():
        if first in table.players and second in table.players:
            place, other = table.players.index(first), table.players.index(second)
            found[year] = table.probability[place][other]
    for one in answers.rivals.get(second, ()):
        if one.rival == first:
            found[one.year] = 1.0 - one.probability
    for one in answers.rivals.get(first, ()):
        if one.rival == second:
            found[one.year] = one.probability
    return found


def _row(
    pair: tuple[str, str],
    year: int,
    pairings: list[Pairing],
    chance: float | None,
    material: Material,
) -> PairYear:
    own, other = (material.ratings.of(player, year) for player in pair)
    points = sum(p.score if p.first.player == pair[0] else p.games - p.score for p in pairings)
    games = sum(p.games for p in pairings)
    expected = expected_of(pair[0], pairings, material.ratings)
    return PairYear(
        year=Link(str(year), urls.year(year)),
        score=shown_score(round(points, 9), round(games, 9)),
        expected=NOTHING if expected is None else formats.expected(expected),
        first=rating_link(pair[0], year, material),
        second=rating_link(pair[1], year, material),
        lead=formats.signed(own.rating - other.rating) if own and other else "",
        chance=None if chance is None else share(chance),
    )
