"""Build the site: read the event files, rate everyone, render the pages, put them in place."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from edo.commands import cli
from edo.commands.arguments import add_content_option, add_events_option, in_project
from edo.commands.folder import config_of, project_of
from edo.commands.progress import Progress
from edo.core import digest, files
from edo.history import project
from edo.history.project import TEMPLATES
from edo.history.values import InvalidValue

SITE = Path("site")
EXIT_CODES = "Exit codes: 0 done, 1 the input has errors or the build failed, 2 wrong arguments."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a build."""
    parser.add_argument("--out", type=Path, help=f"the output folder (default: {SITE})")
    parser.add_argument(
        "--base-url", type=web_address,
        help="the address of the site, for absolute links (default: that in site.yaml)",
    )  # fmt: skip
    parser.add_argument("--only", choices=["check"], help="check the event files, write nothing")
    add_events_option(parser)
    add_content_option(parser)
    parser.add_argument("--force", action="store_true", help="build even if nothing has changed")


def run(options: argparse.Namespace) -> int:
    """Check or build, as the options say."""
    if options.only == "check":
        from edo.commands import check  # noqa: PLC0415 (a build does without)

        return check.check(options.events)
    build(options)
    return 0


def build(options: argparse.Namespace) -> None:
    """Build the site, unless nothing has changed since the last build."""
    out: Path = options.out or options.project / SITE
    files.check_output(out, *project_of(options).inputs, TEMPLATES, digest.PROGRAM)
    record = out.absolute().with_name(f".{out.absolute().name}.built")
    progress = Progress()
    key = _key(options)
    last_key, states = files.read_states(record)
    if not options.force and last_key == key and files.is_intact(out, states, files.MARKER):
        progress.show(f"nothing changed: {len(states)} files; open {out / 'index.html'}")
        return
    files.check_writable(out)
    from edo.commands import pipeline  # noqa: PLC0415 (slow to import, and not needed until here)

    of_build = pipeline.BuildOptions(
        project_of(options), config_of(project_of(options)), out, options.base_url
    )
    states = pipeline.build(of_build, states, progress)
    if _key(options) == key:  # no file was saved during the build
        files.write_states(record, key, states)


def _key(options: argparse.Namespace) -> str:
    """Return the digest of everything that the site depends on."""
    folders = digest.digest_of_folders(*project_of(options).inputs, TEMPLATES)
    return digest.digest(folders, options.base_url, digest.digest_of_program())


def web_address(text: str) -> str:
    """Return a web address; raises ArgumentTypeError for anything else."""
    try:
        return project.web_address(text)
    except InvalidValue as refused:
        raise argparse.ArgumentTypeError(str(refused)) from refused


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `build.py` with the arguments; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXIT_CODES)
    add_arguments(parser)
    options = in_project(parser.parse_args(arguments))
    return cli.run_guarded(lambda: run(options))
