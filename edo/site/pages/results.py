"""Lists of results: the pairings of an event, and the opponents of a player in it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup

from edo.core import formats
from edo.core.model import Dataset, Event, Odds, Player, Result, Round
from edo.history.teams import team_by_player
from edo.history.unknown_games import is_totals_only
from edo.rating.coverage import compares_all, unrated_besides_default
from edo.rating.edo import Ratings
from edo.rating.meetings import Meeting, Meetings, PlayerResult, rated_score
from edo.site import markup, urls
from edo.site.input import SiteInput
from edo.site.pages.annotations import WITHOUT_PLAY
from edo.site.pages.crosstable import shown_marks

Score = tuple[float, float]
"""The points [points] of the first-named side and of the other."""


@dataclass(frozen=True, slots=True)
class PairingRow:
    """The games of two players, and the points [points] expected of the first.

    `expected` is None where not all of the games are rated.
    """

    meeting: Meeting
    expected: float | None


@dataclass(frozen=True, slots=True)
class PairingGroup:
    """The pairings of two teams with their score there; of none where the teams are not known."""

    teams: tuple[str, str] | None
    score: Score | None
    rows: tuple[PairingRow, ...]


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A round with its pairings, those of each two teams together."""

    round: Round
    note: Markup | None
    groups: tuple[PairingGroup, ...]


def round_tables(event: Event, table: Meetings, ratings: Ratings) -> tuple[RoundTable, ...]:
    """Return the tables of the event's rounds, in their order."""
    tables = []
    for number, round_ in enumerate(event.rounds):
        results = {i: result for i, result in enumerate(event.results) if result.round == number}
        tables.append(
            RoundTable(
                round_,
                None if round_.note is None else markup.inline(round_.note, urls.event(event.id)),
                pairing_groups(event, results, table, ratings),
            )
        )
    return tuple(tables)


def pairing_groups(
    event: Event, results: Mapping[int, Result], table: Meetings, ratings: Ratings
) -> tuple[PairingGroup, ...]:
    """Return the pairings among results by place, those of each two teams together.

    Of two teams, the one that stands first in the file is on the left. Pairings without known
    teams come last, lest they seem to belong to the two above them.
    """
    team_of = team_by_player(event.teams)
    order = {team.name: place for place, team in enumerate(event.teams)}
    grouped: dict[tuple[str, str] | None, list[PairingRow]] = {}
    for row in pairing_rows(results, table, ratings):
        one, other = row.meeting.player, row.meeting.opponent
        if one not in team_of or other not in team_of:
            grouped.setdefault(None, []).append(row)
            continue
        if order[team_of[one]] > order[team_of[other]]:
            places = [result.place for result in row.meeting.results]
            turned = table[other][one].part(places)
            shown, sides = PairingRow(turned, _expected(turned, ratings)), (other, one)
        else:
            shown, sides = row, (one, other)
        grouped.setdefault((team_of[sides[0]], team_of[sides[1]]), []).append(shown)
    ordered = sorted(grouped.items(), key=lambda item: item[0] is None)
    return tuple(
        PairingGroup(teams, None if teams is None else _team_score(rows), tuple(rows))
        for teams, rows in ordered
    )


def _team_score(rows: Collection[PairingRow]) -> Score:
    """Return the points of the players on the left and of the others, as far as they count."""
    results = [result for row in rows for result in row.meeting.results]
    counted = [result for result in results if result.result.uncounted is None]
    return sum(one.points for one in counted), sum(one.opponent_points for one in counted)


def pairing_rows(
    results: Mapping[int, Result], table: Meetings, ratings: Ratings
) -> tuple[PairingRow, ...]:
    """Return a row for each pairing among results by place, at each kind of odds apart."""
    grouped: dict[tuple[str, str, Odds | None], list[int]] = {}
    for place, result in results.items():
        turned = (result.second, result.first, result.odds)
        key = turned if turned in grouped else (result.first, result.second, result.odds)
        grouped.setdefault(key, []).append(place)
    parts = (table[one][other].part(places) for (one, other, _), places in grouped.items())
    return tuple(PairingRow(part, _expected(part, ratings)) for part in parts)


def _expected(meeting: Meeting, ratings: Ratings) -> float | None:
    rated = rated_score(meeting.results, ratings)
    is_rated = rated is not None and abs(rated.games - meeting.known_games) < 1e-9
    return rated.expected if rated is not None and is_rated else None


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """Games against one opponent that count for one year; `is_apart` where they are not rated.

    `player` is the opponent's id. `result` is `½` of one game, else the score with the games if
    they are known, `1½/2 (1 ½)`. `deduced` says how games without known results are rated, by the
    totals or by a guess. `remarks` are kinds of marks, each with its text. `is_again` where the row
    before is of the same opponent.
    """

    player: str
    year: int
    result: str
    is_apart: bool = False
    deduced: str | None = None
    remarks: tuple[tuple[str, Markup | None], ...] = ()
    note: Markup | None = None
    is_again: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether nothing is said of the games but the result."""
        return not (self.is_apart or self.deduced or self.remarks or self.note)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the kinds of marks that belong to these games."""
        own = tuple(kind for kind, _ in self.remarks)
        return own if self.deduced is None else (*own, self.deduced)


def opponent_rows(event: Event, player: Player, site: SiteInput) -> tuple[OpponentRow, ...]:
    """Return a row for each result of the player, or where only totals are known each opponent.

    Deduced scores follow the known results against the same opponent.
    """
    if has_totals_alone(event):
        return tuple(_of_totals(event, player, site))
    return tuple(
        replace(row, is_again=True) if place else row
        for meeting in site.index.meetings_of(event, player.id)
        for place, row in enumerate(_rows(meeting, site))
    )


def _rows(meeting: Meeting, site: SiteInput) -> Iterator[OpponentRow]:
    event, page = meeting.event, urls.player(meeting.player)
    for result in meeting.results:
        note = result.result.note
        yield OpponentRow(
            meeting.opponent,
            result.year,
            result=_result(result),
            remarks=tuple(_remarks(result, site.dataset, page)),
            note=None if note is None else markup.inline(note, page),
            is_apart=result.left_out is not None,
        )
    if (part := meeting.deduced) is not None:
        yield OpponentRow(
            meeting.opponent,
            event.year,
            result=f"?/{formats.score(part.games)}" if part.kind == "totals" else "?",
            deduced=part.kind,
            remarks=tuple(_odds_by_class(event, meeting.player, meeting.opponent, site.dataset)),
        )


def has_totals_alone(event: Event) -> bool:
    """Whether only totals are known of the event, of all players or of some."""
    return is_totals_only(event) or (event.players_in_all is not None and not event.results)


def _of_totals(event: Event, player: Player, site: SiteInput) -> Iterator[OpponentRow]:
    games, dataset = event.games_per_pair or 0.0, site.dataset
    has_odds = compares_all(event, dataset.odds)
    for opponent in event.players:
        if opponent == player.id:
            continue
        is_other_class = event.classes.get(opponent) != event.classes.get(player.id)
        at_odds = tuple(_odds_by_class(event, player.id, opponent, dataset)) if has_odds else ()
        other_class = (("classes", Markup("of another class")),) if is_other_class else ()
        yield OpponentRow(
            opponent,
            event.year,
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


def _result(seen: PlayerResult) -> str:
    """Return the one game, or the score and behind it the games as far as they are known."""
    games = shown_marks(seen.marks)
    if len(seen.marks) == 1:
        return games
    score = formats.points_of_games(seen.points, seen.games)
    return f"{score} ({games})" if games else score


def _remarks(
    seen: PlayerResult, dataset: Dataset, page: str
) -> Iterator[tuple[str, Markup | None]]:
    result = seen.result
    if result.odds is not None:
        name = dataset.odds[result.odds.kind].name
        yield "odds", markup.inline(f"{seen.odds} {name}", page)
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
