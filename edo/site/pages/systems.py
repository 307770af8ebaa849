"""The pages of the rating systems: the list of all, and one for each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from math import isnan

import numpy as np

from edo.core import formats
from edo.core.scale import Bools, Floats, Ints
from edo.history.project import CONFIG_FILE
from edo.site import markup, placeholders, urls
from edo.site.input import Link, Page, SiteInput, link_to, neighbours
from edo.site.measured import contest_of
from edo.site.pages.content_values import system_values, words_of
from edo.site.pages.method import SYSTEMS_LEAD, SYSTEMS_TITLE
from edo.site.pages.tables import Cell, Column, Row, Table, amount, name, number, text
from edo.systems.all_ratings import REFERENCE, SYSTEMS, AllRatings, SystemRatings
from edo.systems.base import ParameterInfo, System, parameters_of
from edo.systems.evaluation.contest import Contest

LEADING = 10  # how many are the leading players of a decade
FARTHEST = 10  # disagreements with Edo that are shown


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
        lead = placeholders.filled(lead, words_of(site), slug)
        yield Page(
            path=urls.system(system.slug),
            template="system.html",
            view=partial(system_view, site, system, lead, body, pager),
            title=title,
            description=markup.plain(lead),
        )


def link_of(system: System) -> Link:
    """Return the link to the page of a system."""
    return Link(system.name, urls.system(system.slug))


def system_columns(site: SiteInput) -> tuple[Column, ...]:
    """Return the columns of the list of all systems."""
    colour, known = site.config.colours[0], formats.count(len(site.systems.players))
    return (
        name("system", "System"),
        text(
            "later",
            "Later",
            full="Uses the results of later years",
            meaning="a rating uses the results of later years too; otherwise only those up to the "
            "end of its year.",
        ),
        text(
            "years",
            "Years",
            full="A rating may change with the years",
            meaning="a rating may change from year to year; otherwise a player has one rating for "
            "all years.",
        ),
        text(
            "colours",
            colour,
            full=f"Uses who had {colour}",
            meaning="the colours are used, where they are known.",
        ),
        text(
            "draws",
            "Draws",
            full="Uses how often games are drawn",
            meaning="the frequency of draws is used; otherwise a draw is merely half a point.",
        ),
        text(
            "odds",
            "Odds",
            full="Rates games at odds",
            meaning="games at odds are rated; otherwise they are left out.",
        ),
        text(
            "deviations",
            "Dev.",
            full="Gives the standard error of a rating (deviation)",
            meaning="each rating comes with a standard error (deviation).",
        ),
        amount(
            "players",
            "Players",
            "count",
            "Players with a rating",
            f"players with a rating, of {known} with games that can be rated.",
        ),
        amount(
            "spread",
            "Spread",
            "rating",
            "Standard deviation of the ratings",
            "the standard deviation of the ratings of all player-years with games that Edo rates "
            "too, in Elo points.",
        ),
        amount(
            "differs",
            "From Edo",
            "rating",
            "Mean distance from Edo’s ratings",
            "the mean absolute difference from Edo’s ratings.",
        ),
        number("since", "Since"),
    )


def systems_view(site: SiteInput) -> Mapping[str, object]:
    """Return the list of all systems, and why some could rate nothing."""
    rows = [_system_row(system, site.systems) for system in SYSTEMS]
    refused = ((system, site.systems.column(system.slug)) for system in SYSTEMS)
    return {
        "table": Table("Rating systems", system_columns(site), rows, "systems", "systems"),
        "refused": [
            (system.name, column.refused)
            for system, column in refused
            if column is not None and column.refused is not None
        ],
    }


def _system_row(system: System, systems: AllRatings) -> Row:
    """Return the line of a system in the list of all."""
    column, reference = systems.column(system.slug), systems.column(REFERENCE)
    measured = (
        None
        if column is None or reference is None
        else spread_and_difference(systems, column, reference)
    )
    spread, differs = measured or (None, None)
    has = {
        "later": system.direction != "forwards",
        "years": is_moving(system),
        **{use: use in system.uses for use in ("colours", "draws", "odds")},
        "deviations": column is not None and bool(np.isfinite(column.deviation).any()),
    }
    return Row(
        {
            "system": link_of(system),
            **{property_: "yes" if applies else "" for property_, applies in has.items()},
            "players": None if column is None else _players_rated(column, systems),
            "spread": spread,
            "differs": None if system.slug == REFERENCE else differs,
            "since": str(system.since),
        }
    )


def _players_rated(column: SystemRatings, systems: AllRatings) -> int:
    return np.unique(systems.player_years.player[column.rated]).size


def system_view(
    site: SiteInput,
    system: System,
    lead: str,
    body: str,
    pager: tuple[Link | None, Link | None],
) -> Mapping[str, object]:
    """Return what the page of a system shows; `pager` are the links to those around it.

    `placed` are the test, the place, among how many, and the log loss [nat] in the contest, and
    `fitted` the parameters estimated from the games.
    """
    systems, reference = site.systems, site.systems.column(REFERENCE)
    column = systems.column(system.slug)
    filled = placeholders.filled(body, system_values(site, column), f"system-{system.slug}")
    return {
        "lead": markup.inline(lead, urls.system(system.slug)),
        "text": markup.article(filled, urls.system(system.slug)),
        "author": system.author,
        "since": system.since,
        "direction": system.direction,
        "counts": _counts(column, systems, reference),
        "shift": 0.0 if column is None else column.shift,
        "log_evidence": None if column is None else column.log_evidence,
        "placed": list(_placed(contest_of(site), system.slug)),
        "refused": None if column is None else column.refused,
        "parameters": list(_parameters(system if column is None else column.system, system)),
        "fitted": [] if column is None else [(n, _estimate(x)) for n, x in column.fitted.items()],
        "decades": None if column is None else _decades(site, column),
        "farthest": None
        if column is None or reference is None or system.slug == REFERENCE
        else _farthest(site, column, reference),
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

    The rule is the same for all systems.
    """
    systems = site.systems
    player_years = zip(
        systems.player_years.player.tolist(), systems.player_years.year.tolist(), strict=True
    )
    found = (site.ratings.of(systems.players[player], year) for player, year in player_years)
    return np.array([year is not None and year.rank is not None for year in found], bool)


DECADES = (
    name("decade", "Decade", css="fixed"),
    *(text(str(place), str(place), css="fixed") for place in range(1, LEADING + 1)),
)


def _decades(site: SiteInput, column: SystemRatings) -> Table:
    """Return the leading players of each decade, the best first."""
    rows = []
    for decade, at in leading_of_decades(site.systems, column, _ranked(site)):
        leaders = [_leader(site, column, k) for k in at.tolist()]
        cells = dict.fromkeys(map(str, range(1, LEADING + 1)), Cell(""))
        cells |= {str(place): leader for place, leader in enumerate(leaders, start=1)}
        rows.append(Row({"decade": f"{decade}s", **cells}))
    return Table("The top ten of each decade", DECADES, rows, "decades", "decades", is_wide=True)


def _leader(site: SiteInput, column: SystemRatings, k: int) -> Cell:
    """Return a player-year with its rating, and with the year where the ratings move."""
    player = site.systems.players[site.systems.player_years.player[k]]
    year = f", {site.systems.player_years.year[k]}" if is_moving(column.system) else ""
    target = f"{urls.player(player)}#systems"
    aside = (Link(f"{_rating(column, k)}{year}"),)
    return Cell(site.index.short_names[player], target, aside=aside)


def _farthest(site: SiteInput, column: SystemRatings, reference: SystemRatings) -> Table:
    """Return the player-years whose ratings by a system and by Edo are farthest apart."""
    columns = (
        name("player", "Player"),
        text("year", "Year"),
        number("rating", column.system.name),
        number("edo", "Edo"),
        number("difference", "Difference", "signed"),
    )
    systems, rows = site.systems, []
    for k in farthest(systems, column, reference, FARTHEST).tolist():
        player = site.dataset.players[systems.players[systems.player_years.player[k]]]
        rows.append(
            Row(
                {
                    "player": link_to(player, "#systems"),
                    "year": str(systems.player_years.year[k]),
                    "rating": _rating(column, k),
                    "edo": _rating(reference, k),
                    "difference": float(column.rating[k] - reference.rating[k]),
                }
            )
        )
    return Table("Farthest from Edo", columns, rows, "farthest", "players")


def _rating(column: SystemRatings, k: int) -> str:
    """Return a rating with its deviation, where the system gives one."""
    deviation = None if isnan(column.deviation[k]) else float(column.deviation[k])
    return formats.rating_with_deviation(float(column.rating[k]), deviation)


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


def is_moving(system: System) -> bool:
    """Return whether the ratings of a system are not the same in all years of a player."""
    return system.direction != "one rating for all years"


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
