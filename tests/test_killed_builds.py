"""Builds that are killed, stopped, or out of disk at any moment leave one whole site, and no rest.

`EDO_KILLS=100 pytest -m slow tests/test_killed_builds.py` kills a hundred builds instead of six.
"""

from __future__ import annotations

import hashlib
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import MINISITE, ROOT, build_site, small_content
from sampling import one_in

BUILDS = int(os.environ.get("EDO_KILLS", "6"))
SEED = 1851
GRACE = 60  # [s] after which a process that was told to stop is taken to hang

PUBLISH = """
import sys
from pathlib import Path
from edo.commands import cli
from edo.core import files as writer
files, out = map(Path, sys.argv[1:])
def run():
    paths = sorted(p for p in files.rglob("*") if p.is_file() and p.name != writer.MARKER)
    writer.publish(((p.relative_to(files).as_posix(), p.read_bytes()) for p in paths), out)
sys.exit(cli.run_guarded(run))
"""


def digest(folder: Path) -> str:
    """Return one hash of all names and bytes."""
    total = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        total.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


@dataclass(frozen=True)
class Editions:
    """Two versions of the small history, and the whole sites that they make."""

    events: tuple[Path, Path]
    sites: tuple[Path, Path]

    @property
    def digests(self) -> set[str]:
        return {digest(site) for site in self.sites}

    def building(self, n: int, out: Path) -> list[str]:
        given = ["--events", str(self.events[n]), "--content", str(small_content())]
        return [sys.executable, "build.py", *given, "--out", str(out)]

    def publishing(self, n: int, out: Path) -> list[str]:
        return [sys.executable, "-c", PUBLISH, str(self.sites[n]), str(out)]


@pytest.fixture(scope="module")
def editions(tmp_path_factory: pytest.TempPathFactory, minisite: Path) -> Editions:
    folder = tmp_path_factory.mktemp("editions")
    new = Path(shutil.copytree(MINISITE / "events", folder / "new"))
    match = new / "1884" / "byrd-dunn-1884.yaml"
    match.rename(match.with_name("dunn-byrd-1884.yaml"))  # a page goes, another comes
    found = Editions((MINISITE / "events", new), (minisite, build_site(new, folder / "site-new")))
    assert len(found.digests) == 2
    return found


def start(command: list[str], **more: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command, cwd=ROOT, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        start_new_session=True, **more,
    )  # fmt: skip


def whole(command: list[str]) -> float:
    """Run to the end; return how long it took [s]."""
    begun = time.monotonic()
    process = start(command)
    said = process.communicate()[1]
    assert process.returncode == 0, said
    return time.monotonic() - begun


def kill(command: list[str], after: float, number: int = signal.SIGKILL) -> tuple[int, str]:
    """Send the signal after so many seconds; return the exit code and what was said."""
    process = start(command)
    try:
        process.wait(after)
    except subprocess.TimeoutExpired:
        process.send_signal(number)
    said = process.communicate(timeout=GRACE)[1]
    return process.returncode, said


def kill_many(
    command: Callable[[int, Path], list[str]], times: int, editions: Editions, out: Path
) -> int:
    """Kill so many runs, old and new by turns; return how many were killed before they ended."""
    rng = random.Random(SEED)
    longest = max(whole(command(n, out)) for n in (1, 0))
    sound, killed = editions.digests, 0
    for n in range(times):
        # The end, where the folders are swapped, is looked at more closely.
        after = rng.uniform(0, longest) if n % 2 else rng.uniform(0.6 * longest, 1.1 * longest)
        begun = time.monotonic()
        code, said = kill(command(n % 2, out), after)
        assert code in (0, -signal.SIGKILL), said
        if code == 0:  # the machine is less busy than before
            longest = time.monotonic() - begun
        else:
            killed += 1
        assert digest(out) in sound, f"run {n} of seed {SEED}, killed after {after} s"
    return killed


def assert_tidy(out: Path) -> None:
    left = {path.name for path in out.parent.iterdir()} - {f".{out.name}.built"}
    assert left == {out.name}


@pytest.mark.parametrize("times", [8, pytest.param(40, marks=pytest.mark.slow)])
def test_a_site_is_whole_whenever_its_publishing_is_killed(
    times: int, editions: Editions, tmp_path: Path
):
    out = tmp_path / "site"
    killed = kill_many(editions.publishing, times, editions, out)
    assert killed >= times / 4
    whole(editions.publishing(1, out))
    assert digest(out) == digest(editions.sites[1])
    assert_tidy(out)


@pytest.mark.slow
def test_a_site_is_whole_whenever_its_build_is_killed(editions: Editions, tmp_path: Path):
    out = tmp_path / "site"
    kill_many(editions.building, BUILDS, editions, out)
    whole(editions.building(1, out))
    assert digest(out) == digest(editions.sites[1])
    assert_tidy(out)


@pytest.mark.usefixtures("default_signals")
@pytest.mark.parametrize("number", one_in(3, [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]))
def test_a_build_that_is_told_to_stop_says_so_in_a_line(
    number: signal.Signals, editions: Editions, tmp_path: Path
):
    out = tmp_path / "site"
    shutil.copytree(editions.sites[0], out)
    process = start(editions.building(1, out))
    assert process.stderr is not None
    steps = [process.stderr.readline() for _ in range(3)]
    assert steps[2].startswith("joint distribution"), steps
    os.killpg(process.pid, number)  # as a terminal does: also to processes of its own
    said = process.communicate(timeout=GRACE)[1]
    assert process.returncode == 128 + number
    assert said == "interrupted; the published site is unchanged\n"
    assert digest(out) == digest(editions.sites[0])
    assert_tidy(out)


@pytest.mark.slow
@pytest.mark.usefixtures("default_signals")
def test_a_build_that_is_told_to_stop_before_it_began_says_nothing_of_its_insides(
    editions: Editions, tmp_path: Path
):
    for after in (0.1, 0.3, 0.5, 0.8):
        code, said = kill(editions.building(1, tmp_path / "site"), after, signal.SIGINT)
        assert code in (130, -signal.SIGINT)
        assert "Traceback" not in said


def test_a_full_disk_leaves_the_old_site(editions: Editions, tmp_path: Path):
    out = tmp_path / "site"
    shutil.copytree(editions.sites[0], out)

    def no_large_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    process = start(editions.publishing(1, out), preexec_fn=no_large_files)
    said = process.communicate()[1]
    assert process.returncode == 1
    said_of = re.escape(f"{out}/") + r"\S+"
    full = "the file is larger than the limit; raise it (`ulimit -f unlimited`)"
    assert re.fullmatch(f"error: {said_of} cannot be written: {re.escape(full)}\n", said)
    assert digest(out) == digest(editions.sites[0])
    assert_tidy(out)


def test_of_two_builds_at_a_time_one_is_refused_or_waits_its_turn(
    editions: Editions, tmp_path: Path
):
    out = tmp_path / "site"
    for _ in range(3):
        both = [start(editions.publishing(n, out)) for n in (0, 1)]
        said = [process.communicate(timeout=GRACE)[1] for process in both]
        codes = [process.returncode for process in both]
        assert 0 in codes
        for code, words in zip(codes, said, strict=True):
            assert code == 0 or "another build is writing to" in words, words
        assert digest(out) in {digest(editions.sites[n]) for n in (0, 1) if codes[n] == 0}
        assert_tidy(out)


def test_a_killed_build_leaves_no_process_behind(editions: Editions, tmp_path: Path):
    process = start(editions.building(1, tmp_path / "site"))
    assert process.stderr is not None
    process.stderr.readline()
    process.stderr.readline()
    process.send_signal(signal.SIGKILL)  # while the second process may be at work
    process.communicate()
    for _ in range(GRACE):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(1)
    pytest.fail("a process of the killed build is still there")
