"""Reports of a comparison: text for the terminal, Markdown for pull requests, JSON for programs.

Keys of the JSON report, with ratings in Elo points to three decimals; names are null if unknown:

- `format`: 1; raised if a key changes its meaning
- `old`, `new`: the compared sites, folders or revisions, as named by the user
- `of_all`: median change of all ratings that are in both
- `ratings`, `moved`, `moved_far`: how many ratings are in both, and how many of them changed by
  1 and by 10 points or more relative to the median
- `untried`: why effects of events are not known, null if all are
- `by_program`: largest difference between the old ratings and those that this program computes
  from the same results, null if there is none
- `edits`: edited records (`kind`, `id`, `name`, `state`, `fields` with `what`, `old` and `new`,
  `former` id)
- `events`: events with changed pairings (`id`, `name`), and the effect of each alone: the median
  shift `of_all`, the players who become rated (`came`) or are no longer rated (`left`)
- `moves`: changed ratings, the largest first (`player`, `name`, `year`, `old` and `new` rating,
  `change`, `own`: relative to the median, `causes` with the `effect` of each `event`, `together`:
  the change less the sum of these effects)
- `number_ones`, `ranks`, `careers`: changed number ones, ranks, and first and last rated years
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, groupby
from typing import Any

from edo.core import formats
from edo.core.json import rounded
from edo.diff.attribution import Attribution
from edo.diff.compare import (
    LARGE,
    NEGLIGIBLE,
    TOP,
    CareerChange,
    Comparison,
    RankChange,
    RatingChange,
)
from edo.diff.edits import KINDS, Edit, FieldEdit
from edo.diff.snapshot import Rating

FORMAT = 1
DECIMALS = 3
ROWS = 20  # of each table by default
ARROW = "→"
MAX_TEXT = 160  # [characters] of a text that is shown whole
COMMON_START = 20  # [characters] shown of the common beginning of two long texts
PRINTED = 0.05  # [Elo] smaller numbers would be printed as 0.0

_MARKUP = re.compile(r"([\\`*_\[\]|~$])")


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table of the report; cells may have several lines."""

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def summary(comparison: Comparison) -> Iterator[str]:
    """Yield a few sentences on the comparison as a whole."""
    if comparison.is_empty:
        yield "There are no differences."
        return
    counts = Counter((edit.kind, edit.state) for edit in comparison.edits)
    edited = [f"{formats.counted(n, *KINDS[kind])} {state}" for (kind, state), n in counts.items()]
    yield f"{', '.join(edited)}." if edited else "No records were edited."
    if comparison.shared:
        if abs(comparison.median_shift) < PRINTED:
            yield "The scale as a whole has not shifted."
        else:
            shift = formats.signed(comparison.median_shift, 1)
            yield f"The median change of all ratings is {shift} points."
        changed = f"{formats.count(len(comparison.ratings))} of {formats.count(comparison.shared)}"
        yield (
            f"Relative to the median, {changed} ratings changed by 1 point or more, "
            f"{formats.count(comparison.large)} by {formats.fixed(LARGE, 0)} or more."
        )
    yield from _caveats(comparison.attribution)


def _caveats(attribution: Attribution) -> Iterator[str]:
    if attribution.gap_reason is not None:
        yield f"Effects of single events are not known: {attribution.gap_reason}."
    if attribution.program_difference is not None:
        yield (
            "This program computes other ratings from the old results, by up to "
            f"{formats.fixed(attribution.program_difference, 2)} points: part of the changes is "
            "due to the program."
        )


def as_text(comparison: Comparison, most: int | None = ROWS) -> str:
    """Return the report for a terminal, with at most `most` rows a table (all if None)."""
    lines = [f"{comparison.old} {ARROW} {comparison.new}", *summary(comparison)]
    for table in _tables(comparison):
        shown = table.rows[:most]
        lines += ["", table.title, *(f"  {line}" for line in _columns(shown))]
        lines += [f"  {line}" for line in _hidden(table, shown)]
    return "\n".join(lines) + "\n"


def as_markdown(comparison: Comparison, most: int | None = ROWS) -> str:
    """Return the report in GitHub's Markdown; markup in names and notes is escaped."""
    lines = [f"## What changed: {_escaped(f'{comparison.old} {ARROW} {comparison.new}')}", ""]
    lines += (_escaped(sentence) + "  " for sentence in summary(comparison))
    for table in _tables(comparison):
        shown = table.rows[:most]
        lines += ["", f"### {_escaped(table.title)}", ""]
        lines += [_cells(table.header), "|" + " --- |" * len(table.header), *map(_cells, shown)]
        lines += [f"\n{_escaped(line)}" for line in _hidden(table, shown)]
    return "\n".join(lines) + "\n"


def as_json(comparison: Comparison, most: int | None = None) -> str:
    """Return the report as JSON, with at most `most` entries a list (all if None)."""
    found: dict[str, Any] = {
        "format": FORMAT,
        "old": comparison.old,
        "new": comparison.new,
        "of_all": comparison.median_shift,
        "ratings": comparison.shared,
        "moved": len(comparison.ratings),
        "moved_far": comparison.large,
        "untried": comparison.attribution.gap_reason,
        "by_program": comparison.attribution.program_difference,
        "edits": [asdict(edit) for edit in comparison.edits[:most]],
        "events": [_event_json(e, comparison) for e in comparison.attribution.events[:most]],
        "moves": [_rating_json(change, comparison) for change in comparison.ratings[:most]],
        "number_ones": [asdict(one) for one in comparison.number_ones[:most]],
        "ranks": [asdict(one) for one in comparison.ranks[:most]],
        "careers": [_career_json(one, comparison) for one in comparison.careers[:most]],
    }
    found = rounded(found, DECIMALS)
    return json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _event_json(event: str, comparison: Comparison) -> dict[str, Any]:
    effect = comparison.attribution.effects.get(event)
    return {
        "id": event,
        "name": comparison.event_names.get(event),
        "of_all": None if effect is None else effect.median_shift,
        "came": None if effect is None else sorted(effect.gained),
        "left": None if effect is None else sorted(effect.lost),
    }


def _rating_json(change: RatingChange, comparison: Comparison) -> dict[str, Any]:
    return {
        "player": change.player,
        "name": comparison.player_names.get(change.player),
        "year": change.year,
        "old": asdict(change.old),
        "new": asdict(change.new),
        "change": change.change,
        "own": change.net,
        "causes": [asdict(cause) for cause in change.causes],
        "together": change.together,
    }


def _career_json(change: CareerChange, comparison: Comparison) -> dict[str, Any]:
    name = comparison.player_names.get(change.player)
    return {"player": change.player, "name": name, **asdict(change)}


def _tables(comparison: Comparison) -> Iterator[ReportTable]:
    """Yield the tables that have rows."""
    for table in chain(
        _edit_tables(comparison),
        [_rating_table(comparison), _number_one_table(comparison)],
        _rank_tables(comparison),
        _career_tables(comparison),
    ):
        if table.rows:
            yield table


def _edit_tables(comparison: Comparison) -> Iterator[ReportTable]:
    for kind, edits in groupby(comparison.edits, key=lambda edit: edit.kind):
        rows = [(edit.state, _record(edit), _changes(edit, comparison)) for edit in edits]
        yield ReportTable(KINDS[kind][1].capitalize(), ("", "which", "what changed"), rows)
    edited = {edit.id for edit in comparison.edits if edit.kind == "events"}
    unedited = sorted(set(comparison.attribution.events) - edited)
    yield ReportTable(
        "Events rated differently though nobody edited them",
        ("event", "effect"),
        [(comparison.event(event), _event_effect(event, comparison)) for event in unedited],
    )


def _record(edit: Edit) -> str:
    return f"{edit.name} ({edit.id}{f', formerly {edit.former}' if edit.former else ''})"


def _changes(edit: Edit, comparison: Comparison) -> str:
    effect = _event_effect(edit.id, comparison) if edit.kind == "events" else ""
    return "\n".join(filter(None, [*map(field_line, edit.fields), effect]))


def field_line(field: FieldEdit) -> str:
    """Return what changed in a field; long texts are shown from shortly before they differ."""
    old, new = (" ".join(text.split()) for text in (field.old, field.new))
    if not old:
        return f"{field.what}: added {_cut(new)}"
    if not new:
        return f"{field.what}: removed {_cut(old)}"
    differing = (k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b)
    start = next(differing, min(len(old), len(new))) - COMMON_START
    if max(len(old), len(new)) > MAX_TEXT and start > 0:
        old, new = f"…{old[start:]}", f"…{new[start:]}"
    return f"{field.what}: {_cut(old)} {ARROW} {_cut(new)}"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"


def _event_effect(event: str, comparison: Comparison) -> str:
    """Return the effect of an event's change alone on all ratings, empty if not known."""
    effect = comparison.attribution.effects.get(event)
    if effect is None:
        return ""
    changed = sum(abs(shift - effect.median_shift) >= 1 for shift in effect.shifts.values())
    if not changed and abs(effect.median_shift) < NEGLIGIBLE:
        return "on its own it changes no rating by 1 point or more"
    text = f"on its own it changes {formats.counted(changed, 'rating')} by 1 point or more"
    if abs(effect.median_shift) >= PRINTED:
        text += f", relative to a median change of {formats.signed(effect.median_shift, 1)}"
    return text


def _rating_table(comparison: Comparison) -> ReportTable:
    """Return the largest change of each player, with the number of changed years."""
    years = Counter(change.player for change in comparison.ratings)
    return ReportTable(
        "Largest rating changes, one year of each player",
        ("player", "year", "rating", "change", "years changed", "which event caused it"),
        [
            (
                comparison.player(change.player),
                str(change.year),
                f"{_rating(change.old)} {ARROW} {_rating(change.new)}",
                formats.signed(change.change, 1),
                formats.counted(years[change.player], "year"),
                _causes(change, comparison),
            )
            for change in largest_of_each_player(comparison)
        ],
    )


def largest_of_each_player(comparison: Comparison) -> list[RatingChange]:
    """Return the largest rating change of each player, the largest of all first."""
    largest: dict[str, RatingChange] = {}
    for change in comparison.ratings:
        largest.setdefault(change.player, change)
    return list(largest.values())


def _rating(rating: Rating) -> str:
    return formats.rating_with_deviation(rating.rating, rating.deviation)


def _causes(change: RatingChange, comparison: Comparison) -> str:
    """Return the events with their effects, and the part not explained by any of them alone."""
    parts = [
        f"{comparison.event(cause.event)} {formats.signed(cause.effect, 1)}"
        for cause in change.causes
        if abs(cause.effect) >= PRINTED
    ]
    if change.together is None:
        return ", ".join(parts) or "not known"
    if abs(change.together) >= PRINTED or not parts:
        word = "together" if len(parts) > 1 else "other"
        parts.append(f"{word} {formats.signed(change.together, 1)}")
    return ", ".join(parts)


def _number_one_table(comparison: Comparison) -> ReportTable:
    rows = []
    for change in comparison.number_ones:
        players = (change.old, change.new)
        names = ("nobody" if one is None else comparison.player(one) for one in players)
        rows.append((str(change.year), *names))
    return ReportTable("Changes of number one", ("year", "before", "now"), rows)


def _rank_tables(comparison: Comparison) -> Iterator[ReportTable]:
    for title, top in (
        (f"Rank changes in the top {TOP}", True),
        (f"Rank changes below the top {TOP}", False),
    ):
        found = [change for change in comparison.ranks if (change.best <= TOP) == top]
        rows = [
            (str(year), ", ".join(_rank_change(change, comparison) for change in changes))
            for year, changes in groupby(found, key=lambda change: change.year)
        ]
        yield ReportTable(title, ("year", "players"), rows)


def _rank_change(change: RankChange, comparison: Comparison) -> str:
    old, new = ("not ranked" if r is None else formats.rank(r) for r in (change.old, change.new))
    return f"{comparison.player(change.player)} {old} {ARROW} {new}"


def _career_tables(comparison: Comparison) -> Iterator[ReportTable]:
    for title, is_rated in (
        ("Newly rated players", (False, True)),
        ("Players no longer rated", (True, False)),
        ("Players whose first or last rated year changed", (True, True)),
    ):
        rows = [
            (_career_change(change, comparison),)
            for change in comparison.careers
            if (change.old is not None, change.new is not None) == is_rated
        ]
        yield ReportTable(title, ("player",), rows)


def _career_change(change: CareerChange, comparison: Comparison) -> str:
    old, new = (
        "unrated" if span is None else formats.years(*span) for span in (change.old, change.new)
    )
    parts = [f"{comparison.player(change.player)}: {old} {ARROW} {new}"]
    if change.events:
        parts.append(f"caused by {', '.join(map(comparison.event, change.events))}")
    if change.new is None and change.reason:
        parts.append(change.reason.rstrip("."))
    return "; ".join(parts)


def _columns(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield the rows in aligned columns.

    If any cell of the last column has several lines, the whole column goes below the rows.
    """
    below = any("\n" in row[-1] for row in rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row[:-1], widths[:-1], strict=True)]
        yield "  ".join(cells if below else [*cells, row[-1]]).rstrip()
        yield from (f"    {line}" for line in row[-1].splitlines() if below)


def _cells(row: Iterable[str]) -> str:
    cells = ("<br>".join(map(_escaped, cell.splitlines())) for cell in row)
    return "| " + " | ".join(cells) + " |"


def _escaped(text: str) -> str:
    """Return the text so that Markdown shows it literally, in a paragraph or a table cell."""
    flat = _MARKUP.sub(r"\\\1", " ".join(text.split()))
    return flat.replace("<", "&lt;").replace(">", "&gt;").replace("@", "&#64;")


def _hidden(table: ReportTable, shown: Sequence[object]) -> list[str]:
    hidden = len(table.rows) - len(shown)
    return [f"and {formats.count(hidden)} more; --all shows them"] if hidden else []
