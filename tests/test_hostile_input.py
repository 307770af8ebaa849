"""Whatever stands in the folders of the input: problems with place and hint, and at once.

Texts that attack browsers come out as text, in every file of the site.
"""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import html5lib
import pytest
from conftest import MINISITE, ROOT, build_site, small_content
from sampling import one_in

import build
from edo.core.problems import EdoError
from edo.history.dataset import MAX_FILES, read_all
from edo.history.values import MAX_NOTE
from edo.site.markup import block, inline
from edo.site.placeholders import filled

SECONDS = 20  # of the processor, until the problems are reported; it takes about one
ROOM = 300_000_000  # [bytes] of memory beyond what a sound history takes

HEAD = "name: X\nkind: tournament\nyear: 1851\nsources: [{source: book}]\n"
PAIR = "players: [byrd-lucy, dunn-george]"


def pairings(n: int, names: Callable[[int], str]) -> str:
    rows = (f"- {{players: [{names(2 * i)}, {names(2 * i + 1)}], score: 1-0}}\n" for i in range(n))
    return HEAD + "pairings:\n" + "".join(rows)


LARGE: dict[str, Callable[[], str]] = {
    "a hundred megabytes on a line": lambda: "name: " + "x" * 100_000_000,
    "a long line": lambda: "name: " + "x " * 490_000,
    "a long list": lambda: "a: [" + "a," * 490_000 + "a]",
    "many keys": lambda: "".join(f"k{i}: 1\n" for i in range(90_000)),
    "one key again and again": lambda: "a: 1\n" * 190_000,
    "lists in lists": lambda: "a: " + "[" * 900_000,
    "mappings in mappings": lambda: "a: " + "{b: " * 200_000,
    "blocks in blocks": lambda: "".join(" " * i + "a:\n" for i in range(1_300)),
    "dashes": lambda: "- " * 490_000,
    "a billion laughs": lambda: "a: &a [x, x]\n" + "".join(
        f"{b}: &{b} [*{a}, *{a}, *{a}, *{a}, *{a}, *{a}, *{a}, *{a}]\n"
        for a, b in zip("abcdefghij", "bcdefghijk", strict=True)
    ),
    "a node in itself": lambda: "a: &a [*a]\n",
    "a note of a megabyte": lambda: HEAD + "notes: " + "[ " * 490_000,
    "unknown players": lambda: pairings(5_000, lambda i: f"byrd-lucia{i}"),
    "unknown keys": lambda: HEAD + "".join(f"nam{i}: x\n" for i in range(20_000)),
    "one pair many times": lambda: pairings(
        5_000, lambda i: ("byrd-lucy", "dunn-george")[i % 2]
    ) + "remarks:\n" + "".join(f"- {{{PAIR}, game: {i + 1}, note: x}}\n" for i in range(2_000)),
    "a million games": lambda: HEAD + f"pairings: [{{{PAIR}, games: '{'1' * 900_000}'}}]\n",
    "a table of many rows": lambda: HEAD + "crosstable: |\n" + "  byrd-lucy . =\n" * 60_000,
    "a wide table": lambda: HEAD + "crosstable: |\n" + f"  byrd-lucy {'= ' * 3_900}\n" * 120,
    "ten to the four thousandth": lambda: HEAD + f"games_per_pair: 1{'0' * 4_000}\n",
    "many games a pair": lambda: HEAD + "games_per_pair: 999999\nrest: best guess\n"
    "completeness: incomplete\nmissing: all\ntotals: |\n"
    "  byrd-lucy 999999/999999\n  dunn-george 1/999999\n  castle-hugo 0/999998\n",
}  # fmt: skip

READ = """
import os, resource, sys
from pathlib import Path
import edo
from edo.checks import run
from edo.rating import edo  # what is loaded anyhow
sound, room, seconds, *folders = sys.argv[1:]
run.read(Path(sound))
for folder in folders:
    if os.fork() == 0:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + int(room),) * 2)
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds),) * 2)  # counts from the fork
        Path(folder, "told").write_text("".join(f"{p}\\n" for p in run.read(Path(folder)).problems))
        os._exit(0)
    if os.wait()[1] != 0:
        sys.exit(f"stopped while it read {folder}")
"""


def test_large_and_deep_files_and_floods_of_files_are_told_of_at_once(tmp_path: Path):
    """Each is read by a process that may not take long or much memory."""
    folders = {name: tmp_path / str(n) for n, name in enumerate(["a flood of files", *LARGE])}
    for name, folder in folders.items():
        shutil.copytree(MINISITE / "events", folder)
        (folder / "1851").mkdir()
        if name in LARGE:
            (folder / "1851" / "x.yaml").write_text(LARGE[name]())
        else:
            for n in range(MAX_FILES + 1):
                (folder / "1851" / f"x{n}.yaml").touch()
    bounds = [str(MINISITE / "events"), str(ROOM), str(SECONDS)]
    program = [sys.executable, "-c", READ, *bounds, *map(str, folders.values())]
    done = subprocess.run(program, check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, (folders, done.stderr[-2000:])
    for name, folder in folders.items():
        told = (folder / "told").read_text().splitlines()
        if name in LARGE:
            assert any(line.startswith("events/1851/x.yaml:") for line in told), name
        else:
            message = f"more than {MAX_FILES:,} files; take away what is no event"
            assert f"events/1851:1: {message}" in told
        assert len(told) <= 220 and all(len(line) < 1_500 for line in told), name


def test_names_of_files_that_are_no_ids_are_refused(events: Path):
    sound = (events / "1881" / "springfield-1881.yaml").read_bytes()
    names = ["Con", "con", "a b", "x ", "İ", "\u202ex", "index"]
    (events / "1881" / os.fsdecode(b"\xff\xfe.yaml")).write_bytes(sound)
    for name in names:
        (events / "1881" / f"{name}.yaml").write_bytes(sound)
    told = {p.path for p in read_all(events)[1] if p.severity == "error"}
    assert len(told) == len(names) + 1
    assert all(path.isprintable() for path in told)


def special_files(folder: Path) -> None:
    """Fill a folder with everything that is no file."""
    (folder / "link.yaml").symlink_to("/etc/passwd")
    (folder / "nowhere.yaml").symlink_to("/nowhere")
    (folder / "loop.yaml").symlink_to(folder / "loop.yaml")
    (folder / "up").symlink_to(folder.parent)
    (folder / "zero.yaml").symlink_to("/dev/zero")
    (folder / "folder.yaml").mkdir()
    os.mkfifo(folder / "pipe.yaml")
    with socket.socket(socket.AF_UNIX) as listening:
        before = Path.cwd()
        os.chdir(folder)  # the path of a socket must be short
        listening.bind("socket.yaml")
        os.chdir(before)


def test_what_is_no_file_is_told_and_not_opened(events: Path):
    special_files(events / "1881")
    told = {p.path: p.message for p in read_all(events)[1]}
    names = ("link", "nowhere", "loop", "zero", "pipe", "socket")
    for path in [*(f"events/1881/{name}.yaml" for name in names), "events/1881/up"]:
        assert told[path] == "not an ordinary file or folder"
    assert told["events/1881/folder.yaml"] == "a folder inside a folder"


@pytest.mark.parametrize(
    "name", ["home.md", "x.md", "site.yaml", "changes.yaml", "tuning.json", "contest.json"]
)
@pytest.mark.parametrize("kind", ["pipe", "link", "zero", "folder", "bytes", "large"])
def test_texts_that_are_no_files_are_told_and_not_opened(
    name: str, kind: str, events: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    content = Path(shutil.copytree(ROOT / "content", tmp_path / "content"))
    shutil.copy(ROOT / "site.yaml", tmp_path)
    file = (tmp_path if name == "site.yaml" else content) / name
    file.unlink(missing_ok=True)
    make: dict[str, Callable[[], Any]] = {
        "pipe": lambda: os.mkfifo(file),
        "link": lambda: file.symlink_to("/etc/passwd"),
        "zero": lambda: file.symlink_to("/dev/zero"),
        "folder": file.mkdir,
        "bytes": lambda: file.write_bytes(b"\xff\xfe\0"),
        "large": lambda: file.write_bytes(b"x" * 2_000_000),
    }
    make[kind]()
    out = tmp_path / "site"
    arguments = ["--events", str(events), "--content", str(content), "--out", str(out)]
    assert build.main(arguments) == 1
    said = capsys.readouterr().err
    assert name in said and "Traceback" not in said and not out.exists()


PROGRAMS = [
    "{{ lipsum.__globals__['os'].popen('id').read() }}",
    "{{ ''.__class__.__mro__ }}",
    "{{ 'x' * 1000000000 }}",
    "{% for a in range(10) %}{% endfor %}",
    "{% for a in v %}{% for b in v %}{% endfor %}{% endfor %}",
    "{% include '/etc/passwd' %}",
    "{% import 'base.html' as x %}",
    "{{ cycler() }}",
    "{{ v | center(1000000000) }}",
    "{{ v | map('center', 1000000000) | join }}",
    "{% set x = 1 %}",
    "{{ " + "(" * 10_000 + "v" + ")" * 10_000 + " }}",
    "{% if v %}" * 200 + "{% endif %}" * 200,
    "{{ v.__class__ }}",
    "{{ v",
]


@pytest.mark.parametrize("text", PROGRAMS, ids=lambda text: text[:40])
def test_texts_are_no_programs(text: str):
    with pytest.raises(EdoError, match=r"content/x\.md: "):
        filled(text, {"v": ("a", "b")}, "x")


def test_texts_may_hold_values_and_loops_over_them():
    text = "{% for a in v %}{{ a }},{% endfor %}{% if not w %}no{% endif %} {{ v | join('-') }}"
    assert filled(text, {"v": ("a", "b"), "w": False}, "x") == "a,b,no a-b"


@pytest.mark.parametrize("out", ["events", "events/1881", ".", "..", "x" * 300, "events/../events"])
def test_an_output_folder_within_or_around_the_input_is_refused(
    out: str, events: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(events.parent)
    (events.parent / ".edo-site").touch()
    before = sorted(path.as_posix() for path in events.parent.rglob("*"))
    arguments = ["--events", "events", "--content", str(small_content()), "--out", out]
    assert build.main(arguments) == 1
    said = capsys.readouterr().err
    assert said.startswith("error: ") and said.count("\n") == 1
    assert sorted(path.as_posix() for path in events.parent.rglob("*")) == before


# Texts that attack whoever shows them.

ATTACKS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'><svg/onload=alert(1)>",
    "</script><script>alert(1)</script>",
    "</title><iframe src=javascript:alert(1)>",
    "--><style>*{background:red}</style>",
    "]]><script>alert(1)</script>",
    "{{ 7 * 7 }}${alert(1)}`\\\"'",
    "[a](javascript:alert(1)) <b onmouseover=alert(1)>b</b>",
    "</text><foreignObject><body onload=alert(1)>",
)
MARKDOWN = (
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt&#58;alert(1))",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "[a](vbscript:x)",
    "[a]( java\tscript:alert(1) )",
    "<javascript:alert(1)>",
    "[a][1]\n\n[1]: javascript:alert(1)",
    "![a](https://example.org/x.png)",
    "![a](x\" onerror=\"alert(1))",
    "<svg onload=alert(1)><a xlink:href=javascript:alert(1)>x</a></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<p style=\"position:fixed\" onclick=alert(1) id=content>x</p>",
    "<a href=\"//example.org/\">x</a> <a href=\"\\\\\\\\example.org\">x</a>",
    "<form action=https://example.org><input name=x><button>x</button></form>",
    "<base href=https://example.org/><meta http-equiv=refresh content=0>",
    "<iframe srcdoc=x></iframe><object data=x></object><embed src=x>",
    "&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=x onerror=alert(1)&#62;",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<details open ontoggle=alert(1)>x", "<template><script>alert(1)</script></template>",
    "`<script>alert(1)</script>` **<img src=x onerror=alert(1)>**",
)  # fmt: skip
ELEMENTS = {"script", "iframe", "object", "embed", "img", "form", "input", "button", "base", "meta",
            "svg", "style", "link", "template", "foreignobject", "noscript", "details"}  # fmt: skip


def elements(html: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield name and attributes of each element as a browser sees them."""
    tree = html5lib.parse(html, namespaceHTMLElements=False)
    for element in tree.iter():
        if isinstance(element.tag, str):
            name = element.tag.rpartition("}")[2].lower()
            yield name, {str(k).lower(): v for k, v in element.attrib.items()}


@pytest.mark.parametrize("text", (*MARKDOWN, *ATTACKS), ids=lambda text: text[:30])
def test_markdown_comes_out_harmless(text: str):
    for html in (block(text, "events/x.html"), inline(text, "events/x.html")):
        for name, attributes in elements(f"<!doctype html><title>x</title><body>{html}"):
            assert name not in ELEMENTS
            assert not {a for a in attributes if a.startswith("on") or a in ("style", "src", "id")}
            assert re.fullmatch(r"(https?://|\.\./|#).*", attributes.get("href", "#x"))


@pytest.mark.parametrize(
    "unit", ["[ ", "* ", "> ", "` ", "**a ", "_a ", "<b> ", "[a](", "- ", "![", "&#", "a|", "    "]
)
@pytest.mark.parametrize("gap", one_in(2, ["", "\n"]))
def test_no_note_takes_long(unit: str, gap: str):
    limit = resource.getrusage(resource.RUSAGE_SELF).ru_utime + SECONDS
    text = (unit + gap) * (MAX_NOTE // len(unit + gap))
    assert isinstance(block(text, "events/x.html"), str)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime < limit


_TEXTS = ("name", "note", "notes", "where", "title", "format", "author", "missing", "published",
          "soft", "unrated", "default")  # fmt: skip


def attacked(text: str, first: int) -> str:
    """Return a file of the small history in which each text is another attack."""
    lines, n, block_of = [], first, None
    for line in text.split("\n"):
        indented = len(line) - len(line.lstrip(" -"))
        if block_of is not None and line.strip() and indented <= block_of:
            block_of = None
        found = re.fullmatch(rf"([ -]*)({'|'.join(_TEXTS)}): (.*)", line)
        if block_of is not None:
            continue
        if found is None:
            lines.append(line)
            continue
        n += 1
        lines.append(f"{found[1]}{found[2]}: {json.dumps(f'{ATTACKS[n % len(ATTACKS)]} {n}')}")
        block_of = len(found[1]) if found[3] in ("|", ">") else None
    return "\n".join(lines)


@pytest.fixture(scope="module")
def attacked_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("attacked")
    events = Path(shutil.copytree(MINISITE / "events", folder / "events"))
    for n, file in enumerate(sorted(events.rglob("*.yaml"))):
        file.write_text(attacked(file.read_text(), 7 * n))
    return build_site(events, folder / "site", "--base-url", "https://example.org/ratings")


def test_every_text_of_the_attacked_history_is_an_attack(attacked_site: Path):
    players = (attacked_site / "data" / "players.csv").read_text()
    assert sum(attack.split(">")[0] in players for attack in ATTACKS) >= 5


OWN_SCRIPTS = re.compile(r"(\.\./)*(https://example\.org/ratings/)?([a-z]+/)?[a-z0-9_-]+\.js")


@pytest.mark.slow
def test_pages_of_the_attacked_site_hold_no_elements_but_ours(attacked_site: Path, minisite: Path):
    # what only a site with an address has
    addressed = {("link", "rel"), ("link", "href"), ("meta", "property"), ("script", "type")}
    usual = {pair for page in minisite.rglob("*.html") for pair in _kinds(page.read_text())}
    for page in attacked_site.rglob("*.html"):
        html = page.read_text()
        assert _kinds(html) <= usual | addressed, page
        for name, attributes in elements(html):
            assert not {a for a in attributes if a.startswith("on")}, page
            if name == "script" and "src" in attributes:
                assert OWN_SCRIPTS.fullmatch(attributes["src"]), (page, attributes)
            elif name == "script":
                assert attributes["type"] == "application/ld+json", page
            for target in (attributes.get("href"), attributes.get("action")):
                if target != "data:,":  # no icon
                    assert not re.match(r"(?i)\s*(javascript|data|vbscript):", target or ""), page
        for said in re.findall(r'<script type="application/ld\+json">(.*?)</script>', html, re.S):
            json.loads(said)


def _kinds(html: str) -> set[tuple[str, str]]:
    return {(name, a) for name, attributes in elements(html) for a in (*attributes, "")}


def test_other_files_of_the_attacked_site_are_sound(attacked_site: Path):
    from xml.etree import ElementTree

    for file in [*attacked_site.rglob("*.xml"), *attacked_site.rglob("*.svg")]:
        tree = ElementTree.parse(file)
        names = {element.tag.rpartition("}")[2].lower() for element in tree.iter()}
        assert not names & {"script", "iframe", "foreignobject", "body"}, file
    for file in attacked_site.rglob("*.json"):
        json.loads(file.read_text())
    for file in [*attacked_site.rglob("*.js")]:
        if file.parent.name != "static" or file.name.startswith(("names", "time_data")):
            assert "</script" not in file.read_text().lower(), file


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_no_page_of_the_attacked_site_runs_an_attack(browser: Any, attacked_site: Path, every: int):
    complaints: list[str] = []
    context = browser.new_context()
    page = context.new_page()
    page.on("dialog", lambda dialog: (complaints.append(f"dialog {page.url}"), dialog.dismiss()))
    page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
    page.on(
        "console",
        lambda m: complaints.append(f"{page.url}: {m.text}") if m.type == "error" else None,
    )
    page.on(
        "request",
        lambda r: None if r.url.startswith(("file:", "data:")) else complaints.append(r.url),
    )
    for file in sorted(attacked_site.rglob("*.html"))[::every]:
        if file.name != "404.html":  # its links lead to the web
            page.goto(file.as_uri(), wait_until="load")
    page.goto(f"{(attacked_site / 'search.html').as_uri()}?q=%3Cscript%3Ealert(1)%3C/script%3E")
    page.goto(f"{(attacked_site / 'search.html').as_uri()}?q=alert")
    compare = (attacked_site / "compare" / "index.html").as_uri()
    page.goto(f"{compare}?p=byrd-lucy,castle-hugo")
    page.goto(f"{compare}?p=%22%3E%3Cimg%20onerror=alert(1)%3E")
    context.close()
    assert not complaints
