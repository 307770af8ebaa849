"""Means of differences in; how a game's outcome bends a normal distribution of them out.

A difference x with a normal distribution N(t, 1) is seen to have been positive, or small. Then
log P as a function of t is all that a message needs: its value, its slope (v of TrueSkill) and
its negative curvature (w, between 0 and 1).

Source: Herbrich, Minka & Graepel, TrueSkill: A Bayesian Skill Rating System (2007).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import log_ndtr, ndtr, owens_t

from edo.systems.games import Floats

_LOG_ROOT = 0.5 * math.log(2 * math.pi)
_TINY = 1e-300


class Bend(NamedTuple):
    """The logarithm of the probability of what was seen (m,) [nat], its slope, its curvature."""

    log_mass: Floats
    slope: Floats
    curvature: Floats


def positive(t: Floats) -> Bend:
    """Return the bend of x > 0 for means (m,) in standard deviations of x."""
    log_mass = np.asarray(log_ndtr(t))
    slope = np.exp(_log_density(t) - log_mass)
    return Bend(log_mass, slope, slope * (slope + t))


def small(t: Floats, margin: Floats) -> Bend:
    """Return the bend of |x| <= margin for means and margins (m,) in standard deviations of x."""
    far = np.abs(t)  # the tails are exact on this side; the other is its mirror
    upper, lower = margin - far, -margin - far
    log_upper = np.asarray(log_ndtr(upper))
    log_mass = log_upper + np.log1p(-np.exp(log_ndtr(lower) - log_upper))
    at_upper, at_lower = (np.exp(_log_density(x) - log_mass) for x in (upper, lower))
    slope = at_lower - at_upper
    curvature = slope**2 + upper * at_upper - lower * at_lower
    return Bend(log_mass, np.where(t < 0, -slope, slope), curvature)


class Corner(NamedTuple):
    """As a `Bend`, of two normal variables together.

    Slopes (2, m) and curvatures (2, m) are by the mean of each, `mixed` (m,) by both.
    """

    log_mass: Floats
    slope: Floats
    curvature: Floats
    mixed: Floats


def both_positive(t: Floats, correlation: Floats, rest: Floats) -> Corner:
    """Return the corner of x > 0 and y > 0 for means (2, m) in their standard deviations.

    `rest` (m,) is 1 - correlation^2, which has lost its digits where the correlation is near 1.
    Source: Owen, Tables for Computing Bivariate Normal Probabilities (1956).
    """
    t = np.where(t == 0, _TINY, t)
    other, root = t[::-1], np.sqrt(rest)
    owen = owens_t(t, (other / t - correlation) / root)
    mass = (0.5 * ndtr(t) - owen).sum(axis=0) - 0.5 * (t[0] * t[1] < 0)
    log_mass = np.log(np.maximum(mass, _TINY))
    by_one = np.exp(_log_density(t) + log_ndtr((other - correlation * t) / root) - log_mass)
    square = (t[0] ** 2 - 2 * correlation * t[0] * t[1] + t[1] ** 2) / rest
    by_both = np.exp(-0.5 * square - 2 * _LOG_ROOT - log_mass) / root
    curvature = by_one**2 + t * by_one + correlation * by_both
    return Corner(log_mass, by_one, curvature, by_one[0] * by_one[1] - by_both)


def _log_density(x: Floats) -> Floats:
    return -0.5 * x**2 - _LOG_ROOT
