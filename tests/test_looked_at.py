"""Doubts that an editor looked at: marks that settle one, marks that settle none, wrong marks."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from textwrap import dedent

import pytest
from conftest import MINISITE, ROOT

from edo.commands import cli
from edo.commands.check import find
from edo.core.problems import DOUBTS, LookedAt, Problem
from edo.history.dataset import load, read_all
from edo.lint.run import settle
from edo.site.input import Link
from edo.site.pages.doubted import _SAID, doubted

BARE = "1884/byrd-dunn-1884.yaml"  # of which no source says where in it
GUIDE = (ROOT / "content/editing.md").read_text()
(SAMPLE,) = (
    dedent(block) for block in re.findall(r"(?:^    .+\n)+", GUIDE, re.M) if "looked_at:" in block
)


@pytest.fixture
def events(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MINISITE / "events", tmp_path / "events"))


def add(events: Path, mark: str) -> None:
    """Say in the bare event that a doubt was looked at."""
    path = events / BARE
    path.write_text(f"{path.read_text()}looked_at:\n- {mark}\n")


def told(events: Path) -> list[str]:
    return [f"{one.place}: {one.message}; {one.hint}" for one in find(events).problems]


NO_PAGE = "sources: no source says where in it this stands; add `where`, like `where: p. 12`"


def test_a_doubt_looked_at_is_only_counted(events: Path) -> None:
    before = find(events)
    assert [one.mark for one in before.problems] == ["doubt: no page"]
    assert (told(events), before.looked_at) == ([NO_PAGE], 0)
    add(events, "{doubt: no page, why: The leaf is torn.}")
    after = find(events)
    assert (after.problems, after.looked_at) == ((), 1)


def test_the_check_counts_it_and_strict_passes(events: Path, capsys) -> None:
    assert cli.main(["check", "--strict", "--events", str(events)]) == 1
    said = capsys.readouterr().out
    assert "(doubt: no page)\n" in said and "`looked_at`" in said.splitlines()[-1]
    add(events, "{doubt: no page, why: The leaf is torn.}")
    assert cli.main(["check", "--strict", "--events", str(events)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("no errors, no notices, 1 doubt looked at in 24 files, ")
    assert said.count("\n") == 1
    assert cli.main(["check", "--format", "json", "--events", str(events)]) == 0
    assert capsys.readouterr().out == "[]\n"


def test_programs_read_how_a_doubt_is_named(events: Path, capsys) -> None:
    assert cli.main(["check", "--format", "json", "--events", str(events)]) == 0
    (one,) = json.loads(capsys.readouterr().out)
    assert (one["doubt"], one["about"]) == ("no page", "")


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ("{doubt: score, about: byrd-lucy, why: So it stands.}",
         "looked_at: no doubt `score` about `byrd-lucy` arises here; "
         "delete it, or write one that does: doubt: no page"),
        ("{doubt: no page, about: byrd-lucy, why: So it stands.}",
         "looked_at: no doubt `no page` about `byrd-lucy` arises here; "
         "delete it, or write one that does: doubt: no page"),
    ],
)  # fmt: skip
def test_a_mark_that_settles_nothing_is_told(mark: str, said: str, events: Path) -> None:
    add(events, mark)
    found = find(events)
    assert sorted(told(events)) == sorted([NO_PAGE, said])
    assert found.looked_at == 0
    (idle,) = (one for one in found.problems if one.place == "looked_at")
    lines = (events / BARE).read_text().splitlines()
    assert (idle.severity, idle.line) == ("notice", lines.index(f"- {mark}") + 1)
    assert idle.path.endswith(BARE)


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ("{doubt: socre, why: So.}", "doubt socre, doubt: `socre` is not one of lifetime, "),
        ("{doubt: score}", "doubt score: `why` is missing; add it, like "),
        ("{why: So.}", "doubt 1: `doubt` is missing; add it, like `doubt: score`"),
        ("{doubt: score, about: Byrd L, why: So.}", "doubt score, about: `Byrd L` is not an id"),
        ("{doubt: score, who: b, why: So.}", "doubt score: unknown key `who`"),
        ("{doubt: no page, why: So.}\n- {doubt: no page, why: Thus.}",
         "doubt no page: it stands twice; keep one of them"),
    ],
)  # fmt: skip
def test_a_wrong_mark_is_an_error(mark: str, said: str, events: Path) -> None:
    add(events, mark)
    dataset, problems = read_all(events)
    assert dataset is None
    assert [one for one in map(str, problems) if said in one and "notice" not in one]


def test_nothing_is_told_of_marks_while_files_are_in_error(events: Path) -> None:
    add(events, "{doubt: score, about: byrd-lucy, why: So it stands.}")
    (events / "1881/castle-byrd-1881.yaml").write_text("name: Broken\n")
    assert not [one for one in find(events).problems if one.place == "looked_at"]


def test_one_mark_settles_one_doubt_of_one_record(events: Path) -> None:
    mark = "looked_at: [{doubt: close name, about: a, why: Gaige has both.}]"
    players = events / "players"
    (players / "b.yaml").write_text(
        (players / "b.yaml").read_text().replace("byrd-lucy:\n", f"byrd-lucy:\n  {mark}\n", 1)
    )
    path = "events/players/b.yaml"
    doubt = Problem(path, 1, "byrd-lucy", "close", "look").as_doubt("close name", "a")
    others = [
        Problem(path, 1, "byrd-lucy", "close", "look").as_doubt("close name", "c"),
        Problem(path, 1, "byrd-lucy", "days", "look").as_doubt("same dates", "a"),
        Problem(path, 1, "byrd-lucy-offhand", "close", "look").as_doubt("close name", "a"),
        Problem(path, 1, "byrd-lucy", "close", "look"),
    ]
    found = settle([doubt, *others], load(events))
    assert (found.open, found.looked_at) == (tuple(others), 1)


def test_of_an_idle_mark_only_the_doubts_of_its_own_record_are_proposed(events: Path) -> None:
    add(events, "{doubt: score, about: byrd-lucy, why: So it stands.}")
    other = Problem("events/1881/x.yaml", 1, "sources", "bare", "look").as_doubt("no page", "")
    found = settle([other], load(events))
    assert [one.hint for one in found.open] == ["look", "delete it"]
    assert found.looked_at == 0


def test_a_doubt_may_be_looked_at_about_each_of_several(events: Path) -> None:
    add(events, "{doubt: score, about: byrd-lucy, why: So.}\n"
                "- {doubt: score, about: dunn-george, why: Thus.}")  # fmt: skip
    dataset, _ = read_all(events)
    assert dataset is not None
    said = [str(one) for one in dataset.events["byrd-dunn-1884"].looked_at]
    assert said == ["score byrd-lucy: So.", "score dunn-george: Thus."]
    assert str(LookedAt("no page", "The leaf is torn.")) == "no page: The leaf is torn."


def test_a_record_out_of_its_life_cannot_stand_where_all_dates_are_certain(events: Path) -> None:
    path = events / "players/d.yaml"
    text = path.read_text().replace("dunn-george:\n", "dunn-george:\n  died: 1870\n", 1)
    path.write_text(re.sub(r"(died: 1870\n(?:  .+\n)*?)  died: .+\n", r"\1", text))
    late = [one for one in read_all(events)[1] if "after his death" in one.message]
    assert {one.severity for one in late} == {"error", "notice"}
    assert {(one.severity, one.doubt) for one in late} == {("error", ""), ("notice", "lifetime")}


def test_the_sample_of_the_guide_settles_the_doubt_that_the_guide_names(events: Path) -> None:
    (events / "1887").mkdir()
    sample = events / "1887/the-sample.yaml"
    sample.write_text(re.sub(r"looked_at:\n(?:[- ] .+\n)+(?=sources)", "", SAMPLE))
    (doubt,) = (one for one in find(events).problems if one.path == str(sample))
    assert f"`({doubt.mark})`" in GUIDE
    sample.write_text(SAMPLE)
    found = find(events)
    assert not [one for one in found.problems if one.path == str(sample)]
    assert found.looked_at == 1


def test_pages_say_what_was_doubted_of_whom_and_why(events: Path) -> None:
    assert set(_SAID) == set(DOUBTS)
    marks = (
        LookedAt("entered twice", "The *Gazette* tells of both.", "castle-byrd-1881"),
        LookedAt("close name", "Gaige has both.", "castle-hugo"),
        LookedAt("no page", "The leaf is torn."),
        LookedAt("score", "So it stands.", "nobody"),
    )
    first, second, third, fourth = doubted(marks, load(events), "events/x.html")
    assert first.about is not None and first.about.text == "Castle – Byrd match"
    assert str(first.why) == "The <em>Gazette</em> tells of both."
    assert second.about is not None and second.about.target == "players/castle-hugo.html"
    assert (third.doubt, third.about) == ("no source says where in it this stands", None)
    assert fourth.about == Link("nobody")  # who is not there any more
