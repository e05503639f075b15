"""Servers, a proxy, and a port where nobody listens, all on this machine."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import trl
from failure import configure, connect, vllm_client

from fixbook.recipe import measure, snippet, snippet_text
from fixbook.recipe.helpers import free_port, local_http

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE_S = 5
PROXIES = ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY")
SERVER = Path("stubs") / "vllm" / "entrypoints" / "cli"
PROGRAM = """
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

class Answer(BaseHTTPRequestHandler):
    def do_GET(self):
        body = b'{"data": [{"id": "MODEL"}]}' if self.path == "/v1/models" else b""
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

HTTPServer(("127.0.0.1", int(sys.argv[sys.argv.index("--port") + 1])), Answer).serve_forever()
"""
TRL = """#!/bin/sh
exec "PYTHON" -c 'from trl.cli import main; main()' "$@"
"""


def prepare() -> None:
    """Print what TRL logs, and let its client do without vLLM, which it only asks for."""
    logging.basicConfig(level=logging.INFO, format="%(name)s - %(message)s", stream=sys.stdout)
    for name in PROXIES:
        os.environ.pop(name, None)
    vllm_client.is_vllm_available = lambda *_, **__: True


def vllm(_: str, path: str, *__: object) -> Any:
    """Answer as vLLM does, as far as a client asks when it connects."""
    if path == "/health":
        return 200, {}, b""
    if path == "/v1/models":
        return 200, {}, json.dumps({"data": [{"id": "MODEL"}]}).encode()
    return 404, {}, b'{"detail":"Not Found"}'


def bad_gateway(*_: object) -> Any:
    """Answer as a proxy does that reaches nothing at that address."""
    return 502, {}, b"Bad Gateway"


def port_of(address: str) -> int:
    """Return the port of an address."""
    return int(address.rpartition(":")[2])


@contextlib.contextmanager
def proxied(*, down: bool = False) -> Iterator[None]:
    """Set a proxy for HTTP, as a company or a cloud does."""
    with local_http(bad_gateway) as proxy:
        os.environ["http_proxy"] = f"http://127.0.0.1:{free_port()}" if down else proxy
        yield


def train(**settings: Any) -> dict[str, Any]:
    """Connect, and give up after some seconds where the client does not."""

    def give_up(*_: object) -> None:
        raise TimeoutError(f"still waiting after {PATIENCE_S} s")

    config = configure(**settings)
    measure(timeout=config.vllm_server_timeout, no_proxy=os.environ.get("no_proxy", ""))
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE_S + int(config.vllm_server_timeout))
    try:
        return {"model": connect(config), **look(config.vllm_server_host, config.vllm_server_port)}
    finally:
        signal.alarm(0)


def look(host: str, port: int) -> dict[str, Any]:
    """Ask as the page does, with the proxies of this shell and without."""
    code = snippet_text("ask").replace("0.0.0.0:8000", f"{host}:{port}")
    values: dict[str, Any] = {}
    exec(compile(code, "ask", "exec"), values)  # noqa: S102  (the page's own lines, another port)
    said = values["answers"]
    return {"found": said[0] != 200, "trusting": str(said[0]), "direct": str(said[1])}


def excepted() -> None:
    """Run the page's line, and take over what it exports."""
    code = f'{snippet_text("no-proxy")}\nprintf %s "$no_proxy"'
    done = subprocess.run(["bash", "-euc", code], check=True, capture_output=True, text=True)
    os.environ["no_proxy"] = done.stdout


@contextlib.contextmanager
def served(port: int) -> Iterator[None]:
    """Run the page's line that starts a server; in the place of vLLM's stands a small one."""
    SERVER.mkdir(parents=True)
    for folder in (SERVER, *list(SERVER.parents)[:2]):
        (folder / "__init__.py").touch()
    (SERVER / "main.py").write_text(PROGRAM)
    Path("stubs", "vllm", "__init__.py").write_text('__version__ = "0.28.0"\n')
    Path("trl").write_text(TRL.replace("PYTHON", sys.executable))
    Path("trl").chmod(0o755)
    found = f"{Path('stubs').absolute()}:{Path(trl.__file__).parents[1]}"
    shell = os.environ | {"PYTHONPATH": found, "PATH": f"{Path().absolute()}:{os.environ['PATH']}"}
    command = snippet_text("start").replace("8000", str(port))
    server = subprocess.Popen(["bash", "-c", command.strip()], env=shell)
    try:
        yield
    finally:
        server.terminate()
        server.wait()


def later(port: int, seconds: float) -> None:
    """Start a server on that port after some seconds, as one that loads a large model."""
    values: dict[str, Any] = {}
    lines = PROGRAM.strip().rpartition("\n")[0]
    exec(lines, values)  # noqa: S102  (the class above)

    def serve() -> None:
        values["HTTPServer"](("127.0.0.1", port), values["Answer"]).serve_forever()

    timer = threading.Timer(seconds, serve)
    timer.daemon = True
    timer.start()


def addressed(port: int) -> dict[str, Any]:
    """Take the page's settings, with a port that is free here."""
    config = configure()
    snippet("address", config=config)
    measure(printed=config.vllm_server_port)
    return {"vllm_server_host": config.vllm_server_host, "vllm_server_port": port}
