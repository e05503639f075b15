"""Weights on the meta device: moved, offloaded, or left there by another thread's loading."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0", "peft==0.21.2",
#     "safetensors==0.8.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_model import moved, read, trained
from proof_threads import threads

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def moved_from_meta() -> dict[str, Any]:
    """What was loaded without assign=True never arrived."""
    return moved("moved")


@fix("from-pretrained", control="moved-from-meta")
def loaded_by_from_pretrained() -> dict[str, Any]:
    """The library builds and fills it."""
    return moved("whole")


@fix("assign", control="moved-from-meta")
def assigned() -> dict[str, Any]:
    """Parameters on meta, buffers not."""
    return moved("assign")


@reproduce()
def weight_of_an_offloaded_layer() -> dict[str, Any]:
    """The weight is on disk."""
    return read()


@fix("borrow", control="weight-of-an-offloaded-layer")
def weight_borrowed() -> dict[str, Any]:
    """Accelerate brings it for as long as the block lasts."""
    return read(printed=True)


@reproduce()
def lora_on_an_offloaded_layer() -> dict[str, Any]:
    """The adapter of that layer is on meta too."""
    return trained(lora=True)


@fix("from-pretrained", control="lora-on-an-offloaded-layer")
def lora_without_offload() -> dict[str, Any]:
    """Everything on one device."""
    return trained(lora=True, offload=False)


@non_fix("to-empty", control="moved-from-meta")
def emptied() -> dict[str, Any]:
    """What the message advises."""
    return moved("emptied instead")


@detect(found=True)
def emptied_then_loaded() -> dict[str, Any]:
    """The weights arrive; buffers that no checkpoint holds do not."""
    return moved("emptied first")


@detect(found=False, control="emptied-then-loaded")
def buffers_never_on_meta() -> dict[str, Any]:
    """Built with init_empty_weights."""
    return moved("assign")


@detect(found=True)
def trained_with_offload() -> dict[str, Any]:
    """Nothing says that a layer stays as it is."""
    return trained()


@detect(found=False, control="trained-with-offload")
def trained_whole() -> dict[str, Any]:
    """No layer on disk."""
    return trained(offload=False)


@fix("newer-transformers", control="loaded-in-two-threads")
def two_threads_today() -> dict[str, Any]:
    """The release of today builds on meta for its own thread alone."""
    return threads()


@reproduce()
def tied_in_two_threads() -> dict[str, Any]:
    """Nothing is tied while another thread builds."""
    return threads(tied=True)


@fix("lock", control="tied-in-two-threads")
def tied_under_a_lock() -> dict[str, Any]:
    """The same, one after the other."""
    return threads(tied=True, lock=True)


if __name__ == "__main__":
    main(__file__)
