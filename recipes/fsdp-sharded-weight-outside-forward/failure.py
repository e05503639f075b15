"""Samples written during FSDP training, and a loss that takes the head's weight itself."""

from __future__ import annotations

from typing import Any

import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn
from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard
from torch.distributed.fsdp.wrap import ModuleWrapPolicy
from transformers.models.llama.modeling_llama import LlamaDecoderLayer

LAYERS = ModuleWrapPolicy({LlamaDecoderLayer})


class Tuner(nn.Module):
    """A language model with a loss of its own."""

    def __init__(self, model: Any) -> None:
        """Keep the model."""
        super().__init__()
        self.lm = model

    def loss(self, ids: Tensor) -> Tensor:
        """Compute the loss from the hidden states and the head's weight, as fused kernels do."""
        hidden = self.lm.model(input_ids=ids).last_hidden_state[:, :-1]
        logits = F.linear(hidden, self.lm.lm_head.weight)
        return F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())

    def forward(self, ids: Tensor) -> Tensor:
        """Return the loss."""
        return self.loss(ids)

    def sample(self, ids: Tensor) -> Tensor:
        """Continue each row by four tokens."""
        tokens: Tensor = self.lm.generate(ids, max_new_tokens=4, do_sample=False)
        return tokens


def wrap(model: Any, *, version: int = 1, orig: bool = True) -> Any:
    """Hand every layer and the whole to FSDP, and return the whole."""
    tuner = Tuner(model)
    if version == 1:
        return FullyShardedDataParallel(
            tuner,
            auto_wrap_policy=LAYERS,
            use_orig_params=orig,
            device_id=next(model.parameters()).device,
        )
    for layer in model.model.layers:
        fully_shard(layer)
    return fully_shard(tuner)
