"""Trainings with columns that fit and that do not, and what is measured of them."""

from __future__ import annotations

from typing import Any

import torch
from datasets import Dataset
from failure import make, padding, raw, renamed, tokenized

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer


def trained(kind: str, *, change: str = "", wrap: bool = False, **options: Any) -> dict[str, Any]:
    """Train for three steps; return the first loss, and how much of the model moved."""
    tokenizer, model = tiny_tokenizer(), tiny_llama()
    before = model.lm_head.weight.detach().clone()
    data = {"raw": raw, "list": lambda: list(raw())}.get(kind, lambda: chosen(kind, tokenizer))()
    if change == "tokenize":
        data = snippet("tokenize", dataset=data, tokenizer=tokenizer)["dataset"]
        options["collator"] = padding(tokenizer)
    if change == "rename":
        data = snippet("rename", dataset=data)["dataset"]
    if change == "collate":
        options["collator"] = snippet("collate", tokenizer=tokenizer)["collate"]
    given = torch.nn.DataParallel(model) if wrap else model
    trainer = make(given, data, logging_steps=1, **options)
    measure(kept=not trainer.args.remove_unused_columns)
    if isinstance(data, Dataset):
        measure(found=compared(given, data)["found"])
    trainer.train()
    moved = (model.lm_head.weight != before).float().mean().item()
    return {"first_loss": float(trainer.state.log_history[0]["loss"]), "moved": moved}


def chosen(kind: str, tokenizer: Any) -> Any:
    """Return tokenized rows, under the names of the model or under others."""
    return renamed(tokenizer) if kind == "renamed" else tokenized(tokenizer)


def looked(*, wrap: bool) -> dict[str, Any]:
    """Put the page's question to a model and a data set."""
    model, dataset = tiny_llama(), tokenized(tiny_tokenizer())
    return compared(torch.nn.DataParallel(model) if wrap else model, dataset)


def compared(model: Any, dataset: Any) -> dict[str, Any]:
    """Compare the names as the page does."""
    said = snippet("compare", model=model, dataset=dataset)
    return {"found": not said["used"], "used": said["used"], "dropped": said["dropped"]}


def weighed(**options: Any) -> dict[str, Any]:
    """Look for the weights in a batch."""
    trainer = make(tiny_llama(), tokenized(tiny_tokenizer()), **options)
    try:
        snippet("column", trainer=trainer, column="weight")
    except AssertionError as error:
        return {"found": True, "said": str(error)}
    return {"found": False, "said": ""}
