"""What moved in, a JSON file for other programs out.

Its shape is stable: keys are added, never renamed, as long as `format` is 1. Ratings are in Elo
points with three decimals; what is not known is null. `edits` has a record each, with `kind`,
`id`, `former` (the id before, or null), `name`, `state` (added, removed, changed) and `fields`
(`what`, `old`, `new`). `events` are those whose pairings changed: `id`, and of its change alone
`of_all` (the median of all shifts), `came`, `left` (players), null where it was not tried.
`moves` have `causes` (`event`, `effect`) and `together`, the rest of the change.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from edo.movements.editions import Rating
from edo.movements.movement import Career, Move, Movement

FORMAT = 1
DECIMALS = 3


def as_json(movement: Movement, most: int | None = None) -> str:
    """Return the file, with at most so many rows a list of moves, ranks and edits; None: all."""
    found: dict[str, Any] = {
        "format": FORMAT,
        "old": movement.old,
        "new": movement.new,
        "of_all": _round(movement.of_all),
        "ratings": movement.shared,
        "moved": movement.moved,
        "moved_far": movement.far,
        "untried": movement.attribution.untried,
        "by_program": _round(movement.attribution.by_program),
        "edits": [_edit(edit) for edit in movement.edits[:most]],
        "events": [_event(event, movement) for event in movement.attribution.events[:most]],
        "moves": [_move(move, movement) for move in movement.moves[:most]],
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
        "of_all": None if effect is None else _round(effect.of_all),
        "came": None if effect is None else sorted(effect.came),
        "left": None if effect is None else sorted(effect.left),
    }


def _move(move: Move, movement: Movement) -> dict[str, Any]:
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
