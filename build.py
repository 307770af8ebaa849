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
from itertools import chain
from pathlib import Path

from edo import __version__, beside, cli, links, pages, rating, sitemap, writer
from edo.changelist import read_changes
from edo.correlations import births
from edo.fingerprint import fingerprint
from edo.imprint import read_imprint
from edo.progress import Progress
from edo.questions import answer
from edo.scores import all_pairings
from edo.tuning import read_tuning
from edo.verbs import check, folder
from edo.views.site import Page, SiteInput


def build(options: argparse.Namespace) -> None:
    """Do one step after the other, saying what is done."""
    progress = Progress()
    writer.refuse_foreign(options.out, options.events, options.content)
    content = pages.read_content(options.content)
    imprint = read_imprint(options.content)
    changes = read_changes(options.content)
    with progress.step("reading the events") as say:
        dataset, _ = folder.read(options.events)
        say(f"{len(dataset.events)} events of {len(dataset.players)} players")
        say("no errors; `make check` tells what is doubtful")

    with progress.step("rating") as say:
        pairings = all_pairings(dataset)
        done = rating.run(pairings)
        ratings = rating.publish(dataset, done)
        years = sum(map(len, ratings.players.values()))
        say(f"{years} player-years of {len(ratings.players)} players rated")

    with progress.step("asking the ratings") as say:
        answers = answer(pairings, done, births(dataset))
        say(f"{len(answers.chances)} chances, {len(answers.suspects)} results hard to believe")

    with progress.step("laying out the pages") as say:
        site = SiteInput(
            dataset,
            ratings,
            content=content,
            base_url=options.base_url,
            fingerprint=fingerprint([options.events, options.content]),
            version=__version__,
            tuning=read_tuning(options.content),
            answers=answers,
            imprint=imprint,
            changes=changes,
        )
        laid_out = pages.all_pages(site)
        say(f"{len(laid_out)} pages")
    write(site, laid_out, options.out, progress)


def write(site: SiteInput, laid_out: list[Page], out: Path, progress: Progress) -> None:
    """Draw all pages and put them in place, with all files beside them."""
    with progress.step("drawing and writing") as say:
        drawn = progress.counted(pages.render(laid_out, site), len(laid_out), "page")
        listed = sitemap.files(
            (page.path for page in laid_out if page.moved_to is None), site.base_url
        )
        written = writer.publish(links.checked(chain(drawn, beside.files(site), listed)), out)
        if site.base_url is None:
            say("no --base-url: without sitemap, robots.txt and canonical addresses")
        say(f"{written} files; open {out / 'index.html'}")


def web_address(text: str) -> str:
    """Return an address of the web; raises ArgumentTypeError for anything else."""
    # No query and no fragment: pages' paths are written behind it.
    if re.fullmatch(r"https?://[A-Za-z0-9._~:%-]+(/[A-Za-z0-9._~%/@+-]*)?", text) is None:
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
    parser.add_argument("--events", type=Path, default=folder.EVENTS, help="default: events")
    parser.add_argument("--content", type=Path, default=Path("content"), help="default: content")
    options = parser.parse_args(arguments)
    if options.only == "check":
        return cli.guarded(lambda: check.check(options.events))
    return cli.guarded(lambda: build(options))


if __name__ == "__main__":
    sys.exit(main())
