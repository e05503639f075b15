"""DeepSpeed: one JSON file; classes declare some sections, the rest are names looked up."""

from __future__ import annotations

import functools
import importlib.util
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fixbook.config.tool import Tool, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fixbook.config.tool import Keys

_CONSTANT = re.compile(r"""(?m)^[A-Z][A-Z0-9_]+ = ["']([a-z][A-Za-z0-9_]*)["']""")
_LOOKED_UP = re.compile(
    r"""(?:config|param_dict|_dict)(?:\.get\(|\[)["']([a-z]\w*)["']"""
    r"""|["']([a-z]\w*)["'] in \w*param_dict"""
)
_SOURCES = ("runtime/", "monitor/", "profiling/", "comm/", "compile/")
# Sections that a class declares; DeepSpeed refuses other keys there.
_SECTIONS = {
    "zero_optimization": "DeepSpeedZeroConfig",
    "fp16": "DeepSpeedFP16Config",
    "bf16": "DeepSpeedBF16Config",
    "flops_profiler": "DeepSpeedFlopsProfilerConfig",
    "comms_logger": "CommsLoggerConfig",
    "tensorboard": "TensorBoardConfig",
    "wandb": "WandbConfig",
    "csv_monitor": "CSVConfig",
    "hybrid_engine": "HybridEngineConfig",
}


def _extract(files: Mapping[str, str]) -> dict[str, Keys]:
    from fixbook.config.extract.classes import Classes, Shape, within

    classes = Classes(within(files, *(f"deepspeed/{name}" for name in _SOURCES)))
    sources = (text for path, text in files.items() if path.endswith(".py"))
    keys = {key: Shape({"any"}) for text in sources for key in _read_from(text)}
    for section, name in _SECTIONS.items():
        keys |= {section: Shape({"dict"}, model=name), **classes.keys(name, f"{section}.")}
    return {"deepspeed": keys}


def _read_from(text: str) -> Iterator[str]:
    """DeepSpeed has no schema of its top level: keys are constants, and names looked up."""
    yield from _CONSTANT.findall(text)
    yield from (first or second for first, second in _LOOKED_UP.findall(text))


def _validate(config: dict[str, Any], fragment: bool) -> Iterator[str]:  # noqa: FBT001
    from deepspeed.runtime.config import DeepSpeedConfig

    from fixbook.config.refusals import first_line, unknown_key

    for key in config:
        if key not in _constants():
            yield unknown_key(key, key, _constants())
    base = {"train_micro_batch_size_per_gpu": 1} if fragment else {}
    # Trainers resolve "auto" before DeepSpeed reads it; here the smallest legal value stands in.
    resolved = {
        key: 1 if value == "auto" and "batch" in key else value for key, value in config.items()
    }
    try:
        DeepSpeedConfig({**base, **resolved})
    except (ValueError, TypeError, AssertionError) as error:
        yield first_line(error)


@functools.cache
def _constants() -> frozenset[str]:
    """Every key that the installed package names; they lie all over it."""
    spec = importlib.util.find_spec("deepspeed")
    root = Path(str(spec.origin)).parent if spec else Path()
    sources = (path.read_text("utf-8", "replace") for path in root.rglob("*.py"))
    return frozenset(key for source in sources for key in _CONSTANT.findall(source))


TOOL = Tool(
    "deepspeed",
    "DeepSpeed",
    marks=words(
        "zero_optimization train_micro_batch_size_per_gpu train_batch_size steps_per_print"
        " gradient_clipping wall_clock_breakdown zero_allow_untested_optimizer prescale_gradients"
        " zero_optimisation activation_checkpointing comms_logger fp16 bf16"
    ),
    drops="top",
    takes_auto=True,
    extract=_extract,
    validate=_validate,
    check="DeepSpeedConfig",
)
