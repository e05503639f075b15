"""What becomes of a model in fp16 on the CPU, and of two tensors that torch has no code for."""

from __future__ import annotations

import warnings
from typing import Any

import torch
from failure import extract, load, merge, save

from fixbook.recipe import measure, snippet


def run(kind: str, *, placed: bool = False, autocast: bool = False) -> dict[str, Any]:
    """Run a model as it was loaded, or as the page places it."""
    save()
    model, inputs = load(kind)
    if placed:
        done = snippet("place", model=model, inputs=inputs)
        model, inputs = done["model"], done["inputs"]
    measure(torch=torch.__version__.partition("+")[0])
    with torch.no_grad(), torch.autocast("cuda", enabled=autocast):
        got = model(**inputs)[0].float()
        exact = load(kind)[0].float()(**{name: _exact(one) for name, one in inputs.items()})[0]
    return {
        "dtype": str(model.dtype),
        "device": str(model.device),
        "off_by": ((got - exact).norm() / exact.norm()).item(),
    }


def wrapped() -> dict[str, Any]:
    """Run it under autocast for CUDA, and measure what that says of itself."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        torch.autocast("cuda")
    measure(said=str(said[-1].message))
    return run("llama", autocast=True)


def asked(*, placed: bool = False) -> dict[str, Any]:
    """Ask the page where the model is, and in which dtype."""
    save()
    model, inputs = load("llama")
    if placed:
        model = snippet("place", model=model, inputs=inputs)["model"]
    where = snippet("where", model=model)["where"]
    return {"found": ("cpu", "torch.float16") in where}


def factored(*, wide: bool = False, autocast: bool = False) -> dict[str, Any]:
    """Factor the difference of two weights in bf16."""
    torch.manual_seed(0)
    base = torch.randn(16, 16).bfloat16()
    tuned = base + (torch.randn(16, 4) @ torch.randn(4, 16)).bfloat16()
    with torch.autocast("cpu", torch.bfloat16, enabled=autocast):
        if wide:
            done = snippet("factor", base=base, tuned=tuned, rank=4)
            left, right = done["left"], done["right"]
        else:
            left, right = extract(base, tuned)
    wanted = (tuned - base).float()
    return {"off_by": ((left.float() @ right.float() - wanted).norm() / wanted.norm()).item()}


def merged(*, wide: bool = False) -> dict[str, Any]:
    """Add to a weight in float8."""
    torch.manual_seed(0)
    exact, delta = torch.randn(16, 16), torch.randn(16, 16) * 0.1
    base = exact.to(torch.float8_e4m3fn)
    made = snippet("widen", base=base, delta=delta)["merged"] if wide else merge(base, delta)
    wanted = exact + delta
    return {
        "dtype": str(made.dtype),
        "off_by": ((made.float() - wanted).norm() / wanted.norm()).item(),
    }


def multiplied(*, wide: bool = False) -> dict[str, Any]:
    """Run a linear layer in fp16 on a weight in float8."""
    torch.manual_seed(0)
    x, exact = torch.randn(4, 16), torch.randn(16, 16)
    weight, half = exact.to(torch.float8_e4m3fn), x.half()
    made = torch.nn.functional.linear(half, weight.to(half.dtype) if wide else weight)
    wanted = x @ exact.T
    return {
        "dtype": str(made.dtype),
        "off_by": ((made.float() - wanted).norm() / wanted.norm()).item(),
    }


def _exact(one: Any) -> Any:
    return one.float() if one.is_floating_point() else one
