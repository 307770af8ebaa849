"""Build the site: read the event files, rate everyone, render the pages, put them in place."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from edo.commands import cli
from edo.commands.folder import add_content_option, add_events_option, config_of, project_of
from edo.commands.progress import Progress
from edo.core import cache, files
from edo.history import project
from edo.history.project import TEMPLATES
from edo.history.values import InvalidValue

EXIT_CODES = "Exit codes: 0 done, 1 the input has errors or the build failed, 2 wrong arguments."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a build."""
    parser.add_argument(
        "--out", type=Path, default=Path("site"), help="the output folder (default: site)"
    )
    parser.add_argument(
        "--base-url", type=web_address,
        help="the address of the site, for absolute links (default: that in site.yaml)",
    )  # fmt: skip
    parser.add_argument("--only", choices=["check"], help="check the event files, write nothing")
    add_events_option(parser)
    add_content_option(parser)
    parser.add_argument(
        "--cache", type=Path, help="where to keep what the next build can use again (default: next "
        "to the site, .site.cache); may be deleted at any time",
    )  # fmt: skip
    parser.add_argument("--no-cache", action="store_true", help="compute everything, keep nothing")


def run(options: argparse.Namespace) -> int:
    """Check or build, as the options say."""
    if options.only == "check":
        from edo.commands import check  # noqa: PLC0415 (a build does without)

        return check.check(options.events)
    build(options)
    return 0


def build(options: argparse.Namespace) -> None:
    """Build the site, unless nothing has changed since the last build."""
    out: Path = options.out
    folder: Path = options.cache or out.absolute().parent / f".{out.absolute().name}.cache"
    inputs = project_of(options).inputs
    files.check_output(out, *inputs, TEMPLATES, folder)
    if options.cache is not None:
        files.check_cache(folder, *inputs)
    store, progress = cache.Cache(None if options.no_cache else folder), Progress()
    digest, published = _digest_of_input(options), store.section("published")
    last, states = cache.load_manifest(published)
    if last == digest and files.is_intact(out, states, files.MARKER):
        progress.show(f"nothing changed: {len(states)} files; open {out / 'index.html'}")
        return
    files.check_writable(out)
    from edo.commands import pipeline  # noqa: PLC0415 (slow to import, and not needed until here)

    given = pipeline.BuildOptions(
        project_of(options), config_of(project_of(options)), out, options.base_url
    )
    states = pipeline.build(given, store, progress)
    if _digest_of_input(options) == digest:  # no file was saved during the build
        cache.save_manifest(published, digest, states)
        files.write_cache(store.files())


def _digest_of_input(options: argparse.Namespace) -> str:
    """Return the digest of everything that the site depends on."""
    folders = cache.digest_of_folders(*project_of(options).inputs, TEMPLATES)
    return cache.digest(folders, options.base_url, cache.digest_of_program())


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
    options = parser.parse_args(arguments)
    return cli.run_guarded(lambda: run(options))
