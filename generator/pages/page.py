"""A page of the site: where it lies and what it says."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """One generated page in one language.

    Attributes:
        path: Its Markdown source within the language, such as ``<slug>/index.md``.
        title: Its title as plain text, for the navigation.
        text: Its Markdown, with front matter.
    """

    path: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Download:
    """A file offered beside a page.

    Attributes:
        path: Where it lies within the language.
        content: What it holds.
    """

    path: str
    content: str
