"""Collections of games in PGN and the history in, drafts of event files and a report out.

Only the headers are used. Games are grouped into events, names are mapped to the players of the
history, and what is there already is compared with it. Nothing goes into the history itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from edo.core.model import Dataset, Source
from edo.core.problems import EdoError
from edo.core.text import kebab
from edo.importers.pgncast import Cast, cast, free_id
from edo.importers.pgndraft import Draft, Ground, drafted, event_name
from edo.importers.pgnevents import Group, Played, event_key, grouped, site_key, year_of
from edo.importers.pgnfile import BATCH, STDIN, RawGame, Reading, batches
from edo.importers.pgnheaders import PgnGame, clean, understood
from edo.importers.pgnkind import apart_by_name, judged, nobody, single_matches
from edo.importers.pgnknown import KnownEvents
from edo.importers.pgnnames import KnownNames
from edo.importers.pgnoutcome import Import, Outcome, note_already, note_draft, written
from edo.importers.pgnreport import Ledger
from edo.importers.pgntwice import sifted

MAX_GAMES = 500_000  # [games] held at a time; 100 MB with moves are about 200,000
MAX_DRAFTS = 20_000  # [events] of one import, more than anybody can look through

Watch = Callable[[str, Iterator[list[RawGame]], int], Iterator[list[RawGame]]]
"""Passes batches on and shows how far it is; takes a name and how many there will be, 0 unknown."""


class TooMany(EdoError):
    """The collections hold more than is handled at a time; nothing was written."""


def unwatched(name: str, batches: Iterator[list[RawGame]], total: int) -> Iterator[list[RawGame]]:
    """Pass the batches on and show nothing."""
    yield from batches


def import_pgn(paths: Sequence[Path], dataset: Dataset, watch: Watch = unwatched) -> Import:
    """Return the drafts of all events in the collections that the history does not have.

    The same collections and history give the same bytes. Raises NoCollection where a file cannot be
    read, TooMany where there are more games or events than are handled at a time.
    """
    ledger, readings = Ledger(), [Reading(_label(path)) for path in paths]
    games, lost = _usable(paths, readings, watch, ledger)
    who = cast(games, KnownNames(dataset), dataset.players)
    played = _once(_seated(games, who, ledger), ledger, lost)
    ground = _ground(dataset, who, readings)
    drafts = _drafts(grouped(played), lost, KnownEvents(dataset), ground, ledger)
    drawn = {player for draft in drafts for player in draft.group.players}
    new = tuple(player for player in who.new if player.id in drawn)
    outcome = Outcome(readings, len(played), drafts, who, new)
    return written(outcome, ground.sources, dataset, ledger)


def _label(path: Path) -> str:
    shown = "".join(c if c.isprintable() else "�" for c in path.as_posix())
    return "standard input" if str(path) == STDIN else shown


def _usable(
    paths: Sequence[Path], readings: Sequence[Reading], watch: Watch, ledger: Ledger
) -> tuple[list[tuple[PgnGame, int]], Counter[tuple[str, int]]]:
    """Return the games that can count, each with its year, and how many an event lost."""
    games: list[tuple[PgnGame, int]] = []
    lost: Counter[tuple[str, int]] = Counter()
    apart: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], str] = {}
    for path, reading in zip(paths, readings, strict=True):
        plain = str(path) != STDIN and path.suffix not in (".gz", ".bz2", ".zip")
        total = path.stat().st_size // BATCH + 1 if plain and path.is_file() else 0
        for batch in watch(reading.file, batches(path, reading), total):
            if len(games) > MAX_GAMES:
                raise TooMany(f"more than {MAX_GAMES} games; give the collections one by one")
            for game in map(understood, batch):
                year = year_of(game)
                if reason := _apart(game):
                    key = (game.event or "no event", reason)
                    apart[key] += 1
                    first.setdefault(key, game.place)
                elif (reason := _unusable(game)) or year is None:
                    ledger.note("left out", game.place, reason or "no year in any header")
                    lost[event_key(game.event), year or 0] += 1
                else:
                    games.append((game, year))
                    if game.doubt:
                        ledger.note("dates", game.place, game.doubt)
    for (event, reason), number in apart.items():
        ledger.note("apart", first[event, reason], f"{event}: {reason} ({number} games)")
    return games, lost


def _apart(game: PgnGame) -> str:
    if not game.event:
        return "no event named"
    return game.apart or apart_by_name(game.event)


def _unusable(game: PgnGame) -> str:
    for name in (game.white, game.black):
        if nobody(name):
            return f"`{name}` is not one person" if name else "a player is not named"
    if game.score is None:
        return f"{game.white} - {game.black}: no result"
    return ""


def _seated(games: Iterable[tuple[PgnGame, int]], who: Cast, ledger: Ledger) -> Iterator[Played]:
    for game, year in games:
        white, black = who.ids[game.white, year], who.ids[game.black, year]
        if white == black:
            said = f"{game.white} - {game.black}: both are taken for {white}"
            ledger.note("left out", game.place, said)
        else:
            yield Played(white, black, year, game)


def _once(
    games: Iterable[Played], ledger: Ledger, lost: Counter[tuple[str, int]]
) -> tuple[Played, ...]:
    """Return each game once; games of which the collection has two results are lost."""
    found = sifted(games)
    for each, other in found.twice:
        ledger.note("twice", each.game.place, f"{_who(each)} stands at {other.game.place} already")
    for each, other in found.at_odds:
        ledger.note("at odds", each.game.place,
                    f"{_who(each)} has another result at {other.game.place}")  # fmt: skip
        lost[event_key(each.game.event), each.year] += 1
    bare = [each for each in found.games if each.game.bare]
    if 2 * len(bare) < len(found.games):  # else the collection has headers only
        for each in bare:
            ledger.note("bare", each.game.place, f"{_who(each)} has no moves")
    return found.games


def _who(each: Played) -> str:
    game = each.game
    return f"{game.white} - {game.black} ({game.event}, {game.date or each.year})"


def _ground(dataset: Dataset, who: Cast, readings: Sequence[Reading]) -> Ground:
    names = {player.id: player.name for player in dataset.players.values()}
    names |= {player.id: player.name for player in who.new}
    places = {site_key(place.name): place for place in dataset.places.values()}
    taken = dict.fromkeys(dataset.sources, 1)
    sources: dict[str, Source] = {}
    for reading in readings:
        title = f"{clean(Path(reading.file).name)} (collection of games in PGN)"
        known = next((s for s in dataset.sources.values() if s.title == title), None)
        stem = Path(reading.file).name.partition(".")[0]
        sources[reading.file] = known or sources.get(reading.file) or Source(
            free_id(f"pgn {stem}", "pgn", taken), title,
            notes="Only the headers of the games were used: players, dates, rounds and results.",
        )  # fmt: skip
    return Ground(names, places, sources, dict.fromkeys(dataset.events, 1))


def _drafts(
    groups: Iterable[Group], lost: Counter[tuple[str, int]], known: KnownEvents, ground: Ground,
    ledger: Ledger,
) -> list[Draft]:  # fmt: skip
    drafts: list[Draft] = []
    for group in (part for each in groups for part in single_matches(each)):
        keys = {(event_key(each.game.event), each.year) for each in group.games}
        verdict = judged(group, sum(lost[key] for key in keys))
        kind = verdict.kind if len(group.players) > 2 or verdict.kind != "tournament" else "match"
        there = known.already(group, kind)
        if there is not None:
            note_already(group, there, ledger)
        elif verdict.apart:
            ledger.note("apart", group.place, f"{group.called}: {verdict.apart}")
        elif there := known.called(kebab(event_name(group, verdict, ground)), group):
            note_already(group, there, ledger)
        else:
            drafts.append(drafted(group, verdict, ground))
            note_draft(drafts[-1], ledger)
            if len(drafts) > MAX_DRAFTS:
                raise TooMany(f"more than {MAX_DRAFTS} events; give the collections one by one")
    return drafts
