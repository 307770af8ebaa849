"""The answers of the joint distribution in, their CSV files beside the pages out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from edo.answers import Answers, Chance
from edo.datafiles import Row, csv_file

NUMBER_ONE = ("year", "player", "p_first", "p_top10", "rank_low", "rank_high")

WORTH_TELLING = 0.01  # a smaller chance of a place is left out


def answer_files(answers: Answers) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each data file (UTF-8, a header row, `\\n` line ends)."""
    tables: tuple[tuple[str, Row, Callable[[Answers], Iterable[Row]]], ...] = (
        ("number_one.csv", NUMBER_ONE, _number_one),
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
