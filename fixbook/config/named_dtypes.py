"""Names of dtypes that people use and torch does not have: TRL asks torch for them by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.config.finding import Finding
from fixbook.config.keys_check import THEIRS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.config.setting import ConfigDocument, Section

_KEYS = ("dtype", "torch_dtype", "model_init_kwargs.dtype", "model_init_kwargs.torch_dtype")
SHORT = {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32"}
_WHY = {
    "zh": "TRL 用 `getattr(torch, ...)` 取这个类型，torch 没有这个名字，加载模型前就报错退出。",
    "en": "TRL takes the type by `getattr(torch, ...)`; torch has no such name, and the run ends "
    "before the model is loaded.",
}


def short_dtypes(document: ConfigDocument, section: Section) -> Iterator[Finding]:
    """Report a short name of a dtype in a file or a command for TRL."""
    for key in _KEYS if section.tool == "trl" and not section.schema.constructs else ():
        setting = section.settings.get(key)
        if setting is None or not isinstance(setting.value, str) or setting.value not in SHORT:
            continue
        name = SHORT[setting.value]
        message = {
            "zh": f"`{key}` 不接受 `{setting.value}`，应写 `{name}`",
            "en": f"`{key}` does not accept `{setting.value}`; it is `{name}`",
        }
        severity = "error" if section.closed else "warning"
        made = Finding(
            *(document, section, setting, severity, "refused-value", message, _WHY),
            fix=[{"set": key, "value": name}],
            applies="suggestion",
        )
        if not section.closed:
            made.add(THEIRS)
        yield made
