"""The whole input of the site in, every file of it that is not a page out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from edo import (
    comparefiles,
    feed,
    figures,
    pages,
    pictures,
    searchfile,
    tablefiles,
    tuning_figures,
)
from edo.tabular import History
from edo.views import data
from edo.views.site import SiteInput

File = tuple[str, bytes]

FILES: tuple[Callable[[SiteInput], Iterator[File]], ...] = (
    lambda site: pages.static_files(),
    lambda site: feed.files(site.imprint.name, site.changes, site.base_url),
    lambda site: searchfile.names_file(site.dataset, site.ratings, site.content),
    lambda site: pictures.files(site.dataset, site.ratings, site.imprint),
    lambda site: figures.files(site.dataset, site.ratings),
    lambda site: tuning_figures.files(site.tuning),
    data.files,
    lambda site: tablefiles.table_files(History(site.dataset, site.ratings, site.answers)),
    lambda site: comparefiles.compare_files(site.dataset, site.ratings, site.answers),
)
"""Every kind of file beside the pages, in the order in which they are made."""


def files(site: SiteInput) -> Iterator[File]:
    """Yield path and bytes of each, one after the other as it is made."""
    for kind in FILES:
        yield from kind(site)
