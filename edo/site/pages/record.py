"""A player's events in, the record against each opponent out."""

from __future__ import annotations

from dataclasses import dataclass

from edo.core import formats, urls
from edo.core.model import Event, Player
from edo.site.input import Link
from edo.site.pages.career import anchor_of
from edo.site.pages.material import Material, player_link
from edo.site.pages.meetings import Met, Tally, all_met, tally
from edo.site.pages.opponents import has_totals_alone, year_of


@dataclass(frozen=True, slots=True)
class RecordRow:
    """The games against one opponent.

    `years` lead to the events of each year, further up on the page; opponents met often have a page
    of their games instead, `pair`.
    """

    opponent: Link
    tally: Tally
    years: tuple[Link, ...]
    pair: Link | None


def record_rows(player: Player, material: Material) -> tuple[RecordRow, ...]:
    """Return the rows, the opponent of most games first."""
    met = all_met(player, material)
    ordered = sorted(met, key=lambda p: (-round(met[p].games, 9), p))
    return tuple(_row(player, opponent, met[opponent], material) for opponent in ordered)


def has_totals_only(player: Player, material: Material) -> bool:
    """Whether the record lacks games because only the totals of some event are known."""
    return any(map(has_totals_alone, material.index.events_of_player.get(player.id, ())))


def _row(player: Player, opponent: str, met: Met, material: Material) -> RecordRow:
    page = material.index.page_of_pair(player.id, opponent)
    return RecordRow(
        opponent=player_link(material.dataset.players[opponent]),
        tally=tally(met, material.dataset.odds),
        years=() if page is not None else _years(player, met),
        pair=None if page is None else Link(_span(met), page),
    )


def _years(player: Player, met: Met) -> tuple[Link, ...]:
    """Return a link for each year for which games count, to the events of the year on the page."""
    page = urls.player(player.id)
    links = (Link(str(year), f"{page}#{anchor_of(event)}") for year, event in _counted(met))
    return tuple(dict.fromkeys(links))


def _counted(met: Met) -> list[tuple[int, Event]]:
    """Return each year for which games count, with the event, in order of time."""
    counted = [(year_of(event, one.result), event) for event, one in met.known]
    counted += [(event.year, event) for event, _ in met.deduced]
    return sorted(counted, key=lambda pair: pair[0])


def _span(met: Met) -> str:
    """Return from when to when they met, and in how many events."""
    counted = _counted(met)
    years = formats.years(counted[0][0], counted[-1][0])
    return f"{years}, {formats.counted(len(met.events), 'event')}"
