"""All rating systems that the site shows."""

from __future__ import annotations

from edo.systems import (
    bayeselo,
    bradley_terry,
    chessmetrics,
    edo,
    edo_integrated,
    elo,
    glicko,
    spinrad,
    ttt,
    whr,
)
from edo.systems.system import System

SYSTEMS: tuple[System, ...] = (
    edo.EDO,
    edo.EDO_RAW,
    edo_integrated.EDO_INTEGRATED,
    bradley_terry.BRADLEY_TERRY,
    whr.WHR,
    elo.FIDE,
    elo.USCF,
    elo.SONAS,
    elo.DAVIDSON,
    glicko.GLICKO,
    glicko.GLICKO_2,
    spinrad.SPINRAD,
    chessmetrics.CHESSMETRICS,
    bayeselo.BAYESELO,
    bayeselo.ELOSTAT,
    ttt.TRUESKILL,
    ttt.TTT,
    ttt.TTT_D,
)
"""In the order in which they are shown."""
