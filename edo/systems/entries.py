"""Nothing in; every rating system that the site shows out."""

from __future__ import annotations

from edo.systems import (
    bayeselo,
    chessmetrics,
    classic,
    davidson,
    elo,
    elostat,
    glicko,
    glicko2,
    integrated,
    sonas,
    spinrad,
    static,
    trueskill,
    ttt,
    tttd,
    whr,
)
from edo.systems.system import System

SYSTEMS: tuple[System, ...] = (
    classic.EDO,
    classic.EDO_RAW,
    integrated.EDO_INTEGRATED,
    static.BRADLEY_TERRY,
    whr.WHR,
    elo.FIDE,
    elo.USCF,
    sonas.SONAS,
    davidson.DAVIDSON,
    glicko.GLICKO,
    glicko2.GLICKO_2,
    spinrad.SPINRAD,
    chessmetrics.CHESSMETRICS,
    bayeselo.BAYESELO,
    elostat.ELOSTAT,
    trueskill.TRUESKILL,
    ttt.TTT,
    tttd.TTT_D,
)
"""In the order in which they are shown."""
