"""One operation, tensors on two devices: what stays behind when a model goes to a GPU."""
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
from failure import Scorer
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.func import functional_call

from fixbook.recipe import detect, fix, main, reproduce, snippet

GPU: dict[str, Any] = {"on": "cuda", "gpu_memory_gib": 1, "timeout_s": 120}


def score(*, moved: bool = True, head: str = "cuda:0", buffer: bool = True, **how: Any) -> Any:
    """Score with parameters and buffers that torch takes for tensors of a GPU."""
    model = Scorer(buffer=buffer)
    with torch.no_grad(), FakeTensorMode(allow_non_fake_inputs=True):
        state = {
            name: torch.empty(value.shape, device=head if name.startswith("head") else "cuda:0")
            for name, value in model.state_dict().items()
        }
        x = torch.empty(3, 4, device="cuda:0" if moved else "cpu")
        return {"device": str(functional_call(model, state, (x,), how).device)}


def listed(*, moved: bool = True, buffer: bool = True) -> dict[str, Any]:
    """List devices as the page does, of a model that was moved, and of its batch."""
    model = Scorer(buffer=buffer).to("meta")
    batch = {"x": torch.empty(3, 4, device="meta" if moved else "cpu")}
    places = snippet("devices", model=model, batch=batch)["places"]
    behind = places.get("cpu", [])
    return {"found": len(places) > 1, "behind": behind, "saved": "scale" in model.state_dict()}


@reproduce()
def batch_left_behind() -> Any:
    """The model is on the GPU, the batch is not."""
    return score(moved=False)


@fix("move-the-batch", control="batch-left-behind")
def batch_moved() -> Any:
    """Both are."""
    return score(moved=True)


@reproduce()
def attribute_left_behind() -> Any:
    """A tensor that is a plain attribute does not go with the model."""
    return score(buffer=False)


@fix("make-it-a-buffer", control="attribute-left-behind")
def attribute_as_buffer() -> Any:
    """A buffer does."""
    return score(buffer=True)


@reproduce()
def made_on_the_cpu() -> Any:
    """The forward makes a tensor and does not say where."""
    return score(anywhere=True)


@fix("make-it-there", control="made-on-the-cpu")
def made_where_the_input_is() -> Any:
    """It says where."""
    return score(anywhere=False)


@reproduce()
def head_on_another_gpu() -> Any:
    """A head is on the second GPU, and nothing brings its input there."""
    return score(head="cuda:1")


@fix("follow-the-weight", control="head-on-another-gpu")
def input_follows_the_head() -> Any:
    """Its input goes to where its weight is."""
    return score(head="cuda:1", follow=True)


@detect(found=True)
def attribute_listed() -> Any:
    """The attribute stays on the CPU when the model goes elsewhere."""
    return listed(buffer=False)


@detect(found=False, control="attribute-listed")
def nothing_listed() -> Any:
    """As a buffer it goes along."""
    return listed(buffer=True)


@detect(found=True)
def batch_listed() -> Any:
    """The batch stays on the CPU."""
    return listed(moved=False)


@detect(found=False, control="batch-listed")
def batch_listed_with_the_model() -> Any:
    """Once it is moved, there is one device."""
    return listed(moved=True)


@reproduce(**GPU)
def batch_left_behind_on_a_gpu() -> Any:
    """What a GPU's own kernel says of the same batch."""
    return {"device": str(Scorer().to("cuda")(torch.ones(3, 4)).device)}


if __name__ == "__main__":
    main(__file__)
