"""A stand-in for the Hugging Face Hub, on this machine alone."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fixbook.recipe.helpers.local_http import local_http

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from fixbook.recipe.helpers.local_http import Answer

    Content = Path | Answer

_COMMIT = "0" * 40


@contextlib.contextmanager
def local_hub(repos: Mapping[str, Content | Callable[[str], Content]]) -> Iterator[list[str]]:
    """Answer requests to the Hub, in a step with HF_ENDPOINT=http://hub.test, HF_HUB_OFFLINE=0.

    The libraries send them through a proxy, which is this; nothing leaves the machine. Enter it
    before the step's first request.

    Args:
        repos: By repository (``"team/model"``): the folder whose files it serves; or status,
            headers and body of its answer to everything; or a function that is given the token,
            if any, and returns either. Of others the Hub says "not found".

    Yields:
        Method and path of each request so far (``"HEAD /team/model/resolve/main/config.json"``).
    """
    asked: list[str] = []

    def handler(method: str, target: str, headers: Mapping[str, str], _: bytes) -> Answer:
        path = urlsplit(target).path
        asked.append(f"{method} {path}")
        parts = path.removeprefix("/api/models").strip("/").split("/")
        repo = repos.get("/".join(parts[:2]))
        if callable(repo):
            repo = repo(_token(headers))
        if repo is None:
            return 404, {"X-Error-Code": "RepoNotFound"}, b""
        return _serve(repo, parts[2:]) if isinstance(repo, Path) else repo

    before = os.environ.get("HTTP_PROXY")
    with local_http(handler) as address:
        os.environ["HTTP_PROXY"] = address
        try:
            yield asked
        finally:
            os.environ.pop("HTTP_PROXY")
            if before is not None:
                os.environ["HTTP_PROXY"] = before


def _token(headers: Mapping[str, str]) -> str:
    sent = {name.lower(): value for name, value in headers.items()}
    return sent.get("authorization", "").removeprefix("Bearer ")


def _serve(folder: Path, parts: list[str]) -> Answer:
    if parts[:1] != ["resolve"]:  # of the rest, nothing but the status is of use here
        return 200, {}, b"{}"
    path = folder.joinpath(*parts[2:])
    if not path.is_file():
        return 404, {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": _COMMIT}, b""
    content = path.read_bytes()
    return 200, {"X-Repo-Commit": _COMMIT, "ETag": f'"{len(content)}"'}, content
