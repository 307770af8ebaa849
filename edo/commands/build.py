"""Build the site: read the event files, rate everyone, render the pages, put them in place."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from edo.commands import cli
from edo.commands.progress import Progress
from edo.core import cache, files

TEMPLATES = Path(__file__).parents[2] / "templates"
EXIT_CODES = "Exit codes: 0 done, 1 the input has errors or the build failed, 2 wrong arguments."

_HOST = r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*"
_PORT = r"(:[1-9][0-9]{0,4})?"
_FOLDER = r"/(?!\.{1,2}(/|$))([A-Za-z0-9._~@+-]|%[0-9A-Fa-f]{2})+"
_ADDRESS = re.compile(f"https?://{_HOST}{_PORT}({_FOLDER})*/?")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a build."""
    parser.add_argument(
        "--out", type=Path, default=Path("site"), help="the output folder (default: site)"
    )
    parser.add_argument(
        "--base-url", type=web_address, help="the address of the site, for absolute links"
    )
    parser.add_argument("--only", choices=["check"], help="check the event files, write nothing")
    parser.add_argument("--events", type=Path, default=Path("events"), help="default: events")
    parser.add_argument("--content", type=Path, default=Path("content"), help="default: content")
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
    files.check_output(out, options.events, options.content, folder)
    if options.cache is not None:
        files.check_cache(folder, options.events, options.content)
    store, progress = cache.Cache(None if options.no_cache else folder), Progress()
    digest, published = _digest_of_input(options), store.section("published")
    last, states = files.load_manifest(published)
    if last == digest and files.is_intact(out, states, files.MARKER):
        progress.show(f"nothing changed: {len(states)} files; open {out / 'index.html'}")
        return
    from edo.commands import pipeline  # noqa: PLC0415 (slow to import, and not needed until here)

    given = pipeline.BuildOptions(options.events, options.content, out, options.base_url)
    states = pipeline.build(given, store, progress)
    if _digest_of_input(options) == digest:  # no file was saved during the build
        files.save_manifest(published, digest, states)
        files.write_cache(store.files())


def _digest_of_input(options: argparse.Namespace) -> str:
    """Return the digest of everything that the site depends on."""
    folders = cache.digest_of_folders(options.events, options.content, TEMPLATES)
    return cache.digest(folders, options.base_url, cache.digest_of_program())


def web_address(text: str) -> str:
    """Return a web address; raises ArgumentTypeError for anything else."""
    # No query and no fragment: the paths of pages are appended to it.
    if _ADDRESS.fullmatch(text) is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a web address; write it like https://host/path"
        )
    return text


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `build.py` with the arguments; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, epilog=EXIT_CODES)
    add_arguments(parser)
    options = parser.parse_args(arguments)
    return cli.run_guarded(lambda: run(options))
