"""Lists too long for one page, cut into pages by letter or decade.

The index of such a list leads to its parts. Where scripts run it also shows the rows of all parts,
to be sorted and filtered (`static/long_lists.js`), and loads them as scripts: `players/by_m.js` has
the rows of `players/by_m.html`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath

from edo.core.json import in_script
from edo.site import urls
from edo.site.input import Link, Page, neighbours

LONGEST = 2_000
"""Rows of the longest list that is one page: of events 700 KB of HTML, two seconds for a phone."""

MOST = 1_000
"""Rows of a list of which only the first are shown, because the others stand elsewhere."""


@dataclass(frozen=True, slots=True)
class Group:
    """The ids of the rows under one heading of a list; a link leads there by its `anchor`."""

    title: str
    anchor: str
    ids: Sequence[str]


@dataclass(frozen=True, slots=True)
class Part:
    """A group with a page of its own."""

    link: Link
    anchor: str
    rows: int


def links(index: str, groups: Sequence[Group]) -> tuple[Link, ...]:
    """Return a link to each group of the list whose first page is `index`."""
    if _is_long(groups):
        return tuple(part.link for part in _parts(index, groups))
    return tuple(Link(group.title, f"{index}#{group.anchor}") for group in groups)


def pages(
    whole: Page,
    groups: Sequence[Group],
    view: Callable[[Sequence[Group]], Mapping[str, object]],
) -> Iterator[Page]:
    """Yield the page of a list or, of a long one, its index and the page of each group.

    `view` returns what the template shows of some groups. It is handed as well: `jumps`, the links
    to all groups; `parts`, on an index, those that have pages; and `pager`, on the page of a group.
    """
    more: dict[str, object] = {"jumps": links(whole.path, groups), "parts": (), "pager": None}
    if not _is_long(groups):
        yield replace(whole, view=partial(_view, view, groups, more))
        return
    parts = _parts(whole.path, groups)
    yield replace(
        whole,
        view=partial(_view, view, (), {**more, "parts": parts}),
        scripts=(*whole.scripts, urls.static("long_lists.js")),
    )
    around = neighbours([part.link for part in parts])
    for group, part, pager in zip(groups, parts, around, strict=True):
        yield replace(
            whole,
            path=part.link.target or whole.path,
            view=partial(_view, view, (group,), {**more, "pager": pager}),
            title=f"{whole.title}: {group.title}",
        )


def _view(
    view: Callable[[Sequence[Group]], Mapping[str, object]],
    groups: Sequence[Group],
    more: Mapping[str, object],
) -> Mapping[str, object]:
    return {**view(groups), **more}


def _is_long(groups: Sequence[Group]) -> bool:
    return sum(len(group.ids) for group in groups) > LONGEST


def _parts(index: str, groups: Sequence[Group]) -> tuple[Part, ...]:
    return tuple(
        Part(Link(group.title, urls.part(index, group.anchor)), group.anchor, len(group.ids))
        for group in groups
    )


def script_path(page: str) -> str:
    """Return the path of the script with the rows that the page of a group shows."""
    return str(PurePosixPath(page).with_suffix(".js"))


def script_of(page: str, html: str) -> bytes:
    """Return that script."""
    rows = html.partition("<tbody>")[2].partition("</tbody>")[0].strip()
    return f'edoRows("{PurePosixPath(page).stem}",{in_script(rows)});\n'.encode()
