"""Each warning is raised by a hand-made case of what it is for, and not by its neighbours."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from datetime import date, timedelta
from itertools import combinations
from pathlib import Path

import pytest
from conftest import MINISITE, ROOT
from sample_datasets import covariances

from edo.commands import cli
from edo.core.model import (
    Citation,
    Dataset,
    Event,
    Odds,
    Place,
    Player,
    Result,
    Series,
    Source,
    Total,
)
from edo.core.problems import Problem
from edo.core.settings import Settings
from edo.history.checks import days_between
from edo.history.dataset import load
from edo.history.notation import parse_date, parse_span
from edo.lint import run as warnings
from edo.lint.events import WEEK, entered_twice, no_page, totals_add_up, two_places
from edo.lint.names import close_names
from edo.lint.scores import SCALE, far_scores, surprising_scores
from edo.lint.titles import untidy_names
from edo.rating import edo
from edo.rating.pairings import all_pairings


def dataset(*records: Event | Player | Place | Source | Series) -> Dataset:
    def of(kind: type) -> dict:
        return {record.id: record for record in records if isinstance(record, kind)}

    return Dataset(of(Event), of(Player), of(Place), of(Source), {}, of(Series))


def event(id_: str, year: int, *players: str, **more: object) -> Event:
    return Event(id_, id_, "match", year, f"events/{year}/{id_}.yaml", players=players, **more)


def match(id_: str, year: int, score: tuple[float, float], **more: object) -> Event:
    games = (Result("a", "b", *score, sum(score), line=7),)
    return event(id_, year, "a", "b", results=games, **more)


def player(id_: str, name: str, life: str = "") -> Player:
    born, _, died = life.partition("-")
    dates = (parse_date(date) if date else None for date in (born, died))
    return Player(id_, name, *dates, line=3)


def alike(one: str, other: str, *more: Event, lives: tuple[str, str] = ("", "")) -> list[Problem]:
    persons = player("a", one, lives[0]), player("b", other, lives[1])
    events = more or (event("e", 1880, "a"), event("f", 1885, "b"))
    return list(close_names(dataset(*persons, *events)))


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("Anderssen, Adolf", "Anderssen, A.", "first names that fit"),
        ("Anderssen, Adolf", "Anderssen", "first names that fit"),
        ("Jackson, Edward", "Jackson, Edward Mackenzie", "first names that fit"),
        ("Löwenthal, Johann", "Loewenthal, J. J.", "first names that fit"),
        ("Anderssen, Gustav", "Anderssen, Gustaf", "first names that fit"),
        ("Anderson, Adolf", "Anderssen, Adolf", "surnames a letter apart"),
        ("Winawer, Szymon", "Winaver, S.", "another transliteration"),
        ("Charousek, Rezso", "Chaorusek, Rezso", "surnames a letter apart"),
        ("Anderssen, Adolf", "Anderson", "surnames a letter apart"),
        ("Janowski, Dawid", "Yanovsky, David", "another transliteration"),
        ("Tschigorin", "Chigorin", "another transliteration"),
        ("Duz-Khotimirsky, F.", "Dus-Hotimirski, Fedor", "another transliteration"),
        ("Alexandrov, A.", "Aleksandroff, A.", "another transliteration"),
        ("Niemzowitsch, Aron", "Nemzovich, A.", "another transliteration"),
        ("Fraser, G. B.", "Frazer, George", "another transliteration"),
        ("Anderssen, Adolf", "Adolf Anderssen", "the same words in another order"),
    ],
)
def test_close_names(one: str, other: str, how: str) -> None:
    (problem,) = alike(one, other)
    assert (problem.path, problem.line, problem.place) == ("events/players/b.yaml", 3, "b")
    assert problem.message.startswith(f"`{other}` (1885) is close to `{one}` (a, 1880): ")
    assert how in problem.message
    assert (problem.severity, problem.hint) == ("warning", "look whether they are one person")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anderssen, Adolf", "Anderssen, Bernd"),
        ("Lange, Max", "Lang, Max"),  # short names differ by a letter too often
        ("Anderson", "Anderssen"),  # nothing but the surname, and not the same
        ("Wiersma, Eelke", "Bersma"),  # hardly a slip of the pen in the first letter
        ("Lange, M.", "Lang"),
        ("Anderssen, Adolf", "Andorsson, Adolf"),
        ("Anderssen, Emil", "Anderssen, Emma"),
    ],
)
def test_names_far_enough_apart(one: str, other: str) -> None:
    assert alike(one, other) == []


def test_two_lives_are_two_persons() -> None:
    names = "Scott, Walter", "Scott, W."
    assert len(alike(*names, lives=("1850-1900", "1851-1901"))) == 1
    assert alike(*names, lives=("1850-1900", "1852")) == []
    assert alike(*names, lives=("-1900", "-1902")) == []
    assert alike(*names, lives=("-1884", "")) == []  # the other played in 1885
    assert alike(*names, lives=("", "1874")) == []  # six years old when the other played
    far = event("e", 1880, "a"), event("f", 1931, "b")
    assert alike(*names, *far) == []
    assert len(alike(*names, far[0], event("f", 1930, "b"))) == 1


def test_namesakes_without_opponents_or_places_in_common_are_minor() -> None:
    def minor(one: Event, other: Event, *countries: str) -> bool:
        persons = player("a", "Scott, W."), player("b", "Scott, Walter")
        persons = tuple(map(replace_country, persons, countries)) or persons
        (found,) = close_names(dataset(*persons, one, other))
        return found.minor

    def replace_country(person: Player, country: str) -> Player:
        return replace(person, country=country)

    first = event("e", 1880, "a", "c", place="leeds")
    assert minor(first, event("f", 1885, "b", "d", place="pest"))
    assert not minor(first, event("f", 1885, "b", "c", place="pest"))
    assert not minor(first, event("f", 1885, "b", "d", place="leeds"))
    assert not minor(first, event("f", 1890, "b", "c"))
    assert minor(first, event("f", 1891, "b", "c"))
    assert not minor(first, event("f", 1885, "b", "c"), "England", "England")
    assert minor(first, event("f", 1885, "b", "c"), "England", "Hungary")


def test_opponents_of_other_years_do_not_make_namesakes_likely() -> None:
    long = event("e", 1880, "a", "c"), event("f", 1905, "a", "d")
    persons = player("a", "Scott, W."), player("b", "Scott, Walter")
    (near,) = close_names(dataset(*persons, *long, event("g", 1906, "b", "d")))
    (far,) = close_names(dataset(*persons, *long, event("g", 1906, "b", "c")))
    assert (near.minor, far.minor) == (False, True)
    assert "(1906) is close to `Scott, W.` (a, 1880–1905)" in near.message


def test_spellings_with_first_names_are_names_too() -> None:
    a = replace(player("a", "Duras, Oldrich"), spellings=("Duras", "Durasch, O."))
    events = event("e", 1905, "a"), event("f", 1906, "b")
    assert len(list(close_names(dataset(a, player("b", "Durash, O."), *events)))) == 1
    assert not list(close_names(dataset(a, player("b", "Duras, Josef"), *events)))


def test_who_met_are_two_persons_and_who_never_played_is_none() -> None:
    assert alike("Scott, W.", "Scott", event("e", 1880, "a", "b")) == []
    assert alike("Scott, W.", "Scott", event("e", 1880, "a")) == []


def test_the_same_days_of_birth_and_death_are_told_once() -> None:
    persons = [
        replace(player(id_, name), born=parse_date("1850-01-02"), died=parse_date("1900-03-04"))
        for id_, name in (("a", "Scott, W."), ("b", "Scott"))
    ]
    assert not list(close_names(dataset(*persons, event("e", 1880, "a"), event("f", 1881, "b"))))


def placed(id_: str, place: str | None, dates: str, *players: str) -> Event:
    return event(id_, 1880, *players, place=place, dates=parse_span(dates), lines={"players": 4})


BOOK, GAZETTE = Citation("book", "p. 1"), Citation("gazette")
PERSONS = tuple(player(id_, id_) for id_ in "abcde")


@pytest.mark.parametrize(
    ("place", "dates", "when"),
    [
        ("paris", "1880-05-10/1880-05-20", "on the same days"),
        ("paris", "1880-05-21", "1 day apart"),
        ("paris", "1880-05-26", "6 days apart"),
        ("paris", "1880-05-27", None),
        ("paris", "1880-05-08/1880-05-09", "1 day apart"),
        ("paris", "1880-05-15/1880-09-30", None),  # a league, with weeks free
        ("leeds", "1880-05-20", "on the same days"),
        ("leeds", "1880-05-21", None),  # an hour by train
        ("london", "1880-05-12", None),
        (None, "1880-05-12", None),
        ("paris", "1880-05", None),
        ("paris", "1880-05-12~", None),
    ],
)
def test_two_places_in_one_week(place: str | None, dates: str, when: str | None) -> None:
    first = placed("e", "london", "1880-05-10/1880-05-20", "a", "b")
    towns = [Place(id_, id_, "England") for id_ in ("london", "leeds")]
    second = placed("f", place, dates, "c", "a")
    found = list(two_places(dataset(first, second, *towns, *PERSONS)))
    if when is None:
        assert found == []
    else:
        (problem,) = found
        assert problem.message == f"`a` in two places {when}, here and in `e`"
        assert (problem.path, problem.line, problem.severity) == (
            "events/1880/f.yaml",
            4,
            "warning",
        )


def test_two_places_names_some_and_knows_offhand_identities() -> None:
    offhand = replace(player("e2", "e"), offhand_of="e")
    first = placed("e", "london", "1880-05-10", "a", "b", "c", "d", "e2")
    second = placed("f", "paris", "1880-05-10", "e", "d", "c", "b", "a")
    (problem,) = two_places(dataset(first, second, *PERSONS, offhand))
    assert problem.message.startswith("`e`, `d`, `c` and 2 more in two places on the same days")
    others = placed("f", "paris", "1880-05-10", "d"), placed("g", "pest", "1880-05-10", "e")
    assert not list(two_places(dataset(*others, *PERSONS)))


def test_two_places_finds_in_many_events_what_comparing_all_finds() -> None:
    days = [(k * 37 % 360, k * 53 % 360 % 23) for k in range(80)]
    events = [
        placed(f"e{k}", f"town-{k % 7}", f"{first}/{first + timedelta(length)}", "abcde"[k % 5])
        for k, (day, length) in enumerate(days)
        for first in [date(1880, 1, 1) + timedelta(day)]
    ]
    found = {(p.path, p.about) for p in two_places(dataset(*events, *PERSONS))}
    assert found == {
        (second.path, first.id)
        for first, second in combinations(events, 2)
        if set(first.players) & set(second.players)
        and first.place != second.place
        and (days_between(first, second) or 0) < WEEK
    }
    assert len(found) > 20


@pytest.mark.parametrize(
    ("year", "score", "found"),
    [(1880, (5, 3), 1), (1881, (5, 3), 1), (1882, (5, 3), 0), (1880, (2, 4), 0), (1880, (3, 5), 0)],
)
def test_the_same_score_within_a_year(year: int, score: tuple[float, float], found: int) -> None:
    second = match("f", year, score, lines={"name": 2})
    problems = list(entered_twice(dataset(match("e", 1880, (5, 3)), second)))
    assert [problem.message for problem in problems] == [
        "the same points of the same players as in `e`"
    ] * found
    assert all((p.path, p.line) == (second.path, 2) for p in problems)


@pytest.mark.parametrize(
    ("year", "score", "found"),
    [
        (1880, (4, 3), 1),  # a game not counted by one of the sources
        (1880, (5.5, 3.5), 1),
        (1880, (2, 1), 1),  # the first three games of it
        (1880, (1, 1), 0),
        (1880, (3, 5), 0),
        (1881, (4, 3), 0),
    ],
)
def test_nearly_the_same_match_or_a_part_of_it(
    year: int, score: tuple[float, float], found: int
) -> None:
    first, second = match("e", 1880, (5, 3)), match("f", year, score)
    problems = list(entered_twice(dataset(first, second)))
    assert [(p.message, p.about, p.warning) for p in problems] == [
        ("nearly the same score of the same two players, or part of it, as in `e`", "e",
         "entered twice")
    ] * found  # fmt: skip
    other_way = replace(second, results=(Result("b", "a", *score[::-1], sum(score)),))
    assert len(list(entered_twice(dataset(first, other_way)))) == found


def test_two_matches_that_can_be_told_apart() -> None:
    def found(**second: object) -> int:
        first = match("e", 1880, (5, 3), dates=parse_span("1880-01/1880-02"), sources=(BOOK,))
        return len(list(entered_twice(dataset(first, replace(match("f", 1880, (4, 3)), **second)))))

    assert found() == 1
    assert found(dates=parse_span("1880-02")) == 1
    assert found(dates=parse_span("1880-03")) == 0
    assert found(sources=(GAZETTE,)) == 1
    assert found(sources=(GAZETTE, BOOK)) == 0  # one source tells of both
    at_odds = (Result("a", "b", 4, 3, 7, odds=Odds("a", "pawn")),)
    assert found(results=at_odds) == 0


def test_a_match_that_is_also_in_a_table() -> None:
    games = (Result("a", "b", 2, 0, 2), Result("b", "a", 1, 3, 4), Result("a", "c", 1, 0, 1))
    cup = replace(event("cup", 1880, "a", "b", "c", results=games), kind="tournament")
    (problem,) = entered_twice(dataset(cup, match("f", 1880, (5, 1))))
    assert problem.message == "the same score of the same two players as in `cup`"
    for other in (match("f", 1880, (5, 2)), match("f", 1881, (5, 1)), match("f", 1880, (1, 0))):
        assert not list(entered_twice(dataset(cup, other)))


WHOLE = tuple(Result(*pair, 1, 0, 1) for pair in combinations("abcde", 2))
KNOWN = tuple(Result(*pair, 1, 0, 1) for pair in ("ab", "bc", "cd", "ae"))
TURNED = tuple(Result(*pair, 1, 0, 1) for pair in ("ab", "cb", "dc", "ae"))
PART = {"completeness": "incomplete", "missing": "Most games.", "results": KNOWN}


@pytest.mark.parametrize(
    ("other", "found"),
    [
        (PART, True),
        ({**PART, "results": (*KNOWN[:3], Result("e", "a", 1, 0, 1))}, True),  # 3 of 4 agree
        ({**PART, "results": TURNED}, False),
        ({"results": KNOWN}, False),  # complete, with other points
        ({**PART, "year": 1881}, False),
        ({**PART, "dates": parse_span("1880-05")}, False),
        ({**PART, "results": (), "totals": tuple(map(Total, "abcde", (4, 4, 3, 2, 2)))}, True),
        ({**PART, "results": (), "totals": tuple(map(Total, "abcde", (2, 2, 1, 4, 4)))}, False),
        ({**PART, "results": ()}, False),  # nothing but names
        ({**PART, "players": (*"abcde", *"fghijk")}, False),  # half as many
        ({**PART, "players": tuple("abcfg")}, False),
    ],
)
def test_a_table_and_a_part_of_it(other: dict[str, object], found: bool) -> None:
    whole = event("e", 1880, *"abcde", results=WHOLE, dates=parse_span("1880-06"))
    part = replace(event("f", 1880, *"abcde"), **other)
    messages = [problem.message for problem in entered_twice(dataset(whole, part))]
    said = "nearly the same players in the same year, and results that agree as in `e`"
    assert messages == [said] * found


@pytest.mark.parametrize(
    ("totals", "more", "told"),
    [
        ([("a", 2), ("b", 1), ("c", 0)], {}, None),
        ([("a", 2), ("b", 1), ("c", 0.5)], {}, "3½ points of 3"),
        ([("a", 2), ("b", 0.5), ("c", 0)], {}, "2½ points of 3"),
        ([("a", 2), ("b", 0), ("c", 0)], {"not_played": frozenset({frozenset("bc")})}, None),
        ([("a", 2), ("b", 1)], {}, None),
        ([("a", 2, 2), ("b", 0, 1), ("c", 0, 1)], {}, None),
        ([("a", 2, 2), ("b", 1, 1), ("c", 0, 1)], {"games_per_pair": None}, "3 points of 2"),
        ([("a", 2), ("b", 1), ("c", 1)], {"games_per_pair": None}, None),
        ([("a", 2), ("b", 1), ("c", 1)], {"completeness": "complete"}, None),  # reading tells
        ([("a", 2), ("b", 1), ("c", 1)], {"rest": "from totals"}, None),
        ([("a", 2), ("b", 1), ("c", 1)], {"players_in_all": 5}, None),
        ([("a", 2), ("b", 1), ("c", 1)], {"draws_not_scored": True}, None),
        ([("a", 2), ("b", 1), ("c", 1)], {"lines": {"published_totals": 9}}, None),
    ],
)
def test_totals_that_do_not_add_up(
    totals: list[tuple], more: dict[str, object], told: str | None
) -> None:
    rows = tuple(Total(*total, line=5) for total in totals)
    table = event("e", 1880, *"abc", totals=rows, games_per_pair=1.0, completeness="incomplete")
    found = list(totals_add_up(dataset(replace(table, **more))))
    assert [(p.message, p.line, p.acknowledgement) for p in found] == [
        (f"the totals make {told}", 5, "warning: totals")
    ] * (told is not None)


def table(id_: str, **points: float) -> Event:
    totals = tuple(Total(one, value) for one, value in points.items())
    return event(id_, 1880, *points, totals=totals)


def test_tables_that_are_nearly_the_same() -> None:
    whole = table("e", a=3, b=2, c=1, d=0)
    assert len(list(entered_twice(dataset(whole, table("f", a=3, b=2, c=1, d=0.5))))) == 1
    assert not list(entered_twice(dataset(whole, table("f", a=3, b=2, c=0.5, d=0.5))))
    assert not list(entered_twice(dataset(whole, table("f", a=3, b=2))))
    games = (Result("a", "b", 2, 1, 3), Result("a", "c", 1, 1, 2), Result("b", "d", 1, 0, 1))
    same = event("f", 1880, "a", "b", "c", "d", results=games)
    assert len(list(entered_twice(dataset(whole, same)))) == 1  # 3, 2, 1 and 0 points


def test_the_same_players_on_the_same_days() -> None:
    def on(id_: str, dates: str, score: tuple[float, float]) -> Event:
        return match(id_, 1880, score, dates=parse_span(dates))

    first = on("e", "1880-01-02/1880-01-09", (5, 3))
    (problem,) = entered_twice(dataset(first, on("f", "1880-01-09", (1, 0))))
    assert problem.message == "the same players on the same days as in `e`"
    assert not list(entered_twice(dataset(first, on("f", "1880-01-10", (1, 0)))))
    assert not list(entered_twice(dataset(first, on("f", "1880-01", (1, 0)))))
    other = replace(on("f", "1880-01-09", (1, 0)), players=("a", "c"), results=())
    assert not list(entered_twice(dataset(first, other)))


def test_the_same_name_and_year() -> None:
    first, second = match("e", 1880, (5, 3)), match("f", 1880, (5, 3))
    named = replace(first, name="Köln 1880"), replace(second, name="Koeln, 1880")
    (problem,) = entered_twice(dataset(*named))
    assert problem.message == (
        "the same name and year and the same points of the same players as in `e`"
    )
    later = replace(named[1], year=1881, results=())
    assert not list(entered_twice(dataset(named[0], later)))


def test_entries_that_nothing_names() -> None:
    cited = replace(match("e", 1880, (1, 0)), sources=(BOOK,), place="london", series="cup")
    records = [
        Source("book", "Book", line=1),
        Source("gazette", "Gazette", line=5),
        Place("london", "London", line=2),
        Place("paris", "Paris", line=6),
        Series("cup", "Cup", line=3),
        Series("league", "League", line=7),
        *(player(id_, id_) for id_ in "abc"),
    ]
    found = warnings.unused_entries(dataset(cited, *records))
    assert [(p.path, p.line, p.place, p.severity) for p in found] == [
        ("events/sources.yaml", 5, "gazette", "warning"),
        ("events/places.yaml", 6, "paris", "warning"),
        ("events/series.yaml", 7, "league", "warning"),
        ("events/players/c.yaml", 3, "c", "warning"),
    ]


@pytest.mark.parametrize(
    "citing",
    [
        replace(match("e", 1880, (1, 0)), sources=(GAZETTE,)),
        event("e", 1880, "a", results=(Result("a", "b", 1, 0, 1, sources=(GAZETTE,)),)),
        event("e", 1880, "a", totals=(Total("a", 1, sources=(GAZETTE,)),)),
        replace(player("a", "A"), sources=(GAZETTE,)),
    ],
)
def test_whatever_cites_a_source_uses_it(citing: Event | Player) -> None:
    found = warnings.unused_entries(dataset(citing, Source("gazette", "Gazette")))
    assert "events/sources.yaml" not in {problem.path for problem in found}


def test_a_person_plays_as_the_offhand_identity() -> None:
    offhand = replace(player("a", "A"), offhand_of="c")
    known = dataset(match("e", 1880, (1, 0)), offhand, player("b", "B"), player("c", "C"))
    assert not list(warnings.unused_entries(known))


def test_an_event_without_a_page() -> None:
    bare = match("e", 1880, (1, 0), sources=(GAZETTE,), lines={"sources": 9})
    (problem,) = no_page(dataset(bare))
    assert (problem.path, problem.line, problem.place) == ("events/1880/e.yaml", 9, "sources")
    assert not list(no_page(dataset(replace(bare, sources=(GAZETTE, BOOK)))))


MINI = load(MINISITE / "events")


def scored(points: float, games: float) -> list[Problem]:
    """Return what is far off once Castle has made so many points in the match with Byrd."""
    score = Result("castle-hugo", "byrd-lucy", points, games - points, games, line=7)
    match = replace(MINI.events["castle-byrd-1881"], results=(score,))
    return list(surprising_scores(replace(MINI, events={**MINI.events, match.id: match})))


@pytest.mark.parametrize(("points", "games"), [(8, 16), (9, 16), (7, 16), (1, 1)])
def test_scores_near_expectation(points: float, games: float) -> None:
    assert scored(points, games) == []


def test_a_score_far_from_expectation() -> None:
    (problem,) = scored(15, 16)  # of the two sides, each as far off as the other, one is told
    assert (problem.path, problem.line) == ("events/1881/castle-byrd-1881.yaml", 7)
    assert problem.severity == "warning"
    assert problem.message.startswith("`castle-hugo` scored 15 of 16 where ")
    assert problem.message.endswith(" deviations off, judged by the ratings that include it")


def test_surprise_is_counted_in_deviations() -> None:
    events = {
        id_: replace(MINI.events["castle-byrd-1881"], id=id_, results=(Result(*pair, *score, 40),))
        for id_, pair, score in (
            ("won", ("castle-hugo", "byrd-lucy"), (36, 4)),
            ("lost", ("castle-hugo", "byrd-lucy"), (4, 36)),
        )
    }
    done = edo.run(all_pairings(replace(MINI, events={**MINI.events, **events})))
    (lost,) = (s for s in far_scores(done) if (s.event, s.player) == ("lost", "castle-hugo"))
    i, j = (done.node(player, 1881) for player in ("castle-hugo", "byrd-lucy"))
    covariance = covariances(done.fit, [i, j])[[i, j]]
    of_lead = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    share = lost.expected / 40
    luck = 40 * share * (1 - share)
    deviation = (0.5 * luck * (1 - luck * of_lead)) ** 0.5  # draws halve the variance
    assert share == pytest.approx(1 / (1 + 10 ** ((done.raw[j] - done.raw[i]) / 400)))
    assert (lost.score, lost.games) == (4, 40)
    assert lost.surprise == pytest.approx((4 - lost.expected) / deviation)


def test_a_history_without_ratings_is_a_warning() -> None:
    (problem,) = surprising_scores(dataset(match("e", 1880, (1, 0)), *PERSONS))
    assert (problem.path, problem.severity) == ("events", "warning")
    assert problem.message.startswith("there are no ratings yet: ")


def test_a_scale_that_cannot_be_set_is_an_error() -> None:
    settings = Settings(anchor_player="zukertort-johannes", anchor_year=1882)
    (problem,) = surprising_scores(dataset(match("e", 1880, (1, 1)), *PERSONS), settings)
    assert (problem.path, problem.severity, problem.place) == (SCALE, "error", "scale")
    assert problem.message.startswith("it is set by the rating of zukertort-johannes in 1882, who")


def test_what_asks_for_the_whole_waits_for_the_whole() -> None:
    known = dataset(match("e", 1880, (5, 3)), match("f", 1880, (5, 3)), Source("book", "Book"))
    assert {p.path for p in warnings.run(known, whole=False)} == {
        "events/1880/e.yaml",
        "events/1880/f.yaml",
    }
    assert "events/sources.yaml" in {p.path for p in warnings.run(known)}


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder, seen from its parent, of an event that is doubtful and one with errors."""
    events = tmp_path / "elsewhere"
    (events / "1880").mkdir(parents=True)
    (events / "players").mkdir()
    (events / "sources.yaml").write_text("book: {title: Book}\n")
    (events / "players" / "a.yaml").write_text("a: {name: A}\n")
    (events / "players" / "b.yaml").write_text("b: {name: B}\n")
    (events / "1880" / "a-b.yaml").write_text(
        "name: A – B\nkind: match\nyear: 1880\npairings:\n- {players: [a, b], score: 1-0}\n"
        "sources:\n- {source: book}\n"
    )
    monkeypatch.chdir(tmp_path)
    return events


def checked(*arguments: str) -> int:
    return cli.main(["check", "--events", "elsewhere", *arguments])


def test_warnings_fail_only_where_strict(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked() == 0
    assert checked("--strict") == 1
    assert capsys.readouterr().out.count("no errors, 2 warnings in 4 files, ") == 2
    file = bare / "players" / "a.yaml"
    file.write_text(file.read_text() + "a b: {name: A}\n")
    assert checked() == 1
    assert "1 error, 1 warning in 4 files, " in capsys.readouterr().out


def test_paths_can_be_opened_from_here(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked("--format", "json") == 0
    told = capsys.readouterr()
    paths = [one["path"] for one in json.loads(told.out)]
    assert paths == ["elsewhere", "elsewhere/1880/a-b.yaml"]
    assert all(Path(path).exists() for path in paths)
    assert told.err.startswith("no errors, 2 warnings in 4 files, ")
    cli.main(["check", "--events", str(bare), "--format", "json"])
    assert json.loads(capsys.readouterr().out)[1]["path"] == "elsewhere/1880/a-b.yaml"


def test_errors_and_warnings_are_sorted(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file in (bare / "players" / "b.yaml", bare / "players" / "a.yaml"):
        file.write_text(file.read_text() + "B: {name: A}\n")
    assert checked("--format", "github") == 1
    said = [line.partition(",title=")[0] for line in capsys.readouterr().out.splitlines()]
    assert said == [
        "::warning file=elsewhere/1880/a-b.yaml,line=6",
        "::error file=elsewhere/players/a.yaml,line=2",
        "::error file=elsewhere/players/b.yaml,line=2",
    ]


def test_minor_warnings_are_listed_on_request(
    bare: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (bare / "players" / "b.yaml").write_text("b: {name: 'B, C.'}\n")
    (bare / "players" / "c.yaml").write_text("c: {name: B}\n")
    (bare / "1899").mkdir()
    (bare / "1899" / "a-c.yaml").write_text(
        "name: A – C\nkind: match\nyear: 1899\npairings:\n- {players: [a, c], score: 1-1}\n"
        "sources:\n- {source: book, where: p. 1}\n"
    )
    assert checked() == 0
    few = capsys.readouterr().out
    assert "is close to" not in few and "(1 minor ones with `--all`)" in few
    assert checked("--all", "--format", "json") == 0
    told = [one for one in json.loads(capsys.readouterr().out) if one["minor"]]
    assert [(one["warning"], one["about"]) for one in told] == [("close name", "b")]
    assert checked("--all") == 0
    assert "`B` (1899) is close to `B, C.` (b, 1880)" in capsys.readouterr().out
    (bare / "players" / "c.yaml").write_text(
        "c:\n  name: B\n  acknowledged:\n  - {warning: close name, about: b, why: Two towns.}\n"
    )
    assert checked() == 0
    settled = capsys.readouterr().out
    assert "(1 more acknowledged)" in settled and "there is no warning" not in settled


def test_checking_loads_nothing_that_it_does_not_need() -> None:
    heavy = ("matplotlib", "PIL", "sqlite3", "scipy.optimize", "edo.site.render")
    code = (
        "import sys; from edo.commands.cli import main; "
        f"code = main(['check', '--events', {str(MINISITE / 'events')!r}]); "
        f"sys.exit(code or [name for name in {heavy} if name in sys.modules] or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("New York 1939 (header)", "a word of a database"),
        ("New York 1939 prel", "an abbreviation of a database"),
        ("Riga 1899 (?)", "a question mark"),
        ("Riga 1899 T1", "a code of a table"),
        ("Riga 1899 (final", "a bracket without its other half"),
        ("Riga 1899,", "a stray character or a cut end"),
        ("Ms. Menchik – Graf match", "a form of address"),
    ],
)
def test_remains_of_a_database_in_a_title_are_reported(name: str, what: str):
    [found] = untidy_names(dataset(replace(event("e", 1899), name=name)))
    assert (found.message, found.acknowledgement) == (f"the name has {what}", "warning: name")


@pytest.mark.parametrize(
    "name",
    ["Riga 1899 (group A)", "Weston-super-Mare 1922", "All-Russian Masters V, Vilna 1909", "B2"],
)
def test_plain_titles_are_not_reported(name: str):
    assert not [*untidy_names(dataset(replace(event("e", 1899), name=name)))]


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("Jones (3)", "a counter of namesakes"),
        ("Carballo, F1", "a code of a table"),
        ("Trcala, St", "a first name cut short"),
    ],
)
def test_names_of_players_are_without_counters_codes_and_cut_ends(name: str, what: str):
    [found] = untidy_names(dataset(player("p", name)))
    assert found.message == f"the name has {what}"
    for tidy in ("Jones (Liverpool 1856)", "Trcala, St.", "Lange, Max", "Thompson, T.C."):
        assert not [*untidy_names(dataset(player("p", tidy)))]


def test_two_sides_are_joined_by_a_dash_and_called_as_in_their_records():
    players = player("a", "Löwenthal, Johann"), player("b", "de Saint-Amant, Pierre")

    def found(name: str) -> list[str]:
        games = replace(match("m", 1850, (1.0, 0.0)), name=name)
        return [problem.hint for problem in untidy_names(dataset(games, *players))]

    assert found("Löwenthal – de Saint-Amant match, Paris 1850") == []
    assert found("De Saint-Amant – Löwenthal match 1850") == []
    assert found("Match of the two, 1850") == []
    assert found("Löwenthal - de Saint-Amant 1850") == ["put an en dash, –"]
    [hint] = found("Loewenthal – de Saint-Amant 1850")
    assert hint.startswith("write `Löwenthal`")
    [hint] = found("Löwenthal – De Saint Amant 1850")
    assert hint.startswith("write `de Saint-Amant`")


def test_players_of_an_event_for_women_are_marked():
    def found(name: str, kind: str, woman: bool) -> list[Problem]:
        one = replace(player("a", "Alder, Anna"), woman=woman)
        games = replace(match("m", 1930, (1.0, 0.0)), name=name, kind=kind)
        return [*untidy_names(dataset(games, one))]

    [problem] = found("British ladies' championship 1930", "tournament", woman=False)
    assert (problem.hint, problem.about) == ("add `woman: true`", "m")
    assert not found("British ladies' championship 1930", "tournament", woman=True)
    assert not found("Ladies' Chess Club – Agriculture", "team match", woman=False)
    assert not found("British championship 1930", "tournament", woman=False)
