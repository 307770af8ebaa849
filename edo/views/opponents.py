"""An event and one of its players in, a row for each opponent, ready to show, out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup

from edo import formats, markup, urls
from edo.rating import Ratings
from edo.records import Dataset, Event, OddsKind, Player
from edo.scale import expected_score
from edo.scores import is_totals_only, unrated_reason
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
    """Return a row for each result of the player, or where only totals are known each opponent."""
    if is_totals_only(event):
        return tuple(_of_totals(event, player, material))
    met = encounters(event.results, player.id)
    return tuple(_row(event, player, one, material) for one in met)


def set_aside(event: Event, met: Encounter, odds: Mapping[str, OddsKind]) -> str | None:
    """Return why games are not rated by what the files say of them, or None where they are."""
    return event.unrated or unrated_reason(met.result, odds)


def _of_totals(event: Event, player: Player, material: Material) -> Iterator[OpponentRow]:
    games = event.games_per_pair or 0.0
    for opponent in event.players:
        if opponent == player.id:
            continue
        expected = _expected(event.year, (player.id, opponent), 0.0, material.ratings)
        yield OpponentRow(
            opponent=player_link(material.dataset.players[opponent], f"#y{event.year}"),
            rating=shown_rating(material.ratings, opponent, event.year) or UNRATED,
            games="",
            score=f"?/{formats.score(games)}",
            expected=NOTHING if expected is None else formats.expected(games * expected),
            remarks=(),
            note=None,
            is_apart=event.unrated is not None,
        )


def _row(event: Event, player: Player, met: Encounter, material: Material) -> OpponentRow:
    ratings, dataset, page = material.ratings, material.dataset, urls.player(player.id)
    apart = set_aside(event, met, dataset.odds)
    expected = None
    if apart is None:
        advantage = _advantage(met, dataset.odds)
        expected = _expected(event.year, (player.id, met.opponent), advantage, ratings)
    has_year = ratings.of(met.opponent, event.year) is not None
    return OpponentRow(
        opponent=player_link(dataset.players[met.opponent], f"#y{event.year}" if has_year else ""),
        rating=shown_rating(ratings, met.opponent, event.year) or UNRATED,
        games=shown_marks(met.marks),
        score=shown_score(met.points, met.games),
        expected=NOTHING if expected is None else formats.expected(met.games * expected),
        remarks=tuple(_remarks(met, dataset, page)),
        note=None if met.result.note is None else markup.inline(met.result.note, page),
        is_apart=apart is not None,
    )


def _advantage(met: Encounter, odds: Mapping[str, OddsKind]) -> float:
    """Return what the odds are worth to the player [Elo]; below 0 where he gave them."""
    if met.result.odds is None:
        return 0.0
    points = odds[met.result.odds.kind].points or 0.0
    return -points if met.odds == "gave" else points


def _expected(year: int, pair: tuple[str, str], advantage: float, ratings: Ratings) -> float | None:
    """Return the score per game expected of the first of the pair, None where one is unrated."""
    own, other = (ratings.of(player, year) for player in pair)
    if own is None or other is None:
        return None
    return expected_score(own.rating + advantage - other.rating)


def _remarks(met: Encounter, dataset: Dataset, page: str) -> Iterator[RemarkRow]:
    result = met.result
    if result.odds is not None:
        name = dataset.odds[result.odds.kind].name
        yield RemarkRow("odds", markup.inline(f"{met.odds} {name}", page))
    if result.soft is not None:
        yield RemarkRow("soft", markup.inline(result.soft, page))
    if result.default is not None:
        without_more = result.default == WITHOUT_PLAY
        yield RemarkRow("default", None if without_more else markup.inline(result.default, page))
    reason = unrated_reason(replace(result, default=None), dataset.odds)
    if reason is not None:
        yield RemarkRow("unrated", markup.inline(reason, page))
