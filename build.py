"""Build the site: read the event files, rate everyone, draw the pages, put them in place.

Exit codes: 0 done, 1 the input has errors or the build failed, 2 the arguments are wrong.
"""

from __future__ import annotations

import signal

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # until `main`: a stop while modules are loaded

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from edo.commands import cli
from edo.commands.progress import Progress
from edo.core import cache, files
from edo.core import files as writer
from edo.core.cache import Store

_HOST = r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*"
_PORT = r"(:[1-9][0-9]{0,4})?"
_FOLDER = r"/(?!\.{1,2}(/|$))([A-Za-z0-9._~@+-]|%[0-9A-Fa-f]{2})+"
_ADDRESS = re.compile(f"https?://{_HOST}{_PORT}({_FOLDER})*/?")


def build(options: argparse.Namespace) -> None:
    """Build what the options order, unless nothing changed since the last build."""
    out: Path = options.out
    folder: Path = options.cache or out.absolute().parent / f".{out.absolute().name}.cache"
    writer.refuse_foreign(out, options.events, options.content, folder)
    if options.cache is not None:
        writer.refuse_foreign_cache(folder, options.events, options.content)
    store = Store(None if options.no_cache else folder)
    progress = Progress()
    input_, (of, stamps) = _input(options), files.recall(store.shelf("published"))
    if of == input_ and files.is_whole(out, stamps, writer.MARKER):
        progress.tell(f"nothing changed: {len(stamps)} files; open {out / 'index.html'}")
        return
    from edo.commands import build as steps  # noqa: PLC0415 (it loads all that is only needed where something changed)

    order = steps.Order(options.events, options.content, out, options.base_url)
    stamps = steps.build(order, store, progress)
    if _input(options) == input_:  # else somebody saved a file while it was read
        files.remember(store.shelf("published"), input_, stamps)
        writer.keep(store.files())


def _input(options: argparse.Namespace) -> str:
    """Return the digest of all that the site follows from."""
    folders = options.events, options.content, Path(__file__).parent / "templates"
    return cache.of_values(cache.of_folders(*folders), options.base_url, cache.of_program())


def web_address(text: str) -> str:
    """Return an address of the web; raises ArgumentTypeError for anything else."""
    # No query and no fragment: pages' paths are written behind it.
    if _ADDRESS.fullmatch(text) is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no address; write it like https://host/path")
    return text


def main(arguments: Sequence[str] | None = None) -> int:
    """Check or build, as the arguments say; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("site"), help="where to (default: site)")
    parser.add_argument(
        "--base-url", type=web_address, help="where the site will stand, for absolute links"
    )
    parser.add_argument("--only", choices=["check"], help="check the event files, write nothing")
    parser.add_argument("--events", type=Path, default=Path("events"), help="default: events")
    parser.add_argument("--content", type=Path, default=Path("content"), help="default: content")
    parser.add_argument(
        "--cache", type=Path, help="where to keep what the next build need not make again "
        "(default: beside the site, .site.cache); may be deleted at any time",
    )  # fmt: skip
    parser.add_argument("--no-cache", action="store_true", help="make everything, keep nothing")
    options = parser.parse_args(arguments)
    if options.only == "check":
        from edo.commands import check  # noqa: PLC0415

        return cli.guarded(lambda: check.check(options.events))
    return cli.guarded(lambda: build(options))


if __name__ == "__main__":
    sys.exit(main())
