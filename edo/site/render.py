"""Rendering of all pages with the templates, by several processes."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import jinja2
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from edo.core import cache, formats, parallel, urls
from edo.core.cache import NO_CACHE, Cache, Changes
from edo.core.model import Dataset, Event, Place, Player, Series, Source
from edo.core.parallel import stream_parallel
from edo.core.problems import EdoError
from edo.history.project import LICENCE, TEMPLATES
from edo.rating.edo import Ratings
from edo.site import metadata, reads
from edo.site.input import Link, Page, SiteInput, link_to, no_view
from edo.site.legend import Legend
from edo.site.metadata import NOT_LISTED, HowToCite, how_to_cite, report_link
from edo.site.pages import (
    about,
    compare,
    contest,
    data,
    event,
    events,
    home,
    lists,
    method,
    pair,
    place,
    player,
    record,
    source,
    superlatives,
    systems,
    year,
)
from edo.site.reads import Log, Reads
from edo.site.template_code import FastGenerator

SCRIPTS = tuple(map(urls.static, ("folding.js", "search.js", "tables.js", "systems.js")))
"""The scripts of every page, loaded after it is drawn; pages work without them."""

VIEWS: tuple[Callable[[SiteInput], Iterator[Page]], ...] = (
    home.pages,
    player.pages,
    year.pages,
    event.pages,
    events.pages,
    lists.pages,
    superlatives.pages,
    compare.pages,
    pair.pages,
    place.pages,
    source.pages,
    method.pages,
    contest.pages,
    record.pages,
    systems.pages,
    year.systems_pages,
    data.pages,
    about.pages,
)
"""Every kind of page, in the order in which they are made."""

FEW_PAGES = 200  # up to which one process is faster than several
_PAGES_PER_TASK = 16  # few enough that all processes end at about the same time
_ANCHORS = 1 << 15  # remembered in a process: the pages of a folder share most of theirs
_FIRST_TASKS = 10  # tasks of pages that come before other files, so that progress shows soon

_FINGERPRINT = "0dataprint00"
"""A placeholder for the fingerprint of the data, so that cached pages do not depend on it."""

File = tuple[str, bytes]
"""Path from the root of the site, and content."""


@dataclass(frozen=True, slots=True)
class AssetJob:
    """Makes files other than pages; `pages` are paths of pages that share the same work."""

    make: Callable[[], Iterator[File]]
    pages: tuple[str, ...] = ()


def all_pages(
    site: SiteInput, views: Iterable[Callable[[SiteInput], Iterator[Page]]] = VIEWS
) -> list[Page]:
    """Return every page of the site, not yet rendered.

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


def render_site(
    pages: Sequence[Page],
    site: SiteInput,
    assets: Sequence[AssetJob] = (),
    processes: int | None = None,
    finish: Callable[[File], Any] = tuple,
) -> Generator[Any, None, None]:
    """Yield path and bytes of each page and of the other files, as soon as each is made.

    With `finish`, yield what it makes of them in the process that made them. `processes` are by
    default one per processor, and one for a few pages. Whatever the pages share must be computed
    before, for the processes see the memory as it is when they start. Raises what a page raises,
    and EdoError where a process was killed.
    """
    number = parallel.worker_count(len(pages) > FEW_PAGES, processes)
    if number < 2:
        yield from map(finish, render(pages, site, site.store))
        for asset in assets:
            yield from map(finish, asset.make())
        return
    store, renderer = site.store, Renderer(site, site.store)
    store.read_all()
    tasks = [partial(_run_task, *task, renderer, store, finish) for task in _tasks(pages, assets)]
    store.take_changes(keep=True)  # so that the processes tell only what they do
    for files, cached in stream_parallel("drawing", tasks, number):
        store.apply(cached)
        yield from files


def render(pages: Iterable[Page], site: SiteInput, store: Cache = NO_CACHE) -> Iterator[File]:
    """Yield path and bytes of each page, one after the other."""
    yield from map(Renderer(site, store).render, pages)


def _tasks(
    pages: Sequence[Page], assets: Sequence[AssetJob]
) -> list[tuple[Sequence[Page], AssetJob | None]]:
    """Return the work in parts: files with the pages that share their work, and other pages."""
    with_assets = {path for asset in assets for path in asset.pages}
    rest = [page for page in pages if page.path not in with_assets]
    shared = [([page for page in pages if page.path in one.pages], one) for one in assets]
    parts: list[tuple[Sequence[Page], AssetJob | None]] = [
        (rest[k : k + _PAGES_PER_TASK], None) for k in range(0, len(rest), _PAGES_PER_TASK)
    ]
    return [*parts[:_FIRST_TASKS], *shared, *parts[_FIRST_TASKS:]]


def _run_task(
    pages: Sequence[Page],
    asset: AssetJob | None,
    renderer: Renderer,
    store: Cache,
    finish: Callable[[File], Any],
) -> Iterator[tuple[list[Any], dict[str, Changes]]]:
    """Yield the files of one part of the work, and what a worker process did with the cache."""
    yield [finish(renderer.render(page)) for page in pages], store.take_changes()
    for file in asset.make() if asset is not None else ():
        yield [finish(file)], store.take_changes()
    yield [], store.take_changes()


class Renderer:
    """Renders pages with the templates.

    A page is taken from the cache `section` where nothing that it shows has changed. The
    fingerprint changes with every input, so pages are cached with a placeholder for it.
    """

    def __init__(self, site: SiteInput, store: Cache = NO_CACHE) -> None:
        self._fingerprint = site.fingerprint.encode()
        self._section, self._reads = store.section("pages"), store.section("reads")
        # What a page is rendered with besides its view: nothing of the history.
        self._site = SiteInput(
            Dataset({}, {}, {}, {}, {}),
            Ratings({}, {}, {}, ()),
            content={},
            base_url=site.base_url,
            fingerprint=_FINGERPRINT,
            version=site.version,
            config=site.config,
            changes=tuple(replace(change, moves=()) for change in site.changes[:1]),
        )
        self._environment = template_environment(site.templates)
        self._own = site.templates[:-1]
        self._key = self._input = ""
        if self._section.enabled:
            folder = cache.digest_of_folders(*site.templates)
            self._key = cache.digest(
                folder, site.base_url, site.version, site.config, self._site.changes
            )
        if self._key and site.key:
            self._input = cache.digest(self._key, site.key)

    def render(self, page: Page) -> File:
        """Return path and bytes of a page; errors carry a note with the path.

        Raises EdoError where a template of the project's own is wrong, or names what a page lacks.
        """
        try:
            bare = self._bare(page)
            if (html := self._same(page, bare)) is None:
                log = page.log
                html = self._viewed(page, bare) if log is None else self._logged(page, bare, log)
        except Exception as error:
            if isinstance(error, jinja2.TemplateError) and (place := _line_in(self._own, error)):
                is_name = isinstance(error, jinja2.UndefinedError)
                hint = f"name only what {page.path} has" if is_name else "correct the template"
                raise EdoError(f"{place}: {error}; {hint}") from error
            error.add_note(f"while {page.path} was drawn")
            raise
        return page.path, html.replace(_FINGERPRINT.encode(), self._fingerprint)

    def _bare(self, page: Page) -> str:
        """Return the digest of all of a page but its view."""
        return cache.digest(replace(page, view=no_view, log=None)) if self._key else ""

    def _same(self, page: Page, bare: str) -> bytes | None:
        """Return a page of the same input from the cache, without making its view."""
        key = self._reads.get(self._name(bare)) if self._input else None
        found = None if key is None else self._section.get(key.decode())
        if found is None:
            return None
        self._reads.get(page.path)  # so that it is kept
        return cache.decompressed(found)

    def _name(self, bare: str) -> str:
        return cache.digest(self._input, bare)

    def _viewed(self, page: Page, bare: str) -> bytes:
        """Return a page whose key in the cache is its view, or what the view depends on."""
        if not self._section.enabled:
            return self._draw(page, page.view())
        if page.given is not None:
            return self._kept(page, bare, page.view, cache.digest(self._key, bare))
        view = page.view()
        return self._kept(page, bare, lambda: view, cache.digest(self._key, view, bare))

    def _logged(self, page: Page, bare: str, log: Log) -> bytes:
        """Return a page whose key in the cache is what its view looks up."""
        kept = self._reads.get(page.path)
        if kept is not None:
            key = self._key_of(page, bare, log, reads.unpacked(kept))
            if self._section.get(key) is not None:
                return self._kept(page, bare, page.view, key)
        log.begin()
        view = page.view()
        if not self._section.enabled:
            return self._draw(page, view)
        looked_up = log.reads()
        self._reads.put(page.path, reads.packed(looked_up))
        return self._kept(page, bare, lambda: view, self._key_of(page, bare, log, looked_up))

    def _key_of(self, page: Page, bare: str, log: Log, looked_up: Reads) -> str:
        return cache.digest(self._key, bare, log.digest_of(page.view, looked_up))

    def _kept(self, page: Page, bare: str, view: Callable[[], object], key: str) -> bytes:
        """Return a page from the cache, or drawn and put there."""
        if self._input:
            self._reads.put(self._name(bare), key.encode())
        found = self._section.get(key)
        if found is not None:
            return cache.decompressed(found)
        html = self._draw(page, view())
        self._section.put(key, cache.compressed(html))
        return html

    def _draw(self, page: Page, view: object) -> bytes:
        self._section.count_miss()
        site, contexts = self._site, self._environment.contexts
        link = _linker(page.path, site.base_url)
        name, crumbs = site.config.name, _crumbs(page)
        way = [(crumb.text, crumb.target or page.path) for crumb in crumbs]
        html = self._environment.get_template(page.template).render(
            page=page,
            view=view,
            site=site,
            page_title=name if page.path == urls.HOME else f"{page.title} · {name}",
            scripts=(*SCRIPTS, *page.scripts),
            canonical=_canonical(page.moved_to or page.path, site.base_url),
            section=urls.section(page.path),
            crumbs=crumbs,
            link=link,
            anchor_of_link=partial(anchor, link),
            legend=Legend(),
            cite=_how_to_cite(page, site),
            report=_report(page, site),
            about=metadata.json_ld([page.about, metadata.breadcrumbs(way, site.base_url)]),
            shared=metadata.open_graph(page, name, site.base_url),
        )
        while contexts:  # so that no garbage has to be looked for
            contexts.pop().vars.clear()
        return html.encode()


def _line_in(folders: Sequence[Path], error: Exception) -> str | None:
    """Return the last line of the templates in these folders that led to an error."""
    lines = traceback.extract_tb(error.__traceback__)
    own = (one for one in lines if any(Path(one.filename).is_relative_to(f) for f in folders))
    return next((f"{one.filename}:{one.lineno}" for one in reversed([*own])), None)


class _CompiledTemplates(jinja2.BytecodeCache):
    """The compiled templates of this process, which several sites may be rendered with."""

    def __init__(self) -> None:
        self._compiled: dict[tuple[str, str], bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill the bucket where its template was compiled before."""
        compiled = self._compiled.get((bucket.key, bucket.checksum))
        if compiled is not None:
            bucket.bytecode_from_string(compiled)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        self._compiled[bucket.key, bucket.checksum] = bucket.bytecode_to_string()


_COMPILED = _CompiledTemplates()


class _Template(jinja2.Template):
    """A template whose macros are made once a page, however many others import them."""

    environment: _Environment
    _made: tuple[Legend | None, Any] = None, None

    def new_context(self, *given: Any, **more: Any) -> jinja2.runtime.Context:
        """Return a context that is emptied after the page: it and its macros hold each other."""
        context = super().new_context(*given, **more)
        self.environment.contexts.append(context)
        return context

    def make_module(self, vars: Any = None, *more: Any) -> Any:
        """Return the macros for the page that has this legend."""
        if self._made[0] is not vars["legend"]:
            self._made = vars["legend"], super().make_module(vars, *more)
        return self._made[1]


class _Environment(jinja2.Environment):
    code_generator_class = FastGenerator
    template_class = _Template

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.contexts: list[jinja2.runtime.Context] = []


def template_environment(templates: Sequence[Path]) -> _Environment:
    """Return the environment of these folders; a template of the first may extend the program's.

    That is called `program/<name>`.
    """
    folders = jinja2.FileSystemLoader(templates)
    program = jinja2.PrefixLoader({"program": jinja2.FileSystemLoader(TEMPLATES)})
    environment = _Environment(
        bytecode_cache=_COMPILED,
        loader=jinja2.ChoiceLoader([folders, program]),
        autoescape=True,
        auto_reload=False,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(formats.FILTERS)
    environment.globals.update(urls=urls, licence=LICENCE)
    return environment


def _linker(page: str, base_url: str | None) -> Callable[[str], str]:
    """Return what turns a path from the root into a link on `page`."""
    if page == urls.NOT_FOUND and base_url is not None:
        # It is shown in place of any missing page, so relative links would lead astray.
        return partial(urls.absolute, base_url)
    return partial(urls.relative, page)


def anchor(
    link: Callable[[str], str],
    item: Link | Player | Event | Place | Source | Series | str | int,
    to: str | None = None,
) -> Markup:
    """Return an anchor; bare text where it leads nowhere.

    `item` is a Link, a record, which is linked to its own page, or a text or number that leads `to`
    a path from the root of the site. In Python, because most of what stands on pages are anchors;
    `link` is that of the page.
    """
    if isinstance(item, (str, int)):
        text, target = str(item), to
    else:
        one = item if isinstance(item, Link) else link_to(item)
        text, target = one.text, one.target
    return escape(text) if target is None else _anchor(link(target), text)


@lru_cache(_ANCHORS)
def _anchor(href: str, text: str) -> Markup:
    return Markup(f'<a href="{escape(href)}">{escape(text)}</a>')


def _canonical(page: str, base_url: str | None) -> str | None:
    if base_url is None or page == urls.NOT_FOUND:
        return None
    return urls.absolute(base_url, page)


def _how_to_cite(page: Page, site: SiteInput) -> HowToCite | None:
    """Return how to cite the page, None where nobody would."""
    if page.path in NOT_LISTED or page.moved_to is not None:
        return None
    return how_to_cite(site.edition, page.title, page.path, _canonical(page.path, site.base_url))


def _report(page: Page, site: SiteInput) -> str:
    """Return the link that reports an error on the page."""
    to, where = site.config.report_to, _canonical(page.path, site.base_url) or page.path
    found = report_link(to, page.title, where, site.fingerprint, site.version)
    return _linker(page.path, site.base_url)(found) if to is None else found


def _crumbs(page: Page) -> list[Link]:
    """Return the way from the home page to this one; empty on the home page itself."""
    if page.path == urls.HOME:
        return []
    section = urls.section(page.path)
    names = {index: name for name, index in urls.SECTIONS}
    between = [Link(names[section], section)] if section not in (None, page.path) else []
    return [Link("Home", urls.HOME), *between, Link(page.title)]
