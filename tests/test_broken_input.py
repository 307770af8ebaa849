"""Every bad file of `tests/broken` gives exactly the messages that stand beside it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from edo.checks import run as checks
from edo.commands import folder
from edo.core.problems import InputError, Problem
from edo.history import dataset
from edo.history.crosstable import read_crosstable
from edo.history.reading import MAX_PROBLEMS, Known, Located, ProblemLog

BROKEN = Path(__file__).parent / "broken"
FILES = sorted((BROKEN / "events").glob("*.yaml"))
FOLDERS = sorted(path for path in (BROKEN / "folders").iterdir() if path.is_dir())


def lay_out(file: Path, folder: Path) -> Path:
    """Put one bad event file among the good registries, into the year that its case needs."""
    events = folder / "events"
    shutil.copytree(BROKEN / "registries", events)
    year = events / ("1853" if "after-death" in file.stem else "1851")
    year.mkdir()
    shutil.copy(file, year)
    return events


def messages(folder: Path) -> list[str]:
    """Return what reading and the checks find, without what asks for ratings."""
    reading = checks.read(folder)
    warnings = checks.warnings(reading.dataset, whole=False, rated=None)
    return [str(problem) for problem in sorted({*reading.problems, *warnings})]


def test_there_are_many_bad_files() -> None:
    assert len(FILES) >= 45
    assert dataset.load(BROKEN / "registries").events == {}


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_bad_event_file(file: Path, tmp_path: Path) -> None:
    expected = file.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    assert expected, "a bad file needs a message"
    assert all(line.isprintable() for line in expected)
    events = lay_out(file, tmp_path)
    assert messages(events) == expected
    with pytest.raises(InputError) as refused:
        folder.read(events)
    assert all(problem.severity == "error" for problem in refused.value.problems)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_bad_folder(folder: Path) -> None:
    expected = folder.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    assert expected, "a bad folder needs a message"
    assert messages(folder) == expected


def test_notices_do_not_stop_the_loading() -> None:
    loaded, warnings = dataset.read_all(BROKEN / "folders" / "warnings")
    assert list(loaded.events) == ["london-1851"]
    assert {warning.severity for warning in warnings} == {"warning"}


@pytest.mark.parametrize("entries", [199, 200, 201, 250])
def test_no_record_passes_beyond_the_limit_of_errors(entries: int, tmp_path: Path) -> None:
    events = tmp_path / "events"
    shutil.copytree(BROKEN / "registries", events)
    nameless = "".join(f"aa-{k:03}: {{born: 1820}}\n" for k in range(entries))
    (events / "players" / "a.yaml").write_text(nameless)
    loaded, problems = dataset.read_all(events)
    of_file = [problem for problem in problems if problem.path == "events/players/a.yaml"]
    assert loaded is None and len(of_file) == min(entries, MAX_PROBLEMS + 1)
    assert entries <= MAX_PROBLEMS or "more than 200 problems" in messages(events)[-1]


def test_no_crosstable_or_total_passes_beyond_the_limit_of_errors(tmp_path: Path) -> None:
    """The mistakes of the rows come after 200 others, and the results are still not taken."""
    log = ProblemLog("events/1851/a.yaml", Known({}))
    for line in range(MAX_PROBLEMS + 1):
        log.error(line, "", "some other", "mend it")
    table = "  a-a . 1 | 2\n  b-b 0 . | 0\n"
    assert read_crosstable(log, Located(table, 1)) is None
    assert len(log.problems) == MAX_PROBLEMS + 1


def test_symbolic_links_are_refused(tmp_path: Path) -> None:
    events = tmp_path / "events"
    shutil.copytree(BROKEN / "registries", events)
    (events / "1851").symlink_to(tmp_path)
    assert dataset.read_all(events)[1] == (
        Problem("events/1851", 1, "", "not an ordinary file or folder", "put the file itself here"),
    )


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^events:1: there is no folder `.*`; make it"):
        dataset.load(tmp_path / "nowhere")


def test_all_errors_of_all_files_come_sorted(tmp_path: Path) -> None:
    events = tmp_path / "events"
    shutil.copytree(BROKEN / "registries", events)
    (events / "1851").mkdir()
    for file in FILES:
        shutil.copy(file, events / "1851")
    problems = checks.read(events).problems
    assert list(problems) == sorted(problems)
    assert {problem.path for problem in problems} == {f"events/1851/{f.name}" for f in FILES}
