"""Two players' games in; won, drawn and lost, the score, the marks and what stands apart, out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from edo.core import formats
from edo.core.model import Event, OddsKind, Player
from edo.rating.pairings import left_out
from edo.site import legend
from edo.site.pages.deduced import Deduced
from edo.site.pages.index import chronological
from edo.site.pages.material import NOTHING, Material, shown_score
from edo.site.pages.opponents import shown_deduced
from edo.site.pages.sides import Encounter


@dataclass(frozen=True, slots=True)
class Met:
    """Games against one opponent: known results, and what totals say of others, by event."""

    known: list[tuple[Event, Encounter]]
    deduced: list[tuple[Event, Deduced]]

    @property
    def games(self) -> float:
        """Return how many games [games] there are, those set aside included."""
        known = sum(one.games for _, one in self.known)
        return known + sum(part.games for _, part in self.deduced)

    @property
    def events(self) -> tuple[Event, ...]:
        """Return the events in which they met, in order of time."""
        found = {event.id: event for event, _ in (*self.known, *self.deduced)}
        return tuple(sorted(found.values(), key=chronological))

    def at(self, event: Event) -> Met:
        """Return what of the games belongs to one event."""
        return Met(
            [(held, one) for held, one in self.known if held is event],
            [(held, part) for held, part in self.deduced if held is event],
        )


@dataclass(frozen=True, slots=True)
class Tally:
    """Games against one opponent in numbers ready to show, those set aside only counted.

    `won`, `drawn`, `lost` are dashes where for some games only the common score is known, or none.
    `marks` are the kinds of remarks on any of the games, each with its words; `apart` says what was
    set aside. `share` is a dash also where the totals put the score outside of the games.
    """

    won: str
    drawn: str
    lost: str
    score: str
    share: str
    marks: tuple[tuple[str, str], ...]
    apart: str | None


def all_met(player: Player, material: Material) -> Mapping[str, Met]:
    """Return the games of a player against each opponent, in the order in which they were met."""
    met: defaultdict[str, Met] = defaultdict(lambda: Met([], []))
    for event in material.index.events_of_player.get(player.id, ()):
        for one in material.encounters(event, player.id):
            met[one.opponent].known.append((event, one))
        for opponent, part in material.deduced_of(event, player.id).items():
            if {player.id, opponent} <= material.ratings.players.keys():
                met[opponent].deduced.append((event, part))
    return met


def tally(met: Met, odds: Mapping[str, OddsKind]) -> Tally:
    """Return what the games come to, as the player sees them."""
    counted = [one for event, one in met.known if left_out(event, one.result, odds) is None]
    parts = [part for _, part in met.deduced]
    points = sum(one.points for one in counted) + sum(part.points for part in parts)
    games = sum(one.games for one in counted) + sum(part.games for part in parts)
    split = None if parts else _wins_draws_losses(counted)
    won, drawn, lost = (NOTHING,) * 3 if split is None else map(formats.score, split)
    return Tally(
        won=won,
        drawn=drawn,
        lost=lost,
        score=shown_deduced(points, games) if parts else shown_score(points, games),
        share=formats.percentage(points / games) if games and 0 <= points <= games else NOTHING,
        marks=_marks(counted, parts),
        apart=_apart(met, odds),
    )


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
    return tuple((kind, legend.word(kind)) for kind, applies in kinds.items() if applies)


def _apart(met: Met, odds: Mapping[str, OddsKind]) -> str | None:
    """Return how many games were won or lost by default, and how many are not rated otherwise."""
    default = unrated = 0.0
    for event, one in met.known:
        if one.result.default is not None:
            default += one.games
        elif left_out(event, one.result, odds) is not None:
            unrated += one.games
    parts = [f"{formats.score(default)} by default"] if default else []
    parts += [f"{formats.score(unrated)} unrated"] if unrated else []
    return ", ".join(parts) or None
