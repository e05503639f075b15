"""What people call the same thing: groups of words that find the same pages."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field, RootModel

from fixbook.book import Category, Line, build_model, read_yaml
from fixbook.log.tokens import phrase_of

if TYPE_CHECKING:
    from collections.abc import Iterable

FILE = Path(__file__).with_name("synonyms.yaml")
ELSEWHERE = Path(__file__).with_name("elsewhere.yaml")


class Group(BaseModel):
    """Words for one thing.

    Attributes:
        category: Entries of this category are found by all of them.
        zh: Chinese ones.
        en: English ones.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    category: Category | None = None
    zh: list[Line] = Field(min_length=1)
    en: list[Line] = Field(min_length=1)

    @property
    def words(self) -> list[str]:
        """Those of both languages."""
        return [*self.zh, *self.en]


class _Groups(RootModel[list[Group]]):
    pass


@functools.cache
def groups() -> list[Group]:
    """Read all groups."""
    return build_model(_Groups, read_yaml(FILE)).root


@functools.cache
def _phrases() -> list[tuple[Group, frozenset[str]]]:
    return [(group, frozenset(map(phrase_of, group.words))) for group in groups()]


class _Names(RootModel[list[list[Line]]]):
    pass


@functools.cache
def elsewhere() -> list[str]:
    """Names of what the book has nothing on, in lower case."""
    listed = build_model(_Names, read_yaml(ELSEWHERE)).root
    return [name.lower() for names in listed for name in names]


def synonyms_of(aliases: Iterable[str], categories: Iterable[str] = ()) -> list[Group]:
    """Return the groups that find a page.

    Args:
        aliases: What people type for it; one word of a group brings in the group.
        categories: Where it is listed.
    """
    own = {phrase_of(alias) for alias in aliases}
    listed = set(categories)
    return [
        group
        for group, phrases in _phrases()
        if group.category in listed or not own.isdisjoint(phrases)
    ]
