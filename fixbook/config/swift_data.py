"""How ms-swift reads the names of data sets: ``hf::name:subset/subset#samples``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fixbook.config.finding import Finding
from fixbook.config.tools import ms_swift

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.config.setting import ConfigDocument, Section, Setting

_KEYS = ("dataset", "val_dataset")
_NUMBER = re.compile(r"\s*[+-]?\d[\d_]*\s*")
_ONE_COLON = re.compile(r"(?i)(hf|ms):(?!:)(.+)")
_OTHER_HUB = re.compile(r"([^:/#]+)::")
_WHY_NUMBER = {
    "zh": "ms-swift 把最后一个 `#` 之后的文字当作条数，用 `int()` 转换，转不了就报错退出。",
    "en": "ms-swift takes what stands behind the last `#` for a number of samples, by `int()`.",
}
_WHY_HUB = {
    "zh": "只有 `hf::` 和 `ms::` 是来源；别的写法不报错，数据集照默认的来源和名字去找。",
    "en": "Only `hf::` and `ms::` name a hub; anything else passes without a word, and the data "
    "set is looked for by another name, or at the default hub.",
}


def swift_data(document: ConfigDocument, section: Section) -> Iterator[Finding]:
    """Report names of data sets that ms-swift refuses, or takes for others."""
    if section.schema.tool is not ms_swift.TOOL:
        return
    for key in _KEYS:
        setting = section.settings.get(key)
        values = setting.value if setting and isinstance(setting.value, list) else None
        for name in values or ([setting.value] if setting else []):
            if setting and isinstance(name, str) and "$" not in name:
                yield from _told(document, section, setting, name)


def _told(
    document: ConfigDocument, section: Section, setting: Setting, name: str
) -> Iterator[Finding]:
    _, sign, number = name.rpartition("#")
    if sign and not _NUMBER.fullmatch(number):
        message = {
            "zh": f"`{setting.key}` 里的 `{name}`：`#` 之后应当是条数，不能是 `{number}`",
            "en": f"`{name}` in `{setting.key}`: a number of samples belongs behind `#`, "
            f"not `{number}`",
        }
        yield Finding(*(document, section, setting, "error", "refused-value", message, _WHY_NUMBER))
    elif found := _ONE_COLON.match(name):
        hub = found[1].lower()
        message = {
            "zh": f"`{setting.key}` 里的 `{name}` 少一个冒号；应写 `{hub}::{found[2]}`",
            "en": f"`{name}` in `{setting.key}` lacks a colon; it is `{hub}::{found[2]}`",
        }
        yield Finding(*(document, section, setting, "warning", "unknown-hub", message, _WHY_HUB))
    elif (found := _OTHER_HUB.match(name)) and found[1].lower() not in {"hf", "ms"}:
        message = {
            "zh": f"`{setting.key}` 里的 `{name}`：ms-swift 不知道来源 `{found[1]}`",
            "en": f"`{name}` in `{setting.key}`: ms-swift knows no hub `{found[1]}`",
        }
        yield Finding(*(document, section, setting, "warning", "unknown-hub", message, _WHY_HUB))
