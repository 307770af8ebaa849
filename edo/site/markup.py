"""Conversion of Markdown to sanitised HTML; the only module that uses `markdown` and `nh3`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from html.parser import HTMLParser
from itertools import count
from typing import NamedTuple

import markdown
import nh3
from markupsafe import Markup

from edo.core.problems import EdoError
from edo.site import urls

_MATH_TAGS = {
    *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mfrac", "msqrt", "msub", "msup"),
    *("msubsup", "munder", "mover", "munderover"),
}
_INLINE_TAGS = _MATH_TAGS | {
    *("a", "abbr", "b", "br", "cite", "code", "del", "em", "i", "img", "ins", "q", "s", "small"),
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
    "img": {"alt", "src"},
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

# Browsers drop blanks and read `\` as `/`, so links are recognised whole, not by how they begin.
_SITE_LINK = re.compile(r"/(?P<target>(?:[a-z0-9-]+/)?[a-z0-9.-]+(?:#[\w:.-]+)?)")
_OTHER_LINK = re.compile(r"https?://[^\s\\]+|#[\w:.-]+|mailto:[\w.+-]+@[\w-]+(\.[\w-]+)+", re.ASCII)
_PICTURE = re.compile(r".+\.(svg|png|jpe?g|gif|webp|avif)")
_WITHOUT_SOURCE = re.compile(r"<img(?![^>]* src=)[^>]*>")
_ALIGNED_CELL = re.compile(r'<(t[dh]) align="(right|center|left)">')
# Editors' files may hold none of these, but entities such as `&#8238;` make them: characters that
# turn the direction of text, that nobody sees, or that no XML may hold.
_HIDDEN = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufdd0-\ufdef\ufeff\ufffe\uffff]"
)
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_TEXTS = 1024  # remembered in a process: remarks and the names of odds stand on many pages
_CELL_CLASSES = {"right": "num", "center": "mid", "left": "fixed"}


def split(text: str, slug: str) -> tuple[str, str, str]:
    """Return title, first paragraph and the rest. Raises EdoError if a text has no such head."""
    head = re.match(r"# (?P<title>.+)\n+(?P<lead>(?:.+\n)+)", f"{text}\n")
    if head is None:
        raise EdoError(f"content/{slug}.md: no title and text; begin with `# Title` and a text")
    return head["title"], " ".join(head["lead"].split()), text[head.end() :]


class FoundLink(NamedTuple):
    """A link of a text as it is written; its path from the root, where it leads to the site.

    Pages show the text of a dropped link alone, and nothing of a dropped picture.
    """

    written: str
    path: str | None
    is_dropped: bool


def links(text: str, whole: bool = False) -> list[FoundLink]:
    """Return the links and pictures of a note, or of a `whole` text of ours."""
    parser = _LinkParser()
    more = ("footnotes", "toc", "md_in_html") if whole else ()
    parser.feed(_converted(text, "tables", "sane_lists", *more))
    return parser.found


class _LinkParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[FoundLink] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the address of a link or picture; only pictures of the site are shown."""
        for name, value in attrs:
            if (tag, name) in (("a", "href"), ("img", "src")):
                written = value or ""
                inside = _site_link(written) if tag == "a" else _site_picture(written)
                path = None if inside is None else inside.partition("#")[0]
                is_outside = tag == "a" and _OTHER_LINK.fullmatch(written)
                self.found.append(FoundLink(written, path, inside is None and not is_outside))


def article(text: str, page: str) -> Markup:
    """Return the HTML of a whole text of ours, with footnotes and anchors at headings.

    `page` is the path of the page on which it stands. Links to pages of the site are written from
    its root in the text (`/method/odds.html`) and come out relative to `page`.
    """
    html = _converted(text, "tables", "sane_lists", "footnotes", "toc", "md_in_html")
    number = count(1)
    return _with_room(
        _clean(html, "article", page),
        lambda: f' role="region" tabindex="0" aria-label="Table {next(number)}"',
    )


def block(text: str, page: str) -> Markup:
    """Return the HTML of a note of several paragraphs; links as in `article`."""
    html = _converted(text, "tables", "sane_lists")
    return _with_room(_clean(html, "block", page), lambda: "")


def inline(text: str, page: str) -> Markup:
    """Return the HTML of a note of one line, with no paragraph around it; links as in `article`."""
    html = _converted(text, "sane_lists")
    return Markup(_clean(html, "inline", page).strip())


def plain(text: str) -> str:
    """Return a note of one line without its markup, for descriptions and titles."""
    return inline(text, urls.HOME).striptags()


_ALLOWED: Mapping[str, tuple[set[str], dict[str, set[str]]]] = {
    "article": (_ARTICLE_TAGS, _ARTICLE_ATTRIBUTES),
    "block": (_BLOCK_TAGS, _ATTRIBUTES),
    "inline": (_INLINE_TAGS, _ATTRIBUTES),
}
"""The tags that a kind of text may have, and their attributes."""
_ANCHOR = re.compile("<(a|img)", re.IGNORECASE)


def _clean(html: str, kind: str, page: str) -> Markup:
    """Return what a kind of text may have of the HTML, the same on all pages if nothing links."""
    return _cleaned(html, kind, page if _ANCHOR.search(html) else urls.HOME)


@lru_cache(_TEXTS)
def _cleaned(html: str, kind: str, page: str) -> Markup:
    tags, attributes = _ALLOWED[kind]
    clean = nh3.clean(
        _ALIGNED_CELL.sub(lambda m: f'<{m[1]} class="{_CELL_CLASSES[m[2]]}">', html),
        tags=tags,
        attributes=attributes,
        attribute_filter=_links_seen_from(page),
        url_schemes={"http", "https", "mailto"},
        link_rel=None,
    )
    if "<img" in clean:
        clean = _WITHOUT_SOURCE.sub("", clean)
    return Markup(_HIDDEN.sub("�", clean))


def _with_room(html: Markup, attributes: Callable[[], str]) -> Markup:
    """Return the HTML with each table in a box that scrolls; samples scroll by keyboard too."""
    boxed = _TABLE.sub(lambda table: f'<div class="scroll"{attributes()}>{table[0]}</div>', html)
    return Markup(boxed.replace("<pre>", '<pre tabindex="0">'))


def _links_seen_from(page: str) -> Callable[[str, str, str], str | None]:
    """Return the filter that turns links to the site relative and drops all doubtful ones."""

    def filtered(_tag: str, attribute: str, value: str) -> str | None:
        if attribute == "src":
            picture = _site_picture(value)
            return None if picture is None else urls.relative(page, picture)
        if attribute != "href":
            return value
        inside = _site_link(value)
        if inside is not None:
            return urls.relative(page, inside)
        return value if _OTHER_LINK.fullmatch(value) else None

    return filtered


def _site_link(value: str) -> str | None:
    """Return the path from the root of the site, with its fragment, None for any other link."""
    inside = _SITE_LINK.fullmatch(value)
    return inside["target"] if inside is not None and ".." not in value else None


def _site_picture(value: str) -> str | None:
    """Return the path from the root of a picture of the site, None for any other."""
    inside = _site_link(value)
    return inside if inside is not None and _PICTURE.fullmatch(inside) else None


@lru_cache(_TEXTS)
def _converted(text: str, *extensions: str) -> str:
    """Return the HTML of a text; nothing is kept of the texts before."""
    if "```" in text or "~~~" in text:
        extensions += ("fenced_code",)
    return _converter(*extensions).reset().convert(text)


@cache
def _converter(*extensions: str) -> markdown.Markdown:
    configs = {"tables": {"use_align_attribute": True}} if "tables" in extensions else {}
    return markdown.Markdown(extensions=list(extensions), extension_configs=configs)
