"""What is measured of a quantised model in training: which of its tensors have moved."""

from __future__ import annotations

from typing import Any

import torch
from failure import LORA, ROW, STEPS, load, trainer
from peft import IA3Config, PromptTuningConfig, get_peft_model
from transformers import AutoModelForCausalLM, BitsAndBytesConfig, Trainer, TrainingArguments

from fixbook.recipe import device, measure, snippet

COMPILED = {**STEPS, "torch_compile_backend": "eager"}


def run(
    *,
    printed: str = "",
    trl: str = "",
    checked: bool = False,
    unflagged: bool = False,
    compiled: str = "",
    **changes: Any,
) -> dict[str, Any]:
    """Make a Trainer, train, and count what has moved."""
    model = load(compiled=compiled == "before", **changes)
    if printed:
        model = snippet(printed, model=model, folder="base")["model"].to(device())
    if unflagged:
        model.is_quantized = False
    measure(is_quantized=getattr(model, "is_quantized", False))
    if checked:
        snippet("adapters-train")["check_adapters"](model)
    settings: Any = None
    if compiled == "by the Trainer":
        settings = snippet("compile", options=COMPILED)["arguments"]
    made = with_trl(model, trl) if trl else trainer(model, settings)
    return train(made)


def train(made: Any) -> dict[str, Any]:
    """Train, and count what has moved."""
    model = made.model
    before = {name: p.detach().cpu().clone() for name, p in model.named_parameters()}
    made.train()
    now = {name: p.detach().cpu() for name, p in model.named_parameters()}
    moved = [name for name, was in before.items() if not torch.equal(was, now[name])]
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


class Beside(torch.nn.Module):
    """A module of one's own beside one of the model's, as a projector or a bottleneck is."""

    def __init__(self, inner: Any) -> None:
        """Take the module that is there."""
        super().__init__()
        self.inner, self.own = inner, torch.nn.Linear(64, 64)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add to what the module says."""
        x = self.inner(x)
        return x + self.own(x)


def train_own_module(*, printed: bool = False) -> dict[str, Any]:
    """Train a module of one's own on a frozen base."""
    model = load()
    model.model.norm = Beside(model.model.norm).to(device())
    own = model.model.norm.own
    if not printed:
        model.requires_grad_(requires_grad=False)
        own.requires_grad_(requires_grad=True)
        return train(trainer(model))
    settings = TrainingArguments("out", **STEPS)
    given = {"model": model, "own": own, "arguments": settings, "rows": [ROW] * 3}
    return train(snippet("own-modules", Trainer=Trainer, **given)["trainer"])


def with_trl(model: Any, adapters: str) -> Any:
    """Make TRL's trainer."""
    from datasets import Dataset
    from trl import SFTConfig, SFTTrainer

    from fixbook.recipe.helpers import tiny_tokenizer

    rows = Dataset.from_list([{"input_ids": ROW["input_ids"].tolist()}] * 3)
    settings = SFTConfig("out", bf16=False, **STEPS)
    config = LORA if adapters == "peft_config" else None
    return SFTTrainer(
        model, settings, train_dataset=rows, processing_class=tiny_tokenizer(), peft_config=config
    )


def evaluate(*, marked: bool = False) -> dict[str, float]:
    """Evaluate a quantised model as it is, and beside it what the model itself says."""
    model = load()
    with torch.no_grad():
        own = model(**{name: row[None].to(device()) for name, row in ROW.items()}).loss.item()
    if marked:
        snippet("only-evaluate", model=model)
    loss = trainer(model).evaluate()["eval_loss"]
    return {"off_by": abs(loss - own)}


def check(model: Any) -> dict[str, Any]:
    """Ask the page's check whether adapters train."""
    try:
        snippet("adapters-train")["check_adapters"](model)
    except RuntimeError as error:
        return {"found": True, "message": str(error)}
    return {"found": False}


def check_floating_storage() -> dict[str, Any]:
    """Ask it of a model whose 4-bit weights are stored as floats, as FSDP needs them."""
    load()
    settings: Any = BitsAndBytesConfig
    how = settings(load_in_4bit=True, bnb_4bit_quant_storage=torch.float32)
    return check(AutoModelForCausalLM.from_pretrained("base", quantization_config=how))


def check_usual_adapters() -> dict[str, Any]:
    """Ask it of other kinds of adapters, and of a model that is not quantised."""
    feed = {"target_modules": ["down_proj"], "feedforward_modules": ["down_proj"]}
    kinds: list[Any] = [
        IA3Config(task_type="CAUSAL_LM", **feed),
        PromptTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=4),
    ]
    models = [get_peft_model(load(), config) for config in kinds]
    models += [load(bits=16), load(bits=8, adapters="wrapped"), load(adapters="injected")]
    refused = sum(check(model)["found"] for model in models)
    return {"found": refused > 0, "of": len(models)}
