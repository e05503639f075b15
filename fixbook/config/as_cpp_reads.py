"""How llama.cpp reads words that look right: a number up to its first letter, no ``=`` at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.config.finding import Finding
from fixbook.config.tools import llama_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.config.setting import ConfigDocument, Section, Setting

_BEGINS = re.compile(r"([+-]?\d+)([kK]?)(\S*)")
_KIBI = 1024
_ABOVE_ZERO = ("-np", "parallel")
_WHY_SLOTS = {
    "zh": "llama.cpp 报 invalid value for n_parallel 并退出；自动选择写 -1。",
    "en": "llama.cpp ends with “invalid value for n_parallel”; -1 lets it choose.",
}
_WHY_CUT = {
    "zh": "llama.cpp 读到第一个不是数字的字符为止，不报错。",
    "en": "llama.cpp reads up to the first character that is no digit, without a word.",
}
_WHY_JOINED = {
    "zh": "llama.cpp 的选项和值是两个词，连写会报 invalid argument 并退出。",
    "en": "Its option and value are two words; joined, they end in “invalid argument”.",
}


def as_llama_cpp_reads(document: ConfigDocument, section: Section) -> Iterator[Finding]:
    """Report an option joined to its value by ``=``, and a number that is read in part."""
    if section.schema.tool is not llama_server.TOOL or not section.closed:
        return
    for key, setting in section.settings.items():
        if _is_joined(document, setting):
            yield _joined(document, section, setting)
        elif key in _ABOVE_ZERO and setting.value == 0:
            yield _no_slots(document, section, setting)
        elif (section.schema.row(key) or {}).get("types") == ["int"]:
            yield from _cut(document, section, setting)


def _is_joined(document: ConfigDocument, setting: Setting) -> bool:
    behind, value = setting.key_place.end, setting.value_place
    return (
        value is not None
        and value.start == behind + 1
        and document.text[behind : behind + 1] == "="
    )


def _joined(document: ConfigDocument, section: Section, setting: Setting) -> Finding:
    key = setting.key if setting.key.startswith("-") else f"--{setting.key.replace('_', '-')}"
    message = {
        "zh": f"`{key}=` 不行：llama.cpp 要求选项和值之间用空格",
        "en": f"`{key}=` is refused: llama.cpp wants a space between an option and its value",
    }
    return Finding(*(document, section, setting, "error", "refused-value", message, _WHY_JOINED))


def _no_slots(document: ConfigDocument, section: Section, setting: Setting) -> Finding:
    message = {"zh": f"`{setting.key}` 不能是 0", "en": f"`{setting.key}` cannot be 0"}
    return Finding(*(document, section, setting, "error", "refused-value", message, _WHY_SLOTS))


def _cut(document: ConfigDocument, section: Section, setting: Setting) -> Iterator[Finding]:
    found = (
        _BEGINS.fullmatch(str(setting.value)) if isinstance(setting.value, str | float) else None
    )
    if not found or not (found[2] or found[3]):
        return
    message = {
        "zh": f"`{setting.key}` 写的是 `{setting.value}`，llama.cpp 只读到 `{found[1]}`",
        "en": f"of `{setting.value}` for `{setting.key}`, llama.cpp reads `{found[1]}` alone",
    }
    made = Finding(
        *(document, section, setting, "warning", "number-cut", message, _WHY_CUT),
        applies="suggestion",
    )
    if found[2] and not found[3]:
        made.fix = [{"set": setting.key, "value": int(found[1]) * _KIBI}]
    yield made
