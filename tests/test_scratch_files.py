"""Files that text editors and systems put beside the input: nothing of the program sees them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from conftest import small_content

from edo.commands.cli import main
from edo.core.digest import digest_of_folders
from edo.core.files import is_scratch
from edo.history.dataset import fingerprint, read_all
from edo.history.settings import DEFAULT
from edo.site.input import read_texts
from edo.site.preview.state import _file_times

SCRATCH = (
    ".byrd-dunn-1884.yaml.swp", "byrd-dunn-1884.yaml~", "#byrd-dunn-1884.yaml#", ".about.md",
    ".byrd-dunn-1884.yaml.fresh", "._about.md", ".DS_Store", "4913", "Thumbs.db", "x.yaml.orig",
    ".goutputstream-X1B2C3", ".~lock.x.csv#", "~$x.docx",
)  # fmt: skip


@pytest.fixture
def folders(events: Path, tmp_path: Path) -> list[Path]:
    return [events, Path(shutil.copytree(small_content(), tmp_path / "content"))]


def test_what_editors_leave_in_the_folders_changes_nothing(folders: list[Path], capsys):
    def seen() -> list[object]:
        events, content = folders
        dataset, problems = read_all(events)
        code = main(["fmt", "--check", "--events", str(events)])
        times = [dict(_file_times(folder)) for folder in folders]
        texts = read_texts(content)
        hashes = digest_of_folders(*folders), fingerprint(events, DEFAULT)
        return [dataset, problems, code, capsys.readouterr(), times, texts, *hashes]

    before = seen()
    assert before[1] == ()
    for folder in (*folders, folders[0] / "1884", folders[0] / "players"):
        for name in SCRATCH:
            (folder / name).write_text("{ no YAML")
        for name in (".#byrd-dunn-1884.yaml", ".#about.md"):  # Emacs locks by a link to nowhere
            (folder / name).symlink_to("editor@desk.1234:5678")
        for name in (".idea/workspace.xml", "__pycache__/cut_fonts.cpython-311.pyc"):
            (folder / name).parent.mkdir()
            (folder / name).write_text("<project/>")
    assert seen() == before


@pytest.mark.parametrize(
    "name", ["byrd-dunn-1884.yaml", "a.yml", ".htaccess", ".well-known", ".nojekyll", "CNAME"]
)
def test_what_a_person_wrote_is_seen(name: str):
    assert not is_scratch(name)
