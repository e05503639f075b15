"""Training and updating a small Llama: each phase can be what runs out of memory."""

from __future__ import annotations

from typing import Any

import torch
from transformers import LlamaConfig, LlamaForCausalLM

VOCABULARY = 4096


def llama(*, layers: int = 16, width: int = 64, attention: str = "sdpa") -> Any:
    """Build a model in bf16 with many layers and a large vocabulary."""
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=VOCABULARY, hidden_size=width, intermediate_size=4 * width,
        num_hidden_layers=layers, num_attention_heads=4, tie_word_embeddings=True,
        attn_implementation=attention, use_cache=False,
    )  # fmt: skip
    return LlamaForCausalLM(config).bfloat16().train()


def tokens(rows: int, length: int) -> torch.Tensor:
    """Return the same random rows every time."""
    return torch.randint(VOCABULARY, (rows, length), generator=torch.Generator().manual_seed(1))


def plain_loss(model: Any, input_ids: Any, labels: Any) -> Any:
    """Let transformers compute the loss: all logits at once, in fp32."""
    return model(input_ids=input_ids, labels=labels).loss


def preference_loss(model: Any, input_ids: Any, labels: Any) -> Any:
    """Compute log-probabilities as TRL's DPO and GRPO do."""
    from trl.trainer.utils import selective_log_softmax

    logits = model(input_ids=input_ids).logits[:, :-1]
    counted = labels[:, 1:] != -100
    return -selective_log_softmax(logits, input_ids[:, 1:])[counted].mean()


def train(model: Any, ids: torch.Tensor, *, micro_batch: int = 4, loss: Any = plain_loss) -> None:
    """Run forward and backward over all rows, `micro_batch` of them at a time."""
    labels = ids.clone()
    labels[:, : ids.shape[1] * 7 // 8] = -100  # the prompt does not count
    for part, wanted in zip(ids.split(micro_batch), labels.split(micro_batch), strict=True):
        (loss(model, part, wanted) * len(part) / len(ids)).backward()


def train_one_by_one(model: Any, dataset: Any) -> int:
    """Train on samples as they come; return how many."""
    for row in dataset:
        train(model, torch.tensor([row["input_ids"]]))
        model.zero_grad()
    return len(dataset)
