"""The answers of the joint distribution in, their CSV files beside the pages out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from edo.answers import Answers, Chance, Suspect
from edo.datafiles import Row, csv_file

NUMBER_ONE = ("year", "player", "p_first", "p_top10", "rank_low", "rank_high")
INFLUENCE = ("player", "year", "event", "shift", "of_all")
SUSPECTS = (
    "event", "year", "player", "score", "games", "expected", "deviation", "surprise", "causes",
)  # fmt: skip

WORTH_TELLING = 0.01  # a smaller chance of a place is left out


def answer_files(answers: Answers) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each data file (UTF-8, a header row, `\\n` line ends)."""
    tables: tuple[tuple[str, Row, Callable[[Answers], Iterable[Row]]], ...] = (
        ("number_one.csv", NUMBER_ONE, _number_one),
        ("influence.csv", INFLUENCE, _influences),
        ("suspects.csv", SUSPECTS, _suspects),
    )
    for name, header, rows in tables:
        yield csv_file(name, header, rows(answers))


def _number_one(answers: Answers) -> Iterator[Row]:
    """Yield who may have been first or in the top ten, by year, the likeliest first."""
    chances = sorted(
        answers.chances.values(), key=lambda c: (c.year, -c.first, -c.top_ten, c.player)
    )
    for chance in chances:
        if max(chance.first, chance.top_ten) >= WORTH_TELLING:
            yield _chance(chance)


def _chance(chance: Chance) -> Row:
    first, top_ten = (f"{p:.4f}" for p in (chance.first, chance.top_ten))
    return chance.year, chance.player, first, top_ten, chance.rank_low, chance.rank_high


def _influences(answers: Answers) -> Iterator[Row]:
    """Yield what events do to ratings [Elo]; empty where there would be none without the event."""
    for player in sorted(answers.influences):
        for one in answers.influences[player]:
            shift = None if one.shift is None else f"{one.shift:.3f}"
            yield one.player, one.year, one.event, shift, f"{one.of_all:.3f}"


def _suspects(answers: Answers) -> Iterator[Row]:
    """Yield the scores that are hard to believe, the most surprising first."""
    for one in answers.suspects:
        yield one.event, one.year, one.player, *_points(one), "|".join(one.causes)


def _points(suspect: Suspect) -> Row:
    numbers = (suspect.expected, suspect.deviation, suspect.surprise)
    counts = (suspect.score, suspect.games)
    return *(f"{x:.6g}" for x in counts), *(f"{x:.3f}" for x in numbers)
