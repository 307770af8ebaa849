"""What the tables say of events written by hand: every kind of result, total and gap."""

from __future__ import annotations

from dataclasses import replace

from sample_datasets import GAME_OF_PAWNS, dataset, event, odds_by, result

from edo.core.model import Citation, Mark, PartialDate, Player, Total
from edo.export.files import LARGE
from edo.export.records import (
    CITATIONS,
    EVENTS,
    GAMES,
    OPEN_PAIRS,
    PARTICIPANTS,
    PLAYERS,
    RESULTS,
    SPELLINGS,
)
from edo.export.table import History, Table, summed
from edo.history.fields import BLOCKS, EVENT, Scalar
from edo.rating.edo import Ratings
from edo.rating.games import games_of, pairings

NOTHING = Ratings({}, {}, {}, ())
RATED = Ratings({"a": (), "b": ()}, {}, {"z": "Lost every game."}, ())


def told(table: Table, *events, ratings=NOTHING, **more) -> list[dict]:
    """Return the rows of a table as what is there by column."""
    rows = table.rows(History(dataset(*events, **more), ratings))
    return [
        {name: value for name, value in zip(table.header, row, strict=True) if value is not None}
        for row in rows
    ]


def test_wins_draws_and_losses_are_told_where_they_are_known():
    made = event("x", 1850, result("a", "b", 2.5, 4), result("a", "b", 2.5, 4, draws=1.0))
    even, split = told(RESULTS, made)
    assert even == {
        "id": "x:1", "event": "x", "year": 1850, "player_a": "a", "player_b": "b",
        "points_a": 2.5, "points_b": 1.5, "games": 4,
    }  # fmt: skip
    assert (split["won_a"], split["drawn"], split["won_b"]) == (2, 1, 1)


def test_every_word_on_a_result_has_its_column():
    words = {
        "soft": "a letter",
        "unrated": "it was fixed",
        "default": "he fell ill",
        "uncounted": "a replay",
        "note": "By *candlelight*.",
        "proportion": "400/600",
    }
    (row,) = told(RESULTS, event("x", 1850, result("a", "b", 4, 6, year=1849, **words)))
    assert row["by_default"] == words.pop("default")
    assert {name: row[name] for name in words} == words
    assert row["year"] == 1849 and row["left_out"] == "it was fixed" and "entered" not in row


def test_odds_name_giver_kind_and_worth():
    first, second = told(
        RESULTS,
        event(
            "x",
            1850,
            result("a", "b", 2, 3, odds=odds_by("b")),
            result("a", "b", 2, 3, odds=odds_by("a", GAME_OF_PAWNS)),
        ),
        ratings=RATED,
    )
    assert (first["odds_giver"], first["odds"], first["odds_points"]) == (
        "b", "pawn-and-two-moves", 219
    )  # fmt: skip
    assert first["entered"] is True and "left_out" not in first
    assert "odds_points" not in second
    assert second["left_out"] == "games at these odds are not rated"


def test_what_is_not_left_out_may_still_not_have_entered():
    rows = told(
        RESULTS, event("x", 1850, result("a", "b", 1, 2), result("a", "z", 1, 1)), ratings=RATED
    )
    assert [row.get("entered") for row in rows] == [True, None]
    assert not any("left_out" in row for row in rows)


def test_an_unrated_event_leaves_out_all_its_results():
    fixed = event("x", 1850, result("a", "b", 1, 2), unrated="All were fixed.")
    assert told(RESULTS, fixed)[0]["left_out"] == "All were fixed."
    (row,) = told(EVENTS, fixed)
    assert row["unrated"] == row["unrated_reason"] == "All were fixed."


def test_games_come_in_order_in_words():
    marks = (Mark("1", "w"), Mark("=", "b"), Mark("0"), Mark("+"), Mark("-"))
    played = result("a", "b", 2.5, 5, marks=marks, number=3)
    rows = told(GAMES, event("x", 1850, result("a", "b", 1, 2), played))
    assert [tuple(row.values()) for row in rows] == [
        ("x:2", 3, "white", "won", 1),
        ("x:2", 4, "black", "drawn", 0.5),
        ("x:2", 5, "lost", 0),
        ("x:2", 6, "won by default", 1),
        ("x:2", 7, "lost by default", 0),
    ]


def test_participants_have_place_class_and_published_total():
    made = event(
        "x",
        1850,
        result("b", "a", 1, 2),
        players=("b", "a"),
        totals=(Total("a", 0.5, 2, "Draws were not counted."),),
        classes={"b": "First class"},
        withdrew=("a",),
    )
    assert told(PARTICIPANTS, made) == [
        {
            "event": "x", "player": "b", "position": 1, "class": "First class", "place": "1 of 2",
        },
        {
            "event": "x", "player": "a", "position": 2, "withdrew": True, "total": 0.5,
            "total_games": 2, "total_note": "Draws were not counted.", "place": "2 of 2",
        },
    ]  # fmt: skip


def test_open_pairs_stand_in_the_order_of_the_players():
    made = event(
        "x",
        1850,
        players=("c", "b", "a"),
        not_played=frozenset({frozenset("ac")}),
        unknown_games=frozenset({frozenset("ab")}),
    )
    assert [tuple(row.values()) for row in told(OPEN_PAIRS, made)] == [
        ("x", "c", "a", "not played"),
        ("x", "b", "a", "unknown games"),
    ]


def test_citations_say_what_rests_on_them():
    here = (Citation("book", "p. 7"),)
    made = event(
        "x",
        1850,
        result("a", "b", 1, 2, sources=here),
        sources=(Citation("paper"),),
        totals=(Total("a", 1, sources=here),),
    )
    assert told(CITATIONS, made) == [
        {"source": "paper", "event": "x"},
        {"source": "book", "locator": "p. 7", "event": "x", "result": "x:1"},
        {"source": "book", "locator": "p. 7", "event": "x", "player": "a"},
    ]


def test_players_have_dates_as_known_and_each_spelling_a_row():
    player = Player(
        "a",
        "A",
        PartialDate(1820, approximate=True),
        woman=True,
        spellings=("Aa", "Ab"),
        identified=(("Ab", "the surname alone"), ("B", "the place")),
        notes="*x*",
    )
    history = replace(dataset(), players={"a": player})
    (row,) = PLAYERS.rows(History(history, Ratings({}, {}, {"a": "No result."}, ())))
    found = dict(zip(PLAYERS.header, row, strict=True))
    assert found["born"] == "1820~" and found["died"] is None and found["woman"] is True
    assert found["spellings"] == "Aa|Ab" and found["notes"] == "*x*"
    assert found["unrated_reason"] == "No result."
    assert SPELLINGS.rows(History(history, RATED)) == [
        ("a", "Aa", None),
        ("a", "Ab", "the surname alone"),
        ("a", "B", "the place"),
    ]


def test_games_that_were_rated_are_counted_by_event():
    made = event("x", 1850, result("a", "b", 1, 2), result("a", "b", 1, 1))
    ratings = replace(RATED, pairings=pairings(games_of(dataset(made))))
    (row,) = told(EVENTS, made, ratings=ratings)
    assert row["rated_games"] == 3 and "unrated_reason" not in row


def test_every_field_without_structure_has_a_column():
    """What has none is in another table (players and who withdrew) or with ties (`winners`)."""
    plain = {
        field.name
        for field in EVENT.fields
        if isinstance(getattr(field.type, "item", field.type), Scalar) and field.type not in BLOCKS
    }
    exported = {field.name for field in EVENT.fields if field.column}
    assert plain - exported == {"players", "winner", "withdrew"}
    assert exported - plain == {"acknowledged", "class_odds", "sources", "teams"}
    assert exported <= set(EVENTS.header)


def test_columns_keep_the_order_in_which_they_were_published():
    assert EVENTS.header[:3] == ("id", "name", "kind")
    assert EVENTS.header[21:24] == ("file", "former_ids", "acknowledged")


def test_coverage_and_the_odds_of_classes_are_exported():
    soft = event(
        "x", 1850, result("a", "b", 1, 2, soft="a guess"), class_names=("I", "II", "III"),
        class_odds={2: "knight", 1: "pawn-and-move"},
    )  # fmt: skip
    (row,) = told(EVENTS, soft)
    assert row["coverage"] == "part"
    assert row["class_names"] == "I|II|III"
    assert row["class_odds"] == "1 pawn-and-move|2 knight"


def test_sums_of_shares_lose_only_the_noise_of_their_last_digits():
    assert summed(143.99999999999602) == 144
    assert summed(16 + 1 / 3) == 16.333333333


def test_large_tables_have_decimals_for_every_number():
    """They are written without the rounding of other tables, which the decimals make good."""
    numbers = [column for table in LARGE for column in table.columns if column.kind == "number"]
    assert numbers and all(column.decimals is not None for column in numbers)
