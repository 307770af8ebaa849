"""Files of the site other than pages: scripts, styles, pictures, data and search names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from edo.core.files import input_files, ordinary
from edo.history.project import TEMPLATES
from edo.site import compare_data, metadata, search_data, systems_data, time_data, urls
from edo.site.charts import evaluation_figures, figures, share_image
from edo.site.input import SiteInput
from edo.site.pages import data, events, lists, long_lists
from edo.site.render import AssetJob, File, render
from edo.systems.evaluation import contest, tuning

Maker = Callable[[SiteInput], Iterator[File]]


def static_files(folders: Sequence[Path] = (TEMPLATES,)) -> Iterator[File]:
    """Yield path and bytes of the templates' own files.

    Of files with the same name in several folders of templates the first is taken.
    Raises EdoError where one of them is not an ordinary file.
    """
    found: dict[Path, Path] = {}
    for folder in (one / "static" for one in reversed(folders)):
        found |= {one.relative_to(folder): one for one in input_files(folder)}
    for name, path in sorted(found.items()):
        yield urls.static(*name.parts), ordinary(path).read_bytes()


def copies(site: SiteInput) -> dict[str, Path]:
    """Return the files of the project's folder `static/` by their paths from the root of the site.

    Raises EdoError where one of them is not an ordinary file.
    """
    folder = None if site.project is None else site.project.static
    paths = () if folder is None else input_files(folder)
    found = {path.relative_to(folder).as_posix(): path for path in sorted(paths) if folder}
    return {name: ordinary(path) for name, path in found.items()}


def _figures(site: SiteInput) -> Iterator[File]:
    """Yield the figures of the history, and those of measurements as they are stored."""
    yield from figures.files(site)
    measurements = {tuning.FILE: site.tuning, contest.FILE: site.contest}
    for file, measurement in measurements.items():
        if measurement is not None and site.project is not None:
            for path, stored in evaluation_figures.stored(site.project.content, file):
                yield path, ordinary(stored).read_bytes()


def _rows(site: SiteInput) -> Iterator[File]:
    """Yield the script with the rows of each part of the lists that are cut into pages."""
    lists_of = (lists.players_pages(site), events.pages(site))
    parts = [page for pages in lists_of for page in islice(pages, 1, None)]
    for path, html in render(parts, site):
        yield long_lists.script_of(path, html.decode())


ASSETS: tuple[tuple[tuple[str, ...], Maker], ...] = (
    (("static", "static/fonts"), lambda site: static_files(site.templates)),
    (
        ("",),
        lambda site: metadata.feed(site.config.name, site.changes, site.base_url, site.config.lang),
    ),
    (("static",), search_data.names_files),
    (("static",), time_data.time_files),
    (
        ("pictures",),
        lambda site: share_image.files(site.dataset, site.ratings, site.config),
    ),
    (("figures",), _figures),
    (("data",), data.files),
    (("players", "events"), _rows),
    (("systems",), systems_data.system_files),
    (("compare",), compare_data.compare_files),
)
"""Every kind of file other than pages: the folders of the site that it is in, and its maker."""


def asset_jobs(site: SiteInput) -> list[AssetJob]:
    """Return a job for each kind of file."""
    return [
        AssetJob(partial(make, site), (urls.DATA,) if "data" in folders else ())
        for folders, make in ASSETS
    ]


def files_in(folder: str, site: SiteInput) -> Iterator[File]:
    """Yield path and bytes of each file in a folder of the site, without making the others."""
    for folders, make in ASSETS:
        if folder in folders:
            yield from make(site)
