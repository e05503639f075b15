"""Where the sources of the book lie: where a report, a correction or an edit is sent.

The addresses of forms and files are those of GitHub; Forgejo and Gitea take the same.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote, urlsplit

from fixbook.book_root import book_root
from fixbook.site_address import is_address

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Form = Literal["not-recognised", "wrong-match", "wrong-sentence", "new-entry"]
REPOSITORY_VARIABLE = "FIXBOOK_REPOSITORY"
FILE = "repository.txt"
BRANCH = "main"
MOST_ADDRESS = 7000  # servers refuse longer addresses
_PLAIN = "!'()*"  # what browsers leave as it is
_NAMES = re.compile(r"(?:/[\w.-]+){2,}", re.ASCII)  # an owner and a name; groups may be nested


def repository(root: Path | None = None) -> str:
    """Return the address of the repository, without a slash at its end; empty if there is none.

    Args:
        root: The book; by default `book_root` decides.

    Raises:
        BookError: It is no address of a repository, and the links would lead nowhere.
    """
    path = (root or book_root()) / FILE
    if REPOSITORY_VARIABLE in os.environ:
        return _checked(os.environ[REPOSITORY_VARIABLE], f"${REPOSITORY_VARIABLE}")
    if not path.is_file():  # a book of one's own, which is kept nowhere
        return ""
    said = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    return _checked("".join(said), str(path))


def issues_address() -> str:
    """Return where a kind of issue is chosen; empty if there is no repository."""
    base = repository()
    return f"{base}/issues/new/choose" if base else ""


def issue_address(
    form: Form, title: str, fields: Mapping[str, str], root: Path | None = None
) -> str:
    """Return the address of a new issue that is filled in; empty if there is no repository.

    Args:
        form: A file of ``.github/ISSUE_TEMPLATE/``, without its ending.
        title: Title of the issue.
        fields: What stands in the fields of the form, by their ids. The end of the longest is left
            out where the address would be too long.
        root: The book; by default `book_root` decides.
    """
    base = repository(root)
    if not base:
        return ""
    parts = {"template": f"{form}.yml", "title": title, **fields}
    while len(address := f"{base}/issues/new?{_query(parts)}") > MOST_ADDRESS:
        longest = max(parts, key=lambda name: len(parts[name]))
        parts[longest] = parts[longest][: len(parts[longest]) * 3 // 4]
    return address


def edit_address(path: str, root: Path | None = None) -> str:
    """Return where a file of the book is edited; empty if there is no repository.

    Args:
        path: The file, from the root of the repository.
        root: The book; by default `book_root` decides.
    """
    base = repository(root)
    return f"{base}/edit/{BRANCH}/{quote(path)}" if base else ""


def _query(parts: Mapping[str, str]) -> str:
    return "&".join(f"{name}={quote(text, safe=_PLAIN)}" for name, text in parts.items() if text)


def _checked(said: str, where: str) -> str:
    base = said.strip().rstrip("/").removesuffix(".git")
    parts = urlsplit(base)
    # A name before an @ would be a password in every page.
    if not base or (is_address(base) and "@" not in parts.netloc and _NAMES.fullmatch(parts.path)):
        return base
    from fixbook.problem import BookError, Problem  # noqa: PLC0415
    from fixbook.text import _  # noqa: PLC0415  (needed once, and slow)

    what = _("{base} is no address of a repository").format(base=repr(said.strip()))
    mend = _("write one such as https://github.com/acme/fixbook, or leave it empty")
    raise BookError([Problem(where, what, mend)])
