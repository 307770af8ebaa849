"""The pages of the throne, of disputed results and of what is wanted most."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import ROOT
from rendered import Rendered, rendered
from sample_history import ALDER, BIRCH, CEDAR, DATASET, RATINGS, event, games
from test_view_series import world

from edo.commands.wanted import as_json
from edo.core.problems import EdoError, InputError
from edo.history.content_files import Claim, Passing, Throne, read_throne
from edo.rating.wanted import FILE, Wanted, read_wanted
from edo.site import urls
from edo.site.input import SiteInput
from edo.site.pages import disputed, throne, wanted

CLAIM = Claim(CEDAR, 1840, 1848, "Called *champion*.", "The Field", "https://example.org/field")
PASSED = Passing("crown", 1856, "She gave it up.", "A letter")
GIVEN = Passing("crown", 1857, "It was given to her.", "A letter", BIRCH)


def drawn(*passings: Passing, claims: tuple[Claim, ...] = (CLAIM,)) -> Rendered:
    site = SiteInput(world("Queen"), RATINGS, {}, None, "0", "0", throne=Throne(claims, passings))
    return rendered(throne.pages, site, urls.THRONE)


def holders(page: Rendered) -> list[tuple[str, ...]]:
    return [row.texts("Holder", "Years") for row in page.rows("holders")]


def test_holders_follow_from_the_events_and_from_what_the_content_says():
    before = [("Alder, Anna", "1850–1852"), ("Birch, Bo", "1852–1853")]
    beside = ("Čedar, Cy", "1853–")
    assert holders(drawn()) == [*before, ("Alder, Anna", "1853–"), beside]
    page = drawn(PASSED, GIVEN)
    assert holders(page) == [
        *before, ("Alder, Anna", "1853–1856"), beside, ("Birch, Bo", "1857–"),
    ]  # fmt: skip
    assert "She gave it up." in page.html


def test_a_claim_says_who_said_so_and_where():
    page = drawn()
    assert "Called <em>champion</em>." in page.html
    assert "https://example.org/field" in page.html
    assert "1840–1848" in page.html
    stranger = replace(CLAIM, player="nobody-known")
    assert "id=claimants" not in drawn(claims=(stranger,)).html.replace('"', "")


def test_a_history_without_titles_and_claims_has_no_throne():
    assert not list(throne.pages(SiteInput(DATASET, RATINGS, {}, None, "0", "0")))


def test_the_throne_of_this_site_is_read_and_names_those_on_record():
    read = read_throne(ROOT / "content")
    assert read.claims and read.passings
    ids = {
        *(one.player for one in read.claims),
        *(one.player for one in read.passings if one.player),
    }
    for player in ids:
        text = (ROOT / "events" / "players" / f"{player[0]}.yaml").read_text(encoding="utf-8")
        assert f"\n{player}:\n" in f"\n{text}"


def test_a_claim_needs_its_source(tmp_path: Path):
    text = "claims:\n- {player: castle-hugo, from: 1845, to: 1851, said: Called champion.}\n"
    (tmp_path / "throne.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="where"):
        read_throne(tmp_path)
    assert read_throne(tmp_path / "elsewhere") == Throne()


def test_disputed_results_stand_by_decade_with_what_was_taken():
    match = event("quarrel", "match", 1851, (ALDER, BIRCH), results=(games(ALDER, BIRCH, "11=0"),),
                  disputed="The *Field* has 3-1.")  # fmt: skip
    site = SiteInput(replace(DATASET, events={match.id: match}), RATINGS, {}, None, "0", "0")
    html = rendered(disputed.pages, site, urls.DISPUTED).html
    assert "The <em>Field</em> has 3-1." in html
    assert "1850s" in html
    assert "Alder – Birch 2½–1½ (+2 −1 =1)" in html


def test_what_is_no_longer_missing_is_not_wanted(tmp_path: Path):
    whole = event("whole", "tournament", 1851, (ALDER, BIRCH, CEDAR), completeness="complete",
                  results=tuple(games(*pair, "1") for pair in
                                ((ALDER, BIRCH), (ALDER, CEDAR), (BIRCH, CEDAR))))  # fmt: skip
    part = replace(whole, id="part", name="Part", results=whole.results[:1], games_per_pair=1.0,
                   completeness="incomplete", missing="Two games.")  # fmt: skip
    rows = [
        Wanted("event", id_, id_, (1851, 1851), 2.0, "", 9.0, ((ALDER, 6.0), ("nobody", 3.0)))
        for id_ in ("whole", "part", "unknown")
    ]
    rows.append(Wanted("player", CEDAR, "", (1850, 1851), 10.0, "no games", 5.0, (), 120.0))
    (tmp_path / FILE).write_text(as_json(rows), encoding="utf-8")
    stored = read_wanted(tmp_path)
    assert stored == tuple(rows)
    data = replace(DATASET, events={one.id: one for one in (whole, part)})
    site = SiteInput(data, RATINGS, {}, None, "0", "0", wanted=stored)
    page = rendered(wanted.pages, site, urls.WANTED)
    (row,) = page.rows("tables")
    assert row.texts("Missing", "Gain most") == ("2 of 3 games", "Alder, Anna")
    (gap,) = page.rows("players")
    assert gap.texts("Player", "Error") == ("Čedar, Cy", "120")
    (tmp_path / FILE).write_text('[{"kind": "event"}]', encoding="utf-8")
    with pytest.raises(EdoError, match="edo wanted"):
        read_wanted(tmp_path)
