"""A web server for the preview, which only browsers on this machine can reach."""

from __future__ import annotations

import errno
import traceback
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, unquote

from edo.core import urls
from edo.core.problems import EdoError
from edo.site import render
from edo.site.preview.edition import Edition, Preview
from edo.site.preview.pages import FOLDER, message_page, with_preview

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
    "sqlite": "application/vnd.sqlite3",
}


class PreviewServer(ThreadingHTTPServer):
    """Serves a preview. Raises EdoError where the port is in use or not allowed."""

    daemon_threads = True

    def __init__(self, preview: Preview, port: int) -> None:
        self.preview = preview
        try:
            super().__init__((HOST, port), _Handler)
        except PermissionError as refused:
            raise EdoError(f"port {port} is not allowed; choose one from 1024: --port 8000") from (
                refused
            )
        except OSError as refused:
            if refused.errno != errno.EADDRINUSE:
                raise
            other = f"--port {port + 1 if port < 65535 else 8001}"
            raise EdoError(f"port {port} is in use; choose another: {other}") from refused

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
            self._send(HTTPStatus.OK, self.server.preview.edition.version.encode())
        elif name in ("reload.js", "preview.css"):
            content = (render.TEMPLATES / "preview" / name).read_bytes()
            self._send(HTTPStatus.OK, content, _kind(name))
        else:
            self._send(HTTPStatus.NOT_FOUND, b"not there\n")

    def _answer_page(self, path: str) -> None:
        edition = self.server.preview.edition
        if edition.site is None:
            self._send(HTTPStatus.SERVICE_UNAVAILABLE, message_page(edition), _KINDS["html"])
            return
        try:
            status, content, name = self._file(edition, path)
        except Exception as error:
            if not isinstance(error, EdoError):
                traceback.print_exc()
            words = str(error) if isinstance(error, EdoError) else f"{error!r}; see the terminal"
            content = message_page(edition, words)
            self._send(HTTPStatus.INTERNAL_SERVER_ERROR, content, _KINDS["html"])
            return
        if status is HTTPStatus.MOVED_PERMANENTLY:
            self._send(status, b"", location=f"/{quote(name)}")
            return
        if name.endswith(".html"):
            content = with_preview(content, edition)
        self._send(status, content, _kind(name))

    def _file(self, edition: Edition, path: str) -> tuple[HTTPStatus, bytes, str]:
        """Return status, content and name of the file at a path."""
        name = f"{path}index.html" if path == "" or path.endswith("/") else path
        content = _made(edition, name)
        if content is not None:
            return HTTPStatus.OK, content, name
        if _made(edition, f"{path}/index.html") is not None:
            return HTTPStatus.MOVED_PERMANENTLY, b"", f"{path}/"
        return HTTPStatus.NOT_FOUND, _not_found(edition, self.server.address), urls.NOT_FOUND

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


def _made(edition: Edition, path: str) -> bytes | None:
    """Return a file; without answers, where those from before an edit no longer fit it."""
    sites = [site for site in (edition.site, edition.bare) if site is not None]
    try:
        return sites[0].file(path)
    except (KeyError, IndexError):
        if not edition.is_computing:
            raise
        return sites[1].file(path)


def _not_found(edition: Edition, address: str) -> bytes:
    return b"" if edition.site is None else edition.site.not_found(address)


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
