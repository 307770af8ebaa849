"""Drafts of event files from the games of a collection, with warnings for editors.

An event of two players is a match, one whose headers name two teams a team match, and everything
else a tournament. What else it looks like is for an editor to decide: a warning says so.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from edo.core.model import Citation, Mark
from edo.core.yaml import Plain
from edo.importers.compose import NewEvent, PairScore
from edo.importers.known import Outline, event_key, site_key, tally, town
from edo.importers.pgn.events import Group, Played

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
        ("correspondence", r"\b(corr|corresp\w*|postal|e-?mail|fernpartien?)\b"),
        ("consultation", r"\b(consult\w*|allies|cons)\b"),
        ("games at odds", r"\b(odds|handicap|hcp|vorgabe\w*)\b"),
        ("quick play", r"\b(blitz|rapid\w*|lightning|bullet)\b"),
        ("not a game of two people", r"\b(analysis|study|problems?|composed|computer|engine)\b"),
    )
)  # fmt: skip
_TEAMS = re.compile(r"\b(team\w*|olymp\w*|ol|cable|interclub|varsity|count(y|ies) match)\b", re.I)
_MATCH = re.compile(r"\b(m\d*|match\w*|wettkampf|wch\w*|world|ch\w*|play-?off|final)\b", re.I)
_ONE_MATCH = re.compile(r"\b(m\d*|match\w*|wettkampf)\b", re.I)
_TABLE = re.compile(r"\b(tourn\w*|turnier\w*|match-?tourn\w*|ch|championship)\b", re.I)
_KNOCKOUT = re.compile(r"\b(k\.?o|knock-?out)\b", re.I)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What kind of event a group of games was; `apart` is the reason why it is not drafted.

    `shape` is for the report; `whole`: all results are there; `lost` games have no usable result.
    """

    kind: str = "tournament"
    shape: str = "tournament"
    apart: str = ""
    whole: bool = False
    missing: str = ""
    completeness: str | None = None
    lost: int = 0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lookups:
    """Names of players by id; ids of places by the words of their names, of sources by file."""

    names: Mapping[str, str]
    places: Mapping[str, str]
    sources: Mapping[str, str]


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
        replace(group, games=tuple(games), warnings=(*group.warnings, why))
        for games in pairs.values()
    ]


def judge(group: Group, lost: int) -> Verdict:
    """Return what the event was; `lost` of its games have no usable result [games]."""
    games, players = group.games, group.players
    names = " ".join(group.events)
    if len(players) > MAX_PLAYERS or len(games) > MAX_GAMES:
        return Verdict(apart=f"{len(players)} players and {len(games)} games: more than one event")
    teams = {team for each in games for team in each.game.teams if team}
    if len(teams) == 2:
        return Verdict("team match", "team match", lost=lost)
    if len(games) == 1 and not (teams or _TEAMS.search(names)):
        return Verdict(apart="a single game, which says nothing about how the event went")
    if len(players) == 2:
        return _match(group, names, lost)
    return _tournament(group, names, len(teams), lost)


def _match(group: Group, names: str, lost: int) -> Verdict:
    if _MATCH.search(names):
        return Verdict("match", "match", lost=lost)
    if not any(each.game.round for each in group.games):
        return Verdict("match", apart="two players, no round numbers and no word for a match: "
                       "perhaps casual games")  # fmt: skip
    return Verdict("match", "match", lost=lost, warnings=(
        "a match because it has two players; may be a part of a larger event",))  # fmt: skip


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
    return Verdict(lost=lost, warnings=tuple(warnings))


def _all_play_all(group: Group, each: int, warnings: Sequence[str]) -> Verdict:
    """Return the verdict on a table without gaps: complete unless others may have taken part."""
    number = len(group.players)
    shape = {1: "single all-play-all", 2: "double all-play-all"}.get(each, "all-play-all")
    highest = max((one.game.round[0] for one in group.games if one.game.round), default=0)
    if highest > each * (number if number % 2 else number - 1):
        text = (
            f"The rounds are numbered up to {highest}, more than these {number} players need; "
            "others took part."
        )
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
        groups = [group for group in groups if not group & pair] + [pair.union(*met)]
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
    rows = (
        (each.white, each.black, 1.0, each.points(each.white), each.points(each.black))
        for each in group.games
    )
    years = frozenset((group.year, *(each.year for each in group.games)))
    return Outline(group.events, group.sites, years, kind, group.players, tally(rows))


def draft(
    id_: str, group: Group, verdict: Verdict, lookups: Lookups
) -> tuple[NewEvent, tuple[str, ...]]:
    """Return the event to be written, and the warnings about it."""
    place, warning = _place(group, lookups.places)
    name = event_name(group, verdict, lookups.names)
    fields: dict[str, Plain] = {"name": name, "kind": verdict.kind, "year": group.year,
                                "place": place, "dates": _dates(group)}  # fmt: skip
    if verdict.missing:
        fields |= {"missing": verdict.missing, "completeness": verdict.completeness}
    for text in verdict.warnings:
        if text.startswith("looks like"):
            fields["notes"] = f"{text.partition(':')[0].capitalize()}; no source has confirmed it."
    ordered = sorted(enumerate(group.games), key=lambda each: _order(each[1], each[0]))
    cited = Counter(lookups.sources[each.game.file] for each in group.games)
    where = f"games headed {_headers(group)}"
    citations = tuple(Citation(id_, where) for id_ in sorted(cited, key=lambda i: (-cited[i], i)))
    scores = tuple(_score(each, verdict.kind) for _, each in ordered)
    event = NewEvent(id_, fields, scores, citations, whole=verdict.whole, lost=verdict.lost)
    return event, (*group.warnings, *verdict.warnings, *warning)


def _score(each: Played, kind: str) -> PairScore:
    points = each.points(each.white)
    mark = Mark("1" if points == 1 else "0" if points == 0 else "=", "w")
    number = each.game.round[: 2 if kind == "match" else 1]
    return PairScore(each.white, each.black, points, 1 - points, (mark,),
                     round=".".join(map(str, number)), teams=each.game.teams)  # fmt: skip


def _order(each: Played, number: int) -> tuple[tuple[int, ...], str, int]:
    return each.game.round or (10**6,), each.game.date, number


def _headers(group: Group) -> str:
    names = ", ".join(f'"{name}"' for name in group.events)
    sites = [site for site in group.sites if site not in group.events]
    return f"{names} ({', '.join(sites)})" if sites else names


def _place(group: Group, places: Mapping[str, str]) -> tuple[str | None, tuple[str, ...]]:
    keys = {key: site for site in group.sites if (key := site_key(site))}
    found = {places[key] for key in keys if key in places}
    if len(found) == 1 and len(keys) == 1:
        return found.pop(), ()
    if not keys:
        return None, ("the headers name no place",)
    if len(keys) > 1:
        return None, (f"several places: {', '.join(sorted(keys.values()))}",)
    return None, (f"the place `{next(iter(keys.values()))}` is not in places.yaml; add it there "
                  "and write `place`",)  # fmt: skip


def _dates(group: Group) -> str:
    """Return the first and the last date, both as exactly as the coarsest of them."""
    dates = [each.game.date or str(each.year) for each in group.games]
    length = min(map(len, dates))
    start, end = min(date[:length] for date in dates), max(date[:length] for date in dates)
    if int(end[:4]) < group.year:  # it finished after the last known game
        end = str(group.year)
    return start if start == end else f"{start}/{end}"
