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
    if not _has_knockout(event):
        return None
    scores = _scores_by_round(event)
    knockout = [n for n, pairs in enumerate(scores) if _meets_one_each(pairs)]
    final = _final(scores, knockout)
    if final is None:
        return None
    levels = list(_levels(final, scores, knockout))
    if len(levels) < 2:
        return None
    rounds = [
        BracketRound(event.rounds[max(n for n, _ in level)].name, tuple(m for _, m in level))
        for level in reversed(levels)
    ]
    placing = _placing(levels, scores, knockout)
    return Bracket(
        tuple(rounds[-MOST_ROUNDS:]),
        tuple(BracketRound(event.rounds[n].name, played) for n, played in placing),
        len(rounds) > MOST_ROUNDS,
    )


def _has_knockout(event: Event) -> bool:
    """Whether the format says that players were knocked out, as it does not of a Swiss system."""
    words = (event.format or "").lower()
    return event.kind == "tournament" and any(word in words for word in ("knock-out", "final"))


def _final(
    scores: Sequence[Mapping[_Pair, tuple[float, float]]], knockout: Sequence[int]
) -> tuple[int, _Pair] | None:
    """Return the last match, and its round, of two players who had lost none of theirs before.

    Where every last match has one who had, as by a play-off after which both went on, it is the
    only one whose players had not lost the match just before.
    """
    for number in reversed(knockout):
        lost = {
            (earlier, player)
            for earlier in knockout
            if earlier < number
            for pair, score in scores[earlier].items()
            if (player := _ahead(pair, score[::-1])) is not None
        }
        last = {p: _before(p, [n for n in knockout if n < number], scores)
                for pair in scores[number] for p in pair}  # fmt: skip
        just = {p for p, met in last.items() if met is not None and (met[0], p) in lost}
        for beaten in ({player for _, player in lost}, just):
            unbeaten = [pair for pair in scores[number] if beaten.isdisjoint(pair)]
            if unbeaten:
                return (number, unbeaten[0]) if len(unbeaten) == 1 else None
    return None


def _placing(
    levels: Sequence[Sequence[tuple[int, BracketMatch]]],
    scores: Sequence[Mapping[_Pair, tuple[float, float]]],
    knockout: Sequence[int],
) -> Iterator[tuple[int, tuple[BracketMatch, ...]]]:
    """Yield the rounds in which players met who had lost in the bracket before."""
    lost = {
        player: number
        for number, match in (one for level in levels for one in level)
        for player in match.players
        if match.winner not in (None, player)
    }
    for number in knockout:
        played = tuple(
            BracketMatch(pair, score, _ahead(pair, score))
            for pair, score in scores[number].items()
            if all(lost.get(player, number) < number for player in pair)
        )
        if played:
            yield number, played


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
    seen: set[str] = set(final[1])
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
                if found is not None and not seen.issuperset(found[1]):  # else both went on
                    before.append((*found, player))
                    seen |= set(found[1])
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
