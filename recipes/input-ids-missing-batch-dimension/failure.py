"""A model of transformers gets the ids of texts in another shape than (texts, tokens)."""

from __future__ import annotations

from typing import Any

import torch
from datasets import Dataset
from torch.utils.data import DataLoader
from transformers import (
    BertConfig,
    BertForMaskedLM,
    GPT2Config,
    GPT2LMHeadModel,
    RobertaConfig,
    RobertaForMaskedLM,
    default_data_collator,
)

from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

TEXT = "the model reads a text"
KNOWN = "the model reads a text and writes next word loss goes down or it does not"
TEXTS = 9  # in batches of two, the last one has a single text
LENGTH = 12
SIZE: dict[str, Any] = {"vocab_size": 128}


def model_of(kind: str) -> Any:
    """Return a small model with random weights."""
    torch.manual_seed(0)
    if kind == "gpt2":
        return GPT2LMHeadModel(GPT2Config(n_embd=32, n_head=2, n_layer=1, **SIZE)).eval()
    if kind == "llama":
        return tiny_llama().eval()
    small: dict[str, Any] = {"hidden_size": 32, "num_hidden_layers": 1, "intermediate_size": 32}
    small |= {"num_attention_heads": 2, "attn_implementation": "eager"} | SIZE
    if kind == "roberta":
        return RobertaForMaskedLM(RobertaConfig(**small)).eval()
    return BertForMaskedLM(BertConfig(**small)).eval()


def ids_of_one_text() -> Any:
    """Return what the tokenizer says of one text, as a tensor."""
    return torch.tensor(tiny_tokenizer()(TEXT)["input_ids"])


def texts() -> Any:
    """Return texts whose second half repeats the first, so that only memory can predict it."""
    lines, words = [], KNOWN.split()
    for row in range(TEXTS):
        half = [words[(row * 5 + place * (row + 2)) % len(words)] for place in range(5)]
        lines.append({"text": " ".join([*half, *half])})
    return Dataset.from_list(lines)


def rows_of_tensors(tokenizer: Any, dataset: Any) -> Any:
    """Tokenize each row with return_tensors, as for a single call of the model."""
    options = {"padding": "max_length", "truncation": True, "max_length": LENGTH}
    return dataset.map(lambda row: tokenizer(row["text"], return_tensors="pt", **options))


def batches(dataset: Any, size: int = 2) -> Any:
    """Return a loader of batches, as the Trainer makes them without a tokenizer."""
    kept = dataset.select_columns(["input_ids", "attention_mask"])
    return DataLoader(kept, batch_size=size, collate_fn=default_data_collator)
