"""Pairs of players who met often in, the list of all of them out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from edo.core import formats, urls
from edo.site.input import Link, Page
from edo.site.pages.index import MANY
from edo.site.pages.material import Material, player_link
from edo.site.pages.meetings import Met, Tally, tally
from edo.site.pages.opponents import year_of


@dataclass(frozen=True, slots=True)
class PairRow:
    """Two players in the list: the numbers are those of the first."""

    pair: Link
    first: Link
    second: Link
    games: str
    tally: Tally
    events: str
    first_year: str
    last_year: str


@dataclass(frozen=True, slots=True)
class PairsView:
    """The list of all pairs, those of most games first."""

    summary: str
    rows: tuple[PairRow, ...]


def page(met: Mapping[tuple[str, str], Met], material: Material) -> Page:
    """Return the page with the list."""
    summary = (
        f"{formats.counted(len(met), 'pair')} of players who met in {MANY} or more known games."
    )
    view = partial(_view, summary, met, material)
    return Page(urls.PAIRS, "pairs.html", view, "Head to head", summary)


def _view(summary: str, met: Mapping[tuple[str, str], Met], material: Material) -> PairsView:
    ordered = sorted(met, key=lambda pair: (-round(met[pair].games, 9), pair))
    return PairsView(summary, tuple(_row(pair, met[pair], material) for pair in ordered))


def _row(pair: tuple[str, str], met: Met, material: Material) -> PairRow:
    first, second = (player_link(material.dataset.players[one]) for one in pair)
    years = [year_of(event, one.result) for event, one in met.known]
    years += [event.year for event, _ in met.deduced]
    return PairRow(
        pair=Link(formats.amount(round(met.games, 9)), urls.pair(*pair)),
        first=first,
        second=second,
        games=formats.amount(round(met.games, 9)),
        tally=tally(met, material.dataset.odds),
        events=formats.count(len(met.events)),
        first_year=str(min(years)),
        last_year=str(max(years)),
    )
