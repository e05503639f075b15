"""The page's question, asked by a process of the job, and a web server that answers in vain."""

from __future__ import annotations

import contextlib
import os
import socket
from unittest import mock

from fixbook.recipe import snippet


def asked(address: str, port: int, world: int = 2) -> str:
    """Ask as rank 1, before it joins, what the page asks; return what it says."""
    told = {"RANK": "1", "WORLD_SIZE": str(world), "MASTER_PORT": str(port)}
    with mock.patch.dict(os.environ, MASTER_ADDR=address, **told):
        return str(snippet("ask")["said"])


def web_server(port: int) -> None:
    """Answer what is no request of HTTP as nginx does."""
    with socket.create_server(("127.0.0.1", port)) as server:
        while True:
            connection, _ = server.accept()
            with contextlib.suppress(ConnectionError), connection:
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
                connection.recv(4096)
