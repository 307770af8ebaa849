"""The whole input of the site in, the page on how to report an error out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from edo.core import urls
from edo.site.input import Page, SiteInput
from edo.site.metadata import report_link


@dataclass(frozen=True, slots=True)
class ReportView:
    """How to report an error; `address` leads to whoever takes reports, None where nobody does."""

    address: str | None
    data: str
    version: str


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page on how to report an error."""
    to, data, version = site.config.report_to, site.fingerprint, site.version
    title = "Report an error"
    yield Page(
        path=urls.REPORT,
        template="report.html",
        view=partial(
            ReportView,
            None if to is None else report_link(to, title, urls.REPORT, data, version),
            data,
            version,
        ),
        title=title,
        description="What to write about a wrong number, name or source, and to whom.",
        scripts=(urls.static("report.js"),),
    )
