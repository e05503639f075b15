"""What is measured of a quantised model that was moved or cast."""

from __future__ import annotations

from typing import Any

import bitsandbytes
import torch
from failure import change, load, quantisation, save

from fixbook.recipe import detect, fix, measure, non_fix, reproduce, snippet

LAST_4 = [
    "transformers==4.57.6",
    "huggingface_hub==0.36.0",
    "tokenizers==0.22.1",
    "httpx==0.28.1",
    "httpcore==1.0.9",
]
BNB_0_48 = ["bitsandbytes==0.48.2", *LAST_4]
ONCE = "libraries beside the main ones, imported anew"
IDS = torch.arange(8)[None]


def as_the_page_says(bits: int) -> Any:
    """Load with device and dtype, and generate."""
    names = {"base": "base", "quantization_config": quantisation(bits), "device": "cpu"}
    found = snippet("load", inputs={"input_ids": IDS}, **names)
    measure(tokens=found["output"].shape[1])
    return found["model"]


def run(bits: int = 4, how: str = "nothing") -> dict[str, Any]:
    """Load, move or cast, and hold what comes out against the model as it was loaded."""
    save()
    with torch.no_grad():
        wanted = load(bits)(IDS).logits.float()
    measure(bitsandbytes=bitsandbytes.__version__)
    model = as_the_page_says(bits) if how == "load" else change(load(bits), how)
    names = dict(model.named_parameters())
    packed = [p for p in names.values() if not p.is_floating_point()]
    layers = [m for m in model.modules() if hasattr(m, "compute_dtype")]
    with torch.no_grad():
        got = model(IDS).logits.float()
    return {
        "off_by": ((got - wanted).norm() / wanted.norm()).item(),
        "packed": str(packed[0].dtype),
        "others": str(next(p.dtype for name, p in names.items() if "norm" in name)),
        "computes": str(layers[0].compute_dtype) if layers else "",
    }


def asked(*, dequantised: bool = False) -> dict[str, Any]:
    """Ask the page whether the model is quantised."""
    save()
    model = load(4)
    found = snippet("state", model=model.dequantize() if dequantised else model)
    return {"found": found["quantized"]}


@reproduce(versions=BNB_0_48, record_once=ONCE)
def moved_in_8_bits_on_4_57() -> dict[str, Any]:
    """The last transformers 4 refuses to move a model in 8 bits, even to where it is."""
    return run(8, "move")


@non_fix("newer-bitsandbytes", control="moved-in-8-bits-on-4-57", versions=LAST_4, record_once=ONCE)
def moved_with_a_newer_bitsandbytes() -> dict[str, Any]:
    """It is not bitsandbytes that refuses."""
    return run(8, "move")


@fix("leave-it", control="moved-in-8-bits-on-4-57", versions=BNB_0_48, record_once=ONCE)
def left_alone_on_4_57() -> dict[str, Any]:
    """It is where device_map put it."""
    return run(8)


@fix("transformers-5", control="moved-in-8-bits-on-4-57")
def moved_in_8_bits() -> dict[str, Any]:
    """Transformers 5 moves it."""
    return run(8, "move")


@reproduce(versions=LAST_4, record_once=ONCE)
def dispatched_on_4_57() -> dict[str, Any]:
    """Accelerate makes the call, and transformers 4 refuses it."""
    return run(8, "dispatch")


@fix("transformers-5", control="dispatched-on-4-57")
def dispatched() -> dict[str, Any]:
    """Transformers 5 does not."""
    return run(8, "dispatch")


@detect(found=True)
def finds_the_wrapper_half_cast() -> dict[str, Any]:
    """PeftModel casts without a word, and layers in 4 bits compute as before."""
    taken = run(how="cast the wrapper")
    return taken | {"found": taken["computes"] != taken["others"]}


@detect(found=True)
def finds_it_quantised() -> dict[str, Any]:
    """Such a model may not be cast."""
    return asked()


@detect(found=False, control="finds-it-quantised")
def finds_it_dequantised() -> dict[str, Any]:
    """This one may."""
    return asked(dequantised=True)
