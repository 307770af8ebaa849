"""The preview: pages as of the files on disk, errors in the page, for browsers on this machine."""

from __future__ import annotations

import http.client
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import MINISITE, ROOT, small_content

from edo.commands import cli
from edo.commands.check import find
from edo.commands.folder import read
from edo.core.problems import EdoError, Problem
from edo.history.project import Project
from edo.site import assets
from edo.site.preview import state
from edo.site.preview.server import FOLDER, PreviewServer, message_page, with_preview
from edo.site.preview.state import FIRST, OUTDATED, Preview, State

PATIENCE = 60  # [s] after which something is in use not to happen; the machine may be busy
MATCH = "1884/byrd-dunn-1884.yaml"


@dataclass(frozen=True)
class Served:
    """A preview of a copy of the small history, and its server."""

    events: Path
    preview: Preview
    server: PreviewServer

    def ask(
        self, path: str, method: str = "GET", host: str | None = None
    ) -> tuple[int, str, http.client.HTTPResponse]:
        """Ask for a path, byte for byte."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=60)
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", host or f"127.0.0.1:{self.server.server_port}")
        connection.endheaders()
        response = connection.getresponse()
        text = response.read().decode(errors="replace")
        connection.close()
        return response.status, text, response

    def page(self, path: str) -> str:
        status, text, _ = self.ask(f"/{path}")
        assert status == 200, text
        return text

    def edit(self, name: str, old: str, new: str) -> None:
        file = self.events / name
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))


def until(what: Callable[[], Any]) -> Any:
    """Wait for something, and return it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.05)
    pytest.fail("it did not happen")


def project_of(events: Path) -> Project:
    return Project(small_content().parent, events, small_content())


def copied(folder: Path) -> Path:
    return Path(shutil.copytree(MINISITE / "events", folder / "events"))


@contextmanager
def serving(events: Path, project: Project | None = None) -> Iterator[Served]:
    preview = Preview(project or project_of(events), partial(read, events))
    with PreviewServer(preview, 0) as server:
        preview.start()
        thread = threading.Thread(target=partial(server.serve_forever, poll_interval=0.02))
        thread.start()
        try:
            yield Served(events, preview, server)
        finally:
            server.shutdown()
            thread.join()
            preview.close()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A preview of a history that the test may edit."""
    with serving(copied(tmp_path)) as one:
        yield one


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A preview that is only asked."""
    with serving(copied(tmp_path_factory.mktemp("served"))) as one:
        yield one


def rating_in(html: str, year: int) -> str:
    row = re.search(rf'<tr id="y{year}".*', html)
    assert row is not None, html
    found = re.search(r"<td[^>]*>(?:<a [^>]*>)?(\d{4})<", row[0])
    assert found is not None, row[0]
    return found[1]


def test_an_edit_is_on_the_page_that_asks_again(served: Served):
    path = "players/byrd-lucy.html"
    before, version = rating_in(served.page(path), 1884), served.ask(f"/{FOLDER}/version")[1]
    served.edit(MATCH, "games: 101=", "games: 1111")
    until(lambda: int(rating_in(served.page(path), 1884)) > int(before))
    assert served.ask(f"/{FOLDER}/version")[1] != version
    served.edit(MATCH, "games: 1111", "games: 101=")
    until(lambda: rating_in(served.page(path), 1884) == before)


def test_errors_stand_on_every_page_escaped_and_go_when_mended(served: Served):
    good = served.page("players/byrd-lucy.html")
    served.edit(MATCH, "name:", "<b>colour</b>: red\nname:")
    served.edit("players/d.yaml", "name:", "nmae:")
    shown = until(
        lambda: html if "in the files" in (html := served.page("events/index.html")) else None
    )
    assert "<b>colour</b>: red" not in shown and "&lt;b&gt;colour&lt;/b&gt;" in shown
    assert 'role="alert"' in shown and "byrd-dunn-1884.yaml:" in shown
    until(lambda: "players/d.yaml:" in served.page("events/index.html"))
    assert "<h1>Events</h1>" in shown, "the last good page is still there"
    served.edit(MATCH, "<b>colour</b>: red\nname:", "name:")
    served.edit("players/d.yaml", "nmae:", "name:")
    until(lambda: "in the files" not in served.page("events/index.html"))
    assert rating_in(served.page("players/byrd-lucy.html"), 1884) == rating_in(good, 1884)


def test_a_history_with_errors_is_shown_as_soon_as_it_is_mended(tmp_path: Path):
    events = copied(tmp_path)
    file = events / MATCH
    text = file.read_text()
    file.write_text("nonsense: <i>\n")
    with serving(events) as served:
        status, shown, _ = served.ask("/players/byrd-lucy.html")
        assert status == 503 and "nothing can be shown yet" in shown
        assert f"/{FOLDER}/reload.js" in shown and "<i>" not in shown
        file.write_text(text)
        until(lambda: served.ask("/players/byrd-lucy.html")[0] == 200)


def test_answers_come_later_and_those_of_before_stand_meanwhile(served: Served):
    year = "years/1884.html"
    until(lambda: not served.preview.state.waiting)
    asked = served.page(year)
    assert FIRST not in asked and OUTDATED not in asked
    version = served.ask(f"/{FOLDER}/version")[1]
    text = (served.events / MATCH).read_text()
    (served.events / MATCH).unlink()
    until(lambda: served.ask(f"/{FOLDER}/version")[1] != version)
    assert served.preview.state.waiting == OUTDATED
    until(lambda: not served.preview.state.waiting)
    assert OUTDATED not in served.page("index.html")
    for path in ("index.html", "lists/suspects.html", "lists/bridges.html", "players/index.html"):
        assert served.ask(f"/{path}")[0] == 200
    (served.events / MATCH).write_text(text)
    assert until(lambda: "being computed" in served.page(year) or served.page(year) == asked)


def test_answers_that_fit_no_more_do_not_break_a_page(served: Served):
    until(lambda: not served.preview.state.waiting)
    for file in sorted((served.events / "1881").glob("*.yaml")):
        file.unlink()
    until(lambda: "1881" not in served.page("events/index.html"))
    for path in ("lists/suspects.html", "lists/bridges.html", "players/byrd-lucy.html"):
        assert served.ask(f"/{path}")[0] == 200


@pytest.mark.slow
def test_all_that_the_site_holds_is_served_with_the_bytes_of_a_build(
    standing: Served, minisite: Path
):
    until(lambda: not standing.preview.state.waiting)
    wrong = []
    site = standing.preview.state.site
    assert site is not None
    files = [p for p in minisite.rglob("*") if p.is_file() and p.name != ".edo-site"]
    for file in files:
        path = file.relative_to(minisite).as_posix()
        if site.file(path) != file.read_bytes():
            wrong.append(path)
    assert len(files) > 150 and wrong == []


KINDS = {
    "/": "text/html; charset=utf-8",
    "/players/": "text/html; charset=utf-8",
    "/events/byrd-dunn-1884.html?x=1": "text/html; charset=utf-8",
    "/static/style.css": "text/css; charset=utf-8",
    "/static/page.js": "text/javascript; charset=utf-8",
    "/data/players.csv": "text/csv; charset=utf-8",
    "/data/datapackage.json": "application/json",
    "/data/history.sqlite.gz": "application/gzip",
    "/compare/players_1.js": "text/javascript; charset=utf-8",
    "/pictures/the_site.png": "image/png",
    "/static/fonts/edo-serif.woff2": "font/woff2",
    "/static/fonts/source-serif-4-licence.txt": "text/plain; charset=utf-8",
    "/changes.xml": "application/atom+xml; charset=utf-8",
}


def test_kinds_of_files_and_questions_without_a_body(standing: Served):
    until(lambda: not standing.preview.state.waiting)  # it changes pages
    for path, kind in KINDS.items():
        status, text, response = standing.ask(path)
        assert (status, response.headers["Content-Type"]) == (200, kind), path
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert response.headers["X-Frame-Options"] == "SAMEORIGIN"
        head_status, nothing, head = standing.ask(path, "HEAD")
        assert (head_status, nothing) == (200, "") and text
        assert head.headers["Content-Length"] == response.headers["Content-Length"]


def test_warnings_are_listed_folded_and_errors_of_checks_refuse_no_page(tmp_path: Path):
    events = copied(tmp_path)
    (warning,) = find(events).problems
    error = Problem("events/1884/x.yaml", 3, "notes", "<b>", "correct it")
    found = (error, warning)
    preview = Preview(project_of(events), partial(read, events), lambda _: found)
    preview.start()
    try:
        until(lambda: preview.state.problems == found)
        page = message_page(preview.state).decode()
    finally:
        preview.close()
    assert "1 error in the files; the site cannot be built until they are corrected" in page
    assert "<summary>1 warning</summary>" in page and "&lt;b&gt;<br>correct it" in page
    assert f"<b>{warning.path}:{warning.line}</b>" in page
    assert preview.state.site is not None
    assert preview.state.site.file("players/byrd-lucy.html") is not None


def test_a_newer_edit_goes_before_the_warnings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(state, "POLL_INTERVAL", 0.0)
    events, edits, reads, seen = copied(tmp_path), iter([True]), [], []
    list_pages = state.LazySite.list_pages

    def listed(site: state.LazySite) -> Iterator[Any]:
        for page in list_pages(site):
            if next(edits, False):
                with (events / MATCH).open("a") as file:
                    file.write("# looked at again\n")
            yield page

    def reading(readings: Any) -> Any:
        reads.append(1)
        return read(events, readings)

    def check(_: Any) -> tuple[Problem, ...]:
        seen.append(len(reads))
        return ()

    monkeypatch.setattr(state.LazySite, "list_pages", listed)
    preview = Preview(project_of(events), reading, check)
    try:
        preview.start()
        assert until(lambda: seen)[0] == 2
    finally:
        preview.close()


def test_what_changes_while_it_is_checked_is_checked_again(tmp_path: Path):
    events, away, seen = copied(tmp_path), tmp_path / "away.yaml", []

    def check(_: Any) -> tuple[Problem, ...]:
        seen.append(1)
        if len(seen) == 1:
            (events / MATCH).rename(away)
        return ()

    preview = Preview(project_of(events), partial(read, events), check)
    try:
        preview.start()
        until(away.exists)
        away.rename(events / MATCH)
        until(lambda: len(seen) > 1)
    finally:
        preview.close()


def test_clients_that_go_away_leave_no_traceback(served: Served, capfd):
    for _ in range(3):
        client = socket.create_connection(("127.0.0.1", served.server.server_port))
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.sendall(b"GET /players/index.html HTTP/1.1\r\nHost: ")
        client.close()  # with a reset
    served.page("players/byrd-lucy.html")
    time.sleep(0.2)
    closed = socket.socket()
    closed.close()
    for fails in (closed.getsockname, lambda: 1 / 0):
        try:
            fails()
        except (OSError, ZeroDivisionError):
            served.server.handle_error(None, None)
    said = capfd.readouterr().err
    assert "OSError" not in said and "ConnectionResetError" not in said
    assert "ZeroDivisionError" in said


def test_files_and_templates_that_break_meanwhile_leave_no_traceback(tmp_path: Path, capfd):
    events, copied_file = copied(tmp_path), tmp_path / "static" / "CNAME"
    own = {"home.html": "{% extends 'program/home.html' %}", "404.html": "{% include 'no.html' %}"}
    for path, text in {
        tmp_path / "site.yaml": "name: Ratings\n",
        copied_file: "example.org\n",
        **{tmp_path / "templates" / name: text for name, text in own.items()},
    }.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    with serving(events, Project(tmp_path, events, small_content())) as served:
        assert served.page("CNAME") == "example.org\n"
        assert "Ratings" in served.page("")
        status, text, _ = served.ask("/nothing.html")
        assert status == 500 and f"{tmp_path}/templates/404.html:1: " in text
        assert "; correct the template" in text
        served.edit(MATCH, "name:", "nme:")
        until(lambda: served.preview.state.is_refused)  # the site is that of before
        (tmp_path / "templates" / "404.html").unlink()
        copied_file.unlink()
        assert served.ask("/CNAME")[0] in (404, 500)
        served.edit(MATCH, "nme:", "name:")
        (tmp_path / "templates" / "home.html").write_text("{% block content")
        until(lambda: served.ask("/")[0] == 500)
        assert f"{tmp_path}/templates/home.html:1: unexpected end" in served.ask("/")[1]
        assert served.ask("/CNAME")[0] == 404
    assert "Traceback" not in capfd.readouterr().err


def test_many_clients_at_once_are_all_answered(standing: Served):
    address = ("127.0.0.1", standing.server.server_port)
    clients = [socket.create_connection(address, timeout=PATIENCE) for _ in range(200)]
    for client in clients:
        client.sendall(
            f"GET /static/style.css HTTP/1.0\r\nHost: 127.0.0.1:{address[1]}\r\n\r\n".encode()
        )
    for client in clients:
        assert client.makefile("rb").readline() == b"HTTP/1.1 200 OK\r\n"
        client.close()


def test_what_is_not_there_and_what_lies_in_a_folder(standing: Served):
    status, text, _ = standing.ask("/players/nobody.html")
    assert status == 404 and "There is no page at this address." in text
    assert f"href={standing.server.address}/static/style.css>" in text
    status, _, response = standing.ask("/players")
    assert (status, response.headers["Location"]) == (301, "/players/")


@pytest.mark.parametrize(
    "path",
    [
        "/../build.py", "/static/../../build.py", "/%2e%2e/build.py", "/static/%2e%2e%2fstyle.css",
        "//etc/passwd", "/etc/passwd", "/static/..%5c..%5cbuild.py", "/%00", "/%ff", "/years%0d%0a",
        "http://example.org/", "*", "players/", "/static//style.css", f"/{FOLDER}/../base.html",
        f"/{FOLDER}/base.html", "/.edo-site", "/templates/base.html",
    ],
)  # fmt: skip
def test_paths_lead_nowhere_else(path: str, standing: Served):
    status, text, response = standing.ask(path)
    assert status in (400, 404), text
    assert "Location" not in response.headers and "import " not in text


@pytest.mark.parametrize(
    "page",
    [
        "<!DOCTYPE html><html><HEAD><title>Own</title></HEAD><body class='a'>{}</body></html>",
        "<title>Own</title><p>{}",
        """<head><meta content="default-src 'self'; connect-src 'none'"
        http-equiv='content-security-policy'></head><body>{}""",
    ],
)
def test_messages_and_reloading_reach_any_page_of_a_project(page: str):
    error = Problem("events/1884/x.yaml", 3, "notes", "wrong", "correct it")
    html = with_preview(
        page.format("all the text").encode(), State("7", problems=(error,))
    ).decode()
    assert html.count("events/1884/x.yaml:3") == html.count('data-version="7"') == 1
    assert html.index("x.yaml:3") < html.index("all the text")
    if "default-src" in page:
        assert "connect-src &#39;self&#39;" in html and "connect-src 'none'" not in html


def test_an_edited_note_leaves_ratings_and_answers_as_they_are(served: Served):
    until(lambda: not served.preview.state.waiting)
    site = served.preview._site
    served.edit(MATCH, "notes: See", "notes: Do see")
    until(lambda: "Do see" in served.page("events/byrd-dunn-1884.html"))
    assert served.preview._site is not site and not served.preview.state.waiting
    assert served.preview._site.ratings is site.ratings


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "evil.example:80", "127.0.0.1:1"])
def test_other_names_of_this_machine_are_refused(host: str, standing: Served):
    status, text, _ = standing.ask("/", host=host)
    assert status == 403 and "Chess" not in text
    assert standing.ask(f"/{FOLDER}/version", host=host)[0] == 403
    assert standing.ask("/", host=f"localhost:{standing.server.server_port}")[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_can_be_done_but_ask(method: str, standing: Served):
    status, _, response = standing.ask("/", method)
    assert status == 501 and response.headers["Connection"] == "close"


def test_it_listens_on_this_machine_only(standing: Served):
    assert standing.server.server_address[0] == "127.0.0.1"


def test_a_published_site_has_nothing_of_the_preview(minisite: Path):
    for file in minisite.rglob("*"):
        assert FOLDER not in file.name and file.name not in ("reload.js", "preview.css")
        if file.suffix in (".html", ".js", ".css"):
            text = file.read_text()
            assert FOLDER not in text and "connect-src" not in text


def test_files_beside_the_pages_lie_in_the_folders_that_are_told(minisite: Path):
    folders = {folder for told, _ in assets.ASSETS for folder in told}
    found = {
        file.relative_to(minisite).parent.as_posix().replace(".", "")
        for file in minisite.rglob("*")
        if file.is_file() and file.suffix not in ("", ".html")
    }
    assert found == folders - {"players", "events"}  # the parts of lists that are long


def test_a_taken_port_is_an_error_with_a_remedy(
    standing: Served, capsys: pytest.CaptureFixture[str]
):
    port = standing.server.server_port
    arguments = ["serve", "--events", str(standing.events), "--port", str(port)]
    assert cli.main(arguments) == 1
    assert capsys.readouterr().err.startswith(
        f"error: port {port} is in use; choose another: --port"
    )
    with pytest.raises(SystemExit) as refused:
        cli.main(["serve", "--port", "66000"])
    assert refused.value.code == 2
    with pytest.raises(EdoError, match="is in use"):
        PreviewServer(standing.preview, port)


@pytest.mark.usefixtures("default_signals")
def test_ctrl_c_ends_it_in_one_line(tmp_path: Path):
    events = shutil.copytree(MINISITE / "events", tmp_path / "events")
    process = subprocess.Popen(
        [sys.executable, "-m", "edo", "serve", "--events", str(events), "--port", "0"],
        cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    said = process.stdout.readline()
    found = re.search(r"preview at http://127\.0\.0\.1:(\d+)/ ", said)
    assert found is not None, said
    socket.create_connection(("127.0.0.1", int(found[1])), timeout=PATIENCE).close()
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, rest, errors) == (0, "preview ended\n", "")


@pytest.mark.usefixtures("default_signals")
def test_ctrl_c_during_the_imports_leaves_no_traceback():
    program = """
import os, runpy, signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "edo.commands.cli":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
runpy.run_module("edo", run_name="__main__")
"""
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (-signal.SIGINT, b"")


def test_an_open_page_loads_itself_anew(served: Served, browser: Any):
    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    page.goto(f"{served.server.address}/events/byrd-dunn-1884.html")
    served.edit(MATCH, "name:", "name: Edited")
    page.wait_for_selector("h1:has-text('Edited')", timeout=1000 * PATIENCE)
    served.edit(MATCH, "name:", "colour: red\nname:")
    page.wait_for_selector(".preview-errors li", timeout=1000 * PATIENCE)
    # With its stylesheet; a busy machine may load the page once more meanwhile.
    page.wait_for_function(
        "[...document.querySelectorAll('.preview-errors')]"
        ".some((e) => getComputedStyle(e).backgroundColor === 'rgb(255, 240, 238)')",
        timeout=1000 * PATIENCE,
    )
    served.edit(MATCH, "colour: red\nname:", "name:")
    page.wait_for_selector(".preview-errors", state="detached", timeout=1000 * PATIENCE)
    page.close()
    assert complaints == []
