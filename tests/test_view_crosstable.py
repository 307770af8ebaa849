"""Names in a crosstable: the surname, and the rest where it is needed."""

from __future__ import annotations

from sample_history import ALDER, BIRCH, CEDAR, event, games
from test_view_event import html_of, view_of

from edo.site.pages.crosstable import split_names

SMALL = event(
    "small-1851",
    "tournament",
    1851,
    (ALDER, BIRCH, CEDAR),
    has_crosstable=True,
    results=(games(ALDER, BIRCH, "1"), games(ALDER, CEDAR, "="), games(BIRCH, CEDAR, "0")),
)


def test_a_name_is_cut_after_the_surname() -> None:
    table = view_of(SMALL)["crosstable"]
    assert table is not None
    assert table.names[:2] == (("Alder", ", Anna"), ("Birch", ", Bo"))


def test_namesakes_keep_their_whole_names() -> None:
    assert split_names(["Lasker, Emanuel", "Lasker, Edward", "Réti"]) == (
        ("Lasker, Emanuel", ""),
        ("Lasker, Edward", ""),
        ("Réti", ""),
    )


def test_the_page_holds_the_whole_name_in_one_link() -> None:
    assert '>Birch<span class="given">, Bo</span></a> <small' in html_of(SMALL)


def test_the_score_stands_after_the_cells_and_before_what_was_expected() -> None:
    head = html_of(SMALL).partition("<thead>")[2].partition("</thead>")[0]
    assert head.index(">3</abbr>") < head.index(">Points<") < head.index(">Expected")
