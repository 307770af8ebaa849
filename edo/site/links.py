"""Links of notes, texts and pages: where they may lead, and what a build would refuse."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, cached_property, lru_cache
from itertools import product
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote

from edo.core import files, urls
from edo.core.files import Unreadable, is_scratch
from edo.core.model import Dataset, Event, Player
from edo.core.problems import EdoError, InputError, Problem
from edo.core.settings import DEFAULT, Settings
from edo.history.checks import at_player, player_path
from edo.history.content_files import CHANGES_FILE, read_changes
from edo.history.project import TEMPLATES
from edo.history.values import nearest
from edo.rating import edo
from edo.site import markup

_HREF = re.compile(rb'\s(?:href|src|srcset|action|data-names|data-find)="([^"#?]+)')
_ELSEWHERE = re.compile(r"[a-z]+:|/")
T = TypeVar("T")

MOST = 20  # links that one message names


TEXTS = TEMPLATES / "texts"
"""The program's own texts; those of a project take their places."""
MANY = 10  # [games] two players who met as often have a page of their games

_FIXED = {
    *(urls.HOME, urls.SEARCH, urls.NOT_FOUND, urls.REPORT, urls.CHANGES, urls.PAIRS),
    *(urls.ALL_SERIES, urls.SYSTEMS, urls.PEAKS, urls.NUMBER_ONES, urls.SUSPECTS, urls.BRIDGES),
    *(path for _, path in urls.SECTIONS),
}
_OF_RECORDS = {"players", "events", "years", "places", "sources", "series", "pairs"}
_OF_FILES = {"static", "figures", "pictures"}
_MAY_LINK = re.compile(r"\]\(|\]:|\]\[|<")
_EVENT_TEXTS = ("notes", "missing", "unrated")
_RESULT_TEXTS = ("note", "soft", "unrated", "default", "uncounted")
_YEAR_PAGE = re.compile(r"years/([0-9]{4})(-systems)?\.html")


@cache
def texts_and_data() -> frozenset[str]:
    """Return the paths of texts, lists and data files, which every site has."""
    from edo.export import files, lists  # noqa: PLC0415 (slow to import, and seldom asked for)

    texts = (urls.text(path.stem) for path in TEXTS.glob("*.md") if path.stem != "home")
    listed = (urls.listing(table.name) for table in lists.LISTS)
    return frozenset({*texts, *listed, *map(urls.data, files.names()), urls.FEED})


class Addresses:
    """The paths of a site's pages and data files, known from its records alone.

    `static` is the folder of files that are copied into the site. `is_whole` says that no record is
    missing: else every record that a link names may be there.
    """

    def __init__(
        self, dataset: Dataset, static: Path, settings: Settings = DEFAULT, is_whole: bool = True
    ) -> None:
        self.dataset, self._static = dataset, static
        self._settings, self._is_whole = settings, is_whole

    def __contains__(self, path: str) -> bool:
        """Whether a link may lead to a path; a build looks at pictures and at tables of pages."""
        if path in self.pages or path in texts_and_data() or (self._static / path).is_file():
            return True
        folder = path.partition("/")[0]
        if folder in _OF_RECORDS and not self._is_whole:
            return True
        if not path.endswith(".html"):
            return folder in _OF_FILES or f"{path.rpartition('.')[0]}.html" in self
        year = _YEAR_PAGE.fullmatch(path)
        return path in self._pairs if year is None else int(year[1]) in self._rated_years

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
    def _rated_years(self) -> Collection[int]:
        """Return the years in which somebody is rated: asked only for years without events."""
        try:
            return edo.rate(self.dataset, self._settings).years.keys()
        except EdoError:  # a build says so
            return range(10_000)

    @cached_property
    def _pairs(self) -> frozenset[str]:
        return frozenset(path for path, _ in pair_pages(self.dataset))


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


def games_of_pairs(events: Iterable[Event]) -> dict[tuple[str, str], float]:
    """Return how many known games any two played."""
    games: defaultdict[tuple[str, str], float] = defaultdict(float)
    for event in events:
        for result in event.results:
            pair = (result.first, result.second)
            if result.default is None:
                games[min(pair), max(pair)] += result.games
    return {pair: round(number, 9) for pair, number in games.items()}


def check_pairs(dataset: Dataset) -> Iterator[Problem]:
    """Yield an error where two pairs of players would have one page, as ids hold `-v-`."""
    if not any("-v-" in id_ for p in dataset.players.values() for id_ in all_ids(p)):
        return
    first: dict[str, Player] = {}
    for path, player in pair_pages(dataset):
        if first.setdefault(path, player) is not player:
            message = f"{path} is the page of two pairs of players"
            yield at_player(player, message, "give the player an id without `-v-`")


def check_notes(dataset: Dataset, events: Path, addresses: Addresses) -> Iterator[Problem]:
    """Yield an error for each link of a note that leads nowhere, a warning for each dropped one."""
    for path, line, place, text in _notes(dataset):
        if _MAY_LINK.search(text):
            file = events / path.removeprefix("events/")
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
            folder, _, name = link.path.removesuffix(".html").partition("/")
            hint = "correct its address"
            if folder in ("players", "events", "places", "sources", "series"):
                hint = nearest(name, getattr(addresses.dataset, folder), hint)
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


def check_content(folder: Path, addresses: Addresses) -> Iterator[Problem]:
    """Yield the errors of the texts and other files of `content/`, and what its links lack."""
    # Slow to import, and there are folders of events without texts.
    from edo.rating.record import read_record  # noqa: PLC0415
    from edo.site.input import EXAMPLES, read_texts  # noqa: PLC0415
    from edo.systems.evaluation.contest import read_contest  # noqa: PLC0415
    from edo.systems.evaluation.tuning import read_tuning  # noqa: PLC0415

    found: list[Problem] = []
    for read in (read_tuning, read_contest, read_record):
        _without_errors(read, folder, found)
    file = folder / CHANGES_FILE
    for change in _without_errors(read_changes, folder, found) or ():
        place = (file.as_posix(), 1, change.id)
        found += check_links(markup.links(change.text), addresses, file, place)
    texts = _without_errors(read_texts, folder, found)
    for path in sorted(folder.glob("*.md")):
        if texts is not None and not is_scratch(path.name):
            found += _check_text(path, addresses, path.stem == EXAMPLES)
    yield from found


def _without_errors(read: Callable[[Path], T], folder: Path, found: list[Problem]) -> T | None:
    """Return what a function reads; None where it finds errors, which are added to the others."""
    try:
        return read(folder)
    except InputError as refused:
        found += refused.problems
    except EdoError as refused:
        found.append(_as_problem(refused))
    return None


def _check_text(file: Path, addresses: Addresses, is_part: bool) -> Iterator[Problem]:
    slug, path, text = file.stem, file.as_posix(), files.read_text(file)
    if not is_part and not (TEXTS / file.name).is_file():
        hint = "rename it, or take it away"
        yield Problem(path, 1, "", "no page is made of this text", hint, "warning")
        return
    try:
        markup.check_placeholders(text, slug)
        if not is_part and slug != "home":
            markup.split(text, slug)
    except EdoError as refused:
        yield _as_problem(refused, path)
    links = markup.links(text, whole=True)
    yield from check_links(links, addresses, file, (path, 1, ""))


def _as_problem(refused: EdoError, path: str | None = None) -> Problem:
    """Return as a problem what reading said: `content/a.md:3: message; hint`."""
    said = re.fullmatch(r"(.+?):(?:(\d+):)? (.+?)(?:; (.+))?", str(refused), re.DOTALL)
    if said is None:
        return Problem(path or "content", 1, "", str(refused), "correct it")
    return Problem(path or said[1], int(said[2] or 1), "", said[3], said[4] or "correct it")


def checked(
    files: Iterable[tuple[str, bytes]], others: Collection[str] = ()
) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes unchanged; `others` are files to which pages may link too.

    Raises EdoError, after the last file, that names the links that lead nowhere.
    """
    paths = set(others)
    wanted: dict[str, str] = {}
    for path, content in files:
        paths.add(path)
        if path.endswith(".html"):
            for target in _targets(path, content):
                wanted[target] = min(path, wanted.get(target, path))
        yield path, content
    dead = sorted((page, target) for target, page in wanted.items() if target not in paths)
    if dead:
        listed = "\n".join(f"  {page}: {target}" for page, target in dead[:MOST])
        raise EdoError(
            f"{len(dead)} links lead nowhere; correct them in the notes and texts:\n{listed}"
        )


def _targets(page: str, content: bytes) -> set[str]:
    """Return the paths from the root of the site to which the page links."""
    folder = posixpath.dirname(page)
    found = (_target(folder, href) for href in set(_HREF.findall(content)))
    return {target for target in found if target is not None}


@lru_cache(1 << 16)  # the pages of a folder share most of their links
def _target(folder: str, link: bytes) -> str | None:
    """Return the path from the root to which pages of a folder link, None for another site's."""
    href = unquote(link.decode())
    return None if _ELSEWHERE.match(href) else posixpath.normpath(posixpath.join(folder, href))
