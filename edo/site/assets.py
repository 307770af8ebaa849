"""Files of the site other than pages: scripts, styles, pictures, data and search names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from edo.core.files import input_files, ordinary
from edo.history.project import TEMPLATES
from edo.site import compare_data, metadata, search_data, time_data, urls
from edo.site.charts import evaluation_figures, figures, share_image
from edo.site.input import Page, SiteInput
from edo.site.pages import data, events, lists, long_lists
from edo.site.render import SCRIPT, AssetJob, File, render
from edo.systems.evaluation import contest, tuning

LazyFile = tuple[str, Callable[[], bytes]]
"""Path from the root of the site, and the function that makes the content.

Listing the files is quick, because no content is made for it.
"""

Lister = Callable[[SiteInput], Iterator[LazyFile]]


def _ready(files: Iterable[File]) -> Iterator[LazyFile]:
    """Yield files whose content is made already."""
    for path, content in files:
        yield path, partial(bytes, content)


OF_EVERY_PAGE = ("dom.js", "folding.js", "search.js", "tables.js")
"""The scripts that are one file, so that a page asks for one; each needs those before it."""


def static_files(folders: Sequence[Path] = (TEMPLATES,)) -> Iterator[LazyFile]:
    """Yield the templates' own files.

    Of files with the same name in several folders of templates the first is taken. Making one
    raises EdoError where it is not an ordinary file, ValueError where its name is not allowed.
    """
    found: dict[Path, Path] = {}
    for folder in (one / "static" for one in reversed(folders)):
        found |= {one.relative_to(folder): one for one in input_files(folder)}
    together = [found.pop(Path(name)) for name in OF_EVERY_PAGE if Path(name) in found]
    if together:
        yield SCRIPT, partial(_together, together)
    for name, path in sorted(found.items()):
        yield f"static/{name.as_posix()}", partial(_static, name, path)


def _together(paths: Sequence[Path]) -> bytes:
    return b"\n".join(ordinary(path).read_bytes() for path in paths)


# The chessboard below headings, of other games a line.
_NO_BOARD = """\
:root {
  --chequer: linear-gradient(var(--rule-strong) 0 0) center / 100% 2px no-repeat;
}
"""
_LOGO = ".site-name img { height: 1.4em; vertical-align: middle; }\n"
_ACCENT = """\
:root {{ --accent: {0}; --accent-hover: {0}; --curve: {0};
  --band: color-mix(in srgb, {0} 55%, white); }}
@media (prefers-color-scheme: dark) {{
  :root {{ --accent: {1}; --accent-hover: {1}; --curve: {1};
    --band: color-mix(in srgb, {0} 75%, white); }}
}}
"""


def _of_project(site: SiteInput) -> Iterator[LazyFile]:
    """Yield the templates' own files, the style with what `site.yaml` says of it."""
    config = site.config
    more = "" if config.is_chess else _NO_BOARD
    more += "" if config.logo is None else _LOGO
    if config.accent is not None:
        more += _ACCENT.format(config.accent, f"color-mix(in srgb, {config.accent} 35%, white)")
    for path, make in static_files(site.templates):
        yield path, partial(_styled, make, more) if path == urls.STYLE and more else make


def _styled(make: Callable[[], bytes], more: str) -> bytes:
    return make() + more.encode()


def _static(name: Path, path: Path) -> bytes:
    urls.static(*name.parts)
    return ordinary(path).read_bytes()


def copies(site: SiteInput) -> dict[str, Path]:
    """Return the files of the project's folder `static/` by their paths from the root of the site.

    Raises EdoError where one of them is not an ordinary file.
    """
    folder = None if site.project is None else site.project.static
    paths = () if folder is None else input_files(folder)
    found = {path.relative_to(folder).as_posix(): path for path in sorted(paths) if folder}
    return {name: ordinary(path) for name, path in found.items()}


def _figures(site: SiteInput) -> Iterator[LazyFile]:
    """Yield the figures of the history, and those of measurements as they are stored."""
    yield from figures.files(site)
    measurements = {tuning.FILE: site.tuning, contest.FILE: site.contest}
    for file, measurement in measurements.items():
        if measurement is not None and site.project is not None:
            for path, stored in evaluation_figures.stored(site.project.content, file):
                yield path, partial(_stored, stored)


def _stored(path: Path) -> bytes:
    return ordinary(path).read_bytes()


def _rows(site: SiteInput) -> Iterator[LazyFile]:
    """Yield the script with the rows of each part of the lists that are cut into pages."""
    for page in _parts(site):
        yield long_lists.script_path(page.path), partial(_rows_of, page, site)


def _parts(site: SiteInput) -> Iterator[Page]:
    for pages in (lists.players_pages(site), events.pages(site)):
        yield from islice(pages, 1, None)


def _rows_of(page: Page, site: SiteInput) -> bytes:
    [(_, content)] = _rows_in(render([page], site))
    return content


def _rows_in(parts: Iterable[File]) -> Iterator[File]:
    """Yield the scripts with the rows of these pages."""
    for path, html in parts:
        yield long_lists.script_path(path), long_lists.script_of(path, html.decode())


def _feed(site: SiteInput) -> Iterator[File]:
    return metadata.feed(site.config.name, site.changes, site.base_url, site.config.lang)


def _at_once(make: Callable[[SiteInput], Iterator[File]]) -> Lister:
    """Return a lister of files that are quick to make, and are made when they are listed."""
    return lambda site: _ready(make(site))


ASSETS: tuple[tuple[tuple[str, ...], Lister], ...] = (
    (("static", "static/fonts"), _of_project),
    (("",), _at_once(_feed)),
    (("static",), _at_once(search_data.names_files)),
    (("static",), _at_once(time_data.time_files)),
    (
        ("pictures",),
        lambda site: share_image.files(site.dataset, site.ratings, site.config),
    ),
    (("figures",), _figures),
    (("data",), data.files),
    (("players", "events"), _rows),
    (("compare",), _at_once(compare_data.compare_files)),
)
"""Every kind of file other than pages: the folders of the site that it is in, and its list."""


def asset_jobs(site: SiteInput) -> list[AssetJob]:
    """Return a job for each kind of file."""
    parts = tuple(page.path for page in _parts(site))
    jobs = [
        AssetJob(partial(_made, listed, site), (urls.DATA,) if "data" in folders else ())
        for folders, listed in ASSETS
        if listed is not _rows
    ]
    return [*jobs, AssetJob(_rows_in, parts)]


def _made(listed: Lister, site: SiteInput, _: object) -> Iterator[File]:
    for path, make in listed(site):
        yield path, make()


def files_in(folder: str, site: SiteInput) -> Iterator[LazyFile]:
    """Yield the files in a folder of the site, with others of their kinds."""
    for folders, listed in ASSETS:
        if any(folder == one or (one and folder.startswith(f"{one}/")) for one in folders):
            yield from listed(site)
