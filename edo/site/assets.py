"""The whole input of the site in, every file of it that is not a page out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from edo.core import urls
from edo.core.cache import NO_STORE, Store
from edo.export import tablefiles
from edo.export.tabular import History
from edo.rating.edo import Ratings
from edo.site import compare_data, metadata, render, search_data
from edo.site.charts import contest_figures, figures, pictures, tuning_figures
from edo.site.input import SiteInput
from edo.site.pages import data
from edo.site.render import Making
from edo.systems.evaluation.contest import Contest
from edo.systems.evaluation.tuning import Tuning

File = tuple[str, bytes]

Maker = Callable[[SiteInput, Store], Iterator[File]]

FILES: tuple[tuple[tuple[str, ...], Maker], ...] = (
    (("static",), lambda site, _: render.static_files()),
    (("",), lambda site, _: metadata.feed_files(site.imprint.name, site.changes, site.base_url)),
    (
        ("static",),
        lambda site, _: search_data.names_file(site.dataset, site.ratings, site.content),
    ),
    (
        ("pictures",),
        lambda site, store: pictures.files(
            site.dataset, site.ratings, site.imprint, store.shelf("pictures")
        ),
    ),
    (
        ("figures",),
        lambda site, store: iter(store.shelf("figures").of(_figures, site.ratings)),
    ),
    (
        ("figures",),
        lambda site, store: iter(store.shelf("figures").of(_tuning_figures, site.tuning)),
    ),
    (
        ("figures",),
        lambda site, store: iter(store.shelf("figures").of(_contest_figures, site.contest)),
    ),
    (("data",), lambda site, _: data.files(site)),
    (
        ("players", "years", "events"),
        lambda site, _: tablefiles.table_files(History(site.dataset, site.ratings, site.answers)),
    ),
    (
        ("compare",),
        lambda site, _: compare_data.compare_files(site.dataset, site.ratings, site.answers),
    ),
    (("compare",), lambda site, _: compare_data.system_files(site.ratings, site.systems)),
)
"""Every kind of file beside the pages, in the order of making: its folders, and what makes it."""


def makings(site: SiteInput, store: Store = NO_STORE) -> list[Making]:
    """Return how each kind is made; what takes long and was made before is in the store."""
    return [
        Making(partial(make, site, store), (urls.DATA,) if "data" in folders else ())
        for folders, make in FILES
    ]


def files_in(folder: str, site: SiteInput, store: Store = NO_STORE) -> Iterator[File]:
    """Yield path and bytes of each file of a folder of the site, without making the others."""
    for folders, make in FILES:
        if folder in folders:
            yield from make(site, store)


def _figures(ratings: Ratings) -> list[File]:
    return list(figures.files(ratings))


def _tuning_figures(tuning: Tuning | None) -> list[File]:
    return list(tuning_figures.files(tuning))


def _contest_figures(contest: Contest | None) -> list[File]:
    return list(contest_figures.files(contest))
