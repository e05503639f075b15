"""Ranks that build different models: DDP compares them, and not all that can differ."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import torch.distributed as dist
from failure import build, heads, wrap

from fixbook.recipe import detect, fix, main, measure, reproduce, snippet


def run(**changes: Any) -> dict[str, Any]:
    """Build the model of this rank, and hand it to DDP."""
    dist.init_process_group("gloo")
    model = build(dist.get_rank(), **changes)
    measure(trainable=sum(p.requires_grad for p in model.parameters()))
    wrap(model)
    return {"wrapped": True}


def look(**changes: Any) -> dict[str, Any]:
    """Compare the models as the page does, wrap them, and say what the heads then hold."""
    dist.init_process_group("gloo")
    model = build(dist.get_rank(), **changes)
    row = snippet("compare")["first_difference"](model)
    measure(found=row is not None, row=[str(one) for one in row or ()])
    if changes.get("differs") == "order":
        wrap(model)
        return {"heads": heads(model)}
    return {}


@reproduce(on="cpu", ranks=2)
def extra_layer() -> Any:
    """Rank 1 has a layer more."""
    return run(differs="extra")


@fix("same-model", control="extra-layer", on="cpu", ranks=2)
def extra_layer_everywhere() -> Any:
    """Both ranks have it."""
    return run(differs="extra", meant=True)


@reproduce(on="cpu", ranks=2)
def frozen_on_one() -> Any:
    """Rank 1 freezes a head; DDP counts what is trainable."""
    return run(differs="frozen")


@fix("same-model", control="frozen-on-one", on="cpu", ranks=2)
def frozen_everywhere() -> Any:
    """Both ranks freeze it."""
    return run(differs="frozen", meant=True)


@reproduce(on="cpu", ranks=2)
def other_shape() -> Any:
    """As many parameters, of another size."""
    return run(differs="wider")


@fix("same-model", control="other-shape", on="cpu", ranks=2)
def same_shape() -> Any:
    """Both ranks have the wider one."""
    return run(differs="wider", meant=True)


@detect(found=True, on="cpu", ranks=2)
def extra_layer_compared() -> Any:
    """The comparison names it before DDP is asked."""
    return look(differs="extra")


@detect(found=True, on="cpu", ranks=2)
def other_order() -> Any:
    """The same shapes in another order: DDP has nothing to say, and mixes the heads up."""
    return look(differs="order")


@detect(found=False, control="other-order", on="cpu", ranks=2)
def same_order() -> Any:
    """Both ranks use the other order."""
    return look(differs="order", meant=True)


if __name__ == "__main__":
    main(__file__)
