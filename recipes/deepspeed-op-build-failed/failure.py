"""A script that compiles an operator as it starts, and DeepSpeed, which does too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SOURCE = """
#include <Python.h>
#include "kernel_config.h"
int more();
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "kernel", nullptr, -1, nullptr};
PyMODINIT_FUNC PyInit_kernel() {
  PyObject* module = PyModule_Create(&definition);
  PyModule_AddIntConstant(module, "version", VERSION + more());
  return module;
}
"""
MORE = """
#include <optional>
int more() { return std::optional<int>(0).value(); }
"""
FOR_GPU = """
extern "C" __global__ void twice(float* x) { *x += *x; }
"""


def build(
    *, version: int = 1, flags: str = "", links: str = "", gpu: bool = False, verbose: bool = False
) -> Any:
    """Compile it, or take what was compiled before, and import it."""
    from torch.utils.cpp_extension import load

    sources = {"kernel.cpp": SOURCE.replace("VERSION", str(version)), "more.cpp": MORE}
    if gpu:
        sources = {"kernel.cu": FOR_GPU, **sources}
    for name, text in sources.items():
        if not Path(name).exists() or Path(name).read_text("utf-8") != text:
            Path(name).write_text(text, "utf-8")  # a file written anew is compiled anew
    return load(
        "kernel",
        list(sources),
        extra_cflags=flags.split(),
        extra_ldflags=links.split(),
        verbose=verbose,
    )


def train(change: Any = id) -> dict[str, Any]:
    """Train two steps with the optimizer of a DeepSpeed configuration, and say whose it is.

    Args:
        change: Changes the configuration.
    """
    import deepspeed
    import torch

    config: dict[str, Any] = {
        "train_micro_batch_size_per_gpu": 1,
        "optimizer": {"type": "AdamW", "params": {"lr": 1e-4}},
    }
    change(config)
    engine, *_ = deepspeed.initialize(model=torch.nn.Linear(4, 4), config=config)
    for _ in range(2):
        engine.backward(engine(torch.ones(1, 4)).sum())
        engine.step()
    return {"steps": engine.global_steps, "made": type(engine.optimizer).__name__}


def optimizer() -> Any:
    """Let DeepSpeed compile an operator of its own."""
    import torch
    from deepspeed.ops.adam import FusedAdam

    return FusedAdam([torch.nn.Parameter(torch.zeros(4))])
