"""A rating system in, what it makes use of beside the scores, for the list of all systems, out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Traits:
    """What a system makes use of.

    `colours`: that White moves first; `draws`: how often games are drawn, beyond their half
    points; `odds`: games at odds, which others leave out.
    """

    colours: bool = False
    draws: bool = False
    odds: bool = False


TRAITS: Mapping[str, Traits] = {
    "edo": Traits(odds=True),
    "edo-raw": Traits(odds=True),
    "edo-integrated": Traits(colours=True, draws=True, odds=True),
    "whr": Traits(odds=True),
    "sonas": Traits(colours=True),
    "elo-davidson": Traits(colours=True, draws=True),
    "spinrad": Traits(odds=True),
    "bayeselo": Traits(colours=True, draws=True),
    "trueskill": Traits(draws=True),
    "ttt": Traits(draws=True),
    "ttt-d": Traits(draws=True),
}
"""By the id of the system; those that are not named use scores alone."""
NONE = Traits()


def traits_of(slug: str) -> Traits:
    """Return what a system makes use of."""
    return TRAITS.get(slug, NONE)
