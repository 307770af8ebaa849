"""The bracket of a knock-out: the matches that led to the final, and those for other places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from edo.core.model import Event

MOST_ROUNDS = 4  # the last sixteen players; the matches before are in the lists of the rounds

_Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of two players and their points [points]; `winner` is who played on, if known."""

    players: _Pair
    score: tuple[float, float]
    winner: str | None


@dataclass(frozen=True, slots=True)
class BracketRound:
    """The matches of a round, in the order in which their winners meet."""

    name: str
    matches: tuple[BracketMatch, ...]


@dataclass(frozen=True, slots=True)
class Bracket:
    """The rounds up to the final, the last one, and the matches of those who had lost before.

    `is_cut` says that there were earlier rounds.
    """

    rounds: tuple[BracketRound, ...]
    placing: tuple[BracketRound, ...]
    is_cut: bool


def bracket(event: Event) -> Bracket | None:
    """Return the bracket of an event, None where its rounds do not lead to one final."""
    if event.kind != "tournament" or len(event.rounds) < 2:
        return None
    scores = _scores_by_round(event)
    knockout = [n for n, pairs in enumerate(scores) if _meets_one_each(pairs)]
    beaten: set[str] = set()
    final: tuple[int, _Pair] | None = None
    placing = []
    for number in knockout:
        pairs = scores[number]
        alive = [pair for pair in pairs if beaten.isdisjoint(pair)]
        final = (number, alive[0]) if len(alive) == 1 else final if not alive else None
        placed = [pair for pair in pairs if beaten.issuperset(pair)]
        placing.append((number, [BracketMatch(p, pairs[p], _ahead(p, pairs[p])) for p in placed]))
        beaten |= {loser for pair in alive if (loser := _behind(pair, pairs[pair]))}
    if final is None:
        return None
    levels = list(_levels(final, scores, knockout))
    if len(levels) < 2:
        return None
    rounds = [
        BracketRound(event.rounds[max(n for n, _ in level)].name, tuple(m for _, m in level))
        for level in reversed(levels)
    ]
    return Bracket(
        tuple(rounds[-MOST_ROUNDS:]),
        tuple(BracketRound(event.rounds[n].name, tuple(played)) for n, played in placing if played),
        len(rounds) > MOST_ROUNDS,
    )


def _scores_by_round(event: Event) -> list[dict[_Pair, tuple[float, float]]]:
    """Return the points of both players of each pair in each round, tie-breaks included."""
    rounds: list[dict[_Pair, tuple[float, float]]] = [{} for _ in event.rounds]
    for result in event.results:
        if result.round is None:
            continue
        pairs = rounds[result.round]
        pair, points = (result.first, result.second), (result.points_first, result.points_second)
        if pair[::-1] in pairs:
            pair, points = pair[::-1], points[::-1]
        before = pairs.get(pair, (0.0, 0.0))
        pairs[pair] = before[0] + points[0], before[1] + points[1]
    return rounds


def _meets_one_each(pairs: Mapping[_Pair, object]) -> bool:
    """Whether everybody in a round has a single opponent, unlike in groups."""
    return max(Counter(player for pair in pairs for player in pair).values(), default=0) == 1


def _ahead(pair: _Pair, score: tuple[float, float]) -> str | None:
    return None if score[0] == score[1] else pair[0] if score[0] > score[1] else pair[1]


def _behind(pair: _Pair, score: tuple[float, float]) -> str | None:
    return _ahead(pair, score[::-1])


def _levels(
    final: tuple[int, _Pair],
    scores: Sequence[Mapping[_Pair, tuple[float, float]]],
    knockout: Sequence[int],
) -> Iterator[list[tuple[int, BracketMatch]]]:
    """Yield the final, then the matches that its players won before, and so on.

    A match is behind the number of its round. A tie-break in a round of its own is added to its
    match.
    """
    level: list[tuple[int, _Pair, str | None]] = [(*final, None)]
    while level:
        matches: list[tuple[int, BracketMatch]] = []
        before: list[tuple[int, _Pair, str | None]] = []
        for number, pair, winner in level:
            score = scores[number][pair]
            first = number
            for earlier in reversed([n for n in knockout if n < number]):
                met = [p for p in scores[earlier] if set(p) == set(pair)]
                if met:
                    turned = scores[earlier][met[0]][:: 1 if met[0] == pair else -1]
                    score, first = (score[0] + turned[0], score[1] + turned[1]), earlier
            matches.append((first, BracketMatch(pair, score, winner or _ahead(pair, score))))
            for player in pair:
                found = _before(player, [n for n in knockout if n < first], scores)
                if found is not None:
                    before.append((*found, player))
        yield matches
        level = before


def _before(
    player: str, knockout: Sequence[int], scores: Sequence[Mapping[_Pair, object]]
) -> tuple[int, _Pair] | None:
    """Return the last match of a player in some rounds, None where he had a bye or began."""
    for number in reversed(knockout):
        for pair in scores[number]:
            if player in pair:
                return number, pair
    return None
