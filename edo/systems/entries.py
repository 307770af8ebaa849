"""Nothing in; every rating system that the site shows out."""

from __future__ import annotations

from edo.systems import bayeselo, classic, davidson, elo, elostat, sonas
from edo.systems.system import System

SYSTEMS: tuple[System, ...] = (
    classic.EDO,
    classic.EDO_RAW,
    elo.FIDE,
    elo.USCF,
    sonas.SONAS,
    davidson.DAVIDSON,
    bayeselo.BAYESELO,
    elostat.ELOSTAT,
)
"""In the order in which they are shown."""
