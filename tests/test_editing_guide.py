"""The editors' guide: every example is a record that is read and rated, each kind of it there."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path
from textwrap import dedent

import pytest
from conftest import TEXTS

from edo.commands import cli
from edo.history.dataset import read_all
from edo.rating.games import pairings_of

GUIDE = (TEXTS / "editing.md").read_text()
BLOCKS = [dedent(block) for block in re.findall(r"(?:^    .+\n)+", GUIDE, re.M)]
EVENTS = [block for block in BLOCKS if block.startswith("name:")]
PLAYERS = [block for block in BLOCKS if "offhand_of:" in block]


def named(sample: str) -> str:
    return sample.partition("\n")[0].removeprefix("name: ")


def add_ives(events: Path) -> None:
    """Make the player whom a sample of the guide adds."""
    (events / "players/i.yaml").write_text("ives-jo:\n  name: Ives, Jo\n")


@pytest.mark.parametrize("sample", EVENTS, ids=named)
def test_every_event_is_read_without_a_warning_and_rated(sample: str, events: Path):
    year = re.search(r"^year: (\d+)", sample, re.M)
    assert year
    (events / year[1]).mkdir(exist_ok=True)
    (events / year[1] / "the-sample.yaml").write_text(sample)
    add_ives(events)
    loaded, warnings = read_all(events)
    assert loaded is not None and not [one for one in warnings if "the-sample" in one.path]
    gives = pairings_of(loaded.events["the-sample"], loaded.odds)
    assert bool(gives) != ("not entered yet" in sample)


@pytest.mark.parametrize("sample", PLAYERS)
def test_every_identity_is_read(sample: str, events: Path):
    person = sample.partition(":")[0]
    path = events / "players" / f"{person[0]}.yaml"
    path.write_text(path.read_text() + sample)
    loaded, problems = read_all(events)
    assert loaded is not None, problems
    assert loaded.players[person].offhand_of == "dunn-george"


COMMANDS = [block for block in BLOCKS if block not in EVENTS + PLAYERS]
FLAGS = [block for block in COMMANDS if " edo new " in block and "--" in block]


def test_each_block_is_a_record_or_a_command():
    others = [block for block in COMMANDS if block not in FLAGS]
    assert others == [
        "python -m edo check\npython -m edo explain london-1883\n",
        "python -m edo new match\n",
        "python -m edo explain springfield-1893\npython -m edo build\n",
        "python -m edo wanted\n",
        "python -m edo fmt\n",
        "python -m edo rename OLD NEW\npython -m edo merge PLAYER INTO\n",
        "castle-hugo:\n  name: Castle, Hugo\n  spellings: ['Castel, H.']\n"
        "  identified: {Castle: the surname alone}\n",
    ]
    assert (len(FLAGS), len(EVENTS), len(PLAYERS)) == (2, 25, 1)


@pytest.mark.parametrize("command", FLAGS, ids=["match", "tournament"])
def test_a_new_event_is_the_one_of_the_guide(command: str, events: Path, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    words = shlex.split(command.replace("\\\n", ""))
    assert words[:3] == ["python", "-m", "edo"]
    assert cli.main([*words[3:], "--events", str(events)]) == 0
    (path,) = (events / "1893").iterdir()
    following = BLOCKS[BLOCKS.index(command) + 1]
    assert path.read_text() == following
    assert f"events/1893/{path.name}" in GUIDE or path.stem in GUIDE
    assert capsys.readouterr().out.count(str(path)) == 2


@pytest.mark.parametrize(
    "word",
    ["rest: from totals", "rest: best guess", "withdrew:", "players_in_all:", "classes:",
     "class_odds:", "uncounted:", "draws_not_scored:", "proportion:", "games_taken:",
     "offhand_of:", "odds:", "series:", "acknowledged:", "teams:", "published_totals:",
     "unrated:", "default:", "dates: 1890-12-28/1891-01-03"],
)  # fmt: skip
def test_every_kind_of_record_has_its_example(word: str):
    assert any(re.search(rf"(^|[ {{]){re.escape(word)}", block, re.M) for block in BLOCKS)
