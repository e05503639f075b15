"""Runs of the two trainings, on machines that can compile and that cannot."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import deepspeed
import torch
from deepspeed.ops.op_builder import CPUAdamBuilder, builder
from failure import train, with_trainer
from proof_machine import BUILD, ROOT, log, machine

from fixbook.recipe import measure, run_snippet, snippet
from fixbook.recipe.helpers import join_gloo, tiny_llama

UNTESTED = {"zero_allow_untested_optimizer": True}


def join() -> None:
    """Let DeepSpeed join gloo."""
    join_gloo()
    deepspeed.init_distributed("gloo", auto_mpi_discovery=False)


def used(engine: Any) -> dict[str, Any]:
    """Return which optimizer the engine has, and whether its state is offloaded."""
    optimizer = engine.optimizer.optimizer
    return {
        "optimizer": type(optimizer).__name__,
        "offloaded": bool(engine.optimizer.cpu_offload),
    }


def run(
    *, compiler: bool = False, clear: bool = False, skip: bool = False, **params: Any
) -> dict[str, Any]:
    """Train one step on a machine with or without a compiler, after what is advised."""
    machine(compiler=compiler)
    if clear:
        cleared()
    if skip:
        os.environ["DS_SKIP_CUDA_CHECK"] = "1"
        measure(skips=skips_another_cuda())
    join()
    with log():
        engine = train(**params)
    return used(engine) | {"step": engine.module.weight.abs().max().item()}


def cleared() -> None:
    """Have a build fail, then delete what it left."""
    try:
        CPUAdamBuilder().load()
    except RuntimeError:
        left = BUILD.exists()
        run_snippet("clear")
        measure(left=left, kept=ROOT.exists())


def skips_another_cuda() -> bool:
    """Have DeepSpeed compare CUDA 13.0 with a torch built for 12.8, both of them made up."""
    with (
        patch.object(builder, "installed_cuda_version", lambda _: (13, 0)),
        patch.object(torch.version, "cuda", "12.8"),
    ):
        return bool(builder.assert_no_cuda_mismatch())


def looked() -> dict[str, Any]:
    """Run the command of the page, and return what it found."""
    done = run_snippet("look")
    return {"found": "exit 0" not in done.stdout, "first": done.stdout.splitlines()[-1]}


def trainer(**written: Any) -> dict[str, Any]:
    """Train one step with the Trainer, without a compiler."""
    machine()
    os.environ["ACCELERATE_USE_DEEPSPEED"] = "true"  # what ``accelerate launch`` sets
    join()
    with log():
        engine = with_trainer(tiny_llama(), "adamw_torch", written, [])
    return used(engine)


def sgd(**written: Any) -> dict[str, Any]:
    """Ask for SGD where the operator is there: a stand-in, which computes nothing."""
    nothing = dict.fromkeys(["create_adam", "adam_update", "destroy_adam"], lambda *_: 0)
    builder.OpBuilder._loaded_ops["cpu_adam"] = SimpleNamespace(**nothing)
    os.environ["ACCELERATE_USE_DEEPSPEED"] = "true"
    join()
    guard = snippet("guard")["KeepsItsOptimizer"]()
    try:
        engine = with_trainer(tiny_llama(), "sgd", UNTESTED | written, [guard])
    except AssertionError as error:
        return {"found": True, "said": str(error)}
    return {"found": False} | used(engine)
