"""Stand-ins: a Hub that lists its files, a proxy behind which it has a certificate of its own."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import huggingface_hub
from failure import REPO, load, publish

from fixbook.recipe import measure, run_snippet, skip, snippet, snippet_text
from fixbook.recipe.helpers import local_http, local_hub

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

COMMIT = "0" * 40
PORTAL = (200, {"Content-Type": "text/html"}, b"<html>Please log in to this network</html>")
LIMIT = (429, {"Content-Type": "text/plain"}, b"Too many requests")
OPEN = b"HTTP/1.1 200 Connection established\r\n\r\n"
REFUSED = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"
BIN = {"PATH": f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}"}
LOAD = """import os
from transformers import AutoModelForCausalLM
{}
print(AutoModelForCausalLM.from_pretrained("team/model").generation_config.temperature)
"""
CERTIFICATE = """openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout key.pem
 -out company-ca.pem -subj /CN=company -addext subjectAltName=DNS:huggingface.co,DNS:hf-mirror.com
"""


@contextlib.contextmanager
def hub() -> Iterator[str]:
    """Serve the repository, and list its files; yield the address."""
    folder = publish()

    def answer(_method: str, target: str, _headers: Mapping[str, str], _body: bytes) -> Any:
        path = urlsplit(target).path
        if path.startswith("/api/"):
            entries = [
                {"type": "file", "path": one.name, "size": one.stat().st_size, "oid": one.name}
                for one in folder.iterdir()
            ]
            info = {"id": REPO, "sha": COMMIT, "siblings": []}
            return 200, {}, json.dumps(entries if "/tree/" in path else info).encode()
        file = folder / path.rpartition("/")[2]
        if not file.is_file():
            return 404, {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": COMMIT}, b""
        content = file.read_bytes()
        return 200, {"X-Repo-Commit": COMMIT, "ETag": f'"{file.name}"'}, content

    with local_http(answer) as address:
        yield address


def attempt(answer: Any = None, *, local_files_only: bool = False) -> dict[str, Any]:
    """Load by name; ``answer`` is what answers for the Hub, by default nobody.

    With ``local_files_only`` all files are in the cache, otherwise none.
    """
    publish()
    options = {"local_files_only": True} if local_files_only else {}
    if local_files_only:
        bring()
    measure(offline=huggingface_hub.constants.HF_HUB_OFFLINE)
    with local_hub({REPO: answer}) if answer else contextlib.nullcontext([]) as asked:
        temperature = load(**options).generation_config.temperature
        return {"temperature": temperature, "asked": len(asked)}


def bring(command: str = "", files: str = "") -> None:
    """Download with a command of the page, or these files alone."""
    with hub() as address:
        variables = {"HTTP_PROXY": address, "HF_HUB_OFFLINE": "0", **BIN}
        if command:
            measure(downloaded=run_snippet(command, env=variables).returncode)
        else:
            given = ["hf", "download", REPO, *files.split()]
            subprocess.run(given, env={**os.environ, **variables}, check=True)


def offline(command: str = "", files: str = "") -> dict[str, Any]:
    """Bring what is asked for, by default nothing; then load without a network."""
    if command or files:
        bring(command, files)
    name = "model" if command == "folder" else REPO
    temperature = load(name).generation_config.temperature
    return {"found": temperature != 0.3, "temperature": str(temperature)}


def ask(answer: Any = None) -> dict[str, Any]:
    """Ask with the page's code."""
    said = ""
    with local_hub({REPO: answer}) if answer else contextlib.nullcontext():
        try:
            commit = snippet("ask", repo=REPO)["commit"]
        except Exception as error:  # noqa: BLE001 - of whichever library sends requests
            commit, said = None, f"{type(error).__name__}: {error}"
    return {"found": commit is None, "said": said or str(commit)}


def script(setting: str = "") -> dict[str, Any]:
    """Run a script that loads by name, where hf-mirror.com can be reached and nothing else."""
    Path("train.py").write_text(LOAD.format(setting))
    with behind_a_proxy("hf-mirror.com", OPEN) as proxy:
        trusted = dict.fromkeys(("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"), "company-ca.pem")
        reached = {"HTTPS_PROXY": proxy, **trusted, "HF_HUB_OFFLINE": "0"}
        command = "python train.py" if setting else f"{snippet_text('mirror')}\npython train.py"
        done = subprocess.run(
            ["bash", "-c", command],
            check=False,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **reached, **BIN},
        )
    if done.returncode:
        raise SystemExit(done.returncode)
    return {"temperature": float(done.stdout.split()[-1])}


def tunnel(
    host: str = "huggingface.co", command: str = "", variables: dict[str, str] | None = None
) -> dict[str, Any]:
    """Load through a proxy that lets one host through, under the proxy's own certificate."""
    with behind_a_proxy(host, REFUSED) as proxy:
        os.environ["HTTPS_PROXY"] = proxy
        if command:
            text = f"{snippet_text(command)}\nprintenv SSL_CERT_FILE REQUESTS_CA_BUNDLE"
            done = subprocess.run(
                ["bash", "-c", text],
                check=True,
                capture_output=True,
                text=True,
                env={**os.environ, **BIN},
            )
            os.environ["SSL_CERT_FILE"], os.environ["REQUESTS_CA_BUNDLE"] = done.stdout.split()
        os.environ.update(variables or {})
        measure(set=sorted(variables or {}))
        return {"temperature": load().generation_config.temperature}


@contextlib.contextmanager
def behind_a_proxy(host: str, otherwise: bytes) -> Iterator[str]:
    """Serve the Hub as this host, with a certificate of one's own; yield the proxy's address.

    Whoever asks for another host gets ``otherwise``, and the connection ends.
    """
    if not shutil.which("openssl"):
        skip("needs the command openssl, which makes the certificate")
    subprocess.run(CERTIFICATE.split(), check=True, stderr=subprocess.DEVNULL)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain("company-ca.pem", "key.pem")
    server = socket.create_server(("127.0.0.1", 0))
    with hub() as address:
        place = (urlsplit(address).hostname or "", urlsplit(address).port or 0)

        def answer(raw: socket.socket) -> None:
            with contextlib.suppress(OSError):
                if f"CONNECT {host}:443 ".encode() not in raw.recv(65536):
                    raw.sendall(otherwise)
                    raw.close()
                    return
                raw.sendall(OPEN)
                inner = context.wrap_socket(raw, server_side=True)
                outer = socket.create_connection(place)
                threading.Thread(target=_pump, args=(outer, inner), daemon=True).start()
                _pump(inner, outer)

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    given = (server.accept()[0],)
                    threading.Thread(target=answer, args=given, daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}"
        finally:
            server.close()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
