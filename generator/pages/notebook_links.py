"""Where a reader opens the notebook of an entry: plain links, which ask nothing before a click."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from fixbook.repository import repository

if TYPE_CHECKING:
    from pathlib import Path

    from generator.text.strings import Words

BRANCH = "notebooks"  # of the repository; the workflow "publish" writes it
NOTEBOOK = "notebook.ipynb"
_SERVED = "github.com"  # the one host whose notebooks both services open by address


class Opened(NamedTuple):
    """A service that opens notebooks.

    Attributes:
        name: What the link says.
        url: Where it leads.
    """

    name: str
    url: str


def opened(slug: str, words: Words, root: Path) -> list[Opened]:
    """Return the services that open a notebook; none where the repository is not on GitHub.

    Args:
        slug: The entry.
        words: Strings of the language.
        root: The book, whose ``repository.txt`` says where the branch is.
    """
    base = repository(root)
    where = urlsplit(base)
    if where.netloc != _SERVED:
        return []
    path = f"blob/{BRANCH}/{words.lang}/{slug}/{NOTEBOOK}"
    colab = f"https://colab.research.google.com/github{where.path}/{path}"
    kaggle = f"https://www.kaggle.com/kernels/welcome?src={base}/{path}"
    return [Opened(words("open_colab"), colab), Opened(words("open_kaggle"), kaggle)]
