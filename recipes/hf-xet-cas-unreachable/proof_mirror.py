"""A mirror of the Hub, the storage that it names, and a script that downloads through it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from failure import DOWNLOAD

from fixbook.recipe import measure, snippet_text
from fixbook.recipe.helpers import free_port, local_http

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CONTENT = b"x" * 1000
HASH = hashlib.sha256(CONTENT).hexdigest()
COMMIT = "a" * 40
TOKEN = "api/models/team/model/xet-read-token"  # noqa: S105
FILE = {
    "X-Repo-Commit": COMMIT,
    "ETag": f'"{HASH}"',
    "X-Linked-Etag": f'"{HASH}"',
    "X-Linked-Size": str(len(CONTENT)),
}


@contextlib.contextmanager
def silent() -> Iterator[str]:
    """Yield an address at which everybody who wants to connect is dropped: its queue is full."""
    with contextlib.ExitStack() as stack:
        full = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(2):
            waiting = stack.enter_context(socket.socket())
            waiting.settimeout(0)
            waiting.connect_ex(full.getsockname())
        yield f"http://127.0.0.1:{full.getsockname()[1]}"


@contextlib.contextmanager
def mirror(storage: str = "refuses", *, xet: bool = True, gated: bool = False) -> Iterator[str]:
    """Serve one file; yield the address.

    Args:
        storage: What its address does: ``refuses``, ``answers`` or ``drops``.
        xet: Whether the mirror says that the file is in Xet's storage.
        gated: Whether nobody without a token is told of that storage.
    """
    with local_http(lambda *_: (404, {}, b"")) as answering, silent() as dropping:
        refusing = f"http://127.0.0.1:{free_port()}"
        cas = {"refuses": refusing, "answers": answering, "drops": dropping}[storage]

        def answer(_method: str, target: str, headers: Mapping[str, str], _body: bytes) -> Any:
            if TOKEN in target:
                if gated and "authorization" not in {key.lower() for key in headers}:
                    return 401, {}, b"{}"
                known = {"X-Xet-Cas-Url": cas, "X-Xet-Access-Token": "t"}
                return 200, known | {"X-Xet-Token-Expiration": "9999999999"}, b"{}"
            if target.startswith("/api/"):
                return 200, {}, b"{}"
            link = f'<https://huggingface.co/{TOKEN}/{COMMIT}>; rel="xet-auth"'
            stored = {"X-Xet-Hash": "b" * 64, "Link": link} if xet else {}
            return 200, FILE | stored, CONTENT

        with local_http(answer) as address:
            yield address


def run(code: str, variables: Mapping[str, str], **served: Any) -> subprocess.CompletedProcess[str]:
    """Run code in a new process, which has the mirror's address and these variables."""
    with mirror(**served) as address:
        env = os.environ | {"HF_ENDPOINT": address, "HF_HUB_OFFLINE": "0", **variables}
        done = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False
        )
    print(done.stdout + done.stderr)
    return done


def printed() -> dict[str, str]:
    """Return the variable that the page sets."""
    name, value = snippet_text("disable").removeprefix("export ").strip().split("=")
    return {name: value}


def download(*, once: bool = True, late: bool = False, disable: bool = False) -> dict[str, Any]:
    """Download the file through the mirror, whose storage nobody reaches.

    Args:
        once: The storage is asked once, and not until the client gives up.
        late: The script sets the page's variable after the import.
        disable: The page's line stands before the start.
    """
    more = {"HF_XET_CLIENT_RETRY_MAX_ATTEMPTS": "1"} if once else {}
    line = "; ".join(f"os.environ[{name!r}] = {value!r}" for name, value in printed().items())
    code = DOWNLOAD.replace("LATE", line if late else "")
    start = time.monotonic()
    done = run(code, more | (printed() if disable else {}))
    measure(waited=time.monotonic() - start, late=late)
    if done.returncode:
        sys.exit(done.returncode)
    return {"size": int(done.stdout.split()[-1])} | asked(disable=disable)


def asked(*, disable: bool = False, token: str = "", **served: Any) -> dict[str, Any]:
    """Ask the page's check, which raises where the storage is not reached."""
    variables = (printed() if disable else {}) | ({"HF_TOKEN": token} if token else {})
    done = run(snippet_text("ask"), variables, **served)
    found = "ConnectError" in done.stderr or "ConnectTimeout" in done.stderr
    return {"found": found, "code": done.returncode}
