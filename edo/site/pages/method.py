"""The texts on the method in, filled with the numbers of this build, a page for each out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from edo.core import urls
from edo.core.problems import EdoError
from edo.site import markup
from edo.site.charts import figures, tuning_figures
from edo.site.charts.figures import Drawing
from edo.site.input import Link, Page, SiteInput, neighbours
from edo.site.pages.content_values import content_values, text_of
from edo.site.pages.tuning_values import tuning_values

ORDER = (
    *("about", "ratings", "what-enters", "odds", "unrated", "deviations", "adjustment"),
    *("expected-scores", "joint", "choosing", "consistency", "limits", "marks", "editing"),
    *("fields", "publishing"),
)
"""The texts in the order in which they are best read."""

SYSTEMS_TITLE = "Rating systems"
SYSTEMS_LEAD = (
    "The same history rated by other systems beside Edo: what they assume, who leads under each, "
    "and where they disagree."
)

# A paragraph `FIGURE name: caption` in a text stands for the figure.
_FIGURE = re.compile(r"<p>FIGURE ([a-z-]+): (.*?)</p>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of text, or a figure with its caption as the text."""

    html: Markup
    drawing: Drawing | None = None


@dataclass(frozen=True, slots=True)
class Article:
    """A text on the method; `lead`, its first paragraph, says in plain words what it is about."""

    title: str
    lead: str
    parts: tuple[Part, ...]
    before: Link | None
    after: Link | None


@dataclass(frozen=True, slots=True)
class ArticleLink:
    """An article on the list of all."""

    target: Link
    lead: str


@dataclass(frozen=True, slots=True)
class MethodView:
    """The list of the articles."""

    articles: tuple[ArticleLink, ...]


def pages(site: SiteInput) -> Iterator[Page]:
    """Yield the list of the articles and each article."""
    values = {**content_values(site.dataset, site.ratings), "tuning": tuning_values(site)}
    texts = [markup.filled(text_of(site, slug), values, slug) for slug in ORDER]
    heads = [split(text, slug) for slug, text in zip(ORDER, texts, strict=True)]
    links = [
        Link(title, urls.method(slug)) for slug, (title, _, _) in zip(ORDER, heads, strict=True)
    ]
    yield Page(
        path=urls.METHOD,
        template="method_index.html",
        view=partial(
            MethodView,
            (
                *(ArticleLink(k, lead) for k, (_, lead, _) in zip(links, heads, strict=True)),
                ArticleLink(Link(SYSTEMS_TITLE, urls.SYSTEMS), SYSTEMS_LEAD),
            ),
        ),
        title="Method",
        description="How the ratings are made, what enters them, and how much to trust them.",
    )
    for slug, head, beside in zip(ORDER, heads, neighbours(links), strict=True):
        view = partial(_article, slug, head, *beside)
        yield Page(urls.method(slug), "method.html", view, *head[:2])


def split(text: str, slug: str) -> tuple[str, str, str]:
    """Return title, first paragraph and the rest. Raises EdoError where a text has no such head."""
    head = re.match(r"# (?P<title>.+)\n\n(?P<lead>(?:.+\n)+)\n", text)
    if head is None:
        raise EdoError(f"content/{slug}.md: does not begin with `# Title` and a first paragraph")
    return head["title"], " ".join(head["lead"].split()), text[head.end() :]


def _article(
    slug: str, text: tuple[str, str, str], before: Link | None, after: Link | None
) -> Article:
    title, lead, body = text
    html = markup.article(body, urls.method(slug))
    return Article(title, lead, tuple(parts(html, partial(_drawing, slug))), before, after)


def parts(html: Markup, drawing: Callable[[str], Drawing]) -> Iterator[Part]:
    """Yield the stretches of text and the figures between them, in order; `drawing` finds these."""
    pieces = _FIGURE.split(html)
    yield Part(Markup(pieces[0]))
    for name, caption, text in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        yield Part(Markup(caption), drawing(name))
        yield Part(Markup(text))


def _drawing(slug: str, name: str) -> Drawing:
    if name in figures.FIGURES:
        return figures.drawing(name)
    if name in tuning_figures.FIGURES:
        return tuning_figures.drawing(name)
    raise EdoError(
        f"content/{slug}.md: there is no figure {name!r}; see edo/site/charts/figures.py"
    )
