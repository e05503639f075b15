"""What is in the batches, what training on them gives, and what the page asks of them."""

from __future__ import annotations

from typing import Any

import torch
from failure import batch, collator, rows, train
from torch.utils.data import DataLoader

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import tiny_tokenizer


def loaded(collate: Any, **changes: Any) -> dict[str, Any]:
    """Load one batch with a collate function, and train on it."""
    data = rows(tiny_tokenizer(), **changes)
    measure(**look(data, collate))
    measure(padding=sum(list(row["input_ids"]).count(0) for row in data))
    return learnt(batch(data, collate))


def learnt(out: Any) -> dict[str, Any]:
    """Train on a batch, and hold the loss reported against that of the text."""
    on_padding = (out["labels"] >= 0) & (out["attention_mask"] == 0)
    measure(on_padding=on_padding.float().mean().item())
    reported, text = train(out)
    return {"reported": reported, "text": text, "ignored": int((out["labels"] == -100).sum())}


def own_collator() -> Any:
    """Return the collate function that the page offers."""
    return snippet("collate", tokenizer=tiny_tokenizer())["collate"]


def padded(**changes: Any) -> dict[str, Any]:
    """Load one batch with a collator of transformers."""
    tokenizer = tiny_tokenizer()
    data, collate = rows(tokenizer), collator(tokenizer, **changes)
    measure(**look(data, collate))
    return learnt(batch(data, collate))


def look(dataset: Any, collate: Any = None) -> dict[str, Any]:
    """Ask the page's question of a loader."""
    loader: Any = DataLoader(dataset, batch_size=4, collate_fn=collate)
    ragged = snippet("ragged", loader=loader)["ragged"]
    by = getattr(loader.collate_fn, "__name__", type(loader.collate_fn).__name__)
    return {"found": bool(ragged), "columns": sorted(ragged), "by": by}


def transposed(dataset: Any) -> dict[str, Any]:
    """Load a batch as it comes, and let a reader stack it if need be."""
    first = dataset[0]["input_ids"]
    out = batch(dataset)["input_ids"]
    found = not isinstance(out, torch.Tensor)
    stacked = torch.stack(out) if found else out
    same = stacked[0].tolist() == torch.as_tensor(first).tolist()
    return {"found": found, "shape": list(stacked.shape), "first_row_kept": same}
