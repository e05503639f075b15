"""One operation, tensors on two devices: what stays behind when a model goes to a GPU."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import torch
from failure import Scorer, anywhere, as_attribute, in_containers
from proof_places import (
    as_buffer,
    followed,
    head_followed,
    listed,
    listed_of_stock_models,
    moved,
    score,
)
from proof_state import resumed

from fixbook.recipe import detect, fix, main, reproduce

GPU: dict[str, Any] = {"on": "cuda", "gpu_memory_gib": 1, "timeout_s": 120}


@reproduce()
def batch_left_behind() -> Any:
    """The model is on the GPU, the batch is not."""
    return score(batch_on="cpu")


@reproduce()
def attribute_left_behind() -> Any:
    """A tensor that is a plain attribute does not go with the model."""
    return score(keep=as_attribute)


@reproduce()
def made_on_the_cpu() -> Any:
    """The forward makes a tensor and does not say where."""
    return score(positions=anywhere)


@reproduce()
def state_loaded_first() -> Any:
    """The state goes to where the parameters are at that moment."""
    return resumed("state first")


@fix("move-the-state", control="state-loaded-first")
def state_moved() -> Any:
    """The page's lines after loading."""
    return resumed("state first", by_page=True)


@fix("move-the-state", control="state-loaded-first")
def state_loaded_last() -> Any:
    """The parameters are on the GPU by then."""
    return resumed("model first")


@reproduce()
def head_on_another_gpu() -> Any:
    """A head is on the second GPU, and nothing brings its input there."""
    return score(head_on="cuda:1")


@reproduce()
def labels_on_another_gpu() -> Any:
    """The logits of a model that is spread lie on the last GPU, the labels on the first."""
    return score(head_on="cuda:1", head=head_followed)


@reproduce(**GPU)
def batch_left_behind_on_a_gpu() -> Any:
    """What a GPU's own kernel says of the same batch."""
    return {"device": str(Scorer(as_buffer).to("cuda").linear(torch.ones(3, 4)).device)}


@detect(found=True)
def attribute_listed() -> Any:
    """The attribute stays on the CPU when the model goes elsewhere."""
    return listed(as_attribute)


@detect(found=True)
def containers_listed() -> Any:
    """Nor do tensors in a list or a dict go along."""
    return listed(in_containers)


@detect(found=False, control="attribute-listed")
def nothing_listed() -> Any:
    """As a buffer it goes along."""
    return listed()


@detect(found=True)
def batch_listed() -> Any:
    """The batch stays on the CPU."""
    return listed(batch_on="cpu")


@detect(found=False, control="batch-listed")
def batch_listed_with_the_model() -> Any:
    """Once it is moved, there is one device."""
    return listed(batch_on="cpu", move=moved)


@detect(found=False)
def nothing_listed_of_stock_models() -> Any:
    """All that they hold goes along."""
    return listed_of_stock_models()


@fix("move-the-batch", control="batch-left-behind")
def batch_moved() -> Any:
    """The batch goes to where the model is."""
    return score(batch_on="cpu", move=moved)


@fix("follow-the-weight", control="head-on-another-gpu")
def input_follows_the_head() -> Any:
    """Its input goes to where its weight is."""
    return score(head_on="cuda:1", head=followed)


@fix("follow-the-weight", control="labels-on-another-gpu")
def labels_follow_the_logits() -> Any:
    """The labels go to where the logits are."""
    return score(head_on="cuda:1", head=followed)


@fix("make-it-a-buffer", control="attribute-left-behind")
def attribute_as_buffer() -> Any:
    """A buffer goes with the model."""
    return score()


@fix("make-it-there", control="made-on-the-cpu")
def made_where_the_input_is() -> Any:
    """It says where."""
    return score()


if __name__ == "__main__":
    main(__file__)
