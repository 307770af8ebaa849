"""The W3C's checker over the built site: each kind of page, and a hundred at random."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from sampling import at_random, of_each_kind

CHECKER = Path(
    os.environ.get("EDO_VNU", ROOT / ".venv/npm/node_modules/vnu-jar/build/dist/vnu.jar")
)
JAVA = shutil.which("java")


def problems(address: str, names: list[str]) -> list[str]:
    """Return a line for each error and warning in these pages.

    They are asked from a web server, because the checker takes no file for the page's own origin.
    """
    # Our own server is all that it may ask; without this it refuses hosts of the machine itself.
    ours = "-Dnu.validator.servlet.allow-forbidden-hosts=true"
    command = f"{JAVA} {ours} -Xss4m -jar {CHECKER} --stdout --exit-zero-always --format json"
    asked = [*command.split(), *(f"{address}/{name}" for name in names)]
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    return [
        f"{m['url'].removeprefix(f'{address}/')}:{m.get('lastLine')}: {m['message']} "
        f"{m.get('extract', '')!r}"
        for m in json.loads(done.stdout)["messages"]
        if (m["type"] != "info" or m.get("subType") == "warning") and not is_data(m)
    ]


def is_data(message: dict[str, Any]) -> bool:
    """Return whether it takes our JSON-LD for a script: the HTML standard runs no block of data,
    and asks the content policy only of what it runs (Chromium agrees: no test here complains)."""
    text = message["message"]
    return text.startswith("Inline script violates") and "application/ld+json" in message["extract"]


@pytest.fixture(autouse=True)
def checker() -> None:
    if JAVA is None or not CHECKER.exists():
        stop = pytest.fail if os.environ.get("EDO_CI") else pytest.skip
        stop("no HTML checker: install Java and run `make validator` (npm)")


def test_the_checker_finds_a_mistake(tmp_path: Path):
    (tmp_path / "bad.html").write_text("<!DOCTYPE html><title>Bad</title><p id=a><b id=a>x</p>")
    assert any("Duplicate ID" in line for line in problems(str(tmp_path), ["bad.html"]))


@pytest.mark.slow
def test_pages_of_each_kind_are_valid(served: str, site: Path):
    assert problems(served, of_each_kind(site)) == []


@pytest.mark.slow
def test_a_hundred_random_pages_are_valid(served: str, site: Path):
    assert problems(served, at_random(site)) == []
