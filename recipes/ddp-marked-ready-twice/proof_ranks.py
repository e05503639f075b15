"""Run the Trainer on every rank, record what DDP was told, and compare the ranks' weights."""

from __future__ import annotations

from typing import Any

import torch
import torch.distributed as dist
from failure import trainer_for
from peft import AdaLoraConfig, get_peft_model
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from transformers import Trainer

from fixbook.recipe import backend, device, measure, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_lora

VOCABULARY = 128
READY_TWICE = "Expected to mark a variable ready only once"


def samples() -> list[dict[str, Any]]:
    """Return rows that are the same on every rank; the sampler hands each rank its own."""
    rows = torch.randint(VOCABULARY, (16, 12), generator=torch.Generator().manual_seed(1))
    return [{"input_ids": row, "labels": row} for row in rows]


def farthest(vector: torch.Tensor) -> float:
    """Return the largest difference between two ranks."""
    of_rank = [torch.zeros_like(vector) for _ in range(dist.get_world_size())]
    dist.all_gather(of_rank, vector)
    return max(float((one - of_rank[0]).abs().max()) for one in of_rank)


def adapters(model: Any) -> torch.Tensor:
    """Return the trainable weights as one vector."""
    return torch.cat([p.detach().flatten() for p in model.parameters() if p.requires_grad])


def adalora(model: Any) -> Any:
    """Add AdaLoRA, whose penalty on its matrices is part of the loss, outside the layers."""
    options: dict[str, Any] = {"tinit": 1, "tfinal": 1, "total_step": 10, "init_r": 4}
    config = AdaLoraConfig(target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM", **options)
    torch.manual_seed(1)
    return get_peft_model(model, config)


def run(adapt: Any = tiny_lora, **changes: Any) -> dict[str, Any]:
    """Train two steps.

    Returns:
        How many weights moved, and how far the ranks are apart.
    """
    model = adapt(tiny_llama())
    trainer = trainer_for(model, samples(), **changes)
    before = adapters(model)
    try:
        trainer.train()
    finally:
        ddp = trainer.model_wrapped
        measure(find_unused=ddp.find_unused_parameters, static_graph=ddp.static_graph)
    after = adapters(model)
    return {"moved": int((after != before).sum()), "apart": farthest(after)}


def look(*, reentrant: bool) -> dict[str, bool]:
    """Look into the graph of the first loss, as the page does."""
    kind = snippet("graph")["reentrant_blocks"]

    class Looks(Trainer):
        def compute_loss(self, *args: Any, **kwargs: Any) -> Any:
            loss = super().compute_loss(*args, **kwargs)
            measure(found=kind(loss) > 0, blocks=kind(loss))
            self.control.should_training_stop = True
            return loss

    # Without the search for unused weights both kinds of checkpointing get through backward.
    trainer = trainer_for(
        tiny_lora(tiny_llama()),
        samples(),
        reentrant=reentrant,
        ddp_find_unused_parameters=False,
        trainer=Looks,
    )
    trainer.train()
    return {}


class Pairs(Trainer):
    """A loss of two forwards, as contrastive and reward losses have it."""

    def compute_loss(self, model: Any, inputs: Any, **_: Any) -> Any:
        """Return the sum of two losses."""
        ids = inputs["input_ids"]
        other = ids.flip(1)
        return model(input_ids=ids, labels=ids).loss + model(input_ids=other, labels=other).loss


def pairs(**changes: Any) -> dict[str, Any]:
    """Train all weights with two forwards for each backward, and compare those of the ranks."""
    model = tiny_llama()
    trainer = trainer_for(model, samples(), trainer=Pairs, **changes)
    try:
        trainer.train()
    finally:
        measure(find_unused=trainer.model_wrapped.find_unused_parameters)
    return {"apart": farthest(adapters(model))}


class TwoHeads(nn.Module):
    """A trunk and two heads; each forward uses one of them. No checkpointing."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Linear(4, 4)
        self.heads = nn.ModuleList(nn.Linear(4, 4) for _ in range(2))

    def forward(self, x: torch.Tensor, head: int) -> torch.Tensor:
        """Return the loss of a head."""
        return self.heads[head](self.trunk(x)).square().mean()


def two_heads() -> dict[str, Any]:
    """Run two forwards and one backward, with the search for unused weights on."""
    if device() != "cpu":
        torch.cuda.set_device(device())
    dist.init_process_group(backend())
    model: Any = DistributedDataParallel(TwoHeads().to(device()), find_unused_parameters=True)
    x = torch.randn(2, 4, device=device())
    loss = model(x, 0) + model(x, 1)
    blocks = snippet("graph")["reentrant_blocks"](loss)
    try:
        loss.backward()
    except RuntimeError as error:
        return {"found": blocks > 0, "same_message": READY_TWICE in str(error)}
    return {"found": blocks > 0, "same_message": False}
