"""What is measured of a quantised model that was moved or cast."""

from __future__ import annotations

from typing import Any

import bitsandbytes
import torch
from failure import change, load, quantisation, save

from fixbook.recipe import device, measure, snippet

IDS = torch.arange(8)[None]


def placed(bits: int) -> Any:
    """Load as the page places a model, and generate."""
    names = {"base": "base", "quantization_config": quantisation(bits), "device": device()}
    found = snippet("place", inputs={"input_ids": IDS}, **names)
    measure(tokens=found["output"].shape[1])
    return found["model"]


def typed(bits: int) -> Any:
    """Load as the page gives the dtype."""
    return snippet("dtype", base="base", quantization_config=quantisation(bits))["model"]


def run(bits: int = 4, how: str = "nothing") -> dict[str, Any]:
    """Load, move or cast, and hold what comes out against the model as it was loaded."""
    save()
    ids = IDS.to(device())
    with torch.no_grad():
        wanted = load(bits)(ids).logits.float()
    measure(bitsandbytes=bitsandbytes.__version__)
    printed = {"place": placed, "dtype": typed}
    model = printed[how](bits) if how in printed else change(load(bits), how)
    names = dict(model.named_parameters())
    packed = [p for p in names.values() if not p.is_floating_point()]
    layers = [m for m in model.modules() if hasattr(m, "compute_dtype")]
    with torch.no_grad():
        got = model(ids).logits.float()
    return {
        "off_by": ((got - wanted).norm() / wanted.norm()).item(),
        "packed": str(packed[0].dtype),
        "others": str(next(p.dtype for name, p in names.items() if "norm" in name)),
        "computes": str(layers[0].compute_dtype) if layers else "",
    }


def asked(*, dequantised: bool = False, bits: int = 4) -> dict[str, Any]:
    """Ask the page whether the model is quantised."""
    save()
    model = load(bits)
    found = snippet("state", model=model.dequantize() if dequantised else model)
    return {"found": found["quantized"]}
