"""A player's events in, the record against each opponent out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from edo import formats, urls
from edo.records import Event, Player
from edo.scores import left_out
from edo.views.deduced import Deduced
from edo.views.material import NOTHING, Material, player_link, shown_score
from edo.views.opponents import (
    has_totals_alone,
    mark_words,
    shown_deduced,
    year_of,
)
from edo.views.sides import Encounter, encounters
from edo.views.site import Link


@dataclass(frozen=True, slots=True)
class RecordRow:
    """The games against one opponent, those set aside only counted.

    `won`, `drawn`, `lost` are dashes where for some games only the common score is known, or none.
    `marks` are the kinds of remarks on any of the games, each with its words; `apart` says what was
    set aside. `share` is a dash also where the totals put the score outside of the games.
    """

    opponent: Link
    won: str
    drawn: str
    lost: str
    score: str
    share: str
    events: tuple[Link, ...]
    marks: tuple[tuple[str, str], ...]
    apart: str | None


@dataclass(frozen=True, slots=True)
class _Met:
    """All games against one opponent: known results, and what totals say of others, by event."""

    known: list[tuple[Event, Encounter]]
    deduced: list[tuple[Event, Deduced]]

    @property
    def games(self) -> float:
        """Return how many games [games] there are, those set aside included."""
        known = sum(one.games for _, one in self.known)
        return known + sum(part.games for _, part in self.deduced)


def record_rows(player: Player, material: Material) -> tuple[RecordRow, ...]:
    """Return the rows, the opponent of most games first."""
    met: defaultdict[str, _Met] = defaultdict(lambda: _Met([], []))
    for event in material.index.events_of_player.get(player.id, ()):
        for one in encounters(event.results, player.id):
            met[one.opponent].known.append((event, one))
        for opponent, part in material.deduced_of(event, player.id).items():
            if {player.id, opponent} <= material.ratings.players.keys():
                met[opponent].deduced.append((event, part))
    ordered = sorted(met, key=lambda p: (-round(met[p].games, 9), p))
    return tuple(_row(opponent, met[opponent], material) for opponent in ordered)


def has_totals_only(player: Player, material: Material) -> bool:
    """Whether the record lacks games because only the totals of some event are known."""
    return any(map(has_totals_alone, material.index.events_of_player.get(player.id, ())))


def _row(opponent: str, met: _Met, material: Material) -> RecordRow:
    odds = material.dataset.odds
    counted = [one for event, one in met.known if left_out(event, one.result, odds) is None]
    parts = [part for _, part in met.deduced]
    points = sum(one.points for one in counted) + sum(part.points for part in parts)
    games = sum(one.games for one in counted) + sum(part.games for part in parts)
    split = None if parts else _wins_draws_losses(counted)
    won, drawn, lost = (NOTHING,) * 3 if split is None else map(formats.score, split)
    return RecordRow(
        opponent=player_link(material.dataset.players[opponent]),
        won=won,
        drawn=drawn,
        lost=lost,
        score=shown_deduced(points, games) if parts else shown_score(points, games),
        share=formats.percentage(points / games) if games and 0 <= points <= games else NOTHING,
        events=_events(met),
        marks=_marks(counted, parts),
        apart=_apart(met, material),
    )


def _events(met: _Met) -> tuple[Link, ...]:
    """Return the events, each under the years for which its games count."""
    counted = [(event, year_of(event, one.result)) for event, one in met.known]
    counted += [(event, event.year) for event, _ in met.deduced]
    ordered = sorted(counted, key=lambda pair: pair[1])
    return tuple(dict.fromkeys(Link(str(year), urls.event(event.id)) for event, year in ordered))


def _wins_draws_losses(counted: Sequence[Encounter]) -> tuple[float, float, float] | None:
    """Return wins, draws and losses, None where some score does not tell them apart."""
    tallies = [one.tally for one in counted]
    if not tallies or None in tallies:
        return None
    won, drawn, lost = (sum(column) for column in zip(*filter(None, tallies), strict=True))
    return won, drawn, lost


def _marks(counted: Sequence[Encounter], parts: Sequence[Deduced]) -> tuple[tuple[str, str], ...]:
    results = [one.result for one in counted]
    kinds = {
        "odds": any(result.odds is not None for result in results),
        "soft": any(result.soft is not None for result in results),
        "proportion": any(result.proportion is not None for result in results),
        "split": any(result.year is not None for result in results),
        "uncounted": any(result.uncounted is not None for result in results),
        **{kind: any(part.kind == kind for part in parts) for kind in ("totals", "guess")},
    }
    return tuple((kind, mark_words(kind)) for kind, applies in kinds.items() if applies)


def _apart(met: _Met, material: Material) -> str | None:
    """Return how many games were won or lost by default, and how many are not rated otherwise."""
    default = unrated = 0.0
    for event, one in met.known:
        if one.result.default is not None:
            default += one.games
        elif left_out(event, one.result, material.dataset.odds) is not None:
            unrated += one.games
    parts = [f"{formats.score(default)} by default"] if default else []
    parts += [f"{formats.score(unrated)} unrated"] if unrated else []
    return ", ".join(parts) or None
