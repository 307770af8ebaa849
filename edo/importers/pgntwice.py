"""Games in, each game once out: what stands there twice, and what contradicts itself, apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from edo.importers.pgnevents import Played, event_key


@dataclass(frozen=True, slots=True)
class Sifted:
    """The games that stay; pairs of a game dropped and the one it repeats; contradicting pairs."""

    games: tuple[Played, ...]
    twice: tuple[tuple[Played, Played], ...]
    at_odds: tuple[tuple[Played, Played], ...]


def sifted(games: Iterable[Played]) -> Sifted:
    """Return the games without repetitions; of two that contradict each other neither stays.

    A game is the same where the players, the colours, the year, the result and the moves are, or
    the players, the event, the day and the round. Without moves and without a day two games of one
    match may look the same and are both kept.
    """
    by_moves: dict[tuple[object, ...], Played] = {}
    by_round: dict[tuple[object, ...], Played] = {}
    kept: dict[str, Played] = {}
    twice: list[tuple[Played, Played]] = []
    at_odds: list[tuple[Played, Played]] = []
    for each in games:
        moves, number = _moves_key(each), _round_key(each)
        other = by_moves.get(moves) if moves else None
        if other is not None and _may_be_one(each, other):
            twice.append((each, other))
            continue
        other = by_round.get(number) if number else None
        if other is not None:
            same = each.points(other.white) == other.points(other.white)
            (twice if same else at_odds).append((each, other))
            if not same:
                kept.pop(other.game.place, None)
            continue
        if moves:
            by_moves.setdefault(moves, each)
        if number:
            by_round[number] = each
        kept[each.game.place] = each
    return Sifted(tuple(kept.values()), tuple(twice), tuple(at_odds))


def _moves_key(each: Played) -> tuple[object, ...] | None:
    if each.game.bare:
        return None
    return each.white, each.black, each.year, each.game.score, each.game.moves


def _round_key(each: Played) -> tuple[object, ...] | None:
    game = each.game
    if len(game.date) < 10 or not game.round:
        return None
    return each.pair, event_key(game.event), game.date, game.round


def _may_be_one(each: Played, other: Played) -> bool:
    """Whether neither rounds nor days say that two games with the same moves are two."""
    first, second = each.game, other.game
    if first.round and second.round and first.round != second.round:
        return event_key(first.event) != event_key(second.event)
    return first.date.startswith(second.date) or second.date.startswith(first.date)
