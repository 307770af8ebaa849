"""Pages of players over the real history: what they show adds up by event and by year."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from edo.core import formats
from edo.history.dataset import load
from edo.rating.edo import rate
from edo.site.input import SiteInput
from edo.site.pages.player_results import EventRow, event_rows
from edo.site.pages.score_table import score_table

EVENTS = Path(__file__).parent.parent / "events"


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site() -> SiteInput:
    dataset = load(EVENTS)
    return SiteInput(dataset, rate(dataset), {}, None, "0", "0")


@pytest.fixture(scope="module")
def careers(site: SiteInput) -> dict[str, list[EventRow]]:
    players = site.dataset.players.values()
    return {player.id: list(event_rows(player, site)) for player in players}


def number(text: str) -> float:
    """Return the number that a page shows: `10½`, `7¼`, `−0.12`, `≈12½`."""
    text = text.replace(formats.MINUS, "-").removeprefix(formats.ABOUT)
    parts = {formats.HALF: 0.5, "¼": 0.25, "¾": 0.75}
    if text[-1] in parts:
        return float(text[:-1] or 0) + parts[text[-1]]
    return float(text)


def rated(row: EventRow) -> tuple[float, float, float]:
    """Return the rated points and games as the row of an event shows them, and how exactly."""
    standing = row.standing
    shown = formats.points_of_games(standing.rated_points, standing.rated_games)
    if shown == formats.DASH:
        return 0.0, 0.0, 0.0
    points, games = shown.split("/")
    return number(points), number(games), 0.5 if shown.startswith(formats.ABOUT) else 0.005


def years_together(player: str, site: SiteInput) -> dict[int, int]:
    """Return the first of the years with which each year shares events that count for several."""
    first = {year.year: year.year for year in site.ratings.players[player]}
    for event in site.index.events_of_player[player]:
        counted = site.index.years_of(event, player)
        ends = {first.get(year, year) for year in counted}
        first.update({year: min(ends) for year in first if first[year] in ends})
    return first


def test_rated_scores_of_the_events_add_up_to_those_of_the_years(
    site: SiteInput, careers: dict[str, list[EventRow]]
) -> None:
    for player, years in site.ratings.players.items():
        first = years_together(player, site)
        shown: defaultdict[int, list[tuple[float, float, float]]] = defaultdict(list)
        for event, row in zip(site.index.events_of_player[player], careers[player], strict=True):
            year = site.index.years_of(event, player)[0]
            if year in first:
                shown[first[year]].append(rated(row))
            else:
                assert rated(row)[:2] == (0.0, 0.0), f"{player} {year}"
        entered: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
        for own in years:
            entered[first[own.year]].append((own.score, own.games))
        for year, parts in entered.items():
            rounding = sum(one[2] for one in shown[year]) + 1e-9
            for column in (0, 1):
                total = sum(one[column] for one in shown[year])
                expected = sum(one[column] for one in parts)
                assert total == pytest.approx(expected, abs=rounding), f"{player} {year}"


def test_expected_scores_are_those_of_the_pages_of_events(
    site: SiteInput, careers: dict[str, list[EventRow]]
) -> None:
    columns = {}
    for event in site.dataset.events.values():
        met = site.index.meetings_in(event)
        for row in score_table(event, site.index.standings_of(event.id), met).rows:
            own = row.standing
            columns[event.id, own.player] = own.expected, own.performance
    for player, rows in careers.items():
        events = site.index.events_of_player.get(player, ())
        for event, row in zip(events, rows, strict=True):
            own = row.standing
            assert (own.expected, own.performance) == columns[event.id, player]


def scored(result: str) -> tuple[float, float]:
    """Return the points and games that a result against one opponent shows."""
    if "/" in result:
        points, games = result.partition(" (")[0].split("/")
        return number(points), number(games)
    return {"+": 1.0, formats.MINUS: 0.0}.get(result, number(result)), 1.0


def test_scores_against_the_opponents_add_up_to_the_rated_score(
    site: SiteInput, careers: dict[str, list[EventRow]]
) -> None:
    added = 0
    for player, rows in careers.items():
        for event, row in zip(site.index.events_of_player[player], rows, strict=True):
            met = site.index.meetings_of(event, player)
            if not event.results or any(meeting.deduced is not None for meeting in met):
                continue  # these scores follow from totals, and are not shown one by one
            entered = [
                one.result
                for one in row.opponents
                if not one.is_apart and site.ratings.of(one.player, one.year) is not None
            ]
            if row.standing.expected is None or any(result.startswith("?") for result in entered):
                continue
            added += 1
            for column, sum_ in enumerate(rated(row)[:2]):
                parts = [scored(result)[column] for result in entered]
                assert sum_ == pytest.approx(sum(parts), abs=0.005 * (len(parts) + 1) + 1e-9), (
                    player,
                    row.event,
                )
    assert added > 3000


def test_every_deduced_score_that_entered_the_fit_is_shown_as_such(
    site: SiteInput, careers: dict[str, list[EventRow]]
) -> None:
    marks = sum(
        one.deduced in ("totals", "guess")
        for rows in careers.values()
        for row in rows
        for one in row.opponents
        if site.ratings.of(one.player, one.year) is not None and row.standing.expected is not None
    )
    with_results = {event.id for event in site.dataset.events.values() if event.results}
    entered = [p for p in site.ratings.pairings if p.basis != "results"]
    assert marks == 2 * sum(pairing.event in with_results for pairing in entered)
    assert marks > 0
