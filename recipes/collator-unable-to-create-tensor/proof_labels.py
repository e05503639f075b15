"""What is in the batches, what a model learns from them, and what the page asks of them."""

from __future__ import annotations

from typing import Any

import torch
from failure import collator, rows, train

from fixbook.recipe import detect, measure, snippet
from fixbook.recipe.helpers import tiny_tokenizer

SEQ2SEQ = "DataCollatorForSeq2Seq"


def run(name: str, *, size: int = 4, **changes: Any) -> dict[str, Any]:
    """Make batches, check their labels, and train on them."""
    tokenizer = tiny_tokenizer()
    data = rows(tokenizer, **changes)
    collate = collator(tokenizer, name)
    longest = max(len(row["input_ids"]) for row in data)
    kinds = asked(data, collate)
    measure(longest=longest, padding=str(getattr(collate, "padding", None)), kinds=kinds)
    batches = [collate([dict(r) for r in data[i : i + size]]) for i in range(0, len(data), size)]
    return checked(data, batches, size) | learnt(batches, collator(tokenizer, SEQ2SEQ)(data))


def asked(data: Any, collate: Any) -> str:
    """Ask the page's question of the fields."""
    fields = snippet("fields", rows=data, collator=collate)["fields"]
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


def learnt(batches: Any, answers: Any) -> dict[str, Any]:
    """Train, and hold the loss reported against that of the answers alone."""
    wanted = int((answers["labels"] != -100).sum())
    hidden = (answers["labels"] == -100) & (answers["attention_mask"] == 1)
    prompts = answers | {"labels": answers["input_ids"].where(hidden, -100)}
    count = sum(int((batch["labels"] != -100).sum()) for batch in batches)
    model = train(batches)
    out = {"reported": loss(model, batches), "answers": loss(model, [answers])}
    out |= {"prompts": loss(model, [prompts])}
    return out | {"labels": count, "other": 1 - wanted / count}


@detect(found=True)
def fields_named() -> dict[str, Any]:
    """Text, and lists with a level too many."""
    tokenizer = tiny_tokenizer()
    data = rows(tokenizer, text=True, tensors="pt")
    kinds = asked(data, collator(tokenizer, SEQ2SEQ))
    return {"found": "str" in kinds or "list of list" in kinds, "kinds": kinds}


@detect(found=True)
def zeros_in_the_padding() -> dict[str, Any]:
    """Padding is learnt, and makes the loss look good."""
    return run("zeros")


@detect(found=True)
def one_row_a_batch() -> dict[str, Any]:
    """Nothing raises, and labels are made anew of the inputs."""
    return run("DataCollatorForLanguageModeling", size=1)


@detect(found=False, control="one-row-a-batch")
def one_row_a_batch_with_its_labels() -> dict[str, Any]:
    """The collator that keeps labels."""
    return run(SEQ2SEQ, size=1)
