"""What is measured of a step: hooks, gradients, and the snippet that tells the causes apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import failure
import torch
from peft import LoraConfig, get_peft_model
from transformers import (
    AutoModelForCausalLM,
    DataCollatorForLanguageModeling,
    Gemma2Config,
    GPT2Config,
    Qwen2Config,
)

from fixbook.recipe import device, measure, snippet
from fixbook.recipe.helpers import tiny_tokenizer

WIDE: dict[str, Any] = {
    "vocab_size": 128,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
}


def gradients(model: Any) -> dict[str, Any]:
    """Return the gradients of what is trained, by name."""
    return {name: p.grad for name, p in model.named_parameters() if p.requires_grad}


def took_step(*, reentrant: bool = True, marked: bool = False, **changes: Any) -> dict[str, float]:
    """Train one step, and hold its gradients against those without checkpointing."""
    model, plain = failure.checkpointed(reentrant=reentrant), failure.adapted()
    hooks = model.get_input_embeddings()._forward_hooks
    measure(hooks=len(hooks))
    images = failure.features().requires_grad_(marked)
    loss = failure.step(model, images, **changes)
    measure(loss_is_a_leaf=loss.is_leaf and loss.requires_grad)
    failure.step(plain, failure.features())
    got, wanted = gradients(model), gradients(plain)
    pairs = [(got[name], grad) for name, grad in wanted.items()]
    off = max((1.0 if a is None else ((a - b).norm() / b.norm()).item()) for a, b in pairs)
    return {"trained": sum(a is not None for a, _ in pairs), "of": len(pairs), "off_by": off}


def look(*, frozen: bool = False, no_grad: bool = False, reentrant: bool = True) -> dict[str, Any]:
    """Put the snippet of the page where the forward stands."""
    model = failure.checkpointed(frozen=frozen, reentrant=reentrant)
    batch = {"inputs_embeds": failure.features(), "labels": failure.TOKENS.to(device())}
    with torch.set_grad_enabled(not no_grad):
        return _told(snippet("graphs", model=model, batch=batch))


def look_at(family: str) -> dict[str, Any]:
    """Put the snippet of the page where a usual model is fed by a usual collator."""
    configs: dict[str, Any] = {
        "gpt2": GPT2Config(vocab_size=128, n_embd=32, n_layer=2, n_head=4),
        "qwen2": Qwen2Config(**WIDE, intermediate_size=64, num_key_value_heads=2),
        "gemma2": Gemma2Config(**WIDE, intermediate_size=64, num_key_value_heads=2, head_dim=8),
    }
    torch.manual_seed(0)
    model: Any = get_peft_model(
        AutoModelForCausalLM.from_config(configs[family]),
        LoraConfig(target_modules="all-linear"),
    )
    model.to(device()).train().gradient_checkpointing_enable()
    tokenizer = tiny_tokenizer()
    collator = DataCollatorForLanguageModeling(tokenizer, mlm=False)
    batch = collator([tokenizer(text) for text in ("a loss goes down", "the next word")])
    return _told(snippet("graphs", model=model, batch=batch.to(device())))


def _told(seen: dict[str, Any]) -> dict[str, Any]:
    trainable, on, off = seen["trainable"], seen["on"], seen["off"]
    found = bool(trainable and off and not on)
    return {"found": found, "trainable": trainable, "on": on, "off": off}


def trained(*, reentrant: bool = True) -> dict[str, Any]:
    """Train one step with a head beside the adapter, and count what got a gradient."""
    model = failure.checkpointed(reentrant=reentrant, modules_to_save=["lm_head"])
    failure.step(model, failure.features())
    got = gradients(model)
    adapter = [grad for name, grad in got.items() if "lora_" in name]
    without = sum(grad is None for grad in adapter)
    head = got["base_model.model.lm_head.modules_to_save.default.weight"]
    return {"found": without > 0, "without": without, "of": len(adapter), "head": head is not None}


def trained_on_an_image(*, reentrant: bool = True) -> dict[str, Any]:
    """Train one step of a vision model, and count what got a gradient in tower and language."""
    model = failure.vision_model(reentrant=reentrant)
    failure.step_on_an_image(model)
    got = gradients(model)
    tower = [grad is None for name, grad in got.items() if "visual" in name]
    language = [grad is None for name, grad in got.items() if "visual" not in name]
    told = {"tower_without": sum(tower), "tower_of": len(tower), "language_without": sum(language)}
    return {"found": any(tower), **told}


def watch(model: Any) -> None:
    """Measure what the layers are told, each time that checkpointing is switched on."""
    layer, enable = model.base_model.model.model.layers[0], model.gradient_checkpointing_enable
    told = list[bool]()

    def enable_and_look(*arguments: Any, **keywords: Any) -> None:
        enable(*arguments, **keywords)
        told.append(layer._gradient_checkpointing_func.keywords["use_reentrant"])
        measure(first_reentrant=told[0], last_reentrant=told[-1], switched_on=len(told))

    model.gradient_checkpointing_enable = enable_and_look


def train(file: str = "before.yaml", *, hooked: bool = False, **changes: Any) -> dict[str, int]:
    """Train two steps, and count the adapter's tensors that have changed."""
    model = failure.adapted()
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    watch(model)
    if hooked:
        snippet("inputs", model=model)
    failure.under_trainer(model, str(Path(__file__).parent / "configs" / file), **changes)
    now = {name: p for name, p in model.named_parameters() if p.requires_grad}
    moved = sum(not torch.equal(before[name], p) for name, p in now.items())
    return {"moved": moved, "of": len(now)}
