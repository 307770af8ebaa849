"""How scores, ratings, dates and counts look on every page."""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache, wraps
from itertools import groupby
from typing import Any

from edo.core import countries
from edo.core.model import DateSpan, Mark, PartialDate, Player

MINUS = "\N{MINUS SIGN}"
HALF = "½"
QUARTERS = ("", "¼", HALF, "¾")  # some events scored by quarters of a point
DASH = "–"
ABOUT = "≈"

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def score(points: float) -> str:
    """Return points or games as chess prints them: `10½`, `½`, `0`, `10¼`; other parts as `2.33`.

    Raises ValueError on negative or unknown (NaN) points.
    """
    value = round(_finite(points), 9)  # sums of shares are exact but for their last digits
    if value < 0:
        raise ValueError(f"a score of {points:g} points")
    quarters = round(value * 4, 9)
    if quarters != int(quarters):
        return fixed(value, 2)
    whole, rest = divmod(int(quarters), 4)
    return (f"{whole}" if whole or not rest else "") + QUARTERS[rest]


def points_of_games(points: float, games: float) -> str:
    """Return points of so many games, `10½/13`; a dash where no game is known.

    A number of games that is no whole or half one is a share of games that only totals tell of: the
    points are rounded to halves and the games to whole ones, `≈12½/16`.
    """
    if _is_even(games) or games < 1:
        return f"{score(points)}/{score(games)}" if games else DASH
    return f"{ABOUT}{score(math.floor(2 * points + 0.5) / 2)}/{score(round(games))}"


def _is_even(games: float) -> bool:
    """Whether games are counted in quarters, as they are played, not in other shares."""
    return float(round(games * 4, 6)).is_integer()


def result(first: float, second: float) -> str:
    """Return a score of two sides, `8–3`; with a half on either side `2½ – 1½`."""
    left, right = score(first), score(second)
    plain = left.isdigit() and right.isdigit()
    return f"{left}{DASH}{right}" if plain else f"{left} {DASH} {right}"


def mark(game: Mark) -> str:
    """Return one game as a crosstable prints it: `1`, `½`, `0`, `+` or a minus sign."""
    return _MARKS.get(game.value, game.value)


_MARKS = {"=": HALF, "-": MINUS}


def fixed(value: float, places: int) -> str:
    """Return a number with so many decimals, halves rounded away from zero, a real minus sign."""
    size = abs(_finite(value))
    scaled = size * _POWERS[places]
    if scaled > _LARGE or abs(scaled % 1.0 - 0.5) < _NEAR_HALF:
        # The shortest decimal form is what a reader of our CSV files would round.
        step = Decimal(1).scaleb(-places)
        text = f"{Decimal(repr(size)).quantize(step, rounding=ROUND_HALF_UP):f}"
    else:
        text = f"{size:.{places}f}"
    return MINUS + text if value < 0 and text.strip("0.") else text


def rounded(value: float, places: int = 0) -> float:
    """Return a number rounded as `fixed` prints it."""
    if abs(abs(value) * _POWERS[places] % 1.0 - 0.5) < _NEAR_HALF:
        return float(fixed(value, places).replace(MINUS, "-"))
    return float(round(value, places)) + 0.0  # no negative zero


_POWERS = tuple(10.0**places for places in range(16))
_LARGE = 1e11  # [last printed digit] above which a half is not told from its neighbours
_NEAR_HALF = 1e-4  # [last printed digit] within which a half is looked for in decimals


def number(value: float) -> str:
    """Return a number of any size with six digits at the most, a real minus sign."""
    return f"{_finite(value) + 0.0:g}".replace("-", MINUS)  # no negative zero


def expected(points: float) -> str:
    """Return an expected score [points] with two decimals, `4.27`."""
    return fixed(points, 2)


def rating(value: float) -> str:
    """Return a rating [Elo] as a whole number. Raises ValueError on NaN or infinity."""
    return fixed(value, 0)


def deviation(value: float) -> str:
    """Return a deviation [Elo] as a whole number. Raises ValueError below 0, on NaN or infinity."""
    if value < 0:
        raise ValueError(f"a deviation of {value:g}")
    return fixed(value, 0)


def rating_with_deviation(value: float, spread: float | None) -> str:
    """Return a rating [Elo] with its deviation, if it has one, `2763 (31)`."""
    return rating(value) if spread is None else f"{rating(value)} ({deviation(spread)})"


def signed(value: float, places: int = 0) -> str:
    """Return a difference with its sign, `+12`, `−7`, `0`."""
    text = fixed(value, places)
    is_zero = not text.strip("0.")
    return text if is_zero or text.startswith(MINUS) else f"+{text}"


def change(now: float, before: float) -> str:
    """Return the difference of two ratings [Elo] as shown, so that a reader's sum comes out."""
    return signed(rounded(now) - rounded(before))


def percentage(fraction: float, places: int = 0) -> str:
    """Return a fraction as a percentage, `68%`."""
    return f"{fixed(_finite(fraction) * 100, places)}%"


def chance(probability: float) -> str:
    """Return a probability as a percentage, `68%`; never quite none or all: `<1%`, `>99%`."""
    if probability < 0.01:
        return "<1%"
    return ">99%" if probability > 0.99 else percentage(probability)


def chance_from_1(probability: float | None) -> str:
    """Return a probability as a percentage; nothing below 1 % or where it is not known."""
    return "" if probability is None or probability < 0.01 else chance(probability)


_VERDICTS = (
    (0.975, "almost certainly the stronger"),
    (0.84, "very probably the stronger"),
    (0.6, "probably the stronger"),
    (0.4, "hard to tell"),
    (0.16, "probably the weaker"),
    (0.025, "very probably the weaker"),
    (0.0, "almost certainly the weaker"),
)


def verdict(probability: float) -> str:
    """Return in words what a probability of having been the stronger means."""
    return next(words for least, words in _VERDICTS if probability >= least)


def count(number: float) -> str:
    """Return a number rounded to a whole one, with its thousands apart, `19,700`."""
    return f"{round(number):,}"


def amount(number: float) -> str:
    """Return a number of games or points: a whole one with its thousands apart, else as a score.

    One that is a share of games, which only totals tell of, is rounded: `≈172`.
    """
    shared = round(number, 6)  # sums of shares are exact but for their last digits
    if shared == int(shared):
        return count(int(shared))
    return score(number) if _is_even(number) or number < 1 else f"{ABOUT}{count(number)}"


def tally(won: float, drawn: float, lost: float) -> str:
    """Return games won, lost and drawn as books print them: `+7 −2 =2`."""
    return f"+{score(won)} {MINUS}{score(lost)} ={score(drawn)}"


def counted(number: float, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun: `1 game`, `½ game`, `2½ games`; the usual plural adds s."""
    shown = amount(number)
    return f"{shown} {singular if 0 < number <= 1 else plural or singular + 's'}"


def rank(number: int) -> str:
    """Return a rank in a list. Raises ValueError below 1."""
    if number < 1:
        raise ValueError(f"a rank of {number}")
    return count(number)


def footnote(number: int) -> str:
    """Return the mark of a footnote, from 1: `a` to `z`, `aa`; a number would look like a power."""
    times, letter = divmod(number - 1, 26)
    return chr(ord("a") + letter) * (times + 1)


def date(value: PartialDate) -> str:
    """Return a date as exactly as it is known: `26 April 1883`, `April 1883`, `about 1790`."""
    return ("about " if value.approximate else "") + _plain_date(value)


def day(value: datetime.date) -> str:
    """Return a day of our own calendar, `26 April 2026`."""
    return date(PartialDate(value.year, value.month, value.day))


def dates(span: DateSpan) -> str:
    """Return a span of dates without repeating what both ends share, `26 April – 23 June 1883`."""
    start, end = span.start, span.end
    if start == end:
        return date(start)
    about = "about " if start.approximate or end.approximate else ""
    if start.year != end.year:
        gap = DASH if start.month is None and end.month is None else f" {DASH} "
        return f"{about}{_plain_date(start)}{gap}{_plain_date(end)}"
    if start.month is None or end.month is None:
        return f"{about}{_plain_date(start)} {DASH} {_plain_date(end)}"
    if start.month == end.month and start.day is not None and end.day is not None:
        return f"{about}{start.day}{DASH}{_plain_date(end)}"
    return f"{about}{_plain_date(start).removesuffix(f' {start.year}')} {DASH} {_plain_date(end)}"


def file_size(length: int) -> str:
    """Return the size of a file [bytes], `416 KB` or `3.4 MB`."""
    if length < 1_000_000:
        return f"{count(max(1, round(length / 1000)))} KB"
    return f"{length / 1_000_000:.1f} MB"


def span(least: int, most: int) -> str:
    """Return a range of whole numbers, `2–5`, or the one number."""
    return count(least) if least == most else f"{count(least)}{DASH}{count(most)}"


def years(first: int, last: int) -> str:
    """Return a span of years, `1849–1869`, or the one year."""
    return f"{first}" if first == last else f"{first}{DASH}{last}"


def when(span: DateSpan | None, year: int) -> str:
    """Return the dates of an event, or its year where no more is known."""
    return str(year) if span is None else dates(span)


def life(born: PartialDate | None, died: PartialDate | None) -> str:
    """Return the years of a life: `1818–1879`, `b. 1888`, `d. 1879`, `c. 1790–1850`, `?`."""
    if born is None:
        return "?" if died is None else f"d. {_life_year(died)}"
    if died is None:
        return f"b. {_life_year(born)}"
    return f"{_life_year(born)}{DASH}{_life_year(died)}"


def life_of(player: Player) -> str:
    """Return the years of a player's life; nothing where neither is known."""
    known = player.born is not None or player.died is not None
    return life(player.born, player.died) if known else ""


def _life_year(value: PartialDate) -> str:
    return f"c. {value.year}" if value.approximate else f"{value.year}"


def _plain_date(value: PartialDate) -> str:
    """Return a date without the word that it is only about."""
    words = [str(value.year)]
    if value.month is not None:
        words.insert(0, MONTHS[value.month - 1])
    if value.day is not None:
        words.insert(0, str(value.day))
    return " ".join(words)


def aligned(rows: Sequence[Sequence[str]], sides: str) -> list[str]:
    """Return a line of text for each row; `sides` has `l` or `r` for each column."""
    columns = [
        [f"{cell:{'<' if side == 'l' else '>'}{max(map(len, column))}}" for cell in column]
        for column, side in zip(zip(*rows, strict=True), sides, strict=True)
    ]
    return ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]


def _finite(value: float) -> float:
    """Return the number as a plain float. Raises ValueError on NaN or infinity."""
    plain = float(value)
    if not math.isfinite(plain):
        raise ValueError(f"{plain} is no number to print")
    return plain


def _dash_for_none(show: Callable[..., str]) -> Callable[..., str]:
    """Return a format that shows what is not known as a dash, and remembers what it showed."""

    @lru_cache(_REMEMBERED)
    @wraps(show)
    def shown(value: Any, *more: Any) -> str:
        return DASH if value is None else show(value, *more)

    return shown


_REMEMBERED = 1 << 12  # most numbers stand on a page, or on those made next, several times
_OF_NUMBERS = (
    *(score, result, points_of_games, fixed, number, expected, rating, deviation),
    *(rating_with_deviation, signed, percentage, chance, count, amount, tally, counted, rank),
    *(years, span),
)


def year_runs(ascending: Iterable[int]) -> str:
    """Return ascending years, successive ones as one span: `1815–1840, 1849`."""
    runs = groupby(enumerate(ascending), lambda item: item[1] - item[0])
    spans = [[year for _, year in run] for _, run in runs]
    return ", ".join(years(span[0], span[-1]) for span in spans)


FILTERS: Mapping[str, Callable[..., str]] = {
    **{show.__name__: _dash_for_none(show) for show in _OF_NUMBERS},
    "year_runs": year_runs,
    "mark": mark,
    "footnote": footnote,
    "file_size": file_size,
    "date": date,
    "dates": dates,
    "when": when,
    "day": day,
    "life": life_of,
    "chance_from_1": chance_from_1,
    "change": change,
    "verdict": verdict,
    "country": countries.named,
}
"""The filters of the templates, by name; numbers that are None are shown as a dash."""
