"""Synthetic histories of any size, to measure builds at sizes that no real history has yet.

They imitate the real history of 2026 (2,045 rated players): most careers are of one year and some
of fifty, with gaps; players meet others of their town, country and class of strength, and only the
strong ones meet abroad, so that the factor of the network fills as that of a real one does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator

from edo.core import yaml
from edo.core.scale import Floats, Ints, expected_scores
from edo.core.text import kebab, person_kebab
from edo.history.crosstable import write as crosstable
from edo.history.notation import number_text

ENTERED = 1.15  # players for each one who can be rated: the others won or lost everything
FIRST, LAST = 1820, 1941
DECADES = (1825, 1835, 1845, 1855, 1865, 1875, 1885, 1895, 1905, 1915, 1925, 1935)
EVENTS = (5, 16, 64, 130, 131, 101, 110, 161, 170, 174, 302, 306)
"""The real number of events around each of these years."""
SHARES = (0.0, 0.46, 0.5, 0.74, 0.88, 0.943, 0.987, 1.0)
SPANS = (1.0, 1.0, 2.0, 9.0, 20.0, 29.0, 41.0, 54.0)
"""Lengths of careers [years] at these shares of all players, the rated and the others."""
SIZES = {
    "match": (2,),
    "tournament": (3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 11, 12, 12, 13, 14, 15, 16, 17, 18, 22),
    "team match": (6, 8, 10, 14, 14, 16, 20, 28),
}
KIND_SHARES = (0.39, 0.54, 0.07)
"""Numbers of players of each kind of event, equally often, and the shares of these kinds."""
TOWNS = 3  # to each side, among which a master travels
REGION = 8  # neighbours, of whom those of near strength play in one event
MATCH_GAMES = (1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 10, 11, 14, 16, 21)
ODDS = {"pawn-and-move": 163, "pawn-and-two-moves": 219, "knight": 373, "rook": 558}
"""The kinds of odds and their nominal values [Elo], as in `events/odds.yaml`."""
COUNTRIES = str.split(
    "ENG GER AUT HUN RUS USA FRA NED POL CZE DEN SWE ITA ESP ARG YUG EST LAT SUI BEL SCO IRL "
    "NOR CAN"
)
GIVEN = str.split(
    "Adam Bruno Carl David Edgar Felix Georg Hugo Isidor Jakob Karel Leon Moritz Nikolai Otto Paul "
    "Richard Samuel Tivadar Ulrich Viktor Walter Xavier Yuri Zoltan Anna Clara Edith Vera"
)
WOMEN = ("Anna", "Clara", "Edith", "Vera")
STEMS = str.split(
    "Al Bar Cas Dor Ehr Fal Gol Hal Ing Jan Kol Lind Mar Nor Ost Pet Quin Ros Sal Tar Ulm Ver Wal "
    "Yor Zel Stan Brom Krav Schö Tre Gus Hed Lem Nag Pol Rud Sim Tom Vid Wex"
)
MIDDLES = str.split("a be co di ev ha in ka lo mi no pe ra si to vu")
ENDINGS = str.split("man ski son berg ov ini es ák ton feld ard ley")

Fields = dict[str, Any]


def files(players: int, seed: int = 1) -> Iterator[tuple[str, str]]:
    """Yield the path below `events` and the canonical text of each file, always the same ones.

    About as many players as are asked for can be rated.
    """
    history = _History(players, np.random.default_rng(seed))
    events = [event for year in range(FIRST, LAST + 1) for event in history.of_year(year)]
    held = Counter(event.get("series") for event in events)
    taken: Counter[str] = Counter()
    for event in events:
        if held[event.get("series")] == 1:
            del event["series"]
        taken[event["name"]] += 1
        if taken[event["name"]] > 1:
            event["name"] += f" ({taken[event['name']]})"
        yield f"{event['year']}/{kebab(event['name'])}.yaml", yaml.dump(event)
    for name, records in history.registries(events).items():
        yield f"{name}.yaml", yaml.dump(dict(sorted(records.items())))


@dataclass
class _History:
    """Players (n,) with their careers, towns and mean strengths [Elo]; `seen` are who played."""

    size: int
    rng: Generator
    seen: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        rng, n = self.rng, round(ENTERED * self.size) + 1
        weights = np.interp(np.arange(FIRST, LAST + 1), DECADES, EVENTS)
        self.first = rng.choice(np.arange(FIRST, LAST + 1), n, p=weights / weights.sum())
        span = np.rint(np.interp(rng.random(n), SHARES, SPANS)).astype(np.int64)
        self.last = np.minimum(self.first + span - 1, LAST)
        self.age = rng.integers(15, 36, n)
        self.activity = rng.beta(1.0, 2.7, n)  # share of the years of a career that are played
        self.master = 2500.0 + 80.0 * np.log2(self.size / 2000)  # [Elo] others stay at home
        self.towns = max(2, self.size // 300)  # of each country
        self.country = rng.choice(len(COUNTRIES), n, p=_zipf(len(COUNTRIES)))
        self.town = self.country * self.towns + rng.choice(self.towns, n, p=_zipf(self.towns))
        of_town = rng.normal(0.0, 70.0, self.towns * len(COUNTRIES))
        self.level = 2200 + of_town[self.town] + 45 * np.sqrt(span) + rng.normal(0, 170, n)
        self.first[0], self.last[0], self.age[0] = 1867, 1887, 25  # sets the real scale
        self.level[0], self.activity[0] = 2665.0, 1.0
        self.names = ["Zukertort, Johannes", *map(_name, range(1, n))]
        self.ids = [person_kebab(name) for name in self.names]

    def strength(self, players: Ints, year: int) -> Floats:
        """Return the strengths (n,) [Elo] in a year; careers are highest after 15 years."""
        return np.asarray(self.level[players] - 0.3 * (year - self.first[players] - 15.0) ** 2)

    def of_year(self, year: int) -> Iterator[Fields]:
        """Yield the events of a year, which has five seasons with one event of a player in each."""
        rng = self.rng
        span = np.flatnonzero((self.first <= year) & (year <= self.last))
        ends = (self.first[span] == year) | (self.last[span] == year)
        active = span[ends | (rng.random(len(span)) < self.activity[span])]
        often = 1 + rng.poisson(0.1 + 0.7 * self.activity[active] ** 2)  # 0.63 events a player
        for season in range(5):
            for kind, group in self._groups(active[often > season], year):
                self.seen.update(group.tolist())
                yield self._event(kind, group, year, season)

    def _groups(self, players: Ints, year: int) -> Iterator[tuple[str, Ints]]:
        """Yield who meet in what: those near in strength and of near towns, or the strong.

        The last event is filled up with players of the one before it, so that it is not smaller.
        """
        rng, strength = self.rng, self.strength(players, year)
        fame = strength + rng.normal(0, 60, len(players))
        reach = TOWNS * np.exp(np.minimum(fame - self.master, 500) / 100)
        place = np.argsort(self.town[players] + reach * rng.normal(0, 1, len(players)))
        region = np.empty(len(players))
        region[place] = np.arange(len(players)) // REGION
        order = players[np.lexsort((strength + rng.normal(0, 60, len(players)), region))]
        begin = 0
        while begin < len(order) - 1:
            kind = str(rng.choice(list(SIZES), p=KIND_SHARES))
            size = int(rng.choice(SIZES[kind]))
            group = order[max(0, min(begin, len(order) - size)) :][:size]
            begin += size
            number = len(group) // 2 * 2 if kind == "team match" else size
            yield kind if len(group) > 2 else "match", group[:number]

    def _event(self, kind: str, group: Ints, year: int, season: int) -> Fields:
        rng, town, month = self.rng, int(self.town[group[0]]), 2 * season + 1
        surnames = [self.names[p].partition(",")[0] for p in group[:2]]
        first = {"match": f"{' – '.join(surnames)} match, ", "team match": "Team match, "}
        event: Fields = {"name": f"{first.get(kind, '')}{_town(town)} {year}", "kind": kind}
        if kind == "tournament" and season == 0 and len(group) > 8:
            event["series"] = f"championship-{COUNTRIES[town // self.towns].lower()}"
        if rng.random() < 0.93:
            event["place"] = kebab(_town(town))
        begin, end = rng.integers(1, 10), rng.integers(15, 29)
        exact = f"{year}-{month:02d}-{begin:02d}/{year}-{month + 1:02d}-{end}"
        event |= {"dates": exact if rng.random() < 0.5 else f"{year}", "year": year}
        play = {"match": _match, "tournament": _tournament, "team match": _team_match}[kind]
        ids = [self.ids[p] for p in group]
        event |= play(ids, self.strength(group, year), year, rng)
        if rng.random() < 0.45:
            event["notes"] = (
                f"Reports name {surnames[0]} first; {rng.integers(2, 9)} games survive."
            )
        cited = rng.choice(max(4, self.size // 6), rng.integers(1, 3))
        event["sources"] = [
            {"source": f"periodical-{k + 1}", "where": f"vol. {year - 1810}, page {k % 97 + 1}"}
            for k in sorted(set(cited.tolist()))
        ]
        return event

    def registries(self, events: Sequence[Fields]) -> Mapping[str, Mapping[str, Fields]]:
        """Return the registries of those who played, and of what the events name, by id."""
        names = "odds", "places", "series", "sources"
        found: dict[str, dict[str, Fields]] = {name: {} for name in names}
        for kind, points in ODDS.items():
            found["odds"][kind] = {"name": kind.replace("-", " ").capitalize(), "points": points}
        for event in events:
            if "series" in event:
                code = event["series"].rpartition("-")[2].upper()
                found["series"][event["series"]] = {"name": f"Championship of {code}"}
            for one in event["sources"]:
                number = one["source"].rpartition("-")[2]
                found["sources"][one["source"]] = {"title": f"Periodical {number}"}
        placed = {event.get("place") for event in events}
        for town in range(self.towns * len(COUNTRIES)):
            north, east = 35 + self.rng.random() * 25, -8 + self.rng.random() * 40
            where = {"latitude": f"{north:.3f}", "longitude": f"{east:.3f}", "geonames": town + 1}
            if kebab(_town(town)) in placed:
                found["places"][kebab(_town(town))] = {"name": _town(town), "coordinates": where}
        for k in sorted(self.seen):
            found.setdefault(f"players/{self.ids[k][0]}", {})[self.ids[k]] = self._player(k)
        return found

    def _player(self, k: int) -> Fields:
        """Return a player's entry; little is known of those who played in few years."""
        name, rng, born = self.names[k], self.rng, int(self.first[k] - self.age[k])
        entry: Fields = {"name": name}
        known = rng.random() < 0.25 + 0.05 * (self.last[k] - self.first[k])
        if known:
            died = max(int(self.last[k]) + 1, born + int(rng.integers(45, 90)))
            entry["born"] = f"{born}-{rng.integers(1, 13):02d}-{rng.integers(1, 29):02d}"
            entry["died"] = f"{died}-{rng.integers(1, 13):02d}-{rng.integers(1, 29):02d}"
            entry["country"] = COUNTRIES[self.country[k]]
        if name.endswith(WOMEN):
            entry["woman"] = True
        surname, _, given = name.partition(", ")
        if rng.random() < 0.5:
            entry["spellings"] = [f"{given} {surname}", f"{surname}, {given[0]}."]
        if known:
            entry["notes"] = f"Taken to be the player printed as “{surname}” by the surname alone."
        return entry


def _zipf(n: int) -> Floats:
    weights = 1.0 / np.arange(1.5, n + 1)
    return np.asarray(weights / weights.sum())


def _name(k: int) -> str:
    """Return the name of a player by number; 224,000 have different ones."""
    surname, again = k * 3_001 % 7_680, k // 7_680
    stem, middle, ending = np.unravel_index(surname, (len(STEMS), len(MIDDLES), len(ENDINGS)))
    given = GIVEN[(surname * 7 + again) % len(GIVEN)]
    return f"{STEMS[stem]}{MIDDLES[middle]}{ENDINGS[ending]}, {given}"


def _town(number: int) -> str:
    stem, ending = divmod(number, len(MIDDLES))
    more = f" {stem // len(STEMS) + 1}" if stem >= len(STEMS) else ""
    return f"{STEMS[stem % len(STEMS)]}{MIDDLES[ending]}stadt{more}"


def _games(lead: float, n: int, year: int, rng: Generator) -> list[str]:
    """Return the games of two players: `1`, `=` or `0`, of which ever more are drawn."""
    p = float(expected_scores(np.array([lead]))[0])
    drawn = 4 * p * (1 - p) * float(np.interp(year, (1840, 1935), (0.12, 0.42)))
    return ["1" if d < p - drawn / 2 else "=" if d < p + drawn / 2 else "0" for d in rng.random(n)]


def _coloured(games: Sequence[str], first: int) -> str:
    return " ".join(game + "wb"[(first + k) % 2] for k, game in enumerate(games))


def _match(ids: list[str], strength: Floats, year: int, rng: Generator) -> Fields:
    """Return a match, before 1890 perhaps at odds, rarely casual or with a score that is soft."""
    lead, n = float(strength[0] - strength[1]), int(rng.choice(MATCH_GAMES))
    pairing: Fields = {"players": ids}
    odds = None
    if year < 1890 and abs(lead) > 120 and rng.random() < 0.5:
        kind = min(ODDS, key=lambda one: abs(ODDS[one] - abs(lead)))
        odds = {"giver": ids[0] if lead > 0 else ids[1], "kind": kind}
        lead -= np.sign(lead) * ODDS[kind]
    games = _games(lead, n, year, rng)
    won, drawn, lost = (games.count(mark) for mark in "1=0")
    dice = rng.random()
    if dice < 0.3:
        pairing["games"] = _coloured(games, int(rng.integers(2)))
    elif dice < 0.65:
        pairing["score"] = f"+{won} -{lost} ={drawn}"
    else:
        pairing["score"] = f"{number_text(won + drawn / 2)}-{number_text(lost + drawn / 2)}"
    pairing |= {"odds": odds} if odds else {}
    pairing |= {"soft": "The report gives no exact score."} if dice > 0.985 else {}
    casual = {"format": "Casual games"} if 0.2 < dice < 0.3 else {}
    return {**casual, "pairings": [pairing]}


def _team_match(ids: list[str], strength: Floats, year: int, rng: Generator) -> Fields:
    """Return a match of one game on each board."""
    leads = zip(ids[::2], ids[1::2], strength[::2] - strength[1::2], strict=True)
    pairings = [{"players": [a, b], "games": _games(x, 1, year, rng)[0]} for a, b, x in leads]
    return {"format": "Teams of equal size", "pairings": pairings}


def _tournament(ids: list[str], strength: Floats, year: int, rng: Generator) -> Fields:
    """Return an all-play-all as a table, whole or with gaps, as totals or pairs, or by rounds."""
    n, dice = len(ids), rng.random()
    if n % 2 == 0 and n > 8 and dice > 0.93:
        return _swiss(ids, strength, year, rng)
    each = 2 if n < 9 and rng.random() < 0.3 else 1
    coloured = rng.random() < 0.55
    cells = [[""] * n for _ in ids]
    for i in range(n):
        for j in range(i):
            cell = _games(float(strength[i] - strength[j]), each, year, rng)
            cells[i][j] = _coloured(cell, i + j).replace(" ", "") if coloured else "".join(cell)
            cells[j][i] = cells[i][j].translate(str.maketrans("10wb", "01bw"))
    points = [sum(cell.count("1") + cell.count("=") / 2 for cell in row) for row in cells]
    order = sorted(range(n), key=lambda k: (-points[k], k))
    players, totals = [ids[k] for k in order], [points[k] for k in order]
    title = {"format": ("Single", "Double")[each - 1] + "-round all-play-all"}
    if dice > 0.83:
        width, ends = max(map(len, players)) + 2, [number_text(t) for t in totals]
        rows = zip(players, ends, strict=True)
        text = "".join(f"{p:<{width}}{end}/{each * (n - 1)}\n" for p, end in rows)
        return {**title, "totals": text, "games_per_pair": each}
    share = 0.0 if n < 6 or dice < 0.5 else 0.35 if dice > 0.6 else 0.1
    gone = np.triu(rng.random((n, n)) < share, 1)
    found: Fields
    if dice > 0.6:  # a list of the pairs that are known
        pairs = [(i, j) for a, i in enumerate(order) for j in order[a + 1 :] if not gone[i, j]]
        games = [re.sub("(?<=[wb])(?=.)", " ", cells[i][j]) for i, j in pairs]
        listed = [([ids[i], ids[j]], game) for (i, j), game in zip(pairs, games, strict=True)]
        found = {"pairings": [{"players": pair, "games": game} for pair, game in listed]}
    else:
        gone |= gone.T
        table = [
            [None if i == j else "?" if gone[i, j] else cells[i][j] for j in order] for i in order
        ]
        found = {"crosstable": crosstable(players, table, None if gone.any() else totals)}
    missing = {"completeness": "incomplete", "missing": "Some results are not in the reports."}
    return {**title, **(missing if gone.any() else {}), **found}


def _swiss(ids: list[str], strength: Floats, year: int, rng: Generator) -> Fields:
    """Return a tournament of five rounds in which those of near scores meet, twice at most."""
    points = np.zeros(len(ids))
    rounds = []
    for number in range(1, 6):
        order = np.lexsort((rng.random(len(ids)), -points)).reshape(-1, 2).tolist()
        pairings = []
        for i, j in order:
            (game,) = _games(float(strength[i] - strength[j]), 1, year, rng)
            points[[i, j]] += (1, 0) if game == "1" else (0, 1) if game == "0" else (0.5, 0.5)
            pairings.append({"players": [ids[i], ids[j]], "games": f"{game}w"})
        rounds.append({"name": f"Round {number}", "pairings": pairings})
    return {"format": "Five rounds by the Swiss system", "rounds": rounds}
