"""Serve the built site on this machine only."""

from __future__ import annotations

import errno
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from fixbook.entry import LANGS
from generator.site import SiteError

if TYPE_CHECKING:
    from pathlib import Path

HOST = "127.0.0.1"


class Handler(SimpleHTTPRequestHandler):
    """Serves files; what is missing gets the 404 page of its language."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".md": "text/markdown; charset=utf-8",
        ".txt": "text/plain; charset=utf-8",
        ".yaml": "text/plain; charset=utf-8",
        ".yml": "text/plain; charset=utf-8",
    }

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer with the site's own page where a file is missing."""
        first = self.path.lstrip("/").partition("/")[0]
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


def server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Open a server on this machine's loopback address.

    Args:
        folder: The built site.
        port: Port to listen on; 0 for any free one.

    Raises:
        SiteError: The port is taken or not allowed.
    """
    handler = partial(Handler, directory=str(folder))
    try:
        return ThreadingHTTPServer((HOST, port), handler)
    except OSError as error:
        reasons = {errno.EADDRINUSE: "is in use", errno.EACCES: "needs more rights"}
        reason = reasons.get(error.errno or 0, f"cannot be opened ({error.strerror})")
        raise SiteError(
            f"port {port} {reason}; choose another one, such as --port {port + 1}"
        ) from None
