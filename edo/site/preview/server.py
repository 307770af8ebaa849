"""The web server of the preview, and what it adds to pages: errors, notices, automatic reload.

Only browsers on this machine can reach it.
"""

from __future__ import annotations

import errno
import sys
import traceback
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, unquote

from markupsafe import Markup

from edo.core import formats, urls
from edo.core.problems import EdoError, Problem
from edo.history.project import TEMPLATES
from edo.site.preview.state import LazySite, Preview, State

HOST = "127.0.0.1"  # not reachable from the network
_TIMEOUT = 30  # [s] that a connection may stay open and silent
_KINDS = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "xml": "application/atom+xml; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "woff2": "font/woff2",
    "txt": "text/plain; charset=utf-8",
    "gz": "application/gzip",
}

FOLDER = "preview_only"  # no id has an underscore
"""The folder of the files that only the preview serves."""

_POLICY = b"default-src 'none';"
_HEAD_ENDS, _BODY_BEGINS = b"</head>", b'<header class="masthead'

_LOADED = Markup(
    '<link rel="stylesheet" href="/{folder}/preview.css">\n'
    '<script defer src="/{folder}/reload.js" data-version="{version}"></script>\n'
)
_WARNINGS = Markup(
    '<details class="preview preview-warnings">\n<summary>{heading}</summary>\n{list}</details>\n'
)
_ERRORS = Markup(
    '<section class="preview preview-errors" role="alert">\n<h2>{heading}</h2>\n{list}</section>\n'
)
_ERROR = Markup("<li><b>{path}:{line}</b> {place}{message}<br>{hint}</li>\n")
_WAIT = Markup('<p class="preview preview-wait" role="status">{words}</p>\n')
_EMPTY_PAGE = Markup(
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'; "
    "style-src 'self'; connect-src 'self'\">\n"
    "<title>Preview</title>\n{loaded}</head>\n<body>\n{messages}</body>\n</html>\n"
)

OUTDATED = (
    "Probabilities and influences are still those before your change; new ones are being computed …"
)
SYSTEMS = "The ratings by other systems are those before your change; being computed …"
FIRST = "Probabilities and influences are being computed …"


class PreviewServer(ThreadingHTTPServer):
    """Serves a preview. Raises EdoError where the port is in use or not allowed."""

    daemon_threads = True
    request_queue_size = 512  # connections that wait to be taken; the default of 5 refuses browsers

    def __init__(self, preview: Preview, port: int) -> None:
        self.preview = preview
        try:
            super().__init__((HOST, port), _Handler)
        except PermissionError as refused:
            message = f"port {port} is not allowed; choose one from 1024: --port 8000"
            raise EdoError(message) from refused
        except OSError as refused:
            if refused.errno != errno.EADDRINUSE:
                raise
            other = f"--port {port + 1 if port < 65535 else 8001}"
            raise EdoError(f"port {port} is in use; choose another: {other}") from refused

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of connections that have ended; show every other error with its traceback.

        Ctrl-C while a request comes in closes its socket before the thread has begun to read it.
        """
        error = sys.exception()
        has_ended = isinstance(error, OSError) and error.errno == errno.EBADF
        if not has_ended and not isinstance(error, ConnectionError | TimeoutError):
            traceback.print_exc()

    @property
    def address(self) -> str:
        """Return where the home page is, without `/`."""
        return f"http://{HOST}:{self.server_port}"

    @property
    def hosts(self) -> set[str]:
        """Return the host names by which a browser on this machine may address it."""
        return {f"{name}:{self.server_port}" for name in (HOST, "localhost")}


class _Handler(BaseHTTPRequestHandler):
    """Answers the requests of one connection."""

    server: PreviewServer
    protocol_version = "HTTP/1.1"
    timeout = _TIMEOUT

    def do_GET(self) -> None:
        """Send a file."""
        try:
            self._answer()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the browser went on to another page

    do_HEAD = do_GET

    def do_POST(self) -> None:
        """Refuse every other method."""
        self.close_connection = True  # the body is not read
        self._send(HTTPStatus.METHOD_NOT_ALLOWED, b"only GET and HEAD\n", allow="GET, HEAD")

    do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_POST

    def version_string(self) -> str:
        """Return the value of the header `Server`."""
        return "edo"

    def log_message(self, format: str, *args: object) -> None:
        """Log no requests: the terminal is for messages to editors."""

    def _answer(self) -> None:
        # Against DNS rebinding: another site whose name resolves to this machine.
        if self.headers.get_all("Host") not in [[host] for host in self.server.hosts]:
            self._send(HTTPStatus.FORBIDDEN, b"this preview is for browsers on this machine\n")
            return
        path = _path(self.path)
        if path is None:
            self._send(HTTPStatus.BAD_REQUEST, b"not the address of a page\n")
        elif path.startswith(f"{FOLDER}/"):
            self._answer_own(path.removeprefix(f"{FOLDER}/"))
        else:
            self._answer_page(path)

    def _answer_own(self, name: str) -> None:
        """Send a file that only the preview has."""
        if name == "version":
            self._send(HTTPStatus.OK, self.server.preview.state.version.encode())
        elif name in ("reload.js", "preview.css"):
            content = (TEMPLATES / "preview" / name).read_bytes()
            self._send(HTTPStatus.OK, content, _kind(name))
        else:
            self._send(HTTPStatus.NOT_FOUND, b"not there\n")

    def _answer_page(self, path: str) -> None:
        state = self.server.preview.state
        if state.site is None or state.bare is None:
            self._send(HTTPStatus.SERVICE_UNAVAILABLE, message_page(state), _KINDS["html"])
            return
        try:
            try:
                status, content, name = self._file(state.site, path)
            except (KeyError, IndexError):  # answers from before an edit may no longer fit it
                if not state.is_computing:
                    raise
                status, content, name = self._file(state.bare, path)
        except Exception as error:
            if not isinstance(error, EdoError):
                traceback.print_exc()
            words = str(error) if isinstance(error, EdoError) else f"{error!r}; see the terminal"
            content = message_page(state, words)
            self._send(HTTPStatus.INTERNAL_SERVER_ERROR, content, _KINDS["html"])
            return
        if status is HTTPStatus.MOVED_PERMANENTLY:
            self._send(status, b"", location=f"/{quote(name)}")
            return
        if name.endswith(".html"):
            content = with_preview(content, state)
        self._send(status, content, _kind(name))

    def _file(self, site: LazySite, path: str) -> tuple[HTTPStatus, bytes, str]:
        """Return status, content and name of the file at a path."""
        name = f"{path}index.html" if path == "" or path.endswith("/") else path
        if (content := site.file(name)) is not None:
            return HTTPStatus.OK, content, name
        if site.file(f"{path}/index.html") is not None:
            return HTTPStatus.MOVED_PERMANENTLY, b"", f"{path}/"
        return HTTPStatus.NOT_FOUND, site.not_found(self.server.address), urls.NOT_FOUND

    def _send(
        self,
        status: HTTPStatus,
        content: bytes,
        kind: str = "text/plain; charset=utf-8",
        **more: str,
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        for name, value in more.items():
            self.send_header(name.capitalize(), value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def _path(target: str) -> str | None:
    """Return the path of a request from the root of the site, None where it is malformed."""
    path = target.partition("#")[0].partition("?")[0]
    try:
        path = unquote(path, errors="strict")
    except UnicodeDecodeError:
        return None
    parts = path.split("/")
    if parts[0] or not path.isprintable() or "\\" in path or {".", ".."} & set(parts):
        return None
    return None if "" in parts[1:-1] else path[1:]


def _kind(name: str) -> str:
    return _KINDS.get(name.rpartition(".")[2], "application/octet-stream")


def with_preview(html: bytes, state: State) -> bytes:
    """Return a page of the site that reloads itself, with messages above it."""
    html = html.replace(_POLICY, _POLICY + b" connect-src 'self';", 1)
    html = html.replace(
        _HEAD_ENDS, _LOADED.format(folder=FOLDER, version=state.version).encode() + _HEAD_ENDS, 1
    )
    return html.replace(_BODY_BEGINS, Markup("").join(_messages(state)).encode() + _BODY_BEGINS, 1)


def message_page(state: State, failed: str | None = None) -> bytes:
    """Return a page with only the messages, and with the error of a page that `failed`."""
    messages = list(_messages(state))
    if failed is not None:
        messages.append(_error("This page failed", failed))
    return _EMPTY_PAGE.format(
        loaded=_LOADED.format(folder=FOLDER, version=state.version),
        messages=Markup("").join(messages),
    ).encode()


def _messages(state: State) -> Iterator[Markup]:
    """Yield the messages above the page."""
    shown = (
        "nothing can be shown yet" if state.site is None else "below is the site before the error"
    )
    errors = [one for one in state.problems if one.severity == "error"]
    warnings = [one for one in state.problems if one.severity == "warning"]
    if errors:
        until = shown if state.is_refused else "the site cannot be built until they are corrected"
        heading = f"{formats.counted(len(errors), 'error')} in the files; {until}"
        yield _ERRORS.format(heading=heading, list=_problems(errors))
    if warnings:
        heading = formats.counted(len(warnings), "warning")
        yield _WARNINGS.format(heading=heading, list=_problems(warnings))
    if state.other is not None and not errors:
        yield _error(f"The input has an error; {shown}", state.other)
    if state.is_computing:
        waiting = OUTDATED if state.has_answers else FIRST
        yield _WAIT.format(words=SYSTEMS if state.is_answered else waiting)


def _problems(problems: Iterable[Problem]) -> Markup:
    listed = Markup("").join(
        _ERROR.format(
            path=one.path,
            line=one.line,
            place=f"{one.place}: " if one.place else "",
            message=one.message,
            hint=one.hint,
        )
        for one in problems
    )
    return Markup("<ol>\n{}</ol>\n").format(listed)


def _error(heading: str, words: str) -> Markup:
    return _ERRORS.format(heading=heading, list=Markup("<pre>{}</pre>\n").format(words))
