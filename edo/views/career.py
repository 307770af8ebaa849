"""A player's events in, a row for each with its opponents, expected scores and performances out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup

from edo import formats, markup, urls
from edo.rating import Ratings
from edo.records import Dataset, Event, OddsKind, Player
from edo.scale import expected_score
from edo.scores import is_totals_only, unrated_reason
from edo.views.index import Index
from edo.views.remarks import WITHOUT_PLAY
from edo.views.sides import Encounter, encounters, shown_marks
from edo.views.site import Link
from edo.views.standings import Standing, standings

NOTHING = formats.DASH


@dataclass(frozen=True, slots=True)
class Material:
    """What the pages of all players are made of, worked out once."""

    dataset: Dataset
    ratings: Ratings
    index: Index
    standings: Mapping[str, Mapping[str, Standing]]
    """By event and player."""

    @classmethod
    def of(cls, dataset: Dataset, ratings: Ratings) -> Material:
        """Return the material of a dataset and the ratings made from it."""
        index = Index.of(dataset, ratings)
        by_event = {
            event.id: standings(event, index.pairings_of_event.get(event.id, ()), ratings)
            for event in dataset.events.values()
        }
        return cls(dataset, ratings, index, by_event)


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


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event as the player's page shows it.

    `rated_score` stands where what was rated is not the whole score. `marks` are the kinds of
    remarks somewhere in it; `said` are sentences about the player's part in it. `is_single`
    where there is one row of an opponent, `is_open` where there are more against one opponent.
    """

    event: Link
    when: str
    kind: str
    rating: str
    score: str
    rated_score: str | None
    expected: str
    performance: str
    marks: tuple[str, ...]
    said: tuple[Markup, ...]
    summary: str
    is_single: bool
    is_open: bool
    opponents: tuple[OpponentRow, ...]


def event_rows(player: Player, material: Material) -> Iterator[EventRow]:
    """Yield a row for each event in which the player took part, in order of time."""
    for event in material.index.events_of_player.get(player.id, ()):
        yield _event_row(event, player, material)


def shown_score(points: float, games: float) -> str:
    """Return points of games, `10½/13`; a dash where no game is known."""
    return f"{formats.score(points)}/{formats.score(games)}" if games else NOTHING


def shown_rating(ratings: Ratings, player: str, year: int) -> str:
    """Return a rating with its deviation in a year, `2763 (31)`; a dash where there is none."""
    found = ratings.of(player, year)
    if found is None:
        return NOTHING
    return formats.rating_with_deviation(found.rating, found.deviation)


def set_aside(event: Event, met: Encounter, odds: Mapping[str, OddsKind]) -> str | None:
    """Return why games are not rated by what the files say of them, or None where they are."""
    return event.unrated or unrated_reason(met.result, odds)


def player_link(player: Player, fragment: str = "") -> Link:
    """Return the link to a player's page, or to a place on it (`#y1883`)."""
    return Link(player.shown_name, urls.player(player.id) + fragment)


def _event_row(event: Event, player: Player, material: Material) -> EventRow:
    standing = material.standings[event.id][player.id]
    met = tuple(encounters(event.results, player.id))
    if is_totals_only(event):
        opponents = tuple(_unknown_pairs(event, player, material))
    else:
        opponents = tuple(_opponent_row(event, player, one, material) for one in met)
    marks = dict.fromkeys(remark.kind for row in opponents for remark in row.remarks)
    if event.unrated is not None:
        marks = {"unrated": None} | marks
    if event.completeness != "complete":
        marks[event.completeness] = None
    page = urls.player(player.id)
    number = len({row.opponent for row in opponents})
    return EventRow(
        event=Link(event.name, urls.event(event.id)),
        when=formats.dates(event.dates) if event.dates is not None else str(event.year),
        kind=event.kind,
        rating=shown_rating(material.ratings, player.id, event.year),
        score=shown_score(standing.points, standing.games),
        rated_score=_rated_score(standing),
        expected=NOTHING if standing.expected is None else formats.expected(standing.expected),
        performance=(
            NOTHING if standing.performance is None else formats.rating(standing.performance)
        ),
        marks=tuple(marks),
        said=tuple(markup.inline(words, page) for words in _said(event, player, standing)),
        summary=formats.counted(number, "opponent"),
        is_single=len(opponents) == 1,
        is_open=number == 1,
        opponents=opponents,
    )


def _rated_score(standing: Standing) -> str | None:
    if not standing.is_rated_differently:
        return None
    if not standing.rated_games:
        return "none rated"
    return f"rated {shown_score(standing.rated_points, standing.rated_games)}"


def _said(event: Event, player: Player, standing: Standing) -> Iterator[str]:
    """Yield what has to be said of the player's part in the event, as Markdown."""
    if event.unrated is not None:
        yield f"Not rated: {event.unrated}"
    if not standing.games:
        yield "Took part; no result is known."
    if is_totals_only(event):
        yield "Only the totals of this event are known, not the single results."
        return
    for total in event.totals:
        if total.player != player.id or abs(total.points - standing.points) < 1e-9:
            continue
        games = "" if total.games is None else f" of {formats.score(total.games)}"
        note = "" if total.note is None else f" {total.note}"
        yield f"Published total: {formats.score(total.points)}{games}.{note}"
    unknown = sum(player.id in pair for pair in event.unknown_games)
    if unknown:
        yield f"Games with unknown results against {formats.counted(unknown, 'opponent')}."


def _unknown_pairs(event: Event, player: Player, material: Material) -> Iterator[OpponentRow]:
    """Yield the opponents of an event of which only totals are known."""
    games = event.games_per_pair or 0.0
    for opponent in event.players:
        if opponent == player.id:
            continue
        expected = _expected(event.year, (player.id, opponent), 0.0, material.ratings)
        yield OpponentRow(
            opponent=player_link(material.dataset.players[opponent], f"#y{event.year}"),
            rating=shown_rating(material.ratings, opponent, event.year),
            games="",
            score=f"?/{formats.score(games)}",
            expected=NOTHING if expected is None else formats.expected(games * expected),
            remarks=(),
            note=None,
            is_apart=event.unrated is not None,
        )


def _opponent_row(event: Event, player: Player, met: Encounter, material: Material) -> OpponentRow:
    ratings, dataset, page = material.ratings, material.dataset, urls.player(player.id)
    apart = set_aside(event, met, dataset.odds)
    expected = None
    if apart is None:
        advantage = _advantage(met, dataset.odds)
        expected = _expected(event.year, (player.id, met.opponent), advantage, ratings)
    has_year = ratings.of(met.opponent, event.year) is not None
    return OpponentRow(
        opponent=player_link(dataset.players[met.opponent], f"#y{event.year}" if has_year else ""),
        rating=shown_rating(ratings, met.opponent, event.year),
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
