"""Rows for fine-tuning on their way through a collator of transformers."""

from typing import Any

import torch
import transformers
from torch.nn.utils.rnn import pad_sequence
from transformers import LlamaConfig, LlamaForCausalLM

from fixbook.recipe import device

TALKS = [
    ("the model reads a text and writes", "a loss"),
    ("the model", "reads a text and writes"),
    ("a text", "the model reads"),
    ("the loss of the model reads", "a text"),
]


def flat(tokenizer: Any, text: str) -> list[int]:
    """Tokenize a text by itself, as a ``map`` does."""
    ids: list[int] = tokenizer(text)["input_ids"]
    return ids


def rows(tokenizer: Any, *, encode: Any = flat, **more: Any) -> list[Any]:
    """Tokenize each talk; prompts are not learnt. Rows have the fields ``more`` too."""
    out = []
    for prompt, answer in TALKS:
        ids, start = encode(tokenizer, f"{prompt} {answer}"), len(tokenizer(prompt)["input_ids"])
        if isinstance(ids[0], list):  # what a data set makes of a tensor of one row
            labels: Any = [[-100] * start + ids[0][start:]]
        else:
            labels = ([-100] * start + ids[start:])[: len(ids)]
        out.append({"input_ids": ids, "labels": labels} | more)
    return out


def collator(tokenizer: Any, name: str) -> Any:
    """Return a collator of transformers, or one that fills labels up with 0."""
    if name == "zeros":
        return zeros
    options = {"mlm": False} if name == "DataCollatorForLanguageModeling" else {}
    return getattr(transformers, name)(tokenizer, **options)


def zeros(examples: Any) -> Any:
    """Pad by hand, labels like inputs."""
    columns = {name: [torch.tensor(r[name]) for r in examples] for name in ("input_ids", "labels")}
    columns["attention_mask"] = [torch.ones_like(ids) for ids in columns["input_ids"]]
    return {name: pad_sequence(column, batch_first=True) for name, column in columns.items()}


def train(batches: list[Any]) -> Any:
    """Train forty steps on the batches in turn."""
    torch.manual_seed(0)
    size: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1}
    model: Any = LlamaForCausalLM(LlamaConfig(vocab_size=128, num_attention_heads=4, **size))
    optimizer = torch.optim.AdamW(model.to(device()).parameters(), 3e-3)
    for step in range(40):
        model(**batches[step % len(batches)]).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return model
