"""Text of files, names and logs as it may be shown: nothing in it drives a terminal."""

from __future__ import annotations

import json
import re
from typing import Any

# Control characters but line feed and tab, and those that turn the direction of what follows.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    r"""Return a text with its control characters written out: an escape is ``\x1b``."""
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], text)


def printable_json(data: Any) -> str:
    r"""Return data as JSON that drives no terminal either: a control character is ``\u009b``."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
