"""How many of many requests at once the local server answers.

    python -m bench.serving

Each client opens its connection at the same moment as all others and asks for one page.
"""

from __future__ import annotations

import socket
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from generator.site.server import server

SIZES = (50, 200, 500)
_PATIENCE_S = 30.0
_PAGE = b"<p>page</p>\n" * 10_000


def ask(port: int, start: threading.Barrier) -> bool:
    """Ask for the page; whether it came whole."""
    start.wait()
    try:
        with socket.create_connection(("127.0.0.1", port), _PATIENCE_S) as connection:
            connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
            parts = []
            while part := connection.recv(65536):
                parts.append(part)
    except OSError:
        return False
    return b"".join(parts).endswith(_PAGE)


def answered(port: int, size: int) -> int:
    """Ask at once as often as told; how many got the page."""
    start = threading.Barrier(size)
    with ThreadPoolExecutor(size) as clients:
        return sum(clients.map(lambda _: ask(port, start), range(size)))


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name, server(Path(name), 0) as listening:
        Path(name, "index.html").write_bytes(_PAGE)
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        print(f"{'at once':>8}{'answered':>10}{'s':>8}")
        for size in SIZES:
            began = time.perf_counter()
            count = answered(listening.server_address[1], size)
            print(f"{size:>8}{count:>10}{time.perf_counter() - began:>8.2f}")
        listening.shutdown()


if __name__ == "__main__":
    main()
