"""A memory limit that the operating system enforces stands in for the size of the card."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import resource
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bitsandbytes
import torch
from failure import VOCABULARY, llama, plain_loss, tokens, train
from peft import LoraConfig, get_peft_model

from fixbook.recipe import measure, snippet

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


def train_within(
    limit_mib: int,
    *,
    rows: int = 4,
    length: int = 256,
    micro_batch: int = 4,
    loss: str = "plain",
    offload: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """Train one step within a limit and compare its gradients with those of a plain step."""
    ids = tokens(rows, length)
    reference, model = llama(), llama(**options)
    train(reference, ids)
    compute = plain_loss
    if loss == "chunked":
        compute = snippet("chunked-loss")["chunked_loss"]
    elif loss == "liger":
        from liger_kernel.transformers import apply_liger_kernel_to_llama

        others = dict.fromkeys(("rope", "rms_norm", "swiglu", "cross_entropy"), False)
        apply_liger_kernel_to_llama(model=model, fused_linear_cross_entropy=True, **others)
    train(model, ids[:, :8], loss=compute)  # what is loaded lazily is loaded now
    model.zero_grad()
    parked = parked_in_files(model) if offload else contextlib.nullcontext()
    with memory_limit(limit_mib), parked:
        train(model, ids, micro_batch=micro_batch, loss=compute)
    seen, wanted = (
        torch.cat([part.grad.flatten() for part in one.parameters()]).double()
        for one in (model, reference)
    )
    similarity = torch.nn.functional.cosine_similarity(seen, wanted, dim=0)
    return {"gradient_similarity": round(similarity.item(), 6)}


def parked_in_files(model: torch.nn.Module) -> contextlib.AbstractContextManager[object]:
    """Park what autograd keeps in files, as tools for offloading park it in host memory."""
    weights = {parameter.untyped_storage().data_ptr() for parameter in model.parameters()}
    numbers = itertools.count()

    def park(tensor: torch.Tensor) -> torch.Tensor:
        if tensor.nbytes < MIB // 32 or tensor.untyped_storage().data_ptr() in weights:
            return tensor
        file = Path(f"parked-{next(numbers)}")
        outside = torch.from_file(
            str(file), shared=True, size=tensor.numel(), dtype=tensor.dtype
        ).view(tensor.shape)
        file.unlink()  # the mapping keeps it
        return outside.copy_(tensor)

    return torch.autograd.graph.saved_tensors_hooks(park, torch.clone)


def update_within(
    limit_mib: int, *, optimizer: str = "AdamW", lora: bool = False
) -> dict[str, Any]:
    """Train and update fp32 weights within a limit; the batch is too small to matter."""
    model = llama(layers=2, width=512).float()
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


def kept(**options: bool) -> dict[str, Any]:
    """List what autograd keeps, with the page's own code."""
    ids = tokens(4, 256)
    rows = snippet("kept-for-backward")["kept_for_backward"](
        llama(**options), input_ids=ids, labels=ids
    )
    layers = sum(mib for mib, shape in rows if shape[-1:] != (VOCABULARY,))
    logits = sum(mib for mib, shape in rows if shape[-1:] == (VOCABULARY,))
    return {
        "found": layers > logits,
        "layers_mib": round(layers, 1),
        "logits_mib": round(logits, 1),
    }
