"""What the reader's terminal is to be given besides text."""

from __future__ import annotations

import os
import sys

NO_COLOR = "NO_COLOR"  # as https://no-color.org says: set to anything but nothing


def plain_asked() -> bool:
    """Tell whether text alone was asked for, as notebooks do, which are terminals to programs."""
    return bool(os.environ.get(NO_COLOR))


def colours() -> bool:
    """Tell whether what is printed may be coloured."""
    return sys.stdout.isatty() and not plain_asked()


def rewritten() -> bool:
    """Tell whether a line may be written over another one."""
    return sys.stderr.isatty() and colours()
