"""The addresses to which notes and texts may link, and whether they do."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path, PurePosixPath
from typing import TypeVar

from edo import __version__
from edo.checks.where import player_path
from edo.core import files
from edo.core.files import Unreadable
from edo.core.model import Dataset, Event
from edo.core.problems import EdoError, InputError, Problem
from edo.history import fields
from edo.history.content_files import read_changes
from edo.history.fields import MARKDOWN, REASON
from edo.history.names import nearest
from edo.history.project import Project, SiteConfig
from edo.rating.edo import NOBODY, Ratings
from edo.site import assets, markup, metadata, render
from edo.site.input import TEXTS, SiteInput, read_texts
from edo.systems.evaluation.contest import read_contest
from edo.systems.evaluation.tuning import read_tuning

T = TypeVar("T")

_OF_RATINGS = {"years", "pictures", "compare"}
_OF_RECORDS = {"players", "events", "places", "sources", "series", "pairs"}
_RECORDS = {
    **{name: name for name in ("players", "events", "places", "sources", "series")},
    **dict.fromkeys(("pictures", "compare"), "players"),
}
"""The records that files in a folder of the site are named by."""
_MAY_LINK = re.compile(r"\]\(|\]:|\]\[|<")


class Addresses:
    """The paths of the pages and files that a build makes, asked of the code that makes them.

    Where a file of the history has errors, or the ratings are not known (None), the pages that
    follow from them are not known either, and links may lead anywhere in their folders. What only
    the ratings by other systems make (their scripts, the figures of effects) is not among the
    addresses: these take minutes, and nobody links there. `problems` are those of files in
    `content/` that were read for it. Raises EdoError where two pages have the same address.
    """

    def __init__(
        self,
        project: Project,
        config: SiteConfig,
        dataset: Dataset,
        ratings: Ratings | None,
        is_whole: bool = True,
    ) -> None:
        self.project, self.dataset = project, dataset
        self.problems: list[Problem] = []
        self._unknown = set[str]() if ratings is not None else _OF_RATINGS
        if not is_whole:
            self._unknown = _OF_RATINGS | _OF_RECORDS
        self.site = SiteInput(
            dataset if is_whole else Dataset({}, {}, {}, {}, {}),
            ratings or NOBODY,
            content=read_texts(TEXTS),  # those of the project may have errors
            base_url=config.base_url,
            fingerprint="",
            version=__version__,
            config=config,
            changes=without_errors(read_changes, project.content, self.problems) or (),
            tuning=without_errors(read_tuning, project.content, self.problems),
            contest=without_errors(read_contest, project.content, self.problems),
            project=project,
        )
        self.pages = frozenset(page.path for page in render.all_pages(self.site))
        self._files_in = cache(self._list_files_in)

    def __contains__(self, path: str) -> bool:
        """Whether a link may lead to a path."""
        folder = path.partition("/")[0]
        return folder in self._unknown or self.is_made(path) or self._is_copied(path)

    def is_made(self, path: str) -> bool:
        """Whether a build makes a file at a path, besides those that it copies."""
        return path in self.pages or path in self._files_in(posixpath.dirname(path))

    def made_instead_of(self, path: str) -> str:
        """Return the file or folder of the site that cannot stand next to a copied file, if any."""
        if self.is_made(path) or path in self._folders:
            return path
        above = (parent.as_posix() for parent in PurePosixPath(path).parents)
        return next(filter(self.is_made, above), "")

    @cached_property
    def _folders(self) -> frozenset[str]:
        of_files = (folder for folders, _ in assets.ASSETS for folder in folders)
        return frozenset(path.partition("/")[0] for path in (*self.pages, *of_files))

    def _list_files_in(self, folder: str) -> frozenset[str]:
        sitemap = metadata.sitemap((), self.site.base_url) if not folder else ()
        made = (*assets.files_in(folder, self.site), *sitemap)
        return frozenset(path for path, _ in made)

    def _is_copied(self, path: str) -> bool:
        return (self.project.static / path).is_file()


def without_errors(read: Callable[[Path], T], folder: Path, found: list[Problem]) -> T | None:
    """Return what a function reads; None where it finds errors, which are added to the others."""
    try:
        return read(folder)
    except InputError as refused:
        found += refused.problems
    except EdoError as refused:
        found.append(as_problem(refused))
    return None


def as_problem(refused: EdoError, path: str | None = None) -> Problem:
    """Return as a problem what reading said: `content/a.md:3: message; hint`."""
    said = re.fullmatch(r"(.+?):(?:(\d+):)? (.+?)(?:; (.+))?", str(refused), re.DOTALL)
    if said is None:
        message, _, hint = str(refused).partition("; ")
        return Problem(path or "content", 1, "", message, hint)
    return Problem(path or said[1], int(said[2] or 1), "", said[3], said[4] or "correct it")


def check_notes(dataset: Dataset, addresses: Addresses) -> Iterator[Problem]:
    """Yield an error for each link of a note that leads nowhere, a warning for each dropped one.

    Paths begin with `events/`.
    """
    for path, line, place, text in _notes(dataset):
        if _MAY_LINK.search(text):
            file = addresses.project.events / path.removeprefix("events/")
            yield from check_links(markup.links(text), addresses, file, (path, line, place))


def check_links(
    links: Iterable[markup.FoundLink],
    addresses: Addresses,
    file: Path,
    where: tuple[str, int, str],
) -> Iterator[Problem]:
    """Yield the problems of links; `where` are path, line of the record and place, as shown."""
    path, start, place = where
    for link in links:
        if "{" in link.written or (link.path is not None and link.path in addresses):
            continue
        if link.path is not None:
            message = f"the link `{link.written}` leads to no page of the site"
            folder, _, name = link.path.rpartition(".")[0].partition("/")
            known = getattr(addresses.dataset, _RECORDS.get(folder, ""), ())
            hint = nearest(name, known, "correct its address")
            yield Problem(path, _line(file, start, link.written), place, message, hint)
        elif link.is_dropped:
            message = f"the link `{link.written}` is left out of the page"
            hint = (
                "link to pages like `/players/a.html`, to other sites by `https://…`, by mail as "
                "`mailto:a@b.org`; pictures lie in `static/`: `/logo.png`"
            )
            line = _line(file, start, link.written)
            yield Problem(path, line, place, message, hint, "warning")


def _line(file: Path, start: int, written: str) -> int:
    """Return the first line from `start` that has the link as written, `start` where none has."""
    try:
        lines = files.read_text(file).splitlines()
    except Unreadable:
        return start
    return next((n for n, line in enumerate(lines, 1) if n >= start and written in line), start)


def _texts_of(group: fields.Group) -> tuple[str, ...]:
    """Return the names of the fields that are shown as Markdown."""
    return tuple(f.name for f in group.fields if f.type is MARKDOWN or f.type is REASON)


_EVENT_TEXTS, _RESULT_TEXTS = map(_texts_of, (fields.EVENT, fields.PAIRING))


def _notes(dataset: Dataset) -> Iterator[tuple[str, int, str, str]]:
    """Yield path, line, place and text of all that is shown as Markdown."""
    for event in dataset.events.values():
        yield from _notes_of(event)
    for player in dataset.players.values():
        texts = (player.notes, *(one.why for one in player.acknowledged))
        yield from (
            (player_path(player.id), player.line, player.id, text) for text in texts if text
        )
    for name in ("places", "sources", "series"):
        for record in getattr(dataset, name).values():
            if record.notes:
                yield f"events/{name}.yaml", record.line, record.id, record.notes
    for kind in dataset.odds.values():
        yield from (("events/odds.yaml", 1, kind.id, t) for t in (kind.name, kind.unrated) if t)


def _notes_of(event: Event) -> Iterator[tuple[str, int, str, str]]:
    path, lines = event.path, event.lines
    for name in _EVENT_TEXTS:
        if text := getattr(event, name):
            yield path, lines.get(name, 1), name, text
    found = {(one.line, one.why): "acknowledged" for one in event.acknowledged}
    found |= {(one.line, one.note): "totals" for one in event.totals if one.note}
    found |= {(lines.get("rounds", 1), one.note): one.name for one in event.rounds if one.note}
    for result in event.results:
        for name in _RESULT_TEXTS:
            if text := getattr(result, name):
                found[result.line, text] = name
    yield from ((path, line, place, text) for (line, text), place in found.items())
