"""A memory limit that the operating system enforces stands in for the size of the card."""

from __future__ import annotations

import contextlib
import ctypes
import resource
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bitsandbytes
import torch
from datasets import Dataset
from failure import VOCABULARY, llama, plain_loss, preference_loss, tokens, train, train_one_by_one
from peft import LoraConfig, get_peft_model

from fixbook.recipe import device, measure, snippet

if TYPE_CHECKING:
    from collections.abc import Iterator

MIB = 1024**2
LIBC = ctypes.CDLL(None)
# Tensors become mappings of their own, so that a limit counts those that are alive.
LIBC.mallopt(-3, 16 * 1024)  # M_MMAP_THRESHOLD


@contextlib.contextmanager
def memory_limit(mib: int) -> Iterator[None]:
    """Let this process map at most so much private memory more (Linux)."""
    LIBC.malloc_trim(0)
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    mapped = 1024 * int(next(line for line in lines if line.startswith("VmData")).split()[1])
    resource.setrlimit(resource.RLIMIT_DATA, (mapped + mib * MIB, resource.RLIM_INFINITY))
    measure(limit_mib=mib)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY,) * 2)


def model_of(*, checkpointing: bool = False, **shape: Any) -> Any:
    """Build the model; checkpointing is the page's line."""
    model = llama(**shape)
    return snippet("checkpointing", model=model)["model"] if checkpointing else model


def loss_of(name: str, model: Any) -> Any:
    """Return the loss of a name; Liger's replaces that of the model."""
    if name == "chunked":
        return snippet("chunked-loss")["chunked_loss"]
    if name == "liger":
        from liger_kernel.transformers import apply_liger_kernel_to_llama

        others = dict.fromkeys(("rope", "rms_norm", "swiglu", "cross_entropy"), False)
        apply_liger_kernel_to_llama(model=model, fused_linear_cross_entropy=True, **others)
    return preference_loss if name == "preference" else plain_loss


def train_within(
    limit_mib: int,
    *,
    rows: int = 4,
    length: int = 256,
    micro_batch: int = 4,
    loss: str = "plain",
    **options: Any,
) -> dict[str, Any]:
    """Train one step within a limit and compare its gradients with those of a plain step."""
    ids = tokens(rows, length)
    reference, model = llama(), model_of(**options)
    train(reference, ids)
    compute = loss_of(loss, model)
    train(model, ids[:, :8], loss=compute)  # what is loaded lazily is loaded now
    model.zero_grad()
    with memory_limit(limit_mib):
        train(model, ids, micro_batch=micro_batch, loss=compute)
    seen, wanted = (
        torch.cat([part.grad.flatten() for part in one.parameters()]).double()
        for one in (model, reference)
    )
    similarity = torch.nn.functional.cosine_similarity(seen, wanted, dim=0)
    return {"gradient_similarity": round(similarity.item(), 6)}


def one_by_one_within(limit_mib: int, *, left_out: bool = False) -> dict[str, Any]:
    """Train on short samples, and on a long one that comes late."""
    lengths = [128] * 6 + [4096] + [128] * 2
    dataset = Dataset.from_list([{"input_ids": tokens(1, n)[0].tolist()} for n in lengths])
    model = llama()
    train_one_by_one(model, dataset.select([0]))
    first = None
    if left_out:
        done = snippet("long-rows", dataset=dataset)
        dataset, first = done["dataset"], done["longest"]
    with memory_limit(limit_mib):
        train_one_by_one(model, first or dataset.select(range(6)))
        measure(trained_before=6)
        return {"trained": train_one_by_one(model, dataset)}


def update_within(
    limit_mib: int, *, optimizer: str = "AdamW", lora: bool = False, checkpointing: bool = False
) -> dict[str, Any]:
    """Train and update fp32 weights within a limit; the batch is too small to matter."""
    model = model_of(layers=2, width=512, checkpointing=checkpointing).float()
    measure(checkpointing=model.is_gradient_checkpointing)
    if lora:
        model = get_peft_model(model, LoraConfig(target_modules="all-linear"))
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    home = torch.optim if hasattr(torch.optim, optimizer) else bitsandbytes.optim
    updates = getattr(home, optimizer)(trained, lr=1e-3)
    with memory_limit(limit_mib):
        train(model, tokens(1, 16))
        measure(gradients_mib=sum(part.grad.nbytes for part in trained) // MIB)
        updates.step()
    states = [held for state in updates.state.values() for held in state.values()]
    return {"states_mib": sum(held.nbytes for held in states if torch.is_tensor(held)) // MIB}


def kept(*, checkpointing: bool = False) -> dict[str, Any]:
    """List what autograd keeps, with the page's own code."""
    ids = tokens(4, 256).to(device())
    model = model_of(checkpointing=checkpointing).to(device())
    found = snippet("kept-for-backward", model=model, batch={"input_ids": ids, "labels": ids})
    rows = found["kept"].items()
    layers = sum(mib for shape, mib in rows if shape[-1:] != (VOCABULARY,))
    logits = sum(mib for shape, mib in rows if shape[-1:] == (VOCABULARY,))
    return {
        "found": layers > logits,
        "layers_mib": round(layers, 1),
        "logits_mib": round(logits, 1),
    }
