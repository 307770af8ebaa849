"""An event and one of its players in, a row for each opponent, ready to show, out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from markupsafe import Markup

from edo.core import formats, urls
from edo.core.model import Dataset, Event, Player, Result
from edo.rating.pairings import is_totals_only, left_out, unrated_besides_default
from edo.site import legend, markup
from edo.site.input import Link
from edo.site.pages.deduced import Deduced
from edo.site.pages.material import Material, shown_rating, shown_score
from edo.site.pages.remarks import WITHOUT_PLAY
from edo.site.pages.sides import Encounter, shown_marks

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
    """Games against one opponent; `is_apart` where they were not rated.

    `opponent` has the short name. `result` is `½` of one game, else the score with the games if
    they are known, `1½/2 (1 ½)`. `deduced` says how, where it is not a result but follows from
    the totals. `is_again` where the row before is of the same opponent.
    """

    opponent: Link
    rating: str
    result: str
    deduced: str | None
    remarks: tuple[RemarkRow, ...]
    note: Markup | None
    is_apart: bool
    is_again: bool = False

    @property
    def kinds(self) -> tuple[str, ...]:
        """Return the kinds of marks that belong to these games."""
        own = tuple(remark.kind for remark in self.remarks)
        return own if self.deduced is None else (*own, self.deduced)


def opponent_rows(event: Event, player: Player, material: Material) -> tuple[OpponentRow, ...]:
    """Return a row for each result of the player, or where only totals are known each opponent.

    What was solved or guessed follows the known results against the same opponent.
    """
    if has_totals_alone(event):
        return tuple(_of_totals(event, player, material))
    rows = [
        (one.opponent, _row(event, player, one, material))
        for one in material.encounters(event, player.id)
    ]
    parts = material.deduced_of(event, player.id)
    if parts:
        rows += [(p, _of_deduced(event, player, p, parts[p], material)) for p in parts]
        rows.sort(key=lambda row: event.players.index(row[0]))
    befores = (None, *(opponent for opponent, _ in rows))
    return tuple(
        replace(row, is_again=opponent == before)
        for (opponent, row), before in zip(rows, befores, strict=False)
    )


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
            result=f"?/{formats.score(games)}",
            deduced=None,
            remarks=(RemarkRow("classes", Markup("of another class")),) if is_other_class else (),
            note=None,
            is_apart=is_apart,
        )


def _of_deduced(
    event: Event, player: Player, opponent: str, part: Deduced, material: Material
) -> OpponentRow:
    return OpponentRow(
        *_who(opponent, event.year, material),
        result=shown_deduced(part.points, part.games),
        deduced=part.kind,
        remarks=(),
        note=None,
        is_apart=False,
    )


def shown_deduced(points: float, games: float) -> str:
    """Return points [points] that no result tells, of so many games; they may lie outside these."""
    return f"{formats.fixed(points, 2)}/{formats.score(games)}"


def _row(event: Event, player: Player, met: Encounter, material: Material) -> OpponentRow:
    dataset, page = material.dataset, urls.player(player.id)
    return OpponentRow(
        *_who(met.opponent, year_of(event, met.result), material),
        result=_result(met),
        deduced=None,
        remarks=tuple(_remarks(met, dataset, page)),
        note=None if met.result.note is None else markup.inline(met.result.note, page),
        is_apart=left_out(event, met.result, dataset.odds) is not None,
    )


def _result(met: Encounter) -> str:
    """Return the one game, or the score and behind it the games as far as they are known."""
    games = shown_marks(met.marks)
    if len(met.marks) == 1:
        return games
    score = shown_score(met.points, met.games)
    return f"{score} ({games})" if games else score


def _who(opponent: str, year: int, material: Material) -> tuple[Link, str]:
    """Return the opponent and his rating of the year, or that he is unrated."""
    shown = shown_rating(material.ratings, opponent, year)
    return Link(material.short_names[opponent], urls.player(opponent)), shown or UNRATED


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
    reason = unrated_besides_default(result, dataset.odds)
    if reason is not None:
        yield RemarkRow("unrated", markup.inline(reason, page))
    if result.uncounted is not None:
        yield RemarkRow("uncounted", markup.inline(result.uncounted, page))
