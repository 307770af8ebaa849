"""Rendering of all pages with the templates, by several processes."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2
import jinja2.compiler
import jinja2.ext
import jinja2.runtime
from markupsafe import Markup, escape

from edo.core import formats, parallel
from edo.core.files import is_scratch
from edo.core.model import Event, Place, Player, Series, Source
from edo.core.parallel import stream_parallel
from edo.core.problems import EdoError
from edo.export.files import Edition
from edo.history.project import LICENCE, TEMPLATES, season
from edo.site import metadata, urls
from edo.site.index import Index
from edo.site.input import Link, Page, SiteInput, link_to
from edo.site.legend import Legend, drawn_game
from edo.site.metadata import NOT_LISTED, HowToCite, how_to_cite, report_link
from edo.site.pages import (
    about,
    compare,
    contest,
    data,
    disputed,
    event,
    events,
    home,
    lists,
    matches,
    method,
    pair,
    place,
    player,
    record,
    series,
    source,
    superlatives,
    systems,
    throne,
    wanted,
    year,
)
from edo.site.pages.crosstable import drawn_cells, drawn_games
from edo.site.pages.player_results import EventRow
from edo.site.pages.results import OpponentRow

SCRIPT = urls.static("page.js")
"""The script of every page, loaded after it is drawn; pages work without it."""

VIEWS: tuple[Callable[[SiteInput], Iterator[Page]], ...] = (
    home.pages,
    player.pages,
    year.pages,
    event.pages,
    events.pages,
    lists.pages,
    superlatives.pages,
    throne.pages,
    disputed.pages,
    wanted.pages,
    compare.pages,
    matches.pages,
    pair.pages,
    place.pages,
    series.pages,
    source.pages,
    method.pages,
    contest.pages,
    record.pages,
    systems.pages,
    data.pages,
    about.pages,
)
"""Every kind of page, in the order in which they are made."""

FEW_PAGES = 200  # up to which one process is faster than several
_PAGES_PER_TASK = 16  # few enough that all processes end at about the same time
_ANCHORS = 1 << 15  # remembered in a process: the pages of a folder share most of theirs
_FIRST_TASKS = 10  # tasks of pages that come before other files, so that progress shows soon

# What HTML does not ask for: end tags that the next tag implies (https://html.spec.whatwg.org/,
# section 13.1.2.4), with the line of one that stands alone, and the quotation marks around a word.
# Tags of Jinja are left as they are.
_END = "</(?:td|th|tr|thead|li|dt|dd)>"
_OPTIONAL = re.compile(
    r"(?P<jinja>\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\})"
    rf"|(?<=\n){_END}\n|{_END}"
    r"|(?P<attribute> (?:class|scope|tabindex|colspan)=)\"(?P<word>[\w-]+)\""
    r"(?=[ >]|\{% endif %\}[ >])",
    re.DOTALL,
)
_PLAIN = re.compile(r"[A-Za-z0-9#./_-]+")
"""Addresses that need no quotation marks."""
_SPECIAL = re.compile(r"""[&<>'"]""")

_OF_YEAR = re.compile(r"^years/|#[ey][0-9]+$")
"""Addresses of the page of a year, and of the events and the rating of a year."""

File = tuple[str, bytes]
"""Path from the root of the site, and content."""


@dataclass(frozen=True, slots=True)
class AssetJob:
    """Makes files other than pages; `pages` are paths of pages that share the same work.

    These are drawn before, and handed to `make`.
    """

    make: Callable[[Sequence[File]], Iterator[File]]
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
    renderer = Renderer(site, reloads=number < 2)
    tasks = [partial(_run_task, *task, renderer, finish) for task in _tasks(pages, assets)]
    for files in stream_parallel("drawing", tasks, number):
        yield from files


def render(pages: Iterable[Page], site: SiteInput) -> Iterator[File]:
    """Yield path and bytes of each page, one after the other."""
    yield from map(Renderer(site).render, pages)


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
    finish: Callable[[File], Any],
) -> Iterator[list[Any]]:
    """Yield the files of one part of the work."""
    drawn = list(map(renderer.render, pages))
    yield list(map(finish, drawn))
    for file in asset.make(drawn) if asset is not None else ():
        yield [finish(file)]


class ShortHtml(jinja2.ext.Extension):
    """Leaves optional end tags and quotation marks out of templates when they are read.

    Pages are a tenth smaller by it, and rendering costs nothing more.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the source of a template without them."""
        return _OPTIONAL.sub(_shorter, source)


def _shorter(found: re.Match[str]) -> str:
    """Return what stays of a tag of Jinja, an optional end tag or a quoted word."""
    return found["jinja"] or (found["attribute"] or "") + (found["word"] or "")


class Context(jinja2.runtime.Context):
    """What templates see; functions and macros are called straight away.

    Jinja looks up of everything that is called whether it wants the context or the environment.
    Functions that do are marked, and macros never do: drawing takes a fifth less.
    """

    def call(__self, __called: Callable[..., Any], *args: Any, **named: Any) -> Any:
        """Return what a macro or a function gives for these arguments."""
        if hasattr(__called, "jinja_pass_arg"):
            return super().call(__called, *args, **named)
        named.pop("_loop_vars", None)  # of these jinja makes a context for functions that want it
        named.pop("_block_vars", None)
        return __called(*args, **named)


def printed(value: Any) -> str:
    """Return a value as it stands in HTML."""
    kind = type(value)
    is_plain = kind is Markup or (kind is str and _SPECIAL.search(value) is None)
    return value if is_plain else str(value) if kind is int else escape(value)


class CodeGenerator(jinja2.compiler.CodeGenerator):
    """Has values printed by `printed`; jinja makes a Markup of each, only to join them.

    Drawing takes a tenth less. If jinja ever calls this method no more, pages stay the same.
    """

    def _output_child_pre(self, node: Any, frame: Any, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile and finalize.src is None:
            self.write("environment.printed(")
        else:
            super()._output_child_pre(node, frame, finalize)


class Renderer:
    """Renders pages of a site with the templates; if it `reloads`, these may change meanwhile."""

    def __init__(self, site: SiteInput, reloads: bool = True) -> None:
        self._site, self._edition = site, site.edition
        environment = template_environment(site.templates)
        self._environment = environment if reloads else environment.overlay(auto_reload=False)
        self._own = site.templates[:-1]
        self._frames: dict[str, dict[str, Markup]] = {}

    def render(self, page: Page) -> File:
        """Return path and bytes of a page; errors carry a note with the path.

        Raises EdoError where a template of the project's own is wrong, or names what a page lacks.
        """
        try:
            return page.path, self._html(page).encode()
        except Exception as error:
            if isinstance(error, jinja2.TemplateError) and (place := _line_in(self._own, error)):
                is_name = isinstance(error, jinja2.UndefinedError)
                hint = f"name only what {page.path} has" if is_name else "correct the template"
                raise EdoError(f"{place}: {error}; {hint}") from error
            error.add_note(f"while {page.path} was drawn")
            raise

    def _html(self, page: Page) -> str:
        site, view = self._site, page.view()
        link = _linker(page.path, site.base_url)
        name, way = site.config.name, [(one.text, one.target or page.path) for one in _way(page)]
        return self._environment.get_template(page.template).render(
            page=page,
            # An attribute is found at once; of a dict, jinja asks for its keys second.
            view=SimpleNamespace(**view) if isinstance(view, Mapping) else view,
            site=site,
            page_title=name if page.path == urls.HOME else f"{page.title} · {name}",
            scripts=(SCRIPT, *page.scripts),
            canonical=_canonical(page.moved_to or page.path, site.base_url),
            link=link,
            anchor_of_link=partial(anchor if not site.config.seasons else _of_seasons, link),
            anchor_of_player=partial(_anchor_of_player, link, site.index),
            opponents=partial(_opponents, link, site.index),
            legend=Legend(),
            cite=_how_to_cite(page, site, self._edition),
            report=_report(page, site, self._edition),
            about=metadata.json_ld([page.about, metadata.breadcrumbs(way, site.base_url)]),
            shared=metadata.open_graph(page, name, site.base_url),
            **self._frame(page, link),
        )

    def _frame(self, page: Page, link: Callable[[str], str]) -> dict[str, Markup]:
        """Return the head and the foot that all pages of a folder share, drawn once for them."""
        section, folder = urls.section(page.path), page.path.rpartition("/")[0]
        key = page.path if not folder or page.path == section else folder
        if key not in self._frames:
            self._frames[key] = {
                name: Markup(
                    self._environment.get_template(f"{name}.html")
                    .render(page=page, site=self._site, link=link, section=section)
                    .strip()
                )
                for name in ("masthead", "colophon")
            }
        return self._frames[key]


def _line_in(folders: Sequence[Path], error: Exception) -> str | None:
    """Return the last line of the templates in these folders that led to an error."""
    lines = traceback.extract_tb(error.__traceback__)
    own = (one for one in lines if any(Path(one.filename).is_relative_to(f) for f in folders))
    return next((f"{one.filename}:{one.lineno}" for one in reversed([*own])), None)


class _Environment(jinja2.Environment):
    context_class = Context
    code_generator_class = CodeGenerator
    printed = staticmethod(printed)


class _Folders(jinja2.FileSystemLoader):
    """Loads templates, but none that a build would not notice when it changes."""

    def get_source(
        self, environment: jinja2.Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        """Return the source of a template; raises TemplateNotFound also for a scratch file."""
        if any(map(is_scratch, template.split("/"))):
            raise jinja2.TemplateNotFound(template)
        return super().get_source(environment, template)


@cache
def template_environment(templates: tuple[Path, ...]) -> jinja2.Environment:
    """Return the environment of these folders; a template of the first may extend the program's.

    That is called `program/<name>`. Templates that change are read again.
    """
    folders = _Folders(templates)
    program = jinja2.PrefixLoader({"program": _Folders(TEMPLATES)})
    environment = _Environment(
        loader=jinja2.ChoiceLoader([folders, program]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        extensions=[ShortHtml],
    )
    environment.filters.update(formats.FILTERS)
    environment.globals.update(
        urls=urls,
        licence=LICENCE,
        drawn_game=drawn_game,
        drawn_games=drawn_games,
        drawn_cells=drawn_cells,
    )
    return environment


def _linker(page: str, base_url: str | None) -> Callable[[str], str]:
    """Return what turns a path from the root into a link on `page`."""
    if page == urls.NOT_FOUND and base_url is not None:
        # It is shown in place of any missing page, so relative links would lead astray.
        return partial(urls.absolute, base_url)
    return urls.linker(page)


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


def _of_seasons(
    link: Callable[[str], str],
    item: Link | Player | Event | Place | Source | Series | str | int,
    to: str | None = None,
) -> Markup:
    """Return an anchor where years are seasons: a year is named so that leads to what is of it."""
    text, target = (item.text, item.target) if isinstance(item, Link) else (str(item), to)
    if target is not None and text.isdecimal() and _OF_YEAR.search(target):
        return anchor(link, season(int(text)), target)
    return anchor(link, item, to)


def _anchor_of_player(
    link: Callable[[str], str], index: Index, player: str, fragment: str = ""
) -> Markup:
    """Return an anchor to the page of a player by id, or to a place on it."""
    return _anchor(link(urls.player(player) + fragment), index.player(player).shown_name)


def _opponents(
    link: Callable[[str], str],
    index: Index,
    event: EventRow,
    games: Callable[[OpponentRow], str],
) -> Markup:
    """Return a player's opponents in an event with the results; `games` draws what is not plain.

    In Python, because there are more of them than of anything else.
    """
    drawn: list[str] = []
    rival = "" if event.rival is None else f", {event.rival}:"
    for row in event.opponents:
        if row.is_again:
            drawn.append(", ")
        else:
            player = _anchor(link(urls.player(row.player)), index.short_names[row.player])
            drawn.append(f"{' · ' if drawn else ''}{player}{rival} ")
        drawn.append(escape(row.result) if row.is_plain else games(row))
    return Markup("".join(drawn))


@lru_cache(_ANCHORS)
def _anchor(href: str, text: str) -> Markup:
    address = href if _PLAIN.fullmatch(href) else f'"{escape(href)}"'
    return Markup(f"<a href={address}>{escape(text)}</a>")


def _canonical(page: str, base_url: str | None) -> str | None:
    if base_url is None or page == urls.NOT_FOUND:
        return None
    return urls.absolute(base_url, page)


def _how_to_cite(page: Page, site: SiteInput, edition: Edition) -> HowToCite | None:
    """Return how to cite the page, None where nobody would."""
    if page.path in NOT_LISTED or page.moved_to is not None:
        return None
    return how_to_cite(edition, page.title, page.path, _canonical(page.path, site.base_url))


def _report(page: Page, site: SiteInput, edition: Edition) -> str:
    """Return the link that reports an error on the page."""
    to, where = site.config.errors_to, _canonical(page.path, site.base_url) or page.path
    found = report_link(to, page.title, where, edition)
    return _linker(page.path, site.base_url)(found) if to is None else found


def _way(page: Page) -> list[Link]:
    """Return the way from the home page to this one; empty on the home page itself."""
    if page.path == urls.HOME:
        return []
    section = urls.section(page.path)
    names = {index: name for name, index in urls.SECTIONS}
    between = [Link(names[section], section)] if section not in (None, page.path) else []
    return [Link("Home", urls.HOME), *between, Link(page.title)]
