"""The contest of the rating systems in, the tables of its page as lines for a terminal out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from edo.site.pages.contest_values import Row, contest_values
from edo.systems.evaluation.contest import Contest


def printed(contest: Contest) -> Iterator[str]:
    """Yield the tables of the page as lines for a terminal, the times as the last."""
    values = contest_values(contest, contest.fingerprint, ())
    trials = ("Held out", values.held_out), ("Next year", values.next_year)
    for name, trial in trials:
        title = f"{name}: log loss of {trial.games} games"
        yield from _laid_out(title, values.loss_columns, trial.losses)
        yield from _laid_out(f"{name}: Brier score", values.brier_columns, trial.briers)
        title = f"{name}: log loss, each on all games that it and {values.reference} foretell"
        yield from _laid_out(title, values.against_columns, trial.against)
    for name, trial in trials:
        title = f"{name}: calibration"
        yield from _laid_out(title, values.calibration_columns, trial.calibrations)
    yield from _laid_out("Time to rate the history once", values.time_columns, values.times)


def _laid_out(title: str, columns: Sequence[str], rows: Sequence[Row]) -> Iterator[str]:
    """Yield a table as lines, each column as wide as its widest cell."""
    lines = [tuple(columns), *(row.all for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    name = columns.index("System")
    yield title
    for line in lines:
        cells = zip(line, widths, strict=True)
        yield "  ".join(
            cell.ljust(width) if k == name else cell.rjust(width)
            for k, (cell, width) in enumerate(cells)
        ).rstrip()
    yield ""
