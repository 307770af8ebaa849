"""What an event file gives to the ratings, in words and aligned figures."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import MINISITE
from sample_datasets import dataset as made
from sample_datasets import event, result

from edo.commands import cli
from edo.core.model import Total
from edo.core.problems import EdoError
from edo.history.dataset import load
from edo.rating.explain import explain

ODDS = """\
Castle – Byrd match (events/1881/castle-byrd-1881.yaml)

Pairings in the fit (score of the first of games)
  year  first                                  score  games  second       from
  1881  byrd-lucy                                2.5      5  castle-hugo  results
  1881  castle-hugo giving pawn-and-two-moves      8     11  byrd-lucy    results

Ghosts
  giver        year  odds                Elo  against the ghost in 100 games
  castle-hugo  1881  pawn-and-two-moves  219  77.9 - 22.1

Left out
  line  players                          score  reason
     7  byrd-lucy - castle-hugo, game 5  1 - 0  won by default
    12  castle-hugo - byrd-lucy          2 - 1  The worth of these odds is not known.

Sums (points/games)
  player       results  left out  from totals    rated  total
  byrd-lucy     7.5/20       2/4            –   5.5/16
  castle-hugo  12.5/20       2/4            –  10.5/16
"""

UNRATABLE = """\
Springfield – Shelbyville (events/1882/springfield-shelbyville-1882.yaml)

Pairings in the fit (score of the first of games)
  year  first               score  games  second       from
  1882  zukertort-johannes    0.5      1  byrd-lucy    results
  1882  dunn-george             0      1  castle-hugo  results

Pairings with a player who cannot be rated
  year  first      score  games  second        from
  1882  finch-ada      1      1  eames-walter  results

Players who cannot be rated
  player     reason
  finch-ada  Won every game that could be rated, so that any rating would be too low.

Sums (points/games)
  player              results  left out  from totals  rated  total
  zukertort-johannes    0.5/1         –            –  0.5/1
  byrd-lucy             0.5/1         –            –  0.5/1
  dunn-george             0/1         –            –    0/1
  castle-hugo             1/1         –            –    1/1
  finch-ada               1/1         –            –    1/1
  eames-walter            0/1         –            –    0/1
"""

UNRATED = """\
Finch – Grey match (events/1884/finch-grey-1884.yaml)
nothing of it is rated: It may have been a handicap match, at odds that are not known.

Left out
  line  players                score  reason
     6  finch-ada - grey-ivan  3 - 1  It may have been a handicap match, at odds that are not known.

Players who cannot be rated
  player     reason
  finch-ada  Won every game that could be rated, so that any rating would be too low.
  grey-ivan  No result is known that can be rated.

Sums (points/games)
  player     results  left out  from totals  rated  total
  finch-ada      3/4       3/4            –      –
  grey-ivan      1/4       1/4            –      –
"""


@pytest.mark.parametrize(
    ("id_", "text"),
    [
        ("castle-byrd-1881", ODDS),
        ("springfield-shelbyville-1882", UNRATABLE),
        ("finch-grey-1884", UNRATED),
    ],
)
def test_what_an_event_gives(id_: str, text: str) -> None:
    assert explain(load(MINISITE / "events"), id_) == text


def test_what_follows_from_totals_and_what_stands_outside_them() -> None:
    one = event(
        "e",
        1880,
        result("a", "b", 1, 1, line=7),
        result("a", "b", 0.5, 1, uncounted="a draw, replayed", number=2, line=8),
        players=("a", "b", "c"),
        totals=(Total("a", 1.5), Total("b", 0.5), Total("c", 1.0)),
        games_per_pair=1,
        rest="from totals",
        completeness="incomplete",
        missing="the games of c",
    )
    assert explain(made(one), "e") == (
        "e (events/1880/e.yaml)\n"
        "incomplete: the games of c\n"
        "\n"
        "Pairings in the fit (score of the first of games)\n"
        "  year  first  score  games  second  from\n"
        "  1880  a        1.5      2  b       results\n"
        "  1880  a        0.5      1  c       totals\n"
        "  1880  b        0.5      1  c       totals\n"
        "\n"
        "Outside the event's totals\n"
        "  line  players        score      reason\n"
        "     8  a - b, game 2  0.5 - 0.5  a draw, replayed\n"
        "\n"
        "Sums (points/games)\n"
        "  player  results  left out  from totals  rated  total\n"
        "  a         1.5/2         –        0.5/1    2/3    1.5\n"
        "  b         0.5/2         –        0.5/1    1/3    0.5\n"
        "  c             –         –          1/2    1/2      1\n"
    )


def test_what_somebody_withdrew_from_is_left_out_of_the_totals() -> None:
    # c played one of his two games, so a and b have half a point each without play
    one = event(
        "e",
        1880,
        players=("a", "b", "c"),
        totals=(Total("a", 1.5, 2.0), Total("b", 1.5, 2.0), Total("c", 0.0, 1.0)),
        games_per_pair=1,
        rest="best guess",
        withdrew=("c",),
        completeness="incomplete",
        missing="all games",
    )
    text = explain(made(one), "e")
    assert (
        "Left out of the totals as won by default\n"
        "  player  points\n"
        "  a          0.5\n"
        "  b          0.5\n"
    ) in text
    assert "  a             –         –        1/1.5  1/1.5    1.5\n" in text


def test_unknown_games_are_named() -> None:
    text = explain(load(MINISITE / "events"), "springfield-1880")
    assert "Unknown games\n  players\n  dunn-george - eames-walter\n" in text


def test_an_unknown_event_is_an_error_with_its_neighbour() -> None:
    with pytest.raises(
        EdoError, match=r"^there is no event `finch-gray-1884`; did you mean `finch-grey-1884`\?$"
    ):
        explain(load(MINISITE / "events"), "finch-gray-1884")


@pytest.mark.parametrize("which", ["castle-byrd-1881", "{}/1881/castle-byrd-1881.yaml"])
def test_the_verb_takes_an_id_or_a_file(which: str, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(MINISITE / "events")
    assert cli.main(["explain", which.format(folder), "--events", folder]) == 0
    assert capsys.readouterr().out == ODDS


def test_of_a_history_with_errors_only_these_are_told(
    events: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = events / "1884/byrd-dunn-1884.yaml"
    bare.write_text(bare.read_text().replace("year: 1884", "year: 1884\nlife: 1"))
    players = events / "players/b.yaml"
    players.write_text(players.read_text().replace("born: 1850", "born: 1876", 1))
    assert cli.main(["explain", "byrd-dunn-1884", "--events", str(events)]) == 1
    told = capsys.readouterr().err
    assert "unknown key `life`" in told
    assert "warning:" not in told
