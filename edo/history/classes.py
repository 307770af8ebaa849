"""The classes of a handicap come in; each player's class, and results set apart, go out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from edo.core.model import Result
from edo.history.reading import Desk, Entry, Worded


def read_classes(desk: Desk, entry: Entry, players: Iterable[str]) -> Mapping[str, str]:
    """Return the class of each player; whoever is in none or in two is noted."""
    items: Sequence[Worded] = entry.get("classes") or ()
    found: dict[str, str] = {}
    names: set[str] = set()
    for group in (item.value for item in items):
        name: str = group.get("name") or ""
        if name in names:
            desk.error(group.line, group.place, "a second class of this name", "name it otherwise")
        names.add(name)
        for item in group.get("players") or ():
            if item.value in found:
                message = f"`{item.value}` is in two classes"
                desk.error(item.line, group.place, message, "keep one of the two")
            found.setdefault(item.value, name)
    _check_players(desk, entry, found, tuple(players))
    return found


def _check_players(
    desk: Desk, entry: Entry, found: Mapping[str, str], players: Sequence[str]
) -> None:
    if not found:
        return
    line = entry.line_of("classes")
    for player in players:
        if player not in found:
            desk.error(line, "classes", f"`{player}` is in no class", "add the player to one")
    for player in found:
        if player not in players:
            hint = "correct the name or add the results"
            desk.error(line, "classes", f"`{player}` is not in the event", hint)


def set_apart(results: Iterable[Result], classes: Mapping[str, str]) -> tuple[Result, ...]:
    """Return the results, those between two classes with that as the reason not to be rated.

    The handicap between classes is no odds of a known worth.
    """
    return tuple(
        result
        if result.unrated is not None or classes.get(result.first) == classes.get(result.second)
        else replace(
            result,
            unrated=f"played at a handicap between {classes[result.first]} and "
            f"{classes[result.second]}",
        )
        for result in results
    )
