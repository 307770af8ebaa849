"""A dataset in, the one file of names that the search box loads out."""

from __future__ import annotations

from collections.abc import Iterator

from edo import urls
from edo.records import Dataset


def names_file(dataset: Dataset) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of the names."""
    yield urls.static("names.js"), b'"use strict";\n'
