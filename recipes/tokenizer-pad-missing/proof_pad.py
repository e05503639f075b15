"""Train with each pad token, see whether the model stops, and ask the page's question."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import torch
import transformers
from failure import TEXTS, answer, classifier, collate, tokenize, train
from transformers import DataCollatorForSeq2Seq, LlamaForSequenceClassification

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

UNK = "<unk>"
TURN = "<|im_end|>"


def bare(spare: int = 0) -> tuple[Any, Any]:
    """Return a tokenizer without a pad token, and a model with a row for each token and more."""
    tokenizer = tiny_tokenizer()
    tokenizer.pad_token = None
    model = tiny_llama(vocab_size=len(tokenizer) + spare, pad_token_id=None)
    return tokenizer, model.to(device())


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


def own_in_the_configuration(tokenizer: Any, model: Any) -> None:
    """Run the page's lines for a classifier, and see that what was saved is complete."""
    snippet("classifier", tokenizer=tokenizer, model=model, folder="classifier")
    load: Any = LlamaForSequenceClassification.from_pretrained
    measure(saved=load("classifier").config.pad_token_id)


def eos_in_the_configuration(tokenizer: Any, model: Any) -> None:
    """Name another token than the tokenizer pads with."""
    model.config.pad_token_id = tokenizer.eos_token_id


def pad_texts(change: Any) -> dict[str, int]:
    """Pad where the texts are tokenized."""
    tokenizer, model = bare()
    change(tokenizer, model)
    ids = tokenizer(TEXTS, padding=True)["input_ids"]
    return {"padded": sum(row.count(tokenizer.pad_token_id) for row in ids)}


def classify(change: Any) -> dict[str, Any]:
    """Classify a batch that the tokenizer has padded, and its shorter text alone."""
    tokenizer, _ = bare()
    tokenizer.pad_token = UNK
    model = classifier(tokenizer).to(device()).eval()
    change(tokenizer, model)
    measure(pad_id=tokenizer.pad_token_id, named=model.config.pad_token_id)
    batch = tokenizer(TEXTS, padding=True, return_tensors="pt").to(device())
    alone = tokenizer(TEXTS[1:], return_tensors="pt").to(device())
    with torch.no_grad():
        scores = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits
        single = model(input_ids=alone["input_ids"]).logits
    gap = (scores[1] - single[0]).abs().max().item()
    return {"shape": list(scores.shape), "gap": gap, "agree": gap < 1e-4}


def learn(
    change: Any, *, spare: int = 0, texts: Any = tokenize, labelled: bool = False
) -> dict[str, Any]:
    """Train, and see whether the model ends what it has learnt."""
    tokenizer, model = bare(spare)
    change(tokenizer, model)
    size = model.get_input_embeddings().num_embeddings
    measure(pad=str(tokenizer.pad_token), pad_id=tokenizer.pad_token_id, rows=size)
    make = collate_by_place if labelled else collate
    inputs = make(tokenizer, texts(tokenizer))
    names = ("input_ids", "attention_mask", "labels")
    loss = train(model, {name: inputs[name].to(device()) for name in names})
    with torch.no_grad():
        text = torch.tensor([tokenizer(TEXTS[0])["input_ids"]], device=device())
        chance = model.eval()(text).logits[0, -1].softmax(-1)[tokenizer.eos_token_id].item()
    new = answer(model, tokenizer)
    stopped = new[-1] == tokenizer.eos_token_id
    out = {"loss": loss, "chance": chance, "new_tokens": len(new), "stopped": stopped}
    return out | check(tokenizer, inputs)


def collate_by_place(tokenizer: Any, samples: Any) -> Any:
    """Run the page's lines: labels come with the data."""
    names = {"tokenizer": tokenizer, "DataCollatorForSeq2Seq": DataCollatorForSeq2Seq}
    done = snippet("by-place", data=samples, **names)
    return done["collator"](done["data"])


def end_texts(tokenizer: Any) -> list[dict[str, Any]]:
    """Tokenize texts that the page's line has ended."""
    texts = snippet("append", tokenizer=tokenizer, texts=TEXTS)["texts"]
    return [{"input_ids": tokenizer(text)["input_ids"]} for text in texts]


def turns(tokenizer: Any, model: Any) -> None:
    """Add a token with which a chat template ends an answer, beside EOS."""
    tokenizer.add_special_tokens({"additional_special_tokens": [TURN]})
    own_token(tokenizer, model)


def turns_as_eos(tokenizer: Any, model: Any) -> None:
    """Run the page's lines, which make it the EOS."""
    turns(tokenizer, model)
    snippet("turn", tokenizer=tokenizer, model=model)


def end_turns(tokenizer: Any) -> list[dict[str, Any]]:
    """Tokenize texts that a chat template has ended."""
    return [{"input_ids": tokenizer(text + TURN)["input_ids"]} for text in TEXTS]


def set_and_count(name: str) -> dict[str, Any]:
    """Ask the tokenizer to end each text; count the texts that end."""
    tokenizer, _ = bare()
    setattr(tokenizer, name, True)
    ids = tokenizer(TEXTS)["input_ids"]
    ends = sum(row[-1] == tokenizer.eos_token_id for row in ids)
    return {"ends": ends, "found": not ends}


def check(tokenizer: Any, inputs: Any) -> dict[str, Any]:
    """Ask the page's question of a loader that gives this batch."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        done = snippet("ends", tokenizer=tokenizer, loader=[inputs])
    return {"found": not done["in_labels"].any().item(), "said": said.getvalue().strip()}


def check_collators() -> dict[str, Any]:
    """Ask it of the batches that the libraries' collators make of sound data."""
    tokenizer, model = bare()
    own_token(tokenizer, model)
    data = [row | {"labels": row["input_ids"]} for row in tokenize(tokenizer)]
    found = {}
    for name in ("ForSeq2Seq", "ForTokenClassification", "WithFlattening"):
        make = getattr(transformers, f"DataCollator{name}")
        batch = (make() if name == "WithFlattening" else make(tokenizer))(data)
        found[name] = check(tokenizer, batch)["found"]
    found["ForLanguageModeling"] = check(tokenizer, collate(tokenizer, tokenize(tokenizer)))[
        "found"
    ]
    return {"found": any(found.values()), "asked": len(found)}
