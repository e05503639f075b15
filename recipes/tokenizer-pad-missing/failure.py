"""A tokenizer without a pad token, and what training makes of the one it is given."""

from typing import Any

import torch
from transformers import (
    DataCollatorForLanguageModeling,
    LlamaConfig,
    LlamaForSequenceClassification,
)

TEXTS = ["the model reads a text", "a loss goes down"]


def tokenize(tokenizer: Any, *, end: bool = True) -> list[dict[str, Any]]:
    """Tokenize the texts, each with EOS at its end or without."""
    texts = [text + tokenizer.eos_token * end for text in TEXTS]
    return [{"input_ids": tokenizer(text)["input_ids"]} for text in texts]


def collate(tokenizer: Any, samples: Any) -> Any:
    """Make a batch of all texts; the labels are the collator's."""
    return DataCollatorForLanguageModeling(tokenizer, mlm=False)(samples)


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
    prompt = tokenizer("the model", return_tensors="pt")["input_ids"].to(model.device)
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
    model.eval()
    out = model.generate(prompt, max_new_tokens=40, do_sample=False, **ends)
    return list(out[0, prompt.shape[1] :].tolist())


def classifier(tokenizer: Any) -> Any:
    """Make a classifier, or reward model, whose configuration names no pad token."""
    torch.manual_seed(0)
    size: dict[str, Any] = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1}
    config = LlamaConfig(vocab_size=len(tokenizer), num_attention_heads=4, **size)
    make: Any = LlamaForSequenceClassification  # its constructor has no types
    return make(config)
