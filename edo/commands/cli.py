"""The command line: `python -m edo COMMAND`, its errors for people and its exit codes."""

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

from edo.commands.arguments import in_project
from edo.core import formats
from edo.core.parallel import STOP_SIGNALS, Stopped
from edo.core.problems import EdoError, InputError

OK, FAILED, EXIT_INTERRUPTED, OUTPUT_CLOSED = 0, 1, 130, 141
ABOUT = "Historical ratings: commands for the editors of the files in events/."
MORE = "`python -m edo COMMAND --help` lists its options; the site has the guide for editors."
INTERRUPTED = "interrupted; the published site is unchanged"

COMMANDS = {
    "init": "make a new project, with an example and everything that a site needs",
    "build": "build the site, like build.py",
    "check": "read all event files and list errors and warnings",
    "diff": "show what changed between two folders of events or git revisions",
    "explain": "show what an event file contributes to the ratings",
    "wanted": "list the missing games that would make the ratings more certain",
    "import": "draft event files from games, tables, crosstables or lists, or accept such drafts",
    "new": "draft the file of a new match or tournament, from questions or options",
    "rename": "give a player, event, place, source or series another id in all files",
    "merge": "make one record of two of the same player in all files",
    "fmt": "bring event files and registries into canonical form",
    "serve": "show the site in a browser and follow every edit",
    "schema": "write the JSON Schemas of the files for editors' tools",
    "record": "show the record by decade, or keep it as the edition to compare with",
    "tune": "cross-validate other numbers of self-games (takes minutes)",
    "contest": "compare how well all rating systems predict (takes minutes)",
}
"""The commands, each in the module of its name in `edo/commands/`, with what it does."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name; return its exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    options = in_project(_parser(given[0] if given else "").parse_args(given))
    run: Callable[[argparse.Namespace], int | None] = options.run
    return run_guarded(lambda: run(options))


def run_guarded(run: Callable[[], int | None]) -> int:
    """Run, print errors for people to read, and return the exit code."""
    sys.stdout = sys.stdout or io.StringIO()  # None where the parent process closed it
    sys.stderr = sys.stderr or io.StringIO()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # not every terminal has every letter
    try:
        with _stop_on_signals():
            code = run() or OK
            sys.stdout.flush()  # while errors of it are still reported below
            return code
    except InputError as refused:
        errors = sum(problem.severity == "error" for problem in refused.problems)
        print(refused, file=sys.stderr)
        print(f"{formats.counted(errors, 'error')}: nothing was written", file=sys.stderr)
        return FAILED
    except BrokenPipeError:  # the reader of the output closed it, like `head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OUTPUT_CLOSED
    except (EdoError, OSError) as refused:
        print(f"error: {_shown(refused)}", file=sys.stderr)
        return FAILED
    except MemoryError:
        print("error: out of memory; nothing was written", file=sys.stderr)
        return FAILED
    except (Stopped, KeyboardInterrupt) as stopped:
        print(INTERRUPTED, file=sys.stderr)
        return 128 + stopped.number if isinstance(stopped, Stopped) else EXIT_INTERRUPTED


def _shown(refused: EdoError | OSError) -> str:
    """Return the message, of system errors with the file but without the error number."""
    if not isinstance(refused, OSError) or refused.strerror is None:
        return str(refused)
    return f"{refused.filename}: {refused.strerror}" if refused.filename else refused.strerror


@contextmanager
def _stop_on_signals() -> Iterator[None]:
    """Raise on the first signal so that cleanup runs, and ignore further ones."""

    def stop(number: int, _frame: object) -> None:
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    main = threading.current_thread() is threading.main_thread()
    handlers = {each: signal.getsignal(each) for each in STOP_SIGNALS if main}
    before = {each: h for each, h in handlers.items() if h is not signal.SIG_IGN}
    for each in before:
        signal.signal(each, stop)
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _parser(chosen: str) -> argparse.ArgumentParser:
    """Return the parser of all commands; only the chosen module is imported, to start fast."""
    parser = argparse.ArgumentParser(prog="python -m edo", description=ABOUT, epilog=MORE)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, sentence in COMMANDS.items():
        command = commands.add_parser(name, help=sentence, description=sentence)
        if name == chosen:
            module_name = name.replace("-", "_") + "_" * keyword.iskeyword(name)
            module = importlib.import_module(f"edo.commands.{module_name}")
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser
