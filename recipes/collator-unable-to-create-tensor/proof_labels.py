"""What is in the batches, what a model learns from them, and what the page asks of them."""

from __future__ import annotations

from typing import Any

import torch
from datasets import Dataset
from failure import collator, flat, rows, train

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_tokenizer

SEQ2SEQ = "DataCollatorForSeq2Seq"


def with_tensors(tokenizer: Any, text: str) -> Any:
    """Tokenize to a tensor of one row."""
    return tokenizer(text, return_tensors="pt")["input_ids"].tolist()


def without_tensors(tokenizer: Any, text: str) -> Any:
    """Run the page's line."""
    return snippet("flat", tokenizer=tokenizer, text=text)["ids"]


def cut_and_padded(tokenizer: Any, text: str) -> Any:
    """Tokenize as the message advises."""
    return tokenizer(text, padding=True, truncation=True, max_length=8)["input_ids"]


def numbers_only(data: list[Any]) -> Any:
    """Run the page's lines."""
    return list(snippet("numbers", data=Dataset.from_list(data))["data"])


def seq2seq(tokenizer: Any) -> Any:
    """Run the page's lines."""
    return snippet("seq2seq", tokenizer=tokenizer)["collator"]


def run(
    make: Any, *, size: int = 4, keep: Any = list, encode: Any = flat, **more: Any
) -> dict[str, Any]:
    """Make batches by a collator's name or by a function, check their labels, and train on them."""
    tokenizer = tiny_tokenizer()
    data = keep(rows(tokenizer, encode=encode, **more))
    collate = collator(tokenizer, make) if isinstance(make, str) else make(tokenizer)
    longest = max(len(row["input_ids"]) for row in data)
    kinds = asked(data, collate)
    measure(longest=longest, padding=str(getattr(collate, "padding", None)), kinds=kinds)
    batches = [collate([dict(r) for r in data[i : i + size]]) for i in range(0, len(data), size)]
    return checked(data, batches, size) | learnt(batches, collator(tokenizer, SEQ2SEQ)(data))


def field_of_ones_own(*, padded: bool = False) -> dict[str, Any]:
    """Make a batch of rows that have a weight for each token."""
    tokenizer = tiny_tokenizer()
    data = [row | {"weights": [1.0] * len(row["input_ids"])} for row in rows(tokenizer)]
    collate = collator(tokenizer, SEQ2SEQ)
    if padded:
        collate = snippet("own-field", collator=collate)["collate"]
    batch = collate(data)
    width = batch["weights"].shape[1]
    return {"width": width, "as_wide": width == batch["input_ids"].shape[1]}


def fields(**changes: Any) -> dict[str, Any]:
    """Ask the page's question of rows, and look for what is no list of numbers."""
    tokenizer = tiny_tokenizer()
    kinds = asked(rows(tokenizer, **changes), collator(tokenizer, SEQ2SEQ))
    bad = ("str", "NoneType", "list of list")
    return {"found": any(kind in kinds for kind in bad), "kinds": kinds}


def asked(data: Any, collate: Any) -> str:
    """Ask the page's question of the fields."""
    fields = snippet("fields", data=data, collator=collate)["fields"]
    return ", ".join(f"{field}: {' or '.join(kinds)}" for field, kinds in fields.items())


def checked(data: Any, batches: Any, size: int) -> dict[str, Any]:
    """Ask the page's check of every batch."""
    check = snippet("check-labels")["check_labels"]
    try:
        for i, batch in enumerate(batches):
            check(data[i * size : (i + 1) * size], batch)
    except RuntimeError as error:
        return {"found": True, "message": str(error)}
    return {"found": False}


@torch.no_grad()
def loss(model: Any, batches: Any) -> float:
    """Return the mean loss of the batches."""
    return float(sum(model(**batch).loss.item() for batch in batches) / len(batches))


def placed(batch: Any) -> dict[str, torch.Tensor]:
    """Return a batch where the step runs."""
    return {name: value.to(device()) for name, value in batch.items()}


def learnt(batches: Any, answers: Any) -> dict[str, Any]:
    """Train, and hold the loss reported against that of the answers alone."""
    batches, answers = [placed(batch) for batch in batches], placed(answers)
    wanted = int((answers["labels"] != -100).sum())
    hidden = (answers["labels"] == -100) & (answers["attention_mask"] == 1)
    prompts = answers | {"labels": answers["input_ids"].where(hidden, -100)}
    count = sum(int((batch["labels"] != -100).sum()) for batch in batches)
    model = train(batches)
    out = {"reported": loss(model, batches), "answers": loss(model, [answers])}
    out |= {"prompts": loss(model, [prompts])}
    return out | {"labels": count, "other": 1 - wanted / count}
