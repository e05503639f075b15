"""What is left of a fine-tune once its adapter has been merged and saved."""

from __future__ import annotations

from typing import Any

import torch
from bitsandbytes.functional import has_avx512bf16
from failure import TEXT, bring_in, load, quantisation, train
from peft import PeftModel
from transformers import AutoModelForCausalLM

from fixbook.recipe import device, measure, skip, snippet

NAMES = {"base": "base", "adapter": "adapter", "merged": "merged"}


@torch.no_grad()
def loss(model: Any) -> float:
    """Return the loss on the text that was learned."""
    text = TEXT.to(device())
    return float(model(input_ids=text, labels=text).loss)


def run(way: str = "", *, ia3: bool = False, **changes: Any) -> dict[str, Any]:
    """Train, merge, save, and read back what was saved; IA3 under autocast, which it needs."""
    with torch.autocast(device().split(":")[0], torch.bfloat16, enabled=ia3):
        return through(way, ia3=ia3, **changes)


def through(
    way: str = "",
    *,
    quantised_again: bool = False,
    checked: bool = False,
    ia3: bool = False,
    trained_in: int = 4,
) -> dict[str, Any]:
    """Do what `run` says; with no ``way``, merge into what was trained beside."""
    trained = train(trained_in, ia3=ia3)
    if way == "answered":
        dequantise_after_an_answer()
    elif way == "dequantise":
        snippet("dequantise", quantization_config=quantisation(trained_in), **NAMES)
    elif way == "original":
        snippet("original", **NAMES)
    else:
        model = bring_in(trained_in, merge=way != "kept")
        left = [name for name, _ in model.named_modules() if "lora_" in name]
        measure(adapters_left=len(left))
        if way != "kept":
            model.save_pretrained("merged")
    again = {"quantization_config": quantisation(4)} if quantised_again else {}
    ready = read("merged", **again) if way != "kept" else model
    if checked:
        snippet("check")["check_merge"](trained, ready, TEXT.to(device()))
    start, tuned, after = loss(load(trained_in)), loss(trained), loss(ready)
    return {
        "kept": (start - after) / (start - tuned),
        "start": start,
        "tuned": tuned,
        "after": after,
        "layer": type(next(m for n, m in ready.named_modules() if n.endswith("o_proj"))).__name__,
        "bytes": sum(p.nbytes for n, p in ready.named_parameters() if "_proj" in n),
    }


def read(folder: str, **given: Any) -> Any:
    """Read a checkpoint onto the device."""
    return AutoModelForCausalLM.from_pretrained(folder, device_map=device(), **given)


def dequantise_after_an_answer() -> None:
    """Merge as the page does, into a 4-bit model that a CPU has computed something with."""
    if not has_avx512bf16():
        skip("this CPU has no avx512_bf16, for which bitsandbytes packs weights anew")
    model = load(4).eval()
    loss(model)
    merged = PeftModel.from_pretrained(model.dequantize(), "adapter").merge_and_unload()
    merged.save_pretrained("merged")


def check(way: str = "", **changes: Any) -> dict[str, Any]:
    """Ask the page's check about the saved model."""
    try:
        return {"found": False, "kept": run(way, checked=True, **changes)["kept"]}
    except RuntimeError as error:
        return {"found": True, "message": str(error)}


def wanting(way: str) -> dict[str, Any]:
    """Say whether half of what was learned is gone."""
    seen = run(way)
    return seen | {"found": seen["kept"] < 0.5}
