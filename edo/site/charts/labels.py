"""Placement of names next to their curves, without overlaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

GAP = 4.0  # [px] between a curve and its name
_STEP = 3.0  # [px] between the points at which curves are looked at
_OVER_NAME, _OVER_CURVE = 1000.0, 6.0  # costs: of touching a name, of covering a point of a curve
_FAR, _BESIDE = 0.05, 2.0  # costs: of each px away from the highest point, of standing below


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle [px]; y goes up."""

    left: float
    bottom: float
    right: float
    top: float

    def covers(self, points: Floats) -> int:
        """Return how many points (n, 2) [px] lie inside."""
        x, y = points[:, 0], points[:, 1]
        inside = (self.left < x) & (x < self.right) & (self.bottom < y) & (y < self.top)
        return int(inside.sum())

    def overlaps(self, other: Box) -> bool:
        """Whether the two share any area."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.bottom < other.top
            and other.bottom < self.top
        )

    def is_in(self, other: Box) -> bool:
        """Whether all of it lies in the other."""
        return (
            other.left <= self.left
            and self.right <= other.right
            and other.bottom <= self.bottom
            and self.top <= other.top
        )


def place_names(
    curves: Sequence[Floats], widths: Sequence[float], height: float, frame: Box
) -> list[Box]:
    """Return a box for the name of each curve, above or below it, as near its top as is free.

    `curves` are points (n, 2) [px] from left to right, `widths` and `height` the sizes of the
    names [px]. The names are placed one by one, that of the highest curve first.
    """
    dense = [_dense(curve) for curve in curves]
    everything = np.concatenate(dense)
    placed: dict[int, Box] = {}
    for k in sorted(range(len(curves)), key=lambda k: (-dense[k][:, 1].max(), k)):
        candidates = [
            box for box in _candidates(dense[k], widths[k], height) if box[0].is_in(frame)
        ] or [(_clamped(_candidates(dense[k], widths[k], height)[0][0], frame), 0.0)]
        costs = [
            cost
            + _OVER_CURVE * box.covers(everything)
            + _OVER_NAME * sum(box.overlaps(other) for other in placed.values())
            for box, cost in candidates
        ]
        placed[k] = candidates[int(np.argmin(costs))][0]
    return [placed[k] for k in range(len(curves))]


def _candidates(curve: Floats, width: float, height: float) -> list[tuple[Box, float]]:
    """Return the boxes centred on, beginning at and ending at each point, with what each costs."""
    summit = curve[np.argmax(curve[:, 1])]
    found: list[tuple[Box, float]] = []
    for x, y in curve:
        away = _FAR * float(np.hypot(x - summit[0], y - summit[1]))
        for left in (x - width / 2, x + GAP, x - width - GAP):
            for bottom, extra in ((y + GAP, 0.0), (y - height - GAP, _BESIDE)):
                box = Box(left, bottom, left + width, bottom + height)
                found.append((box, away + extra))
    return found


def _clamped(box: Box, frame: Box) -> Box:
    """Return the box moved into the frame."""
    dx = max(frame.left - box.left, 0.0) + min(frame.right - box.right, 0.0)
    dy = max(frame.bottom - box.bottom, 0.0) + min(frame.top - box.top, 0.0)
    return Box(box.left + dx, box.bottom + dy, box.right + dx, box.top + dy)


def _dense(curve: Floats) -> Floats:
    """Return the curve with a point every few px, so that long lines count for what they cover."""
    if len(curve) == 1:
        return curve
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(curve, axis=0).T))])
    at = np.arange(0.0, lengths[-1] + _STEP, _STEP)
    return np.column_stack([np.interp(at, lengths, curve[:, d]) for d in (0, 1)])
