"""The pages on the method: the texts of `content/`, filled with the numbers of this build."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypedDict

from markupsafe import Markup

from edo.core.problems import EdoError
from edo.site import markup, placeholders, urls
from edo.site.charts import figures
from edo.site.charts.drawing import Drawing
from edo.site.input import Link, Page, SiteInput, neighbours
from edo.site.pages.content_values import content_values
from edo.site.pages.measurements import (
    EffectValues,
    TuningValues,
    effect_values,
    tuning_values,
)  # fmt: skip

ORDER = (
    *("about", "ratings", "what-enters", "odds", "unrated", "deviations", "evidence"),
    *("adjustment", "expected-scores", "joint", "choosing", "consistency", "age", "limits"),
    *("reading", "marks", "editing", "fields", "publishing"),
)
"""The texts in reading order."""

"""The text whose table is that of the effects."""

RECORD = "record"
"""The text of the page on the record."""

SYSTEMS_TITLE = "Rating systems"
SYSTEMS_LEAD = (
    "The same history rated by other systems as well: what each assumes, who leads under it, and "
    "where it disagrees with Edo."
)

# A paragraph `FIGURE name: caption` in a text is replaced by the figure.
_FIGURE = re.compile(r"<p>FIGURE ([a-z-]+): (.*?)</p>", re.DOTALL)


class MethodValues(TypedDict):
    """What the texts on the method may name as well; None where nothing is known."""

    tuning: TuningValues | None
    effects: EffectValues | None


def method_values(site: SiteInput) -> MethodValues:
    """Return what was measured, for the texts on the method."""
    return {"tuning": tuning_values(site), "effects": effect_values(site)}


@dataclass(frozen=True, slots=True)
class Part:
    """Some text, or a figure with its caption as the text."""

    html: Markup
    drawing: Drawing | None = None


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of the articles and each article."""
    values = {**content_values(site), **method_values(site)}
    texts = [placeholders.filled(site.content[slug], values, slug) for slug in ORDER]
    heads = [markup.split(text, slug) for slug, text in zip(ORDER, texts, strict=True)]
    links = [Link(head[0], urls.method(slug)) for slug, head in zip(ORDER, heads, strict=True)]
    articles = [(link, head[1]) for link, head in zip(links, heads, strict=True)]
    articles.append((Link(SYSTEMS_TITLE, urls.SYSTEMS), SYSTEMS_LEAD))
    record = markup.split(placeholders.filled(site.content[RECORD], values, RECORD), RECORD)
    articles.append((Link(record[0], urls.RECORD), record[1]))
    yield Page(
        path=urls.METHOD,
        template="method_index.html",
        view=lambda: {"articles": articles},
        title="Method",
        description="How the ratings are computed, what they include and how far to trust them.",
    )
    for slug, head, adjacent in zip(ORDER, heads, neighbours(links), strict=True):
        title, lead, body = head
        page = urls.method(slug)
        view = partial(article, page, lead, body, partial(drawing_of, slug, site), adjacent)
        yield Page(page, "method.html", view, title, lead)


def article(
    page: str,
    lead: str,
    body: str,
    drawing: Callable[[str], Drawing],
    adjacent: tuple[Link | None, Link | None],
) -> Mapping[str, object]:
    """Return a text on the method; `lead`, its first paragraph, is a plain summary."""
    parts = list(_parts(markup.article(body, page), drawing))
    return {"lead": lead, "parts": parts, "before": adjacent[0], "after": adjacent[1]}


def figures_in(text: str) -> list[str]:
    """Return the names of the figures that a text shows."""
    html = markup.article(text, urls.METHOD) if "FIGURE" in text else ""
    return [name for name, _ in _FIGURE.findall(html)]


def _parts(html: Markup, drawing: Callable[[str], Drawing]) -> Iterator[Part]:
    """Yield the pieces of text and the figures between them, in order."""
    pieces = _FIGURE.split(html)
    yield Part(Markup(pieces[0]))
    for name, caption, text in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        yield Part(Markup(caption), drawing(name))
        yield Part(Markup(text))


def drawing_of(slug: str, site: SiteInput, name: str) -> Drawing:
    """Return the figure of this name for a text; raises EdoError where there is none to show."""
    drawing = figures.drawing(name, site)
    if drawing is None:
        known = ", ".join(figures.FIGURES)
        raise EdoError(f"content/{slug}.md: there is no figure {name!r} to show; there are {known}")
    return drawing
