"""An event and one of its players in, a row for each opponent, ready to show, out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup

from edo import formats, legend, markup, urls
from edo.rating import Ratings
from edo.records import Dataset, Event, OddsKind, Player, Result
from edo.scale import expected_score
from edo.scores import is_totals_only, left_out, unrated_reason
from edo.views.deduced import Deduced
from edo.views.material import NOTHING, Material, player_link, shown_rating, shown_score
from edo.views.remarks import WITHOUT_PLAY
from edo.views.sides import Encounter, encounters, shown_marks
from edo.views.site import Link

UNRATED = "unrated"  # in place of an opponent's rating


@dataclass(frozen=True, slots=True)
class RemarkRow:
    """What is said of a result on the spot; `kind` is one of the marks of the legend."""

    kind: str
    text: Markup | None

    @property
    def words(self) -> str:
        """Return the words on the mark."""
        return legend.word(self.kind)


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """Games against one opponent; `is_apart` where they were not rated."""

    opponent: Link
    rating: str
    games: str
    score: str
    expected: str
    remarks: tuple[RemarkRow, ...]
    note: Markup | None
    is_apart: bool


def opponent_rows(event: Event, player: Player, material: Material) -> tuple[OpponentRow, ...]:
    """Return a row for each result of the player, or where only totals are known each opponent.

    What was solved or guessed follows the known results against the same opponent.
    """
    if has_totals_alone(event):
        return tuple(_of_totals(event, player, material))
    rows = [
        (one.opponent, _row(event, player, one, material))
        for one in encounters(event.results, player.id)
    ]
    parts = material.deduced_of(event, player.id)
    if parts:
        rows += [(p, _of_deduced(event, player, p, parts[p], material)) for p in parts]
        rows.sort(key=lambda row: event.players.index(row[0]))
    return tuple(row for _, row in rows)


def has_totals_alone(event: Event) -> bool:
    """Whether players' totals, of all or of some, are all that is known of the event."""
    return is_totals_only(event) or (event.players_in_all is not None and not event.results)


def year_of(event: Event, result: Result) -> int:
    """Return the year for which a result counts."""
    return event.year if result.year is None else result.year


def _of_totals(event: Event, player: Player, material: Material) -> Iterator[OpponentRow]:
    games = event.games_per_pair or 0.0
    for opponent in event.players:
        if opponent == player.id:
            continue
        is_other_class = event.classes.get(opponent) != event.classes.get(player.id)
        is_apart = is_other_class or event.unrated is not None
        yield OpponentRow(
            *_who(opponent, event.year, material),
            games="",
            score=f"?/{formats.score(games)}",
            expected=NOTHING
            if is_apart
            else _expected(event.year, (player.id, opponent), games, material.ratings),
            remarks=(RemarkRow("classes", Markup("of another class")),) if is_other_class else (),
            note=None,
            is_apart=is_apart,
        )


def _of_deduced(
    event: Event, player: Player, opponent: str, part: Deduced, material: Material
) -> OpponentRow:
    return OpponentRow(
        *_who(opponent, event.year, material),
        games="",
        score=shown_deduced(part.points, part.games),
        expected=_expected(event.year, (player.id, opponent), part.games, material.ratings),
        remarks=(RemarkRow(part.kind, None),),
        note=None,
        is_apart=False,
    )


def shown_deduced(points: float, games: float) -> str:
    """Return points [points] that no result tells, of so many games; they may lie outside these."""
    return f"{formats.fixed(points, 2)}/{formats.score(games)}"


def _row(event: Event, player: Player, met: Encounter, material: Material) -> OpponentRow:
    ratings, dataset, page = material.ratings, material.dataset, urls.player(player.id)
    apart = left_out(event, met.result, dataset.odds)
    year = year_of(event, met.result)
    expected = NOTHING
    if apart is None:
        advantage = _advantage(met, dataset.odds)
        expected = _expected(year, (player.id, met.opponent), met.games, ratings, advantage)
    return OpponentRow(
        *_who(met.opponent, year, material),
        games=shown_marks(met.marks),
        score=shown_score(met.points, met.games),
        expected=expected,
        remarks=tuple(_remarks(met, dataset, page)),
        note=None if met.result.note is None else markup.inline(met.result.note, page),
        is_apart=apart is not None,
    )


def _who(opponent: str, year: int, material: Material) -> tuple[Link, str]:
    """Return the opponent and his rating of the year, or that he is unrated."""
    shown = shown_rating(material.ratings, opponent, year)
    fragment = "" if shown is None else f"#y{year}"
    return player_link(material.dataset.players[opponent], fragment), shown or UNRATED


def _advantage(met: Encounter, odds: Mapping[str, OddsKind]) -> float:
    """Return what the odds are worth to the player [Elo]; below 0 where he gave them."""
    if met.result.odds is None:
        return 0.0
    points = odds[met.result.odds.kind].points or 0.0
    return -points if met.odds == "gave" else points


def _expected(
    year: int, pair: tuple[str, str], games: float, ratings: Ratings, advantage: float = 0.0
) -> str:
    """Return the score expected of the first of the pair, a dash where one is unrated."""
    own, other = (ratings.of(player, year) for player in pair)
    if own is None or other is None:
        return NOTHING
    return formats.expected(games * expected_score(own.rating + advantage - other.rating))


def _remarks(met: Encounter, dataset: Dataset, page: str) -> Iterator[RemarkRow]:
    result = met.result
    if result.odds is not None:
        name = dataset.odds[result.odds.kind].name
        yield RemarkRow("odds", markup.inline(f"{met.odds} {name}", page))
    if result.soft is not None:
        yield RemarkRow("soft", markup.inline(result.soft, page))
    if result.proportion is not None:
        name = dataset.players[result.first].shown_name
        yield RemarkRow("proportion", Markup("{} for {}").format(result.proportion, name))
    if result.year is not None:
        yield RemarkRow("split", Markup("counted for {}").format(result.year))
    if result.default is not None:
        without_more = result.default == WITHOUT_PLAY
        yield RemarkRow("default", None if without_more else markup.inline(result.default, page))
    reason = unrated_reason(replace(result, default=None), dataset.odds)
    if reason is not None:
        yield RemarkRow("unrated", markup.inline(reason, page))
    if result.uncounted is not None:
        yield RemarkRow("uncounted", markup.inline(result.uncounted, page))
