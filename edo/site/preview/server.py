"""The web server of the preview, and what it adds to pages: errors, notices, automatic reload.

Only browsers on this machine can reach it.
"""

from __future__ import annotations

import errno
import io
import re
import sys
import traceback
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, unquote

from markupsafe import Markup

from edo.core.problems import EdoError
from edo.history.project import TEMPLATES
from edo.site import urls
from edo.site.preview.state import LazySite, Preview, State
from edo.site.render import template_environment

HOST = "127.0.0.1"  # not reachable from the network
_TIMEOUT = 30  # [s] that a connection may stay open and silent

FOLDER = "preview_only"  # no id has an underscore
"""The folder of the files that only the preview serves."""

_META = re.compile(rb"<meta\b[^>]*>", re.I)
_CONTENT = re.compile(rb"""content\s*=\s*(["'])(.*?)\1""", re.I | re.S)
_HEAD_ENDS, _BODY_BEGINS = re.compile(rb"</head\s*>", re.I), re.compile(rb"<body\b[^>]*>", re.I)

_LOADED = Markup(
    '<link rel="stylesheet" href="/{folder}/preview.css">\n'
    '<script defer src="/{folder}/reload.js" data-version="{version}"></script>\n'
)
_EMPTY_PAGE = b"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<title>Preview</title>
</head>
<body>
</body>
</html>
"""


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


class _Handler(SimpleHTTPRequestHandler):
    """Answers the requests of one connection."""

    server: PreviewServer
    server_version, sys_version = "edo", ""
    protocol_version = "HTTP/1.1"
    timeout = _TIMEOUT
    extensions_map = {  # noqa: RUF012 (as the class above declares it)
        "": "application/octet-stream",
        ".html": "text/html; charset=utf-8",
        ".css": "text/css; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".csv": "text/csv; charset=utf-8",
        ".txt": "text/plain; charset=utf-8",
        ".xml": "application/atom+xml; charset=utf-8",
        ".json": "application/json",
        ".svg": "image/svg+xml",
        ".woff2": "font/woff2",
        ".gz": "application/gzip",
    }

    def log_message(self, format: str, *args: object) -> None:
        """Log no requests: the terminal is for messages to editors."""

    def end_headers(self) -> None:
        """End the headers with those of every answer."""
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        # Pages of other sites may neither load the files as scripts or pictures nor frame them.
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("X-Frame-Options", "SAMEORIGIN")
        super().end_headers()

    def send_head(self) -> io.BytesIO | None:
        """Send the status and the headers; return the content."""
        # Against DNS rebinding: another site whose name resolves to this machine.
        if self.headers.get_all("Host") not in [[host] for host in self.server.hosts]:
            message = b"this preview is for browsers on this machine\n"
            return self._send(HTTPStatus.FORBIDDEN, message)
        path = _path(self.path)
        if path is None:
            return self._send(HTTPStatus.BAD_REQUEST, b"not the address of a page\n")
        if path.startswith(f"{FOLDER}/"):
            return self._send_own(path.removeprefix(f"{FOLDER}/"))
        return self._send_page(path)

    def _send_own(self, name: str) -> io.BytesIO:
        """Send a file that only the preview has."""
        if name == "version":
            return self._send(HTTPStatus.OK, self.server.preview.state.version.encode())
        if name in ("reload.js", "preview.css"):
            return self._send(HTTPStatus.OK, (TEMPLATES / "preview" / name).read_bytes(), name)
        return self._send(HTTPStatus.NOT_FOUND, b"not there\n")

    def _send_page(self, path: str) -> io.BytesIO:
        state = self.server.preview.state
        if state.site is None or state.bare is None:
            return self._send(HTTPStatus.SERVICE_UNAVAILABLE, message_page(state), urls.HOME)
        try:
            try:
                status, content, name = self._file(state.site, path)
            except (KeyError, IndexError):  # answers from before an edit may no longer fit it
                if not state.waiting:
                    raise
                status, content, name = self._file(state.bare, path)
        except Exception as error:
            if not isinstance(error, EdoError):
                traceback.print_exc()
            words = str(error) if isinstance(error, EdoError) else f"{error!r}; see the terminal"
            content = message_page(state, words)
            return self._send(HTTPStatus.INTERNAL_SERVER_ERROR, content, urls.HOME)
        if name.endswith(".html"):
            content = with_preview(content, state)
        return self._send(status, content, name)

    def _file(self, site: LazySite, path: str) -> tuple[HTTPStatus, bytes, str]:
        """Return status, content and name of the file at a path."""
        name = f"{path}index.html" if path == "" or path.endswith("/") else path
        if (content := site.file(name)) is not None:
            return HTTPStatus.OK, content, name
        if site.file(f"{path}/index.html") is not None:
            return HTTPStatus.MOVED_PERMANENTLY, b"", f"{path}/"
        return HTTPStatus.NOT_FOUND, site.not_found(self.server.address), urls.NOT_FOUND

    def _send(self, status: HTTPStatus, content: bytes, name: str = "message.txt") -> io.BytesIO:
        """Send status and headers of a file by that name; return its content."""
        self.send_response(status)
        if status == HTTPStatus.MOVED_PERMANENTLY:
            self.send_header("Location", f"/{quote(name)}")
        self.send_header("Content-Type", self.guess_type(name))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        return io.BytesIO(content)


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


def with_preview(html: bytes, state: State, failed: str | None = None) -> bytes:
    """Return a page that reloads itself, with messages above it, also that of a page that `failed`.

    A project may have templates of its own, with any head, body and content policy.
    """
    loaded = _LOADED.format(folder=FOLDER, version=state.version).encode()
    html = _META.sub(_with_policy, html)
    html = _inserted(html, _BODY_BEGINS, _messages(state, failed), is_before=False)
    return _inserted(html, _HEAD_ENDS, loaded, is_before=True)


def _with_policy(meta: re.Match[bytes]) -> bytes:
    """Return a content policy that lets the preview load its files; any other `meta` as it is."""
    policy = _CONTENT.search(meta[0])
    if policy is None or b"content-security-policy" not in meta[0].lower():
        return meta[0]
    directives = {part.split()[0].lower(): part for part in policy[2].split(b";") if part.strip()}
    own = {name: name + b" &#39;self&#39;" for name in (b"script-src", b"style-src")}
    allowed = own | directives | {b"connect-src": b"connect-src &#39;self&#39;"}
    return meta[0].replace(policy[2], b";".join(allowed.values()))


def _inserted(html: bytes, place: re.Pattern[bytes], text: bytes, is_before: bool) -> bytes:
    """Return a page with a text before or after a place, or at its start where that is missing."""
    found = place.search(html)
    at = 0 if found is None else found.start() if is_before else found.end()
    return b"".join([html[:at], text, html[at:]])


def message_page(state: State, failed: str | None = None) -> bytes:
    """Return a page with only the messages, also with the error of a page that `failed`."""
    return with_preview(_EMPTY_PAGE, state, failed)


def _messages(state: State, failed: str | None) -> bytes:
    errors, warnings = (
        [problem for problem in state.problems if problem.severity == severity]
        for severity in ("error", "warning")
    )
    template = template_environment((TEMPLATES,)).get_template("preview/messages.html")
    shown = template.render(state=state, errors=errors, warnings=warnings, failed=failed)
    return shown.encode()
