"""Ratings in, the leading players of the time and the colours that tell their curves apart out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from edo.rating.edo import PlayerYear, Ratings

AMONG_FIRST = 3  # the places in a year's list that make a leading player
APART = 10  # [years] between two careers, below which one could be taken for the other
FIELD = 6  # how many must be rated in a year for its places to count
COLOURS = "abcdef"  # the stylesheet's colours of lines (`--line-a` to `--line-f`)


def years_among_first(ratings: Ratings) -> Counter[str]:
    """Return for each player in how many years he stood among the first three.

    Going by the place and not by the rating gives each time its due; years in which hardly anyone
    is rated do not count, since to be among the first says little in them.
    """
    rankings = [ranking for ranking in ratings.years.values() if len(ranking) >= FIELD]
    return Counter(
        year.player
        for ranking in rankings or ratings.years.values()
        for year in ranking[:AMONG_FIRST]
    )


def leading_players(ratings: Ratings, n: int) -> list[str]:
    """Return the n players who stood among the first three in most years, the earliest first."""
    places = years_among_first(ratings)
    longest = sorted(places, key=lambda player: (-places[player], player))[:n]
    return sorted(longest, key=lambda player: (ratings.players[player][0].year, player))


def colours_of(careers: Sequence[Sequence[PlayerYear]]) -> list[str]:
    """Return a colour for each, so that those who share one are as far apart as can be."""
    spans = [set(range(years[0].year - APART, years[-1].year + 1)) for years in careers]
    chosen: list[str] = []
    for k, span in enumerate(spans):
        shared = {
            colour: sum(len(span & spans[j]) for j in range(k) if chosen[j] == colour)
            for colour in COLOURS
        }
        chosen.append(min(COLOURS, key=lambda colour: (shared[colour], chosen.count(colour))))
    return chosen
