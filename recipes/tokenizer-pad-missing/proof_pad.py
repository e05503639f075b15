"""Train with each pad token, see whether the model stops, and ask the page's question."""

from __future__ import annotations

from typing import Any

import torch
from failure import TEXTS, answer, classifier, collate, rows, train

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

UNK = "<unk>"


def bare(spare: int = 0) -> tuple[Any, Any]:
    """Return a tokenizer without a pad token, and a model with a row for each token and more."""
    tokenizer = tiny_tokenizer()
    tokenizer.pad_token = None
    return tokenizer, tiny_llama(vocab_size=len(tokenizer) + spare, pad_token_id=None)


def as_it_is(_: Any, __: Any) -> None:
    """Set nothing."""


def eos(tokenizer: Any, _: Any) -> None:
    """Do what the message says first."""
    tokenizer.pad_token = tokenizer.eos_token


def added(tokenizer: Any, _: Any) -> None:
    """Do what the message says next."""
    tokenizer.add_special_tokens({"pad_token": "[PAD]"})


def own_token(tokenizer: Any, model: Any) -> None:
    """Run the page's lines."""
    snippet("own-token", tokenizer=tokenizer, model=model)


def new_row(tokenizer: Any, model: Any) -> None:
    """Run the page's lines for a model without a spare token."""
    snippet("new-row", tokenizer=tokenizer, model=model)


def tokenized(change: Any) -> dict[str, int]:
    """Pad where the texts are tokenized."""
    tokenizer, model = bare()
    change(tokenizer, model)
    ids = tokenizer(TEXTS, padding=True)["input_ids"]
    return {"padded": sum(row.count(tokenizer.pad_token_id) for row in ids)}


def classified(change: Any) -> dict[str, Any]:
    """Classify a batch that the tokenizer has padded."""
    tokenizer, _ = bare()
    tokenizer.pad_token = UNK
    model = classifier(tokenizer)
    change(tokenizer, model)
    inputs = tokenizer(TEXTS, padding=True, return_tensors="pt")
    shape = model(input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"])
    return {"shape": list(shape.logits.shape)}


def trained(change: Any, *, spare: int = 0, **changes: Any) -> dict[str, Any]:
    """Train, and see whether the model ends what it has learnt."""
    tokenizer, model = bare(spare)
    change(tokenizer, model)
    size = model.get_input_embeddings().num_embeddings
    measure(pad=str(tokenizer.pad_token), pad_id=tokenizer.pad_token_id, rows=size)
    inputs = collate(tokenizer, **changes)
    loss = train(model, {name: inputs[name] for name in ("input_ids", "attention_mask", "labels")})
    with torch.no_grad():
        text = torch.tensor([rows(tokenizer)[0]["input_ids"][:-1]])
        chance = model.eval()(text).logits[0, -1].softmax(-1)[tokenizer.eos_token_id].item()
    new = answer(model, tokenizer)
    stopped = new[-1] == tokenizer.eos_token_id
    out = {"loss": loss, "chance": chance, "new_tokens": len(new), "stopped": stopped}
    return out | asked(tokenizer, inputs)


def asked(tokenizer: Any, inputs: Any) -> dict[str, Any]:
    """Ask the page's question of a loader that gives this batch."""
    try:
        snippet("ends", tokenizer=tokenizer, loader=[inputs])
    except AssertionError as error:
        return {"found": True, "said": str(error)}
    return {"found": False}
