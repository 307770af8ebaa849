"""What the golden small site cannot show of two players who met often: sums worked out by hand,
who has a page, and the geometry of the race."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rendered import rendered
from sample_history import (
    ALDER,
    ANSWERS,
    BIRCH,
    CEDAR,
    DATASET,
    OFFHAND,
    RATINGS,
    YEW,
    event,
    games,
)

from edo.core.model import Event, Result, Total
from edo.rating.games import games_of, pairings
from edo.site import index, urls
from edo.site.charts.score_race import Step, score_race
from edo.site.index import Index
from edo.site.input import Page, SiteInput
from edo.site.pages import pair, player

CLUB = event(
    "club-1851",
    "tournament",
    1851,
    (BIRCH, ALDER, CEDAR),
    completeness="incomplete",
    missing="Games of Čedar.",
    has_crosstable=True,
    results=(
        games(BIRCH, ALDER, "1101="),
        games(ALDER, BIRCH, "+", default="Birch fell ill."),
        games(ALDER, BIRCH, "1=", unrated="Blindfold."),
        games(BIRCH, CEDAR, "1"),
    ),
)


def site_of(*more: Event) -> SiteInput:
    events = {**DATASET.events, **{one.id: one for one in more}}
    dataset = replace(DATASET, events=events)
    rated = tuple(
        p for p in pairings(games_of(dataset)) if YEW not in (p.first.player, p.second.player)
    )
    return SiteInput(dataset, replace(RATINGS, pairings=rated), {}, None, "0", "0", ANSWERS)


def pages_of(*more: Event) -> dict[str, Page]:
    return {page.path: page for page in pair.pages(site_of(*more))}


def test_who_met_less_than_ten_times_has_no_page():
    # Nine games in the world: 3 in 1850, 1 in 1851, 5 in 1853; totals alone are not games met.
    assert list(pages_of()) == [urls.PAIRS]
    index = Index(DATASET, RATINGS)
    assert index.games_of_pair[ALDER, BIRCH] == 9.0
    assert (BIRCH, CEDAR) not in index.games_of_pair  # only by default
    assert index.page_of_pair(BIRCH, ALDER) is None


def test_the_sum_of_all_games_and_what_the_ratings_lead_to_expect():
    # 1½/3, 1/1 and 2½/4 of the world; Alder has 1½ of 5 in the club. Apart: the game of pawns,
    # the default and two blindfold games.
    page = rendered(pair.pages, site_of(CLUB), urls.pair(ALDER, BIRCH))
    assert ": 17 games known, of these set aside: 1 by default, 3 unrated." in page.html
    facts = page.facts()
    assert (facts["Score"], facts["Won, drawn, lost"]) == ("6½ – 6½ odds soft", "+– =– −–")
    # 1850: 3 x 0.5006; 1851: 6 x 0.6401; 1853 at pawn and move: 4 x 0.5.
    assert facts["Rated"] == "6½/13, where the ratings of each year predict 7.34"


def test_chances_are_those_of_the_first_whoever_was_asked_about():
    mirrored = replace(
        ANSWERS, superiority={}, rivals={BIRCH: (replace(ANSWERS.rivals[ALDER][0], rival=ALDER),)}
    )
    years = pair.pair_years((ALDER, BIRCH), (), replace(site_of(), answers=mirrored))
    assert [(row.year, row.chance) for row in years] == [(1853, pytest.approx(0.02))]


def test_the_lead_game_by_game():
    # +1, level, +1; then four games at once that bring two points more.
    chart = score_race([Step(1850, 1, 1), Step(1850, 1, -1), Step(1851, 4, 3)])
    assert chart is not None
    # From -3 to +3 over 148 units of height: 24.67 a point, zero at 100. 434 units for 6 games.
    assert chart.zero == 100.0
    assert chart.line == "34,100 106.3,75.3 178.7,100 468,26"
    assert chart.area == f"34,100 {chart.line} 468,100"
    assert [tick.label for tick in chart.year_ticks] == ["1850", "1851"]
    assert [tick.at for tick in chart.year_ticks] == [34.0, 178.7]
    assert [tick.label for tick in chart.lead_ticks] == ["−3", "−2", "−1", "0", "+1", "+2", "+3"]
    assert score_race([]) is None


def test_years_too_near_to_each_other_have_no_label():
    chart = score_race([Step(year, 1, 0) for year in range(1850, 1870)])
    assert chart is not None
    assert [tick.label for tick in chart.year_ticks][:4] == ["1850", "", "", "1853"]


def test_who_has_no_rating_is_not_compared():
    long = event("long-1850", "match", 1850, (ALDER, YEW), results=(
        Result(ALDER, YEW, 16.0, 0.0, 16.0),
    ))  # fmt: skip
    page = rendered(pair.pages, site_of(long), "pairs/alder-anna-v-yew-una.html")
    assert page.facts()["Score"] == "17–0" and page.facts()["Rated"] == "none of these games"
    assert "Compare" not in page.facts() and not page.has("years")
    assert "At the end Alder is ahead by 17 points." in page.html


def test_games_known_only_from_totals_are_no_record(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(index, "MANY", 10)
    players = (ALDER, BIRCH, CEDAR, OFFHAND)
    long = event(
        "long-1851",
        "tournament",
        1851,
        players,
        completeness="incomplete",
        missing="All games but those of Alder and Birch.",
        games_per_pair=12,
        rest="from totals",
        results=(Result(ALDER, BIRCH, 12.0, 0.0, 12.0),),
        totals=tuple(map(Total, players, (35.5, 15.0, 17.0, 4.5))),
    )
    dataset = replace(DATASET, events={long.id: long})
    ratings = replace(RATINGS, pairings=pairings(games_of(dataset)))
    site = SiteInput(dataset, ratings, {}, None, "0", "0")
    assert [page.path for page in pair.pages(site)] == [urls.PAIRS, urls.pair(ALDER, BIRCH)]
    record = rendered(player.pages, site, urls.player(OFFHAND)).rows("record-table")
    alder = next(row for row in record if row["Opponent"].startswith("Alder"))
    assert alder.texts("Score", "%") == ("– and 12 from totals", "–")
