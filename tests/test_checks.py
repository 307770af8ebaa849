"""What the checks find in small histories, and how the command `check` prints it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from datetime import date, timedelta
from itertools import chain, combinations
from pathlib import Path
from typing import Any, ClassVar

import pytest
import yaml
from conftest import MINISITE, ROOT
from sample_datasets import covariances

from edo.checks import run as checks
from edo.checks.events import WEEK, two_places, unused_records
from edo.checks.scores import far_scores, surprising_scores
from edo.checks.where import days_between
from edo.commands import cli
from edo.commands.check import find
from edo.core.model import Dataset, Event, Player, Result
from edo.core.problems import Problem
from edo.history.dataset import load
from edo.history.notation import parse_span
from edo.rating import edo
from edo.rating.games import games_of


class Texts(yaml.SafeLoader):
    """Reads every value as text, as the program does; merges keys."""

    yaml_implicit_resolvers: ClassVar = {"<": yaml.SafeLoader.yaml_implicit_resolvers["<"]}


CASES = yaml.load((ROOT / "tests" / "checks.yaml").read_text(), Texts)
COUNTRIES = {"leeds": "ENG", "london": "ENG", "paris": "FRA", "pest": "HUN"}
Fields = dict[str, Any]


def event_of(id_: str, given: Fields) -> Fields:
    """Return all fields of an event file."""
    event = {"name": f"Event {id_}", "year": "1880", **given}
    if "dates" in event:
        event["year"] = event["dates"].rpartition("/")[2][:4]
    cited = {"source": event.pop("source", "book"), "where": event.pop("where", "p. 1")}
    event["sources"] = [{name: text for name, text in cited.items() if text != "null"}]
    if "missing" in event:
        event["completeness"] = "incomplete"
    pair = event.get("players", ["a", "b"])[:2]
    if "pairs" in event:
        event["pairings"] = [{"players": list(pair), "score": "1-0"} for pair in event.pop("pairs")]
    elif "rounds" in event:
        event["rounds"] = [
            {"name": name, "pairings": [{"players": list(two), "score": "1-0"} for two in pairs]}
            for name, *pairs in event["rounds"]
        ]
    elif "totals" not in event:
        score = event.pop("score", "1-0")
        event.setdefault("pairings", [{"players": pair, "score": score}])
    if not event.get("pairings", True):
        del event["pairings"]
    return {"kind": "match" if len(players_of(event)) == 2 else "tournament", **event}


def players_of(event: Fields) -> set[str]:
    pairings = chain(*(part.get("pairings", ()) for part in (event, *event.get("rounds", ()))))
    paired = chain(*(pairing["players"] for pairing in pairings))
    totals = (row.split()[0] for row in event.get("totals", "").split("\n") if row)
    return {*paired, *totals, *event.get("players", ())}


def lay_out(case: Fields, events: Path) -> Path:
    """Write the event files and registries of a case, with what it leaves out."""
    filled = {id_: event_of(id_, given) for id_, given in case.get("events", {}).items()}
    ids = {id_ for event in filled.values() for id_ in players_of(event)}
    persons: Fields = {id_: {"name": id_.upper()} for id_ in ids}
    for id_, given in case.get("players", {}).items():
        persons[id_] = {"name": id_.upper(), **given}
    text = yaml.dump([filled, persons])
    registries: Fields = {
        "sources": {id_: {"title": id_} for id_ in ("book", "gazette") if f": {id_}" in text},
        "places": {
            id_: {"name": id_.title(), "country": country}
            for id_, country in COUNTRIES.items()
            if f"place: {id_}" in text
        },
        "series": {id_: {"name": id_} for id_ in ("cup", "league") if f"series: {id_}" in text},
        "odds": {"pawn-and-move": {"name": "Pawn and move", "points": "163"}},
    }
    for name, records in case.get("more", {}).items():
        registries[name] |= records
    for initial in {id_[0] for id_ in persons}:
        own = {id_: persons[id_] for id_ in sorted(persons) if id_[0] == initial}
        registries[f"players/{initial}"] = own
    for id_, event in filled.items():
        registries[f"{event['year']}/{id_}"] = event
    for name, content in registries.items():
        file = events / f"{name}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(yaml.dump(content, sort_keys=False))
    return events


def problems_of(case: Fields, events: Path) -> list[Problem]:
    reading = checks.read(lay_out(case, events))
    raised = checks.warnings(reading.dataset, reading.is_whole, rated=None)
    unused = set() if "whole" in case else set(unused_records(reading.dataset))
    return sorted([*reading.problems, *(one for one in raised if _as_found(one) not in unused)])


def _as_found(problem: Problem) -> Problem:
    return replace(problem, severity="error")


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=name) for name, cases in CASES.items() for case in cases]
)
def test_the_checks_say_this_and_nothing_else(case: Fields, tmp_path: Path) -> None:
    problems = problems_of(case, tmp_path / "events")
    said = []
    for problem in problems:
        player = problem.place.partition(",")[0]
        where = player if "players" in problem.path and player else Path(problem.path).stem
        kind = problem.acknowledgement.removeprefix("warning: ") or problem.severity
        said.append(f"{where}: {kind}: {problem.message}")
    assert sorted(said) == case.get("says", [])
    assert any(problem.minor for problem in problems) == ("minor" in case)


def test_each_kind_of_warning_has_a_check_and_a_case() -> None:
    kinds = {check.says for check in checks.CHECKS} - {"error", "warning"}
    assert kinds == set(checks.KINDS)
    said = [line for cases in CASES.values() for case in cases for line in case.get("says", ())]
    assert {line.split(": ")[1].partition(",")[0] for line in said} == {
        *(kinds - {"score"}), "error", "warning"
    }  # fmt: skip


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
def test_close_names(one: str, other: str, how: str, tmp_path: Path) -> None:
    (problem,) = problems_of(alike(one, other), tmp_path)
    assert problem.message.startswith(f"`{other}` (1885) is close to `{one}` (a, 1880): ")
    assert how in problem.message


def alike(one: str, other: str) -> Fields:
    events = {"e": {"players": ["a", "c"]}, "f": {"year": "1885", "players": ["b", "c"]}}
    return {"players": {"a": {"name": one}, "b": {"name": other}}, "events": events}


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
def test_names_far_enough_apart(one: str, other: str, tmp_path: Path) -> None:
    assert problems_of(alike(one, other), tmp_path) == []


@pytest.mark.parametrize(
    ("dates", "days"),
    [("1880-01-09", 2), ("1880-01-07/1880-01-09", 0), ("1879-12-30/1880-01-01", 1),
     ("1880-01-01/1880-02-01", -6), ("1880-01", None), ("1880-01-09~", None), (None, None)],
)  # fmt: skip
def test_days_between_events(dates: str | None, days: int | None) -> None:
    first, second = (
        Event("e", "E", "match", 1880, "e.yaml", dates=parse_span(span) if span else None)
        for span in ("1880-01-02/1880-01-07", dates)
    )
    assert days_between(first, second) == days_between(second, first) == days


def test_two_places_finds_in_many_events_what_comparing_all_finds() -> None:
    days = [(k * 37 % 360, k * 53 % 360 % 23) for k in range(80)]
    events = [
        Event(f"e{k:02}", "E", "match", 1880, f"e{k:02}.yaml", place=f"town-{k % 7}",
              dates=parse_span(f"{first}/{first + timedelta(length)}"), players=("abcde"[k % 5],))
        for k, (day, length) in enumerate(days)
        for first in [date(1880, 1, 1) + timedelta(day)]
    ]  # fmt: skip
    persons = {id_: Player(id_, id_) for id_ in "abcde"}
    dataset = Dataset({event.id: event for event in events}, persons, {}, {}, {})
    pairs = {(problem.path, problem.about) for problem in two_places(dataset)}
    assert pairs == {
        (second.path, first.id)
        for first, second in combinations(events, 2)
        if set(first.players) & set(second.players)
        and first.place != second.place
        and (days_between(first, second) or 0) < WEEK
    }
    assert len(pairs) > 20


MINI = load(MINISITE / "events")


def scored(points: float, games: float) -> list[Problem]:
    """Return what is far off once Castle has made so many points in the match with Byrd."""
    score = Result("castle-hugo", "byrd-lucy", points, games - points, games, line=7)
    match = replace(MINI.events["castle-byrd-1881"], results=(score,))
    dataset = replace(MINI, events={**MINI.events, match.id: match})
    return list(surprising_scores(dataset, edo.run(games_of(dataset))))


@pytest.mark.parametrize(("points", "games"), [(8, 16), (9, 16), (7, 16), (1, 1)])
def test_scores_near_expectation(points: float, games: float) -> None:
    assert scored(points, games) == []


def test_a_score_far_from_expectation() -> None:
    (problem,) = scored(15, 16)  # of the two sides, each as far off as the other, one is told
    assert (problem.path, problem.line) == ("events/1881/castle-byrd-1881.yaml", 7)
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
    done = edo.run(games_of(replace(MINI, events={**MINI.events, **events})))
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


def test_a_history_without_ratings_is_a_warning_and_a_scale_that_cannot_be_set_an_error(
    tmp_path: Path,
) -> None:
    events = lay_out({"events": {"e": {}}}, tmp_path / "events")
    (problem,) = find(events).problems
    assert (problem.path, problem.severity) == (events.as_posix(), "warning")
    assert problem.message.startswith("there are no ratings yet: ")
    lay_out({"events": {"e": {"score": "1-1"}}}, events)
    scale = "scale: {player: a, year: 1882, rating: 2665}"
    (tmp_path / "site.yaml").write_text(f"name: X\ngame: chess\n{scale}\n")
    (problem,) = (one for one in find(events).problems if one.place == "scale")
    assert (problem.path, problem.line) == ((tmp_path / "site.yaml").as_posix(), 3)
    assert problem.message.startswith("it is set by the rating of a in 1882, who")


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
    heavy = ("matplotlib", "http.server")
    code = (
        "import sys; from edo.commands.cli import main; "
        f"code = main(['check', '--events', {str(MINISITE / 'events')!r}]); "
        f"sys.exit(code or [name for name in {heavy} if name in sys.modules] or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
