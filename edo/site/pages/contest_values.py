"""The contest of the rating systems in, its tables and the words on them, ready to show, out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from edo.core import formats, urls
from edo.systems.evaluation.contest import Choice, Contest, Entry, Mean, Trial
from edo.systems.evaluation.tuning import Bin

CLEAR = 0.8  # [points per game] from which on a favourite is a clear one

RANKED = ("Place", "System")
LAST_COLUMNS = ("Foretells", "Against the best")
CALIBRATION_COLUMNS = (
    *("System", "Favourites, expected", "scored", "standard error"),
    *("Clear favourites, games", "expected", "scored", "standard error"),
)
TIME_COLUMNS = ("System", "Seconds, about")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table; `linked` is the system's name, with a link where it has a page."""

    place: str
    name: str
    linked: str
    cells: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        """Return the row as it is printed."""
        return (*(cell for cell in (self.place, self.name) if cell), *self.cells)


@dataclass(frozen=True, slots=True)
class TrialValues:
    """What the text names of one test; `words` are the verdict as a paragraph."""

    judged: str
    games: str
    pairings: str
    events: str
    years: str
    losses: tuple[Row, ...]
    briers: tuple[Row, ...]
    against: tuple[Row, ...]
    calibrations: tuple[Row, ...]
    words: str
    least_coverage: str
    least_covering: str


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """What was chosen for a parameter, in the parts of the first test and in the second."""

    linked: str
    parameter: str
    default: str
    held_out: str
    next_year: str


@dataclass(frozen=True, slots=True)
class ContestValues:
    """All that the text names; `is_stale` where games or systems have changed since."""

    is_stale: bool
    fingerprint: str
    fingerprint_now: str
    reference: str
    systems: str
    parts: str
    split: str
    tuned_from: str
    before_split: str
    least: str
    most: str
    resamples: str
    clear: str
    held_out: TrialValues
    next_year: TrialValues
    choices: tuple[ChoiceRow, ...]
    times: tuple[Row, ...]
    loss_columns: tuple[str, ...]
    brier_columns: tuple[str, ...]
    against_columns: tuple[str, ...]
    calibration_columns: tuple[str, ...] = CALIBRATION_COLUMNS
    time_columns: tuple[str, ...] = TIME_COLUMNS


def contest_values(contest: Contest, now: str, pages: Collection[str]) -> ContestValues:
    """Return what the text names; `now` is the fingerprint of today, `pages` slugs of systems."""
    reference = _named(contest.held_out, contest.reference).name
    beyond = "95% interval", f"Beyond {reference}", "95% interval"
    linked = {
        entry.slug: _linked(entry, pages)
        for entry in (*contest.held_out.entries, *contest.next_year.entries)
    }
    return ContestValues(
        contest.fingerprint != now,
        contest.fingerprint,
        now,
        reference,
        str(len(linked)),
        str(contest.parts),
        str(contest.split),
        str(contest.tuned_from),
        str(contest.split - 1),
        formats.fixed(contest.least, 2),
        formats.fixed(1 - contest.least, 2),
        formats.count(contest.resamples),
        formats.fixed(CLEAR, 1),
        trial_values(contest.held_out, contest.reference, linked),
        trial_values(contest.next_year, contest.reference, linked),
        tuple(_choices(contest, linked)),
        tuple(_times(contest, linked)),
        (*RANKED, "Log loss", *beyond, *LAST_COLUMNS),
        (*RANKED, "Brier score", *beyond),
        ("System", "Games", "Log loss", f"{reference}’s", *beyond[1:]),
    )


def trial_values(trial: Trial, reference: str, linked: dict[str, str]) -> TrialValues:
    """Return what the text names of one test."""
    entries, best, compared = trial.entries, trial.entries[0], _named(trial, reference)
    by_brier = sorted(entries, key=lambda entry: entry.brier.mean)
    wider = sorted(
        (entry for entry in entries if entry.slug != reference),
        key=lambda entry: entry.against.beyond.mean,
    )
    least = min(entries, key=lambda entry: entry.coverage)
    return TrialValues(
        formats.count(round(trial.judged)),
        formats.count(round(trial.games)),
        formats.count(trial.pairings),
        formats.count(trial.events),
        formats.years(trial.first_year, trial.last_year),
        tuple(_rows(entries, linked, lambda one: _loss_cells(one, best, reference))),
        tuple(_rows(by_brier, linked, lambda one: _brier_cells(one, reference))),
        tuple(_rows(wider, linked, _against_cells, with_place=False)),
        tuple(_rows(entries, linked, _calibration_cells, with_place=False)),
        _verdict(trial, compared),
        formats.percentage(least.coverage),
        least.name,
    )


def _verdict(trial: Trial, reference: Entry) -> str:
    """Return in words who was the best and where the reference stands."""
    best, *others = trial.entries
    place = formats.rank(trial.entries.index(reference) + 1)
    words = [f"The best is {best.name}; {reference.name} is number {place} of {len(others) + 1}."]
    as_good = [one.name for one in others if one.behind.low <= 0]
    words += _said(f"Level with {best.name}", as_good)
    rest = [one for one in trial.entries if one is not reference]
    better = [one.name for one in rest if one.log_loss_beyond.high < 0]
    worse = [one.name for one in rest if one.log_loss_beyond.low > 0]
    even = [one.name for one in rest if one.name not in {*better, *worse}]
    words += _said(f"Better than {reference.name} beyond chance", better)
    words += _said(f"Level with {reference.name}", even)
    words += _said(f"Worse than {reference.name} beyond chance", worse)
    return " ".join(words)


def _said(what: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        yield f"{what}: {'; '.join(names)}."


def _rows(
    entries: Sequence[Entry],
    linked: dict[str, str],
    cells: Callable[[Entry], tuple[str, ...]],
    with_place: bool = True,
) -> Iterator[Row]:
    for place, entry in enumerate(entries, start=1):
        shown = formats.rank(place) if with_place else ""
        yield Row(shown, entry.name, linked[entry.slug], cells(entry))


def _loss_cells(entry: Entry, best: Entry, reference: str) -> tuple[str, ...]:
    other = "behind" if entry.behind.low > 0 else "level"
    words = "the best" if entry is best else other
    beyond = _beyond(entry.log_loss_beyond, entry.slug == reference)
    return (*_mean(entry.log_loss), *beyond, formats.percentage(entry.coverage), words)


def _brier_cells(entry: Entry, reference: str) -> tuple[str, ...]:
    return (*_mean(entry.brier), *_beyond(entry.brier_beyond, entry.slug == reference))


def _against_cells(entry: Entry) -> tuple[str, ...]:
    one = entry.against
    losses = formats.fixed(one.log_loss, 4), formats.fixed(one.reference, 4)
    return (formats.count(round(one.games)), *losses, *_beyond(one.beyond, False))


def _mean(mean: Mean) -> tuple[str, str]:
    low, high = formats.fixed(mean.low, 4), formats.fixed(mean.high, 4)
    return formats.fixed(mean.mean, 4), f"{low}{formats.DASH}{high}"


def _beyond(mean: Mean, is_reference: bool) -> tuple[str, str]:
    if is_reference:
        return formats.DASH, formats.DASH
    mid, low, high = (formats.signed(value, 4) for value in (mean.mean, mean.low, mean.high))
    return mid, f"{low} to {high}"


def _calibration_cells(entry: Entry) -> tuple[str, ...]:
    clear = [one for one in entry.bins if one.expected >= CLEAR]
    games, *figures = _together(clear)
    return (*_together(entry.bins)[1:], games, *figures)


def _together(bins: Sequence[Bin]) -> tuple[str, str, str, str]:
    """Return games, expected and actual share and standard error of several bins as one."""
    games = sum(one.games for one in bins)
    if not games:
        return ("0", *(formats.DASH,) * 3)
    expected, actual = (
        sum(one.games * share for one, share in zip(bins, shares, strict=True)) / games
        for shares in ([one.expected for one in bins], [one.actual for one in bins])
    )
    error = sum((one.games * one.standard_error) ** 2 for one in bins) ** 0.5 / games
    shown = (formats.fixed(value, 3) for value in (expected, actual, error))
    return (formats.count(round(games)), *shown)  # type: ignore[return-value]


def _choices(contest: Contest, linked: dict[str, str]) -> Iterator[ChoiceRow]:
    chosen = [
        {(entry.slug, one.name): one for entry in trial.entries for one in entry.chosen}
        for trial in (contest.held_out, contest.next_year)
    ]
    order = {time.slug: k for k, time in enumerate(contest.times)}
    for slug, name in sorted(chosen[0], key=lambda key: order[key[0]]):
        first, second = chosen[0][slug, name], chosen[1].get((slug, name))
        yield ChoiceRow(
            linked[slug],
            name.replace("_", " ") + (f" [{first.unit}]" if first.unit else ""),
            formats.number(first.default),
            _values(first),
            _values(second) if second is not None else formats.DASH,
        )


def _values(choice: Choice) -> str:
    """Return the values in order, with how often each was chosen where there are several parts."""
    if len(choice.values) == 1:
        return formats.number(choice.values[0])
    counts = sorted(Counter(choice.values).items())
    return ", ".join(f"{formats.number(value)} ({times}×)" for value, times in counts)


def _times(contest: Contest, linked: dict[str, str]) -> Iterator[Row]:
    names = {entry.slug: entry.name for entry in contest.held_out.entries}
    for time in contest.times:
        yield Row("", names[time.slug], linked[time.slug], (formats.number(time.seconds),))


def _named(trial: Trial, slug: str) -> Entry:
    return next(entry for entry in trial.entries if entry.slug == slug)


def _linked(entry: Entry, pages: Collection[str]) -> str:
    return f"[{entry.name}](/{urls.system(entry.slug)})" if entry.slug in pages else entry.name
