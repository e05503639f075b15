"""A stand-in for a server, on this machine alone."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Answer = tuple[int, Mapping[str, str], bytes]
    Handler = Callable[[str, str, Mapping[str, str], bytes], Answer]


@contextlib.contextmanager
def local_http(answers: Mapping[str, bytes | str] | Handler) -> Iterator[str]:
    """Serve HTTP on 127.0.0.1, on a free port.

    Args:
        answers: Contents by path (``"/config.json"``), 404 for others; or a function that is given
            method, path with query, headers, and body, and returns status, headers and body.

    Yields:
        The address, such as ``http://127.0.0.1:40123``.
    """
    handler = _from_files(answers) if isinstance(answers, Mapping) else answers

    class Request(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, headers, content = handler(self.command, self.path, dict(self.headers), body)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(content)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _answer  # noqa: N815  (names of the base class)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (as in the base class)
            """Print nothing: a step's log is its own."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Request)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _from_files(files: Mapping[str, bytes | str]) -> Handler:
    def handler(method: str, path: str, *_: object) -> Answer:
        content = files.get(path.partition("?")[0])
        if content is None or method not in {"GET", "HEAD"}:
            return 404, {}, b"not found"
        return 200, {}, content.encode() if isinstance(content, str) else content

    return handler
