"""Text that something on its way has rewritten: colours, JSON strings, HTML, Markdown, blanks.

Literals are looked for in raw bytes, so they are looked for in these disguises too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[@-Z\\-_])")
# Colours whose escape character was lost, as in a notebook's text; `metrics[metric]` has none.
COLOURS = re.compile(r"\[(?:\d{1,3}(?:;\d{1,3}){0,4}m|m(?=[\s\[]|$))")
# Words that Markdown sets in bold; keyword arguments in code are none.
BOLD = re.compile(r"(?<![\w*)\]])\*\*([^\s*](?:[^*]{0,300}[^\s*])?)\*\*(?![\w*])", re.ASCII)
ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|#39|#x27|#34);")
ENTITIES = dict(
    zip(
        ("&lt;", "&gt;", "&amp;", "&quot;", "&#34;", "&apos;", "&#39;", "&#x27;", "&nbsp;"),
        ("<", ">", "&", '"', '"', "'", "'", "'", " "),
        strict=True,
    )
)
# Quotes as editors and chats set them; programs print straight ones.
CURLY = {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"'}
# Blanks that are none, and two letters that fold to ASCII only where Unicode is folded.
LOOKALIKES = {"\u00a0": " ", "\u202f": " ", "\u017f": "s", "\u212a": "k", **CURLY}
# The right side of a box or a table that Rich draws.
BOX_END = re.compile("[ \t]{0,400}[\u2502\u2503][ \t]{0,400}$")
ZERO_WIDTH = re.compile("[\u200b-\u200f\u2060\ufeff]")
NO_BREAK = b"\xc2\xa0"
# The first bytes of each curly quote, and what stands for it in a literal.
CURLY_BYTES = {sign.encode(): straight.encode() for sign, straight in CURLY.items()}
CURLY_START = b"\xe2\x80"
# Characters before a JSON object that its lines get as their prefix.
MOST_BEFORE = 256

# Strings of a JSON object that hold what was printed. A `text` may be a sample of training data:
# it is taken for what was printed where it begins with a time, a level or an error.
FIELD = re.compile(
    r"""
    "(?:(?:log|message|msg|textPayload|MESSAGE|line|event|body|detail|stdout|stderr
    |err|error|exception|exc_info|stack|stack_trace|traceback)":\s?"
    |text":\s?"(?=\d{4}-\d|\[|[A-Z]{4,8}\b|Traceback|[\w.]{0,80}(?:Error|Exception)\b))
    """,
    re.VERBOSE | re.ASCII,
)
# Line feeds of a string that holds a log.
FEEDS = re.compile(
    r"""
    \\n(?=(?:[ ]|\\t){0,40}(?:File[ ]|Traceback[ ]\(|\[rank\d
    |[\w.]{0,200}(?:Error|Exception)\b|["']?[,}\s]|$))
    """,
    re.VERBOSE | re.ASCII,
)
QUOTED = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\"'\\/bfnrt]))",
    re.ASCII,
)
SIGNS = {"n": "\n", "r": "\n", "t": "\t", "b": "", "f": ""}
# Halves of a pair, of which one alone means nothing.
_HALVES = range(0xD800, 0xE000)
_REPLACEMENT = 0xFFFD

# How a literal is written where it was quoted: pairs of a text and what stands for it.
DISGUISES: tuple[tuple[tuple[str, str], ...], ...] = (
    (("\\", "\\\\"), ('"', '\\"')),
    (("\\", "\\\\"), ('"', '\\"'), ("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026")),
    (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")),
    (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")),
    (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&#34;"), ("'", "&#x27;")),
)
# What one of them writes in another way; most literals hold none of it.
SIGNED = re.compile("[{}]".format("".join(sorted({re.escape(p[0]) for d in DISGUISES for p in d}))))


def straight(chunk: bytes) -> bytes:
    """Write straight quotes for curly ones."""
    if CURLY_START in chunk:
        for curly, plain_quote in CURLY_BYTES.items():
            chunk = chunk.replace(curly, plain_quote)
    return chunk


def plain(text: str) -> str:
    """Take colours, special blanks, HTML entities and signs of bold off one line."""
    if "\x1b" in text:
        text = ESCAPES.sub("", text)
    if "m" in text and "[" in text:
        text = COLOURS.sub("", text)
    if "**" in text:
        text = BOLD.sub(r"\1", text)
    if "&" in text:
        text = ENTITY.sub(lambda found: ENTITIES[found[0]], text)
    if not text.isascii():
        text = ZERO_WIDTH.sub("", text)
        for sign, meant in LOOKALIKES.items():
            text = text.replace(sign, meant)
    return text


def unquoted(part: str) -> Iterator[str]:
    """Yield the lines that JSON strings in a line hold, and the line as it is."""
    start = part.find('{"')
    if start >= 0:
        before = part[:start] if start <= MOST_BEFORE else ""
        for field in FIELD.finditer(part, start):
            value = part[field.end() : _end_of_string(part, field.end())]
            yield from (before + line for line in _meant(value).split("\n") if line)
    if "\\n" in part and FEEDS.search(part):
        yield from (line for line in _meant(part).split("\n") if line)
    else:
        yield part


def _end_of_string(text: str, start: int) -> int:
    """Where the quote that is not itself quoted stands, or the end of a string cut off."""
    at = text.find('"', start)
    while at >= 0:
        before = at
        while before > start and text[before - 1] == "\\":
            before -= 1
        if (at - before) % 2 == 0:
            return at
        at = text.find('"', at + 1)
    return len(text)


def _meant(text: str) -> str:
    return QUOTED.sub(_sign, text)


def _sign(found: re.Match[str]) -> str:
    high, low, code, byte, sign = found.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF))
    if code or byte:
        number = int(code or byte, 16)
        return chr(_REPLACEMENT if number in _HALVES else number)
    return SIGNS.get(sign, sign)


def disguises_of(literal: str) -> list[str]:
    """Return a literal as it may be written in a log: itself, and quoted in JSON and HTML."""
    if literal.isascii() and not SIGNED.search(literal):
        return [literal]
    forms = [literal]
    for pairs in DISGUISES:
        form = literal
        for sign, written in pairs:
            form = form.replace(sign, written)
        forms.append(form)
    if not literal.isascii():
        forms.append("".join(sign if sign.isascii() else _by_number(sign) for sign in literal))
    return list(dict.fromkeys(forms))


def _by_number(sign: str) -> str:
    return f"\\u{ord(sign):04x}"
