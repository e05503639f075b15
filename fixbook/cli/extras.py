"""Packages that only some commands need."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from fixbook.problem import BookError, Problem
from fixbook.text import _

if TYPE_CHECKING:
    from collections.abc import Iterable


def need_extra(command: str, packages: Iterable[str], extra: str) -> None:
    """Refuse a command whose packages are not installed.

    Args:
        command: What was asked for.
        packages: Modules that it imports.
        extra: Of Fixbook, which brings them.

    Raises:
        BookError: Some are missing; it says which, and how to get them.
    """
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        what = _("needs packages that are not installed: {names}").format(names=", ".join(missing))
        mend = _("install the extra: pip install '.[{extra}]' in a checkout").format(extra=extra)
        raise BookError([Problem(command, what, mend)])
