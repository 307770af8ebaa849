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
from edo.importers.pgn.events import Group, deduplicated, grouped
from edo.importers.pgn.read import STDIN, PgnGame, Reading, clean, read_games

MAX_READ = 500_000  # [games] held at a time; 100 MB with moves are about 200,000
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
_UNPLAYED = "Not played, by the headers of the collection."
_IN_QUESTION = "No moves in the collection; look up whether it was played."

Watch = Callable[[str, Iterator[PgnGame]], Iterator[PgnGame]]
"""Passes the games of a named collection on, and shows progress."""


class TooMany(EdoError):
    """The collections hold more than is handled at a time; nothing was written."""


def import_pgn(paths: Sequence[Path], dataset: Dataset, watch: Watch | None = None) -> Import:
    """Return the drafts of all events in the collections that the history does not have.

    The same collections and history give the same bytes. Raises UnreadableCollection where a file
    cannot be read, TooMany where there are more games than are handled at a time.
    """
    drafts, readings = Drafts(dataset), [Reading(_label(path)) for path in paths]
    games = (
        game
        for path, reading in zip(paths, readings, strict=True)
        for game in (watch or _unwatched)(reading.file, read_games(path, reading))
    )
    usable, lost = _usable(games, drafts)
    ids = drafts.recognize(
        Mention(name, game.year, game.place, game.place, game.file)
        for game in usable
        for name in game.printed
    ).ids
    drafts.check_letters((text, game.place) for game in usable
                         for text in (game.event, game.site, *game.teams))  # fmt: skip
    played: list[PgnGame] = []
    for game in usable:
        white, black = (ids[name, game.year] for name in game.printed)
        if white == black:
            text = f"{game.white} - {game.black}: both are taken for {white}"
            drafts.note("left out", game.place, text)
        else:
            played.append(replace(game, white=white, black=black))
    played = _once(played, drafts, lost)
    for group in grouped(played):
        for part in single_matches(group):
            keys = {(event_key(each.event), each.year) for each in part.games}
            _add(drafts, part, sum(lost[key] for key in keys))
    return drafts.files("Import of games", list(map(str, readings)), {
        "games read": sum(each.games for each in readings),
        "games used": len(played),
    })  # fmt: skip


def _label(path: Path) -> str:
    shown = "".join(c if c.isprintable() else "�" for c in path.as_posix())
    return "standard input" if str(path) == STDIN else shown


def _unwatched(_: str, games: Iterator[PgnGame]) -> Iterator[PgnGame]:
    return games


def _usable(
    games: Iterable[PgnGame], drafts: Drafts
) -> tuple[list[PgnGame], Counter[tuple[str, int]]]:
    """Return the games that can count, and how many games each event lost."""
    usable: list[PgnGame] = []
    lost: Counter[tuple[str, int]] = Counter()
    apart: dict[tuple[str, str], list[str]] = {}
    for game in games:
        if len(usable) > MAX_READ:
            raise TooMany(f"more than {MAX_READ} games; import the collections one by one")
        if reason := game.apart or apart_by_name(game.event) if game.event else "no event named":
            apart.setdefault((game.event or "no event", reason), []).append(game.place)
        elif reason := _unusable(game):
            drafts.note("left out", game.place, reason)
            lost[event_key(game.event), game.year] += 1
        else:
            usable.append(game)
            if game.warning:
                drafts.note("dates", game.place, game.warning)
    for (event, reason), places in apart.items():
        drafts.note("apart", places[0], f"{event}: {reason} ({counted(len(places), 'game')})")
    return usable, lost


def _unusable(game: PgnGame) -> str:
    for name in (game.white, game.black):
        if nobody(name):
            return f"`{name}` is not one person" if name else "a player is not named"
    if game.score is None:
        return f"{game.white} - {game.black}: no result"
    if game.unplayed and game.score == 0.5:
        return f"{game.white} - {game.black}: drawn, but not played"
    return "" if game.year else game.warning or "no year in any header"


def _once(
    games: Iterable[PgnGame], drafts: Drafts, lost: Counter[tuple[str, int]]
) -> list[PgnGame]:
    """Return each game once; games of which the collection has two results are lost."""
    kept, twice, conflicts = deduplicated(games)
    for each, earlier in twice:
        drafts.note("twice", each.place, f"{each} repeats {earlier.place}")
    for each, earlier in conflicts:
        text = f"{each} has another result at {earlier.place}"
        drafts.note("conflicts", each.place, text)
        lost[event_key(each.event), each.year] += 1
    bare = [each for each in kept if each.bare and not each.unplayed]
    if 2 * len(bare) >= len(kept):  # the collection has headers only
        return kept
    for each in bare:
        drafts.note("bare", each.place, f"{each} has no moves")
    return [replace(each, in_question=each.bare and not each.unplayed) for each in kept]


def _add(drafts: Drafts, group: Group, lost: int) -> None:
    """Draft the event unless the history has it or it says nothing about strength."""
    ordered = sorted(group.games, key=lambda each: (each.round or (10**6,), each.date))
    kind, are_many_teams = group.kind, len(group.teams) > 2
    scores = tuple(_score(each, kind, are_many_teams) for each in ordered)
    years = frozenset((group.year, *(each.year for each in group.games)))
    new = NewEvent("", {"kind": kind}, scores, (), names=group.events, sites=group.sites,
                   years=years, partial=True, lost=lost)  # fmt: skip
    if known := drafts.events.find(new):
        drafts.note_known(group.place, group.called, known)
        return
    if apart := _apart(group):
        drafts.note("apart", group.place, f"{group.called}: {apart}")
        return
    name = event_name(group, drafts.names)
    place, warnings = drafts.place(group.sites)
    dates = span_of([each.date or str(each.year) for each in group.games], group.year)
    is_whole, missing, doubts = _completeness(group, lost)
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


def apart_by_name(event: str) -> str:
    """Return why an event of this name is set apart, `` where it is not."""
    return next((reason for reason, pattern in _APART if pattern.search(event)), "")


def single_matches(group: Group) -> list[Group]:
    """Return a group for each pair where the headers say `match` and the pairs make no table."""
    pairs: dict[frozenset[str], list[PgnGame]] = defaultdict(list)
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


def _apart(group: Group) -> str:
    """Return why an event is not drafted, `` where it is."""
    if len(group.players) > MAX_PLAYERS:
        return f"{len(group.players)} players: more than one event"
    if len(group.games) == 1 and group.kind != "team match":
        return "a single game, which says nothing about how the event went"
    if group.kind == "team match" or any(each.round for each in group.games):
        return ""
    if group.kind == "match" and not _MATCH.search(" ".join(group.events)):
        return "two players, no round numbers and no word for a match: perhaps casual games"
    number, pairs = len(group.players), {each.pair for each in group.games}
    is_table = number >= TABLE_FROM and 4 * len(pairs) >= number * (number - 1)
    has_name = set(map(event_key, group.events)) - set(map(site_key, group.sites))
    if group.kind == "tournament" and not has_name and not is_table:
        return "a few pairs, no round numbers and no name except the place: perhaps casual games"
    return ""


def _completeness(group: Group, lost: int) -> tuple[bool, dict[str, YamlValue], list[str]]:
    """Return whether the games are all of the event, fields that say why not, and doubts.

    `lost` games have no usable result [games].
    """
    if group.kind != "tournament":
        named = group.kind == "team match" or _MATCH.search(" ".join(group.events))
        doubt = "a match because it has two players; may be a part of a larger event"
        return False, {}, [] if named else [doubt]
    number, counts = len(group.players), Counter(each.pair for each in group.games)
    rounds = [each.round[0] for each in group.games if each.round]
    doubts = [] if rounds else ["no game has a round number; may be casual games"]
    if 2 * len(counts) < number * (number - 1):
        doubts.append("not all pairs met: if it was a knock-out, a Swiss tournament, a team event "
                      "or several events, write the format and rounds, or divide it")  # fmt: skip
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


def event_name(group: Group, names: Mapping[str, str]) -> str:
    """Return the name under which the event is drafted; `names` are those of players by id."""
    named = Counter(each.event for each in group.games if each.event)
    event = min(named, key=lambda name: (-named[name], name))
    site = group.sites[0] if group.sites else ""
    where = f", {town(site)}" if town(site) else ""
    if group.kind == "match":
        points = {p: sum(each.points(p) for each in group.games) for p in group.players}
        pair = sorted(points, key=lambda player: (-points[player], player))
        return f"{' – '.join(names[each].partition(',')[0] for each in pair)}{where} {group.year}"
    if not set(site_key(site).split()) & set(event_key(event).split()):
        event += where
    years = {str(group.year), f"/{group.year % 100:02d}"}
    return event if any(year in event for year in years) else f"{event} {group.year}"


def _citations(drafts: Drafts, group: Group) -> tuple[Citation, ...]:
    names = ", ".join(f'"{name}"' for name in group.events)
    sites = ", ".join(site for site in group.sites if site not in group.events)
    where = f"games headed {names} ({sites})" if sites else f"games headed {names}"
    notes = "Only the headers of the games were used: players, dates, rounds and results."
    citations = []
    for file in sorted({Path(each.file).name for each in group.games}):
        title = f"{clean(file)} (collection of games in PGN)"
        id_ = drafts.source(title, f"pgn {file.partition('.')[0]}", notes=notes)
        citations.append(Citation(id_, where))
    return tuple(citations)


def _score(each: PgnGame, kind: str, are_many_teams: bool) -> PairScore:
    """Return the score of a game; of more than two teams, each match of two is a round."""
    points = each.points(each.white)
    won, lost = "+-" if each.in_question or each.unplayed else "10"
    mark = Mark(won if points == 1 else lost if points == 0 else "=", "w")  # type: ignore[arg-type]
    number = ".".join(map(str, each.round[: 2 if kind == "match" else 1]))
    if kind == "team match" and are_many_teams:
        teams = " – ".join(sorted(each.teams))
        number = f"{number}: {teams}" if number else teams
    said: dict[str, YamlValue] = {}
    if each.unplayed:
        said = {"default": _UNPLAYED}
    elif each.in_question:
        said = {"note": _IN_QUESTION} if points == 0.5 else {"default": _IN_QUESTION}
    return PairScore(each.white, each.black, points, 1 - points, (mark,), round=number,
                     teams=each.teams, annotation=said)  # fmt: skip
