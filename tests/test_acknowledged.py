"""Acknowledged warnings: entries that settle one, that settle none, and wrong entries."""

from __future__ import annotations

import json
import re
from pathlib import Path
from textwrap import dedent

import pytest
from conftest import TEXTS

from edo.checks.run import settle
from edo.commands import cli
from edo.commands.check import find
from edo.core.problems import Acknowledgement, Problem
from edo.history.dataset import load, read_all
from edo.history.project import TEMPLATES

BARE = "1884/byrd-dunn-1884.yaml"  # of which no source says where in it
GUIDE = (TEXTS / "editing.md").read_text()
(SAMPLE,) = (
    dedent(block)
    for block in re.findall(r"(?:^    .+\n)+", GUIDE, re.M)
    if "acknowledged:" in block
)


def add(events: Path, entry: str) -> None:
    """Acknowledge a warning in the event without a page."""
    path = events / BARE
    path.write_text(f"{path.read_text()}acknowledged:\n- {entry}\n")


def told(events: Path) -> list[str]:
    return [f"{one.place}: {one.message}; {one.hint}" for one in find(events).problems]


NO_PAGE = "sources: no source says where in it this stands; add `where`, like `where: p. 12`"


def test_an_acknowledged_warning_is_only_counted(events: Path) -> None:
    before = find(events)
    assert [one.acknowledgement for one in before.problems] == ["warning: no page"]
    assert (told(events), before.acknowledged) == ([NO_PAGE], 0)
    add(events, "{warning: no page, why: The leaf is torn.}")
    after = find(events)
    assert (after.problems, after.acknowledged) == ((), 1)


def test_the_check_counts_it_and_strict_passes(events: Path, capsys) -> None:
    assert cli.main(["check", "--strict", "--events", str(events)]) == 1
    said = capsys.readouterr().out
    assert "(warning: no page)\n" in said and "`acknowledged`" in said.splitlines()[-1]
    add(events, "{warning: no page, why: The leaf is torn.}")
    assert cli.main(["check", "--strict", "--events", str(events)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("no errors, no warnings (1 more acknowledged) in 30 files, ")
    assert said.count("\n") == 1
    assert cli.main(["check", "--format", "json", "--events", str(events)]) == 0
    assert capsys.readouterr().out == "[]\n"


def test_json_has_the_kind_of_the_warning(events: Path, capsys) -> None:
    assert cli.main(["check", "--format", "json", "--events", str(events)]) == 0
    (one,) = json.loads(capsys.readouterr().out)
    assert (one["warning"], one["about"]) == ("no page", "")


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{warning: score, about: byrd-lucy, why: So it stands.}",
         "acknowledged: there is no warning `score` about `byrd-lucy` here; "
         "delete it, or write one that there is: warning: no page"),
        ("{warning: no page, about: byrd-lucy, why: So it stands.}",
         "acknowledged: there is no warning `no page` about `byrd-lucy` here; "
         "delete it, or write one that there is: warning: no page"),
    ],
)  # fmt: skip
def test_an_acknowledgement_without_a_warning_is_itself_a_warning(
    entry: str, said: str, events: Path
) -> None:
    add(events, entry)
    found = find(events)
    assert sorted(told(events)) == sorted([NO_PAGE, said])
    assert found.acknowledged == 0
    (unmatched,) = (one for one in found.problems if one.place == "acknowledged")
    lines = (events / BARE).read_text().splitlines()
    assert (unmatched.severity, unmatched.line) == ("warning", lines.index(f"- {entry}") + 1)
    assert unmatched.path.endswith(BARE)


def test_unmatched_acknowledgements_are_not_reported_while_files_have_errors(events: Path) -> None:
    add(events, "{warning: score, about: byrd-lucy, why: So it stands.}")
    (events / "1881/castle-byrd-1881.yaml").write_text("name: Broken\n")
    assert not [one for one in find(events).problems if one.place == "acknowledged"]


def test_one_acknowledgement_settles_one_warning_of_one_record(events: Path) -> None:
    entry = "acknowledged: [{warning: close name, about: a, why: Gaige has both.}]"
    players = events / "players"
    (players / "b.yaml").write_text(
        (players / "b.yaml").read_text().replace("byrd-lucy:\n", f"byrd-lucy:\n  {entry}\n", 1)
    )
    path = "events/players/b.yaml"
    warning = Problem(path, 1, "byrd-lucy", "close", "look", "warning", "close name", "a")
    others = [
        Problem(path, 1, "byrd-lucy", "close", "look", "warning", "close name", "c"),
        Problem(path, 1, "byrd-lucy", "days", "look", "warning", "same dates", "a"),
        Problem(path, 1, "byrd-lucy-offhand", "close", "look", "warning", "close name", "a"),
        Problem(path, 1, "byrd-lucy", "close", "look"),
    ]
    assert settle([warning, *others], load(events)) == (others, 1)


def test_an_unmatched_acknowledgement_proposes_the_warnings_of_its_own_record(events: Path) -> None:
    add(events, "{warning: score, about: byrd-lucy, why: So it stands.}")
    other = Problem("events/1881/x.yaml", 1, "sources", "bare", "look", "warning", "no page", "")
    found, acknowledged = settle([other], load(events))
    assert [one.hint for one in found] == ["look", "delete it"]
    assert acknowledged == 0


def test_a_warning_may_be_acknowledged_about_each_of_several(events: Path) -> None:
    add(events, "{warning: score, about: byrd-lucy, why: So.}\n"
                "- {warning: score, about: dunn-george, why: Thus.}")  # fmt: skip
    dataset, _ = read_all(events)
    assert dataset is not None
    said = [str(one) for one in dataset.events["byrd-dunn-1884"].acknowledged]
    assert said == ["score byrd-lucy: So.", "score dunn-george: Thus."]
    assert str(Acknowledgement("no page", "The leaf is torn.")) == "no page: The leaf is torn."


def test_a_record_out_of_its_life_cannot_stand_where_all_dates_are_certain(events: Path) -> None:
    path = events / "players/d.yaml"
    text = path.read_text().replace("dunn-george:\n", "dunn-george:\n  died: 1870\n", 1)
    text = re.sub(r"  countries:\n(?:    .+\n)+", "", text)
    path.write_text(re.sub(r"(died: 1870\n(?:  .+\n)*?)  died: .+\n", r"\1", text))
    (late,) = (one for one in find(events).problems if "after his death" in one.message)
    assert (late.path, late.severity, late.warning) == (str(path), "error", "")


def test_the_sample_of_the_guide_settles_the_warning_that_the_guide_names(events: Path) -> None:
    (events / "1887").mkdir()
    sample = events / "1887/the-sample.yaml"
    sample.write_text(re.sub(r"acknowledged:\n(?:[- ] .+\n)+(?=sources)", "", SAMPLE))
    (warning,) = (one for one in find(events).problems if one.path == str(sample))
    assert f"`({warning.acknowledgement})`" in GUIDE
    sample.write_text(SAMPLE)
    found = find(events)
    assert not [one for one in found.problems if one.path == str(sample)]
    assert found.acknowledged == 1


def test_no_page_shows_that_a_warning_was_acknowledged() -> None:
    """A reader has no use for it; the reason is in the data."""
    shown = [path for path in TEMPLATES.rglob("*.html") if "acknowledged" in path.read_text()]
    assert not shown
