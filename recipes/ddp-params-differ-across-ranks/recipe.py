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

import torch
import torch.distributed as dist
from failure import build, heads, wrap

from fixbook.recipe import backend, detect, device, fix, main, measure, reproduce, snippet

OBJECTS = ["numpy"]  # torch gathers objects by way of it


def build_here(**changes: Any) -> Any:
    """Build the model of this rank on its device."""
    if not dist.is_initialized():
        if device() != "cpu":
            torch.cuda.set_device(device())
        dist.init_process_group(backend())
    return build(dist.get_rank(), **changes).to(device())


def run(*, differs: str, meant: bool = False) -> dict[str, Any]:
    """Build the model of this rank and hand it to DDP; if it is ``meant``, as the page does."""

    def built() -> Any:
        return build_here(differs=differs, meant=meant)

    model = built()
    measure(trainable=sum(p.requires_grad for p in model.parameters()))
    if not meant:
        wrap(model)
        return {"wrapped": True}
    measure(found=snippet("compare")["first_difference"](model) is not None)
    state = {name: torch.full_like(p, 3.0) for name, p in model.state_dict().items()}
    wrapped = snippet("same", build=built, state=state)["model"]
    return {"loaded": all(bool((p == 3.0).all()) for p in wrapped.parameters())}


def look(**changes: Any) -> dict[str, Any]:
    """Compare the models as the page does, wrap them, and say what the heads then hold."""
    model = build_here(**changes)
    row = snippet("compare")["first_difference"](model)
    measure(found=row is not None, row=[str(one) for one in row or ()])
    if changes.get("differs") == "order":
        wrap(model)
        return {"heads": heads(model)}
    return {}


@reproduce(on="any", ranks=2)
def extra_layer() -> Any:
    """Rank 1 has a layer more."""
    return run(differs="extra")


@reproduce(on="any", ranks=2)
def frozen_on_one() -> Any:
    """Rank 1 freezes a head; DDP counts what is trainable."""
    return run(differs="frozen")


@reproduce(on="any", ranks=2)
def other_shape() -> Any:
    """As many parameters, of another size."""
    return run(differs="wider")


@detect(found=True, on="any", ranks=2, needs=OBJECTS)
def extra_layer_compared() -> Any:
    """The comparison names it before DDP is asked."""
    return look(differs="extra")


@detect(found=True, on="any", ranks=2, needs=OBJECTS)
def other_order() -> Any:
    """The same shapes in another order: DDP has nothing to say, and mixes the heads up."""
    return look(differs="order")


@detect(found=False, control="other-order", on="any", ranks=2, needs=OBJECTS)
def same_order() -> Any:
    """Both ranks use the other order."""
    return look(differs="order", meant=True)


@fix("same-model", control="extra-layer", on="any", ranks=2, needs=OBJECTS)
def extra_layer_everywhere() -> Any:
    """Both ranks have it."""
    return run(differs="extra", meant=True)


@fix("same-model", control="frozen-on-one", on="any", ranks=2, needs=OBJECTS)
def frozen_everywhere() -> Any:
    """Both ranks freeze it."""
    return run(differs="frozen", meant=True)


@fix("same-model", control="other-shape", on="any", ranks=2, needs=OBJECTS)
def same_shape() -> Any:
    """Both ranks have the wider one."""
    return run(differs="wider", meant=True)


if __name__ == "__main__":
    main(__file__)
