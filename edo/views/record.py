"""A player's events in, the record against each opponent out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from edo import formats, urls
from edo.records import Event, Player
from edo.scores import is_totals_only
from edo.views.material import NOTHING, Material, player_link, shown_score
from edo.views.opponents import set_aside
from edo.views.sides import Encounter, encounters
from edo.views.site import Link

Met = tuple[Event, Encounter]


@dataclass(frozen=True, slots=True)
class RecordRow:
    """The games against one opponent, those set aside only counted.

    `won`, `drawn`, `lost` are dashes where for some games only the common score is known.
    `marks` are the kinds of remarks on any of the games, `apart` says what was set aside.
    """

    opponent: Link
    won: str
    drawn: str
    lost: str
    score: str
    share: str
    events: tuple[Link, ...]
    marks: tuple[str, ...]
    apart: str | None


def record_rows(player: Player, material: Material) -> tuple[RecordRow, ...]:
    """Return the rows, the opponent of most games first."""
    met: defaultdict[str, list[Met]] = defaultdict(list)
    for event in material.index.events_of_player.get(player.id, ()):
        for one in encounters(event.results, player.id):
            met[one.opponent].append((event, one))
    ordered = sorted(met, key=lambda p: (-sum(one.games for _, one in met[p]), p))
    return tuple(_row(opponent, met[opponent], material) for opponent in ordered)


def has_totals_only(player: Player, material: Material) -> bool:
    """Whether the record lacks games because only the totals of some event are known."""
    return any(map(is_totals_only, material.index.events_of_player.get(player.id, ())))


def _row(opponent: str, met: Sequence[Met], material: Material) -> RecordRow:
    odds = material.dataset.odds
    counted = [one for event, one in met if set_aside(event, one, odds) is None]
    points = sum(one.points for one in counted)
    games = sum(one.games for one in counted)
    split = _wins_draws_losses(counted)
    won, drawn, lost = (NOTHING,) * 3 if split is None else map(formats.score, split)
    events = dict.fromkeys(Link(str(event.year), urls.event(event.id)) for event, _ in met)
    return RecordRow(
        opponent=player_link(material.dataset.players[opponent]),
        won=won,
        drawn=drawn,
        lost=lost,
        score=shown_score(points, games),
        share=formats.percentage(points / games) if games else NOTHING,
        events=tuple(events),
        marks=_marks(counted),
        apart=_apart(met, material),
    )


def _wins_draws_losses(counted: Sequence[Encounter]) -> tuple[float, float, float] | None:
    """Return wins, draws and losses, None where some score does not tell them apart."""
    tallies = [one.tally for one in counted]
    if not tallies or None in tallies:
        return None
    won, drawn, lost = (sum(column) for column in zip(*filter(None, tallies), strict=True))
    return won, drawn, lost


def _marks(counted: Sequence[Encounter]) -> tuple[str, ...]:
    soft = any(one.result.soft is not None for one in counted)
    odds = any(one.odds is not None for one in counted)
    return ("odds",) * odds + ("soft",) * soft


def _apart(met: Sequence[Met], material: Material) -> str | None:
    """Return how many games were won or lost by default, and how many are not rated otherwise."""
    default = unrated = 0.0
    for event, one in met:
        if one.result.default is not None:
            default += one.games
        elif set_aside(event, one, material.dataset.odds) is not None:
            unrated += one.games
    parts = [f"{formats.score(default)} by default"] if default else []
    parts += [f"{formats.score(unrated)} unrated"] if unrated else []
    return ", ".join(parts) or None
