"""The file of names that the search box loads when somebody begins to type: `static/names.js`.

Who played where is in a file of each decade, which the box loads for a name and a year.

Rows are [name, id, a word to tell it apart, other spellings ...], kind by kind, in order of
importance, which breaks ties. Most ids follow from the names: these are left empty, and made by the
browser (`idOf` in `static/find.js`). Of the real history it weighs 93 KB compressed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from edo.core import formats
from edo.core.json import in_script
from edo.core.model import EVENT_KINDS, Dataset, Event, Place, Player
from edo.core.text import kebab, person_kebab, words
from edo.history.names import has_another_word
from edo.site import urls
from edo.site.input import SiteInput
from edo.site.pages.superlatives import SUPERLATIVES

Row = tuple[str, ...]
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
    "odds": ("handicap games", "ghosts"),
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


def names_files(site: SiteInput) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the bytes of the file of names, and of those of who played where.

    Those who have a page of their games are written as places in the list of players, of whom the
    first are `rated`.
    """
    all_kinds = kinds(site)
    place = {row[1]: number for number, row in enumerate(all_kinds[0].rows)}
    met: defaultdict[int, list[int]] = defaultdict(list)
    for first, second in site.index.often():
        met[place[first]].append(place[second])
    names = {
        "kinds": [(kind.one, kind.many, kind.folder, _shortened(kind)) for kind in all_kinds],
        "rated": len(site.ratings.players),
        "met": dict(sorted(met.items())),
        "decades": sorted({event.year // 10 * 10 for event in site.dataset.events.values()}),
    }
    yield urls.static("names.js"), f"window.edoNames={in_script(names)};\n".encode()
    events = [row[1] for kind in all_kinds if kind.folder == "events/" for row in kind.rows]
    yield from _played_files(site, place, {id_: number for number, id_ in enumerate(events)})


def _played_files(
    site: SiteInput, place: Mapping[str, int], number: Mapping[str, int]
) -> Iterator[tuple[str, bytes]]:
    """Yield the script of each decade: by year, the numbers of each event and of its players."""
    of_year = site.index.events_of_year
    for decade, years in groupby(sorted(of_year), lambda year: year // 10 * 10):
        rows = {
            f"{year:04d}": [
                [number[event.id], *(place[player] for player in event.players)]
                for event in of_year[year]
            ]
            for year in years
        }
        path = urls.static(f"played_{decade}.js")
        yield path, f"edoPlayed({in_script(rows)});\n".encode()


def made_id(kind: str, name: str) -> str:
    """Return the id that the browser makes of a name where none is given."""
    return person_kebab(name) if kind == "player" else kebab(name.replace(" match", "", 1))


def _shortened(kind: Kind) -> list[Row]:
    """Return the rows without the ids that follow from the names."""
    return [
        (name, "" if id_ == made_id(kind.one, name) else id_, *more)
        for name, id_, *more in kind.rows
    ]


def kinds(site: SiteInput) -> list[Kind]:
    """Return all that can be found, in the order in which equal finds are shown."""
    dataset = site.dataset
    size = Counter(event.place for event in dataset.events.values())
    places = sorted(dataset.places.values(), key=lambda place: (-size[place.id], place.id))
    return [
        Kind("player", "Players", "players/", tuple(_players(site))),
        Kind("year", "Years", "years/", tuple(_years(site))),
        Kind("place", "Places", "places/", tuple(_places(places))),
        *(
            Kind(kind, _PLURALS[kind], "events/", tuple(_events(dataset, kind)))
            for kind in EVENT_KINDS
        ),
        Kind("series", "Series", "series/", tuple(_series(dataset))),
        Kind("page", "Other pages", "", tuple(_pages(site.content))),
        Kind("source", "Sources", "sources/", tuple(_sources(dataset))),
    ]


def _players(site: SiteInput) -> Iterator[Row]:
    """Yield the players: those of the highest ranked peaks first, the unrated last."""
    peaks = [site.ratings.peak(player_id) for player_id in site.ratings.players]
    height = {p.player: (p.rank is None, -p.rating) for p in peaks if p is not None}
    least = (True, 0.0)
    players = site.dataset.players.values()
    for player in sorted(players, key=lambda p: (height.get(p.id, least), p.id)):
        hint = _life(player, site.index.events_of_player.get(player.id, ()))
        other = (s for s in player.spellings if has_another_word(s, player.name))
        yield (player.shown_name, player.id, hint, *other)


def _life(player: Player, events: Sequence[Event]) -> str:
    """Return the years of a life or, where they are unknown, those of the events."""
    if player.born is not None or player.died is not None:
        return formats.life(player.born, player.died)
    return f"played {formats.years(events[0].year, events[-1].year)}" if events else ""


def _years(site: SiteInput) -> Iterator[Row]:
    """Yield every year that has a page."""
    for year in sorted({*site.index.events_counting_in, *site.ratings.years}):
        number = len(site.index.events_of_year.get(year, ()))
        yield f"{year}", f"{year:04d}", formats.counted(number, "event") if number else "no events"


def _places(places: Sequence[Place]) -> Iterator[Row]:
    """Yield the places with their other names."""
    for place in places:
        yield place.name, place.id, place.country or "", *place.names


def _events(dataset: Dataset, kind: str) -> Iterator[Row]:
    """Yield the events of a kind, with what their names lack.

    Those of most players come first, and of as many those of a series, such as title matches.
    """
    events = [event for event in dataset.events.values() if event.kind == kind]
    for event in sorted(events, key=lambda e: (-len(e.players), e.series is None, e.year, e.id)):
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
