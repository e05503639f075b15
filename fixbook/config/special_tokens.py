"""Tokens of tokenizers in angle brackets, which look like what a reader is asked to fill in."""

from __future__ import annotations

import re

_WORDS = (
    "s|pad|padding|unk|bos|eos|bop|eop|sop|eod|eot|eom|eoh|eoa|cls|sep|mask|nl|newline|repo_name"
    "|gmask|smask|dmask|image|video|audio|box|ref|quad|think|thought|answer|tool_call"
    "|tool_response|jupyter_\\w+|file_sep|issue_\\w+|commit_\\w+|fim[_-]\\w+"
    "|(?:start|begin|end)_?of_?\\w+|image_soft_token|extra_id_\\d+|unused_?\\d+"
    "|reserved\\w*_\\d+|special_\\d+|0x[0-9A-F]{2}"
)
# With bars as most write them, as DeepSeek does, or one of its words; a closing tag is one always.
_TOKEN = rf"<\|[^<>|${{}}]*\|>|<｜[^<>｜${{}}]*｜>|</\w+>|<\[\w+\]>|<(?i:{_WORDS})>"
_ONE = re.compile(_TOKEN)
_SEVERAL = re.compile(rf"(?:{_TOKEN})+")


def is_special(text: str) -> bool:
    """Tell whether a text is a token, or several in a row, and nothing to fill in."""
    return bool(_SEVERAL.fullmatch(text))


def without_special(text: str) -> str:
    """Return a text without the tokens in it."""
    return _ONE.sub("", text)
