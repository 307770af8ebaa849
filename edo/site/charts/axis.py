"""Axes of charts: where values lie, where labelled lines stand, and lines as SVG writes them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]

LETTER = 0.55
"""The mean width of a letter of the site's font, as a share of its size."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled line of a grid; `at` is its x or y."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis on which `low` lies at `start` and `high` at `end`, in units of the view box.

    As y grows downwards in a picture, a vertical axis starts at the greater y.
    """

    low: float
    high: float
    start: float
    end: float

    def exact(self, value: float) -> float:
        """Return where a value lies."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def at(self, value: float) -> float:
        """Return where a value lies, to a tenth of a unit, so that files are short."""
        return round(self.exact(value), 1)

    def within(self, value: float) -> float:
        """Return where a value lies, at the end of the axis where it lies beyond."""
        return self.at(min(max(value, self.low), self.high))

    def holds(self, value: float) -> bool:
        """Whether a value lies on the axis."""
        return self.low <= value <= self.high

    def multiples(self, step: int) -> range:
        """Return the multiples of a step that lie on the axis."""
        return range(math.ceil(self.low / step) * step, math.floor(self.high) + 1, step)

    def ticks(self, step: int) -> tuple[Tick, ...]:
        """Return the multiples of a step, each labelled with its number."""
        return tuple(Tick(self.at(value), str(value)) for value in self.multiples(step))


@dataclass(frozen=True, slots=True)
class Rectangle:
    """The room of a word or a circle, in units of the view box; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Rectangle) -> bool:
        """Whether the two share any area."""
        is_across = self.left < other.right and other.left < self.right
        return is_across and self.top < other.bottom and other.top < self.bottom

    def is_in(self, other: Rectangle) -> bool:
        """Whether all of it lies in the other."""
        is_within = other.left <= self.left and self.right <= other.right
        return is_within and other.top <= self.top and self.bottom <= other.bottom

    def moved_into(self, other: Rectangle) -> Rectangle:
        """Return the rectangle, moved so that it lies in the other."""
        dx = max(other.left - self.left, 0.0) + min(other.right - self.right, 0.0)
        dy = max(other.top - self.top, 0.0) + min(other.bottom - self.bottom, 0.0)
        return Rectangle(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)


def step_of(span: float, steps: Sequence[int], most: float) -> int:
    """Return the first step that goes into a span at most so many times, else the last one."""
    return next((step for step in steps if span / step <= most), steps[-1])


def path(points: Iterable[Point]) -> str:
    """Return the `d` of an SVG path through the points, each by its way from the one before.

    That is a quarter shorter than where they lie, also because a minus parts two numbers.
    """
    first, *others = points
    steps = "".join(
        _step(after[k] - before[k])
        for before, after in pairwise([first, *others])
        for k in range(2)
    )
    return f"M{first[0]:g} {first[1]:g}" + (f"l{steps.lstrip()}" if steps else "")


def _step(length: float) -> str:
    """Return a part of a way to a hundredth of a unit, with a blank before it where it needs one.

    Points lie at tenths (`Axis.at`), so that nothing adds up.
    """
    shown = f"{round(length, 2) + 0.0:g}"  # no minus before a zero
    if abs(length) < 1:
        shown = shown.replace("0.", ".", 1)
    return shown if shown.startswith("-") else f" {shown}"


def polyline(points: Iterable[Point]) -> str:
    """Return points as `polyline` and `polygon` list them."""
    return " ".join(f"{x:g},{y:g}" for x, y in points)
