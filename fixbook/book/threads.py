"""Public threads that an entry was held against: how people came to it, and what ended it.

``threads.yaml`` beside an entry is for those who write it: each thread is one that the page does
not cite, and says whether the page would have led its reader to the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, RootModel, model_validator

from fixbook.book.fields import Line
from fixbook.book.strict import STRICT
from fixbook.book.validation import build_model
from fixbook.book.yaml_source import read_yaml
from fixbook.text import _

if TYPE_CHECKING:
    from fixbook.book.loading import BookEntry

THREADS_FILE = "threads.yaml"
_TARGET = (
    r"^(?:(?:fix|non_fix|signature|other|message):[a-z0-9-]+"
    r"|cause|detect|not_this_if|silent_twin|symptom|missing)$"
)


class Thread(BaseModel):
    """A thread, and what the page has for those who came by it.

    Attributes:
        url: Its address.
        route: How they came to the failure.
        ended: How it ended: ``unknown`` where the thread does not show it.
        by: What ended it.
        leads_to: The part of the page that is theirs: ``fix:ID``, ``non_fix:ID``,
            ``signature:ID``, ``cause``, ``detect``, ``symptom``, ``not_this_if``, ``silent_twin``,
            ``other:SLUG`` or ``message:ID`` for another page, or ``missing``.
        missing: What the page lacked, as long as it does.
        added: What was added to the page for it, and where.
        refused: Why nothing was added.
    """

    model_config = STRICT

    url: Annotated[str, Field(pattern=r"^https://[^\s<>\"'`]+$")]
    route: Line
    ended: Literal["solved", "worked-around", "other-cause", "unknown"]
    by: Line | None = None
    leads_to: Annotated[str, Field(pattern=_TARGET)]
    missing: Line | None = None
    added: Line | None = None
    refused: Line | None = None

    @model_validator(mode="after")
    def _says_what_is_missing(self) -> Self:
        if self.leads_to == "missing" and not self.missing:
            raise ValueError(_("leads to nothing: say under 'missing' what the page lacks"))
        return self


class _Threads(RootModel[list[Thread]]):
    model_config = ConfigDict(defer_build=True)


def load_threads(item: BookEntry) -> list[Thread]:
    """Load the threads of an entry; one without the file has none.

    Args:
        item: The entry.

    Raises:
        BookError: The file is wrong; with its lines.
    """
    path = item.folder / THREADS_FILE
    return build_model(_Threads, read_yaml(path)).root if path.is_file() else []
