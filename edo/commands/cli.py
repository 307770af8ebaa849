"""`python -m edo VERB`: arguments in, one verb done, problems printed, an exit code out."""

from __future__ import annotations

import argparse
import importlib
import io
import keyword
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from edo.core.parallel import STOPPING, Stopped
from edo.core.problems import EdoError, InputError

OK, FAILED, INTERRUPTED, NOT_READ = 0, 1, 130, 141
ABOUT = "Historical chess ratings: what editors do with the files in events/."
MORE = "`python -m edo VERB --help` names the options of a verb; content/editing.md is the guide."
STOPPED = "interrupted; what was published before is as it was"

VERBS = {
    "check": "read all event files and say what is wrong or doubtful",
    "diff": "say what moved between two sites, folders or git revisions",
    "explain": "say what an event file gives to the ratings",
    "predict": "foretell an event by the ratings from all other results",
    "import": "draft event files from collections of games (pgn) or make them of tables (results)",
    "import-results": "make event files of a table of single results",
    "new": "draft the file of a new match or tournament, by questions or flags",
    "fmt": "give event files and registries their canonical form",
    "serve": "show the site in a browser as of the files on disk, anew after every edit",
    "schema": "write the JSON Schemas of the files for editors' tools",
    "tune": "try other numbers of self-games (takes minutes)",
    "contest": "let all rating systems foretell the same results (takes minutes)",
    "bench": "measure each step, write bench.json",
}
"""Each command, done by the module of its name in `edo/commands/`, with what it does."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the verb that the arguments name; return 0 where it succeeded, 1 where it failed."""
    given = sys.argv[1:] if arguments is None else arguments
    options = _parser(given[0] if given else "").parse_args(given)
    run: Callable[[argparse.Namespace], int | None] = options.run
    return guarded(lambda: run(options))


def guarded(run: Callable[[], int | None]) -> int:
    """Run, print whatever the program refuses for people to read, and return the exit code."""
    sys.stdout = sys.stdout or io.StringIO()  # None where whoever began the program closed it
    sys.stderr = sys.stderr or io.StringIO()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal may not know every letter
    try:
        with _stopped_by_signals():
            code = run() or OK
            sys.stdout.flush()  # while whatever goes wrong with it is still told below
            return code
    except InputError as refused:
        errors = sum(problem.severity == "error" for problem in refused.problems)
        print(refused, file=sys.stderr)
        print(f"{errors} error{'' if errors == 1 else 's'}: nothing was written", file=sys.stderr)
        return FAILED
    except BrokenPipeError:  # whoever read the output has enough of it, like `head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOT_READ
    except (EdoError, OSError) as refused:
        print(f"error: {_told(refused)}", file=sys.stderr)
        return FAILED
    except MemoryError:
        print("error: the memory does not suffice; nothing was written", file=sys.stderr)
        return FAILED
    except (Stopped, KeyboardInterrupt) as stopped:
        print(STOPPED, file=sys.stderr)
        return 128 + stopped.number if isinstance(stopped, Stopped) else INTERRUPTED


def _told(refused: EdoError | OSError) -> str:
    """Return what was refused, of files by their names and without the system's numbers."""
    if not isinstance(refused, OSError) or refused.strerror is None:
        return str(refused)
    return f"{refused.filename}: {refused.strerror}" if refused.filename else refused.strerror


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Let signals raise, so that what was begun is cleared away; further ones do not disturb it."""

    def stop(number: int, _frame: object) -> None:
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    main = threading.current_thread() is threading.main_thread()
    handlers = {each: signal.getsignal(each) for each in STOPPING if main}
    before = {each: h for each, h in handlers.items() if h is not signal.SIG_IGN}
    for each in before:
        signal.signal(each, stop)
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _parser(chosen: str) -> argparse.ArgumentParser:
    """Return the parser of all verbs; only the chosen one is loaded, to be quick."""
    parser = argparse.ArgumentParser(prog="python -m edo", description=ABOUT, epilog=MORE)
    verbs = parser.add_subparsers(required=True, metavar="VERB")
    for name, sentence in VERBS.items():
        verb = verbs.add_parser(name, help=sentence, description=sentence)
        if name == chosen:
            room = name.replace("-", "_") + "_" * keyword.iskeyword(name)
            module = importlib.import_module(f"edo.commands.{room}")
            module.add_arguments(verb)
            verb.set_defaults(run=module.run)
    return parser
