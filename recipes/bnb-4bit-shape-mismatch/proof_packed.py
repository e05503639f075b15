"""What becomes of a forward pass where a weight in 4 bits is taken for a matrix."""

from __future__ import annotations

from typing import Any

import torch
from bitsandbytes.nn import Linear4bit, Params4bit
from failure import SIZES, Model, load, save
from peft import LoraConfig, get_peft_model
from torch import nn
from transformers import AutoConfig, LlamaConfig, LlamaForCausalLM
from transformers.models.llama.modeling_llama import LlamaMLP

from fixbook.recipe import device, snippet

IDS = torch.arange(8)[None]
LORA = {"r": 4, "lora_alpha": 8, "lora_dropout": 0.0, "target_modules": ["q_proj"]}


def run(how: str) -> dict[str, Any]:
    """Run the model that reads its weights, or one that is mended as on the page."""
    save()
    return _held_against_32_bits(_loaded(how))


def adapted() -> dict[str, Any]:
    """Put LoRA on layers in 4 bits, and run it."""
    save()
    made = get_peft_model(load(LlamaForCausalLM), LoraConfig(**LORA))
    layer = next(one for name, one in made.named_modules() if name.endswith("q_proj"))
    return _held_against_32_bits(made) | {
        "layer": type(layer).__module__ + "." + type(layer).__name__
    }


def cut(*, whole: bool = False, adapter: bool = False) -> dict[str, Any]:
    """Run a Llama whose configuration cuts its weights in two, with layers of bitsandbytes."""
    wide = {**SIZES, "hidden_size": 64, "intermediate_size": 2048}
    LlamaConfig(num_attention_heads=2, pretraining_tp=2, **wide).save_pretrained("cut")
    config = snippet("whole", base="cut")["config"] if whole else AutoConfig.from_pretrained("cut")
    llama = _packed(LlamaForCausalLM(config))
    made = get_peft_model(llama, LoraConfig(**LORA)) if adapter else llama
    with torch.no_grad():
        logits = made(IDS.to(device())).logits
    return {"finite": bool(logits.isfinite().all())}


def asked(how: str = "read") -> dict[str, Any]:
    """Ask the page which layers in 4 bits no forward pass went through."""
    save()
    made = _loaded(how)
    inputs = {"input_ids": IDS.to(device())}
    left = list(snippet("waiting", model=made, inputs=inputs)["waiting"])
    return {"found": bool(left), "first": (left or [""])[0].rpartition(".")[2]}


def _held_against_32_bits(model: Any) -> dict[str, Any]:
    """Compute logits, and hold them against those in 32 bits."""
    ids = IDS.to(device())
    with torch.no_grad():
        got = model(ids).logits.float()
        wanted = load(LlamaForCausalLM, 32)(ids).logits
    packed = [name for name, one in model.named_modules() if isinstance(one, Linear4bit)]
    return {
        "off_by": ((got - wanted).norm() / wanted.norm()).item(),
        "packed": len(packed),
        "packs_the_head": "lm_head" in packed,
    }


def _loaded(how: str) -> Any:
    if how == "skip":
        return snippet("skip", Model=Model, base="base", device=device())["model"]
    if how == "call":
        mlp = snippet("call", LlamaMLP=LlamaMLP)["MLP"]
        return load(type("Called", (Model,), {"mlp": mlp}))
    if how in ("moved", "packed twice"):
        return _moved(load(LlamaForCausalLM), again=how == "packed twice")
    return load()


def _moved(llama: Any, *, again: bool) -> Any:
    """Move layers to the CPU and back; quantise what they hold once more if asked.

    In evaluation, today's bitsandbytes rearranges weights on a CPU, which these do not survive.
    """
    for layer in [one for one in llama.modules() if isinstance(one, Linear4bit)]:
        layer.to("cpu")
        if again:
            layer.weight = Params4bit(layer.weight.data.half(), requires_grad=False)
        layer.to(device())
    return llama.train()


def _packed(llama: Any) -> Any:
    """Replace the layers by hand: this transformers quantises with a GPU alone."""
    for parent in list(llama.model.modules()):
        for name, layer in list(parent.named_children()):
            if isinstance(layer, nn.Linear):
                new = Linear4bit(layer.in_features, layer.out_features, bias=False)
                new.weight = Params4bit(layer.weight.data, requires_grad=False)
                setattr(parent, name, new)
    return llama.to(device())
