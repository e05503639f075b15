"""What is left of a fine-tune once its adapter has been merged and saved."""

from __future__ import annotations

from typing import Any

import torch
from failure import TEXT, bring_in, load, quantisation, train
from transformers import AutoModelForCausalLM

from fixbook.recipe import detect, fix, measure, reproduce, snippet

BESIDE_4 = ["huggingface_hub==0.36.0", "tokenizers==0.22.1", "httpx==0.28.1", "httpcore==1.0.9"]
PEFT_0_5 = ["peft==0.5.0", "transformers==4.57.6", *BESIDE_4]
ONCE = "libraries beside the main ones, imported anew"


@torch.no_grad()
def loss(model: Any) -> float:
    """Return the loss on the text that was learned."""
    return float(model(input_ids=TEXT, labels=TEXT).loss)


def run(*arguments: Any, ia3: bool = False, **changes: Any) -> dict[str, Any]:
    """Train, merge, save, and read back what was saved; IA3 under autocast, which it needs."""
    with torch.autocast("cpu", torch.bfloat16, enabled=ia3):
        return through(*arguments, ia3=ia3, **changes)


def through(
    bits: int = 0,
    *,
    dequantise: bool = False,
    merge: bool = True,
    checked: bool = False,
    ia3: bool = False,
    trained_in: int = 4,
) -> dict[str, Any]:
    """Do what `run` says; with no ``bits``, merge into what was trained beside."""
    trained = train(trained_in, ia3=ia3)
    if dequantise:
        names = {"base": "base", "adapter": "adapter", "merged": "merged"}
        snippet("dequantise", quantization_config=quantisation(trained_in), **names)
    else:
        model = bring_in(bits or trained_in, merge=merge)
        left = [name for name, _ in model.named_modules() if "lora_" in name]
        measure(adapters_left=len(left))
        if merge:
            model.save_pretrained("merged")
    ready = AutoModelForCausalLM.from_pretrained("merged") if merge else model
    if checked:
        snippet("check")["check_merge"](trained, ready, TEXT)
    start, tuned, after = loss(load(trained_in)), loss(trained), loss(ready)
    return {
        "kept": (start - after) / (start - tuned),
        "start": start,
        "tuned": tuned,
        "after": after,
        "layer": type(next(m for n, m in ready.named_modules() if n.endswith("o_proj"))).__name__,
        "bytes": sum(p.nbytes for n, p in ready.named_parameters() if "_proj" in n),
    }


def check(**changes: Any) -> dict[str, Any]:
    """Ask the page's check about the saved model."""
    try:
        return {"found": False, "kept": run(checked=True, **changes)["kept"]}
    except RuntimeError as error:
        return {"found": True, "message": str(error)}


@reproduce(versions=PEFT_0_5, record_once=ONCE)
def lora_on_0_5() -> dict[str, Any]:
    """PEFT of 2023 refuses any merge into bitsandbytes' layers."""
    return run()


@fix("original-base", control="lora-on-0-5", versions=PEFT_0_5, record_once=ONCE)
def original_base_on_0_5() -> dict[str, Any]:
    """A base in 16 bits is merged into."""
    return run(bits=16)


@detect(found=True)
def finds_the_rounding() -> dict[str, Any]:
    """Four bits have rounded the adapter away."""
    return check()


@detect(found=False, control="finds-the-rounding")
def accepts_dequantised() -> dict[str, Any]:
    """The same adapter, on weights that were dequantised first."""
    return check(dequantise=True)


@detect(found=False, control="finds-the-rounding")
def accepts_8_bits() -> dict[str, Any]:
    """Trained and merged in 8 bits, whose steps are finer."""
    return check(trained_in=8)
