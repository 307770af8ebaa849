"""The paths of all pages in, the list of them for search engines out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape

from edo import urls

SITEMAP = "sitemap.xml"
ROBOTS = "robots.txt"
NOT_LISTED = frozenset({urls.NOT_FOUND, urls.SEARCH, urls.REPORT})
"""Pages that hold nothing of their own to find."""


def files(paths: Iterable[str], base_url: str | None) -> Iterator[tuple[str, bytes]]:
    """Yield the sitemap and the file by which it is found; neither without an address.

    Crawlers look for `robots.txt` at the root of a host only: a site in a folder has to have its
    sitemap named there, or be told to them otherwise.

    Source: https://www.sitemaps.org/protocol.html (addresses must be absolute).
    """
    if base_url is None:
        return
    listed = [path for path in paths if path not in NOT_LISTED]
    rows = (f"<url><loc>{escape(urls.absolute(base_url, path))}</loc></url>" for path in listed)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    opening = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    yield SITEMAP, (head + "\n".join([opening, *rows, "</urlset>", ""])).encode()
    sitemap = urls.absolute(base_url, SITEMAP)
    yield ROBOTS, f"User-agent: *\nDisallow:\n\nSitemap: {sitemap}\n".encode()
