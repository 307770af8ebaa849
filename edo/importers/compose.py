"""Event files from the scores of pairs and the totals of players, in canonical form."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import cast

from edo.core import yaml
from edo.core.formats import counted
from edo.core.model import Citation, Mark, Total
from edo.core.yaml import YamlValue, dump
from edo.history.crosstable import MAX_ROWS, aligned, write
from edo.history.events import event_of
from edo.history.fields import EVENT
from edo.history.notation import TOLERANCE, mark_text, number_text, opposite
from edo.history.reading import Known

CROSSTABLE_PLAYERS = 4  # [players] fewer are easier to read as pairings where games are missing
KNOCKOUT = "knock-out"  # within the format of an event whose results are listed by round

Pair = frozenset[str]
Fields = dict[str, YamlValue]


@dataclass(frozen=True, slots=True)
class PairScore:
    """Games of two players: their points [points], and the games in order where they are known.

    `round` is its name or number as printed; `teams` are those of the two players, in team matches.
    `annotation` holds what else the event file says of the games, by field.
    """

    first: str
    second: str
    points: float
    points_against: float
    marks: tuple[Mark, ...] = ()
    draws: int | None = None
    round: str = ""
    teams: tuple[str, str] = ("", "")
    annotation: Mapping[str, YamlValue] = field(default_factory=dict)

    @property
    def pair(self) -> Pair:
        """Return the two players."""
        return frozenset((self.first, self.second))

    @property
    def games(self) -> float:
        """Return the number of games [games]."""
        return len(self.marks) or self.points + self.points_against

    @property
    def counted(self) -> bool:
        """Whether the final totals count the games."""
        return "uncounted" not in self.annotation

    def seen_by(self, player: str) -> PairScore:
        """Return the same games from the side of one of the two."""
        if player == self.first:
            return self
        return PairScore(
            self.second, self.first, self.points_against, self.points,
            tuple(map(opposite, self.marks)), self.draws, self.round,
            (self.teams[1], self.teams[0]), self.annotation,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to be written: scores in playing order, totals in finishing order.

    `fields` are those of the event file that need no computation (name, kind, year ...). `names`
    and `sites` are what the source calls the event and its place, `years` those of its games.
    `whole` says that the source claims to have all results, `partial` that it may lack some rounds.
    `lost` games have no usable result.
    """

    id: str
    fields: Mapping[str, YamlValue]
    scores: tuple[PairScore, ...]
    sources: tuple[Citation, ...]
    totals: tuple[Total, ...] = ()
    names: Sequence[str] = ()
    sites: Sequence[str] = ()
    years: frozenset[int] = frozenset()
    games_per_pair: int | None = None
    players_in_all: int | None = None
    whole: bool = False
    partial: bool = False
    lost: int = 0

    @property
    def kind(self) -> str:
        """Return the kind of event."""
        return str(self.fields["kind"])

    @property
    def players(self) -> frozenset[str]:
        """Return all players."""
        pairs = [score.pair for score in self.scores]
        return frozenset().union(*pairs, (total.player for total in self.totals))

    @property
    def path(self) -> str:
        """Return the path of the file in the folder of events."""
        return f"{self.fields['year']}/{self.id}.yaml"

    @property
    def is_knockout(self) -> bool:
        """Whether the format says that it is a knock-out."""
        return KNOCKOUT in str(self.fields.get("format") or "").lower()


def compose(event: NewEvent, known: Known) -> tuple[str | None, list[str]]:
    """Return the text of the event's file, None if it cannot be read, and what is wrong with it.

    Totals that reading refuses are entered as published totals, which prove nothing.
    """
    problems: list[str] = []
    for are_totals_sure in (True, False) if event.totals else (True,):
        fields = _fields(event, are_totals_sure)
        text = dump({field.name: fields.get(field.name) for field in EVENT.fields})
        path = Path("events") / event.path
        _, read_problems = event_of(yaml.parse(text, str(path)), path, str(path), known)
        errors = [
            f"{problem.place}: {problem.message}"
            for problem in read_problems
            if problem.severity == "error"
        ]
        if not errors:
            return text, problems + _differing(fields) + _doubts(event, fields)
        problems = list(dict.fromkeys([*problems, *errors]))
    return None, problems


def _differing(fields: Fields) -> list[str]:
    """Return a warning of each total that the results contradict."""
    totals = fields.get("published_totals") if "players" not in fields else None
    return [
        f"{total['player']}: {total['total']} is a published total. {total['note']}"
        for total in cast(list[dict[str, str]], totals or [])
    ]


def _doubts(event: NewEvent, fields: Fields) -> list[str]:
    """Return warnings of rounds that are not kept, or that alone make the event complete."""
    if event.whole or event.partial or event.kind != "tournament":
        return []
    if "rounds" in fields and not fields.get("completeness"):
        says = "taken as complete, because its rounds are; if later ones are missing, write so"
        of_swiss = "; places follow where it is called a Swiss (`format: Swiss`)"
        return [says if fields.get("format") else says + of_swiss]
    if "pairings" in fields and any(score.round for score in event.scores):
        return ["rounds are not kept: a result has none, or somebody met two others in one"]
    return []


def _fields(event: NewEvent, are_totals_sure: bool) -> Fields:
    cited = [{"source": citation.source, "where": citation.where} for citation in event.sources]
    fields = {**event.fields, "sources": cited}
    table = Table(event)
    each = table.games_per_pair
    if not event.scores and each is not None and are_totals_sure:
        return fields | _by_totals(event, each)
    agreeing = [total for total in event.totals if are_totals_sure and table.agrees(total)]
    fields |= _results(event, table, agreeing) | _completeness(event, table)
    if fields["completeness"] and each and table.is_rest_told(agreeing, each):
        text = f"{_known_pairs(table)} What the others add up to is taken from the totals."
        rest: Fields = {"games_per_pair": each, "rest": "from totals"}
        fields |= rest | _missing(event, text)
    differing = [
        {
            "player": total.player,
            "total": number_text(total.points),
            "note": table.difference(total),
        }
        for total in event.totals
        if total not in agreeing
    ]
    return fields | {"published_totals": differing or None}


def _by_totals(event: NewEvent, each: int) -> Fields:
    """Return the fields of an all-play-all of which only totals are known."""
    fields: Fields = {"games_per_pair": each, "totals": _block(event.totals)}
    some, of = len(event.totals), event.players_in_all
    if of is not None and of > some:
        text = f"The totals of {some} of the {of} players are known."
        return fields | {"players_in_all": of} | _missing(event, text)
    games = [total.games for total in event.totals]
    if all(games) and any(number != each * (some - 1) for number in games):
        text = "Not all games were played, and who met whom is not known."
        return fields | {"rest": "best guess"} | _missing(event, text)
    return fields | (_missing(event, "") if "missing" in event.fields else {"completeness": None})


def _results(event: NewEvent, table: Table, agreeing: Sequence[Total]) -> Fields:
    """Return the fields with the results, and the totals that agree with them."""
    if not event.scores:
        return {"players": table.players}
    if table.suits:
        points = {total.player: total.points for total in agreeing}
        totals = [points.get(player) for player in table.players]
        cells = [[table.cell(row, column) for column in table.players] for row in table.players]
        return {
            "crosstable": write(table.players, cells, totals),
            "remarks": _remarks(table) or None,
            "format": table.format,
        }
    listed: Fields = _rounds(event, table) if table.by_round else {
        "pairings": list(_pairings(table.players, event.scores))
    }  # fmt: skip
    totals_block = _block(agreeing) if agreeing and event.kind != "match" else None
    if table.by_round:
        listed["format"] = table.format
    return {**listed, "totals": totals_block}


def _block(totals: Iterable[Total]) -> str:
    rows = (
        f"{total.player} {number_text(total.points)}"
        + (f"/{number_text(total.games)}" if total.games else "")
        for total in totals
    )
    return aligned("\n".join(rows))


class Table:
    """The results of an event as a table: players in finishing order, and pairs.

    `short` pairs have fewer games than most. `whole`: all pairs met equally often. `closed`: the
    source has all results, and the totals agree. `by_round`: the results are listed by round; then
    `full` says that the rounds leave nobody without an opponent, or but one of a knock-out.
    """

    def __init__(self, event: NewEvent) -> None:
        self.event = event
        self.pairs = by_pair(event.scores)
        self.counts = {
            pair: sum(score.games for score in scores if score.counted)
            for pair, scores in self.pairs.items()
        }
        self._points: dict[str, float] = defaultdict(float)
        for score in event.scores:
            if score.counted:
                self._points[score.first] += score.points
                self._points[score.second] += score.points_against
        self.players = self._finishing_order()
        self.possible = len(self.players) * (len(self.players) - 1) // 2
        usual = _usual(list(self.counts.values()))
        self.short = {p for p, games in self.counts.items() if usual and games < usual}
        self._opponents = Counter(player for pair in self.pairs for player in pair)
        self._shortened = frozenset().union(*self.short)
        self.whole = len(self.pairs) == self.possible and len({*self.counts.values()}) == 1
        self.closed = event.whole and all(
            abs(self.known_points(total.player) - total.points) < TOLERANCE
            for total in event.totals
        )
        self.rounds = by_round(event.scores)
        self.is_knockout = event.is_knockout or _is_final([*self.rounds][-1:])
        rounds = list(self.rounds.values())
        self.full = event.kind == "tournament" and (
            _leaves_one(rounds) if self.is_knockout else _all_play(rounds, len(self.players))
        )
        self.by_round = self._is_by_round()

    def _is_by_round(self) -> bool:
        """Whether the results are listed by round: of teams, a knock-out or a Swiss tournament."""
        event, named = self.event, any(self.rounds)
        if event.kind == "team match":
            return named or any(all(score.teams) for score in event.scores)
        if event.kind != "tournament" or not named or event.is_knockout:
            return named and event.kind == "tournament"
        if self.whole or not _once_a_round(self.rounds):
            return False
        is_told = event.whole and not self.closed  # byes make totals, but no games
        return self.full or self.is_knockout or is_told or 2 * len(self.pairs) < self.possible

    def _finishing_order(self) -> list[str]:
        printed = [total.player for total in self.event.totals]
        known = {player: [-self.known_points(player), 0.0] for player in self.event.players}
        for pair, games in self.counts.items():
            for player in pair:
                known[player][1] += games
        if self.event.kind == "match" and not printed:  # the winner, or who is named first
            first = self.event.scores[0].first
            return sorted(known, key=lambda player: (known[player][0], player != first))
        rest = sorted(known.keys() - set(printed), key=lambda p: (*known[p], p))
        return [*dict.fromkeys(printed), *rest]

    @property
    def suits(self) -> bool:
        """Whether a crosstable suits the event better than pairings."""
        event = self.event
        if event.kind != "tournament" or not self.pairs or self.by_round:
            return False
        if len(self.players) > MAX_ROWS:
            return False
        enough = len(self.players) >= CROSSTABLE_PLAYERS and (
            2 * len(self.pairs) >= self.possible or len(event.totals) == len(self.players)
        )
        return (enough or self.whole) and all(score.marks for score in event.scores)

    def cell(self, row: str, column: str) -> str:
        """Return the games of two players in the notation of crosstables."""
        if row == column:
            return "."
        pair = frozenset((row, column))
        marks = [m for score in self.pairs.get(pair, ()) for m in score.seen_by(row).marks]
        played = "".join(map(mark_text, marks))
        return (played or "_") if self.closed else played + "?" * self.is_open(pair)

    def is_open(self, pair: Pair) -> bool:
        """Whether games of the pair may be missing."""
        return pair not in self.pairs or pair in self.short

    @property
    def format(self) -> YamlValue:
        """Return the format as stated, or that of a table in which all pairs met equally often."""
        stated = self.event.fields.get("format")
        if not stated and self.is_knockout and self.by_round and self.full:
            return "Knock-out"
        if stated or not self.whole or self.by_round:
            return stated
        games = int(next(iter(self.counts.values())))
        words = {1: "Single-round all-play-all", 2: "Double-round all-play-all"}
        return words.get(games, f"All-play-all, {games} games with each opponent")

    @property
    def games_per_pair(self) -> int | None:
        """Return how many games each pair was to play, as stated or by the totals."""
        event = self.event
        if event.games_per_pair is not None or not event.totals:
            return event.games_per_pair
        opponents = (event.players_in_all or len(event.players)) - 1
        games = {total.games for total in event.totals}
        most = games.pop() if len(games) == 1 else None
        if most is None and event.players_in_all is None:
            most = 2 * sum(total.points for total in event.totals) / (opponents + 1)
        each, rest = divmod(most or 0, max(opponents, 1))
        return int(each) if each and abs(rest) < TOLERANCE else None

    def known_points(self, player: str) -> float:
        """Return what the known games that count make the player [points]."""
        return self._points.get(player, 0.0)

    def agrees(self, total: Total) -> bool:
        """Whether the results can make the total."""
        if not self.pairs:
            return False
        lacks = self._opponents[total.player] < len(self.players) - 1
        is_open = (lacks or total.player in self._shortened) and not self.closed
        if self.by_round and (self.full or self.event.whole):
            is_open = False
        left = total.points - self.known_points(total.player)
        return left > -TOLERANCE and (is_open or left < TOLERANCE)

    def is_rest_told(self, agreeing: Sequence[Total], each: int) -> bool:
        """Whether the totals tell what unknown games add up to, `each` of a pair.

        All players have one, none contradicts the results, and they make what all pairs play for.
        """
        points = sum(total.points for total in agreeing)
        is_all = abs(points - each * self.possible) < TOLERANCE
        return (
            len(agreeing) == len(self.players)
            and is_all
            and max(self.counts.values()) <= each
            and sum(self.counts.values()) < points
        )

    def difference(self, total: Total) -> str:
        """Return how a total differs from the results, for the note of a published total."""
        if not self.pairs:
            return "The printed totals are not those of an all-play-all."
        known = number_text(self.known_points(total.player))
        return f"The results known here add up to {known}."


def by_pair(scores: Iterable[PairScore]) -> dict[Pair, list[PairScore]]:
    """Return the scores of each pair, in the order given."""
    pairs: dict[Pair, list[PairScore]] = {}
    for score in scores:
        pairs.setdefault(score.pair, []).append(score)
    return pairs


def by_round(scores: Iterable[PairScore]) -> dict[str, list[PairScore]]:
    """Return the scores of each round, in the order given."""
    rounds: dict[str, list[PairScore]] = {}
    for score in scores:
        rounds.setdefault(score.round, []).append(score)
    return rounds


_NUMBERED = re.compile(r"\d+(\.\d+)*(:|$)")
_FINAL = re.compile(r"\b(grand )?finale?\b", re.I)
_PLACES = re.compile(r"\bplace\b", re.I)


def _is_final(names: Sequence[str]) -> bool:
    """Whether the last round is called a final; a match for another place may follow it."""
    return any(_FINAL.search(name) or _PLACES.search(name) for name in names)


def _once_a_round(rounds: Mapping[str, Sequence[PairScore]]) -> bool:
    """Whether all results have a round, in which each player meets one other."""
    met = (Counter(p for pair in by_pair(scores) for p in pair) for scores in rounds.values())
    return "" not in rounds and all(set(each.values()) == {1} for each in met)


def _all_play(rounds: Sequence[Sequence[PairScore]], players: int) -> bool:
    """Whether there are several rounds, in each of which all players have an opponent."""
    return len(rounds) > 1 and all(len(by_pair(scores)) == players // 2 for scores in rounds)


def _leaves_one(rounds: Sequence[Sequence[PairScore]]) -> bool:
    """Whether all but one player lose a match and play no more, except against each other."""
    out: set[str] = set()
    everyone = {player for scores in rounds for score in scores for player in score.pair}
    for scores in rounds:
        losers = set()
        for pair, games in by_pair(scores).items():
            first, second = pair
            points = sum(game.seen_by(first).points for game in games)
            against = sum(game.seen_by(first).points_against for game in games)
            if pair <= out:  # for the third place
                continue
            if pair & out or points == against:
                return False
            losers.add(first if points < against else second)
        out |= losers
    return len(everyone) - len(out) == 1


def _usual(counts: Sequence[float]) -> float | None:
    """Return how many games most pairs have, None where no number holds for half of them."""
    known = Counter(filter(None, counts))
    return next((n for n, pairs in known.items() if 2 * pairs > known.total()), None)


def _rounds(event: NewEvent, table: Table) -> Fields:
    rounds = table.rounds
    nameless = "Boards" if len(rounds) == 1 else "Round not known"
    listed: list[YamlValue] = []
    teams = _teams(event.scores)
    order = [player for players in teams.values() for player in players] or table.players
    for name, scores in rounds.items():
        shown = f"Round {name}" if _NUMBERED.match(name) else name or nameless
        listed.append({"name": shown, "pairings": list(_pairings(order, scores))})
    named: list[YamlValue] = [{"name": team, "players": teams[team]} for team in teams]
    return {"teams": named or None, "rounds": listed}


def _teams(scores: Sequence[PairScore]) -> dict[str, list[str]]:
    """Return the players of each team; none where a player has no team or several."""
    teams: dict[str, dict[str, None]] = {}
    for score in scores:
        for player, team in zip((score.first, score.second), score.teams, strict=True):
            teams.setdefault(team, {})[player] = None
    named = [player for players in teams.values() for player in players]
    if "" in teams or len(teams) < 2 or len({*named}) < len(named):
        return {}
    return {team: list(teams[team]) for team in sorted(teams)}


def _pairings(order: Sequence[str], scores: Iterable[PairScore]) -> Iterator[Fields]:
    for side, games in _in_order(order, by_pair(scores)):
        played = [score.seen_by(side[0]) for score in games]
        for _, group in groupby(enumerate(played), _alike):
            run = [score for _, score in group]
            yield {"players": list(side), **_result(run), **run[0].annotation}


def _in_order(
    order: Sequence[str], pairs: Mapping[Pair, list[PairScore]]
) -> list[tuple[tuple[str, str], list[PairScore]]]:
    """Return the two players of each pair, and the pairs, in the order of the players."""
    places = {player: place for place, player in enumerate(order)}
    sides = {tuple(sorted(pair, key=places.__getitem__)): pair for pair in pairs}
    return [
        ((first, second), pairs[sides[first, second]])
        for first, second in sorted(sides, key=lambda side: [places[each] for each in side])
    ]


def _alike(numbered: tuple[int, PairScore]) -> tuple[Mapping[str, YamlValue], int]:
    """Return the same for games that can be listed in one pairing."""
    number, score = numbered
    return score.annotation, -1 if score.marks else number


def _result(run: Sequence[PairScore]) -> Fields:
    if run[0].marks:
        return {"games": " ".join(mark_text(mark) for score in run for mark in score.marks)}
    (score,) = run
    if score.draws is None:
        return {"score": f"{number_text(score.points)}-{number_text(score.points_against)}"}
    won, lost = (points - score.draws / 2 for points in (score.points, score.points_against))
    return {"score": f"+{number_text(won)} -{number_text(lost)} ={score.draws}"}


def _remarks(table: Table) -> list[YamlValue]:
    """Return the remarks on the games of a crosstable."""
    remarks: list[YamlValue] = []
    for side, scores in _in_order(table.players, table.pairs):
        games = [score.annotation for score in scores for _ in score.marks]
        if games and all(said == games[0] for said in games):
            remarks += [{"players": list(side), **games[0]}] if games[0] else []
            continue
        remarks += [
            {"players": list(side), "game": n, **said} for n, said in enumerate(games, 1) if said
        ]
    return remarks


def _missing(event: NewEvent, text: str, state: str = "incomplete") -> Fields:
    """Return that the event is not complete, with what the source states before our own words."""
    stated = event.fields.get("completeness")
    state = state if stated in (None, "complete") else str(stated)
    return {"completeness": state, "missing": event.fields.get("missing") or text}


def _completeness(event: NewEvent, table: Table) -> Fields:
    """Return how complete the results are, and what is missing."""
    if "missing" in event.fields or not event.scores:
        return _missing(event, "Only totals are known, and they are not those of an all-play-all.")
    text = _known_pairs(table)
    if event.lost:
        lost = (
            f"{counted(event.lost, 'game has', 'games have')} no usable result in the collection."
        )
        return _missing(event, lost if event.kind == "match" else f"{text} {lost}")
    is_open = table.short or len(table.pairs) < table.possible
    is_full = table.by_round and table.full and not event.fields.get("completeness")
    if is_full and event.partial:
        text = "All players have an opponent in every round; whether others took part is not known."
        return _missing(event, text, "unverified")
    if is_full or (event.whole and (table.closed or table.by_round or not is_open)):
        return {"completeness": None}
    if event.kind == "match":
        return _of_match(event)
    if event.kind == "team match":
        boards = counted(len(event.scores), "game")
        text = f"Only single boards are known ({boards}), not the scores of the teams."
    elif table.suits and event.totals and len(event.totals) < len(table.players):
        text += " Players without a published total are in the order of the points known."
    elif table.suits and not event.totals:
        text += " Order of finish not known."
    return _missing(event, text, "unverified" if table.whole else "incomplete")


def _known_pairs(table: Table) -> str:
    players, known = len(table.players), len(table.pairs)
    if table.event.is_knockout or (table.is_knockout and table.by_round):
        return "Not all matches of the knock-out are known."
    if table.by_round and not table.full:
        return f"Not all {players} players have an opponent in every round."
    if table.whole:
        return f"All pairs of these {players} players met; whether others took part is not known."
    of = f"{known} of the {table.possible} pairs of these {players} players"
    text = f"Games of {of} are known"
    if table.short:
        number = len(table.short)
        lack = "one of them lacks" if number == 1 else f"{number} of them lack"
        text += f"; {lack} a game that most pairs have"
    return text + "."


def _of_match(event: NewEvent) -> Fields:
    """Return what the numbers of the games say about others that the match may have had."""
    numbers = {int(score.round) for score in event.scores if score.round.isdigit()}
    if not all(score.marks for score in event.scores):
        text = "The source does not say whether these are all the games."
        return _missing(event, text, "unverified")
    if len(numbers) < len(event.scores):
        known = counted(len(event.scores), "game is", "games are")
        text = (
            f"{known} known; the source does not number all games, so there may have been others."
        )
        return _missing(event, text, "unverified")
    span = f"The games known are numbered {min(numbers)} to {max(numbers)};"
    if holes := [str(n) for n in range(min(numbers), max(numbers)) if n not in numbers]:
        return _missing(event, f"{span} missing: {', '.join(holes)}.")
    return _missing(event, f"{span} there may have been others.", "unverified")
