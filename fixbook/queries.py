"""What people paste and type for an entry: ``queries.yaml`` beside it, each of them tried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from fixbook.fields import Line, Slug
from fixbook.validate import build
from fixbook.yaml_source import read_yaml

if TYPE_CHECKING:
    from fixbook.book import BookEntry

FILE = "queries.yaml"
Kind = Literal["line", "variant", "paste", "keywords", "chinese"]
KINDS: tuple[Kind, ...] = ("line", "variant", "paste", "keywords", "chinese")


class Query(BaseModel):
    """One text that has to lead to the entry.

    Attributes:
        kind: The deciding ``line``, a ``variant`` of it over versions and prefixes, a whole
            ``paste``, English ``keywords``, or a ``chinese`` question.
        text: What is pasted or typed.
        symptom: The shared symptom (``as``) that is right too where the text cannot decide.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Kind
    text: Line
    symptom: Slug | None = Field(default=None, alias="as")


class _Queries(RootModel[list[Query]]):
    pass


def load_queries(item: BookEntry) -> list[Query]:
    """Load an entry's queries; an entry without the file has none.

    Args:
        item: The entry.

    Raises:
        BookError: The file is wrong; with its lines.
    """
    path = item.folder / FILE
    return build(_Queries, read_yaml(path)).root if path.is_file() else []
