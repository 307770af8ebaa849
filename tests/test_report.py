"""Problems as text for people, as JSON and as annotations for GitHub."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest

from edo.checks.report import as_github, as_json, as_text, summary, wants_colour
from edo.core.problems import SHOWN_OF_A_KIND, InputError, Problem

ERROR = Problem("events/1851/a.yaml", 7, "players", "unknown player `x`", "did you mean `y`?")
WARNING = Problem("events/1851/a.yaml", 112, "", "100 % won, by 5: 0", "look", "warning")
OTHER = Problem("events/b,c:d.yaml", 1, "p, q: r", "50 %", "mend", "error")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_text_stands_under_the_names_of_the_files() -> None:
    assert as_text([ERROR, WARNING, OTHER]) == (
        "events/1851/a.yaml\n"
        "      7  error    players: unknown player `x`\n"
        "                  did you mean `y`?\n"
        "    112  warning  100 % won, by 5: 0\n"
        "                  look\n"
        "\n"
        "events/b,c:d.yaml\n"
        "      1  error    p, q: r: 50 %\n"
        "                  mend\n"
        "\n"
    )
    assert as_text([]) == ""
    assert as_text([replace(WARNING, severity="warning", warning="score", about="x")]).endswith(
        "look (warning: score, about: x)\n\n"
    )


def test_colour_changes_nothing_but_the_colour() -> None:
    painted = as_text([ERROR, WARNING], colour=True)
    assert "\x1b[31merror  " in painted and "\x1b[33mwarning" in painted
    for code in ("1", "2", "31", "33", "0"):
        painted = painted.replace(f"\x1b[{code}m", "")
    assert painted == as_text([ERROR, WARNING])


@pytest.mark.parametrize(
    ("stream", "environment", "wanted"),
    [
        (Terminal(), {"TERM": "xterm"}, True),
        (Terminal(), {}, True),
        (Terminal(), {"TERM": "dumb"}, False),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"NO_COLOR": ""}, True),
        (io.StringIO(), {"TERM": "xterm"}, False),
        (io.StringIO(), {"FORCE_COLOR": "1", "TERM": "dumb"}, True),
        (io.StringIO(), {"FORCE_COLOR": "0"}, False),
        (Terminal(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colour_is_for_terminals(
    stream: io.StringIO, environment: dict[str, str], wanted: bool
) -> None:
    assert wants_colour(stream, environment) is wanted


def test_json_is_a_list_of_objects_with_these_keys() -> None:
    told = json.loads(as_json([ERROR, WARNING]))
    assert told == [
        {
            "path": "events/1851/a.yaml",
            "line": 7,
            "place": "players",
            "message": "unknown player `x`",
            "hint": "did you mean `y`?",
            "severity": "error",
            "warning": "",
            "about": "",
            "minor": False,
        },
        {
            "path": "events/1851/a.yaml",
            "line": 112,
            "place": "",
            "message": "100 % won, by 5: 0",
            "hint": "look",
            "severity": "warning",
            "warning": "",
            "about": "",
            "minor": False,
        },
    ]
    keys = ["path", "line", "place", "message", "hint", "severity", "warning", "about", "minor"]
    assert list(told[0]) == keys
    assert as_json([]) == "[]\n"


def test_github_gets_escaped_commands() -> None:
    assert as_github([ERROR, WARNING, OTHER]).splitlines() == [
        "::error file=events/1851/a.yaml,line=7,title=players"
        "::unknown player `x`; did you mean `y`?",
        "::warning file=events/1851/a.yaml,line=112,title=warning::100 %25 won, by 5: 0; look",
        "::error file=events/b%2Cc%3Ad.yaml,line=1,title=p%2C q%3A r::50 %25; mend",
    ]


def test_a_note_is_neither_an_error_nor_a_warning() -> None:
    note = replace(WARNING, severity="note")
    assert summary([note], 2, 1.0) == "no errors, no warnings in 2 files, 1.0 s"
    assert as_github([note]).startswith("::notice file=events/1851/a.yaml,line=112,title=note::")
    assert str(note).startswith("events/1851/a.yaml:112: note: 100 % won")


@pytest.mark.parametrize(
    ("problems", "line"),
    [
        ([ERROR, OTHER, WARNING], "2 errors, 1 warning in 797 files, 1.4 s"),
        ([ERROR, WARNING, WARNING], "1 error, 2 warnings in 797 files, 1.4 s"),
        ([], "no errors, no warnings in 797 files, 1.4 s"),
    ],
)
def test_the_closing_line_counts(problems: list[Problem], line: str) -> None:
    assert summary(problems, 797, 1.36) == line


@pytest.mark.parametrize(
    ("acknowledged", "hidden", "more"),
    [
        (2, 0, "(2 more acknowledged)"),
        (0, 3, "(3 minor ones with `--all`)"),
        (2, 3, "(2 more acknowledged, 3 minor ones with `--all`)"),
    ],
)
def test_the_closing_line_counts_those_not_shown(acknowledged: int, hidden: int, more: str) -> None:
    line = f"no errors, 1 warning {more} in 797 files, 1.4 s"
    assert summary([WARNING], 797, 1.36, acknowledged, hidden) == line


def test_of_many_errors_that_are_alike_the_first_are_listed() -> None:
    hint = "write it like `1883`"
    days = [Problem("r.csv", k, "", f"unknown date `{k}/3`", hint) for k in range(1, 132)]
    other = Problem("r.csv", 5, "", "no player", "name one")
    lines = str(InputError([*days, other])).splitlines()
    assert lines[:4] == [str(one) for one in days[:4]] and str(other) in lines
    assert len(lines) == SHOWN_OF_A_KIND + 2
    assert f"r.csv: and {131 - SHOWN_OF_A_KIND} more of the kind" in lines
    few = days[: SHOWN_OF_A_KIND + 1]
    assert str(InputError(few)).splitlines() == [str(one) for one in few]
