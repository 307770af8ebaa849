"""Comparison of editions: hand-made ratings, and the minisite with single edits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from statistics import median
from types import MappingProxyType

import edited_minisite
import pytest

from edo.core.model import Dataset
from edo.diff.compare import CareerChange, NumberOneChange, RankChange, compare
from edo.diff.edition import Edition
from edo.history.dataset import load
from edo.rating import edo
from edo.rating.edo import PlayerYear

MATCH = "1884/byrd-dunn-1884.yaml"


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return edited_minisite.copy(tmp_path_factory.mktemp("start") / "events")


@pytest.fixture(scope="module")
def before(start: Path) -> Edition:
    return edited_minisite.rate(start, "before")


NOTHING = Dataset({}, {}, {}, {}, {})


def edition(
    name: str,
    ratings: dict[tuple[str, int], tuple[float, int]],
    unrated: Mapping[str, str] = MappingProxyType({}),
) -> Edition:
    """An edition with only ratings and ranks; each standard error is 50."""
    years = {
        (player, year): PlayerYear(player, year, rating, 50.0, rating, 50.0, rank, 0.0, 0.0)
        for (player, year), (rating, rank) in ratings.items()
    }
    return Edition(name, NOTHING, years, unrated, ())


OLD = edition(
    "old",
    {
        ("a", 1850): (2500.0, 1),
        ("b", 1850): (2450.0, 2),
        ("c", 1850): (2400.0, 3),
        ("d", 1850): (2300.0, 4),
        ("e", 1850): (2200.0, 5),
        ("a", 1851): (2500.0, 1),
        ("gone", 1851): (2100.0, 2),
    },
)
NEW = edition(
    "new",
    {
        ("a", 1850): (2502.0, 2),  # +2, as the median
        ("b", 1850): (2522.0, 1),  # +72
        ("c", 1850): (2402.0, 3),  # +2
        ("d", 1850): (2301.5, 4),  # +1.5
        ("e", 1850): (2190.0, 5),  # -10
        ("a", 1851): (2502.0, 1),  # +2
        ("a", 1852): (2502.0, 1),
        ("extra", 1850): (2100.0, 6),
    },
    unrated={"gone": "Lost everything."},
)


def test_rating_changes_are_relative_to_the_median_change():
    found = compare(OLD, NEW)
    assert (found.median_shift, found.shared, len(found.ratings), found.large) == (2.0, 6, 2, 2)
    assert [(m.player, m.year, m.change, m.net) for m in found.ratings] == [
        ("b", 1850, 72.0, 70.0),
        ("e", 1850, -10.0, -12.0),
    ]


def test_changed_ranks_number_ones_and_careers_are_found():
    found = compare(OLD, NEW)
    assert found.ranks == (
        RankChange(1850, "b", 2, 1),
        RankChange(1850, "a", 1, 2),
        RankChange(1850, "extra", None, 6),
        RankChange(1851, "gone", 2, None),
        RankChange(1852, "a", None, 1),
    )
    assert found.number_ones == (NumberOneChange(1850, "a", "b"), NumberOneChange(1852, None, "a"))
    assert found.careers == (
        CareerChange("a", (1850, 1851), (1850, 1852)),
        CareerChange("extra", None, (1850, 1850)),
        CareerChange("gone", (1851, 1851), None, "Lost everything."),
    )


def test_rank_changes_below_the_top_ten_come_last():
    old = edition("old", {(f"p{k:02}", 1850): (2000.0, k) for k in range(1, 14)})
    turned = {1: 2, 2: 1, 12: 13, 13: 12}
    new = edition("new", {(f"p{k:02}", 1850): (2000.0, turned.get(k, k)) for k in range(1, 14)})
    early = edition("e", {("z", 1700): (1.0, 11)})
    new = replace(new, ratings={**early.ratings, **new.ratings})
    assert [change.best for change in compare(old, new).ranks] == [1, 1, 11, 12, 12]


def test_identical_editions_have_no_differences(before: Edition):
    found = compare(before, replace(before, name="again"))
    assert found.is_empty
    assert not found.attribution.events


def test_one_edited_score_is_the_only_cause_of_every_rating_change(
    start: Path, before: Edition, events: Path
):
    edited_minisite.replace(events, MATCH, ("games: 101=", "games: 111="))
    found = compare(before, edited_minisite.rate(events))
    assert [edit.id for edit in found.edits] == ["byrd-dunn-1884"]
    assert found.attribution.events == ("byrd-dunn-1884",)
    assert found.ratings
    ours, theirs = (edo.rate(load(folder)) for folder in (events, start))
    for move in found.ratings:
        new, old = (one.of(move.player, move.year) for one in (ours, theirs))
        assert new and old
        assert move.change == pytest.approx(new.rating - old.rating, abs=0.002)
        assert [cause.event for cause in move.causes] == ["byrd-dunn-1884"]
        assert move.causes[0].effect == pytest.approx(move.change, abs=0.002)
        assert move.together == pytest.approx(0, abs=0.002)
    assert found.ratings[0].player in ("byrd-lucy", "dunn-george")
    shifts = [
        now.rating - was.rating
        for player, years in ours.players.items()
        for now, was in zip(years, theirs.players[player], strict=True)
    ]
    effect = found.attribution.effects["byrd-dunn-1884"]
    assert effect.median_shift == pytest.approx(median(shifts), abs=1e-6) != 0


def test_two_edits_have_their_own_effects_and_a_remainder(before: Edition, events: Path):
    edited_minisite.replace(events, MATCH, ("games: 101=", "games: 111="))
    edited_minisite.replace(
        events, "1881/castle-byrd-1881.yaml", ("score: +7 -2 =2", "score: +2 -7 =2")
    )
    found = compare(before, edited_minisite.rate(events))
    assert found.attribution.events == ("byrd-dunn-1884", "castle-byrd-1881")
    move = next(m for m in found.ratings if (m.player, m.year) == ("castle-hugo", 1881))
    assert move.causes[0].event == "castle-byrd-1881"
    assert move.together is not None
    assert move.change == pytest.approx(sum(c.effect for c in move.causes) + move.together)
    alone = edited_minisite.copy(events.with_name("alone"))
    edited_minisite.replace(alone, MATCH, ("games: 101=", "games: 111="))
    only = {
        (m.player, m.year): m.change for m in compare(before, edited_minisite.rate(alone)).ratings
    }
    effect = next(c.effect for c in move.causes if c.event == "byrd-dunn-1884")
    assert effect == pytest.approx(only[move.player, move.year], abs=0.002)


def test_more_events_than_the_limit_are_not_rated_one_by_one(before: Edition, events: Path):
    edited_minisite.replace(events, MATCH, ("games: 101=", "games: 111="))
    edited_minisite.replace(
        events, "1881/castle-byrd-1881.yaml", ("score: +7 -2 =2", "score: +2 -7 =2")
    )
    found = compare(before, edited_minisite.rate(events), max_events=1)
    assert found.attribution.gap_reason == (
        "the rated results of 2 events changed, and at most 1 are rated one by one"
    )
    assert all(move.together is None and not move.causes for move in found.ratings)


def _let_finch_and_grey_be_rated(events: Path) -> None:
    reason = "unrated: It may have been a handicap match, at odds that are not known.\n"
    edited_minisite.replace(events, "1884/finch-grey-1884.yaml", (reason, ""))


def _add_finch_and_castle(events: Path) -> None:
    (events / "1884/finch-castle-1884.yaml").write_text(
        "name: Finch – Castle\nkind: match\nyear: 1884\n"
        "pairings:\n- {players: [finch-ada, castle-hugo], score: 1-2}\n"
        "sources:\n- {source: book}\n"
    )


def test_a_newly_rated_player_is_attributed_to_the_event(before: Edition, events: Path):
    _let_finch_and_grey_be_rated(events)
    _add_finch_and_castle(events)
    found = compare(before, edited_minisite.rate(events))
    came = {career.player: career for career in found.careers if career.old is None}
    assert came["grey-ivan"].new == (1884, 1884)
    # Grey needs both events: either alone leaves him without a link.
    assert came["grey-ivan"].events == ()
    assert came["finch-ada"].events == ("finch-castle-1884",)
    back = compare(edited_minisite.rate(events), before)
    left = {career.player: career for career in back.careers if career.new is None}
    assert left["grey-ivan"].reason
    assert left["grey-ivan"].events == ("finch-castle-1884", "finch-grey-1884")


def test_only_events_that_make_a_player_unrated_are_named(before: Edition, events: Path):
    _let_finch_and_grey_be_rated(events)
    _add_finch_and_castle(events)
    edited_minisite.replace(events, MATCH, ("games: 101=", "games: 111="))
    back = compare(edited_minisite.rate(events), before)
    assert len(back.attribution.events) == 3
    left = {career.player: career.events for career in back.careers if career.new is None}
    # Finch still has her match with Castle where that with Grey goes out; Grey has nothing.
    assert left == {
        "finch-ada": ("finch-castle-1884",),
        "grey-ivan": ("finch-castle-1884", "finch-grey-1884"),
    }


def test_a_player_still_rated_in_another_year_is_not_attributed_to_an_event(
    before: Edition, events: Path
):
    _add_finch_and_castle(events)
    early = edited_minisite.rate(events, "early")
    (events / "1884/finch-castle-1884.yaml").rename(events / "1885/finch-castle-1885.yaml")
    edited_minisite.replace(events, "1885/finch-castle-1885.yaml", ("year: 1884", "year: 1885"))
    (career,) = (c for c in compare(early, edited_minisite.rate(events)).careers
                 if c.player == "finch-ada")  # fmt: skip
    assert career == CareerChange("finch-ada", (1882, 1884), (1882, 1885))


def test_a_new_value_of_odds_changes_the_events_at_these_odds(events: Path):
    (events / "1886/shelbyville-handicap-1886.yaml").unlink()  # so that only one event is left
    before = edited_minisite.rate(events)
    edited_minisite.replace(events, "odds.yaml", ("points: 219", "points: 319"))
    found = compare(before, edited_minisite.rate(events))
    assert found.attribution.events == ("castle-byrd-1881",)
    assert [(e.kind, e.id) for e in found.edits if e.kind == "odds"] == [
        ("odds", "pawn-and-two-moves")
    ]
    assert all(move.together == pytest.approx(0, abs=0.002) for move in found.ratings)


def test_a_new_id_is_not_a_new_player(before: Edition, events: Path):
    for path in events.rglob("*.yaml"):
        path.write_text(path.read_text().replace("dunn-george", "dunn-geo"))
    edited_minisite.replace(
        events, "players/d.yaml", ("dunn-geo:\n", "dunn-geo:\n  former_ids: [dunn-george]\n")
    )
    (events / "1884/byrd-dunn-1884.yaml").rename(events / "1884/byrd-dunn-match-1884.yaml")
    former_ids = "former_ids: [byrd-dunn-1884]\nsources:"
    edited_minisite.replace(events, "1884/byrd-dunn-match-1884.yaml", ("sources:", former_ids))
    found = compare(before, edited_minisite.rate(events))
    assert not found.ratings
    assert not found.careers
    assert not found.attribution.events
    assert {(e.id, e.state, e.former) for e in found.edits} == {
        ("dunn-geo", "changed", "dunn-george"),
        ("byrd-dunn-match-1884", "changed", "byrd-dunn-1884"),
    }


def test_edited_records_are_listed_with_their_fields(before: Edition, events: Path):
    """Only what a record says counts, not where it stands."""
    edited_minisite.replace(
        events,
        "1882/shelbyville-1882.yaml",
        ("place: shelbyville\n", "place: springfield\n"),
        ("format: All-play-all\n", ""),
    )
    edited_minisite.replace(events, "players/b.yaml", ("died: 1911~", "died: 1912~"))
    _add_finch_and_castle(events)
    sources = events / "sources.yaml"
    sources.write_text(f"a-book:\n  title: A new book\n{sources.read_text()}")
    edits = compare(before, edited_minisite.rate(events)).edits
    assert [(e.kind, e.id, e.name, e.state, e.fields) for e in edits] == [
        ("events", "finch-castle-1884", "Finch – Castle", "added", ()),
        ("events", "shelbyville-1882", "Shelbyville 1882", "changed", ("place", "format")),
        ("players", "byrd-lucy", "Byrd, Lucy", "changed", ("died",)),
        ("sources", "a-book", "A new book", "added", ()),
    ]
    back = compare(edited_minisite.rate(events), before).edits
    assert [e.state for e in back] == ["removed", "changed", "changed", "removed"]
