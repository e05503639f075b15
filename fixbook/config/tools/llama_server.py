"""llama.cpp's programs: the options of ``llama-server`` and ``llama-cli``, read from their source.

Underscores stand for hyphens, nothing is completed, and what is not declared is refused. One table
serves both programs: an option of the one is refused by the other, and that is not told.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.config.tool import Tool

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fixbook.config.extract.classes import Shape
    from fixbook.config.tool import Keys

SERVE = "serve"
SOURCE = "llama.cpp/common/arg.cpp"
_COMMENT = re.compile(r"(?m)^\s*//.*$")
_STARTS = re.compile(r"\bcommon_arg\(\s*(?=\{)")
_NAMES = re.compile(r"\{([^{}]*)\}\s*,\s*")
_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
_HANDLER = re.compile(r"\[[^\]]*\]\(common_params ?&[^,)]*(?:,\s*([^,)]*))?")
# What follows the image is the options of the server that it starts; a tag may name the build.
_IMAGE = r"(?:^|/)(?:ggml-org|ggerganov)/llama\.cpp:server(?:-[\w.-]+)?$"
_BUILD = re.compile(r"/llama\.cpp:server[\w-]*-b(\d{1,6})$")
_LONG = re.compile(r"--[a-z][\w-]*")


def release_of(image: str) -> str | None:
    """Return the release that the tag of an image names, as the table has releases."""
    found = _BUILD.search(image)
    return f"{found[1]}.0.0" if found else None


def is_image(word: str) -> bool:
    """Tell whether a word is an image that starts the server."""
    return bool(re.search(_IMAGE, word))


def _extract(files: Mapping[str, str]) -> dict[str, Keys]:
    keys: Keys = {}
    for declared in _STARTS.split(_COMMENT.sub("", files.get(SOURCE, "")))[1:]:
        keys |= dict(_declared(declared))
    return {SERVE: keys}


def _declared(text: str) -> Iterator[tuple[str, Shape]]:
    """Options of one declaration: names, perhaps those that turn it off, and what handles it."""
    from fixbook.config.extract.classes import Shape

    names: list[str] = []
    while found := _NAMES.match(text):
        names += _TEXT.findall(found[1])
        text = text[found.end() :]
    handler = _HANDLER.search(text)
    taken = (handler[1] or "").strip() if handler else "?"
    shape = Shape({"any"})
    if not taken or taken.startswith("bool"):
        shape = Shape({"flag"})
    elif taken.startswith("int"):
        shape = Shape({"int"})
    for name in names:
        if _LONG.fullmatch(name):
            yield name[2:].replace("-", "_"), shape


TOOL = Tool(
    "llama-server",
    "llama.cpp",
    command=re.compile(rf"(?:^|/)llama-(?:server|cli)$|{_IMAGE}"),
    extract=_extract,
    serves=True,
    completes=False,
)
