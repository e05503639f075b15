"""A Hub of this machine's own, with a data set as a script and its conversion beside it."""

from __future__ import annotations

import io
import json
import os
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import pyarrow as pa
import pyarrow.parquet as pq
from failure import ROWS, SCRIPT

from fixbook.recipe.helpers.local_http import local_http

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

REPO = "team/poems"
MAIN, CONVERTED = "0" * 40, "1" * 40
NAMES = {"main": MAIN, "refs/convert/parquet": CONVERTED, MAIN: MAIN, CONVERTED: CONVERTED}


def converted() -> bytes:
    """Return what the Hub's conversion keeps: a table of samples."""
    table = {"text": ["A red door.", "Two birds."], "words": [3, 2]}
    target = io.BytesIO()
    pq.write_table(pa.table(table), target)
    return target.getvalue()


def on_hub(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Do some work with such a Hub."""
    files = {
        MAIN: {"poems.py": SCRIPT.encode(), "rows.jsonl": ROWS.encode()},
        CONVERTED: {"default/train/0000.parquet": converted()},
    }

    def answer(_: str, target: str, __: Mapping[str, str], body: bytes) -> Any:
        return answered(files, unquote(urlsplit(target).path), body)

    with local_http(answer) as address:
        os.environ |= {"HTTP_PROXY": address, "http_proxy": address}
        return work()


def answered(files: Mapping[str, Mapping[str, bytes]], path: str, body: bytes) -> Any:
    """Answer as the Hub does, for the one repository."""
    if path == f"/api/datasets/{REPO}":
        return about(files, MAIN)
    for kind in ("resolve", "revision", "tree", "paths-info"):
        _, found, rest = path.partition(f"/datasets/{REPO}/{kind}/")
        name = next((name for name in NAMES if f"{rest}/".startswith(f"{name}/")), "")
        if found and files.get(NAMES.get(name, "")):
            return of_commit(files, kind, NAMES[name], rest[len(name) + 1 :], body)
    return 404, {"X-Error-Code": "RepoNotFound"}, b""


def of_commit(
    files: Mapping[str, Mapping[str, bytes]], kind: str, commit: str, rest: str, body: bytes
) -> Any:
    """Answer a question about one commit."""
    if kind == "resolve":
        head = {"X-Repo-Commit": commit, "ETag": f'"{len(rest)}"'}
        if rest not in files[commit]:
            return 404, head | {"X-Error-Code": "EntryNotFound"}, b""
        return 200, head, files[commit][rest]
    if kind == "revision":
        return about(files, commit)
    rows: list[dict[str, Any]] = [
        {"type": "file", "path": path, "size": len(data), "oid": commit}
        for path, data in files[commit].items()
    ]
    parents = {str(parent) for path in files[commit] for parent in PurePosixPath(path).parents}
    rows += [{"type": "directory", "path": path, "oid": commit} for path in parents - {"."}]
    asked = json.loads(body)["paths"] if kind == "paths-info" else None
    return given([r for r in rows if (r["path"] in asked if asked else r["path"].startswith(rest))])


def about(files: Mapping[str, Mapping[str, bytes]], commit: str) -> Any:
    """Tell what the repository is at a commit."""
    named = [{"rfilename": name} for name in files[commit]]
    return given({"id": REPO, "sha": commit, "siblings": named})


def given(what: Any) -> Any:
    """Return it as an answer."""
    return 200, {"Content-Type": "application/json"}, json.dumps(what).encode()
