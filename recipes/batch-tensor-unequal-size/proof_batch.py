"""What is in the batches, what training on them gives, and what the page asks of them."""

from __future__ import annotations

from typing import Any

import torch
from failure import batch, rows, train
from torch.utils.data import DataLoader
from transformers import (
    DataCollatorForLanguageModeling,
    DataCollatorWithPadding,
)

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_tokenizer


def loaded(collate: Any, **changes: Any) -> dict[str, Any]:
    """Load one batch with a collate function, and train on it."""
    data = rows(tiny_tokenizer(), **changes)
    measure(**look(data, collate))
    measure(padding=sum(list(row["input_ids"]).count(0) for row in data))
    return learnt(batch(data, collate))


def learnt(out: Any) -> dict[str, Any]:
    """Train on a batch, and hold the loss reported against that of the text."""
    out = {name: value.to(device()) for name, value in out.items()}
    on_padding = (out["labels"] >= 0) & (out["attention_mask"] == 0)
    measure(on_padding=on_padding.float().mean().item())
    reported, text = train(out)
    return {"reported": reported, "text": text, "ignored": int((out["labels"] == -100).sum())}


def own_collator(_tokenizer: Any = None) -> Any:
    """Return the collate function that the page offers."""
    return snippet("collate", tokenizer=tiny_tokenizer())["collate"]


def for_language_models(tokenizer: Any) -> Any:
    """Return the collator that makes labels, and does not pad those it is given."""
    return DataCollatorForLanguageModeling(tokenizer, mlm=False)


def for_seq2seq(tokenizer: Any) -> Any:
    """Run the page's lines."""
    return snippet("seq2seq", tokenizer=tokenizer)["collator"]


def padded(make: Any, **changes: Any) -> dict[str, Any]:
    """Load one batch with a collator that is made of a tokenizer, and train on it."""
    return loaded(make(tiny_tokenizer()), **changes)


def classed(collate: Any = None) -> dict[str, Any]:
    """Load one batch whose rows have a class each; say what the collator for texts makes of it."""
    data = rows(tiny_tokenizer(), classes=True)
    measure(**look(data, collate))
    try:
        batch(data, for_seq2seq(tiny_tokenizer()))
    except TypeError as error:
        measure(refused=f"{type(error).__name__}: {error}")
    out = batch(data, collate)
    return {"labels": list(out["labels"].shape), "rows": len(out["input_ids"])}


def with_padding() -> Any:
    """Run the page's lines."""
    return snippet("with-padding", tokenizer=tiny_tokenizer())["collator"]


def look(dataset: Any, collate: Any = None) -> dict[str, Any]:
    """Ask the page's question of a loader."""
    loader: Any = DataLoader(dataset, batch_size=4, collate_fn=collate)
    try:
        snippet("longest-and-shortest", loader=loader)
    except (RuntimeError, ValueError):
        return {"found": True}
    return {"found": False}


def usual_collators() -> dict[str, Any]:
    """Ask it of sound rows through the collators of transformers."""
    tokenizer = tiny_tokenizer()
    labelled = rows(tokenizer, lists=True)
    bare = labelled.remove_columns("labels")
    sound = [
        (labelled, for_seq2seq(tokenizer)),
        (bare, for_language_models(tokenizer)),
        (bare, DataCollatorForLanguageModeling(tokenizer, mlm=False, pad_to_multiple_of=8)),
        (bare, DataCollatorWithPadding(tokenizer)),
    ]
    found = [look(*one)["found"] for one in sound]
    return {"found": any(found), "asked": len(found)}


def transposed(dataset: Any) -> dict[str, Any]:
    """Load a batch as it comes, and let a reader stack it if need be."""
    first = dataset[0]["input_ids"]
    out = batch(dataset)["input_ids"]
    found = not isinstance(out, torch.Tensor)
    stacked = torch.stack(out) if found else out
    same = stacked[0].tolist() == torch.as_tensor(first).tolist()
    return {"found": found, "shape": list(stacked.shape), "first_row_kept": same}
