"""Answer below the traceback: when an exception reaches the top, say which entry explains it.

Nothing but the standard library is imported before there is one, and whatever goes wrong in the
answering leaves the traceback as it was.
"""

from __future__ import annotations

import os
import sys
import traceback
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import TracebackType

OFF = "FIXBOOK_HOOK"  # set to 0, nothing is said
_MOST = 200_000  # characters of a traceback; a deep recursion has more
_before: Any = None


def install() -> None:
    """Print the answer of the book below the traceback of an exception that nothing caught.

    In plain Python, in scripts, and in each rank under ``torchrun``; in IPython and Jupyter
    ``%load_ext fixbook`` does it. ``FIXBOOK_HOOK=0`` keeps it silent. To call it twice is the same
    as once.
    """
    global _before
    if sys.excepthook is not _excepthook:
        _before, sys.excepthook = sys.excepthook, _excepthook


def uninstall() -> None:
    """Take back what `install` did, unless somebody else has set a hook since."""
    if sys.excepthook is _excepthook:
        sys.excepthook = _before


def load_ipython_extension(shell: Any) -> None:
    """Answer below tracebacks of IPython: ``%load_ext fixbook``."""
    shell.set_custom_exc((Exception,), _in_ipython)


def unload_ipython_extension(shell: Any) -> None:
    """Leave IPython as it was: ``%unload_ext fixbook``."""
    shell.set_custom_exc((), None)


def _excepthook(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    _before(kind, error, trace)
    _say(error)


def _in_ipython(
    shell: Any,
    kind: type[BaseException],
    error: BaseException,
    trace: TracebackType | None,
    tb_offset: int | None = None,
) -> None:
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
    _say(error)


def _say(error: BaseException) -> None:
    """Print the answer to standard error; nothing if the book does not know the exception."""
    if os.environ.get(OFF) == "0" or not isinstance(error, Exception):
        return
    try:
        text = _answer("".join(traceback.format_exception(error))[-_MOST:])
        if text:
            sys.stderr.write(f"\n{text}\n")
            sys.stderr.flush()
    except Exception:  # noqa: BLE001, S110  (a second traceback would hide the first)
        pass


def _answer(text: str) -> str:
    from fixbook.api.logs import Reader  # noqa: PLC0415
    from fixbook.log.answer_text import as_text  # noqa: PLC0415
    from fixbook.text import terminal_language  # noqa: PLC0415

    lang = terminal_language()
    told = Reader().text(text, lang, name="traceback")
    return as_text(told.answer, lang) if told.diagnosis.best else ""
