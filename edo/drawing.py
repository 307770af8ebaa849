"""All pages laid out in, path and bytes of each out, in their order, drawn in several processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from edo import crew, pages
from edo.crew import Crew
from edo.store import NO_SHELF, Shelf
from edo.views.site import Page, SiteInput

FEW = 200  # pages that are drawn sooner than processes are started
PART = 16  # pages handed out at a time: little enough that all end at about the same time
AHEAD = 2  # parts that a process is given

Files = list[tuple[str, bytes]]


def drawn(
    laid_out: Sequence[Page], site: SiteInput, shelf: Shelf = NO_SHELF, processes: int | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of each page, in the order of the pages.

    By so many `processes`, by default as many as there are processors, and one where there are few
    pages. Everything that pages share must be made before: the processes see what is there when
    they are forked. Raises what `edo.pages.render` raises, and EdoError where a process was killed.
    """
    number = crew.size(len(laid_out) >= FEW) if processes is None else processes
    if number < 2:
        yield from pages.render(laid_out, site, shelf=shelf)
        return
    parts = [laid_out[start : start + PART] for start in range(0, len(laid_out), PART)]

    def again(part: int) -> Iterator[tuple[str, bytes]]:
        return pages.render(parts[part], site, shelf=shelf)

    do, farewell = partial(_draw, parts, site, shelf), partial(shelf.taken, shelf.made)
    with Crew("drawing", number, do, AHEAD, farewell) as drawers:
        for files in drawers.results(len(parts), again):
            yield from files
        for taken in drawers.farewells():
            shelf.take(taken)


def _draw(
    parts: Sequence[Sequence[Page]], site: SiteInput, shelf: Shelf, numbers: Iterator[int]
) -> Iterator[Files]:
    """Yield the files of each part whose number comes in."""
    waiting: list[Page] = []
    files = pages.render(iter(lambda: waiting.pop(0), None), site, shelf=shelf)
    for number in numbers:
        waiting.extend(parts[number])
        yield [next(files) for _ in parts[number]]
