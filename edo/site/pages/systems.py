"""The pages of the rating systems: the list of all, and one for each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import isnan

import numpy as np

from edo.core import formats
from edo.core.scale import Bools, Floats, Ints
from edo.history.project import CONFIG_FILE
from edo.site import markup, placeholders, urls
from edo.site.input import Link, Page, SiteInput, neighbours
from edo.site.pages.content_values import system_values, words_of
from edo.site.pages.method import SYSTEMS_LEAD, SYSTEMS_TITLE
from edo.systems.all_ratings import REFERENCE, SYSTEMS, AllRatings, SystemRatings
from edo.systems.base import ParameterInfo, System, parameters_of
from edo.systems.evaluation.contest import Contest

LEADING = 10  # how many are the leading players of a decade
FARTHEST = 10  # disagreements with Edo that are shown


@dataclass(frozen=True, slots=True)
class Leader:
    """One of the leading players, the rating with its deviation [Elo], and its year.

    `year` is None where it goes without saying, or where the rating is the same in all years.
    """

    player: str
    name: str
    rating: float
    deviation: float | None
    year: int | None = None
    is_gap: bool = False


@dataclass(frozen=True, slots=True)
class LeadingRow:
    """The leading players of a decade: the best first, None past the last."""

    head: Link
    leaders: tuple[Leader | None, ...]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of all systems, and the page of each."""
    yield Page(
        path=urls.SYSTEMS,
        template="systems.html",
        view=partial(systems_view, site),
        title=SYSTEMS_TITLE,
        description=SYSTEMS_LEAD,
    )
    for system, pager in zip(SYSTEMS, neighbours([link_of(one) for one in SYSTEMS]), strict=True):
        slug = f"system-{system.slug}"
        title, lead, body = markup.split(site.content[slug], slug)
        text = title, placeholders.filled(lead, words_of(site), slug), body
        yield Page(
            path=urls.system(system.slug),
            template="system.html",
            view=partial(system_view, site, system, text, pager),
            title=text[0],
            description=text[1],
        )


def link_of(system: System) -> Link:
    """Return the link to the page of a system."""
    return Link(system.name, urls.system(system.slug))


def systems_view(site: SiteInput) -> Mapping[str, object]:
    """Return the list of all systems."""
    systems, reference = site.systems, site.systems.column(REFERENCE)
    return {
        "known": len(systems.players),
        "rows": [_system_row(one, systems, reference) for one in SYSTEMS],
    }


def _system_row(
    system: System, systems: AllRatings, reference: SystemRatings | None
) -> Mapping[str, object]:
    """Return the line of a system in the list of all.

    `spread` is the standard deviation of its ratings and `differs` their mean distance from Edo's
    [Elo], None where they are not known; `refused` is the reason why it could rate nothing.
    """
    column = systems.column(system.slug)
    measured = (
        None
        if column is None or reference is None
        else spread_and_difference(systems, column, reference)
    )
    spread, differs = (None, None) if measured is None else measured
    return {
        "system": link_of(system),
        "since": system.since,
        "uses_later_results": system.direction != "forwards",
        "varies": is_moving(system),
        "uses": system.uses,
        "has_deviations": column is not None and bool(np.isfinite(column.deviation).any()),
        "players": None if column is None else _players_rated(column, systems),
        "spread": spread,
        "differs": None if system.slug == REFERENCE else differs,
        "refused": None if column is None else column.refused,
    }


def _players_rated(column: SystemRatings, systems: AllRatings) -> int:
    return np.unique(systems.player_years.player[column.rated]).size


def system_view(
    site: SiteInput,
    system: System,
    text: tuple[str, str, str],
    pager: tuple[Link | None, Link | None],
) -> Mapping[str, object]:
    """Return what the page of a system shows; `pager` are the links to those around it.

    `placed` are the test, the place, among how many, and the log loss [nat] in the contest, and
    `fitted` the parameters estimated from the games.
    """
    systems, reference = site.systems, site.systems.column(REFERENCE)
    column = systems.column(system.slug)
    body = placeholders.filled(text[2], system_values(site, column), f"system-{system.slug}")
    return {
        "lead": text[1],
        "text": markup.article(body, urls.system(system.slug)),
        "author": system.author,
        "since": system.since,
        "direction": system.direction,
        "counts": _counts(column, systems, reference),
        "shift": 0.0 if column is None else column.shift,
        "log_evidence": None if column is None else column.log_evidence,
        "placed": list(_placed(site.contest, system.slug)),
        "refused": None if column is None else column.refused,
        "parameters": list(_parameters(system if column is None else column.system, system)),
        "fitted": [] if column is None else [(n, _estimate(x)) for n, x in column.fitted.items()],
        "decades": [] if column is None else list(_decades(site, column)),
        "farthest": []
        if column is None or reference is None or system.slug == REFERENCE
        else list(_farthest(site, column, reference)),
        "pager": pager,
    }


def _parameters(used: System, default: System) -> Iterator[ParameterInfo]:
    """Yield the parameters of a system as used here; where that is not by default, the source."""
    for one, usual in zip(parameters_of(used), parameters_of(default), strict=True):
        yield one if one.value == usual.value else replace(one, source=CONFIG_FILE)


def _counts(
    column: SystemRatings | None, systems: AllRatings, reference: SystemRatings | None
) -> Mapping[str, int] | None:
    """Return how many players and player-years a system rates, and how many of these Edo does not.

    None where it has rated nothing.
    """
    if column is None or not column.rated.any():
        return None
    others = column.rated if reference is None else column.rated & ~reference.rated
    return {
        "players": _players_rated(column, systems),
        "player_years": int(column.rated.sum()),
        "without_edo": int(others.sum()),
    }


def _placed(contest: Contest | None, slug: str) -> Iterator[tuple[str, int, int, float]]:
    """Yield the place and the log loss of a system in the tests of the contest."""
    for test, trial in () if contest is None else contest.tests.items():
        for place, entry in enumerate(trial.entries, start=1):
            if entry.slug == slug:
                yield test, place, len(trial.entries), entry.log_loss.mean


def _estimate(value: float) -> str:
    """Return an estimated number with three digits, or as many as four decimals hold."""
    return formats.fixed(value, min(4, max(0, 2 - math.floor(math.log10(abs(value) or 1.0)))))


def _ranked(site: SiteInput) -> Bools:
    """Return which player-years (k,) of the systems have enough evidence for a rank.

    The evidence is the same for all systems: the games and opponents near the year, and the
    standard error of Edo's rating.
    """
    systems = site.systems
    player_years = zip(
        systems.player_years.player.tolist(), systems.player_years.year.tolist(), strict=True
    )
    found = (site.ratings.of(systems.players[player], year) for player, year in player_years)
    return np.array([year is not None and year.rank is not None for year in found], bool)


def _decades(site: SiteInput, column: SystemRatings) -> Iterator[LeadingRow]:
    names = site.index.short_names
    for decade, at in leading_of_decades(site.systems, column, _ranked(site)):
        cells = leaders(site.systems, column, at, names, with_year=True)
        yield leading_row(Link(f"{decade}s"), cells)


def _farthest(
    site: SiteInput, column: SystemRatings, reference: SystemRatings
) -> Iterator[Mapping[str, object]]:
    """Yield the player-years whose ratings by a system and by Edo are farthest apart."""
    systems, known = site.systems, site.dataset.players
    for k in farthest(systems, column, reference, FARTHEST).tolist():
        player = systems.players[systems.player_years.player[k]]
        yield {
            "player": player,
            "name": known[player].shown_name,
            "year": int(systems.player_years.year[k]),
            "rating": float(column.rating[k]),
            "deviation": known_number(column.deviation[k]),
            "edo": float(reference.rating[k]),
            "edo_deviation": known_number(reference.deviation[k]),
        }


def leading_of_decades(
    systems: AllRatings, column: SystemRatings, ranked: Bools
) -> Iterator[tuple[int, Ints]]:
    """Yield each decade with its leading player-years, those of the best years of the players.

    Only years with games and enough evidence for a rank (`ranked`) count.
    """
    at = np.flatnonzero(systems.played & column.rated & ranked)
    at = at[np.argsort(-column.rating[at], kind="stable")]
    decades = systems.player_years.year[at] // 10 * 10
    for decade in np.unique(decades):
        inside = at[decades == decade]
        _, best = np.unique(systems.player_years.player[inside], return_index=True)
        yield int(decade), inside[np.sort(best)][:LEADING]


def leading_row(head: Link, given: Iterable[Leader]) -> LeadingRow:
    """Return a row of LEADING cells."""
    found = tuple(given)
    return LeadingRow(head, (*found, *(None,) * (LEADING - len(found))))


def leaders(
    systems: AllRatings, column: SystemRatings, at: Ints, names: Mapping[str, str], with_year: bool
) -> Iterator[Leader]:
    """Yield the player-years (n,) as they are shown; `names` are short ones of players."""
    for k in at.tolist():
        player = systems.players[systems.player_years.player[k]]
        yield Leader(
            player=player,
            name=names[player],
            rating=float(column.rating[k]),
            deviation=known_number(column.deviation[k]),
            year=int(systems.player_years.year[k])
            if with_year and is_moving(column.system)
            else None,
            is_gap=not systems.played[k],
        )


def is_moving(system: System) -> bool:
    """Return whether the ratings of a system are not the same in all years of a player."""
    return system.direction != "one rating for all years"


def known_number(value: float) -> float | None:
    """Return a number of a column, None where the system has none."""
    return None if isnan(value) else float(value)


def farthest(systems: AllRatings, column: SystemRatings, reference: SystemRatings, n: int) -> Ints:
    """Return the player-years (m,) in which a system is farthest from the reference, m <= n.

    Only years with games, and of each player the one with the greatest difference.
    """
    difference = _difference(systems, column, reference)
    at = np.flatnonzero(~np.isnan(difference))
    at = at[np.argsort(-np.abs(difference[at]), kind="stable")]
    _, first = np.unique(systems.player_years.player[at], return_index=True)
    return at[np.sort(first)][:n]


def spread_and_difference(
    systems: AllRatings, column: SystemRatings, reference: SystemRatings
) -> tuple[float, float] | None:
    """Return the standard deviation of a system's ratings and its mean distance from another's.

    Over the player-years with games that both rate, [Elo] both; None where there are none.
    """
    difference = _difference(systems, column, reference)
    both: Bools = ~np.isnan(difference)
    if not both.any():
        return None
    return float(np.std(column.rating[both])), float(np.mean(np.abs(difference[both])))


def _difference(systems: AllRatings, column: SystemRatings, reference: SystemRatings) -> Floats:
    return np.where(systems.played, column.rating - reference.rating, np.nan)
