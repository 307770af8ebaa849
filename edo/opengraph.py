"""A page and the site in, what is shown of it where its address is shared out, as OpenGraph.

Source: https://ogp.me/ (addresses must be absolute, so they stand only where the site's is known).
"""

from __future__ import annotations

from collections.abc import Iterator

from edo import urls
from edo.graphics import sheet
from edo.views.site import Page, SiteInput


def properties(page: Page, site: SiteInput) -> Iterator[tuple[str, str]]:
    """Yield each property and its content."""
    is_player = urls.section(page.path) == urls.PLAYERS != page.path
    yield "og:title", site.imprint.name if page.path == urls.HOME else page.title
    yield "og:description", page.description
    yield "og:type", "profile" if is_player else "website"
    yield "og:site_name", site.imprint.name
    if site.base_url is not None:
        yield from _addresses(page, site.base_url)


def _addresses(page: Page, base_url: str) -> Iterator[tuple[str, str]]:
    picture = page.picture or urls.SITE_PICTURE
    yield "og:url", urls.absolute(base_url, page.moved_to or page.path)
    yield "og:image", urls.absolute(base_url, picture)
    yield "og:image:type", "image/png"
    yield "og:image:width", str(sheet.WIDTH)
    yield "og:image:height", str(sheet.HEIGHT)
    of_all = "The rating curves of the leading players"
    yield "og:image:alt", of_all if page.picture is None else f"The rating curve of {page.title}"
