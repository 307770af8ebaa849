"""Options and the sites that several tests look at, each built once."""

from __future__ import annotations

from pathlib import Path

import pytest

import edo

ROOT = Path(edo.__file__).parent.parent  # edo comes before numpy here: it sets its threads
MINISITE = ROOT / "tests" / "minisite"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--bless", action="store_true", help="take the minisite's output as the expected one"
    )


def build_site(events: Path, out: Path, *more: str) -> Path:
    import build

    arguments = ["--events", str(events), "--content", str(ROOT / "content"), "--out", str(out)]
    assert build.main([*arguments, *more]) == 0
    return out


@pytest.fixture(scope="session")
def minisite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site of the invented events."""
    return build_site(MINISITE / "events", tmp_path_factory.mktemp("mini") / "site")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site of the real history."""
    return build_site(ROOT / "events", tmp_path_factory.mktemp("real") / "site")
