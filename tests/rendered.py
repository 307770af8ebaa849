"""Rendered pages as a reader sees them: tables by their id, cells by their column, links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

import html5lib

from edo.site.input import Page, SiteInput
from edo.site.render import render


def text_of(element: Element) -> str:
    return re.sub(r"\s+", " ", "".join(element.itertext())).strip()


def links_in(element: Element) -> list[tuple[str, str]]:
    """Return the text and the target of each link."""
    return [(text_of(link), link.get("href", "")) for link in element.iter("a")]


@dataclass(frozen=True)
class Row:
    """A row of a table: `row["Rating"]` is the text of a cell, `row.links("Player")` its links."""

    id: str | None
    classes: frozenset[str]
    cells: dict[str, Element]

    def __getitem__(self, head: str) -> str:
        return text_of(self.cells[head])

    def texts(self, *heads: str) -> tuple[str, ...]:
        return tuple(self[head] for head in heads)

    def links(self, head: str) -> list[tuple[str, str]]:
        return links_in(self.cells[head])

    def marks(self, head: str) -> list[tuple[str, str]]:
        """Return kind and words of each mark in a cell."""
        found = self.cells[head].iter("button")
        return [((mark.get("class") or "").partition("mark-")[2], text_of(mark)) for mark in found]


@dataclass(frozen=True)
class Rendered:
    """A page, strictly parsed."""

    html: str
    tree: Element

    def find(self, id_: str) -> Element:
        (found,) = (element for element in self.tree.iter() if element.get("id") == id_)
        return found

    def has(self, id_: str) -> bool:
        return any(element.get("id") == id_ for element in self.tree.iter())

    def rows(self, id_: str) -> list[Row]:
        """Return the rows of the first table at or in the element with this id, without details."""
        table = next(self.find(id_).iter("table"))
        heads = [text_of(head) for head in next(table.iter("thead")).iter("th")]
        return [
            Row(
                row.get("id"),
                frozenset((row.get("class") or "").split()),
                dict(zip(heads, row, strict=True)),
            )
            for body in table.iter("tbody")
            for row in body.iter("tr")
            if not any(cell.get("colspan") for cell in row)
        ]

    def heads(self, id_: str) -> list[str]:
        table = next(self.find(id_).iter("table"))
        return [text_of(head) for head in next(table.iter("thead")).iter("th")]

    def facts(self) -> dict[str, str]:
        """Return the terms of all lists of facts with what they say."""
        return {
            text_of(next(group.iter("dt"))): text_of(next(group.iter("dd")))
            for facts in self.tree.iter("dl")
            if "facts" in (facts.get("class") or "").split()
            for group in facts.iter("div")
        }

    def pager(self) -> dict[str, str]:
        """Return the targets of the links to the neighbouring pages, by `prev` and `next`."""
        return {
            rel: link.get("href", "")
            for link in self.tree.iter("a")
            if (rel := link.get("rel")) is not None
        }


def rendered(pages: Callable[[SiteInput], Iterable[Page]], site: SiteInput, path: str) -> Rendered:
    """Return one of the pages of a module, drawn."""
    (found,) = rendered_pages([page for page in pages(site) if page.path == path], site)
    return found


def rendered_pages(pages: Iterable[Page], site: SiteInput) -> Iterator[Rendered]:
    for _, html in render(pages, site):
        parser = html5lib.HTMLParser(
            html5lib.treebuilders.getTreeBuilder("etree"), strict=True, namespaceHTMLElements=False
        )
        tree = parser.parse(html.decode())
        for line_break in tree.iter("br"):
            line_break.tail = f" {line_break.tail or ''}"
        yield Rendered(html.decode(), tree)


HIDDEN = {"unseen"}


def tables(html: str) -> dict[str, list[dict[str, str]]]:
    """Return the rows of each table, by its label; each row maps column heads to the cells' texts.

    A table without heads has its columns numbered from 1. Of columns with equal heads the last one
    is kept.
    """
    return {label: list(_rows(region)) for label, region in _regions(html)}


def texts(html: str, tag: str, of_class: str = "") -> list[str]:
    """Return the texts of all elements with a tag, and a class if one is named."""
    found = html5lib.parse(html, namespaceHTMLElements=False).iter(tag)
    return [shown_text(one) for one in found if of_class in ["", *(one.get("class") or "").split()]]


def shown_text(element: Element) -> str:
    """Return what stands in an element, except numbers of notes and words for screen readers."""
    if element.tag == "sup" or HIDDEN & set((element.get("class") or "").split()):
        return ""
    parts = [element.text or ""]
    for child in element:
        parts += [shown_text(child), child.tail or ""]
    return " ".join("".join(parts).split())


def _regions(html: str) -> Iterator[tuple[str, Element]]:
    for element in html5lib.parse(html, namespaceHTMLElements=False).iter("div"):
        if element.get("role") == "region":
            yield element.get("aria-label"), element


def _rows(region: Element) -> Iterator[dict[str, str]]:
    heads = [shown_text(head) for head in region.findall(".//thead/tr/*")]
    for row in region.findall(".//tbody/tr"):
        if any(cell.get("colspan") for cell in row):
            continue
        cells = [shown_text(cell) for cell in row]
        yield dict(zip(heads or map(str, range(1, len(cells) + 1)), cells, strict=True))
