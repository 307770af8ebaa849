"""Options, and the built sites and other fixtures that many tests share, each made once a run."""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import edo

if TYPE_CHECKING:
    from edo.core.model import Dataset
    from edo.history.settings import Settings
    from edo.rating.games import Games

ROOT = Path(edo.__file__).parent.parent  # edo comes before numpy here: it sets its threads
MINISITE = ROOT / "tests" / "minisite"
TEXTS = ROOT / "templates" / "texts"


@cache
def real_settings() -> Settings:
    """The settings of the real history, by which the minisite is rated too."""
    from edo.history.project import read_site_config

    return read_site_config(ROOT / "site.yaml").settings


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write the expected output of the small site and of the imports",
    )
    parser.addoption("--site", type=Path, help="test this built site instead of building one")


def small_config(folder: Path) -> None:
    """Write the `site.yaml` of the real history with a question and a match for the small one."""
    kept = [
        line
        for line in (ROOT / "site.yaml").read_text(encoding="utf-8").splitlines()
        if not line.startswith(("question:", "matches:", "- {first:"))
    ]
    question = "question: [castle-hugo 1881, byrd-lucy 1885]"
    match = "matches: [{first: castle-hugo 1881, second: byrd-lucy 1885, games: 12}]"
    (folder / "site.yaml").write_text("\n".join([*kept, question, match, ""]), encoding="utf-8")


@cache
def small_content() -> Path:
    """Return a copy of content/, next to `site.yaml`, without results of long evaluations.

    Their charts take most of the time of a small build. The site of the real history has them.
    """
    folder = Path(tempfile.mkdtemp(prefix="edo-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    small_config(folder)
    without_results = shutil.ignore_patterns("contest.json", "tuning.json", "record.json")
    return Path(shutil.copytree(ROOT / "content", folder / "content", ignore=without_results))


def build_site(events: Path, out: Path, *more: str) -> Path:
    """Build a site of these events, with the small content unless `more` says otherwise."""
    import build

    arguments = ["--events", str(events), "--content", str(small_content()), "--out", str(out)]
    assert build.main([*arguments, *more]) == 0
    return out


def make_once(name: str, make: Callable[[Path], object], temporary: pytest.TempPathFactory) -> Path:
    """Return a folder that one test process makes; the others wait for it."""
    root = temporary.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent
    folder, unfinished = root / name, root / f"{name}.unfinished"
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(folder)
    return folder


@pytest.fixture
def events(tmp_path: Path) -> Path:
    """A copy of the invented events, to edit."""
    return Path(shutil.copytree(MINISITE / "events", tmp_path / "events"))


@pytest.fixture(scope="session")
def minisite_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The minisite's project, with `site` and `.site.built`: copy it to edit.

    A build in a copy takes a tenth of a second where nothing changed.
    """

    def make(folder: Path) -> None:
        events = Path(shutil.copytree(MINISITE / "events", folder / "events"))
        content = Path(shutil.copytree(small_content(), folder / "content"))
        small_config(folder)
        build_site(events, folder / "site", "--content", str(content))

    return make_once("minisite", make, tmp_path_factory)


@pytest.fixture(scope="session")
def minisite(minisite_build: Path) -> Path:
    """The built site of the invented events; not to be changed."""
    return minisite_build / "site"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """The built site of the real history; not to be changed.

    It stays in pytest's cache, so that the next run builds it only where anything changed.
    """
    given = request.config.getoption("--site")
    if given is not None:
        return Path(given).absolute()
    out = Path(request.config.cache.mkdir("real-history")) / "site"

    def make(_: Path) -> None:
        build_site(ROOT / "events", out, "--content", str(ROOT / "content"))

    make_once("real", make, tmp_path_factory)
    return out


@pytest.fixture(scope="session")
def real_dataset() -> Dataset:
    """The real history."""
    from edo.history.dataset import load

    return load(ROOT / "events")


@pytest.fixture(scope="session")
def real_games(real_dataset: Dataset) -> Games:
    """The games of the real history."""
    from edo.rating.games import games_of

    return games_of(real_dataset)


@pytest.fixture
def default_signals() -> Iterator[None]:
    """Let signals stop the builds even where the tests run under `nohup` or in the background.

    Processes inherit which signals are ignored.
    """
    numbers = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, signal.SIG_DFL) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
SIZES = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 360, "height": 740}}


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The installed Chromium; without it tests are skipped, in CI they fail."""
    if CHROMIUM is None:
        stop = pytest.fail if os.environ.get("EDO_CI") else pytest.skip
        stop("no Chromium: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser: Any, site: Path) -> Iterator[Callable[..., Any]]:
    """Open pages of the real site from disk: `open_page(name, size="phone", scripts=False, ...)`.

    Fails at the end if a page loaded anything from another host or logged an error.
    """
    contexts: list[Any] = []
    requests: list[str] = []
    errors: list[str] = []

    def open_in_context(name: str, size: str = "desktop", scripts: bool = True, **more: Any) -> Any:
        context = browser.new_context(
            viewport=SIZES[size], java_script_enabled=scripts, accept_downloads=True, **more
        )
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(name if ":" in name else f"{site.as_uri()}/{name}", wait_until="load")
        return page

    yield open_in_context
    for context in contexts:
        context.close()
    ours = ("file:", "data:", "blob:", "http://127.0.0.1:")
    assert all(url.startswith(ours) for url in requests), requests
    assert not errors, errors


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture(scope="session")
def served(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the real site, served from a subfolder of a web server."""
    root = tmp_path_factory.mktemp("host")
    (root / "chess").mkdir()
    (root / "chess" / "ratings").symlink_to(site)
    handler = partial(_QuietHandler, directory=str(root))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/chess/ratings"
        server.shutdown()
