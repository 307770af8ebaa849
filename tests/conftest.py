"""Options and the sites that several tests look at, each built once."""

from __future__ import annotations

import fcntl
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import edo

if TYPE_CHECKING:
    from edo.systems.games import Games

ROOT = Path(edo.__file__).parent.parent  # edo comes before numpy here: it sets its threads
MINISITE = ROOT / "tests" / "minisite"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--bless", action="store_true", help="take the minisite's output as the expected one"
    )
    parser.addoption("--site", type=Path, help="look at this built site instead of building one")


def build_site(events: Path, out: Path, *more: str) -> Path:
    import build

    arguments = ["--events", str(events), "--content", str(ROOT / "content"), "--out", str(out)]
    assert build.main([*arguments, *more]) == 0
    return out


def build_once(events: Path, name: str, temporary: pytest.TempPathFactory) -> Path:
    """Build a site, or wait for the test process beside this one that does."""
    beside = os.environ.get("PYTEST_XDIST_WORKER") is not None
    folder = temporary.getbasetemp().parent if beside else temporary.getbasetemp()
    out = folder / name / "site"
    out.parent.mkdir(exist_ok=True)
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not out.exists():
            build_site(events, out)
    return out


@pytest.fixture(scope="session")
def minisite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site of the invented events."""
    return build_once(MINISITE / "events", "mini", tmp_path_factory)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """The built site of the real history."""
    given = request.config.getoption("--site")
    if given is not None:
        return Path(given).absolute()
    return build_once(ROOT / "events", "real", tmp_path_factory)


@pytest.fixture(scope="session")
def real_games() -> Games:
    """The games of the real history."""
    from edo.history.dataset import load
    from edo.systems.games import games_of

    return games_of(load(ROOT / "events"))


CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
SIZES = {"desk": {"width": 1280, "height": 900}, "phone": {"width": 360, "height": 740}}


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium; where it is missing, a desk skips and CI fails."""
    if CHROMIUM is None and not os.environ.get("EDO_CI"):
        pytest.skip("no Chromium here: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def look(browser: Any, site: Path) -> Iterator[Callable[..., Any]]:
    """Open pages of the real site from the disk: `look(name, size="phone", scripts=False, ...)`.

    At the end it fails where a page asked anybody else for anything, or complained.
    """
    contexts: list[Any] = []
    asked: list[str] = []
    complaints: list[str] = []

    def go(name: str, size: str = "desk", scripts: bool = True, **more: Any) -> Any:
        context = browser.new_context(
            viewport=SIZES[size], java_script_enabled=scripts, accept_downloads=True, **more
        )
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(name if ":" in name else f"{site.as_uri()}/{name}", wait_until="load")
        return page

    yield go
    for context in contexts:
        context.close()
    ours = ("file:", "data:", "blob:", "http://127.0.0.1:")
    assert all(url.startswith(ours) for url in asked), asked
    assert not complaints, complaints


@pytest.fixture(params=["desk", "phone"])
def visit(request: pytest.FixtureRequest, look: Callable[..., Any]) -> Callable[[str], Any]:
    """Look at pages on a light desk and on a dark phone."""
    scheme = "light" if request.param == "desk" else "dark"
    return partial(look, size=request.param, color_scheme=scheme)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *what: object) -> None:
        pass


@pytest.fixture(scope="session")
def served(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the real site in a folder of a web server, as many hosts have it."""
    root = tmp_path_factory.mktemp("host")
    (root / "chess").mkdir()
    (root / "chess" / "ratings").symlink_to(site)
    handler = partial(_Quiet, directory=str(root))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/chess/ratings"
        server.shutdown()
