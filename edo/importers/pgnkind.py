"""The games of one event in; what kind of event it was, and how whole, out, with every doubt."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from edo.importers.pgnevents import Group, Played, event_key, site_key

MAX_PLAYERS = 400  # [players] no event of the period was half as large
MAX_GAMES = 10_000  # [games] of one event; the same
SWISS_FROM = 1895  # [year] the system was first used at Zurich in 1895
TABLE_FROM = 5  # [players] fewer who met in one place without rounds may have played casually
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
_NOBODY = re.compile(
    r"(n\.? ?n\.?|amateurs?|anonymous|unknown|allies|.*(/|&| and | und | et ).*|.*\+.*)", re.I
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an event was. `apart` is the reason why it is not drafted.

    `by_round` wants the results by round. `complete` is the word of a table of events (`full`,
    `partial`); `stated` are the fields of the event file that are decided here.
    """

    kind: str = "tournament"
    shape: str = ""
    apart: str = ""
    by_round: bool = False
    complete: str = "partial"
    stated: Mapping[str, str] = field(default_factory=dict)
    teams: tuple[str, str] | None = None
    doubts: tuple[str, ...] = ()


def nobody(name: str) -> bool:
    """Whether a header names no single person."""
    return not name or _NOBODY.fullmatch(name) is not None


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
    doubt = f"divided from {len(pairs)} matches under one header"
    return [
        replace(group, games=tuple(games), doubts=(*group.doubts, doubt))
        for games in pairs.values()
    ]


def judged(group: Group, lost: int) -> Verdict:
    """Return what the event was; `lost` of its games have no usable result [games]."""
    games, players = group.games, group.players
    names = " ".join(group.events)
    if len(players) > MAX_PLAYERS or len(games) > MAX_GAMES:
        return Verdict(apart=f"{len(players)} players and {len(games)} games: more than one event")
    teams = {team for each in games for team in each.game.teams if team}
    if _TEAMS.search(names) or teams:
        return _team_match(teams)
    if len(games) == 1:
        return Verdict(apart="a single game, which says nothing of how the event went")
    if len(players) == 2:
        return _match(group, names, lost)
    return _tournament(group, names, lost)


def _team_match(teams: set[str]) -> Verdict:
    if len(teams) == 2:
        first, second = sorted(teams)
        return Verdict("team match", "team match", teams=(first, second), by_round=True)
    doubt = () if teams else ("a team event by its name; the headers name no teams",)
    return Verdict("team match", "team event", by_round=True, doubts=doubt)


def _match(group: Group, names: str, lost: int) -> Verdict:
    numbered = [each.game.round for each in group.games if each.game.round]
    doubts = []
    if not _MATCH.search(names):
        if not numbered:
            return Verdict(apart="two players, no round numbers and no word of a match: "
                           "perhaps casual games")  # fmt: skip
        doubts.append("a match by its two players; may be a part of a larger event")
    stated = {}
    if lost:
        stated = {"completeness": "incomplete", "missing": _lost(lost)}
    return Verdict("match", "match", stated=stated, doubts=tuple(doubts))


def _lost(lost: int) -> str:
    games = "One game has" if lost == 1 else f"{lost} games have"
    return f"{games} no usable result in the collection."


def _tournament(group: Group, names: str, lost: int) -> Verdict:
    games, players = group.games, group.players
    numbered = any(each.game.round for each in games)
    counts = Counter(each.pair for each in games)
    possible = len(players) * (len(players) - 1) // 2
    whole = len(players) >= TABLE_FROM and 2 * len(counts) >= possible
    if not numbered and _is_place(group) and not whole:
        return Verdict(apart="a few pairs, no round numbers and no name but that of the place: "
                       "perhaps casual games")  # fmt: skip
    rounds = _rounds(games)
    doubts = () if numbered else ("no game has a round number; may be casual games",)
    if _KNOCKOUT.search(names) or (len(players) >= KNOCKOUT_FROM and _is_knockout(rounds)):
        return _knockout(rounds, players, lost, doubts)
    if len(counts) == possible and len(set(counts.values())) == 1 and not lost:
        return _all_play_all(games, len(players), next(iter(counts.values())), doubts)
    if _is_swiss(rounds, players, counts, group.year):
        said = (
            "All rounds that the collection has are here; whether there were others is not known."
        )
        return Verdict("tournament", "Swiss", by_round=True, doubts=(
            *doubts, "looks like a Swiss tournament: write the format if a source says so"),
            stated={"completeness": "unverified", "missing": said})  # fmt: skip
    if lost:
        doubts = (*doubts, _lost(lost))
    if (apart := _never_met(counts)) > 1:
        doubts = (*doubts, f"{apart} groups of players that never met: "
                  "look whether they are several events under one name")  # fmt: skip
    return Verdict("tournament", "part of a table", doubts=doubts)


def _never_met(pairs: Iterable[frozenset[str]]) -> int:
    """Return into how many groups the players fall of whom none met one of another group."""
    groups: list[frozenset[str]] = []
    for pair in pairs:
        met = [group for group in groups if group & pair]
        groups = [group for group in groups if not group & pair] + [pair.union(*met)]
    return len(groups)


def _is_place(group: Group) -> bool:
    """Whether the event is called by nothing but its place."""
    sites = {site_key(site) for site in group.sites}
    return all(event_key(name) in sites for name in group.events)


def _all_play_all(
    games: Sequence[Played], players: int, each: int, doubts: tuple[str, ...]
) -> Verdict:
    highest = max((played.game.round[0] for played in games if played.game.round), default=0)
    needed = each * (players if players % 2 else players - 1)
    shape = {1: "single all-play-all", 2: "double all-play-all"}.get(each, "all-play-all")
    missing = ""
    if highest > needed:
        missing = (
            f"The rounds are numbered up to {highest}, more than these {players} players need; "
            "others took part."
        )
    elif players == 3:
        missing = "All pairs of these 3 players have met; whether others took part is not known."
    if missing:
        word = "incomplete" if highest > needed else "unverified"
        return Verdict("tournament", shape, doubts=(*doubts, missing),
                       stated={"completeness": word, "missing": missing})  # fmt: skip
    return Verdict("tournament", shape, complete="full", doubts=doubts)


def _rounds(games: Sequence[Played]) -> dict[int, list[Played]]:
    """Return the games by the first number of their round, {} where one has none."""
    found: dict[int, list[Played]] = defaultdict(list)
    for each in games:
        if not each.game.round:
            return {}
        found[each.game.round[0]].append(each)
    return dict(sorted(found.items()))


def _winners(games: Sequence[Played]) -> set[str]:
    """Return who won the matches of a round, both where one is level."""
    points: dict[frozenset[str], Counter[str]] = defaultdict(Counter)
    for each in games:
        for player in each.pair:
            points[each.pair][player] += int(2 * each.points(player))
    return {p for score in points.values() for p in score if score[p] == max(score.values())}


def _is_knockout(rounds: Mapping[int, Sequence[Played]]) -> bool:
    """Whether each round has one opponent a player, and only winners of the one before."""
    going_on: set[str] | None = None
    before = 0
    for games in rounds.values():
        pairs = {each.pair for each in games}
        players = {player for pair in pairs for player in pair}
        if len(players) != 2 * len(pairs):
            return False
        if going_on is not None and not (players <= going_on and 2 * len(players) <= before + 1):
            return False
        going_on, before = _winners(games), len(players)
    return len(rounds) >= 3


def _knockout(
    rounds: Mapping[int, Sequence[Played]], players: frozenset[str], lost: int,
    doubts: tuple[str, ...],
) -> Verdict:  # fmt: skip
    left, whole = len(players), bool(rounds) and not lost
    for games in rounds.values():
        pairs = {each.pair for each in games}
        whole = whole and 2 * len(pairs) == left and len(_winners(games)) == len(pairs)
        left //= 2
    whole = whole and left == 1
    stated = {"format": "Knock-out", "completeness": "complete"}
    if not whole:
        stated |= {"completeness": "incomplete" if lost else "unverified"}
        stated |= {"missing": _lost(lost) if lost else "Whether all matches of the knock-out are "
                   "here is not known."}  # fmt: skip
    said = (*doubts, "a knock-out by its name or because only winners went on: look at its rounds")
    return Verdict("tournament", "knock-out", by_round=True, stated=stated, doubts=said)


def _is_swiss(
    rounds: Mapping[int, Sequence[Played]], players: frozenset[str],
    counts: Counter[frozenset[str]], year: int,
) -> bool:  # fmt: skip
    """Whether all played in nearly every round, nobody met twice, and the rounds are few."""
    if year < SWISS_FROM or len(players) < 8 or max(counts.values()) > 1:
        return False
    once = all(
        len({p for each in games for p in each.pair}) == 2 * len(games) for games in rounds.values()
    )
    played = sum(counts.values())
    few = 3 <= len(rounds) <= len(players) - 3
    return once and few and 2 * played >= 0.8 * len(rounds) * len(players)
