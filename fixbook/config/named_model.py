"""Models that a server is started with, and what they do not allow: GPUs, lengths, methods.

Only the ``config.json`` of a model that lies beside or in the cache is read; nothing is fetched.
"""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.config.finding import Finding
from fixbook.config.pins import folders_above
from fixbook.config.served_numbers import was_asked
from fixbook.hub_cache import cached_model, main_snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.config.setting import ConfigDocument, Section, Setting

_BUILT = "Qwen2ForCausalLM"  # whose layers the steps of the entry built
_KEY = "tensor_parallel_size"
_MOST_BYTES = 1024 * 1024
_SIZE = re.compile(r"(\d+(?:\.\d+)?)([kKmM])")
_FACTORS = {"k": 1000, "K": 1024, "m": 1000**2, "M": 1024**2}
# Where one of these is given, a length may be derived from something else.
_CHANGE_LENGTH = {"hf_overrides", "rope_scaling", "rope_theta", "config_format", "hf_config_path"}
_OTHER_LENGTHS = {"model_max_length", "max_seq_len", "seq_length", "text_config", "auto_map"}
_ALLOWED = "VLLM_ALLOW_LONG_MAX_MODEL_LEN"
_PLAIN_ROPE = {"default", "llama3"}
_NEED_WEIGHTS = {"awq", "gptq"}
_QUANTIZED = {"quantization_config", "compression_config"}
_QUANTIZED_BESIDE = ("quant_config.json", "quantize_config.json", "hf_quant_config.json")
_WHY_LENGTH = {
    "zh": f"vLLM 启动时就报错退出；除非设了环境变量 `{_ALLOWED}=1`。",
    "en": f"vLLM refuses this as it starts, unless `{_ALLOWED}=1` is set where it runs.",
}
_WHY_METHOD = {
    "zh": "vLLM 启动时就报错退出：这些方法只能读已经量化好的权重。",
    "en": "vLLM refuses this as it starts: these methods read weights that are quantized already.",
}
_WHY = {
    "zh": "vLLM 建模型时就报错退出，换一个能整除的张量并行数，或者改用流水线并行。",
    "en": "vLLM refuses this as it starts: take a size that divides, or pipeline parallelism.",
}


def about_model(document: ConfigDocument, section: Section) -> Iterator[Finding]:
    """Report what a server is asked to do with a model that lies beside, and refuses."""
    named = section.settings["model"].value if "model" in section.settings else section.served
    if not document.on_disk or not isinstance(named, str) or not was_asked(section):
        return
    if path := _found(document, named):
        model = _read(path)
        yield from _indivisible(document, section, model)
        yield from _too_long(document, section, model)
        yield from _unquantized(document, section, model, path.parent)


def _indivisible(
    document: ConfigDocument, section: Section, model: dict[str, Any]
) -> Iterator[Finding]:
    """Report a tensor parallel size by which the heads, or groups of a quantized weight, break."""
    setting = section.settings.get(_KEY)
    size = setting.value if setting else None
    if setting is None or not isinstance(size, int) or size < 1:
        return
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


def _too_long(
    document: ConfigDocument, section: Section, model: dict[str, Any]
) -> Iterator[Finding]:
    """Report a length above the one that vLLM derives from the model, where that is plain."""
    setting = section.settings.get("max_model_len")
    length = _number(setting.value) if setting else None
    longest = model.get("max_position_embeddings")
    given = {setting.path[0] for setting in section.settings.values()}
    if given & _CHANGE_LENGTH or _ALLOWED in document.text:
        return
    if setting is None or length is None or not isinstance(longest, int):
        return
    rope = model.get("rope_scaling") or model.get("rope_parameters") or {}
    plain = isinstance(rope, dict) and not any(isinstance(item, dict) for item in rope.values())
    kind = rope.get("rope_type", rope.get("type", "default")) if plain else None
    if length > longest and kind in _PLAIN_ROPE and not model.keys() & _OTHER_LENGTHS:
        message = {
            "zh": f"`max_model_len` {length} 大于模型的 `max_position_embeddings` {longest}",
            "en": f"`max_model_len` {length} is above the model's `max_position_embeddings`, "
            f"{longest}",
        }
        yield Finding(
            *(document, section, setting, "error", "longer-than-model", message, _WHY_LENGTH)
        )


def _number(value: object) -> int | None:
    """Return a length that may be written as ``32k`` or ``32K``."""
    if isinstance(value, int):
        return value
    found = _SIZE.fullmatch(value) if isinstance(value, str) else None
    return int(float(found[1]) * _FACTORS[found[2]]) if found else None


def _unquantized(
    document: ConfigDocument, section: Section, model: dict[str, Any], folder: Path
) -> Iterator[Finding]:
    """Report a method of quantization for a model that has not been quantized."""
    setting = section.settings.get("quantization")
    if setting is None or setting.value not in _NEED_WEIGHTS or model.keys() & _QUANTIZED:
        return
    if not any((folder / name).is_file() for name in _QUANTIZED_BESIDE):
        message = {
            "zh": f"`quantization` 是 `{setting.value}`，而模型没有量化：`config.json` 里没有"
            "量化配置",
            "en": f"`quantization` is `{setting.value}`, and the model is not quantized: its "
            "`config.json` says nothing of it",
        }
        yield Finding(
            *(document, section, setting, "error", "model-not-quantized", message, _WHY_METHOD)
        )


def _made(
    document: ConfigDocument, section: Section, setting: Setting, message: dict[str, str], of: str
) -> Finding:
    return Finding(*(document, section, setting, "error", "model-not-divisible", message, _WHY, of))


def _found(document: ConfigDocument, named: str) -> Path | None:
    """Return the ``config.json`` of a model: in a folder of that name, or in the Hub's cache."""
    places = [f / named for f in (*folders_above(document.path.resolve().parent), Path())]
    with contextlib.suppress(OSError, ValueError):
        if snapshot := main_snapshot(cached_model(named)):
            places.append(snapshot)
        for folder in places:
            path = folder / "config.json"
            if path.is_file() and path.stat().st_size <= _MOST_BYTES:
                return path
    return None


def _read(path: Path) -> dict[str, Any]:
    """Return what a model's ``config.json`` says; nothing if it cannot be read."""
    with contextlib.suppress(OSError, ValueError, RecursionError):
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
