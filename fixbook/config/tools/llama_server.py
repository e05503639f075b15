"""llama.cpp's programs: the options of ``llama-server`` and ``llama-cli``, read from their source.

Underscores stand for hyphens in names of two, nothing is completed, and what is not declared is
refused. An option and its value are two words: whatever stands there is taken. One table
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
_HANDLER = re.compile(r"\[[^\]]*\]\(common_params ?&[^,)]*(?:,\s*([^,)]*))?(,)?")
# What follows the image is the options of the server that it starts; a tag may name the build.
_IMAGE = r"(?:^|/)(?:ggml-org|ggerganov)/llama\.cpp:server(?:-[\w.-]+)?$"
_BUILD = re.compile(r"/llama\.cpp:server[\w-]*-b(\d{1,6})$")
_LONG = re.compile(r"--[a-z][\w-]*")
_SHORT = re.compile(r"-[A-Za-z][\w-]*")
_CHOICES = re.compile(r'"(?:\{([\w, -]+)\}|\[([\w|]+)\])"')
_SWITCHES = {"on": ("enabled", "true", "1"), "off": ("disabled", "false", "0"), "auto": ("-1",)}
_OF_CACHE = "get_all_kv_cache_types()"
_CACHE = re.compile(r"\bkv_cache_types = \{([^}]*)\}")
_TYPE = re.compile(r"\bGGML_TYPE_(\w+)")


def release_of(image: str) -> str | None:
    """Return the release that the tag of an image names, as the table has releases."""
    found = _BUILD.search(image)
    return f"{found[1]}.0.0" if found else None


def is_image(word: str) -> bool:
    """Tell whether a word is an image that starts the server."""
    return bool(re.search(_IMAGE, word))


def is_short(word: str) -> bool:
    """Tell whether a word is an option of one hyphen; a number below zero is none."""
    return bool(_SHORT.match(word))


def _extract(files: Mapping[str, str]) -> dict[str, Keys]:
    source = _COMMENT.sub("", files.get(SOURCE, ""))
    listed = _CACHE.search(source)
    of_cache = [name.lower() for name in _TYPE.findall(listed[1])] if listed else []
    keys: Keys = {}
    for declared in _STARTS.split(source)[1:]:
        keys |= dict(_declared(declared, of_cache))
    return {SERVE: keys}


def _declared(text: str, of_cache: list[str]) -> Iterator[tuple[str, Shape]]:
    """Options of one declaration: names, perhaps those that turn it off, and what handles it."""
    names: list[str] = []
    while found := _NAMES.match(text):
        names += _TEXT.findall(found[1])
        text = text[found.end() :]
    shape = _taken(text, of_cache)
    for name in names:
        if _LONG.fullmatch(name):
            yield name[2:].replace("-", "_"), shape
        elif _SHORT.fullmatch(name):
            yield name, shape


def _taken(text: str, of_cache: list[str]) -> Shape:
    """Return what an option takes, of the rest of its declaration."""
    from fixbook.config.extract.classes import Shape

    handler, choices = _HANDLER.search(text), _CHOICES.match(text)
    taken = (handler[1] or "").strip() if handler else "?"
    if not taken or taken.startswith("bool"):
        return Shape({"flag"})
    if taken.startswith("int"):
        return Shape({"int"})
    if _OF_CACHE in text and of_cache:
        return Shape({"literal"}, values=of_cache)
    if choices and choices[1]:
        return Shape({"literal"}, values=[name.strip() for name in choices[1].split(",")])
    if choices:
        names = [(name, *_SWITCHES.get(name, ())) for name in choices[2].split("|")]
        return Shape({"literal"}, values=[name for one in names for name in one])
    is_one = handler and taken.startswith("const std::string") and not handler[2]
    return Shape({"str" if is_one else "any"})


TOOL = Tool(
    "llama-server",
    "llama.cpp",
    command=re.compile(rf"(?:^|/)llama-(?:server|cli)$|{_IMAGE}"),
    extract=_extract,
    serves=True,
    completes=False,
)
