"""The pages of two players who met often, against numbers worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import html5lib
import pytest
from view_world import ALDER, ANSWERS, BIRCH, CEDAR, DATASET, OFFHAND, RATINGS, YEW, event, games

from edo.core import urls
from edo.core.model import Citation, Event, Mark, Result
from edo.rating.pairings import all_pairings
from edo.site.input import Link, Page, SiteInput
from edo.site.pages import pair
from edo.site.pages.index import Index
from edo.site.pages.lead import Stretch, lead_chart
from edo.site.pages.meetings import Met
from edo.site.pages.pair import PairView
from edo.site.pages.pair_list import PairsView
from edo.site.render import render

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
    pairings = tuple(
        p for p in all_pairings(dataset) if YEW not in (p.first.player, p.second.player)
    )
    return SiteInput(dataset, replace(RATINGS, pairings=pairings), {}, None, "0", "0", ANSWERS)


def pages_of(*more: Event) -> dict[str, Page]:
    return {page.path: page for page in pair.pages(site_of(*more))}


PATH = "pairs/alder-anna-v-birch-bo.html"


@pytest.fixture(scope="module")
def view() -> PairView:
    page = pages_of(CLUB)[PATH]
    assert page.title == "Alder, Anna, Ms. – Birch, Bo"
    view = page.view()
    assert isinstance(view, PairView)
    return view


def test_who_met_less_than_ten_times_has_no_page():
    # Nine games in the world: 3 in 1850, 1 in 1851, 5 in 1853; totals alone are not games met.
    assert list(pages_of()) == [urls.PAIRS]
    index = Index.of(DATASET, RATINGS)
    assert index.games_of_pair[ALDER, BIRCH] == 9.0
    assert (BIRCH, CEDAR) not in index.games_of_pair  # only by default
    assert index.page_of_pair(BIRCH, ALDER) is None


def test_the_two_are_named_in_one_order(view: PairView):
    assert urls.pair(BIRCH, ALDER) == urls.pair(ALDER, BIRCH) == PATH
    assert view.names == ("Alder, Anna, Ms.", "Birch, Bo") or view.names == ("Alder", "Birch")
    assert (view.first.text, view.second.text) == ("Alder, Anna, Ms.", "Birch, Bo")


def test_the_sum_of_all_games(view: PairView):
    # 1½/3, 1/1 and 2½/4 of the world; Alder has 1½ of 5 in the club. Apart: the game of pawns,
    # the default and two blindfold games.
    assert view.games == "17 games"
    assert view.result == "6½ – 6½"
    assert (view.tally.score, view.tally.share) == ("6½/13", "50%")
    assert (view.tally.won, view.tally.drawn, view.tally.lost) == ("–", "–", "–")  # a soft score
    assert view.tally.apart == "1 by default, 3 unrated"
    assert view.tally.marks == (("odds", "odds"), ("soft", "soft"))


def test_what_the_ratings_lead_to_expect(view: PairView):
    # 1850: 3 x 0.5006; 1851: 6 x 0.6401; 1853 at pawn and move: 4 x 0.5.
    assert view.rated is not None
    assert (view.rated.score, view.rated.expected) == ("6½/13", "7.34")


def test_event_by_event(view: PairView):
    assert [(row.event.text, row.tally.score, row.expected) for row in view.events] == [
        ("Alder birch 1850", "1½/3", "1.50"),
        ("Oakham 1851", "1/1", "0.64"),
        ("Club 1851", "1½/5", "3.20"),
        ("Alder birch 1853", "2½/4", "2.00"),
    ]
    first, _, club, odds = view.events
    assert (first.tally.won, first.tally.drawn, first.tally.lost) == ("1", "1", "1")
    assert [mark.text for mark in first.games] == ["1", "½", "0"]
    assert first.kinds == {"colourless"}
    assert (club.tally.won, club.tally.drawn, club.tally.lost) == ("1", "1", "3")
    assert [mark.text for mark in club.games] == ["0", "0", "1", "0", "½", "+", "1", "½"]
    assert club.games[6].kinds == ("white", "unrated")
    assert club.tally.apart == "1 by default, 2 unrated"
    assert club.state == "incomplete"
    assert club.said == (
        ("note", "Played at <em>noon</em>."),
        ("default", "Birch fell ill."),
        ("unrated", "Blindfold."),
    )
    assert [kind for kind, _ in odds.said] == ["odds", "soft", "note", "odds", "unrated"]


def test_year_by_year(view: PairView):
    rows = [(r.year.text, r.score, r.expected, r.first.text, r.lead) for r in view.years]
    assert rows == [
        ("1850", "1½/3", "1.50", "2000 (100)", "0"),
        ("1851", "2½/6", "3.84", "2100 (80)", "+100"),
        ("1853", "2½/4", "2.00", "2163 (95)", "+163"),
    ]
    assert view.years[0].second == Link("2000 (110)", "players/birch-bo.html#y1850")
    # Among the leading of 1851, and rivals in 1853.
    assert [row.chance and row.chance.text for row in view.years] == [None, "95%", "98%"]
    assert view.has_chances


def test_chances_are_those_of_the_first_whoever_was_asked_about():
    mirrored = replace(
        ANSWERS, superiority={}, rivals={BIRCH: (replace(ANSWERS.rivals[ALDER][0], rival=ALDER),)}
    )
    found = pair.pair_years((ALDER, BIRCH), pair.Met([], []), (), _material(mirrored))
    assert [(row.year.text, row.chance and row.chance.text) for row in found] == [("1853", "2%")]


def _material(answers: object) -> pair.Material:
    return pair.Material.of(DATASET, RATINGS, answers)  # type: ignore[arg-type]


def test_events_without_a_known_game_of_the_two_are_named(view: PairView):
    assert [link.text for link in view.silent] == ["Totals 1853"]


def test_an_event_has_its_own_games_only():
    one, other = (event(name, "match", 1850, (ALDER, BIRCH)) for name in ("one", "other"))
    met = Met([(one, "known"), (other, "known too")], [(other, "deduced")])
    assert met.at(one) == Met([(one, "known")], [])
    assert met.at(other) == Met([(other, "known too")], [(other, "deduced")])


def test_the_other_identities_are_told(view: PairView):
    # Two offhand games, too few for a page of their own.
    assert view.kin == (
        Link(
            "Alder, Anna (offhand), Ms. – Birch, Bo: 2 games",
            "players/alder-anna-offhand.html#record",
        ),
    )
    assert view.persons == ()
    casual = event("casual-1851", "match", 1851, (OFFHAND, BIRCH), results=(
        games(OFFHAND, BIRCH, "1111100000"),
    ))  # fmt: skip
    own = pages_of(casual)["pairs/alder-anna-offhand-v-birch-bo.html"].view()
    assert isinstance(own, PairView)
    assert [(one.text, person.text) for one, person in own.persons] == [
        ("Alder, Anna (offhand), Ms.", "Alder, Anna, Ms.")
    ]
    assert [link.text for link in own.kin] == ["Alder, Anna, Ms. – Birch, Bo: 9 games"]


def test_sources_of_events_and_of_single_results(view: PairView):
    letters, handbook = view.sources
    assert letters.places == ((Link("Club 1851", "events/club-1851.html"), None),)
    assert handbook.summary == "4 citations"


def test_the_lead_game_by_game():
    # +1, level, +1; then four games at once that bring two points more.
    chart = lead_chart([Stretch(1850, 1, 1), Stretch(1850, 1, -1), Stretch(1851, 4, 3)])
    assert chart is not None
    # From -3 to +3 over 148 units of height: 24.67 a point, zero at 100. 434 units for 6 games.
    assert chart.zero == 100.0
    assert chart.line == "34,100 106.3,75.3 178.7,100 468,26"
    assert chart.area == f"34,100 {chart.line} 468,100"
    assert [tick.label for tick in chart.year_ticks] == ["1850", "1851"]
    assert [tick.at for tick in chart.year_ticks] == [34.0, 178.7]
    assert [tick.label for tick in chart.lead_ticks] == ["−3", "−2", "−1", "0", "+1", "+2", "+3"]
    assert lead_chart([]) is None


def test_years_too_near_to_each_other_have_no_label():
    chart = lead_chart([Stretch(year, 1, 0) for year in range(1850, 1870)])
    assert chart is not None
    assert [tick.label for tick in chart.year_ticks][:4] == ["1850", "", "", "1853"]


def test_the_lead_leaves_out_what_the_files_set_aside(view: PairView):
    assert view.lead is not None
    assert view.lead_words == "At the end both are level."


def test_all_pairs_are_listed():
    listed = pages_of(CLUB)[urls.PAIRS].view()
    assert isinstance(listed, PairsView)
    (row,) = listed.rows
    assert (row.first.text, row.second.text, row.games, row.events) == (
        "Alder, Anna, Ms.",
        "Birch, Bo",
        "17",
        "4",
    )
    assert (row.first_year, row.last_year, row.pair.target) == ("1850", "1853", PATH)
    assert listed.summary == "1 pair of players who met in 10 or more known games."


def test_who_has_no_rating_is_not_compared():
    long = event("long-1850", "match", 1850, (ALDER, YEW), results=(
        Result(ALDER, YEW, 10.0, 0.0, 10.0),
    ))  # fmt: skip
    view = pages_of(long)["pairs/alder-anna-v-yew-una.html"].view()
    assert isinstance(view, PairView)
    assert (view.compare, view.rated, view.years, view.result) == (None, None, (), "11–0")


def test_the_pages_are_valid():
    site = site_of(CLUB)
    for path, html in render(pair.pages(site), site):
        html5lib.HTMLParser(strict=True).parse(html.decode())
        assert ">None<" not in html.decode(), path
        assert "style=" not in html.decode()
    assert f'href="../{urls.compare(ALDER, BIRCH)}"' in html.decode()
