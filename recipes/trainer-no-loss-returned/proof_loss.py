"""Trainings with labels and without, and the page's look at one batch."""

from __future__ import annotations

from typing import Any

from datasets import Dataset
from failure import Scorer, classifier, tokenized, trainer_for
from transformers import (
    AutoModel,
    CLIPConfig,
    CLIPModel,
    DataCollatorForLanguageModeling,
    DataCollatorForSeq2Seq,
    DataCollatorForTokenClassification,
    DataCollatorWithPadding,
)

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_llama, tiny_tokenizer

CLASSES = [0, 1] * 4


def fit(model: Any, data: Any, collator: Any = None, **options: Any) -> dict[str, Any]:
    """Train; return the loss and how much of the model moved."""
    before = {name: value.detach().cpu().clone() for name, value in model.named_parameters()}
    trainer = trainer_for(model, data, collator, cpu=device() == "cpu", **options)
    trainer.train()
    moved = [(value.cpu() != before[name]).any().item() for name, value in model.named_parameters()]
    return {"loss": trainer.state.log_history[-1]["train_loss"], "moved": sum(moved) > 0}


def train_text(collator: str = "") -> dict[str, Any]:
    """Train a language model on texts without labels."""
    tokenizer = tiny_tokenizer()
    made: Any = {"": None, "seq2seq": DataCollatorForSeq2Seq(tokenizer)}.get(collator)
    if collator == "page":
        made = snippet("collator", tokenizer=tokenizer)["collator"]
    return fit(tiny_llama(), tokenized(tokenizer), made)


def train_classes(*, rename: bool = False, **options: Any) -> dict[str, Any]:
    """Train a classifier whose classes stand in a column of another name."""
    data = tokenized(tiny_tokenizer(), target=CLASSES)
    if rename:
        data = snippet("rename", dataset=data)["dataset"]
    measure(named="target" in options.get("label_names", []))
    return fit(classifier(), data, **options)


def train_headless(*, head: bool = False) -> dict[str, Any]:
    """Train what AutoModel loads, or what the page loads."""
    tokenizer = tiny_tokenizer()
    tiny_llama().save_pretrained("model")
    names = {"folder": "model"}
    model = snippet("head", **names)["model"] if head else AutoModel.from_pretrained("model")
    return fit(model, tokenized(tokenizer), DataCollatorForLanguageModeling(tokenizer, mlm=False))


def train_own(*, loss: bool = False) -> dict[str, Any]:
    """Train a model of one's own, which returns scores alone or the page's loss with them."""
    data = tokenized(tiny_tokenizer(), labels=[float(label) for label in CLASSES])
    model = Scorer()
    if loss:
        forward = snippet("own-loss")["forward"]
        model.forward = forward.__get__(model)  # type: ignore[method-assign]
    return fit(model, data)


def train_pairs(*, told: bool = False) -> dict[str, Any]:
    """Train a small CLIP on texts and images, with the page's collator or the usual one."""
    size: dict[str, Any] = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1}
    size |= {"num_attention_heads": 2, "projection_dim": 16}
    text = {"vocab_size": 64, "eos_token_id": 63, "max_position_embeddings": 8}
    image = {"image_size": 8, "patch_size": 4}
    make: Any = CLIPModel  # its constructor has no types
    model = make(CLIPConfig(text_config=size | text, vision_config=size | image, projection_dim=16))
    pairs = [
        {"input_ids": [number, 63], "pixel_values": [[[number / 8.0] * 8] * 8] * 3}
        for number in range(8)
    ]
    return fit(model, pairs, snippet("return-loss")["collate"] if told else None)


def look(model: Any, data: Any, collator: Any = None) -> dict[str, Any]:
    """Put the page's question to the first batch."""
    trainer = trainer_for(model, data, collator, cpu=device() == "cpu")
    said = snippet("look", trainer=trainer)
    kept, returned = said["batch"], said["out"]
    labels = [name for name, value in kept.items() if name == "labels" and value is not None]
    keys = returned if isinstance(returned, dict) else ()
    names = ", ".join(key for key in keys if key != "past_key_values")  # of transformers 4, too
    return {"found": not labels or said["loss"] is None, "out": names}


def look_at_text(*, labels: bool) -> dict[str, Any]:
    """Look where no labels are, or where the page's collator makes them."""
    tokenizer = tiny_tokenizer()
    made = snippet("collator", tokenizer=tokenizer)["collator"] if labels else None
    return look(tiny_llama(), tokenized(tokenizer), made)


def look_at_sound_ones() -> dict[str, Any]:
    """Look at set-ups that train: other collators, and classes named label and labels."""
    tokenizer = tiny_tokenizer()
    ids = tokenized(tokenizer)["input_ids"][:]
    marked = tokenized(tokenizer, labels=ids)
    classes = Dataset.from_dict({"input_ids": ids, "label": CLASSES})
    tuples: Any = classifier()
    tuples.config.return_dict = False
    sound = [
        look(tuples, classes),
        look(tiny_llama(), marked, DataCollatorForSeq2Seq(tokenizer)),
        look(tiny_llama(), marked, DataCollatorForTokenClassification(tokenizer)),
        look(classifier(), classes),
        look(classifier(), classes, DataCollatorWithPadding(tokenizer)),
    ]
    return {"found": any(one["found"] for one in sound), "asked": len(sound)}


def evaluate(*, labels: bool) -> dict[str, Any]:
    """Evaluate with labels and without; say whether there is a loss."""
    tokenizer = tiny_tokenizer()
    collator = DataCollatorForLanguageModeling(tokenizer, mlm=False) if labels else None
    data = tokenized(tokenizer)
    trainer = trainer_for(tiny_llama(), data, collator, cpu=device() == "cpu")
    metrics = trainer.evaluate()
    return {"found": "eval_loss" not in metrics}
