"""Attention by xformers or by the page's lines, against the formula in float64."""

from __future__ import annotations

from importlib.metadata import requires, version
from typing import Any

import torch
from failure import attend, chosen, inputs
from torch.nn import functional

from fixbook.recipe import measure, snippet


def formula(query: Any, key: Any, value: Any) -> Any:
    """Attend by the formula, in float64, in the layout of xformers."""
    parts = [one.double().transpose(1, 2) for one in (query, key, value)]
    scores = parts[0] @ parts[1].transpose(2, 3) / query.shape[-1] ** 0.5
    return (scores.softmax(-1) @ parts[2]).transpose(1, 2)


def attended(*, half: bool = False, by: str = "") -> dict[str, Any]:
    """Attend by xformers, or by lines of the page."""
    query, key, value = inputs(torch.float16 if half else torch.float32)
    measure(xformers=version("xformers"), dtype=str(query.dtype))
    if not by:
        return {"tokens": attend(query, key, value).shape[1]}
    if by == "flat":  # three dimensions: one head, without a dimension of its own
        query, key, value = query[:, :, 0], key[:, :, 0], value[:, :, 0]
    out = snippet(by, query=query, key=key, value=value)["out"]
    cut = [one[:, :-1] for one in (query, key, value)]
    before = snippet(by, query=cut[0], key=cut[1], value=cut[2])["out"]
    heads = [one.reshape(*one.shape[:2], -1, one.shape[-1]) for one in (query, key, value)]
    error = (out - formula(*heads).reshape(out.shape)).abs().max()
    return {"truth": float(error), "changed": float((out[:, :-1] - before).abs().max())}


def reasons(*, half: bool = False) -> dict[str, Any]:
    """Ask every kernel why it refuses, by the page's lines."""
    query, key, value = inputs(torch.float16 if half else torch.float32)
    why = snippet("why", query=query, key=key, value=value)["why"]
    said = [one for lines in why.values() for one in lines]
    return {
        "found": all(why.values()),
        "kernels": len(why),
        "of_dtype": sum(one.startswith("dtype=") for one in said),
        "of_device": sum(one.startswith("device=") for one in said),
        "not_built": sum("wasn't built" in one for one in said),
    }


def not_loaded() -> dict[str, Any]:
    """Ask why the library of xformers is not loaded."""
    failed = snippet("loaded")["failed"]
    needs = [one for one in requires("xformers") or [] if one.startswith("torch")]
    return {
        "found": failed is not None,
        "missing": str(failed).partition(":")[0],
        "needs": needs[0],
    }


def three_dimensions(*, page: bool = True) -> dict[str, Any]:
    """Attend by torch on tensors without heads: by the page's line, or transposed as with heads."""
    query, key, value = (one[:, :, 0] for one in inputs())
    out = snippet("flat" if page else "sdpa", query=query, key=key, value=value)["out"]
    error = snippet("check", torch=torch, query=query, key=key, value=value, out=out)["error"]
    heads = [one.unsqueeze(2) for one in (query, key, value)]
    truth = float((out - formula(*heads)[:, :, 0]).abs().max())
    same = tuple(out.shape) == tuple(query.shape)
    return {"found": error > 0.01, "error": error, "truth": truth, "same_shape": same}


def picked() -> dict[str, Any]:
    """Attend by whatever the program finds installed."""
    query, key, value = inputs()
    out = chosen()(query, key, value)
    error = snippet("check", torch=torch, query=query, key=key, value=value, out=out)["error"]
    return {"found": error > 0.01, "error": error}


def by_torch(*, page: bool = False) -> dict[str, Any]:
    """Attend by torch: by the page's lines, or with the tensors as xformers takes them."""
    query, key, value = inputs()
    if page:
        out = snippet("sdpa", query=query, key=key, value=value)["out"]
    else:
        out = functional.scaled_dot_product_attention(query, key, value)
    error = snippet("check", torch=torch, query=query, key=key, value=value, out=out)["error"]
    truth = float((out - formula(query, key, value)).abs().max())
    same = tuple(out.shape) == tuple(query.shape)
    return {"found": error > 0.01, "error": error, "truth": truth, "same_shape": same}
