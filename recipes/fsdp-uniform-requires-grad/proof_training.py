"""What two steps of training move, and for how many weights the ranks hold gradients."""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from failure import Layer, Model, freeze, shard, wrap
from torch import Tensor
from torch.distributed.fsdp import FullyShardedDataParallel

from fixbook.recipe import backend, device, measure, snippet


def ready(*, lora: bool = True) -> Any:
    """Join the ranks and make the model, the same on both."""
    if device() != "cpu":
        torch.cuda.set_device(device())
    dist.init_process_group(backend())
    torch.manual_seed(0)
    return Model(lora=lora).to(device())


def weights(model: Any) -> dict[str, Tensor]:
    """Gather all weights."""
    with FullyShardedDataParallel.summon_full_params(model, writeback=False):
        rows = [(name, p.detach()) for name, p in model.named_parameters()]
        return {name: getattr(p, "full_tensor", p.clone)().clone() for name, p in rows}


def held(model: Any) -> int:
    """Count the elements of gradients, of both ranks together."""
    units = [unit for unit in FullyShardedDataParallel.fsdp_modules(model) if unit._has_params]
    flat: Any = [unit._flat_param for unit in units] or model.parameters()
    grads = [p.grad for p in flat if p.grad is not None]
    local = [getattr(grad, "to_local", lambda grad=grad: grad)() for grad in grads]
    total = torch.tensor(sum(grad.numel() for grad in local), device=device())
    dist.all_reduce(total)
    return int(total)


def step(model: Any) -> dict[str, Any]:
    """Train; LoRA's A moves in the second step, once B is not zero any more."""
    before = weights(model)
    optimizer = torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.5)
    ids = torch.arange(24, device=device()).reshape(2, 12)
    for _ in range(2):
        optimizer.zero_grad()
        model(ids).backward()
        optimizer.step()
    moved = {name for name, w in weights(model).items() if not torch.equal(w, before[name])}
    frozen = {name for name in before if "base_layer" in name or "embed" in name}
    measure(gradients=held(model))
    return {"frozen_moved": len(moved & frozen), "trained_moved": len(moved - frozen)}


def train(
    policy: str = "layers",
    *,
    lora: bool = True,
    orig: bool = False,
    freezing: str = "before",
    version: int = 1,
) -> dict[str, Any]:
    """Wrap a model and train it; what is frozen is so before that, later or never."""
    model = ready(lora=lora)
    if freezing != "before":
        model.requires_grad_(requires_grad=True)
        measure(uniform=all(p.requires_grad for p in model.parameters()))
    wrapped = wrap(model, policy, orig=orig) if version == 1 else shard(model)
    if freezing == "later":
        freeze(wrapped)
        measure(flat_names=all("flat_param" in name for name, _ in wrapped.named_parameters()))
    return step(wrapped)


def look(policy: str = "layers") -> dict[str, Any]:
    """Ask the page's check, about the policy by class or the page's own."""
    mixed = snippet("mixed", model=Model(lora=True))["mixed"]
    unit = snippet("apart", Layer=Layer)["alone"] if policy == "apart" else is_layer
    return {"found": bool(mixed(Model(lora=True), unit))}


def is_layer(module: Any) -> bool:
    """Say what a policy by class wraps."""
    return isinstance(module, Layer)
