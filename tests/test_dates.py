"""Dates as exactly as they are known: what is taken, what is refused, and what they span."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edo.core.model import DateSpan, PartialDate
from edo.history.notation import first_day, last_day, parse_date, parse_span
from edo.history.values import InvalidValue


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("1883", PartialDate(1883)),
        ("1883-04", PartialDate(1883, 4)),
        ("1883-04-26", PartialDate(1883, 4, 26)),
        ("1790~", PartialDate(1790, approximate=True)),
        ("1790-12-31~", PartialDate(1790, 12, 31, approximate=True)),
        ("1852-02-29", PartialDate(1852, 2, 29)),
    ],
)
def test_dates_are_read_and_written(text: str, date: PartialDate) -> None:
    assert parse_date(text) == date
    assert str(date) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "`` is not a date"),
        ("883", "`883` is not a date in a year from 1000 to 2999"),
        ("18830426", "`18830426` is not a date"),
        ("1883-4-26", "`1883-4-26` is not a date"),
        ("26.4.1883", "`26.4.1883` is not a date"),
        ("~1883", "`~1883` is not a date"),
        ("1883?", "`1883?` is not a date"),
        ("1883-XX", "`1883-XX` is not a date"),
        ("١٨٨٣", "`١٨٨٣` is not a date"),
        ("1883-00", "`1883-00` has the month 00"),
        ("1883-13", "`1883-13` has the month 13"),
        ("1862-02-30", "`1862-02-30` is a day that never was"),
        ("1900-02-29", "`1900-02-29` is a day that never was"),
        ("1883-04-00", "`1883-04-00` is a day that never was"),
        ("1883-04-31~", "`1883-04-31~` is a day that never was"),
    ],
)
def test_impossible_dates_are_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidValue) as refused:
        parse_date(text)
    assert refused.value.message == message


def test_ranges() -> None:
    span = parse_span("1851-05-27 / 1851-07")
    assert span == DateSpan(PartialDate(1851, 5, 27), PartialDate(1851, 7))
    assert str(span) == "1851-05-27/1851-07"
    assert str(parse_span("1851")) == "1851"


@pytest.mark.parametrize(
    "text", ["1851-07/1851-06", "1852/1851", "1851-07-21/1851-07-20", "1852/1851-12-31~"]
)
def test_ranges_that_end_before_they_start(text: str) -> None:
    with pytest.raises(InvalidValue, match="ends before it starts"):
        parse_span(text)


@pytest.mark.parametrize("text", ["1851-07/1851", "1851/1851-02", "1851-07-21/1851-07"])
def test_ranges_that_overlap_are_taken(text: str) -> None:
    assert str(parse_span(text)) == text


@pytest.mark.parametrize("text", ["1851/", "/1851", "1851/1852/1853", "1851-1852"])
def test_other_ranges_are_refused(text: str) -> None:
    with pytest.raises(InvalidValue):
        parse_span(text)


@pytest.mark.parametrize("text", ["14/01/2024", "1/2/1883", "14/01/2024/15/01/2024"])
def test_dates_with_the_day_first_get_their_hint(text: str) -> None:
    with pytest.raises(InvalidValue) as refused:
        parse_span(text)
    hint = "write the year first and hyphens, like `2024-01-14`"
    assert str(refused.value) == f"`{text}` is not a date; {hint}"


def test_the_days_that_a_date_can_mean() -> None:
    assert first_day(parse_date("1852-02")) == datetime.date(1852, 2, 1)
    assert last_day(parse_date("1852-02")) == datetime.date(1852, 2, 29)
    assert last_day(parse_date("1852")) == datetime.date(1852, 12, 31)
    assert first_day(parse_date("1852-02-07~")) == datetime.date(1852, 2, 7)


@given(st.dates(datetime.date(1000, 1, 1), datetime.date(2999, 12, 31)))
def test_every_day_of_the_calendar_is_taken(day: datetime.date) -> None:
    date = parse_date(day.isoformat())
    assert first_day(date) == last_day(date) == day


@given(st.text(max_size=30))
def test_any_text_is_a_span_or_refused(text: str) -> None:
    try:
        span = parse_span(text)
    except InvalidValue as refused:
        assert refused.message
        assert refused.hint
    else:
        assert first_day(span.start) <= last_day(span.end)
