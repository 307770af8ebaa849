"""The file of names that the search box loads (`static/names.js`).

`window.edoNames` holds what is found, kind by kind. Each row is a name, the id of its page, a word
to tell it apart, and other spellings; the rows of a kind are in order of importance, which breaks
ties. Most ids follow from the names: these are left empty, and made by the browser (`idOf` in
`static/find.js`), which takes a quarter off what has to be fetched.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace

from edo.core import formats, urls
from edo.core.json import in_script
from edo.core.model import EVENT_KINDS, Dataset, Player
from edo.core.text import kebab, person_kebab, words
from edo.rating.edo import Ratings

Row = tuple[str, ...]

LISTS = (
    ("Highest peaks", urls.PEAKS),
    ("Number ones through time", urls.NUMBER_ONES),
    ("Unlikely results", urls.SUSPECTS),
    ("Rated only through one event", urls.BRIDGES),
    ("Rating systems", urls.SYSTEMS),
)
"""The lists, by the titles of their pages."""

_PLURALS = {"tournament": "Tournaments", "match": "Matches", "team match": "Team matches"}


@dataclass(frozen=True, slots=True)
class Kind:
    """What is found of one kind; a page stands at `folder` + id + `.html`."""

    one: str
    many: str
    folder: str
    rows: tuple[Row, ...]


def names_file(
    dataset: Dataset, ratings: Ratings, content: Mapping[str, str]
) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of the names; `content` holds the texts by slug."""
    names = {"kinds": [asdict(_shortened(kind)) for kind in kinds(dataset, ratings, content)]}
    yield urls.static("names.js"), f"window.edoNames={in_script(names)};\n".encode()


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
    """Yield the players, those of the highest peaks first, those without one last."""
    played: defaultdict[str, list[int]] = defaultdict(list)
    for event in dataset.events.values():
        for player_id in event.players:
            played[player_id].append(event.year)
    peaks = [ratings.peak(player_id) for player_id in ratings.players]
    height = {peak.player: -peak.rating for peak in peaks if peak is not None}
    for player in sorted(dataset.players.values(), key=lambda p: (height.get(p.id, 0.0), p.id)):
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
    """Yield the events of a kind, those of most players first."""
    events = [event for event in dataset.events.values() if event.kind == kind]
    for event in sorted(events, key=lambda e: (-len(e.players), e.year, e.id)):
        yield event.name, event.id, "" if str(event.year) in event.name else str(event.year)


def _series(dataset: Dataset) -> Iterator[Row]:
    """Yield the series, those of most events first."""
    size = Counter(event.series for event in dataset.events.values())
    for series in sorted(dataset.series.values(), key=lambda s: (-size[s.id], s.id)):
        yield series.name, series.id, formats.counted(size[series.id], "event")


def _pages(content: Mapping[str, str]) -> Iterator[Row]:
    for name, path in LISTS:
        yield name, path.removesuffix(".html"), "list"
    for slug, text in sorted(content.items()):
        title = re.match(r"# (.+)\n", text)
        if title is not None:
            path = urls.text(slug)
            kind = "method" if path == urls.method(slug) else "rating system"
            yield title[1], path.removesuffix(".html"), kind


def _sources(dataset: Dataset) -> Iterator[Row]:
    for source in dataset.sources.values():
        yield source.title, source.id, source.author or ""
