"""What moved in; sentences about it, the same for the terminal, Markdown and the site, out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from edo import formats
from edo.movements.attribution import Attribution
from edo.movements.edits import KINDS, Edit
from edo.movements.event_edits import FieldEdit
from edo.movements.movement import LARGE, NOTHING, Career, Move, Movement, RankChange

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
        yield _of_all(movement.of_all)
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
    moved = sum(abs(shift - effect.of_all) >= 1 for shift in effect.shifts.values())
    words = f"alone it moves {formats.counted(moved, 'rating')} by 1 point or more"
    if abs(effect.of_all) >= SHOWN:
        words += f", and all by {formats.signed(effect.of_all, 1)}"
    return words if moved or abs(effect.of_all) >= NOTHING else "alone it moves nothing by a point"
