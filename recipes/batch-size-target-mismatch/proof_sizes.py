"""Trainings with labels of each size, and what a model learns of two padded texts."""

from __future__ import annotations

from typing import Any

import torch
from datasets import Dataset
from failure import bert, one_hot, per_text, per_token, samples, trainer_for
from transformers import (
    AutoModelForSequenceClassification,
    BertForMultipleChoice,
    BertForSequenceClassification,
    BertForTokenClassification,
    DataCollatorForLanguageModeling,
)

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

PAIRS = [(list(range(10 + 8 * row, 14 + 8 * row)), [90 + row, 100 + row, 3]) for row in range(4)]
WIDTH = 8
TIMES = 16  # samples of each pair


def fit(model: Any, data: Any, collator: Any = None) -> dict[str, Any]:
    """Train; return the loss and whether the model moved."""
    before = {name: value.detach().cpu().clone() for name, value in model.named_parameters()}
    trainer = trainer_for(model, data, collator, cpu=device() == "cpu")
    trainer.train()
    moved = [not torch.equal(value.cpu(), before[name]) for name, value in model.named_parameters()]
    return {"loss": trainer.state.log_history[-1]["train_loss"], "moved": any(moved)}


def train_classes(*, head: bool = False) -> dict[str, Any]:
    """Give classes of texts to a language model, or to what the page loads."""
    model = tiny_llama()
    if head:
        model.save_pretrained("model")
        model = snippet("per-text", folder="model", labels=3)["model"]
        model.config.pad_token_id = 0
    return fit(model, samples(per_text()))


def train_collated(*, padded: bool = False) -> dict[str, Any]:
    """Let a collator write the ids over the classes, or the page's collator pad."""
    tokenizer = tiny_tokenizer()
    over = DataCollatorForLanguageModeling(tokenizer, mlm=False)
    made = snippet("padding", tokenizer=tokenizer)["collator"] if padded else over
    return fit(bert(BertForSequenceClassification), samples(per_text()), made)


def train_tokens(*, head: bool = False) -> dict[str, Any]:
    """Give classes of tokens to a head for texts, or to what the page loads."""
    model = bert(BertForSequenceClassification)
    if head:
        model.save_pretrained("model")
        model = snippet("per-token", folder="model", labels=3)["model"]
    return fit(model, samples(per_token()))


def train_hot(*, floats: bool = False) -> dict[str, Any]:
    """Give zeros and ones, or what the page makes of them."""
    data = samples(one_hot())
    if floats:
        data = snippet("floats", dataset=data)["dataset"]
    return fit(bert(BertForSequenceClassification), data)


def pairs(change: str) -> list[dict[str, Any]]:
    """Make samples of prompts and answers: answers as labels, both padded, or the page's lines."""
    rows = []
    for prompt, answer in PAIRS * TIMES:
        ids, labels = prompt, answer
        if change == "page":
            made = snippet("one-length", prompt_ids=prompt, answer_ids=answer)
            ids, labels = made["input_ids"], made["labels"]
        if change == "padded":
            ids, labels = ids + [0] * (WIDTH - len(ids)), labels + [-100] * (WIDTH - len(labels))
        mask = [int(id_ != 0) for id_ in ids]
        rows.append({"input_ids": ids, "attention_mask": mask, "labels": labels})
    return rows


def learn(change: str = "") -> dict[str, Any]:
    """Train on pairs; see how many prompts the model then answers."""
    rows = pairs(change)
    asked = look(tiny_llama(), Dataset.from_list(rows))
    measure(lengths=[len(rows[0]["input_ids"]), len(rows[0]["labels"])], found=asked["found"])
    batch = {name: torch.tensor([row[name] for row in rows], device=device()) for name in rows[0]}
    model = tiny_llama().to(device())
    optimizer = torch.optim.AdamW(model.parameters(), 1e-2)
    loss = torch.zeros(())
    for _ in range(60):
        loss = model(**batch).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    answers = []
    for prompt, answer in PAIRS:
        ids = torch.tensor([prompt], device=device())
        out = model.eval().generate(ids, max_new_tokens=3, do_sample=False, pad_token_id=0)
        answers.append(out[0, len(prompt) :].tolist() == answer)
    return {"loss": loss.item(), "answered": sum(answers)}


def look(model: Any, data: Any, collator: Any = None) -> dict[str, Any]:
    """Put the page's question to the first batch."""
    trainer = trainer_for(model, data, collator, cpu=device() == "cpu")
    said = snippet("look", trainer=trainer)
    return {
        "found": list(said["labels"].shape) != said["wanted"],
        "labels": list(said["labels"].shape),
    }


def look_at(labels: list[Any]) -> dict[str, Any]:
    """Look at a language model's batch."""
    return look(tiny_llama(), samples(labels))


def choices() -> Any:
    """Return questions with two answers each, of which one is right."""
    rows = [
        [[4 + (row + place + one) % 60 for place in range(8)] for one in (0, 1)] for row in range(8)
    ]
    return Dataset.from_dict({"input_ids": rows, "labels": [row % 2 for row in range(8)]})


def look_at_sound_ones() -> dict[str, Any]:
    """Look at set-ups that train: each head with its labels."""
    tokenizer = tiny_tokenizer()
    collator = DataCollatorForLanguageModeling(tokenizer, mlm=False)
    tiny_llama().save_pretrained("base")
    load: Any = AutoModelForSequenceClassification.from_pretrained
    sound = [
        look(bert(BertForSequenceClassification), samples(per_text())),
        look(bert(BertForTokenClassification), samples(per_token())),
        look(tiny_llama(), samples(per_token()), collator),
        look(load("base", num_labels=3), samples(per_text())),
        look(bert(BertForMultipleChoice), choices()),
    ]
    return {"found": any(one["found"] for one in sound), "asked": len(sound)}
