"""The whole input of the site in, every page as path and bytes out; the door to the templates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import jinja2

from edo import urls
from edo.errors import EdoError
from edo.views import data, event, home, lists, method, place, player, search, source, year
from edo.views.site import Link, Page, SiteInput

LICENCE = "GPL-3.0-or-later"
TEMPLATES = Path(__file__).parent.parent / "templates"
SCRIPTS = (urls.static("search.js"), urls.static("tables.js"))
"""What every page loads, after it is drawn: each works on pages without its parts too."""

VIEWS: tuple[Callable[[SiteInput], Iterator[Page]], ...] = (
    home.pages,
    player.pages,
    year.pages,
    event.pages,
    lists.pages,
    place.pages,
    source.pages,
    method.pages,
    data.pages,
    search.pages,
)
"""Every kind of page, in the order in which they are made."""


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
    pages: Iterable[Page], site: SiteInput, templates: Path = TEMPLATES
) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of each page, one after the other as it is drawn."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    house = House(site.imprint.name, site.imprint.motto, LICENCE, site.version, site.fingerprint)
    for page in pages:
        html = environment.get_template(page.template).render(
            page=page,
            view=page.view,
            site=house,
            page_title=_title(page, site.imprint.name),
            scripts=(*SCRIPTS, *page.scripts),
            canonical=_canonical(page.path, site.base_url),
            sections=_sections(page.path),
            crumbs=_crumbs(page),
            link=_linker(page.path, site.base_url),
        )
        yield page.path, html.encode()


def read_content(folder: Path) -> dict[str, str]:
    """Return the texts of `content/` by slug; raises EdoError where one cannot be read."""
    texts = {}
    for path in sorted(folder.glob("*.md")):
        try:
            texts[path.stem] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise EdoError(f"{path}: the text is not UTF-8; save the file as UTF-8") from error
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
        return partial(_absolute, base_url)
    return partial(urls.relative, page)


def _absolute(base_url: str, path: str) -> str:
    return f"{base_url.rstrip('/')}/{path}"


def _canonical(page: str, base_url: str | None) -> str | None:
    if base_url is None or page == urls.NOT_FOUND:
        return None
    return _absolute(base_url, "" if page == urls.HOME else page)


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
