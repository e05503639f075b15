"""The site, on this machine alone, and a proxy before it that answers something else."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import os
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from fixbook.recipe.helpers import local_http

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CONTENT = b"weights-" * 500
LOGIN = b"<html>Please log in to the network</html>"
_FILE = {
    "Name": "model.bin",
    "Path": "model.bin",
    "Type": "blob",
    "Size": len(CONTENT),
    "Sha256": hashlib.sha256(CONTENT).hexdigest(),
    "Revision": "c" * 40,
    "IsLFS": True,
    "CommittedDate": 1,
    "Mode": "33188",
    "InCheck": False,
}
_REVISIONS = {"Branches": [{"Revision": "master", "BranchId": "b", "CreatedAt": 1}], "Tags": []}
_REST = {"Name": "model", "Path": "team", "Id": 1, "Visibility": 5, "CreatedTime": 1}


def _data(path: str) -> dict[str, Any]:
    if "/revisions" in path:
        return {"RevisionMap": _REVISIONS}
    if "/repo/files" in path:
        return {"Files": [_FILE], "LatestCommitter": {"Id": "c" * 40}}
    return _REST | {"LastUpdatedTime": 1, "InternalRegionQueryAddress": ""}


def _is_file(path: str) -> bool:
    return "FilePath=model.bin" in path or path.partition("?")[0].endswith("/model.bin")


def _site(_method: str, path: str, headers: Mapping[str, str], _body: bytes) -> Any:
    if not _is_file(path):
        said = {"Code": 200, "Success": True, "Message": "", "Data": _data(path)}
        return 200, {"Content-Type": "application/json"}, json.dumps(said).encode()
    if part := headers.get("Range"):
        first, last = (int(text) for text in part.removeprefix("bytes=").split("-"))
        known = {"Content-Range": f"bytes {first}-{last}/{len(CONTENT)}"}
        return 206, known, CONTENT[first : last + 1]
    return 200, {}, CONTENT


@contextlib.contextmanager
def site(answer: bytes | None = None) -> Iterator[None]:
    """Let the client find the site here, with empty folders of its own.

    Args:
        answer: What a proxy answers to a request for the file; None for no proxy.
    """

    def proxy(method: str, target: str, headers: Mapping[str, str], body: bytes) -> Any:
        parts = urlsplit(target)
        path = f"{parts.path}?{parts.query}"
        if answer is not None and _is_file(path):
            return 200, {}, answer
        return _site(method, path, headers, body)

    with local_http(_site) as address, local_http(proxy) as before:
        _point_to(address)
        os.environ["NO_PROXY"] = os.environ["no_proxy"] = ""
        if answer is not None:
            os.environ["HTTP_PROXY"] = os.environ["http_proxy"] = before
        yield


def _point_to(address: str) -> None:
    here = {"HOME": "home", "MODELSCOPE_CACHE": "cache"}
    os.environ.update({name: str(Path(value).resolve()) for name, value in here.items()})
    os.environ["MODELSCOPE_ENDPOINT"] = address
    if version("modelscope").startswith("1.3"):  # it knows HTTPS alone
        os.environ["MODELSCOPE_DOMAIN"] = urlsplit(address).netloc
        for name in ("modelscope.hub.api", "modelscope.hub.utils.utils"):
            importlib.import_module(name).MODELSCOPE_URL_SCHEME = "http://"


def leave_a_part() -> None:
    """Leave what an attempt at an older version of the file had downloaded."""
    part = Path("cache/models/._____temp/team/model/model.bin")
    part.parent.mkdir(parents=True)
    part.write_bytes(b"WEIGHTS-" * 100)
