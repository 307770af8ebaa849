"""Crosstables and notation: cells, mirrors, totals, and the canonical text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edo.core.model import Mark
from edo.history import crosstable
from edo.history.notation import (
    Cell,
    Score,
    mirrors,
    number_text,
    opposite,
    parse_cell,
    parse_games,
    parse_score,
)
from edo.history.reading import Known, Located, ProblemLog
from edo.history.values import InvalidValue

TABLE = """\
anderssen-adolf     .        1w0b  =  +  | 3½
kieseritzky-lionel  0b1w     .     ?  _  | 2
staunton-howard     ½        ?     .  -  | 1
horwitz-bernhard    -        _     -  .
"""


def read(text: str, line: int = 1) -> tuple[tuple[crosstable.Row, ...] | None, list[str]]:
    log = ProblemLog("t.yaml", Known({}))
    rows = crosstable.read_crosstable(log, Located(text, line))
    return rows, [str(problem) for problem in log.problems]


def test_a_table_is_read_with_its_lines() -> None:
    rows, problems = read(TABLE, line=7)
    # 1 + 0 + ½ + 1 = 2½ known, and no unknown game: 3½ is wrong; row 2 has an unknown one.
    assert rows is None
    assert problems == [
        "t.yaml:7: crosstable, row anderssen-adolf: the cells make 2½, the total is 3½; correct a "
        "cell or the total; a differing total that was published goes to `published_totals`"
    ]
    rows, problems = read(TABLE.replace("3½", "2½"), line=7)
    assert problems == []
    assert rows is not None
    assert [row.line for row in rows] == [7, 8, 9, 10]
    assert [row.points for row in rows] == [2.5, 1.0, 0.5, 0.0]
    assert [row.total for row in rows] == [2.5, 2.0, 1.0, None]
    assert [row.has_unknown for row in rows] == [False, True, True, False]
    assert rows[0].cells == (
        None,
        Cell((Mark("1", "w"), Mark("0", "b"))),
        Cell((Mark("="),)),
        Cell((Mark("+"),)),
    )
    assert rows[1].cells[3] == Cell(played=False)
    assert rows[1].cells[2] == Cell(unknown=True)


def test_blank_lines_and_a_large_first_line_do_not_move_the_line_numbers() -> None:
    _, problems = read("\na  .  1\n\nb  1  .\n", line=20)
    assert problems == [
        "t.yaml:21: crosstable, a - b: `1` on line 21 and `1` on line 23 do not mirror each other; "
        "correct one of the two cells"
    ]


def test_writing_aligns_the_columns() -> None:
    rows, _ = read("a . 1w0b ½ | 1.5\nlong-name 0b1w . _ | 1\nc = _ .\n")
    assert rows is not None
    text = crosstable.write(
        [row.player for row in rows], [row.cells for row in rows], [row.total for row in rows]
    )
    assert text == (
        "a          .     1w0b  =  | 1½\nlong-name  0b1w  .     _  | 1\nc          =     _     .\n"
    )
    again, problems = read(text)
    assert problems == []
    assert again == rows


def test_writing_takes_words_too() -> None:
    assert crosstable.write(["a", "b"], [[".", "1?"], ["0?", "."]]) == "a  .   1?\nb  0?  .\n"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("1", Cell((Mark("1"),))),
        ("½=", Cell((Mark("="), Mark("=")))),
        ("1w0b+-b", Cell((Mark("1", "w"), Mark("0", "b"), Mark("+"), Mark("-", "b")))),
        ("1?", Cell((Mark("1"),), unknown=True)),
        ("?", Cell(unknown=True)),
        ("_", Cell(played=False)),
    ],
)
def test_cells(text: str, cell: Cell) -> None:
    assert parse_cell(text) == cell
    assert str(cell) == text.replace("½", "=")


@pytest.mark.parametrize(
    "text", ["", "x", "??", "?1", "_1", "1_", "w1", "1ww", "2", "1/2", ".", "1,0"]
)
def test_other_cells_are_refused(text: str) -> None:
    with pytest.raises(InvalidValue, match="is not a cell"):
        parse_cell(text)


@pytest.mark.parametrize(
    ("cell", "back"),
    [
        ("1", "0"),
        ("=", "="),
        ("+", "-"),
        ("-", "-"),
        ("-w", "-b"),
        ("1w0b", "0b1w"),
        ("1?", "0?"),
        ("_", "_"),
        ("?", "?"),
    ],
)
def test_mirrors_agree(cell: str, back: str) -> None:
    assert mirrors(parse_cell(cell), parse_cell(back))
    assert mirrors(parse_cell(back), parse_cell(cell))


@pytest.mark.parametrize(
    ("cell", "back"),
    [
        ("1", "1"),
        ("1", "="),
        ("+", "0"),
        ("1", "-"),
        ("+", "+"),
        ("1w", "0w"),
        ("1w", "0"),
        ("-w", "-w"),
        ("11", "0"),
        ("_", "?"),
        ("1?", "0"),
        ("10", "10"),
    ],
)
def test_mirrors_disagree(cell: str, back: str) -> None:
    assert not mirrors(parse_cell(cell), parse_cell(back))
    assert not mirrors(parse_cell(back), parse_cell(cell))


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("8-3", Score(8, 3)),
        ("8½-3½", Score(8.5, 3.5)),
        ("½ - 0.5", Score(0.5, 0.5)),
        ("67.9-13.1", Score(67.9, 13.1)),
        ("+7 -2 =2", Score(8, 3, 2)),
        ("+7-2=2", Score(8, 3, 2)),
        ("+3", Score(3, 0, 0)),
        ("-2 =1", Score(0.5, 2.5, 1)),
        ("=5", Score(2.5, 2.5, 5)),
    ],
)
def test_scores(text: str, score: Score) -> None:
    assert parse_score(text) == score


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "8",
        "8:3",
        "8–3",
        "-8-3",
        "nan-1",
        "1e9-1",
        "inf-0",
        "=2 +1",
        "+7 +2",
        "8-3-1",
        "½½-1",
        "8-٣",
        "+1" + " " * 90_000 + "x",
    ],
)
def test_other_scores_are_refused(text: str) -> None:
    with pytest.raises(InvalidValue, match="is not a score"):
        parse_score(text)


def test_games() -> None:
    expected = (Mark("1", "w"), Mark("0", "b"), Mark("="), Mark("+"))
    assert parse_games("1w 0b = +") == parse_games("1w0b½+") == expected
    for text in ["", " ", "1?", "_", "1, 0", "2"]:
        with pytest.raises(InvalidValue, match="is not a list of games"):
            parse_games(text)


@pytest.mark.parametrize("text", ["1-0", "1 - 0", "1-0 0-1 ½-½", "=-=", "1w ½-½"])
def test_results_as_printed_are_not_taken_for_three_games(text: str) -> None:
    with pytest.raises(InvalidValue, match="could be one game or three"):
        parse_games(text)


@pytest.mark.parametrize("text", ["1-1", "1½-½", "1 - 1", "10-01", "+1 -0 =1", "+1=1", "-1 =0"])
def test_scores_are_not_taken_for_games(text: str) -> None:
    with pytest.raises(InvalidValue, match="could be a score or games"):
        parse_games(text)


@pytest.mark.parametrize(
    "text", ["=1", "+1", "1 0 - 0 1", "+ 1 = 1", "1w -b 0w", "1w-0w", "--", "+ -"]
)
def test_games_without_colours_are_not_taken_for_scores(text: str) -> None:
    assert len(parse_games(text)) == len(text.replace(" ", "").replace("w", "").replace("b", ""))


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (0.5, "½"), (3.0, "3"), (10.5, "10½"), (67.9, "67.9"), (2.25, "2.25")],
)
def test_numbers_are_written_as_books_do(value: float, text: str) -> None:
    assert number_text(value) == text


AMBIGUOUS = {"1-0", "0-1", "1+0", "0+1"}
"""Cells that the reader refuses, or their opposites: `1-0` could be one result or three games."""

marks = st.builds(Mark, st.sampled_from("10=+-"), st.sampled_from(["w", "b", None]))
cells = st.one_of(
    st.just(Cell(played=False)),
    st.builds(Cell, st.lists(marks, min_size=1, max_size=4).map(tuple), st.booleans()).filter(
        lambda cell: str(cell) not in AMBIGUOUS
    ),
    st.just(Cell(unknown=True)),
)


@st.composite
def tables(draw: st.DrawFn) -> list[list[Cell | None]]:
    size = draw(st.integers(2, 6))
    table: list[list[Cell | None]] = [[None] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1, size):
            cell = draw(cells)
            table[i][j] = cell
            table[j][i] = Cell(tuple(map(opposite, cell.marks)), cell.unknown, cell.played)
    return table


@given(tables())
def test_every_table_survives_writing_and_reading(table: list[list[Cell | None]]) -> None:
    players = [f"player-{index}" for index in range(len(table))]
    totals = [sum(mark.points for cell in row if cell for mark in cell.marks) for row in table]
    text = crosstable.write(players, table, totals)
    rows, problems = read(text)
    assert problems == []
    assert rows is not None
    assert [list(row.cells) for row in rows] == table
    assert [row.total for row in rows] == totals
    assert len({line.find("|") for line in text.splitlines()}) == 1
