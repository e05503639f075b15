"""Fixbook: failures of large-model training and serving, with proof.

For programs: `Book`, `diagnose`, `check`, `audit` and `run`, each loaded when it is first used.
They return the plain data that the command prints with ``--json``. `install` answers below the
traceback of what nothing caught; ``%load_ext fixbook`` does so in IPython. With `fixbook.recipe`,
which recipes import, these are all that other code may rely on.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fixbook.api.book import Book
    from fixbook.api.configurations import check
    from fixbook.api.hook import install
    from fixbook.api.logs import diagnose
    from fixbook.api.releases import audit
    from fixbook.api.trials import run

__version__ = "0.1.0"
__all__ = ["Book", "audit", "check", "diagnose", "install", "run"]
_MODULES = {
    "Book": "book",
    "audit": "releases",
    "check": "configurations",
    "diagnose": "logs",
    "install": "hook",
    "load_ipython_extension": "hook",
    "run": "trials",
    "unload_ipython_extension": "hook",
}


def __getattr__(name: str) -> Any:
    """Load a public name; importing the package alone takes no time."""
    if name not in _MODULES:
        said = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(said)
    return getattr(import_module(f"{__name__}.api.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
