"""A date as written in the files (EDTF) comes in; what is known of it goes out."""

from __future__ import annotations

import calendar
import datetime
import re

from edo.core.model import DateSpan, PartialDate
from edo.history.values import Refused, shown

DATE_PATTERN = r"[12][0-9]{3}(-[0-9]{2}(-[0-9]{2})?)?~?"
SPAN_PATTERN = rf"{DATE_PATTERN}(/{DATE_PATTERN})?"

_DATE = re.compile(r"([12][0-9]{3})(?:-([0-9]{2})(?:-([0-9]{2}))?)?(~)?")
_HOW = "write `1883`, `1883-04` or `1883-04-26`, with a `~` behind where it is only about"


def parse_date(text: str) -> PartialDate:
    """Return a single date: `1883`, `1883-04`, `1883-04-26`, each perhaps with a trailing `~`.

    Raises Refused for any other form and for days that never were.
    """
    match = _DATE.fullmatch(text)
    if match is None:
        raise Refused(f"{shown(text)} is not a date", _HOW)
    year, month, day, about = match.groups()
    date = PartialDate(
        int(year), int(month) if month else None, int(day) if day else None, about is not None
    )
    _refuse_impossible(text, date)
    return date


def _refuse_impossible(text: str, date: PartialDate) -> None:
    if date.month is not None and not 1 <= date.month <= 12:
        raise Refused(
            f"{shown(text)} has the month {date.month:02d}", "write a month from 01 to 12"
        )
    if date.month is not None and date.day is not None:
        days = calendar.monthrange(date.year, date.month)[1]
        if not 1 <= date.day <= days:
            raise Refused(
                f"{shown(text)} is a day that never was",
                f"write a day from 01 to {days} or leave it out",
            )


def parse_span(text: str) -> DateSpan:
    """Return a date or two joined by `/`; raises Refused also where the end is before the start."""
    parts = [part.strip() for part in text.split("/")]
    if len(parts) > 2:
        raise Refused(
            f"{shown(text)} joins more than two dates", "write the first and the last day"
        )
    start, end = parse_date(parts[0]), parse_date(parts[-1])
    if first_day(start) > last_day(end):
        raise Refused(f"{shown(text)} ends before it starts", "exchange the two dates")
    return DateSpan(start, end)


def first_day(date: PartialDate) -> datetime.date:
    """Return the earliest day that the date can mean (a `~` left aside)."""
    return datetime.date(date.year, date.month or 1, date.day or 1)


def last_day(date: PartialDate) -> datetime.date:
    """Return the latest day that the date can mean (a `~` left aside)."""
    month = date.month or 12
    return datetime.date(date.year, month, date.day or calendar.monthrange(date.year, month)[1])
