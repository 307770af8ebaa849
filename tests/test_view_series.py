"""Pages of series: who was first how often, who held a title, and the series held beside them."""

from __future__ import annotations

from dataclasses import replace

from rendered import Rendered, rendered, texts
from sample_history import ALDER, BIRCH, CEDAR, DATASET, RATINGS, event, games

from edo.core.model import Dataset, Event, Round, Series
from edo.site import urls
from edo.site.input import SiteInput
from edo.site.pages.event import winner
from edo.site.pages.series import pages


def match(year: int, first: str, second: str, text: str, series: str) -> Event:
    played = (games(first, second, text),)
    return event(f"{series}-{year}", "match", year, (first, second), results=played,
                 completeness="complete", series=series)  # fmt: skip


MATCHES = (
    match(1850, ALDER, BIRCH, "110", "crown"),
    match(1851, ALDER, BIRCH, "10", "crown"),  # drawn: she keeps it
    match(1852, BIRCH, ALDER, "11", "crown"),
    match(1853, ALDER, BIRCH, "11", "crown"),
    match(1853, CEDAR, BIRCH, "11", "rival-crown"),
)


def world(title: str | None) -> Dataset:
    series = {
        "crown": Series("crown", "Crown", title=title),
        "rival-crown": Series("rival-crown", "Rival crown", title=title, branch_of="crown"),
    }
    return replace(DATASET, events={one.id: one for one in MATCHES}, series=series)


def drawn(series: str, title: str | None = "Queen") -> Rendered:
    site = SiteInput(world(title), RATINGS, {}, None, "0", "0")
    return rendered(pages, site, urls.series(series))


def test_a_drawn_match_leaves_the_title_to_the_holder():
    rows = drawn("crown").rows("holders-crown")
    assert [row.texts("Holder", "Won", "Kept", "Next") for row in rows] == [
        ("Alder, Anna", "1850", "1", "1852"),
        ("Birch, Bo", "1852", "0", "1853"),
        ("Alder, Anna", "1853", "0", ""),
    ]
    assert rows[0].links("Next") == [("1852", "../events/crown-1852.html")]


def test_a_series_shows_those_that_were_held_beside_it():
    page = drawn("crown")
    (row,) = page.rows("holders-rival-crown")
    assert row.texts("Holder", "Won") == ("Čedar, Cy", "1853")
    assert len(page.rows("events-crown")) == 4 and len(page.rows("events-rival-crown")) == 1
    beside = drawn("rival-crown")
    assert "href=crown.html" in beside.html and not beside.has("events-crown")


def test_without_a_title_those_are_named_who_were_first_more_than_once():
    page = drawn("crown", title=None)
    (row,) = page.rows("winners-crown")
    assert row.texts("Winner", "Times", "Years") == ("Alder, Anna", "2", "1850, 1853")
    assert not page.has("holders-crown") and not page.has("winners-rival-crown")


def test_who_wins_the_final_wins_a_knock_out_of_which_games_are_missing():
    rounds = (Round("Semi-final"), Round("Final"))
    results = (
        games(ALDER, CEDAR, "=", round=0),
        games(ALDER, BIRCH, "=", round=1),
        games(ALDER, BIRCH, "01=0", round=1, unrated="Rapid games of the tie-break."),
    )
    cup = event("cup", "tournament", 1850, (ALDER, BIRCH, CEDAR), results=results, rounds=rounds,
                completeness="incomplete")  # fmt: skip
    found = winner(cup, DATASET)
    assert found is not None and [player.text for player in found.players] == ["Birch, Bo"]
    level = replace(cup, results=results[:2])
    assert winner(level, DATASET) is None
    both = (*results, games(ALDER, CEDAR, "1", round=1))  # and a game for the third place
    assert winner(replace(cup, results=both), DATASET) is None
    assert winner(replace(cup, rounds=(Round("A"), Round("B"))), DATASET) is None


def test_the_matches_of_the_same_two_players_are_summed():
    matches = (
        match(1850, ALDER, BIRCH, "110", "crown"),
        match(1852, BIRCH, ALDER, "=1", "crown"),
    )
    series = {"crown": Series("crown", "Crown")}
    dataset = replace(DATASET, events={one.id: one for one in matches}, series=series)
    site = SiteInput(dataset, RATINGS, {}, None, "0", "0")
    assert "Alder, Anna – Birch, Bo 2½ – 2½ in 5 games (+2 −2 =1)" in texts(
        rendered(pages, site, urls.series("crown")).html, "p", "lead"
    )
    third = match(1853, CEDAR, BIRCH, "1", "crown")
    dataset = replace(dataset, events={**dataset.events, third.id: third})
    html = rendered(pages, replace(site, dataset=dataset), urls.series("crown")).html
    assert "in 5 games" not in html
