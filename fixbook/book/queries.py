"""What people paste and type for an entry, in two files beside it.

``queries.yaml`` holds texts of which each has to lead to the entry; ``words.yaml`` what people type
who know neither its title nor its aliases, most of which has to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from fixbook.book.fields import Line, Slug
from fixbook.book.strict import STRICT
from fixbook.book.validation import build_model
from fixbook.book.yaml_source import read_yaml

if TYPE_CHECKING:
    from fixbook.book.loading import BookEntry

QUERIES_FILE = "queries.yaml"
WORDS_FILE = "words.yaml"
LEAST_WORDS = 8
Kind = Literal["line", "variant", "paste", "keywords", "chinese"]
QUERY_KINDS: tuple[Kind, ...] = ("line", "variant", "paste", "keywords", "chinese")


class Query(BaseModel):
    """One text that has to lead to the entry.

    Attributes:
        kind: The deciding ``line``, a ``variant`` of it over versions and prefixes, a whole
            ``paste``, English ``keywords``, or a ``chinese`` question.
        text: What is pasted or typed.
        symptom: The shared symptom (``as``) that is right too where the text cannot decide.
    """

    model_config = STRICT

    kind: Kind
    text: Line
    symptom: Slug | None = Field(default=None, alias="as")


class Words(BaseModel):
    """What people type into a search box: short, colloquial, mixed, misspelt now and then.

    Written before the aliases, and not read off titles. Every second one is held out: how those
    fare tells how well search finds what nobody tuned it for (``python -m bench.word_queries``).

    Attributes:
        zh: What Chinese readers type.
        en: What English readers type.
    """

    model_config = STRICT

    zh: list[Line] = Field(min_length=LEAST_WORDS)
    en: list[Line] = Field(min_length=LEAST_WORDS)


class _Queries(RootModel[list[Query]]):
    model_config = ConfigDict(defer_build=True)


def load_queries(item: BookEntry) -> list[Query]:
    """Load an entry's queries; an entry without the file has none.

    Args:
        item: The entry.

    Raises:
        BookError: The file is wrong; with its lines.
    """
    path = item.folder / QUERIES_FILE
    return build_model(_Queries, read_yaml(path)).root if path.is_file() else []


def load_words(item: BookEntry) -> Words | None:
    """Load the words that people type for an entry.

    Args:
        item: The entry.

    Returns:
        They, or None where the file is missing.

    Raises:
        BookError: The file is wrong; with its lines.
    """
    path = item.folder / WORDS_FILE
    return build_model(Words, read_yaml(path)) if path.is_file() else None
