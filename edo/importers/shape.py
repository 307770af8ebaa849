"""The games of an event in, the results part of its file out: crosstable, pairings or rounds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from edo.core.yaml import Plain
from edo.importers import knockout
from edo.importers.games import Game, Pair, by_pair, marks, players_of
from edo.importers.table import EventRow, Standing

CROSSTABLE_PLAYERS = 4  # [players] fewer are better read as pairings when games are missing
KNOCKOUT = "Knock-out"


@dataclass(frozen=True, slots=True)
class Shape:
    """The results part of an event file, and what of it is missing.

    `unknown` are the pairs without games, `short` those with fewer games than most, `withdrawn`
    the players of whom the final table counts no game.
    """

    fields: Mapping[str, Plain]
    players: tuple[str, ...]
    pairs: Mapping[Pair, Sequence[Game]]
    cells: tuple[tuple[str, ...], ...] = ()
    """The cells of a crosstable, a row a player; empty in every other shape."""
    unknown: int = 0
    short: int = 0
    withdrawn: tuple[str, ...] = ()
    per_pair: int | None = None
    """Games of each pair, where every pair has the same number of games that count [games]."""


def shape(event: EventRow, kind: str, games: Sequence[Game], standings: Sequence[Standing],
          stated: Mapping[str, str]) -> Shape:  # fmt: skip
    """Return the shape that suits the event's kind and how much of it is known.

    `stated` are the fields that the rules give to the event.
    """
    pairs = by_pair(games)
    if kind == "match":
        return _listed(_winner_first(games), pairs)
    if kind == "team match":
        return _by_round(games, pairs)
    if stated.get("format") == KNOCKOUT:
        return _knockout(games, pairs, stated.get("completeness") == "complete")
    order = finishing_order(games, standings)
    possible = len(order) * (len(order) - 1) // 2
    if (
        event.complete == "full"
        or "rest" in stated
        or (len(order) >= CROSSTABLE_PLAYERS and 2 * len(pairs) >= possible)
    ):
        return _crosstable(order, pairs, _known_whole(pairs, standings), stated)
    return _listed(order, pairs)


def _known_whole(
    pairs: Mapping[Pair, Sequence[Game]], standings: Sequence[Standing]
) -> frozenset[str]:
    """Return the players whose known games are as many as their published total counts."""
    return frozenset(
        standing.player
        for standing in standings
        if standing.games
        and float(standing.games)
        == sum(g.counted for pair, games in pairs.items() if standing.player in pair for g in games)
    )


def finishing_order(games: Sequence[Game], standings: Sequence[Standing]) -> list[str]:
    """Return the players: first those with published totals, then by the points known here."""
    published = [standing.player for standing in standings]
    known = {player: [0.0, 0] for player in players_of(games)}
    for game in games:
        for player in game.pair:
            known[player][0] += game.points(player) * game.counted
            known[player][1] += game.counted
    rest = sorted(known.keys() - set(published), key=lambda p: (-known[p][0], known[p][1], p))
    return [*dict.fromkeys(published), *rest]


def _winner_first(games: Sequence[Game]) -> list[str]:
    """Return the two players of a match, who began with White first where it ended level."""
    white, black = games[0].row.white, games[0].row.black
    return [black, white] if _winner(games) == black else [white, black]


def _listed(order: Sequence[str], pairs: Mapping[Pair, Sequence[Game]]) -> Shape:
    """Return the pairs as pairings, each from the side of the one who is first in `order`."""
    return Shape({"pairings": _pairings(order, pairs)}, tuple(order), pairs)


def _pairings(order: Sequence[str], pairs: Mapping[Pair, Sequence[Game]]) -> list[Plain]:
    place = {player: number for number, player in enumerate(order)}
    sides = sorted((sorted(pair, key=place.__getitem__) for pair in pairs),
                   key=lambda side: [place[player] for player in side])  # fmt: skip
    return [
        {"players": side, "games": " ".join(g.mark(side[0]) for g in pairs[frozenset(side)])}
        for side in sides
    ]


def _by_round(games: Sequence[Game], pairs: Mapping[Pair, Sequence[Game]]) -> Shape:
    players = players_of(games)
    if not any(game.row.round for game in games):
        return _listed(players, pairs)
    names = {game.row.round: _round_name(game.row.round) for game in games}
    listed: list[Plain] = []
    for number, name in names.items():
        of_round = [game for game in games if game.row.round == number]
        order = [player for game in of_round for player in (game.row.white, game.row.black)]
        listed.append({"name": name, "pairings": _pairings(order, by_pair(of_round))})
    return Shape({"rounds": listed}, tuple(players), pairs)


def _round_name(number: tuple[int, ...]) -> str:
    return f"Round {'.'.join(map(str, number))}" if number else "Round not known"


def _knockout(games: Sequence[Game], pairs: Mapping[Pair, Sequence[Game]], whole: bool) -> Shape:
    """Return the matches by round; `whole`: all are known, so that rounds can be deduced."""
    winners = {pair: _winner(of_pair) for pair, of_pair in pairs.items()}
    divided = knockout.rounds(winners) if whole else []
    named = [(f"Round {number}", each) for number, each in enumerate(divided, start=1)]
    later = [pair for pair in pairs if not any(pair in each for each in divided)]
    if later:
        named.append(("Later rounds" if divided else "Matches known", later))
    players = players_of(games)
    order = sorted(players, key=lambda p: (-_matches_won(p, winners), p))
    listed: list[Plain] = [
        {"name": name, "pairings": _pairings(order, {pair: pairs[pair] for pair in each})}
        for name, each in named
    ]
    return Shape({"rounds": listed}, tuple(players), pairs)


def _winner(games: Sequence[Game]) -> str | None:
    first, second = sorted(games[0].pair)
    points = sum(game.points(first) for game in games)
    if 2 * points == len(games):
        return None
    return first if 2 * points > len(games) else second


def _matches_won(player: str, winners: Mapping[Pair, str | None]) -> int:
    return sum(winner == player for winner in winners.values())


def _crosstable(
    order: Sequence[str],
    pairs: Mapping[Pair, Sequence[Game]],
    whole: Collection[str],
    stated: Mapping[str, str],
) -> Shape:
    counts = {pair: sum(game.counted for game in games) for pair, games in pairs.items()}
    usual = usual_games(list(counts.values()))
    if "games_per_pair" in stated:
        usual = int(stated["games_per_pair"])
    withdrawn = [p for p in order if not any(n for pair, n in counts.items() if p in pair)]
    short = {pair for pair, games in pairs.items() if _is_short(games, usual, [*withdrawn, *whole])}
    cells = tuple(tuple(_cell(row, column, pairs, short) for column in order) for row in order)
    staying = [n for pair, n in counts.items() if not pair & set(withdrawn)]
    rest = len(order) - len(withdrawn)
    even = len(staying) == rest * (rest - 1) // 2 and len(set(staying)) == 1
    return Shape(
        {}, tuple(order), pairs, cells, len(order) * (len(order) - 1) // 2 - len(pairs),
        len(short), tuple(withdrawn), staying[0] if even else None,
    )  # fmt: skip


def _cell(
    row: str, column: str, pairs: Mapping[Pair, Sequence[Game]], short: Collection[Pair]
) -> str:
    if row == column:
        return "."
    pair = frozenset((row, column))
    return marks(pairs.get(pair, ()), row) + "?" * (pair in short or pair not in pairs)


def usual_games(counts: Sequence[int]) -> int | None:
    """Return how many games most pairs have, or None where no number holds for half of them."""
    known = [count for count in counts if count]
    for number in sorted(set(known)):
        if 2 * known.count(number) > len(known):
            return number
    return None


def _is_short(games: Sequence[Game], usual: int | None, apart: Collection[str]) -> bool:
    if usual is None or games[0].pair & set(apart):
        return False
    return sum(game.counted for game in games) < usual
