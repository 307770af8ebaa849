"""Links of notes, texts and pages: where they may lead, and whether they do on a built site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache, cached_property, lru_cache
from itertools import product, starmap
from pathlib import Path, PurePosixPath
from typing import TypeVar
from urllib.parse import unquote

from edo.checks.where import at_player, player_path
from edo.core import files
from edo.core.files import Unreadable
from edo.core.model import Dataset, Event, Player
from edo.core.problems import EdoError, Problem
from edo.history.content_files import CHANGES_FILE
from edo.history.names import nearest
from edo.history.project import TEMPLATES, Project, SiteConfig
from edo.history.settings import DEFAULT
from edo.rating import network
from edo.rating.games import games_of
from edo.rating.network import ResultsNetwork
from edo.site import markup, urls
from edo.site.index import MANY, games_of_pairs

_LINKING = (b"href", b"src", b"srcset", b"action", b"data-names", b"data-find")
# What begins with `="` is found in half the time of what begins with one of the names.
_HREF = re.compile(b'="(?:%s)([^"#?]+)' % b"|".join(rb'(?<=\s%s=")' % name for name in _LINKING))
_ELSEWHERE = re.compile(r"[a-z]+:|/")
T = TypeVar("T")

MOST = 20  # links that one message names

TEXTS = TEMPLATES / "texts"
"""The program's own texts; those of a project take their places."""
TOGETHER = 16
"""How many players share a script of the page of comparisons.

One for each would be a quarter of all files of the site, and those of more players would take
longer to load than the page itself.
"""

_FIXED = {
    *(urls.HOME, urls.SEARCH, urls.NOT_FOUND, urls.REPORT, urls.CHANGES, urls.PAIRS),
    *(urls.ALL_SERIES, urls.SYSTEMS, urls.PEAKS, urls.NUMBER_ONES, urls.SUSPECTS, urls.BRIDGES),
    *(path for _, path in urls.SECTIONS),
}
_SUPERLATIVES = (
    *("performances", "upsets", "reigns", "leads", "youngest", "oldest", "juniors", "women"),
    *("countries", "tournaments", "most-games", "careers", "ages"),
)
_OF_RECORDS = {
    *("players", "events", "years", "places", "sources", "series", "pairs", "compare", "pictures"),
}
_MAY_LINK = re.compile(r"\]\(|\]:|\]\[|<")
_EVENT_TEXTS = ("notes", "missing", "unrated")
_RESULT_TEXTS = ("note", "soft", "unrated", "default", "uncounted")
_RECORDS = {
    **{name: name for name in ("players", "events", "places", "sources", "series")},
    **dict.fromkeys(("pictures", "compare"), "players"),
}
"""The records that files in a folder of the site are named by."""
_YEAR_PAGE = re.compile(r"years/([0-9]{4})\.html")
_PART = re.compile(r"(players|events)/by_[a-z0-9-]+\.(html|js)")


@cache
def texts_and_data() -> frozenset[str]:
    """Return the paths of texts, lists and data files, which every site has."""
    from edo.export.files import names  # noqa: PLC0415 (slow to import, and seldom asked for)

    texts = (urls.text(path.stem) for path in TEXTS.glob("*.md") if path.stem != "home")
    return frozenset({*texts, *map(urls.listing, _SUPERLATIVES), *map(urls.data, names())})


class Addresses:
    """The paths of a site's pages and files, known from its records and texts alone.

    `is_whole` says that no record is missing: else every record that a link names may be there.
    """

    def __init__(
        self,
        dataset: Dataset,
        project: Project,
        config: SiteConfig | None = None,
        is_whole: bool = True,
    ) -> None:
        self.dataset, self.project, self._is_whole = dataset, project, is_whole
        self._config = config or SiteConfig()

    def __contains__(self, path: str) -> bool:
        """Whether a link may lead to a path."""
        return self.is_made(path) or (self.project.static / path).is_file()

    def is_made(self, path: str) -> bool:
        """Whether a build makes a file at a path, besides those that it copies."""
        folder = path.partition("/")[0]
        if path in self.pages or path in texts_and_data():
            return True
        if folder in _OF_RECORDS and not self._is_whole:
            return True
        if _PART.fullmatch(path):
            from edo.site.pages.long_lists import LONGEST  # noqa: PLC0415 (slow to import)

            return len(getattr(self.dataset, folder)) > LONGEST
        if path.endswith(".html"):
            year = _YEAR_PAGE.fullmatch(path)
            return path in self._pairs if year is None else int(year[1]) in self._years
        if folder == "pictures" and path != urls.SITE_PICTURE:
            return path in self._pictures
        return path in self._files

    def made_instead_of(self, path: str) -> str:
        """Return the file or folder of the site that cannot stand next to a copied file, if any."""
        if self.is_made(path):
            return path
        above = (parent.as_posix() for parent in PurePosixPath(path).parents)
        folders = {one.partition("/")[0] for one in (*self.pages, *texts_and_data(), *self._files)}
        return path if path in folders else next(filter(self.is_made, above), "")

    def has(self, name: str) -> bool:
        """Whether the folder of the texts has a file."""
        return (self.project.content / name).is_file()

    @cached_property
    def pages(self) -> frozenset[str]:
        """Return the paths of pages, without pairs, texts, lists and years without events."""
        dataset = self.dataset
        events = dataset.events.values()
        years = {year for e in events for year in (e.year, *(r.year or e.year for r in e.results))}
        return frozenset(
            {
                *_FIXED,
                *map(urls.year, years),
                *map(urls.place, dataset.places),
                *map(urls.source, dataset.sources),
                *map(urls.series, dataset.series),
                *(urls.player(id_) for p in dataset.players.values() for id_ in all_ids(p)),
                *(urls.event(id_) for e in events for id_ in all_ids(e)),
            }
        )

    @cached_property
    def _pairs(self) -> frozenset[str]:
        return frozenset(path for path, _ in pair_pages(self.dataset))

    @cached_property
    def _rated(self) -> ResultsNetwork | None:
        """Return whom the site rates and when, None where nobody can be rated."""
        everybody = self._config.settings.system != DEFAULT.system
        try:
            return network.build(games_of(self.dataset), self._config.settings, everybody)
        except EdoError:  # a build says so
            return None

    @cached_property
    def _years(self) -> Collection[int]:
        """Return the years in which somebody is rated: asked only for years without events."""
        return range(10_000) if self._rated is None else set(self._rated.year.tolist())

    @cached_property
    def _files(self) -> frozenset[str]:
        """Return the paths of files other than pages, lists and data; few texts lead to one."""
        found = {urls.COMPARED, urls.SITE_PICTURE, *self._static(), *self._figures()}
        if self._config.base_url is not None:
            found |= {urls.SITEMAP, urls.ROBOTS}
        if self.has(CHANGES_FILE):
            found.add(urls.FEED)
        if self._rated is not None:
            numbers = range(1, -(-len(self._rated.players) // TOGETHER) + 1)
            found.update(map(urls.compared, numbers))
        return frozenset(found)

    @cached_property
    def _pictures(self) -> frozenset[str]:
        """Return the paths of the pictures of players and years: only ratings tell who has one."""
        from edo.site.charts import share_image  # noqa: PLC0415 (slow to import)
        from edo.systems import leading  # noqa: PLC0415

        if self._rated is None:
            return frozenset()
        ratings = leading.rate(self.dataset, self._config.settings)
        return frozenset(share_image.paths(ratings))

    def _static(self) -> Iterator[str]:
        for folder in (TEMPLATES, *self.project.overrides):
            for path in files.input_files(folder / "static"):
                yield path.relative_to(folder).as_posix()

    def _figures(self) -> Iterator[str]:
        """Yield the paths of the figures, without those of what was not measured."""
        from edo.site.charts import (  # noqa: PLC0415 (slow to import, and seldom asked for)
            drawing,
            evaluation_figures,
            history_figures,
        )  # fmt: skip

        shown = [figure.name for figure in history_figures.HISTORY]
        for file, figures in evaluation_figures.OF.items():
            shown += [figure.name for figure in figures if self.has(file)]
        return starmap(drawing.path, product(shown, drawing.SIZES))


def all_ids(record: Player | Event) -> tuple[str, ...]:
    """Return the id of a record, and those that it had."""
    return (record.id, *record.former_ids)


def pair_pages(dataset: Dataset) -> Iterator[tuple[str, Player]]:
    """Yield the path of each page of two players, former ones too, with one of the players."""
    players = dataset.players
    for (one, other), games in games_of_pairs(dataset.events.values()).items():
        if games >= MANY and one in players and other in players:
            for ids in product(all_ids(players[one]), all_ids(players[other])):
                yield urls.pair(*ids), players[one]


def check_records(dataset: Dataset, addresses: Addresses) -> Iterator[Problem]:
    """Yield what a build would refuse in the records, with paths that begin with `events/`."""
    yield from check_pairs(dataset)
    yield from check_notes(dataset, addresses)


def check_pairs(dataset: Dataset) -> Iterator[Problem]:
    """Yield an error where two pairs of players would have one page, as ids hold `-v-`."""
    if not any("-v-" in id_ for p in dataset.players.values() for id_ in all_ids(p)):
        return
    first: dict[str, Player] = {}
    for path, player in pair_pages(dataset):
        if first.setdefault(path, player) is not player:
            message = f"{path} is the page of two pairs of players"
            yield at_player(player, message, "give the player an id without `-v-`")


def check_notes(dataset: Dataset, addresses: Addresses) -> Iterator[Problem]:
    """Yield an error for each link of a note that leads nowhere, a warning for each dropped one."""
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
                "link to pages like `/players/a.html`, to other sites and pictures by `https://…`"
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


def checked(
    made: Iterable[tuple[str, T, Iterable[str]]], others: Collection[str] = ()
) -> Iterator[tuple[str, T]]:
    """Yield path and state of each file; with them come its `targets`.

    `others` are files to which pages may link too. Raises EdoError, after the last file, that names
    the links that lead nowhere.
    """
    paths = set(others)
    wanted: dict[str, str] = {}
    for path, state, found in made:
        paths.add(path)
        for target in found:
            wanted[target] = min(path, wanted.get(target, path))
        yield path, state
    dead = sorted((page, target) for target, page in wanted.items() if target not in paths)
    if dead:
        listed = "\n".join(f"  {page}: {target}" for page, target in dead[:MOST])
        raise EdoError(
            f"{len(dead)} links lead nowhere; correct them in the notes and texts:\n{listed}"
        )


def targets(page: str, content: bytes) -> set[str]:
    """Return the paths from the root of the site to which a page links; none for another file."""
    if not page.endswith(".html"):
        return set()
    folder = posixpath.dirname(page)
    found = (_target(folder, href) for href in set(_HREF.findall(content)))
    return {target for target in found if target is not None}


@lru_cache(1 << 16)  # the pages of a folder share most of their links
def _target(folder: str, link: bytes) -> str | None:
    """Return the path from the root to which pages of a folder link, None for another site's."""
    href = unquote(link.decode())
    return None if _ELSEWHERE.match(href) else posixpath.normpath(posixpath.join(folder, href))
