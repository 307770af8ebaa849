"""Reports of a comparison: text for the terminal, Markdown for pull requests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from edo.core import formats
from edo.diff.compare import (
    LARGE,
    NEGLIGIBLE,
    TOP,
    CareerChange,
    Comparison,
    RankChange,
    RatingChange,
)
from edo.diff.edits import KINDS, Edit
from edo.rating.edo import PlayerYear

ROWS = 20  # of each table by default
ARROW = "→"
PRINTED = 0.05  # [Elo] smaller numbers would be printed as 0.0

_MARKUP = re.compile(r"([\\`*_\[\]|~$])")
# What GitHub makes links of: `@name`, `#12`, `GH-12` and addresses.
_LINKED = re.compile(r"@|#(?=\d)|\bGH(?=-\d)|:(?=//)|\bwww(?=\.)", re.IGNORECASE)


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
    if comparison.attribution.gap_reason is not None:
        yield f"Effects of single events are not known: {comparison.attribution.gap_reason}."


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
    names = ", ".join(field.replace("_", " ") for field in edit.fields)
    return "\n".join(filter(None, [names, effect]))


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


def _rating(rating: PlayerYear) -> str:
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
        names = ("nobody" if player is None else comparison.player(player) for player in players)
        rows.append((str(change.year), *names))
    return ReportTable("Changes of number one", ("year", "before", "now"), rows)


def _rank_tables(comparison: Comparison) -> Iterator[ReportTable]:
    for title, top in (
        (f"Rank changes in the top {TOP}", True),
        (f"Rank changes below the top {TOP}", False),
    ):
        in_table = [change for change in comparison.ranks if (change.best <= TOP) == top]
        rows = [
            (str(year), ", ".join(_rank_change(change, comparison) for change in changes))
            for year, changes in groupby(in_table, key=lambda change: change.year)
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
    """Return the text so that Markdown shows it literally, in a paragraph or a table cell.

    GitHub links addresses and mentions that it finds in the shown text: these are broken by a
    character without width.
    """
    flat = _LINKED.sub("\\g<0>\u2060", " ".join(text.split()))
    return _MARKUP.sub(r"\\\1", flat).replace("<", "&lt;").replace(">", "&gt;")


def _hidden(table: ReportTable, shown: Sequence[object]) -> list[str]:
    hidden = len(table.rows) - len(shown)
    return [f"and {formats.count(hidden)} more; --all shows them"] if hidden else []
