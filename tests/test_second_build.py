"""The second build makes only what changed, and what it makes is what a clean build makes."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import MINISITE, ROOT, small_content
from sampling import one_in

import build
from edo.core.cache import Cache, digest_of_program
from edo.core.files import write_cache

SEED = 1851


@dataclass(frozen=True)
class Bench:
    """A copy of the small history and the texts, built again and again into one folder."""

    events: Path
    content: Path
    out: Path
    said: Callable[[], str]

    def build(self, *more: str, out: Path | None = None) -> str:
        """Build; return what was said of it."""
        given = ["--events", str(self.events), "--content", str(self.content)]
        assert build.main([*given, "--out", str(out or self.out), *more]) == 0
        return self.said()

    def clean(self, *more: str) -> Path:
        """Return what a build makes that knows of none before it."""
        out = self.out.with_name("clean")
        shutil.rmtree(out, ignore_errors=True)
        self.build("--no-cache", *more, out=out)
        return out

    def edit(self, name: str, old: str, new: str) -> None:
        """Replace a text that stands once or more in a file of the events."""
        path = self.events / name
        text = path.read_text()
        assert old in text, f"{name} has no {old!r}"
        path.write_text(text.replace(old, new, 1))


@pytest.fixture
def bench(tmp_path: Path, minisite_build: Path, capsys: pytest.CaptureFixture[str]) -> Bench:
    shutil.copytree(minisite_build, tmp_path, dirs_exist_ok=True)
    names = (tmp_path / name for name in ("events", "content", "site"))
    return Bench(*names, lambda: capsys.readouterr().err)


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text() + text)


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def different(one: Path, other: Path) -> list[str]:
    """Return the paths of files that are not in both folders with the same bytes."""
    left, right = files(one), files(other)
    return sorted(p for p in left.keys() | right.keys() if left.get(p) != right.get(p))


def counts(said: str) -> tuple[int, int, int]:
    """Return how many event files were read, how many pages and pictures drawn."""
    read = re.search(r"(\d+) of \d+ files read", said)
    drawn = re.search(r"(\d+) of \d+ pages and (\d+) pictures drawn", said)
    assert read is not None and drawn is not None, said
    return int(read[1]), int(drawn[1]), int(drawn[2])


def test_nothing_is_done_where_nothing_changed(bench: Bench):
    before = {p: (p.stat().st_ino, p.stat().st_ctime_ns) for p in bench.out.rglob("*")}
    assert bench.build().startswith("nothing changed: ")
    assert before == {p: (p.stat().st_ino, p.stat().st_ctime_ns) for p in bench.out.rglob("*")}


def spoil_text(bench: Bench) -> None:
    (bench.out / "index.html").write_text("somebody wrote this")


def spoil_at_once(bench: Bench) -> None:
    """Change a byte, not the size; the time of the change is a later one."""
    path = bench.out / "index.html"
    path.write_bytes(path.read_bytes().replace(b"</html>", b"</htmk>"))


@pytest.mark.parametrize(
    "spoil",
    [
        spoil_text,
        spoil_at_once,
        lambda bench: (
            (bench.out / "years.html").unlink(missing_ok=True)
            or (bench.out / "years" / "index.html").unlink(missing_ok=True)
        ),
        lambda bench: shutil.rmtree(bench.out / "players"),
        lambda bench: shutil.rmtree(bench.out),
    ],
)
def test_what_somebody_did_to_the_published_folder_does_not_last(
    bench: Bench, spoil: Callable[[Bench], None]
):
    whole = files(bench.out)
    spoil(bench)
    assert files(bench.out) != whole
    assert counts(bench.build()) == (0, 0, 0)
    assert files(bench.out) == whole


def test_a_page_with_a_second_name_elsewhere_is_written_anew(bench: Bench, tmp_path: Path):
    os.link(bench.out / "index.html", tmp_path / "second name")
    append(bench.content / "about.md", "\nOne more paragraph.\n")
    bench.build()
    (tmp_path / "second name").write_text("changed in place")
    assert "changed in place" not in (bench.out / "index.html").read_text()


@pytest.mark.parametrize("folder", ["events", "players"])
def test_an_edited_note_draws_the_page_of_its_record_and_that_of_the_data(
    bench: Bench, folder: str
):
    note = "Both sources agree; this sentence is new."
    if folder == "events":
        paths = sorted(bench.events.glob("18*/*.yaml"))
        append(next(p for p in paths if "notes:" not in p.read_text()), f"notes: {note}\n")
    else:
        bench.edit("players/b.yaml", "An invented", f"{note}\n    An invented")
    read, pages, pictures = counts(bench.build())
    assert (read, pages, pictures) == (folder == "events", 2, 0)
    assert any(note in page.read_text() for page in (bench.out / folder).rglob("*.html"))
    assert note in (bench.out / "data" / f"{folder}.csv").read_text()
    assert note.encode() in (bench.out / "data" / "history.sqlite").read_bytes()
    assert different(bench.out, bench.clean()) == []


def test_untouched_files_are_not_written_again(bench: Bench):
    pictures = {p: p.stat().st_ino for p in bench.out.rglob("*.png")}
    append(bench.content / "about.md", "\nOne more paragraph.\n")
    bench.build()
    assert pictures and {p: p.stat().st_ino for p in bench.out.rglob("*.png")} == pictures
    assert {p.stat().st_nlink for p in pictures} == {1}


def add_event(bench: Bench) -> None:
    """Add a match of a player who is new as well."""
    append(bench.events / "players" / "z.yaml", "zed-anna:\n  name: Zed, Anna\n")
    (bench.events / "1883").mkdir()
    (bench.events / "1883" / "byrd-zed-1883.yaml").write_text(
        "name: Byrd – Zed match\nkind: match\nyear: 1883\n"
        "pairings:\n- {players: [byrd-lucy, zed-anna], score: 3-2}\n"
        "sources:\n- {source: book}\n"
    )


def rename_event(bench: Bench) -> None:
    path = bench.events / "1884" / "byrd-dunn-1884.yaml"
    path.rename(path.with_name("dunn-byrd-1884.yaml"))


def move_event(bench: Bench) -> None:
    """Rename an event and leave word of its former id, so that its old page leads on."""
    path = bench.events / "1886" / "castle-dunn-1886.yaml"
    append(path, "former_ids: [castle-dunn-1886]\n")
    path.rename(path.with_name("dunn-castle-1886.yaml"))


def change_scale(bench: Bench) -> None:
    path = bench.content.parent / "site.yaml"
    others = re.sub(r"^scale:.*\n", "", path.read_text(), flags=re.M)
    path.write_text(f"{others}scale: {{mean: 1700}}\n")


EDITS: dict[str, Callable[[Bench], None]] = {
    "a score": lambda bench: bench.edit("1881/castle-byrd-1881.yaml", "+7 -2 =2", "+6 -3 =2"),
    "a note": lambda bench: bench.edit("players/b.yaml", "An invented", "An  *invented*"),
    "a note on an event": lambda bench: append(
        bench.events / "1881" / "castle-byrd-1881.yaml", "notes: As *two* papers say.\n"
    ),
    "a name": lambda bench: bench.edit("players/b.yaml", "Byrd, Lucy\n", "Byrd, Lucia\n"),
    "a birth": lambda bench: bench.edit("players/b.yaml", "1850-03-12", "1851-03-12"),
    "a source": lambda bench: bench.edit("sources.yaml", "A. Scribe", "B. Scribe"),
    "where in a source": lambda bench: bench.edit("1881/castle-byrd-1881.yaml", "p. 40", "p. 41"),
    "a place": lambda bench: bench.edit("places.yaml", "name: Sp", "name: New Sp"),
    "an event comes": add_event,
    "an event is renamed": rename_event,
    "an event moves": move_event,
    "an event goes": lambda bench: (bench.events / "1884" / "finch-grey-1884.yaml").unlink(),
    "a text": lambda bench: append(bench.content / "limits.md", "\nOne more paragraph.\n"),
    "the name of the site": lambda bench: (bench.content.parent / "site.yaml").write_text(
        "name: Another Name\nmotto: Another motto\n"
    ),
    "the scale": change_scale,
    "nothing": lambda bench: None,
}


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [len(EDITS), 1])
def test_after_any_edits_the_site_is_that_of_a_clean_build(bench: Bench, at_once: int):
    rng = random.Random(SEED)
    names = list(EDITS)
    rng.shuffle(names)
    for start in range(0, len(names), at_once):
        now = names[start : start + at_once]
        for name in now:
            EDITS[name](bench)
        address = rng.choice([(), ("--base-url", "https://example.org/chess")])
        bench.build(*address)
        assert different(bench.out, bench.clean(*address)) == [], now


def test_an_edit_that_is_taken_back_costs_nothing_but_writing(bench: Bench):
    first = files(bench.out)
    EDITS["a score"](bench)
    read, pages, pictures = counts(bench.build())
    assert read == 1 and pages > 10 and pictures > 3
    bench.edit("1881/castle-byrd-1881.yaml", "+6 -3 =2", "+7 -2 =2")
    assert counts(bench.build()) == (0, 0, 0)
    assert files(bench.out) == first


def test_a_text_of_the_site_reads_no_event_and_draws_no_picture(bench: Bench):
    append(bench.content / "limits.md", "\nOne more paragraph.\n")
    read, pages, pictures = counts(bench.build())
    assert (read, pictures) == (0, 0)
    assert 1 <= pages <= 3


def test_an_id_that_is_no_longer_known_is_missed_in_files_that_did_not_change(bench: Bench):
    path = bench.events / "places.yaml"
    path.write_text(path.read_text().replace("shelbyville:", "shelbytown:", 1))
    given = ["--events", str(bench.events), "--content", str(bench.content)]
    assert build.main([*given, "--out", str(bench.out)]) == 1
    assert "castle-byrd-1881.yaml:3: place: unknown place `shelbyville`" in bench.said()


def cache(bench: Bench) -> Path:
    return bench.out.with_name(".site.cache")


def break_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def turn_a_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) * 2 // 3] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    "spoil",
    one_in(
        4, [turn_a_bit, break_off, lambda path: path.write_bytes(b""), lambda path: path.unlink()]
    ),
)
def test_a_broken_cache_is_ignored(bench: Bench, spoil: Callable[[Path], None]):
    whole = files(bench.out)
    kept = sorted(cache(bench).iterdir())
    assert {path.name for path in kept} >= {
        "answers",
        "events",
        "files",
        "pages",
        "pictures",
        "published",
        "reads",
        "systems",
    }
    for path in kept:
        spoil(path)
    said = bench.build()
    assert counts(said)[0] == 13
    assert files(bench.out) == whole
    assert bench.build().startswith("nothing changed: ")


@pytest.mark.slow
def test_sections_are_read_before_processes_share_them(tmp_path: Path):
    folder = tmp_path / "cache"
    made = Cache(folder)
    made.section("pages").put("key", b"a page")
    write_cache(made.files())
    again = Cache(folder)
    again.read_all()
    shutil.rmtree(folder)
    assert again.section("pages").get("key") == b"a page"


def test_a_folder_that_cannot_be_a_cache_stops_no_build(bench: Bench):
    shutil.rmtree(cache(bench))
    cache(bench).write_text("a file stands here")
    bench.build()
    assert cache(bench).read_text() == "a file stands here"
    assert different(bench.out, bench.clean()) == []


@pytest.mark.slow
def test_what_another_version_of_the_program_made_is_ignored(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("edo.core.cache.digest_of_program", lambda: "another")
    read, pages, pictures = counts(bench.build())
    assert read == 13 and pages > 50 and pictures > 5


@pytest.mark.slow
def test_what_two_builds_did_not_ask_for_is_dropped(bench: Bench):
    def size() -> int:
        return sum(path.stat().st_size for path in cache(bench).iterdir())

    at_first = size()
    for n in range(6):
        bench.edit("places.yaml", "name: ", f"name: {'New' if n == 0 else n} ")
        bench.build()
        assert size() < 2.5 * at_first
    assert len(list(cache(bench).iterdir())) == 10


@pytest.mark.slow
def test_without_a_cache_none_is_made(bench: Bench):
    out = bench.out.with_name("clean")
    drawn = re.search(r"(\d+) of (\d+) pages and", bench.build("--no-cache", out=out))
    assert drawn is not None and drawn[1] == drawn[2]
    assert not out.with_name(".clean.cache").exists()


@pytest.mark.slow
def test_a_cache_may_stand_anywhere_but_in_the_site(bench: Bench, tmp_path: Path):
    elsewhere = tmp_path / "a" / "cache"
    bench.build("--cache", str(elsewhere))
    assert (elsewhere / "pages").is_file()
    given = ["--events", str(bench.events), "--content", str(bench.content)]
    inside = str(bench.out / "cache")
    assert build.main([*given, "--out", str(bench.out), "--cache", inside]) == 1
    assert "overlap" in bench.said()


@pytest.mark.parametrize("folder", ["events", "content", ".", "events/cache", "thesis"])
def test_a_cache_takes_no_place_of_others(bench: Bench, tmp_path: Path, folder: str):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "pages").write_text("years of work")
    before = files(tmp_path)
    given = ["--events", str(bench.events), "--content", str(bench.content)]
    out, cache = str(tmp_path / "other"), str(tmp_path / folder)
    assert build.main([*given, "--out", out, "--cache", cache]) == 1
    assert re.search("overlap|contains something that is not a cache", bench.said())
    assert files(tmp_path) == before


@pytest.mark.slow
def test_another_template_and_another_program_are_noticed(tmp_path: Path):
    program = tmp_path / "program"
    for folder in (ROOT / "edo", ROOT / "templates", small_content()):
        shutil.copytree(folder, program / folder.name)
    for file in (ROOT / "build.py", small_content().parent / "site.yaml"):
        shutil.copy(file, program)

    def run(out: str, *more: str) -> str:
        command = [sys.executable, "build.py", "--events", str(MINISITE / "events"), "--out", out]
        done = subprocess.run(
            [*command, *more], cwd=program, check=True, capture_output=True, text=True
        )
        return done.stderr

    run("site")
    append(program / "templates" / "event.html", "<!-- an edited template -->\n")
    read, pages, pictures = counts(run("site"))
    assert (read, pictures) == (0, 0) and pages > 50
    run("clean", "--no-cache")
    assert different(program / "site", program / "clean") == []
    append(program / "edo" / "core" / "formats.py", "# an edited program\n")
    assert counts(run("site"))[0] == 13


def test_digests_of_records_with_sets_of_pairs_are_the_same_in_every_process():
    code = (
        "from edo.core import cache; from edo.core.model import Event; "
        "pairs = frozenset(frozenset(pair) for pair in ('ab', 'cd', 'ef')); "
        "print(cache.digest(Event('e', 'E', 'match', 1850, 'e.yaml', not_played=pairs)))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True, text=True, check=True, cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in "123"
    }  # fmt: skip
    assert len(found) == 1


def test_the_cache_does_not_depend_on_the_name_of_the_host(monkeypatch: pytest.MonkeyPatch):
    here = os.uname()
    renamed = os.uname_result((here.sysname, "elsewhere", here.release, here.version, here.machine))
    digest = digest_of_program.__wrapped__
    expected = digest()
    monkeypatch.setattr(os, "uname", lambda: renamed)
    assert digest() == expected
