"""Players who withdrew: which of their games were won by default is not known one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from edo.core.problems import InputError
from edo.history.dataset import load
from edo.history.unknown_games import by_default
from edo.rating.games import pairings_of

BODY = """name: E
kind: tournament
year: 1880
completeness: incomplete
missing: who met w
pairings:
- {{players: [a, b], games: 1}}
totals: |
  a 3/3
  b 2/3
  c 1/3
  w {total}
games_per_pair: 1
{rest}
sources: [{{source: book}}]
"""


def folder_with(root: Path, total: str, rest: str) -> Path:
    events = root / "events"
    (events / "players").mkdir(parents=True)
    (events / "1880").mkdir()
    for player in "abcw":
        entry = f"{player}: {{name: {player.upper()}}}\n"
        (events / "players" / f"{player}.yaml").write_text(entry)
    (events / "sources.yaml").write_text("book: {title: A book}\n")
    (events / "1880/e.yaml").write_text(BODY.format(total=total, rest=rest))
    return events


def test_open_pairs_share_the_defaults(tmp_path: Path):
    # w lost one game and missed two of three: each of the others has two thirds by default, and is
    # left with a: 3 - 1 - 2/3 of 1 1/3 games, b: 1 1/3 of 1 1/3, c: 1/3 of 2 1/3.
    events = folder_with(tmp_path, "0/1", "rest: best guess\nwithdrew: [w]")
    loaded = load(events)
    event = loaded.events["e"]
    assert by_default(event) == pytest.approx({"a": 2 / 3, "b": 2 / 3, "c": 2 / 3})
    guessed = {
        p.first.player + p.second.player: (p.score, p.games)
        for p in pairings_of(event, loaded.odds)
        if p.basis == "guess"
    }
    assert guessed == {
        "ac": pytest.approx((1.0, 1.0)),
        "bc": pytest.approx((1.0, 1.0)),
        "aw": pytest.approx((1 / 3, 1 / 3)),
        "bw": pytest.approx((1 / 3, 1 / 3)),
        "cw": pytest.approx((1 / 3, 1 / 3)),
    }


@pytest.mark.parametrize(
    ("total", "rest", "message"),
    [
        (
            "0/3",
            "rest: from totals\nwithdrew: [w]",
            "withdrew: players who withdrew without a best guess; write `rest: best guess`, or the "
            "games won by default as `+` and `-`",
        ),
        (
            "0/3",
            "rest: best guess\nwithdrew: [v]",
            "unknown player `v`",
        ),
    ],
)
def test_bad_records_of_who_withdrew(tmp_path: Path, total: str, rest: str, message: str):
    with pytest.raises(InputError) as refused:
        load(folder_with(tmp_path, total, rest))
    assert message in str(refused.value)
