"""Dataset, ratings and answers in; scores hard to believe and the links of groups out."""

from __future__ import annotations

from dataclasses import dataclass

from edo.core import formats, urls
from edo.core.model import Dataset
from edo.rating.edo import Ratings
from edo.rating.inference.answers import Answers, Bridge, Outlier
from edo.site.input import Link
from edo.site.pages.material import player_link, shown_score


@dataclass(frozen=True, slots=True)
class SuspectRow:
    """A score that is hard to believe; `expected`, `deviation` [points], signed `surprise`."""

    event: Link
    year: str
    player: Link
    score: str
    expected: str
    deviation: str
    surprise: str
    causes: str


@dataclass(frozen=True, slots=True)
class SuspectsView:
    """The list for editors, the most surprising first."""

    rows: tuple[SuspectRow, ...]
    how: Link


@dataclass(frozen=True, slots=True)
class BridgeRow:
    """An event that alone links players to the rest; `anchor` is its id on the page."""

    anchor: str
    event: Link
    year: str
    number: str
    players: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class BridgesView:
    """The links that hold groups to the rest, the largest group first.

    `groups` are those of two players and more, `single` those that hold one player.
    """

    groups: tuple[BridgeRow, ...]
    single: tuple[BridgeRow, ...]
    how: Link


def suspects_view(dataset: Dataset, ratings: Ratings, answers: Answers) -> SuspectsView:
    """Return the scores that are hard to believe, the most surprising first."""
    return SuspectsView(
        rows=tuple(_suspect(one, dataset, ratings) for one in answers.suspects),
        how=Link("How this list is made", f"{urls.method('joint')}#what-is-suspicious"),
    )


def bridges_view(dataset: Dataset, answers: Answers) -> BridgesView:
    """Return the links on which players hang, the largest groups first."""
    found = sorted(
        answers.bridges,
        key=lambda one: (-len(one.players), dataset.events[one.event].year, one.event),
    )
    return BridgesView(
        groups=tuple(_bridge(one, dataset) for one in found if len(one.players) > 1),
        single=tuple(_bridge(one, dataset) for one in found if len(one.players) == 1),
        how=Link("Why a link is needed", urls.method("unrated")),
    )


def _suspect(one: Outlier, dataset: Dataset, ratings: Ratings) -> SuspectRow:
    is_rated = ratings.of(one.player, one.year) is not None
    return SuspectRow(
        event=Link(dataset.events[one.event].name, urls.event(one.event)),
        year=str(one.year),
        player=player_link(dataset.players[one.player], f"#y{one.year}" if is_rated else ""),
        score=shown_score(one.score, one.games),
        expected=formats.expected(one.expected),
        deviation=formats.expected(one.deviation),
        surprise=formats.signed(one.surprise, 1),
        causes=", ".join(one.causes),
    )


def _bridge(one: Bridge, dataset: Dataset) -> BridgeRow:
    event = dataset.events[one.event]
    return BridgeRow(
        anchor=one.event,
        event=Link(event.name, urls.event(one.event)),
        year=str(event.year),
        number=formats.count(len(one.players)),
        players=tuple(player_link(dataset.players[player]) for player in one.players),
    )
