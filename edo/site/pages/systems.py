"""The whole input of the site in, the list of all rating systems and a page for each out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from edo.core import formats, urls
from edo.core.problems import EdoError
from edo.site import markup
from edo.site.input import Link, Page, SiteInput, neighbours
from edo.site.pages import leading
from edo.site.pages.leading import LEADING, LeadingRow
from edo.site.pages.material import NOTHING, material_of, player_link
from edo.site.pages.method import SYSTEMS_LEAD, SYSTEMS_TITLE, split
from edo.site.pages.system_list import ONE_SCALE, counts, link_of, systems_view
from edo.site.pages.system_values import system_values
from edo.systems.alongside import REFERENCE, Column
from edo.systems.entries import SYSTEMS
from edo.systems.evaluation.contest import Contest
from edo.systems.system import System, parameters_of

FARTHEST = 10  # disagreements with Edo that are shown


@dataclass(frozen=True, slots=True)
class ParameterRow:
    """A parameter, its value with its unit and where it comes from."""

    name: str
    value: str
    meaning: str
    source: str


@dataclass(frozen=True, slots=True)
class FarRow:
    """A player-year in which the system and Edo are far from each other."""

    player: Link
    year: Link
    rating: str
    edo: str
    difference: str


@dataclass(frozen=True, slots=True)
class SystemView:
    """The page of a system; `is_measured` where it has rated anything.

    `placed` says how well it did in the contest, None where it was not in it.
    """

    lead: str
    text: Markup
    author: str
    since: str
    direction: str
    players: str
    player_years: str
    without_edo: str
    shift: str
    log_evidence: str | None
    placed: str | None
    contest: Link
    refused: str | None
    is_measured: bool
    parameters: tuple[ParameterRow, ...]
    fitted: tuple[tuple[str, str], ...]
    places: tuple[str, ...]
    decades: tuple[LeadingRow, ...]
    farthest: tuple[FarRow, ...]
    one_scale: str
    all_systems: Link
    before: Link | None
    after: Link | None


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of all systems, and the page of each."""
    yield Page(
        path=urls.SYSTEMS,
        template="systems.html",
        view=partial(systems_view, site),
        title=SYSTEMS_TITLE,
        description=SYSTEMS_LEAD,
    )
    links = [link_of(system) for system in SYSTEMS]
    for system, beside in zip(SYSTEMS, neighbours(links), strict=True):
        text = text_of(site.content, system)
        yield Page(
            path=urls.system(system.slug),
            template="system.html",
            view=partial(system_view, site, system, text, *beside),
            title=text[0],
            description=text[1],
        )


def text_of(content: Mapping[str, str], system: System) -> tuple[str, str, str]:
    """Return title, first paragraph and the rest of the text on a system.

    Raises EdoError where there is none.
    """
    slug = f"system-{system.slug}"
    if slug not in content:
        raise EdoError(
            f"content/{slug}.md: not there; write what {system.name} assumes and where it fails"
        )
    return split(content[slug], slug)


def system_view(
    site: SiteInput,
    system: System,
    text: tuple[str, str, str],
    before: Link | None,
    after: Link | None,
) -> SystemView:
    """Return everything that the page of a system shows."""
    systems, reference = site.systems, site.systems.column(REFERENCE)
    column = systems.column(system.slug)
    players, player_years, without_edo = counts(column, systems, reference)
    evidence = None if column is None else column.log_evidence
    fitted = {} if column is None else column.fitted
    body = markup.filled(text[2], system_values(site, column), f"system-{system.slug}")
    return SystemView(
        lead=text[1],
        text=markup.article(body, urls.system(system.slug)),
        author=system.author,
        since=str(system.since),
        direction=system.direction,
        players=players,
        player_years=player_years,
        without_edo=without_edo,
        shift=NOTHING if column is None else formats.signed(column.shift),
        log_evidence=None if evidence is None else formats.fixed(evidence, 1),
        placed=_placed(site.contest, system.slug),
        contest=Link("The contest", urls.CONTEST),
        refused=None if column is None else column.refused,
        is_measured=column is not None and bool(column.rated.any()),
        parameters=tuple(_parameters(system)),
        fitted=tuple((name, _estimate(value)) for name, value in fitted.items()),
        places=tuple(str(place) for place in range(1, LEADING + 1)),
        decades=() if column is None else tuple(_decades(site, column)),
        farthest=()
        if column is None or reference is None or system.slug == REFERENCE
        else tuple(_farthest(site, column, reference)),
        one_scale=ONE_SCALE,
        all_systems=Link("All rating systems", urls.SYSTEMS),
        before=before,
        after=after,
    )


def _placed(contest: Contest | None, slug: str) -> str | None:
    """Return place and log loss of a system in both tests of the contest, if it was there."""
    if contest is None:
        return None
    words = []
    for test, trial in (("held out", contest.held_out), ("next year", contest.next_year)):
        for place, entry in enumerate(trial.entries, start=1):
            if entry.slug == slug:
                of = f"number {formats.rank(place)} of {len(trial.entries)}"
                words.append(f"{test}: {of}, log loss {formats.fixed(entry.log_loss.mean, 4)}")
    return "; ".join(words) or None


def _parameters(system: System) -> Iterator[ParameterRow]:
    for said in parameters_of(system):
        unit = f" {said.unit}" if said.unit else ""
        name = said.name.replace("_", " ")
        yield ParameterRow(name, f"{formats.number(said.value)}{unit}", said.meaning, said.source)


def _estimate(value: float) -> str:
    """Return an estimated number with three digits, or as many as four decimals hold."""
    return formats.fixed(value, min(4, max(0, 2 - math.floor(math.log10(abs(value) or 1.0)))))


def _decades(site: SiteInput, column: Column) -> Iterator[LeadingRow]:
    names = material_of(site).short_names
    for decade, at in leading.of_decades(site.systems, column):
        cells = leading.leaders(site.systems, column, at, names, with_year=True)
        yield leading.row(Link(f"{decade}s"), cells)


def _farthest(site: SiteInput, column: Column, reference: Column) -> Iterator[FarRow]:
    systems, known = site.systems, site.dataset.players
    for k in leading.farthest(systems, column, reference, FARTHEST).tolist():
        player = systems.players[systems.careers.player[k]]
        year = int(systems.careers.year[k])
        yield FarRow(
            player=player_link(known[player], f"#{leading.ANCHOR}"),
            year=Link(str(year), urls.year_systems(year)),
            rating=leading.shown_with(column.rating[k], column.deviation[k]),
            edo=leading.shown_with(reference.rating[k], reference.deviation[k]),
            difference=formats.signed(column.rating[k] - reference.rating[k]),
        )
