"""Same input, same bytes: whatever the hash seed, and in whatever order the files are read."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import MINISITE, ROOT, small_content

SHUFFLED = """
import os, pathlib, random, sys
real = pathlib.Path.iterdir, pathlib.Path.rglob, pathlib.Path.glob, os.scandir
def shuffled(function):
    def wrapped(*args, **kw):
        found = list(function(*args, **kw))
        random.Random(7).shuffle(found)
        return iter(found)
    return wrapped
pathlib.Path.iterdir, pathlib.Path.rglob, pathlib.Path.glob = map(shuffled, real[:3])
import build
sys.exit(build.main(sys.argv[1:]))
"""


def digest(out: Path) -> str:
    total = hashlib.sha256()
    for path in sorted(p for p in out.rglob("*") if p.is_file()):
        total.update(path.relative_to(out).as_posix().encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def run(
    out: Path, seed: str, program: list[str], events: Path, content: Path = ROOT / "content"
) -> str:
    arguments = ["--events", str(events), "--content", str(content), "--out", str(out)]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    subprocess.run(
        [sys.executable, *program, *arguments], cwd=ROOT, env=environment, check=True,
        capture_output=True,
    )  # fmt: skip
    return digest(out)


@pytest.mark.slow
def test_hash_seed_and_order_of_files_change_no_byte(tmp_path: Path):
    minisite = MINISITE / "events", small_content()
    plain = run(tmp_path / "a", "1", ["build.py"], *minisite)
    assert run(tmp_path / "b", "4242", ["-c", SHUFFLED], *minisite) == plain


@pytest.mark.slow
def test_the_real_history_gives_the_same_bytes(site: Path, tmp_path: Path):
    assert run(tmp_path / "again", "77", ["-c", SHUFFLED], ROOT / "events") == digest(site)
