"""An event in; how its own rules and the gaps in its record are dealt with, in words, out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from edo.core.model import Event


@dataclass(frozen=True, slots=True)
class Rule:
    """One sentence or two on the event; `kind` is the mark that stands before it."""

    kind: str
    mark: str
    text: str


def rules(event: Event) -> Iterator[Rule]:
    """Yield what has to be known about the event to read its tables."""
    if event.rest == "from totals":
        yield Rule(
            "totals",
            "from totals",
            "The games without known results were solved from the final totals of all players: "
            "known games first, then the points and games that are left to each. The ratings "
            "depend on such a table only through its totals.",
        )
    elif event.rest == "best guess":
        yield Rule(
            "guess",
            "guess",
            "What the games without known results were is a guess, which keeps every player’s "
            "total and number of games: both are spread evenly over the pairs that can still have "
            "played. The deviations do not know that it is a guess.",
        )
    if event.players_in_all is not None:
        known, everybody = len(event.players), event.players_in_all
        yield Rule(
            "totals",
            "partial totals",
            f"Only the totals of {known} of the {everybody} players are known. The games of these "
            f"{known} with one another are rated as the totals of a complete table of {everybody} "
            "would have them; what each scored against the others is taken off in the same way.",
        )
    if event.classes:
        yield Rule(
            "classes",
            "classes",
            "A handicap by classes: games between players of different classes were played at odds "
            "of some kind, and only those within a class are rated.",
        )
    if event.draws_not_scored:
        yield Rule(
            "uncounted",
            "draws not scored",
            "The event’s own totals count a draw as nothing for either player; the ratings count "
            "it as half a point, as ever.",
        )
