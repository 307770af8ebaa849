"""The page of the contest: how well each rating system predicts results that it was not given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import NamedTuple, TypedDict

from markupsafe import Markup, escape

from edo.core import formats
from edo.site import markup, placeholders, urls
from edo.site.input import Link, Page, SiteInput
from edo.site.measured import contest_of
from edo.site.pages.content_values import Words, words_of
from edo.site.pages.measurements import pooled
from edo.site.pages.method import article, drawing_of
from edo.systems.all_ratings import SYSTEMS
from edo.systems.evaluation.contest import (
    TESTS,
    Choice,
    Contest,
    Entry,
    Mean,
    TestScores,
)
from edo.systems.evaluation.tuning import Bin
from edo.systems.evaluation.whole_events import LEAST_GAMES, TWO, ScoreCoverage

SLUG = "contest"
CLEAR = 0.8  # [points per game] expected of a clear favourite, at least
NONE = formats.DASH

OTHER_HEADS = "First move", "Coverage", "Against the best"
WORDS = {"System", "Parameter", OTHER_HEADS[0], OTHER_HEADS[-1], *map(str.capitalize, TESTS)}
"""The columns that hold words, not numbers."""

Named = Callable[[Entry], str]


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Markup:
    """Return a table of the contest as Markdown, which the text names by a placeholder."""
    rule = ["---" if column in WORDS else "--:" for column in columns]
    return Markup("\n").join(
        Markup("| {} |").format(Markup(" | ").join(map(escape, line)))
        for line in (columns, rule, *rows)
    )


class TrialTables(NamedTuple):
    """The tables of one of the tests; `against` compares each system with the reference.

    `averages` and `scores` are of systems with standard errors, None where there is none; `scores`
    also where players' scores in whole events were not predicted.
    """

    losses: Markup
    averages: Markup | None
    scores: Markup | None
    briers: Markup
    against: Markup
    calibrations: Markup


class TestValues(TypedDict):
    """What the text names of one of the tests."""

    title: str
    slug: str
    trial: TestScores
    verdict: str
    least_covering: Entry
    tables: TrialTables


class ContestResults(TypedDict):
    """What the text names of the contest, with its tables."""

    measured: Contest
    reference: str
    most: float
    before_split: int
    clear_favourite: float
    least_games: float
    tests: Sequence[TestValues]
    choices: Markup
    times: Markup


class ContestValues(Words):
    """What the text on the contest may name; `contest` is None where there is none to show."""

    contest: ContestResults | None


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of the contest."""
    title, lead, body = markup.split(site.content[SLUG], SLUG)
    yield Page(
        urls.CONTEST,
        "method.html",
        partial(contest_view, site, lead, body),
        title,
        markup.plain(lead),
    )


def contest_view(site: SiteInput, lead: str, body: str) -> Mapping[str, object]:
    """Return the text on the contest, filled with its results."""
    slugs, contest = {system.slug for system in SYSTEMS}, contest_of(site)
    values = None if contest is None else contest_values(contest, slugs)
    named: ContestValues = {**words_of(site), "contest": values}
    text = placeholders.filled(body, named, SLUG)
    systems = Link("All rating systems", urls.SYSTEMS)
    return article(urls.CONTEST, lead, text, partial(drawing_of, SLUG, site), (systems, None))


def contest_values(contest: Contest, slugs: set[str]) -> ContestResults:
    """Return what the text names; the systems of `slugs` have pages of their own."""

    def linked(entry: Entry) -> str:
        page = urls.system(entry.slug)
        return f"[{entry.name}](/{page})" if entry.slug in slugs else entry.name

    return {
        "measured": contest,
        "reference": _entry(contest.whole_events, contest.reference).name,
        "most": 1 - contest.least,
        "before_split": contest.split - 1,
        "clear_favourite": CLEAR,
        "least_games": LEAST_GAMES,
        "tests": [
            {
                "title": name.capitalize(),
                "slug": name.replace(" ", "-"),
                "trial": trial,
                "verdict": verdict(trial, contest.reference),
                "least_covering": min(trial.entries, key=lambda one: one.coverage),
                "tables": trial_tables(trial, contest.reference, linked),
            }
            for name, trial in contest.tests.items()
        ],
        "choices": choices(contest, linked),
        "times": times(contest, linked),
    }


def favourites(contest: Contest) -> tuple[Bin, Bin] | None:
    """Return what the favourites of events left out were expected to score and scored.

    By the ratings of the reference system: all favourites, and the clear ones; None without any.
    """
    bins = _entry(contest.whole_events, contest.reference).bins
    found = pooled(bins), pooled([one for one in bins if one.expected >= CLEAR])
    return None if found[0] is None or found[1] is None else (found[0], found[1])


def verdict(trial: TestScores, slug: str) -> str:
    """Return in words which system was best and how the reference system compares."""
    best, *others = trial.entries
    reference = _entry(trial, slug)
    place = formats.rank(trial.entries.index(reference) + 1)
    rest = [one for one in trial.entries if one is not reference]
    better = [one for one in rest if one.log_loss_beyond.high < 0]
    worse = [one for one in rest if one.log_loss_beyond.low > 0]
    groups = (
        (f"Not clearly different from {best.name}", [o for o in others if o.behind.low <= 0]),
        (f"Clearly better than {reference.name}", better),
        (
            f"Not clearly different from {reference.name}",
            [one for one in rest if one not in better and one not in worse],
        ),
        (f"Clearly worse than {reference.name}", worse),
    )
    words = f"The lowest log loss is that of {best.name}; "
    words += f"{reference.name} ranks {place} of {len(trial.entries)}."
    for what, entries in groups:
        if entries:
            words += f" {what}: {'; '.join(one.name for one in entries)}."
    return words


def trial_tables(trial: TestScores, slug: str, named: Named) -> TrialTables:
    """Return the tables of one test."""
    entries, reference = trial.entries, _entry(trial, slug)
    by_brier = sorted(entries, key=lambda entry: entry.brier.mean)
    by_difference = sorted(
        (entry for entry in entries if entry is not reference),
        key=lambda entry: entry.against.beyond.mean,
    )
    beyond = "95% interval", f"Difference from {reference.name}", "95% interval"
    return TrialTables(
        table(
            ("Place", "System", "Log loss", *beyond, *OTHER_HEADS),
            _ranked(entries, named, lambda one: _loss_cells(one, entries[0], reference)),
        ),
        _averages(entries, named),
        _scores(entries, named),
        table(
            ("Place", "System", "Brier score", *beyond),
            _ranked(
                by_brier,
                named,
                lambda one: (*_mean(one.brier), *_beyond(one.brier_beyond, one is reference)),
            ),
        ),
        table(
            ("System", "Games", "Log loss", f"{reference.name}’s", *beyond[1:]),
            tuple((named(one), *_against_cells(one)) for one in by_difference),
        ),
        table(
            (
                *("System", "Favourites, expected", "scored", "standard error"),
                *("Clear favourites, games", "expected", "scored", "standard error"),
            ),
            tuple((named(one), *_calibration_cells(one)) for one in entries),
        ),
    )


def choices(contest: Contest, named: Named) -> Markup:
    """Return the table of the parameters that were chosen in the tests."""
    chosen = [
        {(entry.slug, one.name): one for entry in trial.entries for one in entry.chosen}
        for trial in contest.tests.values()
    ]
    order = {time.slug: k for k, time in enumerate(contest.times)}
    rows = []
    for slug, name in sorted(chosen[0], key=lambda key: order[key[0]]):
        first, found = chosen[0][slug, name], [of_test.get((slug, name)) for of_test in chosen]
        rows.append((
            named(_entry(contest.whole_events, slug)),
            name.replace("_", " ") + (f" [{first.unit}]" if first.unit else ""),
            formats.number(first.default),
            *(NONE if one is None else _chosen(one) for one in found),
        ))  # fmt: skip
    columns = ("System", "Parameter", "Default", *map(str.capitalize, TESTS))
    return table(columns, rows)


def times(contest: Contest, named: Named) -> Markup:
    """Return the table of computing times."""
    rows = (
        (named(_entry(contest.whole_events, time.slug)), formats.number(time.seconds))
        for time in contest.times
    )
    return table(("System", "Seconds, about"), rows)


def _ranked(
    entries: Sequence[Entry], named: Named, cells: Callable[[Entry], tuple[str, ...]]
) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (formats.rank(place), named(entry), *cells(entry))
        for place, entry in enumerate(entries, start=1)
    )


def _loss_cells(entry: Entry, best: Entry, reference: Entry) -> tuple[str, ...]:
    other = "worse" if entry.behind.low > 0 else "similar"
    words = "best" if entry is best else other
    beyond = _beyond(entry.log_loss_beyond, entry is reference)
    white = "in its fit" if entry.knows_white else "added"
    return (*_mean(entry.log_loss), *beyond, white, formats.percentage(entry.coverage), words)


def _averages(entries: Sequence[Entry], named: Named) -> Markup | None:
    """Return the table of the log loss averaged over the uncertainty, the least first."""
    found = [
        (one.averaged.mean, named(one), one.log_loss.mean, one.averaging)
        for one in entries
        if one.averaged is not None and one.averaging is not None
    ]
    rows = tuple(
        (name, formats.fixed(plain, 4), formats.fixed(mean, 4), *_beyond(gain, False))
        for mean, name, plain, gain in sorted(found, key=itemgetter(0, 1))
    )
    columns = ("System", "Log loss", "Averaged", "Gain", "95% interval")
    return table(columns, rows) if rows else None


def _scores(entries: Sequence[Entry], named: Named) -> Markup | None:
    """Return the table of the coverage of players' scores."""
    rows = [(named(one), *_score_cells(one.scores)) for one in entries if one.scores is not None]
    columns = ("System", "Scores", "Within 1", f"Within {TWO}", "Root mean square", "Factor",
               "95% interval")  # fmt: skip
    return table(columns, rows) if rows else None


def _score_cells(found: ScoreCoverage) -> tuple[str, ...]:
    shares = formats.percentage(found.one), formats.percentage(found.two)
    factor, low, high = (
        formats.fixed(value, 2) for value in (found.variance_factor, found.low, found.high)
    )
    of_scores = formats.count(found.scores), *shares, formats.fixed(found.rms, 2)
    return (*of_scores, factor, f"{low}{formats.DASH}{high}")


def _against_cells(entry: Entry) -> tuple[str, ...]:
    one = entry.against
    losses = formats.fixed(one.log_loss, 4), formats.fixed(one.reference, 4)
    return (formats.count(one.games), *losses, *_beyond(one.beyond, False))


def _mean(mean: Mean) -> tuple[str, str]:
    low, high = formats.fixed(mean.low, 4), formats.fixed(mean.high, 4)
    return formats.fixed(mean.mean, 4), f"{low}{formats.DASH}{high}"


def _beyond(mean: Mean, is_reference: bool) -> tuple[str, str]:
    if is_reference:
        return NONE, NONE
    mid, low, high = (formats.signed(value, 4) for value in (mean.mean, mean.low, mean.high))
    return mid, f"{low} to {high}"


def _calibration_cells(entry: Entry) -> tuple[str, ...]:
    clear = pooled([one for one in entry.bins if one.expected >= CLEAR])
    games = "0" if clear is None else formats.count(clear.games)
    return (*_shares(pooled(entry.bins)), games, *_shares(clear))


def _shares(one: Bin | None) -> tuple[str, ...]:
    if one is None:
        return (NONE,) * 3
    return tuple(
        formats.fixed(share, 3) for share in (one.expected, one.actual, one.standard_error)
    )


def _chosen(choice: Choice) -> str:
    """Return the values in order, with how often each was chosen where there are several parts."""
    if len(choice.values) == 1:
        return formats.number(choice.values[0])
    counts = sorted(Counter(choice.values).items())
    return ", ".join(f"{formats.number(value)} ({times}×)" for value, times in counts)


def _entry(trial: TestScores, slug: str) -> Entry:
    return next(entry for entry in trial.entries if entry.slug == slug)
