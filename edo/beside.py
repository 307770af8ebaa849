"""The whole input of the site in, every file of it that is not a page out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from edo import comparefiles, feed, pages, searchfile, urls
from edo.drawing import Making
from edo.evaluation import contest_figures, tuning_figures
from edo.evaluation.contest import Contest
from edo.evaluation.tuning import Tuning
from edo.graphics import figures, pictures
from edo.rating import Ratings
from edo.store import NO_STORE, Store
from edo.tables import tablefiles
from edo.tables.tabular import History
from edo.views import data
from edo.views.site import SiteInput

File = tuple[str, bytes]

Maker = Callable[[SiteInput, Store], Iterator[File]]

FILES: tuple[tuple[tuple[str, ...], Maker], ...] = (
    (("static",), lambda site, _: pages.static_files()),
    (("",), lambda site, _: feed.files(site.imprint.name, site.changes, site.base_url)),
    (
        ("static",),
        lambda site, _: searchfile.names_file(site.dataset, site.ratings, site.content),
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
        lambda site, _: comparefiles.compare_files(site.dataset, site.ratings, site.answers),
    ),
    (("compare",), lambda site, _: comparefiles.system_files(site.ratings, site.systems)),
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
