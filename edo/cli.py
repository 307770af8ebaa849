"""`python -m edo VERB`: arguments in, one verb done, problems printed, an exit code out."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from edo import bench, jsonfile, schema, trials, tuning, writer
from edo.dataset import read_all
from edo.errors import EdoError, InputError, Problem
from edo.explain import explain
from edo.importers import results
from edo.progress import Progress
from edo.records import Dataset

Item = TypeVar("Item")

OK, FAILED, INTERRUPTED = 0, 1, 130

EVENTS = Path("events")
CONTENT = Path("content")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the verb that the arguments name; return 0 where it succeeded, 1 where it failed."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal may not know every letter
    options = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], None] = options.run
    return guarded(lambda: run(options))


def guarded(run: Callable[[], None]) -> int:
    """Run, print whatever the program refuses for people to read, and return the exit code."""
    try:
        run()
    except InputError as refused:
        errors = sum(problem.severity == "error" for problem in refused.problems)
        print(refused, file=sys.stderr)
        print(
            f"{errors} {'error' if errors == 1 else 'errors'}: nothing was written", file=sys.stderr
        )
        return FAILED
    except (EdoError, OSError) as refused:
        print(f"error: {refused}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("interrupted; what was published before is as it was", file=sys.stderr)
        return INTERRUPTED
    return OK


def read(events: Path) -> tuple[Dataset, tuple[Problem, ...]]:
    """Return the dataset and the notices; raise InputError with all problems if one is an error."""
    dataset, problems = read_all(events)
    if dataset is None or any(problem.severity == "error" for problem in problems):
        raise InputError(problems)
    return dataset, problems


def check(events: Path) -> None:
    """Read everything, print the notices and what there is."""
    dataset, notices = read(events)
    for notice in notices:
        print(notice, file=sys.stderr)
    print(
        f"{events}: no errors in {len(dataset.events)} events "
        f"of {len(dataset.players)} players ({len(notices)} notices)"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m edo", description=__doc__)
    verbs = parser.add_subparsers(required=True, metavar="VERB")

    verb = verbs.add_parser("check", help="read all event files and say what is wrong")
    verb.add_argument("--events", type=Path, default=EVENTS, help="the folder (default: events)")
    verb.set_defaults(run=lambda options: check(options.events))

    verb = verbs.add_parser("explain", help="say what an event file gives to the ratings")
    verb.add_argument("event", metavar="EVENT-ID", help="like london-1883")
    verb.add_argument("--events", type=Path, default=EVENTS, help="the folder (default: events)")
    verb.set_defaults(run=lambda options: print(_explained(options.events, options.event), end=""))

    verb = verbs.add_parser("import-results", help="make event files of a table of single results")
    results.add_arguments(verb)
    verb.set_defaults(run=results.run)

    verb = verbs.add_parser("schema", help="write the JSON Schemas of the files for editors' tools")
    verb.add_argument("--out", type=Path, default=Path("edo/schemas"), help="the folder")
    verb.set_defaults(run=lambda options: _write_schemas(options.out))

    verb = verbs.add_parser("tune", help="try other numbers of self-games (takes minutes)")
    verb.add_argument("--events", type=Path, default=EVENTS, help="the folder (default: events)")
    verb.add_argument(
        "--out", type=Path, default=CONTENT / tuning.FILE, help=f"default: {CONTENT / tuning.FILE}"
    )
    verb.set_defaults(run=lambda options: _tune(options.events, options.out))

    verb = verbs.add_parser("bench", help="measure each step, write bench.json")
    bench.add_arguments(verb)
    verb.set_defaults(run=bench.run)
    return parser


def _explained(events: Path, event: str) -> str:
    dataset, _ = read(events)
    return explain(dataset, event)


def _write_schemas(out: Path) -> None:
    for name, text in schema.schemas().items():
        writer.save(out / name, text.encode())
        print(out / name)


def _tune(events: Path, out: Path) -> None:
    dataset, _ = read(events)
    progress = Progress()

    def watched(name: str, items: Sequence[Item]) -> Iterator[Item]:
        with progress.step(name) as say:
            yield from progress.counted(items, len(items), name)
            say(f"{len(items)} parts")

    writer.save(out, jsonfile.dump(trials.tune(dataset, watched)))
    print(out)
