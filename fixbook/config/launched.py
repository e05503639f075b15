"""What torchrun refuses as it starts: texts that it reads itself, a command without a script."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fixbook.config.finding import Finding
from fixbook.config.named_values import meant, nearest
from fixbook.config.setting import UNKNOWN
from fixbook.config.tools import torchrun

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.config.setting import ConfigDocument, Section

_RANGE = re.compile(r"\d+(?::\d+)?")
_WHY = {
    "zh": "torchrun 启动时就报错退出，脚本一行也不会跑。",
    "en": "torchrun refuses this as it starts; no line of the script is run.",
}


def refused_by_torchrun(document: ConfigDocument, section: Section) -> Iterator[Finding]:
    """Report a number of processes or nodes, or a backend, that torchrun does not know."""
    if section.tool != torchrun.TOOL.name:
        return
    for key, (is_right, zh, en) in _TAKES.items():
        setting = section.settings.get(key)
        if setting is None or setting.value is UNKNOWN or is_right(setting.value):
            continue
        message = {
            "zh": f"`{key}` 不接受 `{setting.value}`；torchrun 接受：{zh}",
            "en": f"`{key}` does not accept `{setting.value}`; torchrun accepts {en}",
        }
        made = Finding(*(document, section, setting, "error", "refused-value", message, _WHY))
        names = torchrun.BACKENDS if key == "rdzv_backend" else torchrun.DEVICES
        near = meant(names, setting.value)
        if near:
            made.add(nearest(near[0]))
        elif key == "rdzv_backend":
            made.severity = "warning"  # a package may register a backend of its own
        yield made
    if (
        section.settings
        and not section.served
        and not section.cut
        and "help" not in section.settings
    ):
        last = list(section.settings.values())[-1]
        message = {
            "zh": "torchrun 后面没有脚本",
            "en": "torchrun is given no script",
        }
        yield Finding(*(document, section, last, "error", "launch-without-script", message, _WHY))


def _is_count(value: Any) -> bool:
    known = {*torchrun.DEVICES, *torchrun.OTHER_DEVICES}
    return isinstance(value, int) or value in known or _is_open(value)


def _is_range(value: Any) -> bool:
    return isinstance(value, int) or bool(_RANGE.fullmatch(str(value))) or _is_open(value)


def _is_backend(value: Any) -> bool:
    return value in torchrun.BACKENDS or _is_open(value)


def _is_open(value: Any) -> bool:
    """Tell whether somebody puts something in the place of a text first."""
    return isinstance(value, str) and not re.fullmatch(r"[\w.:-]+", value)


_TAKES = {
    "nproc_per_node": (
        _is_count,
        "整数、auto、cpu、gpu、xpu",
        "a whole number, auto, cpu, gpu, xpu",
    ),
    "nnodes": (_is_range, "整数，或 `1:4` 这样的范围", "a whole number, or a range such as `1:4`"),
    "rdzv_backend": (_is_backend, "、".join(torchrun.BACKENDS), ", ".join(torchrun.BACKENDS)),
}
