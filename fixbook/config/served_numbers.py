"""Numbers that vLLM's own configuration refuses; `bench/seeded.yaml` has what it says of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.config.finding import Finding
from fixbook.versions import within

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.config.setting import ConfigDocument, Section

_ASKED = ">=0.33"  # the release that was asked, here and by the steps of the entries
_FROM_ONE = ("tensor_parallel_size", "max_num_seqs", "max_loras")
_ABOVE_ZERO = ("gpu_memory_utilization", "max_model_len")
_WHY = {
    "zh": "vLLM 建立配置时就报错退出。",
    "en": "vLLM refuses this as it makes its configuration.",
}


def was_asked(section: Section) -> bool:
    """Tell whether a section is of vLLM, and of a release whose answers are known."""
    return section.tool == "vllm" and within(section.schema.release, _ASKED)


def refused_numbers(document: ConfigDocument, section: Section) -> Iterator[Finding]:
    """Report a number of GPUs, of sequences, a share or a length that is too small to be one."""
    if not section.closed or not was_asked(section):
        return
    for key in (*_FROM_ONE, *_ABOVE_ZERO):
        setting = section.settings.get(key)
        value = setting.value if setting else None
        if setting is None or isinstance(value, bool) or not isinstance(value, int | float):
            continue
        if value < 1 if key in _FROM_ONE else value == 0:
            message = {
                "zh": f"`{key}` 不能是 {value}",
                "en": f"`{key}` cannot be {value}",
            }
            yield Finding(*(document, section, setting, "error", "refused-value", message, _WHY))
