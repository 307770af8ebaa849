"""The command `serve`: a local preview of the site that follows every edit of the input."""

from __future__ import annotations

import argparse
import sys
import time
import webbrowser
from contextlib import suppress
from functools import partial

from edo.commands import check
from edo.commands.arguments import add_content_option, add_events_option, port
from edo.commands.folder import config_of, project_of, read
from edo.core import formats
from edo.core.model import Dataset
from edo.core.parallel import Stopped
from edo.core.problems import Problem
from edo.history.dataset import Readings
from edo.history.project import Project
from edo.site.preview.server import PreviewServer
from edo.site.preview.state import Preview

PORT = 8000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    add_events_option(parser)
    add_content_option(parser)
    parser.add_argument("--port", type=port, default=PORT, help=f"default: {PORT}; 0: any")
    parser.add_argument("--open", action="store_true", help="open the preview in a browser")


def run(options: argparse.Namespace) -> None:
    """Serve until interrupted by a signal."""
    began = time.perf_counter()
    project = project_of(options)
    preview = Preview(project, partial(_read, project), partial(_problems, project))
    try:
        with suppress(Stopped), PreviewServer(preview, options.port) as server:
            preview.start()
            took = time.perf_counter() - began
            print(f"preview at {server.address}/ after {took:.1f} s; Ctrl-C ends it", flush=True)
            errors = sum(one.severity == "error" for one in preview.state.problems)
            if errors:
                counted = formats.counted(errors, "error")
                print(f"{counted}; the page shows them", file=sys.stderr)
            if options.open:
                webbrowser.open(f"{server.address}/")
            server.serve_forever(poll_interval=0.2)
        print("preview ended")
    finally:
        preview.close()


def _read(project: Project, readings: Readings) -> tuple[Dataset, tuple[Problem, ...]]:
    return read(project.events, readings, config_of(project).draws)


def _problems(project: Project, readings: Readings | None = None) -> tuple[Problem, ...]:
    """Return the errors and warnings that `check` lists."""
    found = check.find(project.events, readings=readings, project=project)
    return tuple(one for one in found.problems if not one.minor)
