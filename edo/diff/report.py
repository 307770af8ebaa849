"""What moved in; sentences about it, the same for the terminal, Markdown and the site, out."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, TypeVar

from edo.core import formats
from edo.diff.attribution import Attribution
from edo.diff.compare import LARGE, LEADING, NOTHING, Career, Move, Movement, RankChange
from edo.diff.edits import KINDS, Edit, FieldEdit
from edo.diff.snapshot import Rating

ARROW = "→"
NOBODY = "nobody"
LONG = 160  # [characters] of a text that is told whole
LEAD = 20  # [characters] told of what two long texts begin with alike
SHOWN = 0.05  # [Elo] what would be printed as 0.0 is not


def summary(movement: Movement) -> Iterator[str]:
    """Yield what is to be known of the whole, a sentence each."""
    if movement.is_still:
        yield "Nothing is different."
        return
    yield _edited(movement.edits)
    if movement.shared:
        yield _of_all(movement.median_shift)
        of = formats.count(movement.shared)
        yield (
            f"Beyond that {formats.count(movement.moved)} of {of} ratings moved by 1 point or "
            f"more, {formats.count(movement.far)} by {formats.fixed(LARGE, 0)} or more."
        )
    yield from _caveats(movement.attribution)


def _edited(edits: tuple[Edit, ...]) -> str:
    counts = Counter((edit.kind, edit.state) for edit in edits)
    parts = [
        f"{formats.counted(n, KINDS[kind], many(kind))} {state}"
        for (kind, state), n in counts.items()
    ]
    return f"{', '.join(parts)}." if parts else "No record was changed by an editor."


def many(kind: str) -> str:
    """Return what several records of a kind are called."""
    return {"odds": "kinds of odds"}.get(kind, kind)


def _of_all(shift: float) -> str:
    if abs(shift) < SHOWN:
        return "The scale as a whole stayed where it was."
    return (
        f"All ratings have a shift of {formats.signed(shift, 1)} in common, which is their median."
    )


def _caveats(attribution: Attribution) -> Iterator[str]:
    if attribution.untried is not None:
        yield f"The moves are not told apart by events: {attribution.untried}."
    if attribution.by_program is not None:
        yield (
            "This program rates the old results otherwise than they were rated, by up to "
            f"{formats.fixed(attribution.by_program, 2)} points: a part of what moved is its doing."
        )


def edit_line(edit: Edit) -> str:
    """Return what happened to a record, without its fields."""
    was = f", before {edit.former}" if edit.former else ""
    return f"{edit.name} ({edit.id}{was})"


def field_line(field: FieldEdit) -> str:
    """Return what changed in a field."""
    old, new = (" ".join(text.split()) for text in (field.old, field.new))
    if not old:
        return f"{field.what}: added {_cut(new)}"
    if not new:
        return f"{field.what}: removed {_cut(old)}"
    alike = (k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
    same = next(alike, min(len(old), len(new))) - LEAD
    if max(len(old), len(new)) > LONG and same > 0:
        old, new = f"…{old[same:]}", f"…{new[same:]}"
    return f"{field.what}: {_cut(old)} {ARROW} {_cut(new)}"


def _cut(text: str) -> str:
    return text if len(text) <= LONG else f"{text[: LONG - 1]}…"


def rating_change(move: Move) -> str:
    """Return a rating before and after with its deviations, `2763 (31) → 2780 (30)`."""
    old, new = (formats.rating_with_deviation(r.rating, r.deviation) for r in (move.old, move.new))
    return f"{old} {ARROW} {new}"


def causes(move: Move, movement: Movement) -> str:
    """Return which events did it, each with its own effect, and what they do only together."""
    parts = [
        f"{movement.events.get(cause.event, cause.event)} {formats.signed(cause.effect, 1)}"
        for cause in move.causes
        if abs(cause.effect) >= SHOWN
    ]
    if move.together is None:
        return ", ".join(parts) or "not known"
    if abs(move.together) >= SHOWN or not parts:
        word = "together" if len(parts) > 1 else "otherwise"
        parts.append(f"{word} {formats.signed(move.together, 1)}")
    return ", ".join(parts)


def rank_change(change: RankChange, movement: Movement) -> str:
    """Return who went from which place to which."""
    name = movement.players.get(change.player, change.player)
    old, new = ("unrated" if r is None else formats.rank(r) for r in (change.old, change.new))
    return f"{name} {old} {ARROW} {new}"


def career(change: Career, movement: Movement) -> str:
    """Return what became of a player's rated years."""
    name = movement.players.get(change.player, change.player)
    old, new = (
        "unrated" if span is None else formats.years(*span) for span in (change.old, change.new)
    )
    by = ", ".join(movement.events.get(event, event) for event in change.events)
    parts = [f"{name}: {old} {ARROW} {new}"]
    if by:
        parts.append(f"by {by}")
    if change.new is None and change.reason:
        parts.append(change.reason.rstrip("."))
    return "; ".join(parts)


def first(player: str | None, movement: Movement) -> str:
    """Return the name of a number one."""
    return NOBODY if player is None else movement.players.get(player, player)


def of_event(event: str, movement: Movement) -> str | None:
    """Return what an event's change alone does to all ratings, None where nothing is known."""
    effect = movement.attribution.effects.get(event)
    if effect is None:
        return None
    moved = sum(abs(shift - effect.median_shift) >= 1 for shift in effect.shifts.values())
    words = f"alone it moves {formats.counted(moved, 'rating')} by 1 point or more"
    if abs(effect.median_shift) >= SHOWN:
        words += f", and all by {formats.signed(effect.median_shift, 1)}"
    return (
        words
        if moved or abs(effect.median_shift) >= NOTHING
        else "alone it moves nothing by a point"
    )


FORMAT = 1
DECIMALS = 3


def as_json(movement: Movement, most: int | None = None) -> str:
    """Return the file, with at most so many rows a list of moves, ranks and edits; None: all."""
    found: dict[str, Any] = {
        "format": FORMAT,
        "old": movement.old,
        "new": movement.new,
        "of_all": _round(movement.median_shift),
        "ratings": movement.shared,
        "moved": movement.moved,
        "moved_far": movement.far,
        "untried": movement.attribution.untried,
        "by_program": _round(movement.attribution.by_program),
        "edits": [_edit(edit) for edit in movement.edits[:most]],
        "events": [_event(event, movement) for event in movement.attribution.events[:most]],
        "moves": [_move_json(move, movement) for move in movement.moves[:most]],
        "number_ones": [asdict(one) for one in movement.number_ones[:most]],
        "ranks": [asdict(one) for one in movement.ranks[:most]],
        "careers": [_career(one, movement) for one in movement.careers[:most]],
    }
    return json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _edit(edit: Any) -> dict[str, Any]:
    return asdict(edit)


def _event(event: str, movement: Movement) -> dict[str, Any]:
    effect = movement.attribution.effects.get(event)
    return {
        "id": event,
        "name": movement.events.get(event),
        "of_all": None if effect is None else _round(effect.median_shift),
        "came": None if effect is None else sorted(effect.came),
        "left": None if effect is None else sorted(effect.left),
    }


def _move_json(move: Move, movement: Movement) -> dict[str, Any]:
    return {
        "player": move.player,
        "name": movement.players.get(move.player),
        "year": move.year,
        "old": _rating(move.old),
        "new": _rating(move.new),
        "change": _round(move.change),
        "own": _round(move.own),
        "causes": [{"event": c.event, "effect": _round(c.effect)} for c in move.causes],
        "together": _round(move.together),
    }


def _rating(one: Rating) -> dict[str, Any]:
    return {
        "rating": _round(one.rating),
        "deviation": _round(one.deviation),
        "rank": one.rank,
    }


def _career(one: Career, movement: Movement) -> dict[str, Any]:
    return {
        "player": one.player,
        "name": movement.players.get(one.player),
        "old": one.old,
        "new": one.new,
        "reason": one.reason,
        "events": one.events,
    }


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, DECIMALS) + 0.0  # no -0.0


ROWS = 20  # of each part, where not all are asked for

Item = TypeVar("Item")

_SPECIAL = re.compile(r"([\\`*_\[\]|~$])")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the report: rows of a table with their heads; `hidden` more were left out.

    Cells may hold several lines; on a terminal those of a last column stand below their row.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    hidden: int = 0


def as_text(movement: Movement, most: int | None = ROWS) -> str:
    """Return the report for a terminal: at most so many rows a part, all where None."""
    lines = [f"{movement.old} {ARROW} {movement.new}"]
    lines += summary(movement)
    for part in parts(movement, most):
        lines += ["", part.title]
        lines += (f"  {line}" for line in _columns(part.rows))
        lines += _rest(part, "  ")
    return "\n".join(lines) + "\n"


def as_markdown(movement: Movement, most: int | None = ROWS) -> str:
    """Return the report in GitHub's Markdown; nothing in names or notes is taken for markup."""
    arrow = ARROW
    lines = [f"## What moved: {escaped(movement.old)} {arrow} {escaped(movement.new)}", ""]
    lines += (escaped(sentence) + "  " for sentence in summary(movement))
    for part in parts(movement, most):
        lines += ["", f"### {escaped(part.title)}", ""]
        lines += _table(part)
        lines += ("\n" + escaped(line) for line in _rest(part, ""))
    return "\n".join(lines) + "\n"


def parts(movement: Movement, most: int | None) -> Iterator[Part]:
    """Yield the parts that have something to tell."""
    for made in _PARTS:
        for title, heads, rows in made(movement):
            if rows:
                shown = rows if most is None else rows[:most]
                yield Part(title, heads, tuple(shown), len(rows) - len(shown))


def escaped(text: str) -> str:
    """Return text that Markdown shows as it is, in a paragraph or a cell of a table."""
    flat = " ".join(text.split())
    return (
        _SPECIAL.sub(r"\\\1", flat).replace("<", "&lt;").replace(">", "&gt;").replace("@", "&#64;")
    )


Made = Iterator[tuple[str, tuple[str, ...], Sequence[tuple[str, ...]]]]


def _edits(movement: Movement) -> Made:
    for kind, of_kind in groupby(movement.edits, key=lambda edit: edit.kind):
        rows = [(e.state, edit_line(e), _fields(e, movement)) for e in of_kind]
        yield many(kind).capitalize(), ("", "which", "what changed"), rows
    silent = set(movement.attribution.events) - {e.id for e in movement.edits if e.kind == "events"}
    yield (
        "Events rated otherwise, though nobody changed them",
        ("event", "what it does"),
        [
            (movement.events.get(event, event), of_event(event, movement) or "")
            for event in sorted(silent)
        ],
    )


def _fields(edit: Edit, movement: Movement) -> str:
    lines = [field_line(field) for field in edit.fields]
    alone = of_event(edit.id, movement) if edit.kind == "events" else None
    return "\n".join([*lines, alone] if alone else lines)


def _moves(movement: Movement) -> Made:
    """Yield the players who moved most: of each the year that moved most, and how many did."""
    most: dict[str, tuple[Move, int]] = {}
    for move in movement.moves:
        first, years = most.get(move.player, (move, 0))
        most[move.player] = first, years + 1
    yield (
        "Ratings that moved most: of each player the year that moved most",
        ("player", "year", "rating", "moved", "years moved", "which event did it"),
        [_move(move, years, movement) for move, years in most.values()],
    )


def _move(move: Move, years: int, movement: Movement) -> tuple[str, ...]:
    return (
        movement.players.get(move.player, move.player),
        str(move.year),
        rating_change(move),
        formats.signed(move.change, 1),
        formats.counted(years, "year"),
        causes(move, movement),
    )


def _number_ones(movement: Movement) -> Made:
    yield (
        "Number ones that changed",
        ("year", "before", "now"),
        [
            (str(n.year), *(first(one, movement) for one in (n.old, n.new)))
            for n in movement.number_ones
        ],
    )


def _ranks(movement: Movement) -> Made:
    for title, leading in (
        (f"Ranks that changed among the first {LEADING}", True),
        ("Ranks that changed below", False),
    ):
        found = [change for change in movement.ranks if (change.best <= LEADING) == leading]
        rows = [
            (str(year), ", ".join(rank_change(c, movement) for c in changes))
            for year, changes in groupby(found, key=lambda change: change.year)
        ]
        yield title, ("year", "who"), rows


def _careers(movement: Movement) -> Made:
    came = [c for c in movement.careers if c.old is None]
    left = [c for c in movement.careers if c.new is None]
    other = [c for c in movement.careers if c.old is not None and c.new is not None]
    for title, careers in (
        ("Players who came in", came),
        ("Players who fell out", left),
        ("Players whose rated years changed", other),
    ):
        yield title, ("who",), [(career(c, movement),) for c in careers]


_PARTS: tuple[Callable[[Movement], Made], ...] = (_edits, _moves, _number_ones, _ranks, _careers)


def _columns(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield the rows in columns as wide as the widest cell.

    The last one may be of any length; where it has several lines in one row, it is put below.
    """
    below = any("\n" in row[-1] for row in rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths[:-1], strict=True)]
        yield "  ".join(cells if below else [*cells, row[-1]]).rstrip()
        yield from (f"    {line}" for line in row[-1].splitlines() if below)


def _table(part: Part) -> Iterator[str]:
    yield _cells(part.heads)
    yield "|" + " --- |" * len(part.heads)
    for row in part.rows:
        yield _cells(row)


def _cells(row: Iterable[str]) -> str:
    cells = ("<br>".join(map(escaped, cell.splitlines())) for cell in row)
    return "| " + " | ".join(cells) + " |"


def _rest(part: Part, indent: str) -> list[str]:
    hidden = formats.count(part.hidden)
    return [f"{indent}and {hidden} more; --all shows them"] if part.hidden else []
