"""The time and memory that each step of a build takes.

Times are in seconds on this machine; compare ratios within one run, not runs of different days.
"""

from __future__ import annotations

import csv
import gzip
import io
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from edo.commands.folder import config_of
from edo.core import files
from edo.core.problems import EdoError
from edo.core.scale import Floats, elo_from_theta
from edo.history.dataset import load
from edo.history.project import Project
from edo.history.settings import DEFAULT
from edo.rating import edo, network
from edo.rating.fit.bradley_terry import Comparisons, fit
from edo.rating.games import Games, Row, Side, games_of, numbered
from edo.rating.inference.posterior import answer
from edo.site import render
from edo.site.charts.history_figures import OF_RATINGS
from edo.site.input import SiteInput, read_texts
from edo.site.pages import data
from edo.systems import ttt

from . import synthetic
from .iterative import fit_any_size
from .population import Population, player_years, simulate

T = TypeVar("T")

BUILD = Path(__file__).parents[2] / "build.py"
_SCORE = re.compile(r"score: (\d+)-(?!\1\b)(\d+)\b")
QUANTILES = ("median", "95", "99", "greatest")
SAMPLED = 0.5  # [s] between looks at the memory of a build, at most
BARE_FACTORISATIONS = 8  # about as many as Newton's method needs


def measure_fit(comparisons: Comparisons) -> dict[str, float]:
    """Measure the fit, its exact variances, and bare CHOLMOD factorisations.

    All use the same matrix in the same ordering. Times are in seconds, the peak memory of the
    process so far in megabytes; `ratio` is that of fit and variances to bare factorisations.
    """
    fitted, fit_seconds = timed(lambda: fit(comparisons))
    _, variance_seconds = timed(fitted.variances)
    peak = peak_megabytes()
    fitted.information.refactorise()  # the first one repeats the symbolic analysis: not timed
    bare_seconds = sum(timed(fitted.information.refactorise)[1] for _ in range(BARE_FACTORISATIONS))
    return {
        "items": len(fitted.theta),
        "comparisons": len(comparisons.i),
        "newton_steps": fitted.steps,
        "fit_seconds": fit_seconds,
        "deviation_seconds": variance_seconds,
        "bare_factorisations": BARE_FACTORISATIONS,
        "bare_seconds": bare_seconds,
        "ratio": (fit_seconds + variance_seconds) / bare_seconds,
        "peak_megabytes": peak,
    }


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Return the result of `work` and the time it took [s]."""
    begin = time.perf_counter()
    result = work()
    return result, time.perf_counter() - begin


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
        before = time.process_time()
        result, seconds = timed(work)
        used = time.process_time() - before
        figures = {"seconds": seconds, "processor_seconds": used}
        figures["peak_megabytes"] = peak_megabytes()
        self.figures[name] = figures
        print(f"{name:<28} {seconds:8.2f} s {figures['peak_megabytes']:8.0f} MB", flush=True)
        return result


def measure_site(project: Project, out: Path) -> dict[str, dict[str, float]]:
    """Measure each step of a build of the site into `out`."""
    steps = _Steps()
    config = config_of(project)
    dataset = steps.measure("read the event files", lambda: load(project.events))
    games = steps.measure("games", lambda: games_of(dataset))
    net = steps.measure("network", lambda: network.build(games, config.settings))
    fitted = steps.measure("fit", lambda: fit(net.comparisons))
    steps.measure("deviations", fitted.variances)
    done = steps.measure("whole rating pass", lambda: edo.run(games, config.settings))
    ratings = steps.measure("published ratings", lambda: edo.publish(dataset, done))
    answers = steps.measure("joint distribution", lambda: answer(done))
    texts = read_texts(project.content)
    site = SiteInput(
        dataset, ratings, texts, None, "0" * 12, "0", answers, config=config, project=project
    )
    data_files = steps.measure(
        "data files", lambda: [(path, make()) for path, make in data.files(site)]
    )
    pages = steps.measure("page contexts", lambda: render.all_pages(site))
    rendered = steps.measure("render the pages", lambda: list(render.render(pages, site)))
    steps.measure("figures", lambda: [list(figure.files(ratings)) for figure in OF_RATINGS])
    steps.measure("write", lambda: files.publish([*rendered, *data_files], out))
    return steps.figures


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
        if not edit(here):
            print(f"{name:<28} not measured: no match with a plain score")
            continue
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
    net = network.build(games_of(load(made.events)), DEFAULT)
    size = {
        "players": len(net.players),
        "player_years": len(net.year),
        "events": len(net.pairings.events),
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
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
        return int(rollup.split("Pss:")[1].split()[0]) / 1024
    return 0.0


def _edit_note(events: Path) -> bool:
    """Add a note to an event; return whether there is one to edit."""
    path = _match(events, "notes:")
    return path is not None and bool(path.write_text(path.read_text() + "notes: A new note.\n"))


def _edit_score(events: Path) -> bool:
    """Swap the score of a match; return whether there is one to edit."""
    path = _match(events, "total")
    if path is None:
        return False
    return bool(path.write_text(_SCORE.sub(r"score: \2-\1", path.read_text(), count=1)))


def _match(events: Path, without: str) -> Path | None:
    files = sorted(events.glob("*/*.yaml"))
    return next((path for path in files if _is_match(path, without)), None)


def _is_match(path: Path, without: str) -> bool:
    """Whether a file is a rated match with a plain score, and without this word."""
    text = path.read_text()
    is_rated = "kind: match" in text and "unrated" not in text
    return is_rated and without not in text and _SCORE.search(text) is not None


SECOND_BUILDS: Mapping[str, Callable[[Path], bool]] = {
    "clean build": lambda events: True,
    "nothing changed": lambda events: True,
    "one note edited": _edit_note,
    "one score edited": _edit_score,
}
"""Successive builds, with the edit made before each; where there is nothing to edit, none."""


def read_games(table: Path) -> Games:
    """Return the games of a table of PGN headers (`date, white, black, result`), White first.

    Games without a result or a year, or of a player against himself, are skipped.
    """
    points = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
    rows = []
    with io.TextIOWrapper(gzip.open(table), encoding="utf-8", newline="") as text:
        for row in csv.DictReader(text):
            score, year = points.get(row["result"]), row["date"][:4]
            if score is not None and year.isdigit() and row["white"] != row["black"]:
                draws = float(score == 0.5)
                white, black = Side(row["white"]), Side(row["black"])
                rows.append(Row(int(year), row["event"], white, black, score, 1.0, draws=draws,
                                colour=1, played=True))  # fmt: skip
    return numbered(rows)


def measure_games(table: Path) -> dict[str, Any]:
    """Measure the rating pass over the games of a table."""
    steps = _Steps()
    games = steps.measure("read the games", lambda: read_games(table))
    net = steps.measure("network of the games", lambda: network.build(games, DEFAULT))
    left_out = Counter(net.reasons.values())
    reset_peak()
    measured = measure_fit(net.comparisons)
    for name, value in measured.items():
        print(f"{name:<28} {value:10.2f}")
    own = measured["fit_seconds"] + measured["deviation_seconds"]
    return {"games": len(games), "player_years": len(net.year), "steps": steps.figures,
            "left_out": dict(left_out), **measured, "ttt": measure_ttt(games, own)}  # fmt: skip


def measure_ttt(games: Games, own: float) -> dict[str, float]:
    """Measure TrueSkill Through Time; `ratio` is that to the `own` seconds of Edo."""
    reset_peak()
    found, seconds = timed(lambda: ttt.skills(games, ttt.Parameters()))
    figures = {
        "player_years": len(found.player_years.year),
        "sweeps": found.sweeps,
        "sweep_seconds": seconds / found.sweeps,
        "seconds": seconds,
        "ratio": seconds / own,
        "peak_megabytes": peak_megabytes(),
    }
    for name, value in figures.items():
        print(f"{'TTT: ' + name:<28} {value:10.2f}")
    return figures


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
