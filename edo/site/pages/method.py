"""The pages on the method: the texts of `content/`, filled with the numbers of this build."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypedDict

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
    *("adjustment", "expected-scores", "joint", "consistency", "age", "limits"),
    *("reading", "marks"),
)
"""The texts in reading order."""

FOR_EDITORS = ("editing", "fields", "publishing", "choosing")
"""The texts for those who keep the record and publish it, apart from those for readers."""

EDITORS_LISTS = (
    (Link("Unlikely results", urls.SUSPECTS), "Which scores to check first, and possible causes."),
    (
        Link("Rated only through one event", urls.BRIDGES),
        "Players and groups who could not be rated without a single event.",
    ),
)
"""The lists for them."""

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
    readers, editors = _texts(ORDER, site, values), _texts(FOR_EDITORS, site, values)
    articles = [(text.link, markup.inline(text.lead, urls.METHOD)) for text in readers]
    articles.append((Link(SYSTEMS_TITLE, urls.SYSTEMS), Markup(SYSTEMS_LEAD)))
    record = markup.split(placeholders.filled(site.content[RECORD], values, RECORD), RECORD)
    articles.append((Link(record[0], urls.RECORD), markup.inline(record[1], urls.METHOD)))
    yield Page(
        path=urls.METHOD,
        template="method_index.html",
        view=lambda: {
            "articles": articles,
            "for_editors": [
                *((text.link, markup.inline(text.lead, urls.METHOD)) for text in editors),
                *EDITORS_LISTS,
            ],
        },
        title="Method",
        description="How the ratings are computed, what they include and how far to trust them.",
    )
    for texts in (readers, editors):
        around = neighbours([text.link for text in texts])
        for (slug, link, lead, body), adjacent in zip(texts, around, strict=True):
            page = urls.method(slug)
            view = partial(article, page, lead, body, partial(drawing_of, slug, site), adjacent)
            yield Page(page, "method.html", view, link.text, markup.plain(lead))


class Text(NamedTuple):
    """A text on the method: its first paragraph is a summary."""

    slug: str
    link: Link
    lead: str
    body: str


def _texts(slugs: Sequence[str], site: SiteInput, values: Mapping[str, object]) -> list[Text]:
    """Return the texts, filled with the numbers of this build."""
    found = []
    for slug in slugs:
        text = placeholders.filled(site.content[slug], values, slug)
        title, lead, body = markup.split(text, slug)
        found.append(Text(slug, Link(title, urls.method(slug)), lead, body))
    return found


def article(
    page: str,
    lead: str,
    body: str,
    drawing: Callable[[str], Drawing],
    adjacent: tuple[Link | None, Link | None],
) -> Mapping[str, object]:
    """Return a text on the method; `lead`, its first paragraph, is a summary."""
    parts = list(_parts(markup.article(body, page), drawing))
    lead = markup.inline(lead, page)
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
