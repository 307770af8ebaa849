"""Import of PGN collections: drafts of all events that the history does not have, and a report.

An event of two players is a match, one whose headers name the teams of every game a team match, and
everything else a tournament. What else it looks like is for an editor to decide: a warning says so.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from edo.core.formats import counted
from edo.core.model import Citation, Dataset, Mark
from edo.core.problems import EdoError
from edo.core.text import kebab
from edo.core.yaml import YamlValue
from edo.importers.compose import NewEvent, PairScore
from edo.importers.drafts import Drafts, Import
from edo.importers.known import Outline, event_key, site_key, span_of, tally, town, years_in
from edo.importers.people import Mention, nobody
from edo.importers.pgn.events import Group, Played, deduplicated, grouped, year_of
from edo.importers.pgn.read import BATCH, STDIN, PgnGame, Reading, batches, clean

MAX_READ = 500_000  # [games] held at a time; 100 MB with moves are about 200,000
MAX_DRAFTS = 20_000  # [events] of one import, more than anybody can look through
MAX_PLAYERS = 400  # [players] no event of the period was half as large
MAX_GAMES = 10_000  # [games] of one event; the same
TABLE_FROM = 5  # [players] fewer who met in one place without rounds may have played casually
SWISS_FROM = 8  # [players] fewer can play an all-play-all instead
KNOCKOUT_FROM = 8  # [players] fewer may look like a knock-out by accident

_APART = tuple(
    (reason, re.compile(pattern, re.I))
    for reason, pattern in (
        ("a simultaneous exhibition", r"\b(simul\w*|sim|c?ksim|exhib\w*|exh)\b"),
        ("blindfold play", r"\b(blindfold|blind|bl?sim|bf)\b"),
        ("casual games", r"\b(casual|off-?hand|informal|friendly|skittles|freie? partien?)\b"),
        ("correspondence", r"\b(corr|corresp\w*|postal|e-?mail|fern(partie|schach|turnier)\w*)\b"),
        ("consultation", r"\b(consult\w*|allies|cons|beratung\w*)\b"),
        ("games at odds", r"\b(odds|handicap|hcp|vorgabe\w*)\b"),
        ("quick play", r"\b(blitz|rapid\w*|lightning|bullet)\b"),
        ("not a game of two people", r"\b(analysis|study|problems?|composed|computer|engine)\b"),
    )
)  # fmt: skip
_TEAMS = re.compile(r"\b(team\w*|olymp\w*|ol|cable|interclub|varsity|count(y|ies) match)\b", re.I)
_MATCH = re.compile(r"\b(m\d*|match\w*|wettkampf|wch\w*|world|ch\w*|play-?off|final)\b", re.I)
_IN_QUESTION = "No moves in the collection; look up whether it was played."
_ONE_MATCH = re.compile(r"\b(m\d*|match\w*|wettkampf)\b", re.I)
_TABLE = re.compile(r"\b(tourn\w*|turnier\w*|match-?tourn\w*|ch|championship)\b", re.I)
_KNOCKOUT = re.compile(r"\b(k\.?o|knock-?out)\b", re.I)

Watch = Callable[[str, Iterator[list[PgnGame]], int], Iterator[list[PgnGame]]]
"""Passes batches on and shows progress; takes a name and the expected number, 0 if unknown."""


class TooMany(EdoError):
    """The collections hold more than is handled at a time; nothing was written."""


class Verdict(NamedTuple):
    """What kind of event a group of games was; `apart` is the reason why it is not drafted.

    `shape` is for the report; `whole`: all results are there.
    """

    kind: str = "tournament"
    shape: str = "tournament"
    apart: str = ""
    whole: bool = False
    missing: str = ""
    completeness: str | None = None
    warnings: tuple[str, ...] = ()


def import_pgn(paths: Sequence[Path], dataset: Dataset, watch: Watch | None = None) -> Import:
    """Return the drafts of all events in the collections that the history does not have.

    The same collections and history give the same bytes. Raises UnreadableCollection where a file
    cannot be read, TooMany where there are more games or events than are handled at a time.
    """
    drafts, readings = Drafts(dataset), [Reading(_label(path)) for path in paths]
    games, lost = _usable(paths, readings, watch, drafts)
    ids = drafts.recognize(
        Mention(name, year, game.place, game.place)
        for game, year in games
        for name in (game.white, game.black)
    ).ids
    drafts.check_letters((text, game.place) for game, _ in games
                         for text in (game.event, game.site, *game.teams))  # fmt: skip
    played: list[Played] = []
    for game, year in games:
        white, black = ids[game.white, year], ids[game.black, year]
        if white == black:
            text = f"{game.white} - {game.black}: both are taken for {white}"
            drafts.note("left out", game.place, text)
        else:
            played.append(Played(white, black, year, game))
    played = _once(played, drafts, lost)
    for group in grouped(played):
        for part in single_matches(group):
            keys = {(event_key(each.game.event), each.year) for each in part.games}
            _add(drafts, part, sum(lost[key] for key in keys))
    return drafts.files("Import of games", {str(each): each.details for each in readings}, {
        "games read": sum(each.games for each in readings),
        "games used": len(played),
        "games left out": drafts.number("left out"),
        "duplicate games": drafts.number("twice"),
        "contradictions": drafts.number("conflicts"),
    })  # fmt: skip


def _label(path: Path) -> str:
    shown = "".join(c if c.isprintable() else "�" for c in path.as_posix())
    return "standard input" if str(path) == STDIN else shown


def _usable(
    paths: Sequence[Path], readings: Sequence[Reading], watch: Watch | None, drafts: Drafts
) -> tuple[list[tuple[PgnGame, int]], Counter[tuple[str, int]]]:
    """Return the games that can count, each with its year, and how many games each event lost."""
    games: list[tuple[PgnGame, int]] = []
    lost: Counter[tuple[str, int]] = Counter()
    apart: dict[tuple[str, str], list[str]] = {}
    for read in _interpreted(paths, readings, watch):
        game = replace(read, event=" – ".join(sorted(read.teams))) \
            if all(read.teams) and not read.event else read  # fmt: skip
        if len(games) > MAX_READ:
            raise TooMany(f"more than {MAX_READ} games; import the collections one by one")
        year = year_of(game)
        reason = game.apart or apart_by_name(game.event) if game.event else "no event named"
        if reason:
            apart.setdefault((game.event or "no event", reason), []).append(game.place)
        elif (reason := _unusable(game)) or year is None:
            drafts.note("left out", game.place, reason or game.warning or "no year in any header")
            lost[event_key(game.event), year or 0] += 1
        else:
            games.append((game, year))
            if game.warning:
                drafts.note("dates", game.place, game.warning)
    for (event, reason), places in apart.items():
        drafts.note("apart", places[0], f"{event}: {reason} ({counted(len(places), 'game')})")
    return games, lost


def _interpreted(
    paths: Sequence[Path], readings: Sequence[Reading], watch: Watch | None
) -> Iterator[PgnGame]:
    for path, reading in zip(paths, readings, strict=True):
        plain = str(path) != STDIN and path.suffix not in (".gz", ".bz2", ".zip")
        total = path.stat().st_size // BATCH + 1 if plain and path.is_file() else 0
        read = batches(path, reading)
        for batch in watch(reading.file, read, total) if watch else read:
            yield from batch


def _unusable(game: PgnGame) -> str:
    for name in (game.white, game.black):
        if nobody(name):
            return f"`{name}` is not one person" if name else "a player is not named"
    return f"{game.white} - {game.black}: no result" if game.score is None else ""


def _once(games: Iterable[Played], drafts: Drafts, lost: Counter[tuple[str, int]]) -> list[Played]:
    """Return each game once; games of which the collection has two results are lost."""
    kept, twice, conflicts = deduplicated(games)
    for each, earlier in twice:
        drafts.note("twice", each.game.place, f"{each} repeats {earlier.game.place}")
    for each, earlier in conflicts:
        text = f"{each} has another result at {earlier.game.place}"
        drafts.note("conflicts", each.game.place, text)
        lost[event_key(each.game.event), each.year] += 1
    bare = [each for each in kept if each.game.bare]
    if 2 * len(bare) >= len(kept):  # the collection has headers only
        return kept
    for each in bare:
        drafts.note("bare", each.game.place, f"{each} has no moves")
    return [each._replace(in_question=each.game.bare) for each in kept]


def _add(drafts: Drafts, group: Group, lost: int) -> None:
    """Draft the event unless the history has it or it says nothing about strength."""
    verdict = judge(group, lost)
    known = outline(group, verdict.kind)
    already = drafts.events.find(known)
    if already is None and verdict.apart:
        drafts.note("apart", group.place, f"{group.called}: {verdict.apart}")
        return
    name = event_name(group, verdict, drafts.names)
    already = already or drafts.events.with_id(kebab(name), known)
    if already is not None:
        drafts.note_known(group.place, group.called, already)
        return
    event, warnings = _event(drafts, name, group, verdict, lost)
    size = f"{verdict.shape}, {len(group.players)} players, {len(group.games)} games"
    drafts.add(event, size, group.place, warnings)
    if len(drafts.ids) > MAX_DRAFTS:
        raise TooMany(f"more than {MAX_DRAFTS} events; import the collections one by one")


def apart_by_name(event: str) -> str:
    """Return why an event of this name is set apart, `` where it is not."""
    return next((reason for reason, pattern in _APART if pattern.search(event)), "")


def single_matches(group: Group) -> list[Group]:
    """Return a group for each pair where the headers say `match` and several pairs played one."""
    names = " ".join(group.events)
    pairs: dict[frozenset[str], list[Played]] = defaultdict(list)
    for each in group.games:
        pairs[each.pair].append(each)
    longer = sum(len(games) > 1 for games in pairs.values())
    plain = _ONE_MATCH.search(names) and not (_TEAMS.search(names) or _TABLE.search(names))
    if len(group.players) < 3 or not plain or 3 * longer < 2 * len(pairs):
        return [group]
    why = f"divided from {len(pairs)} matches under one header"
    return [
        group._replace(games=tuple(games), warnings=(*group.warnings, why))
        for games in pairs.values()
    ]


def judge(group: Group, lost: int) -> Verdict:
    """Return what the event was; `lost` of its games have no usable result [games]."""
    games, players = group.games, group.players
    names = " ".join(group.events)
    if len(players) > MAX_PLAYERS or len(games) > MAX_GAMES:
        return Verdict(apart=f"{len(players)} players and {len(games)} games: more than one event")
    teams = _teams(group)
    if len(teams) == 2 or (len(teams) > 2 and all(all(each.game.teams) for each in games)):
        shape = "team match" if len(teams) == 2 else f"matches of {len(teams)} teams"
        return Verdict("team match", shape)
    if len(games) == 1 and not (teams or _TEAMS.search(names)):
        return Verdict(apart="a single game, which says nothing about how the event went")
    if len(players) > 2:
        return _tournament(group, names, len(teams), lost)
    named = _MATCH.search(names)
    if not named and not any(each.game.round for each in games):
        apart = "two players, no round numbers and no word for a match: perhaps casual games"
        return Verdict("match", apart=apart)
    warning = "a match because it has two players; may be a part of a larger event"
    return Verdict("match", "match", warnings=() if named else (warning,))


def _teams(group: Group) -> set[str]:
    return {team for each in group.games for team in each.game.teams if team}


def _tournament(group: Group, names: str, teams: int, lost: int) -> Verdict:
    games, players = group.games, group.players
    numbered = any(each.game.round for each in games)
    counts = Counter(each.pair for each in games)
    possible = len(players) * (len(players) - 1) // 2
    called_by_place = {event_key(name) for name in group.events} <= set(map(site_key, group.sites))
    many = len(players) >= TABLE_FROM and 2 * len(counts) >= possible
    if not numbered and called_by_place and not many:
        return Verdict(apart="a few pairs, no round numbers and no name except the place: "
                       "perhaps casual games")  # fmt: skip
    warnings = [] if numbered else ["no game has a round number; may be casual games"]
    warnings += _looks_like(group, names, teams, counts)
    if len(counts) == possible and len(set(counts.values())) == 1 and not lost:
        return _all_play_all(group, next(iter(counts.values())), warnings)
    if (apart := _never_met(counts)) > 1:
        warnings.append(f"{apart} groups of players that never met: "
                        "check whether they are several events under one name")  # fmt: skip
    return Verdict(warnings=tuple(warnings))


def _all_play_all(group: Group, each: int, warnings: Sequence[str]) -> Verdict:
    """Return the verdict on a table without gaps: complete unless others may have taken part."""
    number = len(group.players)
    shape = {1: "single all-play-all", 2: "double all-play-all"}.get(each, "all-play-all")
    highest = max((each.game.round[0] for each in group.games if each.game.round), default=0)
    if highest > each * (number if number % 2 else number - 1):
        need = f"more than these {number} players need"
        text = f"The rounds are numbered up to {highest}, {need}; others took part."
        return Verdict(shape=shape, missing=text, warnings=(*warnings, text))
    if number == 3:
        text = "All pairs of these 3 players have met; whether others took part is not known."
        return Verdict(shape=shape, missing=text, completeness="unverified",
                       warnings=(*warnings, text))  # fmt: skip
    return Verdict(shape=shape, whole=True, warnings=tuple(warnings))


def _looks_like(group: Group, names: str, teams: int, counts: Counter[frozenset[str]]) -> list[str]:
    """Return warnings of events that may not be all-play-alls."""
    if teams or _TEAMS.search(names):
        return ["looks like a team event: write `kind: team match` and the teams of each round"]
    rounds: dict[int, list[frozenset[str]]] = defaultdict(list)
    for each in group.games:
        if not each.game.round:
            return []
        if each.pair not in rounds[each.game.round[0]]:
            rounds[each.game.round[0]].append(each.pair)
    players = [frozenset().union(*pairs) for _, pairs in sorted(rounds.items())]
    once = sum(map(len, players)) == 2 * sum(map(len, rounds.values()))  # nobody twice in a round
    halved = all(b < a and 2 * len(b) <= len(a) + 1 for a, b in pairwise(players))
    number = len(group.players)
    if _KNOCKOUT.search(names) or (
        number >= KNOCKOUT_FROM and len(rounds) >= 3 and once and halved
    ):
        return ["looks like a knock-out: write the format and the rounds"]
    few = 3 <= len(rounds) <= number - 3 and max(counts.values()) == 1
    if number >= SWISS_FROM and once and few and 5 * len(counts) >= 2 * len(rounds) * number:
        return ["looks like a Swiss tournament: write the format if a source says so"]
    return []


def _never_met(pairs: Iterable[frozenset[str]]) -> int:
    """Return the number of groups of players without a game between two of them."""
    groups: list[frozenset[str]] = []
    for pair in pairs:
        met = [group for group in groups if group & pair]
        groups = [group for group in groups if group not in met] + [pair.union(*met)]
    return len(groups)


def event_name(group: Group, verdict: Verdict, names: Mapping[str, str]) -> str:
    """Return the name under which the event is drafted; `names` are those of players by id."""
    named = Counter(each.game.event for each in group.games if each.game.event)
    event = min(named, key=lambda name: (-named[name], name))
    site = group.sites[0] if group.sites else ""
    where = f", {town(site)}" if town(site) else ""
    if verdict.kind == "match":
        points = {p: sum(each.points(p) for each in group.games) for p in group.players}
        pair = sorted(points, key=lambda player: (-points[player], player))
        return f"{' – '.join(names[each].partition(',')[0] for each in pair)}{where} {group.year}"
    if not set(site_key(site).split()) & set(event_key(event).split()):
        event += where
    years = {str(group.year), f"/{group.year % 100:02d}"}
    return event if any(year in event for year in years) else f"{event} {group.year}"


def outline(group: Group, kind: str) -> Outline:
    """Return what identifies the event."""
    rows = ((g.white, g.black, 1.0, g.points(g.white), g.points(g.black)) for g in group.games)
    years = frozenset((group.year, *(each.year for each in group.games)))
    return Outline(group.events, group.sites, years, kind, group.players, tally(rows))


def _event(
    drafts: Drafts, name: str, group: Group, verdict: Verdict, lost: int
) -> tuple[NewEvent, tuple[str, ...]]:
    """Return the event to be written, and the warnings about it."""
    place, warning = _place(group, drafts.places)
    dates = span_of([each.game.date or str(each.year) for each in group.games], group.year)
    fields: dict[str, YamlValue] = {"name": name, "kind": verdict.kind, "year": group.year,
                                "place": place, "dates": dates}  # fmt: skip
    if verdict.missing:
        fields |= {"missing": verdict.missing, "completeness": verdict.completeness}
    for text in verdict.warnings:
        if text.startswith("looks like"):
            fields["notes"] = f"{text.partition(':')[0].capitalize()}; no source has confirmed it."
    ordered = sorted(group.games, key=lambda each: (each.game.round or (10**6,), each.game.date))
    cited = Counter(_source(drafts, each.game.file) for each in group.games)
    where = f"games headed {_headers(group)}"
    citations = tuple(Citation(id_, where) for id_ in sorted(cited, key=lambda i: (-cited[i], i)))
    several = len(_teams(group)) > 2
    scores = tuple(_score(each, verdict.kind, several) for each in ordered)
    named = years_in(" ".join(group.events))
    if named and not any(abs(year - group.year) < 2 for year in named):
        text = f"the name of the event has the year {named[-1]}, its games are of {group.year}"
        warning = (*warning, text)
    if bare := sum(each.in_question for each in ordered):
        text = f"games without moves, drafted as defaults in question: {bare}"
        warning = (*warning, text)
    id_ = drafts.new_event_id(name, group.year)
    event = NewEvent(id_, fields, scores, citations, whole=verdict.whole, lost=lost)
    return event, (*group.warnings, *verdict.warnings, *warning)


def _source(drafts: Drafts, file: str) -> str:
    notes = "Only the headers of the games were used: players, dates, rounds and results."
    title = f"{clean(Path(file).name)} (collection of games in PGN)"
    return drafts.source(title, f"pgn {Path(file).name.partition('.')[0]}", notes=notes)


def _score(each: Played, kind: str, several: bool) -> PairScore:
    """Return the score of a game; `several`: more than two teams play, a match of two a round."""
    points = each.points(each.white)
    won, lost = "+-" if each.in_question else "10"
    mark = Mark(won if points == 1 else lost if points == 0 else "=", "w")  # type: ignore[arg-type]
    number = ".".join(map(str, each.game.round[: 2 if kind == "match" else 1]))
    if kind == "team match" and several:
        teams = " – ".join(sorted(each.game.teams))
        number = f"{number}: {teams}" if number else teams
    said: dict[str, YamlValue] = {}
    if each.in_question:
        said = {"note": _IN_QUESTION} if points == 0.5 else {"default": _IN_QUESTION}
    return PairScore(each.white, each.black, points, 1 - points, (mark,), round=number,
                     teams=each.game.teams, annotation=said)  # fmt: skip


def _headers(group: Group) -> str:
    names = ", ".join(f'"{name}"' for name in group.events)
    sites = [site for site in group.sites if site not in group.events]
    return f"{names} ({', '.join(sites)})" if sites else names


def _place(group: Group, places: Mapping[str, str]) -> tuple[str | None, tuple[str, ...]]:
    keys = {key: site for site in group.sites if (key := site_key(site))}
    ids = {places[key] for key in keys if key in places}
    if len(ids) == len(keys) == 1:
        return ids.pop(), ()
    if not keys:
        return None, ("the headers name no place",)
    if len(keys) > 1:
        return None, (f"several places: {', '.join(sorted(keys.values()))}",)
    return None, (f"the place `{next(iter(keys.values()))}` is not in places.yaml; add it there "
                  "and write `place`",)  # fmt: skip
