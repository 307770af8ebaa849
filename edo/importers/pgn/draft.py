"""Import of PGN collections: drafts of all events that the history does not have, and a report.

An event of two players is a match, one whose headers name two teams in every game a team match, and
everything else a tournament. Whether it was a knock-out, a Swiss tournament or a team event without
names of teams is for an editor to say: a warning asks.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from edo.core.formats import counted
from edo.core.model import Citation, Dataset, Mark
from edo.core.problems import EdoError
from edo.core.text import kebab
from edo.core.yaml import YamlValue
from edo.importers.compose import NewEvent, PairScore
from edo.importers.drafts import Drafts, Import
from edo.importers.known import event_key, site_key, span_of, town, years_in
from edo.importers.people import Mention, nobody
from edo.importers.pgn.events import Group, Played, deduplicated, grouped, year_of
from edo.importers.pgn.read import BATCH, STDIN, PgnGame, Reading, batches, clean

MAX_READ = 500_000  # [games] held at a time; 100 MB with moves are about 200,000
MAX_DRAFTS = 20_000  # [events] of one import, more than anybody can look through
MAX_PLAYERS = 400  # [players] no event of the period was half as large
TABLE_FROM = 5  # [players] fewer who met in one place without rounds may have played casually

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
_MATCH = re.compile(r"\b(m\d*|match\w*|wettkampf|wch\w*|world|ch\w*|play-?off|final)\b", re.I)
_ONE_MATCH = re.compile(r"\b(m\d*|match\w*|wettkampf)\b", re.I)
_IN_QUESTION = "No moves in the collection; look up whether it was played."

Watch = Callable[[str, Iterator[list[PgnGame]], int], Iterator[list[PgnGame]]]
"""Passes batches on and shows progress; takes a name and the expected number, 0 if unknown."""


class TooMany(EdoError):
    """The collections hold more than is handled at a time; nothing was written."""


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
    kind = _kind(group)
    ordered = sorted(group.games, key=lambda each: (each.game.round or (10**6,), each.game.date))
    scores = tuple(_score(each, kind, len(_teams(group)) > 2) for each in ordered)
    years = frozenset((group.year, *(each.year for each in group.games)))
    new = NewEvent("", {"kind": kind}, scores, (), names=group.events, sites=group.sites,
                   years=years, lost=lost)  # fmt: skip
    if known := drafts.events.find(new):
        drafts.note_known(group.place, group.called, known)
        return
    if apart := _apart(group, kind):
        drafts.note("apart", group.place, f"{group.called}: {apart}")
        return
    name = event_name(group, kind, drafts.names)
    place, warnings = drafts.place(group.sites)
    dates = span_of([each.game.date or str(each.year) for each in group.games], group.year)
    is_whole, missing, doubts = _completeness(group, kind, lost)
    fields: dict[str, YamlValue] = {
        "name": name, "kind": kind, "year": group.year, "place": place, "dates": dates,
        **missing,
    }  # fmt: skip
    event = replace(
        new, id=drafts.new_event_id(name, group.year), fields=fields,
        sources=_citations(drafts, group), whole=is_whole,
    )  # fmt: skip
    size = f"{kind}, {len(group.players)} players, {len(group.games)} games"
    warnings = [*group.warnings, *doubts, *warnings, *_odd_years(group)]
    if kebab(name) in drafts.dataset.events:
        warnings.append(f"the history has `{kebab(name)}`: look whether it is the same event")
    if bare := sum(each.in_question for each in group.games):
        warnings.append(f"games without moves, drafted as defaults in question: {bare}")
    drafts.add(event, size, group.place, warnings)
    if len(drafts.ids) > MAX_DRAFTS:
        raise TooMany(f"more than {MAX_DRAFTS} events; import the collections one by one")


def apart_by_name(event: str) -> str:
    """Return why an event of this name is set apart, `` where it is not."""
    return next((reason for reason, pattern in _APART if pattern.search(event)), "")


def single_matches(group: Group) -> list[Group]:
    """Return a group for each pair where the headers say `match` and the pairs make no table."""
    pairs: dict[frozenset[str], list[Played]] = defaultdict(list)
    for each in group.games:
        pairs[each.pair].append(each)
    are_long = 2 * sum(len(games) > 1 for games in pairs.values()) >= len(pairs)
    if not _ONE_MATCH.search(" ".join(group.events)) or not are_long or not (
        1 < len(pairs) < len(group.players)
    ):  # fmt: skip
        return [group]
    why = f"divided from {len(pairs)} matches under one header"
    return [
        group._replace(games=tuple(games), warnings=(*group.warnings, why))
        for games in pairs.values()
    ]


def _teams(group: Group) -> set[str]:
    return {team for each in group.games for team in each.game.teams if team}


def _kind(group: Group) -> str:
    if all(all(each.game.teams) and each.game.teams[0] != each.game.teams[1]
           for each in group.games):  # fmt: skip
        return "team match"
    is_match = len(group.players) == 2 and len(group.games) > 1  # one game may be part of anything
    return "match" if is_match else "tournament"


def _apart(group: Group, kind: str) -> str:
    """Return why an event is not drafted, `` where it is."""
    if len(group.players) > MAX_PLAYERS:
        return f"{len(group.players)} players: more than one event"
    if len(group.games) == 1 and kind != "team match":
        return "a single game, which says nothing about how the event went"
    if kind == "team match" or any(each.game.round for each in group.games):
        return ""
    if kind == "match" and not _MATCH.search(" ".join(group.events)):
        return "two players, no round numbers and no word for a match: perhaps casual games"
    number, pairs = len(group.players), {each.pair for each in group.games}
    is_table = number >= TABLE_FROM and 4 * len(pairs) >= number * (number - 1)
    has_name = set(map(event_key, group.events)) - set(map(site_key, group.sites))
    if kind == "tournament" and not has_name and not is_table:
        return "a few pairs, no round numbers and no name except the place: perhaps casual games"
    return ""


def _completeness(
    group: Group, kind: str, lost: int
) -> tuple[bool, dict[str, YamlValue], list[str]]:
    """Return whether the games are all of the event, fields that say why not, and doubts.

    `lost` games have no usable result [games].
    """
    if kind != "tournament":
        named = kind == "team match" or _MATCH.search(" ".join(group.events))
        doubt = "a match because it has two players; may be a part of a larger event"
        return False, {}, [] if named else [doubt]
    number, counts = len(group.players), Counter(each.pair for each in group.games)
    rounds = [each.game.round[0] for each in group.games if each.game.round]
    doubts = [] if rounds else ["no game has a round number; may be casual games"]
    if (apart := _never_met(counts)) > 1:
        doubts.append(f"{apart} groups of players that never met: "
                      "check whether they are several events under one name")  # fmt: skip
    elif 2 * len(counts) < number * (number - 1):
        doubts.append("not all pairs met: if it was a knock-out, a Swiss tournament or a team "
                      "event, write the format and the rounds")  # fmt: skip
    is_table = 2 * len(counts) == number * (number - 1) and len({*counts.values()}) == 1
    if lost or not is_table:
        return False, {}, doubts
    if not rounds:
        text = f"All pairs of these {number} players met; whether others took part is not known."
        return False, {"completeness": "unverified", "missing": text}, doubts
    if max(rounds) > max(counts.values()) * (number if number % 2 else number - 1):
        need = f"more than these {number} players need"
        text = f"The rounds are numbered up to {max(rounds)}, {need}; others took part."
        return False, {"missing": text}, [*doubts, text]
    return True, {}, doubts


def _odd_years(group: Group) -> list[str]:
    named = years_in(" ".join(group.events))
    if not named or any(abs(year - group.year) < 2 for year in named):
        return []
    return [f"the name of the event has the year {named[-1]}, its games are of {group.year}"]


def _never_met(pairs: Iterable[frozenset[str]]) -> int:
    """Return the number of groups of players without a game between two of them."""
    groups: list[frozenset[str]] = []
    for pair in pairs:
        met = [group for group in groups if group & pair]
        groups = [group for group in groups if group not in met] + [pair.union(*met)]
    return len(groups)


def event_name(group: Group, kind: str, names: Mapping[str, str]) -> str:
    """Return the name under which the event is drafted; `names` are those of players by id."""
    named = Counter(each.game.event for each in group.games if each.game.event)
    event = min(named, key=lambda name: (-named[name], name))
    site = group.sites[0] if group.sites else ""
    where = f", {town(site)}" if town(site) else ""
    if kind == "match":
        points = {p: sum(each.points(p) for each in group.games) for p in group.players}
        pair = sorted(points, key=lambda player: (-points[player], player))
        return f"{' – '.join(names[each].partition(',')[0] for each in pair)}{where} {group.year}"
    if not set(site_key(site).split()) & set(event_key(event).split()):
        event += where
    years = {str(group.year), f"/{group.year % 100:02d}"}
    return event if any(year in event for year in years) else f"{event} {group.year}"


def _citations(drafts: Drafts, group: Group) -> tuple[Citation, ...]:
    cited = Counter(_source(drafts, each.game.file) for each in group.games)
    where = f"games headed {_headers(group)}"
    return tuple(Citation(id_, where) for id_ in sorted(cited, key=lambda i: (-cited[i], i)))


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
