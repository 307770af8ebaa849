"""Conversion of Markdown to sanitised HTML; the only module that uses `markdown` and `nh3`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from itertools import count

import jinja2
import markdown
import nh3
from jinja2 import nodes
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup

from edo.core import formats, urls
from edo.core.problems import EdoError

_MATH_TAGS = {
    *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "msub", "msup"),
    *("msubsup", "munder", "mover", "munderover"),
}
_INLINE_TAGS = _MATH_TAGS | {
    *("a", "abbr", "b", "br", "cite", "code", "del", "em", "i", "ins", "q", "s", "small"),
    *("span", "strong", "sub", "sup", "var"),
}
_BLOCK_TAGS = _INLINE_TAGS | {
    *("blockquote", "dd", "dl", "dt", "h3", "h4", "hr", "li", "ol", "p", "pre", "ul"),
    *("caption", "table", "tbody", "td", "tfoot", "th", "thead", "tr"),
}
_ARTICLE_TAGS = _BLOCK_TAGS | {"div", "h2"}

_ATTRIBUTES = {
    "a": {"href", "title"},
    "abbr": {"title"},
    "math": {"display"},
    "ol": {"start"},
    "td": {"class", "colspan", "rowspan"},
    "th": {"class", "colspan", "rowspan", "scope"},
}
# Only our own articles may have ids: two notes on one page could bring the same one twice.
_ARTICLE_ATTRIBUTES = _ATTRIBUTES | {
    "a": {"class", "href", "title"},
    "div": {"class"},
    "h2": {"id"},
    "h3": {"id"},
    "li": {"id"},
    "p": {"class"},
    "sup": {"id"},
}

_PLACEHOLDERS = (
    *(nodes.Output, nodes.TemplateData, nodes.Name, nodes.Getattr, nodes.Getitem, nodes.Const),
    *(nodes.For, nodes.If, nodes.Not, nodes.And, nodes.Filter, nodes.Keyword),
)
_FILTERS = ("join", "map")  # of Jinja's own; with those of `formats`

# Browsers drop blanks and read `\` as `/`, so links are recognised whole, not by how they begin.
_SITE_LINK = re.compile(r"/(?P<target>(?:[a-z0-9-]+/)?[a-z0-9.-]+(?:#[\w:.-]+)?)")
_OTHER_LINK = re.compile(r"https?://[^\s\\]+|#[\w:.-]+")
_ALIGNED_CELL = re.compile(r'<(t[dh]) align="(right|center|left)">')
# Editors' files may hold none of these, but entities such as `&#8238;` make them: characters that
# turn the direction of text, that nobody sees, or that no XML may hold.
_HIDDEN = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufdd0-\ufdef\ufeff\ufffe\uffff]"
)
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_CELL_CLASSES = {"right": "num", "center": "mid", "left": "fixed"}


def filled(text: str, values: Mapping[str, object], name: str) -> str:
    """Return a text with its placeholders filled in, `{{ n_rated | count }}`.

    Only values with filters, conditions on them and simple loops over them are allowed.
    Raises EdoError, naming the text, where a placeholder has no value or is badly written.
    """
    environment = SandboxedEnvironment(
        undefined=jinja2.StrictUndefined, autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals.clear()
    environment.filters = {name: environment.filters[name] for name in _FILTERS}
    environment.filters.update(formats.FILTERS)
    try:
        _refuse_programs(environment.parse(text))
        return environment.from_string(text).render(values)
    except (jinja2.TemplateError, RecursionError, SyntaxError, TypeError, ValueError) as error:
        raise EdoError(f"content/{name}.md: {error}; name only values that the view has") from error


def _refuse_programs(template: nodes.Template) -> None:
    for node in template.find_all(nodes.Node):
        if not isinstance(node, _PLACEHOLDERS):
            raise ValueError(f"line {node.lineno}: more than a value stands in a placeholder")
        if isinstance(node, nodes.For) and node.find(nodes.For) is not None:
            raise ValueError(f"line {node.lineno}: a loop stands in a loop")


def article(text: str, page: str) -> Markup:
    """Return the HTML of a whole text of ours, with footnotes and anchors at headings.

    `page` is the path of the page on which it stands. Links to pages of the site are written from
    its root in the text (`/method/odds.html`) and come out relative to `page`.
    """
    html = _converted(text, "tables", "sane_lists", "footnotes", "toc", "md_in_html")
    number = count(1)
    return _with_room(
        _clean(html, _ARTICLE_TAGS, _ARTICLE_ATTRIBUTES, page),
        lambda: f' role="region" tabindex="0" aria-label="Table {next(number)}"',
    )


def block(text: str, page: str) -> Markup:
    """Return the HTML of a note of several paragraphs; links as in `article`."""
    html = _converted(text, "tables", "sane_lists")
    return _with_room(_clean(html, _BLOCK_TAGS, _ATTRIBUTES, page), lambda: "")


def inline(text: str, page: str) -> Markup:
    """Return the HTML of a note of one line, with no paragraph around it; links as in `article`."""
    html = _converted(text, "sane_lists")
    return Markup(_clean(html, _INLINE_TAGS, _ATTRIBUTES, page).strip())


def _clean(html: str, tags: set[str], attributes: Mapping[str, set[str]], page: str) -> Markup:
    clean = nh3.clean(
        _ALIGNED_CELL.sub(lambda m: f'<{m[1]} class="{_CELL_CLASSES[m[2]]}">', html),
        tags=tags,
        attributes=dict(attributes),
        attribute_filter=_links_seen_from(page),
        url_schemes={"http", "https"},
        link_rel=None,
    )
    return Markup(_HIDDEN.sub("�", clean))


def _with_room(html: Markup, attributes: Callable[[], str]) -> Markup:
    """Return the HTML with each table in a box that scrolls; samples scroll by keyboard too."""
    boxed = _TABLE.sub(lambda table: f'<div class="scroll"{attributes()}>{table[0]}</div>', html)
    return Markup(boxed.replace("<pre>", '<pre tabindex="0">'))


def _links_seen_from(page: str) -> Callable[[str, str, str], str | None]:
    """Return the filter that turns links to the site relative and drops all doubtful ones."""

    def filtered(_tag: str, attribute: str, value: str) -> str | None:
        if attribute != "href":
            return value
        inside = _SITE_LINK.fullmatch(value)
        if inside is not None and ".." not in value:
            return urls.relative(page, inside["target"])
        return value if _OTHER_LINK.fullmatch(value) else None

    return filtered


def _converted(text: str, *extensions: str) -> str:
    """Return the HTML of a text; nothing is kept of the texts before."""
    return _converter(*extensions).reset().convert(text)


@cache
def _converter(*extensions: str) -> markdown.Markdown:
    configs = {"tables": {"use_align_attribute": True}} if "tables" in extensions else {}
    return markdown.Markdown(extensions=list(extensions), extension_configs=configs)
