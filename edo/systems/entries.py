"""Nothing in; every rating system that the site shows out."""

from __future__ import annotations

from edo.systems import classic
from edo.systems.system import System

SYSTEMS: tuple[System, ...] = (
    classic.EDO,
    classic.EDO_RAW,
)
"""In the order in which they are shown."""
