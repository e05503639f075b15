"""What is measured of a quantised model in training: which of its tensors have moved."""

from __future__ import annotations

from typing import Any

import torch
from failure import LORA, ROW, load, trainer

from fixbook.recipe import detect, fix, measure, reproduce, snippet

LAST_4 = [
    "transformers==4.57.6",
    "huggingface_hub==0.36.0",
    "tokenizers==0.22.1",
    "datasets==4.8.4",
    "httpx==0.28.1",
    "httpcore==1.0.9",
]
TRL = ["trl==1.16.0"]
ONCE = "libraries beside the main ones, imported anew"


def run(
    *,
    trl: str = "",
    checked: bool = False,
    unflagged: bool = False,
    compiled: str = "",
    **changes: Any,
) -> dict[str, Any]:
    """Train, and count what has moved."""
    model = load(compiled=compiled == "before", **changes)
    if unflagged:
        model.is_quantized = False
    measure(is_quantized=getattr(model, "is_quantized", False))
    if checked:
        snippet("adapters-train")["check_adapters"](model)
    arguments: dict[str, Any] = {}
    if compiled == "by the Trainer":
        arguments = {"torch_compile": True, "torch_compile_backend": "eager"}
    made = with_trl(model, trl) if trl else trainer(model, **arguments)
    model = made.model
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    made.train()
    moved = [n for n, p in model.named_parameters() if not torch.equal(before[n], p)]
    linear = [n for n in before if n.endswith("_proj.weight") or "base_layer" in n]
    losses = [row["loss"] for row in made.state.log_history if "loss" in row]
    return {
        "adapter_moved": sum("lora_" in n for n in moved),
        "adapter_of": sum("lora_" in n for n in before),
        "linear_moved": sum(n in linear for n in moved),
        "linear_of": len(linear),
        "others_moved": len([n for n in moved if "lora_" not in n and n not in linear]),
        "loss_fell": losses[0] - losses[-1],
        "bytes_kept": sum(p.nbytes for n, p in model.named_parameters() if n in linear),
    }


def with_trl(model: Any, adapters: str) -> Any:
    """Make TRL's trainer."""
    from datasets import Dataset
    from trl import SFTConfig, SFTTrainer

    from fixbook.recipe.helpers import tiny_tokenizer

    rows = Dataset.from_list([{"input_ids": ROW["input_ids"].tolist()}] * 3)
    quiet: dict[str, Any] = {"report_to": [], "save_strategy": "no", "logging_steps": 1}
    settings = SFTConfig("out", max_steps=3, learning_rate=1e-2, bf16=False, **quiet)
    config = LORA if adapters == "peft_config" else None
    return SFTTrainer(
        model, settings, train_dataset=rows, processing_class=tiny_tokenizer(), peft_config=config
    )


def evaluate(*, marked: bool = False) -> dict[str, float]:
    """Evaluate a quantised model as it is, and beside it what the model itself says."""
    model = load()
    with torch.no_grad():
        own = model(**{name: row[None] for name, row in ROW.items()}).loss.item()
    if marked:
        snippet("only-evaluate", model=model)
    loss = trainer(model).evaluate()["eval_loss"]
    return {"off_by": abs(loss - own)}


def check(**changes: Any) -> dict[str, Any]:
    """Ask the page's check whether adapters train."""
    model = load(**changes)
    model.is_quantized = False
    try:
        snippet("adapters-train")["check_adapters"](model)
    except RuntimeError as error:
        return {"found": True, "message": str(error)}
    return {"found": False}


@reproduce(versions=LAST_4, record_once=ONCE)
def refused_on_4_57() -> dict[str, Any]:
    """The same on transformers 4.57.6."""
    return run()


@reproduce()
def checked_without_adapters() -> dict[str, Any]:
    """The page's check ends a run that the Trainer has been talked into."""
    return run(unflagged=True, checked=True)


@reproduce(versions=TRL, record_once=ONCE)
def no_adapters_under_trl() -> dict[str, Any]:
    """SFTTrainer is a Trainer."""
    return run(trl="no peft_config")


@fix("attach-adapters", control="no-adapters-under-trl", versions=TRL, record_once=ONCE)
def attached_by_trl() -> dict[str, Any]:
    """It puts the adapters on itself, if it is given a peft_config."""
    return run(trl="peft_config")


@detect(found=True)
def finds_no_adapters() -> dict[str, Any]:
    """Quantised tensors, and nothing beside them that trains for them."""
    return check()


@detect(found=False, control="finds-no-adapters")
def finds_adapters() -> dict[str, Any]:
    """Adapters on the same model."""
    return check(adapters="wrapped")
