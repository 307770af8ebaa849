"""What the tables say about an event's completeness in, the sentences of its file out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from edo.importers.games import Game
from edo.importers.shape import Shape
from edo.importers.table import EventRow, Standing

COUNTED_THROUGH = 9
"""Numbers of games that begin above this were counted through several matches, not lost."""

_REST = {
    "from totals": " What the others add up to is taken from the final totals.",
    "best guess": " The others are a guess that keeps the final totals.",
}

Verdict = tuple[str | None, str | None]
"""Completeness (None: complete, which files leave out) and what is missing."""


@dataclass(frozen=True, slots=True)
class Case:
    """An event whose completeness is in question; `stated` are the fields that rules give it."""

    event: EventRow
    kind: str
    games: Sequence[Game]
    made: Shape
    stated: Mapping[str, str]
    with_totals: Collection[str]
    names: Mapping[str, str]


def completeness(case: Case) -> Verdict:
    """Return how complete the event is, and what is missing where it is not."""
    if "missing" in case.stated:
        return case.stated.get("completeness", "incomplete"), case.stated["missing"]
    if case.stated.get("completeness") == "complete":
        return None, None
    made = case.made
    if case.kind == "match":
        return _of_match(case.event, case.games)
    if case.event.complete == "full" and not made.unknown and not made.short:
        return None, None
    if case.kind == "team match":
        number = len(case.games)
        return "incomplete", (
            f"Only single boards are known ({number} game{'s' * (number > 1)}), "
            "not the scores of the teams."
        )
    return "incomplete", _of_table(case) if made.cells else _known_pairs(made)


def _of_match(event: EventRow, games: Sequence[Game]) -> Verdict:
    if event.complete == "full":
        return None, None
    numbers = sorted(game.row.round[0] for game in games if game.row.round)
    if len(numbers) < len(games):
        return "unverified", (
            f"{_games(len(games))} known; the source does not number all of them, so there may "
            "have been others."
        )
    span = f"numbered {numbers[0]} to {numbers[-1]}"
    if numbers[0] > COUNTED_THROUGH and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return "unverified", (
            f"The games are {span} without a gap, as if counted through several matches; that the "
            "match had no others is not certain."
        )
    holes = sorted(set(range(1, numbers[-1] + 1)) - set(numbers))
    twice = sorted({number for number in numbers if numbers.count(number) > 1})
    found = [_are(holes, "missing")] if holes else []
    found += [f"two games have the number {number}" for number in twice]
    if not found:
        return "unverified", f"The games known are {span}; there may have been later ones."
    return "incomplete", f"The games known are {span}; {', '.join(found)}."


def _are(numbers: Sequence[int], what: str) -> str:
    words = [str(number) for number in numbers]
    if len(words) == 1:
        return f"game {words[0]} is {what}"
    return f"games {', '.join(words[:-1])} and {words[-1]} are {what}"


def _of_table(case: Case) -> str:
    made = case.made
    if made.withdrawn and all(set(pair) & set(made.withdrawn) for pair in _open_pairs(made)):
        names = " and ".join(case.names[player] for player in made.withdrawn)
        return (
            "All games that count in the final table are known; which other games were played by "
            f"{names}, who withdrew, is not."
        )
    order = ""
    if not case.with_totals:
        order = (
            " The rows are in the order of the points known here, not in that of the final table."
        )
    elif set(made.players) - set(case.with_totals):
        order = " Rows without a published total are in the order of the points known here."
    return _known_pairs(made) + _REST.get(case.stated.get("rest", ""), "") + order


def _known_pairs(made: Shape) -> str:
    players = len(made.players)
    possible = players * (players - 1) // 2
    known = sum(any(game.has_row for game in games) for games in made.pairs.values())
    text = f"Games of {known} of the {possible} pairs of these {players} players are known"
    if made.short:
        lack = "one of them lacks" if made.short == 1 else f"{made.short} of them lack"
        text += f"; {lack} a game that most pairs have"
    return text + "."


def _open_pairs(made: Shape) -> list[tuple[str, str]]:
    return [
        (row, column)
        for row, cells in zip(made.players, made.cells, strict=True)
        for column, cell in zip(made.players, cells, strict=True)
        if "?" in cell
    ]


def notes(standings: Sequence[Standing], stated: Mapping[str, str]) -> str | None:
    """Return the notes of the event: what the rules say, and what its published totals are."""
    said = [stated["notes"]] if "notes" in stated else []
    said += dict.fromkeys(standing.note for standing in standings if standing.note)
    return " ".join(said) or None


def _games(number: int) -> str:
    return "One game is" if number == 1 else f"{number} games are"
