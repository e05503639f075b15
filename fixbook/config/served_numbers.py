"""What vLLM's own configuration refuses; `bench/seeded.yaml` has what it says of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.config.finding import Finding
from fixbook.versions import within

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fixbook.config.setting import ConfigDocument, Section, Setting

_ASKED = ">=0.33"  # the release that was asked, here and by the steps of the entries
_FROM_ONE = ("tensor_parallel_size", "max_num_seqs", "max_loras")
_ABOVE_ZERO = ("gpu_memory_utilization", "max_model_len")
_TINY = 1e-9
_FITTED = -1  # a length that vLLM finds for itself
_WHY = {
    "zh": "vLLM 建立配置时就报错退出。",
    "en": "vLLM refuses this as it makes its configuration.",
}
_HANDED_ON = {
    "trl": ("vllm_gpu_memory_utilization",),
    "openrlhf": ("vllm_gpu_memory_utilization", "vllm.gpu_memory_utilization"),
    "verl": ("actor_rollout_ref.rollout.gpu_memory_utilization",),
}
_WHY_SHARE = {
    "zh": "训练程序把这个值交给推理引擎，引擎启动时才报错退出；90% 写成 0.9。",
    "en": "It is handed to the engine, which refuses it as it starts; 90 percent is 0.9.",
}
_WHY_PARSER = {
    "zh": "vLLM 启动时就报错退出：不知道这个模型怎样写工具调用。",
    "en": "vLLM refuses this as it starts: it does not know how the model writes a call.",
}


def was_asked(section: Section) -> bool:
    """Tell whether a section is of vLLM, and of a release whose answers are known."""
    return section.tool == "vllm" and within(section.schema.release, _ASKED)


def refused_numbers(document: ConfigDocument, section: Section) -> Iterator[Finding]:
    """Report a number of GPUs, of sequences, a share or a length that is too small to be one."""
    if not section.closed or not was_asked(section):
        return
    for key, setting, value in _numbers(section, (*_FROM_ONE, *_ABOVE_ZERO)):
        least = 1 if key in _FROM_ONE else _TINY
        if value < least and not (key == "max_model_len" and value == _FITTED):
            message = {
                "zh": f"`{key}` 不能是 {value}",
                "en": f"`{key}` cannot be {value}",
            }
            yield Finding(*(document, section, setting, "error", "refused-value", message, _WHY))


def missing_parsers(document: ConfigDocument, section: Section) -> Iterator[Finding]:
    """Report tools that are called by themselves, where nothing reads the calls."""
    setting = section.settings.get("enable_auto_tool_choice")
    if setting is None or setting.value is not True or not was_asked(section):
        return
    if section.closed and section.complete and "tool_call_parser" not in section.settings:
        message = {
            "zh": "写了 `enable_auto_tool_choice`，没有写 `tool_call_parser`",
            "en": "`enable_auto_tool_choice` is given without `tool_call_parser`",
        }
        yield Finding(
            *(document, section, setting, "error", "parser-missing", message, _WHY_PARSER)
        )


def shares_above_one(document: ConfigDocument, section: Section) -> Iterator[Finding]:
    """Report a share of memory above one that another tool hands to the server it starts."""
    for key, setting, value in _numbers(section, _HANDED_ON.get(section.tool, ())):
        if value > 1:
            message = {
                "zh": f"`{key}` 是比例，不能是 {value}",
                "en": f"`{key}` is a share, and cannot be {value}",
            }
            yield Finding(
                *(document, section, setting, "error", "refused-value", message, _WHY_SHARE),
                "vllm-free-memory-below-utilization",
            )


def _numbers(section: Section, keys: Iterable[str]) -> Iterator[tuple[str, Setting, float]]:
    """Yield those of some keys that are set to a number, which a switch is not."""
    for key in keys:
        setting = section.settings.get(key)
        value = setting.value if setting else None
        if setting and isinstance(value, int | float) and not isinstance(value, bool):
            yield key, setting, value
