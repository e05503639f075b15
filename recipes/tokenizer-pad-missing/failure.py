"""A tokenizer without a pad token, and what training makes of the one it is given."""

from typing import Any

import torch
from transformers import (
    DataCollatorForLanguageModeling,
    DataCollatorForSeq2Seq,
    LlamaConfig,
    LlamaForSequenceClassification,
)

TEXTS = ["the model reads a text", "a loss goes down"]


def rows(tokenizer: Any) -> list[dict[str, Any]]:
    """Tokenize the texts, each with EOS at its end."""
    ids = [tokenizer(text)["input_ids"] for text in TEXTS]
    return [{"input_ids": [*row, tokenizer.eos_token_id]} for row in ids]


def collate(tokenizer: Any, *, labelled: bool = False) -> Any:
    """Make a batch of all texts, with labels of the data or with those of the collator."""
    if labelled:
        data = [row | {"labels": row["input_ids"]} for row in rows(tokenizer)]
        return DataCollatorForSeq2Seq(tokenizer)(data)
    return DataCollatorForLanguageModeling(tokenizer, mlm=False)(rows(tokenizer))


def train(model: Any, inputs: Any) -> float:
    """Learn the texts by heart; return the loss."""
    optimizer = torch.optim.AdamW(model.parameters(), 1e-2)
    loss = torch.zeros(())
    for _ in range(30):
        loss = model(**inputs).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return loss.item()


def answer(model: Any, tokenizer: Any) -> list[int]:
    """Let the model go on from the first words of a text, by 40 tokens at most."""
    prompt = tokenizer("the model", return_tensors="pt")["input_ids"]
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
    model.eval()
    out = model.generate(prompt, max_new_tokens=40, do_sample=False, **ends)
    return list(out[0, prompt.shape[1] :].tolist())


def classifier(tokenizer: Any) -> Any:
    """Make a classifier, or reward model, whose configuration names no pad token."""
    size: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1}
    config = LlamaConfig(vocab_size=len(tokenizer), num_attention_heads=4, **size)
    make: Any = LlamaForSequenceClassification  # its constructor has no types
    return make(config)
