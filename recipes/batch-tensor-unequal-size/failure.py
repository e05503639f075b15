"""Rows of several lengths on their way into one batch."""

from typing import Any

import torch
from datasets import Dataset
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader
from transformers import LlamaConfig, LlamaForCausalLM

from fixbook.recipe import device

TEXTS = ["the model", "a loss", "the model reads a text and writes the next word", "a text"]
EVEN = ["a text", "a loss", "a text", "a loss"]


def rows(tokenizer: Any, *, texts: Any = TEXTS, **how: bool) -> Any:
    """Tokenize, two texts at a time, not a thousand; `padding`, `lists`, one of `classes` each."""

    def tokenize(batch: Any) -> Any:
        out = tokenizer(batch["text"], padding=how.get("padding", False))
        classes = [len(text) % 2 for text in batch["text"]]
        labels = classes if how.get("classes") else out["input_ids"]
        return {"input_ids": out["input_ids"], "labels": labels}

    data = Dataset.from_dict({"text": texts})
    data = data.map(tokenize, batched=True, batch_size=2, remove_columns="text")
    return data if how.get("lists") else data.with_format("torch")


def batch(data: Any, collate: Any = None) -> Any:
    """Return a batch of all the rows."""
    return next(iter(DataLoader(data, batch_size=4, collate_fn=collate)))


def pad_all(examples: Any) -> Any:
    """Pad a batch by hand, labels with the pad token as inputs are."""
    mask = [torch.ones_like(row["input_ids"]) for row in examples]
    columns = {name: [row[name] for row in examples] for name in ("input_ids", "labels")}
    columns["attention_mask"] = mask
    return {name: pad_sequence(column, batch_first=True) for name, column in columns.items()}


def train(inputs: Any) -> tuple[float, float]:
    """Train ten steps; return the loss that is reported, and that of the text alone."""
    torch.manual_seed(0)
    size: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1}
    model: Any = LlamaForCausalLM(LlamaConfig(vocab_size=128, num_attention_heads=4, **size))
    model.to(device())
    optimizer = torch.optim.AdamW(model.parameters(), 1e-2)
    for _ in range(10):
        loss = model(**inputs).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    text = inputs["labels"].masked_fill(inputs["attention_mask"] == 0, -100)
    return model(**inputs).loss.item(), model(**inputs | {"labels": text}).loss.item()
