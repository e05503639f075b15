"""Parse Python code, one thread at a time.

CPython 3.11 keeps the depth of the tree that it builds in one place for all threads. Where another
thread builds one in between (when the garbage collector lets it run), it raises a `SystemError`.
Steps run side by side in threads, and what they run is read there.
"""

from __future__ import annotations

import ast
import threading

_one_at_a_time = threading.Lock()


def parse(code: str | bytes) -> ast.Module:
    """Return the tree of a module.

    Args:
        code: Its source.

    Raises:
        SyntaxError: It is not valid Python.
        ValueError: It holds a null byte.
    """
    with _one_at_a_time:
        return ast.parse(code)
