"""The editors' guide: every example is a record that is read and rated, each kind of it there."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from textwrap import dedent

import pytest
from conftest import MINISITE, ROOT

from edo.dataset import load_with_notices
from edo.scores import pairings_of

GUIDE = (ROOT / "content/editing.md").read_text()
BLOCKS = [dedent(block) for block in re.findall(r"(?:^    .+\n)+", GUIDE, re.M)]
EVENTS = [block for block in BLOCKS if block.startswith("name:")]
PLAYERS = [block for block in BLOCKS if "offhand_of:" in block]


def named(sample: str) -> str:
    return sample.partition("\n")[0].removeprefix("name: ")


@pytest.fixture
def events(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MINISITE / "events", tmp_path / "events"))


@pytest.mark.parametrize("sample", EVENTS, ids=named)
def test_every_event_is_read_without_a_doubt_and_rated(sample: str, events: Path):
    year = re.search(r"^year: (\d+)", sample, re.M)
    assert year
    (events / year[1]).mkdir(exist_ok=True)
    (events / year[1] / "the-sample.yaml").write_text(sample)
    loaded, notices = load_with_notices(events)
    assert not [notice for notice in notices if "the-sample" in notice.path]
    assert pairings_of(loaded.events["the-sample"], loaded.odds)


@pytest.mark.parametrize("sample", PLAYERS)
def test_every_identity_is_read(sample: str, events: Path):
    person = sample.partition(":")[0]
    path = events / "players" / f"{person[0]}.yaml"
    path.write_text(path.read_text() + sample)
    loaded, _ = load_with_notices(events)
    assert loaded.players[person].offhand_of == "dunn-george"


def test_each_block_is_a_record_or_a_command():
    commands = [block for block in BLOCKS if block not in EVENTS + PLAYERS]
    assert commands == ["make check\n.venv/bin/python -m edo explain london-1883\n"]
    assert (len(EVENTS), len(PLAYERS)) == (16, 1)


@pytest.mark.parametrize(
    "word",
    ["rest: from totals", "rest: best guess", "withdrew:", "players_in_all:", "classes:", "byes:",
     "uncounted:", "draws_not_scored:", "proportion:", "games_taken:", "split:", "offhand_of:",
     "odds:", "series:", "published_totals:", "unrated:", "default:", "dates: 1890-12-28/1891-01-03"],
)  # fmt: skip
def test_every_kind_of_record_has_its_example(word: str):
    assert any(re.search(rf"(^|[ {{]){re.escape(word)}", block, re.M) for block in BLOCKS)
