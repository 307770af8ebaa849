"""The canonical form of event files and registries: same records, no comment lost, one layout."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from conftest import MINISITE, ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

from edo.commands.cli import main
from edo.core import yaml
from edo.history import canonical
from edo.history.dataset import load

UNTIDY = """
    # Who looked this up: nobody.

    kind:   match   # what it was
    "name": 'Castle - Byrd'
    sources:   # two of them
    - source: book   # the better one

      where: "p. 7"
    # - {source: gazette}
    - {source: gazette, where: p. 1}
    # when it was
    year: 1883
    notes: >
      The first line
      and the second.
    pairings:
      - score: 2-1    # +2 -1
        players: [castle-hugo,   # first
                  byrd-lucy]
      # then at odds
      - players: [castle-hugo, byrd-lucy]
        odds:
          kind: pawn-and-two-moves   # of which he has the first
          giver: castle-hugo
        score: 1-1
    # the end
"""

TIDY = """
    # Who looked this up: nobody.

    name: Castle - Byrd
    kind:   match   # what it was
    # when it was
    year: 1883
    pairings:
      - score: 2-1    # +2 -1
        players: [castle-hugo,   # first
                  byrd-lucy]
      # then at odds
      - players: [castle-hugo, byrd-lucy]
        odds:
          kind: pawn-and-two-moves   # of which he has the first
          giver: castle-hugo
        score: 1-1
    notes: The first line and the second.
    sources:   # two of them
    - source: book   # the better one

      where: "p. 7"
    # - {source: gazette}
    - {source: gazette, where: p. 1}
    # the end
"""
"""Fields with comments within them stay as they were written; the others are laid out."""


def text(block: str) -> str:
    return dedent(block).lstrip("\n")


@pytest.fixture
def write(tmp_path: Path):
    def write(content: str, name: str = "1883/castle-byrd-1883.yaml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, newline="")
        return path

    return write


def form(path: Path) -> canonical.Formed:
    return canonical.form(path, path.name)


def formed(path: Path) -> str:
    result = form(path)
    assert result.problems == ()
    return result.after


def test_an_untidy_file_gets_its_form_and_keeps_what_was_said(write):
    assert formed(write(text(UNTIDY))) == text(TIDY)


def test_the_form_of_the_form_is_the_form(write):
    assert not form(write(text(TIDY))).changes


def test_tables_are_aligned_and_no_word_of_them_changes(write):
    table = """
        # from the book
        crosstable: |
          castle-hugo . 1w=b 11 |   3.5
            byrd-lucy  0b=w . 1+|2½

          dunn-george 00 0- .
        name: "Springfield #1 of 1883"
        kind: tournament
        year: 1883
        totals: "dunn-george  0\\n"
        sources: [{source: book}]
    """
    assert formed(write(text(table))) == text(
        """
        name: 'Springfield #1 of 1883'
        kind: tournament
        year: 1883
        # from the book
        crosstable: |
          castle-hugo  .     1w=b  11  | 3.5
          byrd-lucy    0b=w  .     1+  | 2½
          dunn-george  00    0-    .
        totals: |
          dunn-george  0
        sources:
        - {source: book}
        """
    )


def test_registries_are_sorted_with_their_comments(write):
    places = "shelbyville: {name: Shelbyville}\n# old\nalbany:\n  country: USA\n  name: Albany\n"
    assert formed(write(places, "places.yaml")) == (
        "# old\nalbany:\n  name: Albany\n  country: USA\nshelbyville:\n  name: Shelbyville\n"
    )
    players = "byrd-x:\n  name: 'Byrd, X.'\nbyrd-a:\n  born: 1850 # or 1851\n  name: Byrd, A.\n"
    assert formed(write(players, "players/b.yaml")) == (
        "byrd-a:\n  born: 1850 # or 1851\n  name: Byrd, A.\nbyrd-x:\n  name: Byrd, X.\n"
    )


@pytest.mark.parametrize(
    "content",
    ["{} # none\n", "{albany: {name: Albany}, # old\n shelbyville: {name: Shelbyville}}\n",
     "albany:\n  name: 'Al\n# bany'\n"],
)  # fmt: skip
def test_where_comments_cannot_be_told_the_file_stays_as_it_is(content, write):
    result = form(write(content, "places.yaml"))
    assert result.after == content
    assert not result.problems or "would not say the same" in str(result.problems[0])


def test_other_line_ends_and_marks_of_order_go(write):
    path = write("\ufeff" + text(TIDY).replace("\n", "\r\n"))
    assert formed(path) == text(TIDY)
    assert main(["fmt", str(path)]) == 0
    assert path.read_bytes() == text(TIDY).encode()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("name: [x\n", "not valid YAML"),
        ("name: A\nname: B\n", "the key is listed twice"),
        ("nam: A\nyear: 1883\n", "unknown key `nam`"),
        ("kind: match\nname: A\nyear: 1883\n", "`sources` is missing"),
        ("kind: &a match\n", "anchors and aliases"),
    ],
)
def test_a_file_with_an_error_stays_as_it_is(content, said, write, capsys):
    path = write(content)
    assert main(["fmt", str(path)]) == 1
    assert path.read_text() == content
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("name", ["1883/a.txt", "notes.yaml", "content/site.yaml"])
def test_a_foreign_file_stays_as_it_is(name, write, capsys):
    path = write("b: 1\na: 2\n", name)
    assert main(["fmt", str(path)]) == 1
    assert path.read_text() == "b: 1\na: 2\n"
    assert "neither an event file nor a registry" in capsys.readouterr().err


def test_an_id_that_is_nobodys_is_no_matter_of_form(write):
    path = write(text(TIDY).replace("byrd-lucy", "nobody-at-all"))
    assert not form(path).problems


def test_check_names_and_diff_shows_what_would_change(write, capsys):
    path, tidy = write(text(UNTIDY)), write(text(TIDY), "1883/tidy.yaml")
    folder = str(path.parent.parent)
    assert main(["fmt", "--check", "--events", folder]) == 1
    told = capsys.readouterr()
    assert told.out == f"{path}\n"
    assert "1 of 2 files are not in canonical form" in told.err
    assert main(["fmt", "--diff", str(path), str(tidy)]) == 0
    shown = capsys.readouterr().out
    assert "\n+name: Castle - Byrd\n" in shown
    assert "\n-\"name\": 'Castle - Byrd'\n" in shown
    assert path.read_text() == text(UNTIDY)
    assert main(["fmt", str(path), str(tidy)]) == 0
    assert capsys.readouterr().out == f"{path}\n2 files, 1 changed\n"
    assert main(["fmt", "--check", "--events", folder]) == 0


def test_links_are_left_alone(write):
    path = write(text(UNTIDY))
    link = path.parent / "link.yaml"
    link.symlink_to(path)
    assert main(["fmt", "--events", str(path.parent.parent)]) == 0
    assert link.is_symlink()


def test_nothing_is_written_that_would_say_something_else(write, monkeypatch, capsys):
    monkeypatch.setattr(canonical, "aligned", lambda block: block.replace("2½", "2"))
    content = (MINISITE / "events/1882/shelbyville-1882.yaml").read_text()
    table = content.replace("name:", "name:  ", 1)
    path = write(table, "1882/shelbyville-1882.yaml")
    assert form(path).after == table
    assert "would not say the same" in str(form(path).problems[0])


@pytest.mark.slow
def test_all_files_of_the_history_are_canonical():
    assert main(["fmt", "--check", "--events", str(ROOT / "events")]) == 0


# Files in any order, style and with comments anywhere.

WORDS = st.sampled_from(
    ["x", "1", "#1 of all", "a: b", "it's", 'a "b"', "é – ½", "true", "- a", "[b"]
)
LONG = st.lists(WORDS, min_size=1, max_size=40).map(" ".join)
SEVERAL_LINES = st.lists(LONG, min_size=2, max_size=4).map("\n".join)
IDS = st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=2, unique=True).map(
    lambda letters: [f"player-{letter * 5}" for letter in letters]
)
CITED = st.fixed_dictionaries(
    {"source": st.sampled_from(["book", "gazette"])}, optional={"where": LONG}
)
PAIRING = st.fixed_dictionaries(
    {"players": IDS, "score": st.sampled_from(["2-1", "½-½", "+3 -1 =2"])},
    optional={
        "note": LONG | SEVERAL_LINES,
        "soft": LONG.filter(lambda text: text != "true"),  # a flag is no reason
        "sources": st.lists(CITED, min_size=1, max_size=2),
    },
)
TABLE = st.sampled_from(
    ["player-a . 1=  | 1½\nplayer-b 0= .\n", "a-b   .  1 1 | 2\nc 0 . 1\nd 0 0 ."]
)
EVENT = st.fixed_dictionaries(
    {
        "name": LONG,
        "kind": st.just("tournament"),
        "year": st.just("1883"),
        "sources": st.lists(CITED, min_size=1, max_size=3),
    },
    optional={
        "dates": st.sampled_from(["1883", "1882-12/1883-01-02"]),
        "format": LONG,
        "notes": LONG | SEVERAL_LINES,
    },
).flatmap(
    lambda event: st.one_of(
        st.lists(PAIRING, min_size=1, max_size=4).map(
            lambda pairings: {**event, "pairings": pairings}
        ),
        TABLE.map(lambda table: {**event, "crosstable": table}),
    )
)


def quoted(value: str, draw: Any) -> str:
    style = draw(st.sampled_from(["double", "single", "plain"]))
    if style == "plain" and re.fullmatch(r"[a-z0-9½][a-z0-9½ -]*", value):
        return value
    if style == "single" and "\n" not in value:
        return "'" + value.replace("'", "''") + "'"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


class Writer:
    """Writes data as a hurried editor would: any order, any style, comments wherever one can be."""

    def __init__(self, draw: Any) -> None:
        self.draw, self.comments = draw, 0

    def behind(self) -> str:
        if not self.draw(st.integers(0, 4)):
            self.comments += 1
            return f"   # {self.comments} it's: [a] {{b}} 'c"
        return ""

    def above(self, indent: int) -> str:
        blank = "\n" * self.draw(st.integers(0, 1))
        comment = self.behind().strip()
        return f"{blank}{' ' * indent}{comment}\n" if comment else blank

    def mapping(self, data: dict[str, Any], indent: int) -> str:
        keys = self.draw(st.permutations(sorted(data)))
        return "".join(
            self.above(indent) + " " * indent + self.field(k, data[k], indent) for k in keys
        )

    def field(self, key: str, value: Any, indent: int) -> str:
        if isinstance(value, str):
            if "\n" in value and re.match(r"\w", value) and self.draw(st.booleans()):
                lines = "".join(
                    f"{' ' * (indent + 3)}{line}\n" for line in value.strip().split("\n")
                )
                return f"{key}: |{self.behind()}\n{lines}"
            return f"{key}: {quoted(value, self.draw)}{self.behind()}\n"
        if isinstance(value[0], str) or self.draw(st.booleans()):
            return f"{key}: {self.flow(value, indent)}{self.behind()}\n"
        head = f"{key}:{self.behind()}\n"
        return head + "".join(self.item(item, indent + 2) for item in value)

    def item(self, item: dict[str, Any], indent: int) -> str:
        lines = self.mapping(item, indent + 2)
        first = re.search(r"^ *[a-z]+:", lines, re.M)
        assert first
        # The dash goes before the first key, behind whatever comments stand above it.
        start = first.start()
        return f"{lines[:start]}{' ' * indent}- {lines[start:].lstrip(' ')}"

    def flow(self, value: Any, indent: int) -> str:
        if isinstance(value, str):
            return quoted(value, self.draw)
        gap = f"{self.behind()}\n{' ' * (indent + 4)}"
        if isinstance(value, dict):
            inner = [f"{k}: {self.flow(v, indent)}" for k, v in value.items()]
            return "{" + f",{gap}".join(inner) + "}"
        return "[" + f",{gap}".join(self.flow(v, indent) for v in value) + "]"


@st.composite
def written(draw: Any) -> str:
    writer = Writer(draw)
    end = writer.above(0)
    return writer.mapping(draw(EVENT), 0) + end


def comments(content: str) -> list[str]:
    return sorted(re.findall(r"# \d+ it's: \[a\] \{b\} 'c", content))


@settings(max_examples=120, deadline=None)
@given(content=written())
def test_any_valid_file_keeps_its_records_and_comments(content: str, tmp_path_factory):
    keeps_records_and_comments(content, tmp_path_factory)


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(content=written())
def test_five_hundred_valid_files_keep_theirs(content: str, tmp_path_factory):
    keeps_records_and_comments(content, tmp_path_factory)


def keeps_records_and_comments(content: str, tmp_path_factory):
    path = tmp_path_factory.mktemp("fmt") / "1883" / "event-1883.yaml"
    path.parent.mkdir()
    path.write_text(content)
    result = form(path)
    assert result.problems == ()
    assert comments(result.after) == comments(content)
    assert records(result.after) == records(content)
    path.write_text(result.after)
    assert form(path) == canonical.Formed(result.after, result.after)


def records(content: str) -> Any:
    node, problems = yaml.parse(content, "x")
    assert node is not None and not problems
    return unordered(yaml.node_data(node))


def unordered(data: Any, key: str = "") -> Any:
    if isinstance(data, dict):
        return {name: unordered(value, name) for name, value in sorted(data.items())}
    if isinstance(data, list):
        return [unordered(value) for value in data]
    return data.split() if key == "crosstable" else data.strip()


def test_the_small_history_reads_the_same_in_its_form(events: Path):
    before = load(events)
    assert main(["fmt", "--events", str(events)]) == 0
    after = load(events)
    assert list(after.events) == list(before.events)
    for id_, event in before.events.items():
        assert canonical._without_lines(after.events[id_]) == canonical._without_lines(event)
    assert main(["fmt", "--check", "--events", str(events)]) == 0


def test_what_is_not_there_is_told_as_such(tmp_path: Path, capsys):
    gone, file = tmp_path / "events", tmp_path / "1883/a.yaml"
    assert main(["fmt", "--events", str(gone)]) == main(["fmt", str(file)]) == 1
    folder, missing = capsys.readouterr().err.splitlines()
    assert folder == f"error: there is no file or folder {gone}; name existing files"
    assert missing == f"error: there is no file or folder {file}; name existing files"


def test_a_difference_that_no_line_shows_is_told(write, capsys):
    path = write(text(TIDY).replace("\n", "\r\n"))
    path.write_bytes(text(TIDY).replace("\n", "\r\n").encode())
    assert main(["fmt", "--diff", str(path)]) == 0
    assert capsys.readouterr().out == (
        f"{path}: the same lines, with other ends of lines or marks before the first\n"
        "1 file, 1 to be changed\n"
    )
