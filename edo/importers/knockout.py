"""The matches of a knock-out in, its rounds out as far as the results leave one possibility.

Who met whom and who won tells the rounds when everybody plays in the first one and opponents in
each later round have won and lost the same matches before: this holds for a plain knock-out and
for one whose losers play on for places. Byes make the rounds ambiguous; then nothing is deduced.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product, takewhile

Match = tuple[str, str]
"""Winner and loser."""


def rounds(winners: Mapping[frozenset[str], str | None]) -> list[list[frozenset[str]]]:
    """Return the pairs of each of the first rounds, as far as only one division of them fits.

    `winners` gives each pair's winner; of a match that ended level (None) either may have gone on.
    Pairs that are in none of the rounds returned belong to later ones.
    """
    records = {player: "" for pair in winners for player in pair}
    ways = [[winner] if winner else sorted(pair) for pair, winner in winners.items()]
    found: list[list[set[frozenset[str]]]] = []
    for chosen in product(*ways):
        matches = sorted(
            (winner, next(iter(pair - {winner})))
            for pair, winner in zip(winners, chosen, strict=True)
        )
        for division in _divisions(matches, records):
            found.append([{frozenset(match) for match in each} for each in division])
    common = takewhile(
        lambda each: all(other == each[0] for other in each), zip(*found, strict=False)
    )
    return [sorted(each[0], key=sorted) for each in common]


def _divisions(matches: Sequence[Match], records: Mapping[str, str]) -> Iterator[list[list[Match]]]:
    if not matches:
        yield []
        return
    playing = {player for match in matches for player in match}
    for chosen in _perfect(matches, sorted(playing), records):
        later = dict(records)
        for winner, loser in chosen:
            later[winner] += "w"
            later[loser] += "l"
        rest = [match for match in matches if match not in chosen]
        for following in _divisions(rest, later):
            yield [chosen, *following]


def _perfect(
    matches: Sequence[Match], players: Sequence[str], records: Mapping[str, str]
) -> Iterator[list[Match]]:
    """Yield every choice of matches between equal records in which each player plays once."""
    if not players:
        yield []
        return
    scarce = min(players, key=lambda player: sum(player in match for match in matches))
    for match in matches:
        if scarce not in match or records[match[0]] != records[match[1]]:
            continue
        rest = [other for other in matches if not set(other) & set(match)]
        left = [player for player in players if player not in match]
        for others in _perfect(rest, left, records):
            yield [match, *others]
