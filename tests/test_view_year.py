"""What the golden small site cannot show of pages of years: rounding, crowds and empty years."""

from __future__ import annotations

import re
from dataclasses import replace

from rendered import Rendered, Row, rendered
from sample_history import ALDER, ANSWERS, BIRCH, DATASET, OFFHAND, RATINGS, YEW

from edo.core.model import Dataset
from edo.rating.inference.answers import Superiority
from edo.site import urls
from edo.site.index import Index
from edo.site.input import SiteInput
from edo.site.pages.year import pages

SITE = SiteInput(DATASET, RATINGS, {}, None, "0", "0")
ANSWERED = replace(SITE, answers=ANSWERS)


def drawn(year: int, site: SiteInput = SITE) -> Rendered:
    return rendered(pages, site, urls.year(year))


def ranking(year: int, site: SiteInput = SITE) -> list[Row]:
    return drawn(year, site).rows("ranking")


def test_a_change_is_the_difference_of_the_shown_ratings():
    # 2131.5 is shown as 2132, 2163.0 as 2163: the reader finds 31, not 31.5 rounded up to 32.
    assert ranking(1853)[0]["Change"] == "+31"


def test_a_year_with_events_but_nobody_rated_has_a_page():
    early = replace(DATASET.events["silent-1852"], id="early-1840", year=1840, players=(ALDER, YEW))
    dataset = replace(DATASET, events={early.id: early, **DATASET.events})
    page = drawn(1840, replace(SITE, dataset=dataset))
    assert "No player can be rated in 1840." in page.html and not page.has("ranking")
    assert [row["Event"] for row in page.rows("events")] == ["Silent 1852 unrated"]


def test_the_mean_of_the_first_ten_leaves_out_the_eleventh():
    alder, birch = RATINGS.players[ALDER][0], RATINGS.players[BIRCH][0]
    rated = (alder, *(replace(birch, rating=1900.0, rank=n) for n in range(2, 11)))
    crowd = replace(RATINGS, years={1850: (*rated, replace(birch, rating=100.0, rank=11))})
    row = rendered(pages, replace(SITE, ratings=crowd), urls.YEARS).rows("all")[0]
    assert row["Top ten"] == "1910"  # (2000.4 + 9 x 1900) / 10


def test_the_first_ten_are_told_where_there_are_more():
    birch = RATINGS.players[BIRCH][0]
    crowd = tuple(replace(birch, rank=n) for n in range(1, 12))
    site = replace(ANSWERED, ratings=replace(RATINGS, years={1850: crowd}))
    assert {row["Top ten"] for row in ranking(1850, site)} == {">99%"}


def test_who_was_the_stronger_of_the_leading_players():
    html = drawn(1851, ANSWERED).html.partition('<table class="crosstable superiority">')[2]
    rows = html.partition("</table>")[0].split("<tr>")[2:]
    assert [re.findall(r"href=([^>]+)>", row)[0] for row in rows] == [
        f"../players/{player}.html#y1851" for player in (ALDER, OFFHAND, BIRCH)
    ]
    cells = [re.findall(r'<td class="?(self|cell[^">]*)"?>([^<]*)', row) for row in rows]
    assert cells == [
        [("self", ""), ("cell", "62%"), ("cell sure", "95%")],  # shown as 95 %, so marked as 95 %
        [("cell", "38%"), ("self", ""), ("cell likely", "75%")],
        [("cell", "5%"), ("cell", "25%"), ("self", "")],
    ]
    assert not drawn(1850, ANSWERED).has("superiority")


def test_one_leading_player_has_nobody_to_be_compared_with():
    alone = replace(ANSWERS, superiority={1851: Superiority(1851, (ALDER,), ((0.5,),))})
    assert not drawn(1851, replace(SITE, answers=alone)).has("superiority")


def test_a_year_lists_events_of_which_results_count_for_it() -> None:
    event = next(e for e in DATASET.events.values() if e.results)
    split = replace(event, results=tuple(replace(r, year=event.year - 1) for r in event.results))
    dataset = Dataset(
        {split.id: split}, DATASET.players, DATASET.places, DATASET.sources, DATASET.odds
    )
    index = Index(dataset, RATINGS)
    assert index.events_counting_in == {event.year - 1: (split,), event.year: (split,)}
    assert index.events_of_year == {event.year: (split,)}
