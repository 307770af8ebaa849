"""Each cross-file check finds what it is for, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest

from edo.core.model import Dataset, Event, Player, Result, Total
from edo.history import checks
from edo.history.notation import parse_date, parse_span

EMPTY: MappingProxyType[str, object] = MappingProxyType({})


def dataset(*records: Event | Player) -> Dataset:
    return Dataset(
        {r.id: r for r in records if isinstance(r, Event)},
        {r.id: r for r in records if isinstance(r, Player)},
        {},
        {},
        {},
    )


def event(dates: str | None, year: int, players: tuple[str, ...] = ("a", "b")) -> Event:
    return Event(
        "e",
        "E",
        "match",
        year,
        "events/e.yaml",
        players=players,
        dates=parse_span(dates) if dates else None,
        results=(Result("a", "b", 1, 0, 1, line=7),),
    )


def player(id_: str, born: str | None = None, died: str | None = None) -> Player:
    return Player(
        id_,
        id_.upper(),
        parse_date(born) if born else None,
        parse_date(died) if died else None,
        line=3,
    )


@pytest.mark.parametrize(
    ("dates", "year", "died", "severity"),
    [
        ("1880-01-02", 1880, "1880-01-01", "error"),
        ("1880-01-01", 1880, "1880-01-01", None),
        ("1880", 1880, "1879", "error"),
        ("1880", 1880, "1880-01-01", None),
        ("1879-12/1880-01", 1880, "1879-12-31", None),
        ("1880", 1880, "1879~", "warning"),
        ("1880~", 1880, "1879", "warning"),
        (None, 1880, "1879", "warning"),
        (None, 1880, "1880", None),
    ],
)
def test_nobody_plays_after_death(
    dates: str | None, year: int, died: str, severity: str | None
) -> None:
    found = list(checks.check_lifetimes(dataset(event(dates, year), player("a", died=died))))
    assert [problem.severity for problem in found] == ([severity] if severity else [])
    if found:
        assert (found[0].path, found[0].line) == ("events/e.yaml", 7)
        assert found[0].message.startswith("`a` plays after his death (")


@pytest.mark.parametrize(
    ("dates", "born", "severity"),
    [("1880", "1881", "error"), ("1880", "1880-12-31", None), ("1880", "1881~", "warning")],
)
def test_nobody_plays_before_birth(dates: str, born: str, severity: str | None) -> None:
    woman = replace(player("b", born=born), woman=True)
    found = list(checks.check_lifetimes(dataset(event(dates, 1880), woman)))
    assert [problem.severity for problem in found] == ([severity] if severity else [])
    assert all("before her birth" in problem.message for problem in found)


def test_an_offhand_identity_has_the_life_of_its_person() -> None:
    offhand = replace(player("a"), offhand_of="p")
    known = dataset(event("1880", 1880), offhand, player("p", died="1879"))
    (problem,) = checks.check_lifetimes(known)
    assert problem.message.startswith("`a` plays after his death")
    child = dataset(event("1880", 1880), offhand, player("p", born="1874"))
    assert len(list(checks.check_ages(child))) == 1
    grown = dataset(event("1880", 1880), offhand, player("p", "1850", "1880"))
    assert not list(checks.check_lifetimes(grown)) + list(checks.check_ages(grown))


@pytest.mark.parametrize(
    ("dates", "days"),
    [("1880-01-09", 2), ("1880-01-07/1880-01-09", 0), ("1879-12-30/1880-01-01", 1),
     ("1880-01-01/1880-02-01", -6), ("1880-01", None), ("1880-01-09~", None), (None, None)],
)  # fmt: skip
def test_days_between_events(dates: str | None, days: int | None) -> None:
    one = event("1880-01-02/1880-01-07", 1880)
    assert checks.days_between(one, event(dates, 1880)) == days
    assert checks.days_between(event(dates, 1880), one) == days


@pytest.mark.parametrize(
    ("dates", "born", "age"),
    [
        ("1880", "1870", None),
        ("1880", "1871", "at most 9"),
        ("1880-03", "1870-03-31", None),
        ("1880-03", "1870-04-01", "at most 9"),
        ("1880-03-01/1880-04-01", "1870-04-01", None),
        ("1880", "1784", None),
        ("1880", "1783", "at least 96"),
        ("1880-03-05", "1784-03-05", "at least 96"),
        ("1880-03-05", "1784-03-06", None),
    ],
)
def test_ages(dates: str, born: str, age: str | None) -> None:
    """Age counts by the day, and only where it is certain however inexact the dates are."""
    problems = list(checks.check_ages(dataset(event(dates, 1880), player("a", born=born))))
    assert [(p.message, p.severity, p.warning) for p in problems] == [
        (f"`a` plays at the age of {age}", "warning", "age")
    ] * (age is not None)


def test_ages_leave_to_lifetimes_what_is_theirs() -> None:
    assert not list(checks.check_ages(dataset(event("1880", 1880), player("a", born="1890"))))
    dead = player("a", born="1700", died="1760")
    assert not list(checks.check_ages(dataset(event("1880", 1880), dead)))


def test_an_offhand_identity_belongs_to_a_person() -> None:
    a, b, c = player("a"), player("b"), player("c")
    b, c = replace(b, offhand_of="a"), replace(c, offhand_of="b")
    (problem,) = checks.check_offhand(dataset(a, b, c))
    assert str(problem) == (
        "events/players/c.yaml:3: c, offhand_of: `b` is an offhand identity itself; "
        "name the person, `a`"
    )


def test_spellings_of_two_persons() -> None:
    a, b = player("a"), replace(player("b"), spellings=("x", "A", "a"))
    offhand = replace(player("a2"), name="A", offhand_of="a")
    (problem,) = checks.check_spellings(dataset(a, offhand, b))
    assert str(problem) == (
        "events/players/b.yaml:3: warning: b: the name `a` is also one of `a`; "
        "look whether they are one person, or tell them apart"
    )


def test_person_and_offhand_identity_in_one_event() -> None:
    b = replace(player("b"), offhand_of="a")
    (problem,) = checks.check_twice(dataset(event(None, 1880), player("a"), b))
    assert (problem.severity, problem.line) == ("error", 7)


def test_problems_point_at_the_total_or_the_list_where_there_is_no_result() -> None:
    known = replace(event("1880", 1880), results=(), totals=(Total("a", 1.0, line=9),))
    listed = replace(known, totals=(), lines={"players": 4})
    dead = player("a", died="1800")
    assert [p.line for p in checks.check_lifetimes(dataset(known, dead))] == [9]
    assert [p.line for p in checks.check_lifetimes(dataset(listed, dead))] == [4]


def test_all_checks_run() -> None:
    assert {check.__name__ for check in checks.CHECKS} == {
        name for name in vars(checks) if name.startswith("check_")
    }
    found = checks.run(dataset(event("1880", 1880), player("a", died="1800", born="1810")))
    assert len(found) == 2 - 1  # born 1810 and alive at 70; dead since 1800


def test_lives_of_the_same_days() -> None:
    a, b = player("a", "1850-03-01", "1900-04-02"), player("b", "1850-03-01", "1900-04-02")
    (problem,) = checks.check_lives(dataset(a, b))
    assert (problem.place, problem.severity) == ("b", "warning")
    assert problem.message == "born and died on the same days as `a`"
    by_year = player("c", "1850", "1900"), player("d", "1850", "1900")
    assert not list(checks.check_lives(dataset(*by_year, replace(b, offhand_of="a"), a)))


def test_a_series_of_one_event_leads_nowhere() -> None:
    alone = replace(event("1880", 1880), series="cup", lines={"series": 4})
    others = [replace(event("1881", 1881), id=f"e{n}", series="league") for n in (1, 2)]
    (found,) = checks.check_series(dataset(alone, *others, replace(alone, id="e3", series=None)))
    assert (found.path, found.line, found.severity) == ("events/e.yaml", 4, "warning")
    assert found.message == "no other event is of the series `cup`"
