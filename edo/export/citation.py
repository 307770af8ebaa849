"""A page's title and address in, how to cite it out: as plain text, BibTeX and CSL-JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass

_TEX = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_"},
        # BibTeX counts every brace, an escaped one too.
        "{": r"\textbraceleft{}",
        "}": r"\textbraceright{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
    }
)
_ADDRESS = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C"})


@dataclass(frozen=True, slots=True)
class Edition:
    """The name of the site, and which data and program made it."""

    site: str
    fingerprint: str
    version: str


@dataclass(frozen=True, slots=True)
class HowToCite:
    """A page as bibliographies name it; the date of the visit is left to the reader."""

    plain: str
    bibtex: str
    csl: str


def how_to_cite(edition: Edition, title: str, path: str, address: str | None) -> HowToCite:
    """Return how to cite the page at `path` from the root of the site.

    `address` is where the page stands on the web, if that is known.
    """
    site = edition.site
    title = _full(title)
    state = f"Data {edition.fingerprint}, program {edition.version}"
    where = "" if address is None else f" {address}"
    return HowToCite(
        plain=f"“{title}”. {site}. {state}.{where} (accessed …)",
        bibtex=_bibtex(_key(path), site, title, address, state),
        csl=_csl(_key(path), site, title, address, state),
    )


def _full(title: str) -> str:
    """Return a title that stands by itself; that of the page of a year is only its number."""
    return f"Chess players of {title}, rated" if title.isdigit() else title


def in_tex(text: str) -> str:
    """Return text with all that TeX and BibTeX would read as a command written out."""
    return text.translate(_TEX)


def _key(path: str) -> str:
    """Return what the entry is called in a bibliography: `edo-players-morphy-paul`."""
    return "edo-" + path.removesuffix(".html").replace("/", "-").replace(".", "-")


def _bibtex(key: str, site: str, title: str, address: str | None, state: str) -> str:
    # The second pair of braces keeps the capitals of names.
    fields = {
        "title": f"{{{in_tex(title)}}}",
        "howpublished": in_tex(site),
        "note": in_tex(state),
        "url": None if address is None else address.translate(_ADDRESS),
    }
    lines = [f"  {name} = {{{value}}}" for name, value in fields.items() if value is not None]
    return "\n".join([f"@misc{{{key},", ",\n".join(lines), "}"])


def _csl(key: str, site: str, title: str, address: str | None, state: str) -> str:
    item = {
        "id": key,
        "type": "webpage",
        "title": title,
        "container-title": site,
        "note": state,
        "URL": address,
    }
    known = {name: value for name, value in item.items() if value is not None}
    return json.dumps([known], ensure_ascii=False)
