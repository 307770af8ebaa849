"""Where a problem with a record stands, and when an event can have been played."""

from __future__ import annotations

import datetime

from edo.core.model import Event, PartialDate, Player
from edo.core.problems import Problem
from edo.history.notation import first_day, last_day


def player_path(id_: str) -> str:
    """Return the path of the file that holds a player, as messages name it."""
    return f"events/players/{id_[0]}.yaml"


def at_player(player: Player, message: str, hint: str, field: str = "", about: str = "") -> Problem:
    """Return a problem at the record of a player."""
    place = f"{player.id}, {field}" if field else player.id
    return Problem(player_path(player.id), player.line, place, message, hint, about=about)


def at_field(event: Event, field: str, message: str, hint: str, about: str = "") -> Problem:
    """Return a problem at a field of an event."""
    line = event.lines.get(field, 1)
    return Problem(event.path, line, field, message, hint, about=about)


def at_appearance(
    event: Event, player: Player, message: str, hint: str, about: str = ""
) -> Problem:
    """Return a problem at the first line of the event's file that mentions the player."""
    lines = [result.line for result in event.results if player.id in (result.first, result.second)]
    lines += [total.line for total in event.totals if total.player == player.id]
    line = lines[0] if lines else event.lines.get("players", 1)
    return Problem(event.path, line, "", message, hint, about=about)


def starts(event: Event) -> datetime.date:
    """Return the first day on which the event can have been played, as far as its file says."""
    return first_day(event.dates.start if event.dates else PartialDate(event.year))


def ends(event: Event) -> datetime.date:
    """Return the last day on which the event can have been played."""
    return last_day(event.dates.end if event.dates else PartialDate(event.year))


def days_between(event: Event, another: Event) -> int | None:
    """Return the days [days] from the end of the earlier event to the start of the later one.

    None unless all their dates are known to the day; 0 and less where they overlap.
    """
    for span in (event.dates, another.dates):
        if span is None or not all(d.day and not d.approximate for d in (span.start, span.end)):
            return None
    return max((starts(another) - ends(event)).days, (starts(event) - ends(another)).days)


def may_overlap(event: Event, another: Event) -> bool:
    """Whether they can have been played on the same days, as far as their dates are known."""
    return starts(event) <= ends(another) and starts(another) <= ends(event)
