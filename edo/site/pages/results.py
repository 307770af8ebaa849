"""Lists of results: an event's pairings, a player's opponents, and head-to-head records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from markupsafe import Markup

from edo.core import formats
from edo.core.model import Dataset, Event, Odds, OddsKind, Player, Result, Round
from edo.history.unknown_games import is_totals_only
from edo.rating.coverage import compares_all, left_out, unrated_besides_default
from edo.site import markup, urls
from edo.site.input import Link
from edo.site.pages.annotations import WITHOUT_PLAY
from edo.site.pages.crosstable import Deduced, Encounter, EventData, shown_marks
from edo.site.pages.lookups import Lookups, chronological
from edo.site.pages.standings import entered, expected_of, known_score

Score = tuple[float, float]
"""The points [points] of the first-named side and of the other."""


@dataclass(frozen=True, slots=True)
class PairingRow:
    """The games of two players, and the points [points] expected of the first.

    `expected` is None where not all of the games are rated.
    """

    first: str
    second: str
    score: Score
    games: tuple[Encounter, ...]
    expected: float | None


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A round with its pairings; `score` is that of the teams, where teams played."""

    round: Round
    note: Markup | None
    score: Score | None
    rows: tuple[PairingRow, ...]


def round_tables(data: EventData) -> tuple[RoundTable, ...]:
    """Return the tables of the event's rounds, in their order."""
    event = data.event
    tables = []
    for number, one in enumerate(event.rounds):
        places = [i for i, result in enumerate(event.results) if result.round == number]
        tables.append(
            RoundTable(
                one,
                None if one.note is None else markup.inline(one.note, urls.event(event.id)),
                None if one.teams is None else _score(data.part(places)),
                pairing_rows(data, places),
            )
        )
    return tuple(tables)


def team_score(event: Event) -> Score | None:
    """Return the score of a match of two teams over several rounds, None where there is none."""
    teams = {one.teams for one in event.rounds}
    is_one_match = len(event.rounds) > 1 and len(teams) == 1 and None not in teams
    return _score(event) if is_one_match else None


def pairing_rows(data: EventData, places: Iterable[int]) -> tuple[PairingRow, ...]:
    """Return a row for each pairing among some results, at each kind of odds apart."""
    grouped: dict[tuple[str, str, Odds | None], list[int]] = {}
    for place in places:
        one = data.event.results[place]
        turned = (one.second, one.first, one.odds)
        key = turned if turned in grouped else (one.first, one.second, one.odds)
        grouped.setdefault(key, []).append(place)
    return tuple(
        _pairing(first, second, group, data) for (first, second, _), group in grouped.items()
    )


def _pairing(first: str, second: str, places: list[int], data: EventData) -> PairingRow:
    part = data.part(places)
    points, games = known_score(part.results, first)
    rated = entered(part, data.dataset, data.ratings)
    expected = expected_of(first, rated, data.ratings)
    is_rated = abs(sum(pairing.games for pairing in rated) - games) < 1e-9
    return PairingRow(
        first,
        second,
        (points, known_score(part.results, second)[0]),
        data.seen_by(first, places),
        formats.rounded(expected, 2) if is_rated and expected is not None else None,
    )


def _score(event: Event) -> Score:
    """Return the points of the first-named players and of the others."""
    results = event.results
    return sum(one.points_first for one in results), sum(one.points_second for one in results)


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """Games against one opponent that count for one year; `is_apart` where they are not rated.

    `player` is the opponent's id, `opponent` has the short name. `result` is `½` of one game, else
    the score with the games if they are known, `1½/2 (1 ½)`. `deduced` says how games without known
    results are rated, by the totals or by a guess. `remarks` are kinds of marks, each with its
    text. `is_again` where the row before is of the same opponent.
    """

    player: str
    opponent: Link
    year: int
    result: str
    is_apart: bool = False
    deduced: str | None = None
    remarks: tuple[tuple[str, Markup | None], ...] = ()
    note: Markup | None = None
    is_again: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the kinds of marks that belong to these games."""
        own = tuple(kind for kind, _ in self.remarks)
        return own if self.deduced is None else (*own, self.deduced)


def opponent_rows(event: Event, player: Player, lookups: Lookups) -> tuple[OpponentRow, ...]:
    """Return a row for each result of the player, or where only totals are known each opponent.

    Deduced scores follow the known results against the same opponent.
    """
    if has_totals_alone(event):
        return tuple(_of_totals(event, player, lookups))
    rows = [
        (one.opponent, _row(event, player, one, lookups))
        for one in lookups.encounters(event, player.id)
    ]
    parts = lookups.deduced_of(event, player.id)
    if parts:
        for opponent, part in parts.items():
            shown = f"?/{formats.score(part.games)}" if part.kind == "totals" else "?"
            who = _who(opponent, event.year, lookups)
            odds = tuple(_odds_by_class(event, player.id, opponent, lookups.dataset))
            rows.append((opponent, OpponentRow(*who, shown, deduced=part.kind, remarks=odds)))
        rows.sort(key=lambda row: event.players.index(row[0]))
    befores = (None, *(opponent for opponent, _ in rows))
    return tuple(
        replace(row, is_again=True) if opponent == before else row
        for (opponent, row), before in zip(rows, befores, strict=False)
    )


def has_totals_alone(event: Event) -> bool:
    """Whether only totals are known of the event, of all players or of some."""
    return is_totals_only(event) or (event.players_in_all is not None and not event.results)


def year_of(event: Event, result: Result) -> int:
    """Return the year for which a result counts."""
    return event.year if result.year is None else result.year


def _of_totals(event: Event, player: Player, lookups: Lookups) -> Iterator[OpponentRow]:
    games, dataset = event.games_per_pair or 0.0, lookups.dataset
    has_odds = compares_all(event, dataset.odds)
    for opponent in event.players:
        if opponent == player.id:
            continue
        is_other_class = event.classes.get(opponent) != event.classes.get(player.id)
        at_odds = tuple(_odds_by_class(event, player.id, opponent, dataset)) if has_odds else ()
        other_class = (("classes", Markup("of another class")),) if is_other_class else ()
        yield OpponentRow(
            *_who(opponent, event.year, lookups),
            result=f"?/{formats.score(games)}",
            is_apart=(is_other_class and not at_odds) or event.unrated is not None,
            remarks=at_odds or other_class,
        )


def _odds_by_class(
    event: Event, player: str, opponent: str, dataset: Dataset
) -> Iterator[tuple[str, Markup]]:
    """Yield the remark on the odds that the player gave or received by class."""
    given = event.odds_between(player, opponent)
    if given is not None:
        how = "gave" if given.giver == player else "received"
        yield "odds", markup.inline(f"{how} {dataset.odds[given.kind].name}", urls.player(player))


def _row(event: Event, player: Player, met: Encounter, lookups: Lookups) -> OpponentRow:
    dataset, page = lookups.dataset, urls.player(player.id)
    return OpponentRow(
        *_who(met.opponent, year_of(event, met.result), lookups),
        result=_result(met),
        remarks=tuple(_remarks(met, dataset, page)),
        note=None if met.result.note is None else markup.inline(met.result.note, page),
        is_apart=left_out(event, met.result, dataset.odds) is not None,
    )


def _result(met: Encounter) -> str:
    """Return the one game, or the score and behind it the games as far as they are known."""
    games = shown_marks(met.marks)
    if len(met.marks) == 1:
        return games
    score = formats.points_of_games(met.points, met.games)
    return f"{score} ({games})" if games else score


def _who(opponent: str, year: int, lookups: Lookups) -> tuple[str, Link, int]:
    return opponent, Link(lookups.short_names[opponent], urls.player(opponent)), year


def _remarks(met: Encounter, dataset: Dataset, page: str) -> Iterator[tuple[str, Markup | None]]:
    result = met.result
    if result.odds is not None:
        name = dataset.odds[result.odds.kind].name
        yield "odds", markup.inline(f"{met.odds} {name}", page)
    if result.soft is not None:
        yield "soft", markup.inline(result.soft, page)
    if result.proportion is not None:
        name = dataset.players[result.first].shown_name
        yield "proportion", Markup("{} for {}").format(result.proportion, name)
    if result.year is not None:
        yield "split", Markup("counted for {}").format(result.year)
    if result.default is not None:
        without_more = result.default == WITHOUT_PLAY
        yield "default", None if without_more else markup.inline(result.default, page)
    reason = unrated_besides_default(result, dataset.odds)
    if reason is not None:
        yield "unrated", markup.inline(reason, page)
    if result.uncounted is not None:
        yield "uncounted", markup.inline(result.uncounted, page)


@dataclass(frozen=True, slots=True)
class Met:
    """Games against one opponent by event: known results, and games known only from totals."""

    known: list[tuple[Event, Encounter]]
    deduced: list[tuple[Event, Deduced]]

    @property
    def games(self) -> float:
        """Return the number of games [games], including those that do not count."""
        known = sum(one.games for _, one in self.known)
        return known + sum(part.games for _, part in self.deduced)

    @property
    def events(self) -> tuple[Event, ...]:
        """Return the events in which they met, in order of time."""
        found = {event.id: event for event, _ in (*self.known, *self.deduced)}
        return tuple(sorted(found.values(), key=chronological))

    def at(self, event: Event) -> Met:
        """Return the games of one event."""
        return Met(
            [(held, one) for held, one in self.known if held.id == event.id],
            [(held, part) for held, part in self.deduced if held.id == event.id],
        )


@dataclass(frozen=True, slots=True)
class Tally:
    """The points [points] of a player in the games with known results against one opponent.

    `won`, `drawn`, `lost` [games] are None where for some games only the common score is known, or
    none. `kinds` are those of the marks on any of the games. Games decided `by_default`, other
    `unrated` games and games known only `from_totals` [games] are counted only here.
    """

    won: float | None
    drawn: float | None
    lost: float | None
    points: float
    games: float
    kinds: tuple[str, ...]
    by_default: float
    unrated: float
    from_totals: float

    @property
    def share(self) -> float | None:
        """Return the share of the points, None without games."""
        return self.points / self.games if self.games else None


def all_met(player: Player, lookups: Lookups) -> Mapping[str, Met]:
    """Return the games of a player against each opponent, in the order in which they were met."""
    met: defaultdict[str, Met] = defaultdict(lambda: Met([], []))
    for event in lookups.index.events_of_player.get(player.id, ()):
        for one in lookups.encounters(event, player.id):
            met[one.opponent].known.append((event, one))
        for opponent, part in lookups.deduced_of(event, player.id).items():
            if all(one not in lookups.ratings.unrated for one in (player.id, opponent)):
                met[opponent].deduced.append((event, part))
    return met


def tally(met: Met, odds: Mapping[str, OddsKind]) -> Tally:
    """Return the sum of the games, as the player sees them."""
    counted = [one for event, one in met.known if left_out(event, one.result, odds) is None]
    apart = [one for event, one in met.known if left_out(event, one.result, odds) is not None]
    parts = [part for _, part in met.deduced]
    split = _wins_draws_losses(counted)
    won, drawn, lost = split or (None, None, None)
    return Tally(
        won=won,
        drawn=drawn,
        lost=lost,
        points=sum(one.points for one in counted),
        games=sum(one.games for one in counted),
        kinds=_kinds_met(counted, parts),
        by_default=sum(one.games for one in apart if one.result.default is not None),
        unrated=sum(one.games for one in apart if one.result.default is None),
        from_totals=round(sum(part.games for part in parts), 9),
    )


def _wins_draws_losses(counted: Sequence[Encounter]) -> tuple[float, float, float] | None:
    """Return wins, draws and losses, None where some score does not tell them apart."""
    tallies = [one.tally for one in counted]
    if not tallies or None in tallies:
        return None
    won, drawn, lost = (sum(column) for column in zip(*filter(None, tallies), strict=True))
    return won, drawn, lost


def _kinds_met(counted: Sequence[Encounter], parts: Sequence[Deduced]) -> tuple[str, ...]:
    marked = (zip(_KINDS_OF_RESULTS, _marked(one.result), strict=True) for one in counted)
    found: set[str] = {kind for each in marked for kind, value in each if value is not None}
    found.update(part.kind for part in parts)
    found.update("odds" for part in parts if part.odds is not None)
    return tuple(kind for kind in (*_KINDS_OF_RESULTS, "totals", "guess") if kind in found)


_KINDS_OF_RESULTS = ("odds", "soft", "proportion", "split", "uncounted")
_marked = attrgetter("odds", "soft", "proportion", "year", "uncounted")
