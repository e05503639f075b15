"""Requests that no browser sends, to the local server."""

from __future__ import annotations

import contextlib
import io
import socket
import tempfile
import threading
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from generator.site.server import CHANGES, server
from generator.site.watch import Changes

_ANSWER_S = 10.0
_PATHS = (
    b"/", b"/en/", b"/en/none", b"/..", b"/../../etc/passwd", b"/%2e%2e/%2e%2e/etc/passwd", b"*",
    b"//", b"http://x/", b"/%", b"/%ff", b"/%00", b"/a\x00b", b"/" + b"a" * 70_000, b"/?q=%zz",
    b"", CHANGES.encode(), CHANGES.format(shown="9" * 5000).encode(), b"/%0d%0aX: 1",
    b"/\xe4", b"/en/%5c..%5c", b"/." + b"/." * 2000,
)  # fmt: skip
_METHODS = (
    b"GET",
    b"HEAD",
    b"POST",
    b"PUT",
    b"get",
    b"\x16\x03\x01",
    b"",
    b"G" * 70_000,
    b"OPTIONS",
    b"GE\x00T",
)
_VERSIONS = (
    b"HTTP/1.1",
    b"HTTP/1.0",
    b"HTTP/0.9",
    b"HTTP/9.9",
    b"HTTP/",
    b"x",
    b"",
    b"HTTP/1." + b"1" * 99,
)
_HEADERS = (
    b"Host: x", b"Range: bytes=0-1", b"If-Modified-Since: x", b"If-Modified-Since: " + b"9" * 5000,
    b"Content-Length: -1", b"Content-Length: " + b"9" * 5000, b"Expect: 100-continue", b": x",
    b"x", b"\xff: \xfe", b"Connection: keep-alive", b"a" * 70_000, b"If-None-Match: *",
    b"\x00: \x00", b"If-Modified-Since: Sat, 99 Nov 99999 99:99:99 GMT",
)  # fmt: skip


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    """Draw what is sent over one connection."""
    first = b" ".join(draw(st.sampled_from(part)) for part in (_METHODS, _PATHS, _VERSIONS))
    headers = draw(st.lists(st.sampled_from(_HEADERS), max_size=draw(st.sampled_from((3, 3, 150)))))
    end = draw(st.sampled_from((b"\r\n", b"\r\n", b"\n", b"\r")))
    raw = end.join([first, *headers, b"", b""]) + draw(st.binary(max_size=20))
    return raw[: draw(st.sampled_from((len(raw), len(raw), len(raw), len(raw) // 2)))]


def serve_all(number: int, count: int) -> list[tuple[bytes, str]]:
    """Send requests, one after the other, to a server in this process.

    Args:
        number: The seed.
        count: How many.

    Returns:
        The requests after which something was wrong, and what.
    """
    told: list[tuple[bytes, str]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "site"
        (folder / "en").mkdir(parents=True)
        (Path(name) / "outside").write_text("outside", "utf-8")
        for page in ("index.html", "404.html", "en/index.html"):
            (folder / page).write_text(f"<p>{page}</p>", "utf-8")
        with server(folder, 0, Changes()) as listening:
            threading.Thread(target=listening.serve_forever, daemon=True).start()
            port = listening.server_address[1]

            @seed(number)
            @settings(max_examples=count, database=None, deadline=None, phases=[Phase.generate],
                      suppress_health_check=list(HealthCheck))  # fmt: skip
            @given(requests())
            def one(raw: bytes) -> None:
                what = _wrong(port, raw)
                if what:
                    told.append((raw, what))

            one()
            listening.shutdown()
    return told


def _wrong(port: int, raw: bytes) -> str:
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        answer = exchange(port, raw)
        alive = exchange(port, b"GET /en/ HTTP/1.0\r\n\r\n")
    if b"<p>en/index.html</p>" not in alive:
        return f"then the server answers {alive[:80]!r}"
    if b"root:" in answer or b"outside" in answer:
        return "answers with a file of elsewhere"
    if said.getvalue().strip():
        return "complains: " + said.getvalue().strip()[-200:]
    return ""


def exchange(port: int, raw: bytes) -> bytes:
    """Send a request and return all that comes back."""
    with socket.create_connection(("127.0.0.1", port), _ANSWER_S) as connection:
        parts = []
        with contextlib.suppress(OSError):
            connection.sendall(raw)
            connection.shutdown(socket.SHUT_WR)
            while part := connection.recv(65536):
                parts.append(part)
    return b"".join(parts)
