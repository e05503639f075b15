"""The forms of the files of the API: additive only, published beside them as JSON Schema."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict  # the standard one has no schema before Python 3.12

from fixbook.article.data import Article, Message


class Meta(TypedDict):
    """``meta.json``: what there is, and where."""

    schema_version: int
    fixbook: str
    languages: list[str]
    entries: int
    messages: int
    rules: int
    root: str
    files: dict[str, str]
    schemas: dict[str, str]


class OnReleases(TypedDict):
    """One entry on the releases of one package."""

    broken: list[str]
    free: list[str]
    boundaries: list[dict[str, Any]]


class Versions(TypedDict):
    """``versions.json``: entries by package and slug."""

    schema_version: int
    packages: dict[str, dict[str, OnReleases]]


class Signatures(TypedDict):
    """``signatures.json``: patterns by entry or message."""

    schema_version: int
    entries: dict[str, dict[str, str]]
    messages: dict[str, list[str]]


class Records(TypedDict):
    """``osv/index.json``: names of the OSV records."""

    schema_version: int
    records: list[str]


class Head(TypedDict):
    """An entry in the index."""

    slug: str
    status: str
    title: str
    summary: str
    categories: list[str]
    projects: list[str]
    url: str
    markdown: str
    json: str


class MessageHead(TypedDict):
    """A message in the index."""

    slug: str
    title: str
    summary: str
    causes: list[str]
    json: str


class Index(TypedDict):
    """``<lang>/index.json``."""

    schema_version: int
    lang: str
    entries: list[Head]
    messages: list[MessageHead]


class Rules(TypedDict):
    """``<lang>/rules.json``: rules on configurations and machines."""

    schema_version: int
    rules: list[dict[str, Any]]


class Evidence(TypedDict):
    """``evidence/<slug>.json``: what was run of an entry, where and when."""

    schema_version: int
    slug: str
    shown: Any
    seen: list[dict[str, Any]]
    steps_seen: dict[str, int]
    machines: dict[str, dict[str, Any]]
    steps: dict[str, dict[str, Any]]


SERVED: dict[str, Any] = {
    "article": Article,
    "message": Message,
    "meta": Meta,
    "versions": Versions,
    "signatures": Signatures,
    "osv-index": Records,
    "index": Index,
    "rules": Rules,
    "evidence": Evidence,
}
