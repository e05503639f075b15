"""A sentence encoder under DDP: it averages the last layer, and BERT's pooler gets no gradient."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from transformers import BertConfig, BertModel

if TYPE_CHECKING:
    from collections.abc import Callable

TINY = BertConfig(
    vocab_size=64,
    hidden_size=16,
    intermediate_size=32,
    num_hidden_layers=1,
    num_attention_heads=2,
    max_position_embeddings=32,
)


class Encoder(nn.Module):
    """BERT, of which the loss uses the average of the last layer."""

    def __init__(self, bert: nn.Module | None = None, *, everything: bool = True) -> None:
        """Take a BERT, or build one with a pooler; forward returns everything or the average."""
        super().__init__()
        self.bert: Any = bert or BertModel(TINY)
        self.everything = everything

    def forward(self, ids: Tensor) -> Any:
        """Return BERT's output, or the average of the last layer."""
        said = self.bert(ids)
        return said if self.everything else average(said)


def average(said: Any) -> Tensor:
    """Return the average of the last layer, whatever came from forward."""
    return said if isinstance(said, Tensor) else said.last_hidden_state.mean(1)


def train(
    model: nn.Module,
    batches: list[Tensor],
    *,
    zero_times: bool = False,
    once_wrapped: Callable[[], object] | None = None,
    **options: Any,
) -> None:
    """Train under DDP.

    Args:
        model: What DDP wraps.
        batches: Token ids, one batch a step.
        zero_times: Add all parameters to the loss, times zero.
        once_wrapped: What is done to the model after DDP has wrapped it.
        **options: Of DDP.
    """
    ddp = DistributedDataParallel(model, **options)
    if once_wrapped:
        once_wrapped()
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)
    for ids in batches:
        loss = average(ddp(ids)).square().mean()
        if zero_times:
            loss = loss + 0 * sum(p.sum() for p in model.parameters())
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
