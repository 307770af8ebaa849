"""The commands `rename` and `merge`: every mention of an id changes, and nothing else does."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from conftest import MINISITE

from edo.commands.cli import main
from edo.core.model import Dataset
from edo.core.text import fold
from edo.history import canonical
from edo.history.dataset import load
from edo.history.renaming import KINDS

NEW = "zz-new-id"
OWN = {
    "content/home.md": "# Home\n\nSee [one](/players/castle-hugo.html) of castle-hugo.\n",
    "content/throne.yaml": "claims:\n- player: castle-hugo\n",
    "site.yaml": "name: x\nquestion: [castle-hugo 1881, byrd-lucy 1885]\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copytree(MINISITE / "events", tmp_path / "events")
    assert main(["fmt", "--project", str(tmp_path)]) == 0
    for name, text in OWN.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def run(project: Path, *words: str) -> int:
    return main([*words, "--project", str(project)])


def said(dataset: Dataset, old: str = "", new: str = "") -> list[str]:
    """Return all records as text, one id replaced, without the lines in which they stand."""
    mention = re.compile(rf"(?<='){old}(?=')|(?<=/){old}(?=\.(?:yaml|html))")
    return sorted(
        in_order(mention.sub(new, repr(canonical._without_lines(record))))
        for kind in KINDS
        for record in getattr(dataset, kind).values()
    )


def in_order(text: str) -> str:
    """Return the text of a record with its sets in order, which that of a set has not."""
    return re.sub(
        r"frozenset\(\{(?:[^{}]|frozenset\(\{[^{}]*\}\))*\}\)",
        lambda found: " ".join(sorted(re.findall(r"[\w-]+", found[0]))),
        text,
    )


def files(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize(
    ("kind", "old"),
    [
        *(("players", id_) for id_ in ("castle-hugo", "byrd-lucy", "byrd-lucy-offhand")),
        *(("events", id_) for id_ in ("springfield-1880", "castle-dunn-1886")),
        ("places", "springfield"), ("sources", "gazette"), ("odds", "pawn-and-two-moves"),
    ],
)  # fmt: skip
def test_all_files_name_the_record_by_its_new_id(kind: str, old: str, project: Path) -> None:
    events = project / "events"
    before = load(events)
    assert run(project, "rename", old, NEW, "--kind", kind) == 0
    after = load(events)
    former = f"former_ids=('{old}',)"
    assert said(before, old, NEW) == sorted(
        one.replace(former, "former_ids=()") for one in said(after)
    )
    assert (former in " ".join(said(after))) == (kind in ("players", "events"))
    assert run(project, "fmt", "--check") == 0


def test_own_texts_name_it_too(project: Path) -> None:
    assert run(project, "rename", "castle-hugo", NEW) == 0
    for name, text in OWN.items():
        assert (project / name).read_text() == text.replace("castle-hugo", NEW)
    # An id of one word may be a word of a text: only the address of a page is sure.
    text = "[gazette](/sources/gazette.html)"
    (project / "content/home.md").write_text(text)
    assert run(project, "rename", "gazette", "the-gazette") == 0
    assert (project / "content/home.md").read_text() == "[gazette](/sources/the-gazette.html)"


def test_own_texts_mean_the_record_of_its_kind(project: Path) -> None:
    """A player and an event may share an id; the settings name players, also by one word."""
    assert run(project, "rename", "castle-hugo", "byrd-dunn-1884") == 0
    text = "[m](/events/byrd-dunn-1884.html) [p](/players/byrd-dunn-1884.html) byrd-dunn-1884"
    (project / "content/home.md").write_text(text)
    assert run(project, "rename", "byrd-dunn-1884", "castle", "--kind", "players") == 0
    expected = "[m](/events/byrd-dunn-1884.html) [p](/players/castle.html) byrd-dunn-1884"
    assert (project / "content/home.md").read_text() == expected
    assert "[castle 1881, " in (project / "site.yaml").read_text()
    assert run(project, "rename", "castle", "hugo") == 0
    assert "[hugo 1881, " in (project / "site.yaml").read_text()
    assert "player: hugo\n" in (project / "content/throne.yaml").read_text()


def test_a_merger_loses_no_comment(project: Path, capsys) -> None:
    path = project / "events/players/e.yaml"
    for text in ("# Who?\nelms-w:\n  name: Elms, W.\n", "elms-w:\n  name: Elms, W.  # sic\n"):
        path.write_text(f"eames-walter:\n  name: Eames, Walter\n{text}")
        assert run(project, "merge", "elms-w", "eames-walter") == 1
        assert "take the comments out of the record of `elms-w`" in capsys.readouterr().err
        assert path.read_text().endswith(text)


def test_a_name_given_back_leaves_the_other_as_the_former_one(project: Path) -> None:
    assert run(project, "rename", "castle-hugo", NEW) == 0
    before = files(project / "events")
    assert "players/c.yaml" not in before
    assert run(project, "rename", NEW, "castle-hugo") == 0
    assert load(project / "events").players["castle-hugo"].former_ids == (NEW,)


def test_comments_and_the_list_of_published_ids_stay(project: Path) -> None:
    events = project / "events"
    path = events / "players/c.yaml"
    path.write_text(f"# All of C.\n\n# The best.\n{path.read_text().rstrip()}  # indeed\n")
    listed = "# Published\nplayers/castle-hugo\nplaces/springfield\n"
    (events / "ids.txt").write_text(listed)
    assert run(project, "rename", "castle-hugo", "cobb-hugo") == 0
    text = path.read_text()
    assert text.startswith("# All of C.\n\n# The best.\ncobb-hugo:\n")
    assert text.count("#") == 3 and "former_ids: [castle-hugo]" in text
    assert run(project, "rename", "springfield", "springton") == 0
    entries = (events / "ids.txt").read_text().splitlines()[1:]
    assert entries == ["places/springton", "players/castle-hugo", "players/cobb-hugo"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("rename nobody x", "there is no record `nobody`"),
        ("rename castle-hugo byrd-lucy", "`byrd-lucy` is among the players already; `edo merge`"),
        ("rename castle-hugo Castle", "`Castle` is not an id; write at most"),
        ("rename castle-hugo old-dunn", "`old-dunn` is a former id of `dunn-george`"),
        ("rename castle-hugo x --kind events", "there is no `castle-hugo` among the events"),
        ("rename book x", "`book` is an id of players and of sources; name one by `--kind`"),
        ("merge castle-hugo castle-hugo", "the two ids are the same"),
        ("merge castle-hugo nobody", "there is no player `nobody`"),
        ("merge castle-hugo byrd-lucy", "`castle-hugo` and `byrd-lucy` are two: both are in"),
        ("merge fox-a finch-ada", "the records of `fox-a` and `finch-ada` differ in `born`"),
    ],
)
def test_what_would_collide_is_refused(words: str, message: str, project: Path, capsys) -> None:
    players = project / "events/players"
    path = players / "d.yaml"
    path.write_text(
        path.read_text().replace("dunn-george:\n", "dunn-george:\n  former_ids: [old-dunn]\n")
    )
    path = players / "f.yaml"
    born = "finch-ada:\n  born: 1859\n"
    path.write_text(path.read_text().replace("finch-ada:\n", born) + "fox-a:\n  name: Fox, A.\n"
                    "  born: 1860\n")  # fmt: skip
    path = players / "b.yaml"
    path.write_text("book:\n  name: Book\n" + path.read_text())
    before = files(project)
    assert main([*words.split(), "--project", str(project)]) == 1
    assert message in capsys.readouterr().err
    assert files(project) == before


def test_two_records_of_a_player_become_one(project: Path, capsys) -> None:
    players = project / "events/players"
    path = players / "e.yaml"
    path.write_text(path.read_text() + "elms-w:\n  name: Elms, W.\n  country: ENG\n"
                    "  former_ids: [elms]\n  acknowledged:\n"
                    "  - {warning: close name, about: eames-walter, why: So.}\n")  # fmt: skip
    (project / "events/1880/elms-finch-1880.yaml").write_text(
        "name: Elms – Finch 1880\nkind: match\nyear: 1880\npairings:\n"
        "- {players: [elms-w, finch-ada], score: 2-1}\n"
        "sources:\n- {source: gazette, where: p. 1}\n"
    )
    before = load(project / "events").players
    assert run(project, "merge", "elms-w", "eames-walter") == 0
    assert "pages of `elms-w` lead to `eames-walter`" in capsys.readouterr().out
    dataset = load(project / "events")
    assert before.keys() - dataset.players.keys() == {"elms-w"}
    player, was = dataset.players["eames-walter"], before["eames-walter"]
    assert player.name == was.name and fold(player.name).startswith("eames")
    assert player.spellings == (*was.spellings, "Elms, W.")
    assert player.former_ids == (*was.former_ids, "elms", "elms-w")
    assert player.country == "ENG" and player.acknowledged == was.acknowledged
    assert dataset.events["elms-finch-1880"].players == ("eames-walter", "finch-ada")
    assert run(project, "fmt", "--check") == 0
