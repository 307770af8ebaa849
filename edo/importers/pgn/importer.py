"""Import of PGN collections: drafts of all events that the history does not have, and a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from edo.core.model import Dataset
from edo.core.problems import EdoError
from edo.core.text import kebab
from edo.core.yaml import Plain
from edo.importers.drafts import Drafts
from edo.importers.known import event_key
from edo.importers.names import KnownNames, Mention, Roster, nobody, roster
from edo.importers.pgn.draft import (
    Lookups,
    apart_by_name,
    draft,
    event_name,
    judge,
    outline,
    single_matches,
)
from edo.importers.pgn.events import Group, Played, deduplicated, grouped, year_of
from edo.importers.pgn.read import BATCH, STDIN, PgnGame, Reading, batches, clean
from edo.importers.report import Report

MAX_GAMES = 500_000  # [games] held at a time; 100 MB with moves are about 200,000
MAX_DRAFTS = 20_000  # [events] of one import, more than anybody can look through

Watch = Callable[[str, Iterator[list[PgnGame]], int], Iterator[list[PgnGame]]]
"""Passes batches on and shows progress; takes a name and the expected number, 0 if unknown."""


class TooMany(EdoError):
    """The collections hold more than is handled at a time; nothing was written."""


@dataclass(frozen=True, slots=True)
class Import:
    """The files of an import by their paths in the folder of drafts, and its counts."""

    files: Mapping[str, bytes]
    counts: Mapping[str, Plain]
    readings: Sequence[str]


def unwatched(name: str, batches: Iterator[list[PgnGame]], total: int) -> Iterator[list[PgnGame]]:
    """Pass the batches on and show nothing."""
    yield from batches


def import_pgn(paths: Sequence[Path], dataset: Dataset, watch: Watch = unwatched) -> Import:
    """Return the drafts of all events in the collections that the history does not have.

    The same collections and history give the same bytes. Raises UnreadableCollection where a file
    cannot be read, TooMany where there are more games or events than are handled at a time.
    """
    report, readings = Report(), [Reading(_label(path)) for path in paths]
    games, lost = _usable(paths, readings, watch, report)
    mentions = (
        Mention(name, year, game.place) for game, year in games for name in (game.white, game.black)
    )
    people = roster(mentions, KnownNames(dataset), dataset.players)
    played = _once(_with_ids(games, people, report), report, lost)
    drafts = Drafts(dataset, people, report)
    lookups = _lookups(drafts, readings)
    for group in grouped(played):
        for part in single_matches(group):
            keys = {(event_key(each.game.event), each.year) for each in part.games}
            _add(drafts, part, lookups, sum(lost[key] for key in keys))
    inputs = {_described(each): _details(each) for each in readings}
    files, counts = drafts.files("Import of games", inputs, {
        "games read": sum(each.games for each in readings),
        "games used": len(played),
        "games left out": report.number("left out"),
        "duplicate games": report.number("twice"),
        "contradictions": report.number("conflicts"),
    })  # fmt: skip
    return Import(files, counts, list(inputs))


def _label(path: Path) -> str:
    shown = "".join(c if c.isprintable() else "�" for c in path.as_posix())
    return "standard input" if str(path) == STDIN else shown


def _usable(
    paths: Sequence[Path], readings: Sequence[Reading], watch: Watch, report: Report
) -> tuple[list[tuple[PgnGame, int]], Counter[tuple[str, int]]]:
    """Return the games that can count, each with its year, and how many games each event lost."""
    games: list[tuple[PgnGame, int]] = []
    lost: Counter[tuple[str, int]] = Counter()
    apart: dict[tuple[str, str], list[str]] = {}
    for game in _interpreted(paths, readings, watch):
        if len(games) > MAX_GAMES:
            raise TooMany(f"more than {MAX_GAMES} games; import the collections one by one")
        year = year_of(game)
        if reason := _apart(game):
            apart.setdefault((game.event or "no event", reason), []).append(game.place)
        elif (reason := _unusable(game)) or year is None:
            report.note("left out", game.place, reason or "no year in any header")
            lost[event_key(game.event), year or 0] += 1
        else:
            games.append((game, year))
            if game.warning:
                report.note("dates", game.place, game.warning)
    for (event, reason), places in apart.items():
        report.note("apart", places[0], f"{event}: {reason} ({len(places)} games)")
    return games, lost


def _interpreted(
    paths: Sequence[Path], readings: Sequence[Reading], watch: Watch
) -> Iterator[PgnGame]:
    for path, reading in zip(paths, readings, strict=True):
        plain = str(path) != STDIN and path.suffix not in (".gz", ".bz2", ".zip")
        total = path.stat().st_size // BATCH + 1 if plain and path.is_file() else 0
        for batch in watch(reading.file, batches(path, reading), total):
            yield from batch


def _apart(game: PgnGame) -> str:
    if not game.event:
        return "no event named"
    return game.apart or apart_by_name(game.event)


def _unusable(game: PgnGame) -> str:
    for name in (game.white, game.black):
        if nobody(name):
            return f"`{name}` is not one person" if name else "a player is not named"
    return f"{game.white} - {game.black}: no result" if game.score is None else ""


def _with_ids(
    games: Iterable[tuple[PgnGame, int]], people: Roster, report: Report
) -> Iterator[Played]:
    for game, year in games:
        white, black = people.ids[game.white, year], people.ids[game.black, year]
        if white == black:
            text = f"{game.white} - {game.black}: both are taken for {white}"
            report.note("left out", game.place, text)
        else:
            yield Played(white, black, year, game)


def _once(
    games: Iterable[Played], report: Report, lost: Counter[tuple[str, int]]
) -> tuple[Played, ...]:
    """Return each game once; games of which the collection has two results are lost."""
    found = deduplicated(games)
    for each, other in found.twice:
        report.note("twice", each.game.place, f"{_who(each)} repeats {other.game.place}")
    for each, other in found.conflicts:
        report.note("conflicts", each.game.place,
                    f"{_who(each)} has another result at {other.game.place}")  # fmt: skip
        lost[event_key(each.game.event), each.year] += 1
    bare = [each for each in found.games if each.game.bare]
    if 2 * len(bare) < len(found.games):  # else the collection has headers only
        for each in bare:
            report.note("bare", each.game.place, f"{_who(each)} has no moves")
    return found.games


def _who(each: Played) -> str:
    game = each.game
    return f"{game.white} - {game.black} ({game.event}, {game.date or each.year})"


def _add(drafts: Drafts, group: Group, lookups: Lookups, lost: int) -> None:
    """Draft the event unless the history has it or it says nothing about strength."""
    verdict = judge(group, lost)
    found = drafts.events.find(outline(group, verdict.kind))
    if found is None and verdict.apart:
        drafts.report.note("apart", group.place, f"{group.called}: {verdict.apart}")
        return
    name = event_name(group, verdict, lookups.names)
    found = found or drafts.events.with_id(kebab(name), outline(group, verdict.kind))
    if found is not None:
        drafts.report.note_known(group.place, group.called, found)
        return
    id_ = drafts.free_id("events", name, f"event-{group.year}")
    event, warnings = draft(id_, group, verdict, lookups)
    size = f"{verdict.shape}, {len(group.players)} players, {len(group.games)} games"
    drafts.add(event, size, group.place, warnings)
    if len(drafts) > MAX_DRAFTS:
        raise TooMany(f"more than {MAX_DRAFTS} events; import the collections one by one")


def _lookups(drafts: Drafts, readings: Sequence[Reading]) -> Lookups:
    """Return what all drafts need; collections that are new sources become entries."""
    dataset = drafts.dataset
    names = {player.id: player.name for player in dataset.players.values()}
    names |= {player.id: player.name for player in drafts.people.new}
    titles = {source.title: source.id for source in dataset.sources.values()}
    sources: dict[str, str] = {}
    for file in dict.fromkeys(reading.file for reading in readings):
        title = f"{clean(Path(file).name)} (collection of games in PGN)"
        sources[file] = titles.get(title) or drafts.free_id(
            "sources", f"pgn {Path(file).name.partition('.')[0]}", "pgn"
        )
        if title not in titles:
            notes = "Only the headers of the games were used: players, dates, rounds and results."
            drafts.entries["sources"][sources[file]] = {"title": title, "notes": notes}
    return Lookups(names, drafts.places, sources)


def _described(reading: Reading) -> str:
    games = "1 game" if reading.games == 1 else f"{reading.games} games"
    return f"{reading.file}: {games} in {reading.size} bytes, {reading.encoding}"


def _details(reading: Reading) -> Plain:
    return {
        "file": reading.file,
        "games": reading.games,
        "bytes": reading.size,
        "lines": reading.lines,
        "encoding": reading.encoding,
    }
