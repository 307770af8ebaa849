"""What the contest of the rating systems found in, its page out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from edo.core import urls
from edo.core.problems import EdoError
from edo.site import markup
from edo.site.charts import contest_figures
from edo.site.charts.figures import Drawing
from edo.site.input import Link, Page, SiteInput
from edo.site.pages.content_values import text_of
from edo.site.pages.contest_values import ContestValues, contest_values
from edo.site.pages.method import Article, parts, split
from edo.systems.entries import SYSTEMS
from edo.systems.evaluation.contest import fingerprint_of
from edo.systems.games import games_of

SLUG = "contest"


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the page of the contest."""
    title, lead, body = split(text_of(site, SLUG), SLUG)
    view = partial(contest_view, site, title, lead, body)
    yield Page(urls.CONTEST, "method.html", view, title, lead)


def contest_view(site: SiteInput, title: str, lead: str, body: str) -> Article:
    """Return the text on the contest, filled with what it found."""
    text = markup.filled(body, {"contest": _values(site)}, SLUG)
    html = markup.article(text, urls.CONTEST)
    systems = Link("All rating systems", urls.SYSTEMS)
    return Article(title, lead, tuple(parts(html, partial(_drawing, site))), systems, None)


def _values(site: SiteInput) -> ContestValues | None:
    if site.contest is None:
        return None
    now = fingerprint_of(games_of(site.dataset), SYSTEMS)
    return contest_values(site.contest, now, {system.slug for system in SYSTEMS})


def _drawing(site: SiteInput, name: str) -> Drawing:
    if site.contest is None or name not in contest_figures.FIGURES:
        where = "edo/site/charts/contest_figures.py"
        raise EdoError(f"content/{SLUG}.md: there is no figure {name!r} in {where}")
    return contest_figures.drawing(name, site.contest)
