"""What cites which source in, a row for each source with the places that cite it out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from edo.core import formats, urls
from edo.core.model import Citation, Source
from edo.site.input import Link

FOLDED_FROM = 4  # citations of one source, beyond which they are folded
MOST = 40  # citations, beyond which the page of the source alone lists them


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A source, and where the events that it is cited for cite it; a long list is folded.

    `places` are empty where they are so many that only the source's own page lists them.
    """

    source: Link
    summary: str
    is_long: bool
    places: tuple[tuple[Link, str | None], ...]


def source_rows(
    citing: Iterable[tuple[Link, Citation]], sources: Mapping[str, Source]
) -> tuple[SourceRow, ...]:
    """Return the cited sources by title, each with the links that cite it, once for each place."""
    places: defaultdict[str, dict[tuple[Link, str | None], None]] = defaultdict(dict)
    for link, citation in citing:
        places[citation.source][link, citation.where] = None
    return tuple(
        SourceRow(
            source=Link(sources[source].title, urls.source(source)),
            summary=formats.counted(len(places[source]), "citation"),
            is_long=len(places[source]) > FOLDED_FROM,
            places=tuple(places[source]) if len(places[source]) <= MOST else (),
        )
        for source in sorted(places, key=lambda source: (sources[source].title, source))
    )
