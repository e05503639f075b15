"""Models that a server is started with, and that cannot be split over as many GPUs.

Only a folder with the model's ``config.json`` is looked into; nothing is fetched.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.config.finding import Finding
from fixbook.config.pins import folders_above
from fixbook.config.served_numbers import was_asked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.config.setting import ConfigDocument, Section, Setting

_BUILT = "Qwen2ForCausalLM"  # whose layers the steps of the entry built
_KEY = "tensor_parallel_size"
_MOST_BYTES = 1024 * 1024
_WHY = {
    "zh": "vLLM 建模型时就报错退出，换一个能整除的张量并行数，或者改用流水线并行。",
    "en": "vLLM refuses this as it starts: take a size that divides, or pipeline parallelism.",
}


def indivisible_models(document: ConfigDocument, section: Section) -> Iterator[Finding]:
    """Report a tensor parallel size by which the heads, or groups of a quantized weight, break."""
    setting = section.settings.get(_KEY)
    named = section.settings["model"].value if "model" in section.settings else section.served
    if not document.on_disk or not setting or not isinstance(named, str):
        return
    size = setting.value
    if not isinstance(size, int) or size < 1 or not was_asked(section):
        return
    model = _config(document, named)
    heads = model.get("num_attention_heads")
    if isinstance(heads, int) and heads % size:
        message = {
            "zh": f"模型有 {heads} 个注意力头，不能平分给 {size} 张卡",
            "en": f"the model has {heads} attention heads, which {size} GPUs cannot share evenly",
        }
        yield _made(document, section, setting, message, "vllm-heads-not-divisible")
    inner, group = model.get("intermediate_size"), _group(model)
    group = group if model.get("architectures") == [_BUILT] else 0
    if isinstance(inner, int) and group and inner % (size * group):
        message = {
            "zh": f"量化时每 {group} 个输入一组，`intermediate_size` {inner} "
            f"分给 {size} 张卡不是整数个组",
            "en": f"weights are quantized in groups of {group}, and {inner} inputs over "
            f"{size} GPUs are no whole number of groups",
        }
        yield _made(document, section, setting, message, "vllm-quantized-weight-not-aligned")


def _made(
    document: ConfigDocument, section: Section, setting: Setting, message: dict[str, str], of: str
) -> Finding:
    return Finding(*(document, section, setting, "error", "model-not-divisible", message, _WHY, of))


def _config(document: ConfigDocument, named: str) -> dict[str, Any]:
    """Return what ``config.json`` of the model says; nothing if it is not there."""
    for folder in [*folders_above(document.path.resolve().parent), Path()]:
        with contextlib.suppress(OSError, ValueError, RecursionError):
            path = folder / named / "config.json"
            if path.is_file() and path.stat().st_size <= _MOST_BYTES:
                found: Any = json.loads(path.read_text("utf-8"))
                return found if isinstance(found, dict) else {}
    return {}


def _group(model: dict[str, Any]) -> int:
    """Return how many inputs share a scale; 0 if the model is not quantized so."""
    made = model.get("quantization_config")
    if not isinstance(made, dict):
        return 0
    group = made.get("group_size")
    if made.get("quant_method") == "fp8":
        blocks = made.get("weight_block_size")
        group = blocks[1] if isinstance(blocks, list) and len(blocks) > 1 else 0
    elif made.get("quant_method") not in {"awq", "gptq"}:
        return 0
    return group if isinstance(group, int) and group > 0 else 0
