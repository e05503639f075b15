"""What is measured of a training run: how many tensors moved, and the norm that was logged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import failure
import torch
from peft import LoraConfig, get_peft_model
from transformers import (
    AutoModelForCausalLM,
    DataCollatorForLanguageModeling,
    Gemma2Config,
    GPT2Config,
    Qwen2Config,
    TrainerCallback,
    TrainingArguments,
)

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable

STEPS: dict[str, Any] = {
    "max_steps": 2,
    "learning_rate": 1e-2,
    "logging_steps": 1,
    "save_strategy": "no",
    "report_to": [],
}


def loaded() -> Any:
    """Load the adapter as the page prints it."""
    failure.save_adapter()
    return snippet("load", base=failure.base())["model"]


def prepared_first() -> Any:
    """Prepare the model, and give it its adapter, as the page prints it."""
    return snippet("prepare", model=failure.base(), config=failure.TARGETS)["model"]


def with_a_head() -> Any:
    """An adapter, and a head that is trained whole."""
    return get_peft_model(failure.base(), failure.WITH_A_HEAD)


def run(
    made: Callable[[], Any],
    *,
    checkpointing: bool = True,
    image: bool = False,
    hooked: bool = False,
    stopped: bool = False,
    mended: bool = False,
) -> dict[str, Any]:
    """Train what a function makes, and count what has moved; ``image``: reentrant, on features."""
    model = made()
    model.gradient_checkpointing_disable()
    before = {name: p.detach().cpu().clone() for name, p in model.named_parameters()}
    if hooked:
        model.enable_input_require_grads()
    trainable = [p.requires_grad for p in model.parameters()]
    measure(hooks=len(model.get_input_embeddings()._forward_hooks), trainable=sum(trainable))
    options = {**STEPS, "gradient_checkpointing": checkpointing}
    if image and not mended:
        options["gradient_checkpointing_kwargs"] = {"use_reentrant": True}
    settings: Any = TrainingArguments("out", **options)
    if mended:
        settings = snippet("not-reentrant", options=STEPS)["arguments"]
    inputs = {"inputs_embeds": failure.IMAGE} if image else {"input_ids": failure.TOKENS}
    callback = _Listening(stopped=stopped)
    log = failure.train(model, {**inputs, "labels": failure.TOKENS}, settings, [callback])
    now = dict(model.named_parameters())
    moved = [name for name, was in before.items() if not torch.equal(was, now[name].detach().cpu())]
    adapter = sum("lora_" in name for name in moved)
    losses = [row["loss"] for row in log if "loss" in row]
    return {
        "found": adapter == 0,
        "adapter_moved": adapter,
        "of": sum("lora_" in name for name in before),
        "head_moved": len(moved) > adapter,
        "grad_norm": max(row["grad_norm"] for row in log if "grad_norm" in row),
        "loss_fell": losses[0] - losses[-1],
    }


class _Listening(TrainerCallback):  # type: ignore[misc]
    """The callback of the page; what it says is measured, and may stop the run."""

    def __init__(self, *, stopped: bool) -> None:
        self.stopped = stopped
        self.watching = snippet("every-tensor-trains")["EveryTensorTrains"]()
        measure(refused="")

    def on_pre_optimizer_step(self, *arguments: Any, **named: Any) -> None:
        try:
            self.watching.on_pre_optimizer_step(*arguments, **named)
        except RuntimeError as error:
            measure(refused=str(error))
            if self.stopped:
                raise


def check_usual_adapters() -> dict[str, Any]:
    """Count usual models whose sound adapters the check of the page refuses."""
    shape: dict[str, Any] = {"vocab_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}
    shape |= {"hidden_size": 32, "intermediate_size": 64, "num_key_value_heads": 2}
    models = (
        GPT2Config(vocab_size=128, n_embd=32, n_layer=2, n_head=4),
        Qwen2Config(**shape, tie_word_embeddings=True),
        Gemma2Config(**shape, head_dim=8),
    )
    tokenizer = tiny_tokenizer()
    collator = DataCollatorForLanguageModeling(tokenizer, mlm=False)
    batch = collator([tokenizer(text) for text in ("a loss goes down", "the next word")])
    check, refused = snippet("every-tensor-trains")["check_gradients"], 0
    for config in models:
        lora = LoraConfig(target_modules="all-linear", use_dora=True)
        model: Any = get_peft_model(AutoModelForCausalLM.from_config(config), lora)
        model.to(device()).train()(**batch.to(device())).loss.backward()
        try:
            check(model)
        except RuntimeError:
            refused += 1
    return {"found": refused > 0, "of": len(models)}


def attempt() -> dict[str, Any]:
    """Train a frozen adapter, and see whether it is refused."""
    try:
        return run(failure.continued)
    except RuntimeError as error:
        measure(error=str(error))
        return {"found": False}
