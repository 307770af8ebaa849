"""A year's leading players in, the table of who was the stronger with which probability out."""

from __future__ import annotations

from dataclasses import dataclass

from edo.core import formats
from edo.core.model import Dataset
from edo.rating.inference.answers import Superiority
from edo.site.input import Link
from edo.site.pages.material import player_link

LIKELY, SURE = 0.745, 0.945  # what is shown as 75 % is tinted, as 95 % printed bold too


@dataclass(frozen=True, slots=True)
class SuperiorityCell:
    """The probability that the row was stronger than the column, None against oneself."""

    text: str | None
    tint: str | None


@dataclass(frozen=True, slots=True)
class SuperiorityRow:
    """A leading player and his probabilities against the others."""

    number: str
    player: Link
    cells: tuple[SuperiorityCell, ...]


@dataclass(frozen=True, slots=True)
class SuperiorityTable:
    """The leading players by rank against each other; the columns are in the order of the rows."""

    rows: tuple[SuperiorityRow, ...]


def superiority_table(found: Superiority | None, dataset: Dataset) -> SuperiorityTable | None:
    """Return the table of a year, None where there are not two to compare."""
    if found is None or len(found.players) < 2:
        return None
    return SuperiorityTable(
        tuple(
            SuperiorityRow(
                number=str(k + 1),
                player=player_link(dataset.players[player], f"#y{found.year}"),
                cells=tuple(
                    _cell(None if j == k else probability)
                    for j, probability in enumerate(found.probability[k])
                ),
            )
            for k, player in enumerate(found.players)
        )
    )


def _cell(probability: float | None) -> SuperiorityCell:
    if probability is None:
        return SuperiorityCell(None, None)
    tint = "sure" if probability >= SURE else "likely" if probability >= LIKELY else None
    return SuperiorityCell(formats.chance(probability), tint)
