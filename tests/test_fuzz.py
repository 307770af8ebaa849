"""Spoilt files give problems or a history that can be rated and built: never a crash or a hang.

`EDO_FUZZ_CASES=20000 pytest tests/test_fuzz.py` is a very long run; `EDO_FUZZ_FIRST=1234
EDO_FUZZ_CASES=1` repeats the case 1234, which a failure names.
"""

from __future__ import annotations

import os
import random
import re
import signal
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import MINISITE, ROOT, small_content
from file_damage import ATTACK, spoil

import build
from edo.core.model import Dataset
from edo.core.problems import EdoError
from edo.history.dataset import read_all
from edo.rating import edo
from edo.rating.games import games_of

SAMPLE = 80
RANGES = [range(SAMPLE), pytest.param(range(SAMPLE, 350), marks=pytest.mark.slow)]
if "EDO_FUZZ_CASES" in os.environ:
    FIRST = int(os.environ.get("EDO_FUZZ_FIRST", "0"))
    RANGES = [range(FIRST, FIRST + int(os.environ["EDO_FUZZ_CASES"]))]
LONGEST = 20.0  # [s] of the processor that a case may take to be read and rated
BUILT = 50  # every so many histories that are read without errors are built
SLICE = 6  # events of the real history at a time
SLICES = 60
OF_EVERYTHING = 0.4  # the share of cases that spoil the small history with one of everything

REGISTRIES = sorted(
    p.relative_to(ROOT / "events").as_posix()
    for p in (*ROOT.glob("events/*.yaml"), *ROOT.glob("events/players/*.yaml"))
)
EVENTS = sorted(p.relative_to(ROOT / "events").as_posix() for p in ROOT.glob("events/1*/*.yaml"))
ANCHORED = "1882/vienna-1882.yaml"  # has the player who sets the scale

History = dict[str, bytes]


def records(text: str) -> dict[str, str]:
    """Return the text of each record of a registry by its id."""
    parts = re.split(r"^(?=[a-z0-9-]+:)", text, flags=re.MULTILINE)
    return {part.split(":")[0]: part for part in parts if re.match(r"[a-z0-9-]+:", part)}


def real(name: str) -> str:
    return (ROOT / "events" / name).read_text()


def history(rng: random.Random) -> History:
    """Return some neighbouring real events, with those records that they need."""
    start = rng.randrange(len(EVENTS) - SLICE)
    chosen = [ANCHORED, *EVENTS[start : start + SLICE]]
    found = {name: (ROOT / "events" / name).read_bytes() for name in chosen}
    found |= link(found, chosen[1].split("/")[0])
    registries = {n: records(real(n)) for n in REGISTRIES}
    wanted = set(re.findall(r"[a-z0-9-]+", b"\n".join(found.values()).decode()))
    before = 0
    while len(wanted) > before:
        before = len(wanted)
        for each in registries.values():
            for id_ in wanted & set(each):
                wanted = wanted | set(re.findall(r"[a-z0-9-]+", each[id_]))
    for name, each in registries.items():
        text = "".join(record for id_, record in each.items() if id_ in wanted)
        if text:
            found[name] = text.encode()
    return found


def link(found: History, year: str) -> History:
    """Return an invented match that ties the scale's player to the one who is named most."""
    words = re.findall(r"[a-z]+(?:-[a-z]+)+", b"\n".join(found.values()).decode())
    players = {id_ for n in REGISTRIES if "/" in n for id_ in records(real(n))}
    most, _ = Counter(w for w in words if w in players - {"zukertort-johannes"}).most_common(1)[0]
    text = (
        f"name: Link\nkind: match\nyear: {year}\npairings:\n"
        f"  - players: [zukertort-johannes, {most}]\n    score: 3-3\n"
        "sources: [{source: pgn-mentor-events}]\n"
    )
    return {f"{year}/link.yaml": text.encode()}


@pytest.fixture(scope="module")
def histories() -> list[History]:
    """The small history, and slices of the real one."""
    files = (MINISITE / "events").rglob("*.*")
    small = {p.relative_to(MINISITE / "events").as_posix(): p.read_bytes() for p in files}
    return [small, *(history(random.Random(f"slice {n}")) for n in range(SLICES))]


def lay(files: Mapping[str, bytes], folder: Path) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


class TooLong(Exception):
    pass


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TooLong(f"more than {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def read(events: Path, files: Mapping[str, bytes]) -> Dataset | None:
    """Return what the folder holds, None where problems were found, which must be for people."""
    found, problems = read_all(events)
    for problem in problems:
        name = problem.path.removeprefix("events/")
        assert name in files, problem
        # the YAML reader counts more kinds of ends of lines than an editor may
        lines = len(re.split("\r\n|[\n\r\x85\u2028\u2029]", files[name].decode(errors="replace")))
        assert 1 <= problem.line <= lines + 1, problem
        assert problem.message and problem.hint, problem
        assert str(problem).isprintable() and len(str(problem)) < 2500, problem
    errors = [problem for problem in problems if problem.severity == "error"]
    assert (found is None) == bool(errors)
    return found


def rate(found: Dataset) -> bool:
    """Rate the history; return False where the anchor of its scale has no rating."""
    try:
        published = edo.publish(found, edo.run(games_of(found)))
    except EdoError as refused:
        assert "the scale is set by the rating of zukertort-johannes" in str(refused)
        return False
    numbers = [year.rating for years in published.players.values() for year in years]
    assert all(abs(number) < 10_000 for number in numbers)
    return True


def build_whole(events: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Build: either there is a site without an attack in it, or a dead link of a note is told."""
    arguments = ["--events", str(events), "--content", str(small_content()), "--out", str(out)]
    code = build.main(arguments)
    said = capsys.readouterr().err
    assert "Traceback" not in said
    if code != 0:
        assert re.search(
            r"links lead nowhere|leads to no page|is both .* give one of them another id"
            r"|set by the rating of .* who cannot be rated",
            said,
        ), said
        return
    for page in out.rglob("*"):
        if page.suffix in {".html", ".xml", ".svg", ".js"}:
            assert ATTACK.encode() not in page.read_bytes(), page


@pytest.mark.parametrize("cases", RANGES, ids=lambda cases: f"{cases.start}-{cases.stop - 1}")
def test_spoilt_files_give_problems_or_a_history(
    cases: range, histories: list[History], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcomes: Counter[str] = Counter()
    slices = {f"slice-{n}" for n in range(len(histories))}
    for case in cases:
        rng = random.Random(f"case {case}")
        slice_ = 0 if rng.random() < OF_EVERYTHING else rng.randrange(1, len(histories))
        folder, sound = tmp_path / f"slice-{slice_}", histories[slice_]
        events, out = folder / "events", folder / "out" / "site"
        if not folder.exists():
            lay(sound, events)
        spoilt = spoil(rng, sound)
        files = {**sound, **spoilt}
        lay(spoilt, events)
        try:
            with at_most(LONGEST):
                found = read(events, files)
                rated = found is not None and rate(found)
            outcomes["rated" if rated else "refused"] += 1
            if rated and outcomes["rated"] % BUILT == 1:
                build_whole(events, out, capsys)
                outcomes["built"] += 1
            assert {p.name for p in tmp_path.iterdir()} <= slices
            assert {p.name for p in folder.iterdir()} <= {"events", "out"}
            assert {p.relative_to(events).as_posix() for p in events.rglob("*.*")} == set(files)
        except BaseException as failure:
            failure.add_note(f"repeat it: EDO_FUZZ_FIRST={case} EDO_FUZZ_CASES=1 ({[*spoilt]})")
            raise
        lay({name: sound[name] for name in spoilt}, events)
    with capsys.disabled():
        print(f" {len(cases)} cases from {cases.start}: {dict(outcomes)}", end="")
    if len(cases) >= SAMPLE:
        assert outcomes["rated"] > len(cases) / 20 and outcomes["refused"] > len(cases) / 5
