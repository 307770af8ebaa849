"""Rows of results and the rules for them in, an event's games with what is said of each out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from edo.importers.rules import Rules, Treatment
from edo.importers.table import ResultRow

Pair = frozenset[str]

_LAST = (10**6,)  # games without a round number come after the numbered ones


@dataclass(frozen=True, slots=True)
class Game:
    """A game of the table as the event file shows it.

    `uncounted` is the reason why the final table does not count it.
    """

    row: ResultRow
    colours: bool = True
    uncounted: str | None = None
    note: str | None = None
    unrated: str | None = None
    default: str | None = None

    @property
    def pair(self) -> Pair:
        """Return the two players."""
        return frozenset((self.row.white, self.row.black))

    @property
    def remark(self) -> dict[str, str]:
        """Return what is said of the game, by field of the event file."""
        said = {
            "uncounted": self.uncounted,
            "unrated": self.unrated,
            "default": self.default,
            "note": self.note,
        }
        return {name: text for name, text in said.items() if text is not None}

    @property
    def has_row(self) -> bool:
        """Whether the game stands in the table of results; else only the rules know of it."""
        return self.row.line > 0

    @property
    def counted(self) -> bool:
        """Whether the final table counts the game."""
        return self.uncounted is None

    def points(self, player: str) -> float:
        """Return the points [points] of one of the two."""
        return self.row.score if player == self.row.white else 1.0 - self.row.score

    def mark(self, player: str) -> str:
        """Return the game as a crosstable prints it in the player's row."""
        points = self.points(player)
        marks = "-+" if self.default else "01"
        value = "=" if points == 0.5 else marks[int(points)]
        colour = "w" if player == self.row.white else "b"
        return value + (colour if self.colours else "")


@dataclass(frozen=True, slots=True)
class Dropped:
    """A row that the rules leave out, and why."""

    row: ResultRow
    reason: str


def treated(rows: Iterable[ResultRow], rules: Rules) -> tuple[list[Game], list[Dropped]]:
    """Return the games in playing order as far as round numbers tell it, and the rows left out."""
    games, dropped = [], []
    ruled = [(row, [rule for rule in rules.treatments if rule.applies(row)]) for row in rows]
    for row, treatments in sorted(ruled, key=_order):
        drop = next((rule for rule in treatments if rule.treatment == "drop"), None)
        if drop is not None:
            dropped.append(Dropped(row, drop.text))
        else:
            games.append(_game(row, treatments))
    return games, dropped


def by_default(rules: Rules, event: str) -> list[Game]:
    """Return the event's games won without play that only the rules know of."""
    return [
        Game(
            ResultRow(event, "", (), stated.winner, stated.loser, 1.0, "", "", line=0),
            colours=False,
            default=stated.text,
        )
        for stated in rules.defaults
        if stated.event == event
    ]


def by_pair(games: Iterable[Game]) -> dict[Pair, list[Game]]:
    """Return each pair's games, in the order in which the games come."""
    pairs: dict[Pair, list[Game]] = {}
    for game in games:
        pairs.setdefault(game.pair, []).append(game)
    return pairs


def players_of(games: Iterable[Game]) -> list[str]:
    """Return everyone who plays in the games, sorted."""
    return sorted({player for game in games for player in game.pair})


def marks(games: Sequence[Game], player: str) -> str:
    """Return a pair's games in order as the player's cell of a crosstable."""
    return "".join(game.mark(player) for game in games)


def _order(ruled: tuple[ResultRow, Sequence[Treatment]]) -> tuple[bool, tuple[int, ...], int]:
    row, treatments = ruled
    replay = any(rule.treatment == "replay" for rule in treatments)
    return replay, row.round or _LAST, row.line


def _game(row: ResultRow, treatments: Sequence[Treatment]) -> Game:
    names = {rule.treatment for rule in treatments}
    notes = [rule.text for rule in treatments if rule.treatment in ("note", "replay")]
    explained = any(rule.pattern for rule in treatments)
    if row.note and not explained:
        notes.insert(0, row.note)
    return Game(
        row,
        colours="colours unknown" not in names,
        uncounted=_text(treatments, "outside table"),
        note=" ".join(note for note in notes if note) or None,
        unrated=_text(treatments, "unrated"),
        default=_text(treatments, "default"),
    )


def _text(treatments: Sequence[Treatment], name: str) -> str | None:
    return next((rule.text for rule in treatments if rule.treatment == name), None)
