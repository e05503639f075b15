"""Serve the built site on this machine only, and reload the pages that show it."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import sys
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.text import LANGS, _
from generator.site.build import SiteError
from generator.text.templating import render

if TYPE_CHECKING:
    from generator.site.watch import Changes

HOST = "127.0.0.1"
CHANGES = "/.changes?after={shown}"  # builds; those that end before a page listens are told too
_LISTENS = re.compile(re.escape(CHANGES).replace(r"\{shown\}", "([0-9]{1,9})"))
LIVE = "/.live.js"  # a file of its own, as the pages' policy runs no other script
_LIVE_FILE = Path(__file__).with_name("live.js")
_OWN_HOST = re.compile(r"(?i)(?:(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?)?")
_PATIENCE_S = 20.0
_WAITING = 1024  # connections that may wait to be accepted; a browser opens many at once


class Handler(SimpleHTTPRequestHandler):
    """Serves files; what is missing gets the 404 page of its language."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".md": "text/markdown; charset=utf-8",
        ".txt": "text/plain; charset=utf-8",
        ".yaml": "text/plain; charset=utf-8",
        ".yml": "text/plain; charset=utf-8",
    }

    timeout = 60.0  # seconds, after which a client that sends nothing is left

    def __init__(self, *args: Any, changes: Changes | None = None, **options: Any) -> None:
        self._changes = changes
        super().__init__(*args, **options)

    def do_GET(self) -> None:
        """Answer with a file; pages listen for the next build where builds are told.

        Who comes by another name, one that somebody has made lead here, gets nothing.
        """
        if not _OWN_HOST.fullmatch(self.headers.get("Host", "")):
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        elif self._changes is None:
            super().do_GET()
        elif listens := _LISTENS.fullmatch(self.path):
            self._tell(self._changes, int(listens[1]))
        elif self.path == LIVE:
            self._send(_LIVE_FILE.read_bytes(), "text/javascript")
        else:
            self._send_page(self._changes)

    def _send_page(self, changes: Changes) -> None:
        shown = changes.count  # before the page is read: a build that ends meanwhile is news to it
        path = self.translate_path(self.path)
        if self.path.endswith("/"):
            path += "index.html"
        # This says no to a name that is none, where a Path may raise.
        if not path.endswith(".html") or not os.path.isfile(path):  # noqa: PTH113
            super().do_GET()
            return
        listen = render("live.html.j2", script=LIVE, changes=CHANGES.format(shown=shown))
        self._send(Path(path).read_bytes() + listen.encode(), "text/html")

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def _tell(self, changes: Changes, shown: int) -> None:
        """Send an event after every build that the page does not show, until it is closed."""
        known = min(shown, changes.count)  # the server may have begun anew since
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            while True:
                count, error = changes.after(known, _PATIENCE_S)
                line = f"data: {json.dumps(error)}" if count > known else ": still here"
                known = count
                self.wfile.write(f"{line}\n\n".encode())
                self.wfile.flush()

    def send_head(self) -> Any:
        """Answer with what stands before a file; a name that no file can have is missing."""
        try:
            return super().send_head()
        except ValueError:  # it holds a zero
            self.send_error(HTTPStatus.NOT_FOUND)
            return None

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with the site's own page where a file is missing."""
        asked = getattr(self, "path", "")  # a request that cannot be read has none
        first = asked.lstrip("/").partition("/")[0]
        folder = f"{self.directory}/{first}" if first in LANGS else self.directory
        try:
            with open(f"{folder}/404.html", "rb") as page:  # noqa: PTH123
                body = page.read()
        except OSError:
            body = b""
        if code != HTTPStatus.NOT_FOUND or not body:
            super().send_error(code, message, explain)
            return
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Stay quiet: the address is all a reader needs to see."""


class Server(ThreadingHTTPServer):
    """Answers many clients at once; one that goes away in between is no error."""

    request_queue_size = _WAITING

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say what went wrong, unless the client has gone."""
        if not isinstance(sys.exception(), (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


def server(folder: Path, port: int, changes: Changes | None = None) -> Server:
    """Open a server on this machine's loopback address.

    Args:
        folder: The built site.
        port: Port to listen on; 0 for any free one.
        changes: Tells of builds, for pages that reload; None if nothing is built again.

    Raises:
        SiteError: The port is taken or not allowed.
    """
    handler = partial(Handler, directory=str(folder), changes=changes)
    try:
        return Server((HOST, port), handler)
    except OSError as error:
        reasons = {errno.EADDRINUSE: _("is in use"), errno.EACCES: _("needs more rights")}
        other = _("cannot be opened ({reason})").format(reason=error.strerror)
        reason = reasons.get(error.errno or 0, other)
        what = _("port {port} {reason}; choose another one, such as --port {other}")
        raise SiteError(what.format(port=port, reason=reason, other=port + 1)) from None
