"""The whole input of the site in, every page as path and bytes out; the door to the templates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from edo.core import cache, files, formats, parallel, urls
from edo.core.cache import NO_SHELF, NO_STORE, Shelf, Store
from edo.core.files import Unreadable
from edo.core.model import Dataset, Event, Place, Player, Series, Source
from edo.core.parallel import Crew
from edo.core.problems import EdoError
from edo.export.citation import Edition, HowToCite, how_to_cite
from edo.history.site_config import LICENCE
from edo.rating.edo import Ratings
from edo.site import metadata
from edo.site import metadata as structured
from edo.site.input import Link, Page, SiteInput, link_to
from edo.site.legend import Legend
from edo.site.metadata import NOT_LISTED, report_link
from edo.site.pages import (
    changes,
    compare,
    contest,
    data,
    event,
    home,
    lists,
    method,
    moved,
    pair,
    place,
    player,
    report,
    search,
    series,
    source,
    systems,
    year,
    year_systems,
)

TEMPLATES = Path(__file__).parents[2] / "templates"
SCRIPTS = (urls.static("search.js"), urls.static("tables.js"))
"""What every page loads, after it is drawn: each works on pages without its parts too."""

VIEWS: tuple[Callable[[SiteInput], Iterator[Page]], ...] = (
    home.pages,
    player.pages,
    year.pages,
    event.pages,
    lists.pages,
    compare.pages,
    pair.pages,
    series.pages,
    place.pages,
    source.pages,
    method.pages,
    contest.pages,
    systems.pages,
    year_systems.pages,
    data.pages,
    search.pages,
    report.pages,
    changes.pages,
    moved.pages,
)
"""Every kind of page, in the order in which they are made."""

_FINGERPRINT = "0dataprint00"
"""What stands on a page for the fingerprint until the page is published; as long, and as plain."""


@dataclass(frozen=True, slots=True)
class House:
    """What head and foot of every page say of the site as a whole."""

    name: str
    motto: str
    licence: str
    version: str
    fingerprint: str
    home: str = urls.HOME
    method: str = urls.METHOD
    data: str = urls.DATA
    style: str = urls.STYLE
    search: str = urls.SEARCH
    names: str = urls.static("names.js")
    changes: str = urls.CHANGES
    feed: str = urls.FEED
    marks: str = urls.method("marks")
    find: str = urls.static("find.js")


@dataclass(frozen=True, slots=True)
class NavigationItem:
    """A section in the navigation; `current` is what `aria-current` says of it, if anything."""

    text: str
    target: str
    current: str | None


def all_pages(
    site: SiteInput, views: Iterable[Callable[[SiteInput], Iterator[Page]]] = VIEWS
) -> list[Page]:
    """Return every page of the site, before any of them is rendered.

    Raises EdoError where two pages have the same path.
    """
    by_path: dict[str, Page] = {}
    for view in views:
        for page in view(site):
            if page.path in by_path:
                raise EdoError(
                    f"{page.path} is both {by_path[page.path].title!r} and {page.title!r}; "
                    "give one of them another id"
                )
            by_path[page.path] = page
    return list(by_path.values())


def render(
    pages: Iterable[Page], site: SiteInput, templates: Path = TEMPLATES, shelf: Shelf = NO_SHELF
) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of each page, one after the other as it is drawn.

    A page that is on the `shelf` because nothing of it changed is taken from there. The fingerprint
    changes with every input, so pages are drawn with another word in its place.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates),
        autoescape=True,
        auto_reload=False,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(formats.FILTERS)
    environment.globals.update(urls=urls)
    frame = _frame(site)
    around = _around(frame, templates) if shelf.in_use else ""
    for page in pages:
        try:
            view = page.view()
            draw = partial(_render_page, environment, page, view, frame)
            if shelf.in_use:
                key = cache.of_values(around, view, replace(page, view=_no_view))
                html = shelf.keyed(key, draw)
            else:
                shelf.made += 1
                html = draw()
        except Exception as error:
            error.add_note(f"while {page.path} was drawn")
            raise
        yield page.path, html.replace(_FINGERPRINT.encode(), site.fingerprint.encode())


def _frame(site: SiteInput) -> SiteInput:
    """Return no more of the site than a page is drawn with beside its view."""
    nothing, nobody = Dataset({}, {}, {}, {}, {}), Ratings({}, {}, {}, ())
    return SiteInput(
        nothing, nobody, {}, site.base_url, _FINGERPRINT, site.version, imprint=site.imprint
    )


def _around(frame: SiteInput, templates: Path) -> str:
    """Return the digest of what all pages are drawn with."""
    drawn_with = cache.of_folders(templates)
    return cache.of_values(drawn_with, frame.base_url, frame.version, frame.imprint)


def _no_view() -> None:
    """Stand for the view in the key of a page, which holds what the view made."""


def _render_page(
    environment: jinja2.Environment, page: Page, view: object, site: SiteInput
) -> bytes:
    house = House(site.imprint.name, site.imprint.motto, LICENCE, site.version, site.fingerprint)
    link = _linker(page.path, site.base_url)
    html = environment.get_template(page.template).render(
        page=page,
        view=view,
        site=house,
        page_title=_title(page, site.imprint.name),
        scripts=(*SCRIPTS, *page.scripts),
        canonical=_canonical(page.moved_to or page.path, site.base_url),
        sections=_sections(page.path),
        crumbs=_crumbs(page),
        link=link,
        anchor_of_link=partial(anchor, link),
        legend=Legend(),
        cite=_how_to_cite(page, site),
        report=_report(page, site),
        about=_about(page, site),
        shared=metadata.properties(page, site),
    )
    return html.encode()


def read_content(folder: Path) -> dict[str, str]:
    """Return the texts of `content/` by slug; raises EdoError where one cannot be read."""
    texts = {}
    for path in sorted(folder.glob("*.md")):
        try:
            texts[path.stem] = files.read(path)
        except Unreadable as refused:
            raise EdoError(f"{path}:{refused.line}: {refused}") from refused
    if not texts:
        raise EdoError(f"{folder}: there are no texts (*.md); name the folder of the texts")
    return texts


def static_files(templates: Path = TEMPLATES) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of what is published as it is."""
    for path in sorted((templates / "static").iterdir()):
        yield urls.static(path.name), path.read_bytes()


def _title(page: Page, name: str) -> str:
    return name if page.path == urls.HOME else f"{page.title} · {name}"


def _linker(page: str, base_url: str | None) -> Callable[[str], str]:
    """Return what turns a path from the root into a link on `page`."""
    if page == urls.NOT_FOUND and base_url is not None:
        # It is shown in place of any missing page, so relative links would lead astray.
        return partial(urls.absolute, base_url)
    return partial(urls.relative, page)


def anchor(
    link: Callable[[str], str], item: Link | Player | Event | Place | Source | Series
) -> Markup:
    """Return an anchor to a page or to the page of a record; bare text where there is none.

    In Python, because most of what stands on pages are anchors; `link` is that of the page.
    """
    if not isinstance(item, Link):
        item = link_to(item)
    text = escape(item.text)
    if item.target is None:
        return text
    return Markup(f'<a href="{escape(link(item.target))}">{text}</a>')


def _canonical(page: str, base_url: str | None) -> str | None:
    if base_url is None or page == urls.NOT_FOUND:
        return None
    return urls.absolute(base_url, page)


def _how_to_cite(page: Page, site: SiteInput) -> HowToCite | None:
    """Return how to cite the page, None where nobody would."""
    if page.path in NOT_LISTED or page.moved_to is not None:
        return None
    edition = Edition(site.imprint.name, site.fingerprint, site.version)
    return how_to_cite(edition, page.title, page.path, _canonical(page.path, site.base_url))


def _report(page: Page, site: SiteInput) -> str:
    """Return the link that reports an error on the page."""
    to, where = site.imprint.report_to, _canonical(page.path, site.base_url) or page.path
    found = report_link(to, page.title, where, site.fingerprint, site.version)
    return _linker(page.path, site.base_url)(found) if to is None else found


def _about(page: Page, site: SiteInput) -> Markup | None:
    """Return what the page says for machines, None where that is nothing."""
    way = [(link.text, link.target or page.path) for link in _crumbs(page)]
    return structured.script([page.about, structured.breadcrumbs(way, site.base_url)])


def _sections(page: str) -> list[NavigationItem]:
    here = urls.section(page)
    return [
        NavigationItem(name, index, _aria_current(page, index, here))
        for name, index in urls.SECTIONS
    ]


def _aria_current(page: str, index: str, section: str | None) -> str | None:
    if index == page:
        return "page"
    return "true" if index == section else None


def _crumbs(page: Page) -> list[Link]:
    """Return the way from the home page to this one; empty on the home page itself."""
    if page.path == urls.HOME:
        return []
    section = urls.section(page.path)
    names = {index: name for name, index in urls.SECTIONS}
    between = [Link(names[section], section)] if section not in (None, page.path) else []
    return [Link("Home", urls.HOME), *between, Link(page.title)]


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
    they are forked. Raises what `render` raises, and EdoError where a process was killed.
    """
    number = parallel.size(len(laid_out) >= FEW, processes)
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
    yield from render(laid_out, site, shelf=store.shelf("pages"))
    for making in others:
        yield from making.make()


def _draw(
    pieces: Sequence[Piece], site: SiteInput, store: Store, numbers: Iterator[int]
) -> Iterator[list[File]]:
    """Yield the files of each piece whose number comes in."""
    waiting: list[Page] = []
    files = render(iter(lambda: waiting.pop(0), None), site, shelf=store.shelf("pages"))
    for number in numbers:
        laid_out, others = pieces[number]
        waiting.extend(laid_out)
        made = [next(files) for _ in laid_out]
        for making in others:
            made.extend(making.make())
        yield made
