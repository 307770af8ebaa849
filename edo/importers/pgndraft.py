"""An event of a collection and what it was judged to be in, the draft of its file out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from edo.core.model import Place, Source
from edo.core.yaml import Plain, dump
from edo.importers.compose import compose
from edo.importers.games import treated
from edo.importers.pgncast import free_id
from edo.importers.pgnevents import Group, Played, event_key, site_key, town
from edo.importers.pgnkind import Verdict
from edo.importers.rules import Rules, SourceRule
from edo.importers.table import EventRow, ResultRow

_TURNED = str.maketrans("10wb", "01bw")


@dataclass(frozen=True, slots=True)
class Draft:
    """The file of an event that the history does not have."""

    id: str
    year: int
    name: str
    text: str
    group: Group
    verdict: Verdict
    doubts: tuple[str, ...]

    @property
    def path(self) -> str:
        """Return where the draft lies in the folder of drafts."""
        return f"{self.year}/{self.id}.yaml"


@dataclass(frozen=True, slots=True)
class Ground:
    """What all drafts need: names of players by id, places by the words of their names, sources.

    `sources` are by the name of the file; `taken` are the ids of events in use, as in
    `free_id`.
    """

    names: Mapping[str, str]
    places: Mapping[str, Place]
    sources: Mapping[str, Source]
    taken: dict[str, int]


def drafted(group: Group, verdict: Verdict, ground: Ground) -> Draft:
    """Return the draft of an event's file, in canonical form."""
    name = event_name(group, verdict, ground)
    id_ = free_id(name, f"event-{group.year}", ground.taken)
    place, doubt = _place(group, ground)
    start, end = _span(group)
    event = EventRow(id_, verdict.kind, name, place.name if place else "", group.year, start, end,
                     verdict.complete, group.events, group.sites)  # fmt: skip
    rules = _rules(group, verdict, ground, event, place)
    games, _ = treated(_rows(group, verdict, id_, ground), rules)
    fields = compose(event, games, (), rules, ground.names)
    if verdict.by_round:
        fields = _by_round(fields, group, verdict)
    return Draft(id_, group.year, name, dump(fields), group, verdict,
                 (*group.doubts, *verdict.doubts, *doubt))  # fmt: skip


def event_name(group: Group, verdict: Verdict, ground: Ground) -> str:
    """Return the name under which the event is drafted."""
    named = Counter(each.game.event for each in group.games if each.game.event)
    event = min(named, key=lambda name: (-named[name], name))
    site = group.sites[0] if group.sites else ""
    where = f", {town(site)}" if town(site) else ""
    if verdict.kind == "match":
        pair = [ground.names[each].partition(",")[0] for each in _winner_first(group)]
        return f"{' – '.join(pair)}{where} {group.year}"
    if not set(site_key(site).split()) & set(event_key(event).split()):
        event += where
    years = {str(group.year), f"/{group.year % 100:02d}"}
    return event if any(year in event for year in years) else f"{event} {group.year}"


def _winner_first(group: Group) -> Sequence[str]:
    players = sorted(group.players)
    points = {player: sum(each.points(player) for each in group.games) for player in players}
    return sorted(players, key=lambda player: (-points[player], player))


def _place(group: Group, ground: Ground) -> tuple[Place | None, tuple[str, ...]]:
    keys = {key: site for site in group.sites if (key := site_key(site))}
    found = {ground.places[key].id: ground.places[key] for key in keys if key in ground.places}
    if len(found) == 1 and len(keys) == 1:
        return next(iter(found.values())), ()
    if not keys:
        return None, ("the headers name no place",)
    if len(keys) > 1:
        return None, (f"several places: {', '.join(sorted(keys.values()))}",)
    return None, (f"the place `{next(iter(keys.values()))}` is not in places.yaml; add it there "
                  "and write `place`",)  # fmt: skip


def _span(group: Group) -> tuple[str, str]:
    """Return the first and the last date, both as exactly as the coarsest of them."""
    dates = [each.game.date or str(each.year) for each in group.games]
    length = min(map(len, dates))
    return min(date[:length] for date in dates), max(date[:length] for date in dates)


def _rules(
    group: Group, verdict: Verdict, ground: Ground, event: EventRow, place: Place | None
) -> Rules:
    """Return the rules by which the games become a file: what it states, and what it cites."""
    files = dict.fromkeys(_file_of(each) for each in group.games)
    sources = [ground.sources[file] for file in files]
    cited = tuple(
        SourceRule(f"^{source.id}: ", "games headed {headers}", source) for source in sources
    )
    stated = dict(verdict.stated)
    if verdict.by_round:
        stated["kind"] = "team match"  # whose results are written by round
    return Rules(
        sources=cited,
        places={event.place: place} if place else {},
        fields={event.id: stated},
    )


def _file_of(each: Played) -> str:
    return each.game.place.rpartition(":")[0]


def _rows(group: Group, verdict: Verdict, id_: str, ground: Ground) -> list[ResultRow]:
    """Return the games as rows of a table, in the order in which they were played."""
    ordered = sorted(enumerate(group.games), key=lambda each: _order(each[1], each[0]))
    return [
        ResultRow(id_, each.game.date, each.game.round[: 1 if verdict.by_round else 2], each.white,
                  each.black, each.game.score or 0.0, ground.sources[_file_of(each)].id, "", line)
        for line, (_, each) in enumerate(ordered, start=1)
    ]  # fmt: skip


def _order(each: Played, number: int) -> tuple[tuple[int, ...], str, int]:
    return each.game.round or (10**6,), each.game.date, number


def _by_round(fields: dict[str, Plain], group: Group, verdict: Verdict) -> dict[str, Plain]:
    """Return the fields of an event in rounds, with the teams where the headers name both."""
    made = {**fields, "kind": verdict.kind}
    sides = _sides(group)
    rounds = made.get("rounds")
    if verdict.teams is None or sides is None or not isinstance(rounds, list):
        return made
    made["rounds"] = [_with_teams(one, verdict.teams, sides) for one in rounds]
    return made


def _sides(group: Group) -> dict[str, str] | None:
    """Return everybody's team, None where the headers leave it open."""
    found: dict[str, str] = {}
    for each in group.games:
        white, black = each.game.teams
        sides = {each.white: white, each.black: black}
        if not white or white == black or any(found.get(p, t) != t for p, t in sides.items()):
            return None
        found |= sides
    return found if all(found.values()) else None


def _with_teams(one: Plain, teams: tuple[str, str], sides: Mapping[str, str]) -> Plain:
    """Return a round with its teams, the players of the first one named first in each pairing."""
    if not isinstance(one, dict):
        return one
    pairings = []
    for pairing in one["pairings"]:
        first, second = pairing["players"]
        if sides[first] == teams[0]:
            pairings.append(pairing)
        else:
            turned = pairing["games"].translate(_TURNED)
            pairings.append({"players": [second, first], "games": turned})
    return {"name": one["name"], "teams": list(teams), "pairings": pairings}
