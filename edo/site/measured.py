"""What was measured on the results and systems of this site.

Measurements take minutes and are kept in files, so results may have changed since. Then no page
shows them.
"""

from __future__ import annotations

from functools import lru_cache

from edo.rating.games import games_of
from edo.site.input import SiteInput
from edo.systems.all_ratings import REFERENCE, systems_with
from edo.systems.evaluation import contest, tuning
from edo.systems.evaluation.contest import Contest
from edo.systems.evaluation.tuning import Tuning


@lru_cache(maxsize=1)
def contest_of(site: SiteInput) -> Contest | None:
    """Return the contest, None where there was none of these games and systems."""
    if site.contest is None:
        return None
    games = site.systems.games or games_of(site.dataset)
    now = contest.fingerprint_of(games, systems_with(site.ratings.settings))
    return site.contest if site.contest.fingerprint == now else None


@lru_cache(maxsize=1)
def tuning_of(site: SiteInput) -> Tuning | None:
    """Return what `tune` measured, None where nothing of these results and settings."""
    if site.tuning is None:
        return None
    by_edo = site.ratings if site.ratings.settings.system == REFERENCE else site.second
    now = tuning.fingerprint_of(by_edo.pairings, by_edo.settings)
    return site.tuning if site.tuning.fingerprint == now else None
