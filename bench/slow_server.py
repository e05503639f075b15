"""A server that sends a file slowly, for runs that download."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_PART, _PARTS, _PAUSE_S = 1024 * 1024, 36, 0.3


class _Slow(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(_PART * _PARTS))
        self.end_headers()
        for _ in range(_PARTS):
            self.wfile.write(b"\0" * _PART)
            time.sleep(_PAUSE_S)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def slow_server() -> Iterator[str]:
    """Serve while the block lasts; yield the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Slow)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/model"
    finally:
        server.shutdown()
        server.server_close()
