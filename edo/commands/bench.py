"""The command `bench`: the time and memory that builds take, and fits of millions of games.

Times are in seconds on this machine; compare ratios within one run, not runs of different days.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from edo.commands import synthetic
from edo.commands.folder import (
    add_content_option,
    add_events_option,
    positive,
    project_of,
)
from edo.core import files
from edo.core.problems import EdoError
from edo.core.scale import Floats, elo_from_theta
from edo.core.settings import DEFAULT
from edo.history.dataset import load
from edo.history.project import Project
from edo.rating import network
from edo.rating.fit.bradley_terry import Comparisons, fit
from edo.rating.fit.iterative import fit_any_size
from edo.rating.pairings import Pairing, Side, all_pairings
from edo.systems.evaluation.simulation import Population, player_years, simulate

T = TypeVar("T")

BUILD = Path(__file__).parents[2] / "build.py"
_SCORE = re.compile(r"score: (\d+)-(?!\1\b)(\d+)\b")
QUANTILES = ("median", "95", "99", "greatest")
SAMPLED = 0.5  # [s] between looks at the memory of a build, at most


def peak_megabytes() -> float:
    """Return the peak memory of the process since `reset_peak` [megabytes] (Linux)."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def reset_peak() -> None:
    """Reset the peak memory (Linux: `man 5 proc`, clear_refs)."""
    Path("/proc/self/clear_refs").write_text("5")


class _Steps:
    """Measures steps one by one and prints the figures of each."""

    def __init__(self) -> None:
        self.figures: dict[str, dict[str, float]] = {}

    def measure(self, name: str, work: Callable[[], T]) -> T:
        reset_peak()
        begun, before = time.perf_counter(), time.process_time()
        result = work()
        seconds, used = time.perf_counter() - begun, time.process_time() - before
        peak = peak_megabytes()
        self.figures[name] = {
            "seconds": seconds, "processor_seconds": used, "peak_megabytes": peak,
        }  # fmt: skip
        print(f"{name:<28} {seconds:8.2f} s {peak:8.0f} MB", flush=True)
        return result


def measure_second_builds(project: Project, scratch: Path) -> dict[str, Any]:
    """Measure whole builds in processes of their own: a clean one, and those after small edits.

    The input is copied to `scratch` and edited there. What is measured is that of `measure_process`
    and `ratio`, that of the seconds to those of the clean build.
    """
    here, out = scratch / "events", scratch / "site"
    for each in (one for one in project.inputs if one.exists()):
        copy = shutil.copytree if each.is_dir() else shutil.copy
        copy(each, scratch / each.name)
    command = [str(BUILD), "--project", str(scratch)]
    found: dict[str, Any] = {}
    for name, edit in SECOND_BUILDS.items():
        edit(here)
        measured = measure_process(name, command)
        first = found.get("clean build", measured)["seconds"]
        pages = sum(1 for _ in out.rglob("*.html"))
        found[name] = {**measured, "ratio": measured["seconds"] / first, "pages": pages}
    return found


def measure_size(players: int, project: Project, scratch: Path) -> dict[str, Any]:
    """Measure `check` and builds of a synthetic history of so many rated players.

    Texts and settings are those of the project.
    """
    made = replace(project, events=scratch / "synthetic" / "events")
    for path, text in synthetic.files(players):
        files.write_file(made.events / path, text.encode())
    net = network.build(all_pairings(load(made.events)), DEFAULT)
    size = {
        "players": len(net.players),
        "player_years": len(net.year),
        "events": len({one.event for one in net.pairings}),
        "games": float(net.games.sum() / 2),
    }
    print(", ".join(f"{number:,.0f} {name.replace('_', '-')}" for name, number in size.items()))
    checked = measure_process("check", ["-m", "edo", "check", "--events", str(made.events)])
    return {**size, "check": checked, **measure_second_builds(made, scratch / "builds")}


def measure_process(name: str, arguments: Sequence[str]) -> dict[str, float]:
    """Measure a Python process with its workers: wall time, processor time and peak memory.

    The memory is sampled: the sum of the shares of all its processes, in which what they share is
    counted once (Linux: `man 5 proc`, smaps_rollup, Pss).
    """
    before, begin, peak = os.times(), time.perf_counter(), 0.0
    root = Path(__file__).parents[2]
    none, command = subprocess.DEVNULL, [sys.executable, *arguments]
    with subprocess.Popen(command, cwd=root, stdout=none, stderr=none) as process:
        while process.poll() is None:
            peak = max(peak, sum(map(_megabytes, _family(process.pid))))
            with suppress(subprocess.TimeoutExpired):
                process.wait(min(SAMPLED, 0.02 + (time.perf_counter() - begin) / 10))
    seconds, after = time.perf_counter() - begin, os.times()
    if process.returncode:
        raise EdoError(f"{name}: exit code {process.returncode}")
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    print(f"{name:<28} {seconds:8.2f} s {used:8.2f} s of processors {peak:8.0f} MB", flush=True)
    return {"seconds": seconds, "processor_seconds": used, "peak_megabytes": peak}


def _family(process: int) -> Iterator[int]:
    """Yield the process and those that it started."""
    yield process
    with suppress(OSError):
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            yield from _family(int(child))


def _megabytes(process: int) -> float:
    """Return the share of a process in the memory [megabytes], 0 for one that has ended."""
    with suppress(OSError, IndexError):
        return (
            int(Path(f"/proc/{process}/smaps_rollup").read_text().split("Pss:")[1].split()[0])
            / 1024
        )
    return 0.0


def _edit_note(events: Path) -> None:
    """Add a note to an event."""
    path = next(p for p in sorted(events.glob("*/*.yaml")) if _is_match(p, "notes:"))
    path.write_text(path.read_text() + "notes: A new note.\n")


def _edit_score(events: Path) -> None:
    """Swap the score of a match."""
    path = next(p for p in sorted(events.glob("*/*.yaml")) if _is_match(p, "total"))
    path.write_text(_SCORE.sub(r"score: \2-\1", path.read_text(), count=1))


def _is_match(path: Path, without: str) -> bool:
    """Whether a file is a rated match with a plain score, and without this word."""
    text = path.read_text()
    is_rated = "kind: match" in text and "unrated" not in text
    return is_rated and without not in text and _SCORE.search(text) is not None


SECOND_BUILDS: Mapping[str, Callable[[Path], None]] = {
    "clean build": lambda events: None,
    "nothing changed": lambda events: None,
    "one note edited": _edit_note,
    "one score edited": _edit_score,
}
"""Successive builds, with the edit made before each."""


def read_games(table: Path) -> Iterator[Pairing]:
    """Yield the games of a table of PGN headers (`date, white, black, result`) as pairings.

    Games without a result or a year, or of a player against himself, are skipped.
    """
    points = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
    with io.TextIOWrapper(gzip.open(table), encoding="utf-8", newline="") as text:
        for row in csv.DictReader(text):
            score, year = points.get(row["result"]), row["date"][:4]
            if score is not None and year.isdigit() and row["white"] != row["black"]:
                white, black = Side(row["white"]), Side(row["black"])
                yield Pairing(int(year), row["event"], white, black, score, 1.0)


def measure_headline(population: Population, table: Path, seed: int = 1) -> dict[str, Any]:
    """Measure fit and standard errors at a size beyond the exact factor, on a simulated population.

    Where there is a table of games, the approximation is first compared with the exact factor.
    """
    found: dict[str, Any] = {}
    if table.is_file():
        games = network.build(read_games(table), DEFAULT).comparisons
        found["approximation"] = measure_approximation(games)
    steps = _Steps()
    games_played = steps.measure("simulated games", lambda: simulate(population, seed))
    rated = steps.measure("player-years", lambda: player_years(games_played, DEFAULT))
    fitted = steps.measure("fit", lambda: fit_any_size(rated.comparisons))
    variances, errors = steps.measure("standard errors", fitted.variances)
    played = [games_played.first, games_played.second]
    figures = {
        "games": len(games_played.score),
        "players": len(np.unique(np.concatenate(played))),
        "rated_games": rated.games,
        "rated_players": len(rated.players),
        "player_years": rated.comparisons.n,
        "exact_fill": fitted.fill,
        "is_exact": fitted.is_exact,
        "newton_steps": fitted.steps,
        "remaining_elo": elo_from_theta(np.array(fitted.remaining)).item(),
        **_quantiles("stated_error", errors / variances / 2),
    }
    for name, value in figures.items():
        print(f"{name:<28} {value:14.6g}")
    return {**found, **figures, "steps": steps.figures}


def measure_approximation(comparisons: Comparisons) -> dict[str, Any]:
    """Measure the iterative fit against the exact one: ratings [Elo], and standard errors.

    The errors of standard errors are relative ones, of which quantiles are given.
    """
    steps = _Steps()
    exact = steps.measure("exact fit", lambda: fit(comparisons))
    expected = steps.measure("exact standard errors", exact.variances)
    near = steps.measure("iterative fit", lambda: fit_any_size(comparisons, fill_limit=0))
    variances, _ = steps.measure("simulated standard errors", near.variances)
    figures = {
        "greatest_difference_elo": elo_from_theta(np.abs(near.theta - exact.theta)).max().item(),
        **_quantiles("error", np.abs(np.sqrt(variances / expected) - 1)),
    }
    for name, value in figures.items():
        print(f"{name:<28} {value:14.6g}")
    return {**figures, "steps": steps.figures}


def _quantiles(name: str, values: Floats) -> dict[str, float]:
    found = np.quantile(values, [0.5, 0.95, 0.99, 1.0]).tolist()
    return {f"{name}_{at}": value for at, value in zip(QUANTILES, found, strict=True)}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    games = Path("../shared/bench/games.csv.gz")
    add_events_option(parser)
    add_content_option(parser)
    parser.add_argument("--games", type=Path, default=games, help=f"default: {games}")
    size = "instead, measure builds of a synthetic history of N rated players (Edo's: 12500)"
    parser.add_argument("--size", type=positive, metavar="N", help=size)
    parser.add_argument("--out", type=Path, default=Path("bench.json"), help="default: bench.json")
    parser.add_argument(
        "--headline",
        action="store_true",
        help="measure only the fit of 3.5 million simulated games, and its approximations",
    )


def run(options: argparse.Namespace) -> None:
    """Print each figure when it is measured, and write all to a JSON file."""
    figures: dict[str, Any] = {"python": platform.python_version(), "machine": platform.platform()}
    if options.headline:
        figures["headline"] = measure_headline(Population(), options.games)
    else:
        project = project_of(options)
        with tempfile.TemporaryDirectory() as scratch:
            if options.size is None:
                figures["builds"] = measure_second_builds(project, Path(scratch))
            else:
                figures["size"] = measure_size(options.size, project, Path(scratch))
    files.write_file(options.out, (json.dumps(figures, indent=2) + "\n").encode())


__all__ = ["add_arguments", "run"]
