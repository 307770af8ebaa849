"""All pages laid out in, path and bytes of each file out, made by several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from edo import crew, pages
from edo.crew import Crew
from edo.store import NO_STORE, Store
from edo.views.site import Page, SiteInput

FEW = 200  # pages that are drawn sooner than processes are started
PART = 16  # pages handed out at a time: little enough that all end at about the same time
AHEAD = 2  # pieces of work that a process is given
FIRST = 10  # parts that are drawn before other files are begun, so that there is soon something
SHELVES = ("pages", "pictures", "figures")
"""What is kept of drawing from one build to the next."""

File = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class Making:
    """Files that are made beside the pages; `pages` are paths of those made of the same work."""

    make: Callable[[], Iterator[File]]
    pages: tuple[str, ...] = ()


def drawn(
    laid_out: Sequence[Page],
    site: SiteInput,
    store: Store = NO_STORE,
    others: Sequence[Making] = (),
    processes: int | None = None,
) -> Iterator[File]:
    """Yield path and bytes of each page, in their order, and of the other files among them.

    By so many `processes`, by default as many as there are processors, and one where there are few
    pages. Everything that pages share must be made before: the processes see what is there when
    they are forked. Raises what `edo.pages.render` raises, and EdoError where a process was killed.
    """
    number = crew.size(len(laid_out) >= FEW, processes)
    if number < 2:
        yield from _made((laid_out, list(others)), site, store)
        return
    pieces = _pieces(laid_out, others)
    made = {name: store.shelf(name).made for name in SHELVES}

    def again(piece: int) -> Iterator[File]:
        return _made(pieces[piece], site, store)

    def farewell() -> list[tuple[str, object]]:
        return [(name, store.shelf(name).taken(before)) for name, before in made.items()]

    with Crew("drawing", number, partial(_draw, pieces, site, store), AHEAD, farewell) as drawers:
        for files in drawers.results(len(pieces), again):
            yield from files
        for taken in drawers.farewells():
            for name, things in taken:
                store.shelf(name).take(things)


Piece = tuple[Sequence[Page], Sequence[Making]]


def _pieces(laid_out: Sequence[Page], others: Sequence[Making]) -> list[Piece]:
    """Return what is made in one go: other files, with the pages of the same work, and parts."""
    apart = {path: making for making in others for path in making.pages}
    alike = [([page for page in laid_out if page.path in one.pages], [one]) for one in others]
    rest = [page for page in laid_out if page.path not in apart]
    parts: list[Piece] = [(rest[k : k + PART], ()) for k in range(0, len(rest), PART)]
    return [*parts[:FIRST], *alike, *parts[FIRST:]]


def _made(piece: Piece, site: SiteInput, store: Store) -> Iterator[File]:
    laid_out, others = piece
    yield from pages.render(laid_out, site, shelf=store.shelf("pages"))
    for making in others:
        yield from making.make()


def _draw(
    pieces: Sequence[Piece], site: SiteInput, store: Store, numbers: Iterator[int]
) -> Iterator[list[File]]:
    """Yield the files of each piece whose number comes in."""
    waiting: list[Page] = []
    files = pages.render(iter(lambda: waiting.pop(0), None), site, shelf=store.shelf("pages"))
    for number in numbers:
        laid_out, others = pieces[number]
        waiting.extend(laid_out)
        made = [next(files) for _ in laid_out]
        for making in others:
            made.extend(making.make())
        yield made
