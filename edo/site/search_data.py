"""The files of names that the search box loads: `static/names.js`, and its parts when needed.

A small history has all names in the first file. Of a larger one it has only the pages, years,
places and series; players, events and sources stand in parts of about equal size, each under every
word by which it is found, in the order of the words: who types `emanuel` loads the one part that
has the words around `emanuel`. Three kinds of parts, all of rows [kind, number in the kind, name,
id, a word to tell it apart, other spellings ...]:

- `names_1.js` ...: words in order; `cuts` are the first words of all but the first part;
- `names_top_1.js` ...: the best rows of the beginnings of words that stand in too many parts,
  which `tops` lists file by file;
- `names_all_1.js` ...: every row once, for the page of all hits and where nothing else is found.

The rows of a kind are in order of importance, which breaks ties. Most ids follow from the names:
these are left empty, and made by the browser (`idOf` in `static/find.js`).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest
from itertools import accumulate, groupby
from typing import Any, TypeAlias

from edo.core import formats, urls
from edo.core.json import in_script
from edo.core.model import EVENT_KINDS, Dataset, Player
from edo.core.text import kebab, person_kebab, words
from edo.rating.edo import Ratings
from edo.site.pages.superlatives import SUPERLATIVES

Row = tuple[str, ...]
_Numbered: TypeAlias = tuple[Any, ...]
"""A row after the number of its kind and its own in that kind."""

_Texts: TypeAlias = list[list[str]]
"""The words of the name and of each other spelling."""

PART = 60_000
"""How long a part may be [bytes]; of most names a third is left when it is compressed."""
TOP = 40  # rows of a beginning that stands in many parts
IN_PARTS = ("players/", "events/", "sources/")
WORD_FROM, SPELLING = 3, 3.5  # as in static/find.js

ALSO_LISTED: dict[str, tuple[str, ...]] = {
    "performances": ("tournament performance rating", "best results"),
    "upsets": ("surprises", "giant killers"),
    "reigns": ("longest number one",),
    "leads": ("dominance", "margin of the first"),
    "youngest": ("prodigies",),
    "oldest": ("veterans",),
    "juniors": ("prodigies", "under 20"),
    "women": ("female players", "ladies"),
    "countries": ("best by country", "nations"),
    "tournaments": ("category", "strength of the field"),
    "most-games": ("most active players",),
    "careers": ("longevity",),
    "ages": ("peak age", "rating and age"),
}
LISTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("Highest peaks", urls.PEAKS, ("best players of all time", "greatest")),
    ("Number ones through time", urls.NUMBER_ONES, ("first in each year", "world ranking")),
    ("Head to head", urls.PAIRS, ("pairs of players", "scores against each other", "rivals")),
    ("Compare", urls.COMPARE, ("head to head of any two players", "overlaid curves")),
    ("Women", f"{urls.PLAYERS}?women=yes", ("female players", "ladies")),
    ("Players", urls.PLAYERS, ("all players, A to Z",)),
    ("Years", urls.YEARS, ("all years", "ranking lists")),
    ("Events", urls.EVENTS, ("all events", "tournaments", "matches", "team matches")),
    ("Places", urls.PLACES, ("all places", "towns", "countries")),
    ("Series", urls.ALL_SERIES, ("recurring events", "championships")),
    ("Sources", urls.SOURCES, ("bibliography", "books")),
    ("Data", urls.DATA, ("download", "CSV", "JSON", "SQLite", "licence of the data")),
    ("Unlikely results", urls.SUSPECTS, ("upsets", "outliers", "errors in the record")),
    ("Rated only through one event", urls.BRIDGES, ("bridges",)),
    ("Rating systems", urls.SYSTEMS, ("Elo, Glicko, Chessmetrics and others",)),
    ("What changed", urls.CHANGES, ("changes", "news", "new events")),
    *((one.title, one.path, ALSO_LISTED[one.name]) for one in SUPERLATIVES),
)
"""The lists, by the titles of their pages, with other words by which they are found."""

ALSO = {
    "about": ("how it works", "how good are the ratings"),
    "contest": ("how well the ratings predict", "accuracy"),
    "deviations": (
        "standard errors",
        "deviation of a rating",
        "uncertainty",
        "confidence interval",
    ),
    "expected-scores": ("win probability",),
    "joint": ("probability of being stronger", "correlation"),
    "limits": ("what is missing", "errors"),
    "marks": ("symbols", "abbreviations", "legend"),
    "odds": ("handicap games",),
    "ratings": ("Edo method", "algorithm", "formula", "Bradley-Terry model", "Rod Edwards"),
    "record": ("coverage", "completeness"),
    "unrated": ("no rating",),
    "what-enters": ("coverage", "which games count", "casual games"),
}
"""Other words by which texts are found, besides their headings."""

_PLURALS = {"tournament": "Tournaments", "match": "Matches", "team match": "Team matches"}


@dataclass(frozen=True, slots=True)
class Kind:
    """What is found of one kind; a page stands at `folder` + id + `.html`."""

    one: str
    many: str
    folder: str
    rows: tuple[Row, ...]


def names_files(
    dataset: Dataset,
    ratings: Ratings,
    content: Mapping[str, str],
    often: Iterable[tuple[str, str]] = (),
    part: int = PART,
) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of the first file of names and of its parts.

    `content` holds the texts by slug, `often` the sorted ids of those who have a page of their
    games; these are written as places in the list of players, of whom the first are `rated`.
    `part` is how long a part may be before it is compressed [bytes].
    """
    found = kinds(dataset, ratings, content)
    place = {row[1]: number for number, row in enumerate(found[0].rows)}
    met: dict[int, list[int]] = {}
    for one, other in often:
        met.setdefault(place[one], []).append(place[other])
    rows: list[_Numbered] = [
        (k, number, *row)
        for k, kind in enumerate(map(_shortened, found))
        for number, row in enumerate(kind.rows)
    ]
    names = {
        "kinds": [(kind.one, kind.many, kind.folder) for kind in found],
        "rated": len(ratings.players),
        "met": dict(sorted(met.items())),
    }
    if sum(map(_size, rows)) <= part:
        yield _script("", {**names, "rows": rows})
        return
    placed = [row for row in rows if found[row[0]].folder in IN_PARTS]
    own = [row for row in rows if found[row[0]].folder not in IN_PARTS]
    texts = [_texts(row, found[row[0]]) for row in placed]
    yield from _in_parts({**names, "rows": own}, placed, texts, part)


def _in_parts(
    names: Mapping[str, object], rows: Sequence[_Numbered], texts: Sequence[_Texts], most: int
) -> Iterator[tuple[str, bytes]]:
    """Yield the first file, with what says where the rows stand, and the parts that have them."""
    parts = _Parts(rows, texts, most)
    tops = [list(group) for _, group in groupby(parts.tops, key=lambda start: start[0])]
    wholes = list(_chunks(rows, 2 * most))
    starts = [" ".join(group) for group in tops]
    yield _script("", {**names, "cuts": parts.cuts, "tops": starts, "wholes": len(wholes)})
    for number, held in enumerate(parts.held, start=1):
        yield _script(f"{number}", [rows[k] for k in sorted(held)])
    for number, group in enumerate(tops, start=1):
        best = {start: [rows[k] for k in parts.best(start)] for start in group}
        yield _script(f"top_{number}", best)
    for number, chunk in enumerate(wholes, start=1):
        yield _script(f"all_{number}", chunk)


def _script(name: str, given: object) -> tuple[str, bytes]:
    """Return path and bytes of a part, which registers itself by its name; or of the first file."""
    text = in_script(given)
    if not name:
        return urls.static("names.js"), f"window.edoNames={text};\n".encode()
    return urls.static(f"names_{name}.js"), f'edoNames.part("{name}",{text});\n'.encode()


def _size(row: tuple[object, ...]) -> int:
    return len(in_script(row).encode()) + 1


def _chunks(rows: Iterable[_Numbered], most: int) -> Iterator[list[_Numbered]]:
    """Yield the rows in runs of at most so many bytes."""
    sizes = accumulate(map(_size, rows := list(rows)))
    for _, run in groupby(zip(rows, sizes, strict=True), key=lambda item: item[1] // most):
        yield [row for row, _ in run]


def _texts(row: _Numbered, kind: Kind) -> _Texts:
    """Return the words of the name and of each spelling, as `entryOf` in `static/find.js`."""
    name, _, beside, *spellings = map(str, row[2:])
    return [words(f"{name} {beside if kind.folder == 'events/' else ''}"), *map(words, spellings)]


class _Parts:
    """Rows under each of their words, cut into parts of consecutive words.

    `held` are the rows of each part, `cuts` the first words of all parts but the first; `tops` the
    beginnings of words, sorted, of which no two parts have all rows.
    """

    def __init__(self, rows: Sequence[_Numbered], texts: Sequence[_Texts], most: int):
        self._texts = texts
        self._under: dict[str, list[int]] = {}
        for k, own in enumerate(texts):
            for word in {word for text in own for word in text}:
                self._under.setdefault(word, []).append(k)
        self._sorted = sorted(self._under)
        sizes = [_size(row) for row in rows]
        self._common = {
            word for word, held in self._under.items() if sum(sizes[k] for k in held) > most
        }
        self.held, self.cuts = [set[int]()], list[str]()
        filled = 0
        for word in self._sorted:
            new = self._placed(word) - self.held[-1]
            more = sum(sizes[k] for k in new)
            if filled and filled + more > most:
                new, filled = self._placed(word), 0
                more = sum(sizes[k] for k in new)
                self.held.append(set())
                self.cuts.append(word)
            self.held[-1] |= new
            filled += more
        self.tops = sorted(self._incomplete(""))

    def _placed(self, word: str) -> set[int]:
        """Return the rows under a word; of a common one only those that have no other."""
        held = self._under[word]
        if word not in self._common:
            return set(held)
        return {k for k in held if self._common.issuperset(w for t in self._texts[k] for w in t)}

    def _beginning(self, start: str) -> list[str]:
        """Return the words that begin so."""
        first = bisect_left(self._sorted, start)
        return self._sorted[first : bisect_left(self._sorted, start + "\U0010ffff")]

    def _incomplete(self, start: str) -> Iterator[str]:
        """Yield the beginnings, longer than `start`, that stand in more than two parts."""
        for longer in sorted({word[: len(start) + 1] for word in self._beginning(start)} - {start}):
            own = self._beginning(longer)
            spread = bisect_right(self.cuts, own[-1]) - bisect_right(self.cuts, longer)
            if spread > 1 or not self._common.isdisjoint(own):
                yield longer
                yield from self._incomplete(longer)

    def best(self, start: str) -> list[int]:
        """Return the rows that answer the beginning of a word best, as `static/find.js` ranks."""
        rows = {k for word in self._beginning(start) for k in self._under[word]}
        return sorted(nsmallest(TOP, rows, key=lambda k: (self._rank(start, k), k)))

    def _rank(self, start: str, k: int) -> float:
        ranks = []
        for number, text in enumerate(self._texts[k]):
            if any(word.startswith(start) for word in text):
                is_whole = len(start) >= WORD_FROM and start in text
                rank = (0.0 if is_whole else 1.0) + (0.0 if text[0].startswith(start) else 0.5)
                rank = -1.0 if is_whole and len(text) == 1 else rank
                ranks.append(rank + (SPELLING if number else 0.0))
        return min(ranks)


def made_id(kind: str, name: str) -> str:
    """Return the id that the browser makes of a name where none is given."""
    return person_kebab(name) if kind == "player" else kebab(name.replace(" match", "", 1))


def _shortened(kind: Kind) -> Kind:
    """Return the kind without the ids that follow from the names."""
    rows = (
        (name, "" if id_ == made_id(kind.one, name) else id_, *more)
        for name, id_, *more in kind.rows
    )
    return replace(kind, rows=tuple(rows))


def kinds(dataset: Dataset, ratings: Ratings, content: Mapping[str, str]) -> list[Kind]:
    """Return all that can be found, in the order in which equal finds are shown."""
    size = Counter(event.place for event in dataset.events.values())
    places = sorted(dataset.places.values(), key=lambda place: (-size[place.id], place.id))
    return [
        Kind("player", "Players", "players/", tuple(_players(dataset, ratings))),
        Kind("year", "Years", "years/", tuple(_years(dataset, ratings))),
        Kind("place", "Places", "places/", tuple((p.name, p.id, p.country or "") for p in places)),
        *(
            Kind(kind, _PLURALS[kind], "events/", tuple(_events(dataset, kind)))
            for kind in EVENT_KINDS
        ),
        Kind("series", "Series", "series/", tuple(_series(dataset))),
        Kind("page", "Other pages", "", tuple(_pages(content))),
        Kind("source", "Sources", "sources/", tuple(_sources(dataset))),
    ]


def _players(dataset: Dataset, ratings: Ratings) -> Iterator[Row]:
    """Yield the players: those of the highest ranked peaks first, the unrated last."""
    played: defaultdict[str, list[int]] = defaultdict(list)
    for event in dataset.events.values():
        for player_id in event.players:
            played[player_id].append(event.year)
    peaks = [ratings.peak(player_id) for player_id in ratings.players]
    height = {p.player: (p.rank is None, -p.rating) for p in peaks if p is not None}
    least = (True, 0.0)
    for player in sorted(dataset.players.values(), key=lambda p: (height.get(p.id, least), p.id)):
        hint = _life(player, played[player.id])
        yield (player.shown_name, player.id, hint, *_other_spellings(player))


def _life(player: Player, played: list[int]) -> str:
    """Return the years of a life or, where they are unknown, those of the events."""
    if player.born is not None or player.died is not None:
        return formats.life(player.born, player.died)
    return f"played {formats.years(min(played), max(played))}" if played else ""


def _other_spellings(player: Player) -> Iterator[str]:
    """Yield those spellings that would not be found by the name."""
    name = words(player.name)
    for spelling in player.spellings:
        if not all(any(own.startswith(word) for own in name) for word in words(spelling)):
            yield spelling


def _years(dataset: Dataset, ratings: Ratings) -> Iterator[Row]:
    """Yield every year that has a page."""
    events = Counter(event.year for event in dataset.events.values())
    counting = {r.year for e in dataset.events.values() for r in e.results if r.year is not None}
    for year in sorted({*events, *counting, *ratings.years}):
        number = events[year]
        yield f"{year}", f"{year:04d}", formats.counted(number, "event") if number else "no events"


def _events(dataset: Dataset, kind: str) -> Iterator[Row]:
    """Yield the events of a kind, those of most players first; with what their names lack."""
    events = [event for event in dataset.events.values() if event.kind == kind]
    for event in sorted(events, key=lambda e: (-len(e.players), e.year, e.id)):
        place = dataset.places.get(event.place or "")
        known = words(event.name)
        lacks_place = place is not None and not set(words(place.name)) <= set(known)
        details = [place.name] if place is not None and lacks_place else []
        details += [] if str(event.year) in event.name else [str(event.year)]
        yield event.name, event.id, " ".join(details)


def _series(dataset: Dataset) -> Iterator[Row]:
    """Yield the series, those of most events first."""
    size = Counter(event.series for event in dataset.events.values())
    for series in sorted(dataset.series.values(), key=lambda s: (-size[s.id], s.id)):
        yield series.name, series.id, formats.counted(size[series.id], "event")


def _pages(content: Mapping[str, str]) -> Iterator[Row]:
    """Yield the lists, and the texts with their headings."""
    for name, path, also in LISTS:
        yield name, path.removesuffix(".html"), "list", *also
    for slug, text in sorted(content.items()):
        title = re.match(r"# (.+)\n", text)
        if title is not None:
            path = urls.text(slug)
            is_method = path == urls.method(slug)
            headings = re.findall(r"^## (.+)$", text, re.MULTILINE) if is_method else ()
            kind = "method" if is_method else "rating system"
            yield title[1], path.removesuffix(".html"), kind, *ALSO.get(slug, ()), *headings


def _sources(dataset: Dataset) -> Iterator[Row]:
    for source in dataset.sources.values():
        yield source.title, source.id, source.author or ""
