"""The book for machines without a network: one file that shows itself.

An archive is a zip that Python runs: the built site, the wheels of the command, and this module as
its ``__main__``. So ``python fixbook.pyz`` works where fixbook is not installed; nothing but the
standard library is imported here. Only this machine can ask, and no file is unpacked.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import mimetypes
import posixpath
import re
import sys
import webbrowser
import zipfile
import zlib
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

HOST = "127.0.0.1"
SITE = "site/"
WHEELS = "wheels/"
_MOST = 64 * 1024**2  # bytes of one file; the largest of the site is a tenth of it
_OWN_HOST = re.compile(r"(?i)(?:(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?)?")
_DAMAGES = (
    *(zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError),
)
_TYPES = {
    ".md": "text/markdown; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".yaml": "text/plain; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".wasm": "application/wasm",
    ".ipynb": "application/json",
}


class ArchiveError(Exception):
    """The archive cannot be opened or served; the message says why, in English and Chinese."""


class Archive:
    """An archive that is open.

    Attributes:
        names: The files of the site, without `SITE`.
        wheels: The names of the wheels.
    """

    def __init__(self, path: Path) -> None:
        """Open an archive.

        Raises:
            ArchiveError: It is none.
        """
        try:
            self._zip = zipfile.ZipFile(path)
            found = self._zip.namelist()
        except OSError as error:
            raise ArchiveError(f"{path}: {error.strerror or error} / 打不开") from None
        except (zipfile.BadZipFile, ValueError):
            raise ArchiveError(f"{path}: is no archive of Fixbook / 不是修复手册的归档") from None
        self.names = {name.removeprefix(SITE) for name in found if name.startswith(SITE)}
        self.wheels = [name for name in found if name.startswith(WHEELS) and name.endswith(".whl")]
        if "index.html" not in self.names:
            raise ArchiveError(f"{path}: holds no site of Fixbook / 里面没有修复手册的网站")

    def read(self, name: str) -> bytes:
        """Return a file of the site.

        Raises:
            ArchiveError: It is damaged, or larger than any file of the site.
        """
        return self._read(SITE + name)

    def unpack_wheels(self, folder: Path) -> list[Path]:
        """Write the wheels into a folder.

        Raises:
            ArchiveError: A wheel is damaged, or the folder cannot be written.
        """
        written = []
        for name in self.wheels:
            path = folder / posixpath.basename(name)
            content = self._read(name)
            try:
                folder.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            except OSError as error:
                raise ArchiveError(f"{path}: {error.strerror} / 写不了") from None
            written.append(path)
        return written

    def _read(self, name: str) -> bytes:
        try:
            if self._zip.getinfo(name).file_size > _MOST:
                raise ArchiveError(f"{name}: is too large / 太大")
            return self._zip.read(name)
        except _DAMAGES as error:
            raise ArchiveError(f"{name}: is damaged ({error}) / 已损坏") from None


class _Handler(BaseHTTPRequestHandler):
    timeout = 60.0  # seconds, after which a client that sends nothing is left

    def __init__(self, *args: Any, archive: Archive, **options: Any) -> None:
        self._archive = archive
        super().__init__(*args, **options)

    def do_GET(self) -> None:
        # Who comes by another name, one that somebody has made lead here, gets nothing.
        if not _OWN_HOST.fullmatch(self.headers.get("Host", "")):
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
            return
        asked = unquote(urlsplit(self.path).path).lstrip("/")
        names = self._archive.names
        if not asked or asked.endswith("/"):
            asked += "index.html"
        elif asked not in names and f"{asked}/index.html" in names:
            self.send_response(HTTPStatus.MOVED_PERMANENTLY)
            self.send_header("Location", f"/{asked}/")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self._send(asked)

    do_HEAD = do_GET  # noqa: N815  (as http.server asks for it)

    def _send(self, asked: str) -> None:
        code = HTTPStatus.OK
        if asked not in self._archive.names:
            code, language = HTTPStatus.NOT_FOUND, asked.partition("/")[0]
            pages = (f"{language}/404.html", "404.html")
            asked = next((page for page in pages if page in self._archive.names), "")
        try:
            body = self._archive.read(asked) if asked else b""
        except ArchiveError as error:
            self.send_error(HTTPStatus.INTERNAL_SERVER_ERROR, explain=str(error))
            return
        suffix = posixpath.splitext(asked)[1]
        kind = _TYPES.get(suffix) or mimetypes.guess_type(asked)[0] or "application/octet-stream"
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Stay quiet: the address is all a reader needs to see."""


class _Server(ThreadingHTTPServer):
    request_queue_size = 128  # a browser opens many connections at once

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say what went wrong, unless the client has gone."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


def server(archive: Archive, port: int) -> ThreadingHTTPServer:
    """Open a server of an archive on this machine's loopback address.

    Args:
        archive: The archive.
        port: Port to listen on; 0 for any free one.

    Raises:
        ArchiveError: The port is taken or not allowed.
    """
    try:
        return _Server((HOST, port), partial(_Handler, archive=archive))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            said = f"port {port} is in use; choose another with --port / 端口 {port} 已被占用"
            raise ArchiveError(said) from None
        raise ArchiveError(f"port {port}: {error.strerror} / 端口 {port} 打不开") from None


def show(archive: Archive, port: int, *, browser: bool) -> None:
    """Serve an archive until Ctrl-C.

    Args:
        archive: The archive.
        port: Port to listen on; 0 for any free one.
        browser: Open it in the reader's browser.

    Raises:
        ArchiveError: The port is taken or not allowed.
    """
    with server(archive, port) as listening:
        url = f"http://{HOST}:{listening.server_address[1]}/"
        print(f"{url}  (Ctrl-C ends it / 按 Ctrl-C 结束)", flush=True)  # noqa: T201
        if browser:
            webbrowser.open(url)
        with contextlib.suppress(KeyboardInterrupt):
            listening.serve_forever()


def main() -> int:
    """Serve the archive that this module is the program of, or write its wheels."""
    parser = argparse.ArgumentParser(
        description="Fixbook without a network: the site, and the wheels of its command. / "
        "没有网络也能用的修复手册：网站，以及命令的 wheel。"
    )
    parser.add_argument("--port", type=int, default=0, help="by default a free one / 默认任选空闲")
    parser.add_argument(
        "--no-browser", action="store_true", help="only print the address / 只打印地址"
    )
    parser.add_argument(
        "--wheels", type=Path, metavar="DIR", help="write the wheels there and end / 写出 wheel"
    )
    options = parser.parse_args()
    try:
        archive = Archive(Path(sys.argv[0]))
        if options.wheels is None:
            show(archive, options.port, browser=not options.no_browser)
            return 0
        archive.unpack_wheels(options.wheels)
    except ArchiveError as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2
    print(f"pip install --no-index --find-links {options.wheels} fixbook")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
