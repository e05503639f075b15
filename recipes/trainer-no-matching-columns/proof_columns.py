"""Trainings with columns that fit and that do not, and what is measured of them."""

from __future__ import annotations

from typing import Any

import torch
from datasets import Dataset
from failure import make, padding, raw, rename, tokenize
from torch.nn.functional import cross_entropy
from transformers import (
    AutoModelForCausalLM,
    AutoModelForSeq2SeqLM,
    AutoModelForSequenceClassification,
    BertConfig,
    GPT2Config,
    T5Config,
)

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_lora, tiny_tokenizer


class OwnLoss(torch.nn.Module):
    """A model of one's own, whose forward takes what it is given and makes its own loss."""

    def __init__(self) -> None:
        super().__init__()
        self.base = tiny_llama()

    def forward(self, **batch: Any) -> dict[str, Any]:
        """Return the loss of the next token."""
        logits = self.base(input_ids=batch["input_ids"]).logits[:, :-1]
        return {"loss": cross_entropy(logits.flatten(0, 1), batch["labels"][:, 1:].flatten())}


class OwnLossNamed(OwnLoss):
    """The same, with its parameters named."""

    def forward(self, input_ids: Any, labels: Any) -> dict[str, Any]:
        """Return the loss of the next token."""
        return super().forward(input_ids=input_ids, labels=labels)


def fit(given: Any, data: Any, **options: Any) -> dict[str, Any]:
    """Train for three steps; return the first loss, and how much of the model moved."""
    head = next(value for name, value in given.named_parameters() if "lm_head" in name)
    before = head.detach().cpu().clone()
    trainer = make(given, data, logging_steps=1, cpu=device() == "cpu", **options)
    measure(kept=not trainer.args.remove_unused_columns)
    if isinstance(data, Dataset):
        measure(found=compare(given, data)["found"])
    trainer.train()
    moved = (head.detach().cpu() != before).float().mean().item()
    return {"first_loss": float(trainer.state.log_history[0]["loss"]), "moved": moved}


def train(kind: str, *, change: str = "", **options: Any) -> dict[str, Any]:
    """Train on one of the kinds of data, after one of the page's changes."""
    tokenizer = tiny_tokenizer()
    made = {"raw": raw, "list": lambda: list(raw())}
    data = made.get(kind, lambda: pick(kind, tokenizer))()
    if change == "tokenize":
        data = snippet("tokenize", dataset=data, tokenizer=tokenizer)["dataset"]
        options["collator"] = padding(tokenizer)
    if change == "rename":
        data = snippet("rename", dataset=data)["dataset"]
    if change == "collate":
        options["collator"] = snippet("collate", tokenizer=tokenizer)["collate"]
    return fit(tiny_llama(), data, **options)


def pick(kind: str, tokenizer: Any) -> Any:
    """Return tokenized samples, under the names of the model or under others."""
    return rename(tokenizer) if kind == "renamed" else tokenize(tokenizer)


def train_wrapped(*, unwrap: bool = False, **options: Any) -> dict[str, Any]:
    """Train a model that somebody has put into DataParallel, or what is inside it."""
    model = torch.nn.DataParallel(tiny_llama())
    if unwrap:
        model = snippet("unwrap", model=model)["model"]
    return fit(model, tokenize(tiny_tokenizer()), **options)


def train_own(*, named: bool = False, **options: Any) -> dict[str, Any]:
    """Train a model of one's own."""
    model = OwnLossNamed() if named else OwnLoss()
    data = tokenize(tiny_tokenizer()).remove_columns("weight")
    return fit(model, data, **options)


def ask(*, wrap: bool) -> dict[str, Any]:
    """Put the page's question to a model and a dataset."""
    model, dataset = tiny_llama(), tokenize(tiny_tokenizer())
    return compare(torch.nn.DataParallel(model) if wrap else model, dataset)


def compare(model: Any, dataset: Any) -> dict[str, Any]:
    """Compare the names as the page does."""
    said = snippet("compare", model=model, dataset=dataset)
    return {"found": not said["used"], "used": said["used"], "dropped": said["dropped"]}


def ask_families() -> dict[str, Any]:
    """Put the page's question to models of other families, with both names of labels."""
    size: dict[str, Any] = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    models = [
        tiny_lora(tiny_llama()),
        AutoModelForCausalLM.from_config(GPT2Config(n_embd=32, n_layer=1, n_head=2)),
        AutoModelForSeq2SeqLM.from_config(T5Config(d_model=32, d_ff=32, num_layers=1, num_heads=2)),
        AutoModelForSequenceClassification.from_config(BertConfig(intermediate_size=32, **size)),
    ]
    dropped: list[str] = []
    for model in models:
        for label in ("label", "labels"):
            rows = Dataset.from_dict({"input_ids": [[1]], "attention_mask": [[1]], label: [1]})
            dropped += compare(model, rows)["dropped"]
    return {"found": bool(dropped), "dropped": dropped, "models": len(models)}


def weigh(**options: Any) -> dict[str, Any]:
    """Look for the weights in a batch."""
    trainer = make(tiny_llama(), tokenize(tiny_tokenizer()), cpu=device() == "cpu", **options)
    try:
        snippet("column", trainer=trainer, column="weight")
    except AssertionError as error:
        return {"found": True, "said": str(error)}
    return {"found": False, "said": ""}
