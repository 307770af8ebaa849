"""The pages of two players who met often, against numbers worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from rendered import Rendered, Row, rendered, rendered_pages, text_of
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

from edo.core import formats, urls
from edo.core.model import Citation, Event, Mark, Result, Total
from edo.rating.games import games_of, pairings
from edo.site.charts.score_race import Step, score_race
from edo.site.input import Link, Page, SiteInput
from edo.site.pages import pair, player
from edo.site.pages.lookups import Index
from edo.site.pages.pair import PairEvent
from edo.site.pages.results import Met

COLOURED = tuple(Mark(value, colour) for value, colour in (("1", "w"), ("=", "b")))  # type: ignore[arg-type]
CLUB = event(
    "club-1851",
    "tournament",
    1851,
    (BIRCH, ALDER, CEDAR),
    completeness="incomplete",
    missing="Games of Čedar.",
    results=(
        games(BIRCH, ALDER, "1101=", note="Played at *noon*.", sources=(Citation("letters"),)),
        games(ALDER, BIRCH, "+", default="Birch fell ill."),
        replace(games(ALDER, BIRCH, "1="), marks=COLOURED, unrated="Blindfold."),
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


PATH = "pairs/alder-anna-v-birch-bo.html"


@pytest.fixture(scope="module")
def page() -> Rendered:
    return rendered(pair.pages, site_of(CLUB), PATH)


@pytest.fixture(scope="module")
def view() -> Any:
    page = pages_of(CLUB)[PATH]
    assert page.title == "Alder, Anna – Birch, Bo"
    assert page.description == (
        "Alder, Anna – Birch, Bo: all known games, 17 games, score 6½ – 6½."
    )
    view = page.view()
    return view


def test_who_met_less_than_ten_times_has_no_page():
    # Nine games in the world: 3 in 1850, 1 in 1851, 5 in 1853; totals alone are not games met.
    assert list(pages_of()) == [urls.PAIRS]
    index = Index.of(DATASET, RATINGS)
    assert index.games_of_pair[ALDER, BIRCH] == 9.0
    assert (BIRCH, CEDAR) not in index.games_of_pair  # only by default
    assert index.page_of_pair(BIRCH, ALDER) is None


def test_the_two_are_named_in_one_order(view: Any):
    assert urls.pair(BIRCH, ALDER) == urls.pair(ALDER, BIRCH) == PATH
    assert view["names"] == ("Alder, Anna", "Birch, Bo") or view["names"] == ("Alder", "Birch")
    assert (view["first"].text, view["second"].text) == ("Alder, Anna", "Birch, Bo")


def test_the_sum_of_all_games(view: Any, page: Rendered):
    # 1½/3, 1/1 and 2½/4 of the world; Alder has 1½ of 5 in the club. Apart: the game of pawns,
    # the default and two blindfold games.
    assert ": 17 games known, of these set aside: 1 by default, 3 unrated." in page.html
    assert page.facts()["Score"] == "6½ – 6½ odds soft"
    assert (view["tally"].points, view["tally"].games, view["tally"].share) == (6.5, 13, 0.5)
    assert page.facts()["Won, drawn, lost"] == "+– =– −–"  # a soft score
    assert view["tally"].kinds == ("odds", "soft")


def test_what_the_ratings_lead_to_expect(page: Rendered):
    # 1850: 3 x 0.5006; 1851: 6 x 0.6401; 1853 at pawn and move: 4 x 0.5.
    expected = "6½/13, where the ratings of each year predict 7.34"
    assert page.facts()["Rated"] == expected


def shown_games(row: PairEvent) -> list[str]:
    return [formats.mark(mark) for one in row.games for mark in one.marks]


def test_event_by_event(view: Any, page: Rendered):
    rows = page.rows("event-by-event")
    assert [(row.links("Event")[0][0], *row.texts("Score", "Expected")) for row in rows] == [
        ("Alder birch 1850", "1½/3", "1.50"),
        ("Oakham 1851", "1/1", "0.64"),
        ("Club 1851", "1½/5", "3.20"),
        ("Alder birch 1853", "2½/4", "2.00"),
    ]
    assert [row["When"] for row in rows] == ["1850", "May – June 1851", "1851", "1853"]
    first, _, club, odds = view["events"]
    assert (first.tally.won, first.tally.drawn, first.tally.lost) == (1, 1, 1)
    assert shown_games(first) == ["1", "½", "0"]
    assert first.kinds == {"colourless"}
    assert (club.tally.won, club.tally.drawn, club.tally.lost) == (1, 1, 3)
    assert shown_games(club) == ["0", "0", "1", "0", "½", "+", "1", "½"]
    assert (club.games[-1].marks[0].colour, club.games[-1].kinds) == ("w", ("unrated",))
    assert (club.tally.by_default, club.tally.unrated) == (1, 2)
    assert ("incomplete", "incomplete") in rows[2].marks("Event")
    assert club.remarks == (
        ("note", "Played at <em>noon</em>."),
        ("default", "Birch fell ill."),
        ("unrated", "Blindfold."),
    )
    assert [kind for kind, _ in odds.remarks] == ["odds", "soft", "note", "odds", "unrated"]


def test_year_by_year(page: Rendered):
    rows = page.rows("year-by-year")
    heads = ("Year", "Score", "Expected", "Alder", "Lead", "Stronger")
    # Among the leading of 1851, and rivals in 1853.
    assert [row.texts(*heads) for row in rows] == [
        ("1850", "1½/3", "1.50", "2000 (100)", "0", ""),
        ("1851", "2½/6", "3.84", "2100 (80)", "+100", "95%"),
        ("1853", "2½/4", "2.00", "2163 (95)", "+163", "98%"),
    ]
    assert rows[0].links("Birch") == [("2000 (110)", "../players/birch-bo.html#y1850")]


def test_chances_are_those_of_the_first_whoever_was_asked_about():
    mirrored = replace(
        ANSWERS, superiority={}, rivals={BIRCH: (replace(ANSWERS.rivals[ALDER][0], rival=ALDER),)}
    )
    found = pair.pair_years((ALDER, BIRCH), (), _material(mirrored))
    assert [(row.year, row.chance) for row in found] == [(1853, pytest.approx(0.02))]


def _material(answers: object) -> pair.Lookups:
    return pair.Lookups.of(DATASET, RATINGS, answers)  # type: ignore[arg-type]


def test_events_without_a_known_game_of_the_two_are_named(view: Any):
    assert [link.text for link in view["without_games"]] == ["Totals 1853"]


def test_an_event_has_its_own_games_only():
    one, other = (event(name, "match", 1850, (ALDER, BIRCH)) for name in ("one", "other"))
    met = Met([(one, "known"), (other, "known too")], [(other, "deduced")])
    assert met.at(one) == Met([(one, "known")], [])
    assert met.at(other) == Met([(other, "known too")], [(other, "deduced")])


def test_the_other_identities_are_told(view: Any):
    # Two offhand games, too few for a page of their own.
    assert view["other_identities"] == (
        Link(
            "Alder, Anna (offhand) – Birch, Bo: 2 games",
            "players/alder-anna-offhand.html#record",
        ),
    )
    assert view["persons"] == ()
    casual = event("casual-1851", "match", 1851, (OFFHAND, BIRCH), results=(
        games(OFFHAND, BIRCH, "1111100000"),
    ))  # fmt: skip
    own = pages_of(casual)["pairs/alder-anna-offhand-v-birch-bo.html"].view()
    assert [(one.text, person.text) for one, person in own["persons"]] == [
        ("Alder, Anna (offhand)", "Alder, Anna")
    ]
    assert [link.text for link in own["other_identities"]] == ["Alder, Anna – Birch, Bo: 9 games"]


def test_sources_of_events_and_of_single_results(view: Any):
    letters, handbook = view["sources"]
    assert letters.places == ((Link("Club 1851", "events/club-1851.html"), None),)
    assert handbook.summary == "4 citations"


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


def test_the_lead_leaves_out_what_the_files_set_aside(view: Any, page: Rendered):
    assert view["race"] is not None
    assert "At the end both are level." in page.html


def test_all_pairs_are_listed():
    page = rendered(pair.pages, site_of(CLUB), urls.PAIRS)
    (row,) = page.rows("pairs")
    heads = ("First", "Second", "Games", "Events", "From", "To")
    assert row.texts(*heads) == (
        "Alder, Anna", "Birch, Bo odds soft", "17", "4", "1850", "1853",
    )  # fmt: skip
    assert row.links("Games") == [("17", "alder-anna-v-birch-bo.html")]
    lead = next(one for one in page.tree.iter("p") if one.get("class") == "lead")
    assert text_of(lead) == "1 pair of players who met in 10 or more known games."


def test_who_has_no_rating_is_not_compared():
    long = event("long-1850", "match", 1850, (ALDER, YEW), results=(
        Result(ALDER, YEW, 10.0, 0.0, 10.0),
    ))  # fmt: skip
    page = rendered(pair.pages, site_of(long), "pairs/alder-anna-v-yew-una.html")
    assert page.facts()["Score"] == "11–0" and page.facts()["Rated"] == "none of these games"
    assert "Compare" not in page.facts() and not page.has("years")
    assert "At the end Alder is ahead by 11 points." in page.html


def test_a_pair_all_of_whose_games_are_unrated_has_a_page():
    casual = event("casual-1850", "match", 1850, (ALDER, YEW), results=(
        replace(games(ALDER, YEW, "1" * 12), unrated="Played blindfold."),
    ))  # fmt: skip
    events = {one.id: one for one in (casual,)}
    site = replace(site_of(), dataset=replace(DATASET, events=events))
    made = {page.path: page for page in pair.pages(site)}
    path = "pairs/alder-anna-v-yew-una.html"
    assert made[path].description.endswith(": all known games, 12 games, none of them counted.")
    page = rendered(pair.pages, site, path)
    assert ": 12 games known, of these set aside: 12 unrated." in page.html
    assert page.facts()["Score"] == "–"
    assert 'class="score-race"' not in page.html


def test_games_known_only_from_totals_are_no_record():
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
    other = next(row for row in page_rows(site, OFFHAND) if row["Opponent"].startswith("Alder"))
    assert (other["Score"], other["%"]) == ("– and 12 from totals", "–")


def page_rows(site: SiteInput, player_id: str) -> list[Row]:
    return rendered(player.pages, site, urls.player(player_id)).rows("record-table")


def test_the_pages_are_valid():
    site = site_of(CLUB)
    for page in rendered_pages(pair.pages(site), site):
        assert ">None<" not in page.html
        assert "style=" not in page.html
    assert f'href="../{urls.compare(ALDER, BIRCH)}"' in page.html
