"""What models say of each shape, what the page's code makes of it, and what is learnt."""

from __future__ import annotations

from typing import Any

import torch
from failure import batches, ids_of_one_text, model_of, rows_of_tensors, texts

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import tiny_tokenizer

STEPS = 80


def look(batch: dict[str, Any]) -> bool:
    """Ask the page's code whether a shape is wrong; measure that of the ids."""
    measure(shape=str(tuple(batch["input_ids"].shape)))
    return bool(snippet("look", batch=batch)["odd"])


def one_text(kind: str, *, page: bool = False, generates: bool = False) -> dict[str, Any]:
    """Read one text, or write on from it: as a bare list of ids, or by the page's line."""
    model = model_of(kind)
    batch: dict[str, Any] = {"input_ids": ids_of_one_text()}
    if page:
        batch = dict(snippet("one-text", tokenizer=tiny_tokenizer(), model=model)["batch"])
    measure(found=look(batch))
    if generates:
        return {"rows": len(model.generate(**batch, max_new_tokens=2))}
    return {"rows": len(model(**batch).logits)}


def refused(kind: str, *, page: bool = False) -> dict[str, Any]:
    """Read one text; return what is said, which other mistakes say, too."""
    try:
        return one_text(kind, page=page)
    except RuntimeError as error:
        return {"said": str(error)}


def one_mask(kind: str, *, page: bool = False) -> dict[str, Any]:
    """Read one padded text whose mask alone lacks the dimension."""
    model = model_of(kind)
    ids = ids_of_one_text()[None]
    mask = torch.ones(ids.shape[1], dtype=torch.long)
    mask[-1] = 0
    if page:
        mask = snippet("mask", attention_mask=mask)["attention_mask"]
    measure(found=look({"input_ids": ids, "attention_mask": mask}))
    return {"rows": len(model(input_ids=ids, attention_mask=mask).logits)}


def dataset_of(*, page: bool) -> Any:
    """Tokenize the texts: row by row as tensors, or by the page's lines."""
    tokenizer = tiny_tokenizer()
    if page:
        return snippet("rows", tokenizer=tokenizer, dataset=texts())["dataset"]
    return rows_of_tensors(tokenizer, texts())


def stacked(kind: str, *, page: bool = False, squeeze: str = "") -> dict[str, Any]:
    """Read all batches; ``squeeze`` drops every dimension of 1, or ``dim`` the second one."""
    model = model_of(kind)
    measure(squeezed=bool(squeeze))
    rows = 0
    for batch in batches(dataset_of(page=page)):
        given = batch
        if squeeze == "all":
            given = {name: value.squeeze() for name, value in batch.items()}
        elif squeeze == "dim":
            given = snippet("squeeze", batch=batch)["batch"]
        measure(found=look(given))
        rows += len(model(**given).logits)
    return {"rows": rows}


def resized() -> dict[str, Any]:
    """Resize in the model, as is proposed, two texts that were right before."""
    batch = next(iter(batches(dataset_of(page=True))))
    measure(resized=True, texts=len(batch["input_ids"]))
    for feature in batch.values():
        feature.resize_(1, len(feature))
    read = model_of("bert")(**batch).logits
    return {"rows": read.shape[0], "tokens": read.shape[1]}


def looked(*, page: bool) -> dict[str, Any]:
    """Look at the first batch, and read nothing."""
    return {"found": look(next(iter(batches(dataset_of(page=page)))))}


def learn(*, page: bool = False) -> dict[str, Any]:
    """Train a Llama without a mask; measure if the last logits depend on the first token."""
    model = model_of("llama").train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    batch = next(iter(batches(dataset_of(page=page), 8)))
    ids = batch["input_ids"]
    torch.set_num_threads(1)
    for _ in range(STEPS):
        loss = model(input_ids=ids, labels=ids).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    other = ids.clone()
    other[..., 0] = 101
    with torch.no_grad():
        moved = (model(input_ids=ids).logits - model(input_ids=other).logits)[..., -1, :]
    seen = float(moved.abs().max())
    return {"found": seen == 0, "loss": float(loss.detach()), "seen": seen}
