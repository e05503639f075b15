"""Tensors on the meta device: moved, offloaded, copied, or left there by another thread."""
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

from proof_model import built, merge, moved, read, trained, usual
from proof_threads import threads

from fixbook.recipe import detect, fix, main, non_fix, reproduce

# Transformers 4 makes parameters on meta, and no other tensors.
FIVE = ["transformers>=5"]

# Older ones end in KeyError: 'base_model.model.…' before.
PEFT = ["peft>=0.21"]

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
LAST_4 = ["transformers==4.57.6", "tokenizers==0.22.1", "huggingface_hub==0.36.0"]
FIRST_5 = ["transformers==5.0.0", "huggingface_hub==1.17.0", "tokenizers==0.22.1", *HTTP]
ONCE = "an older transformers beside the main one, imported anew"


@reproduce(on="any")
def moved_from_meta() -> dict[str, Any]:
    """What was loaded without assign=True never arrived."""
    return moved("moved")


@fix("from-pretrained", control="moved-from-meta", on="any")
def loaded_by_from_pretrained() -> dict[str, Any]:
    """The library builds and fills it."""
    return moved("whole")


@reproduce(on="any", needs=PEFT)
def adapter_onto_an_offloaded_base() -> dict[str, Any]:
    """PEFT moves the base, a layer of which is on disk."""
    return merge()


@fix("from-pretrained", control="adapter-onto-an-offloaded-base", on="any", needs=PEFT)
def adapter_onto_a_whole_base() -> dict[str, Any]:
    """The base is on one device."""
    return merge(offload=False)


@reproduce(on="any")
def lora_on_an_offloaded_layer() -> dict[str, Any]:
    """The adapter of that layer is on meta too."""
    return trained(lora=True)


@fix("from-pretrained", control="lora-on-an-offloaded-layer", on="any")
def lora_without_offload() -> dict[str, Any]:
    """Everything on one device."""
    return trained(lora=True, offload=False)


@fix("assign", control="moved-from-meta", on="any")
def assigned_to_meta() -> dict[str, Any]:
    """Parameters on meta, buffers not."""
    return moved("assign")


@detect(found=False, on="any")
def assigned_and_tied() -> dict[str, Any]:
    """The file has the embeddings once."""
    return moved("assign", tied=True)


@reproduce(on="any", needs=FIVE)
def copied_while_built() -> dict[str, Any]:
    """from_pretrained builds on meta, and the model's code copies a tensor."""
    return built("cpu")


@reproduce(on="any", versions=FIRST_5, record_once=ONCE)
def copied_while_built_on_5_0() -> dict[str, Any]:
    """The first release of transformers 5."""
    return built("cpu")


@fix(
    "own-init",
    control="copied-while-built-on-5-0",
    on="any",
    versions=LAST_4,
    record_once=ONCE,
)
def copied_while_built_on_4() -> dict[str, Any]:
    """The last release of transformers 4 makes parameters alone on meta."""
    return built("cpu")


@reproduce(on="any", needs=FIVE)
def read_while_built() -> dict[str, Any]:
    """The code takes a number out of a tensor."""
    return built("item")


@fix("own-init", control="copied-while-built", on="any", needs=FIVE)
def computed_on_the_cpu() -> dict[str, Any]:
    """Numbers are computed on the CPU, the buffer once weights are loaded."""
    return built("printed")


@reproduce(on="any", needs=FIVE)
def tied_in_two_threads() -> dict[str, Any]:
    """Nothing is tied while another thread builds."""
    return threads(tied=True)


@fix("lock", control="tied-in-two-threads", on="any", needs=FIVE)
def tied_under_a_lock() -> dict[str, Any]:
    """The same, one after the other."""
    return threads(tied=True, lock=True)


@reproduce(on="any", versions=LAST_4, record_once=ONCE)
def loaded_in_two_threads() -> dict[str, Any]:
    """A model is loaded while another thread builds one."""
    return threads()


@fix("lock", control="loaded-in-two-threads", on="any", versions=LAST_4, record_once=ONCE)
def one_after_the_other() -> dict[str, Any]:
    """A lock around from_pretrained."""
    return threads(lock=True)


@reproduce(on="any", versions=LAST_4, record_once=ONCE)
def loads_that_cross() -> dict[str, Any]:
    """The one that began first ends first, and takes away what the other had put back."""
    return threads(crossed=True)


@fix(
    "newer-transformers",
    control="loaded-in-two-threads",
    on="any",
    versions=FIRST_5,
    record_once=ONCE,
)
def two_threads_on_5_0() -> dict[str, Any]:
    """The first release of transformers 5."""
    return threads()


@reproduce(on="any")
def weight_of_an_offloaded_layer() -> dict[str, Any]:
    """The weight is on disk."""
    return read()


@fix("borrow", control="weight-of-an-offloaded-layer", on="any")
def weight_borrowed() -> dict[str, Any]:
    """Accelerate brings it for as long as the block lasts."""
    return read(printed=True)


@non_fix("to-empty", control="moved-from-meta", on="any")
def emptied() -> dict[str, Any]:
    """What the message advises."""
    return moved("emptied instead")


@detect(found=True, on="any", needs=FIVE)
def emptied_then_loaded() -> dict[str, Any]:
    """The weights arrive; buffers that no checkpoint holds do not."""
    return moved("emptied first")


@detect(found=True, on="any", needs=FIVE)
def buffer_while_built() -> dict[str, Any]:
    """Nothing is copied, so nothing raises; the buffer is not filled either."""
    return built()


@detect(found=True, on="any")
def trained_with_offload() -> dict[str, Any]:
    """Nothing says that a layer stays as it is."""
    return trained()


@detect(found=False, control="trained-with-offload", on="any")
def trained_whole() -> dict[str, Any]:
    """No layer on disk."""
    return trained(offload=False)


@detect(found=False, on="any")
def usual_models() -> dict[str, Any]:
    """Models that from_pretrained filled, tied or not, with LoRA or without."""
    return usual()


if __name__ == "__main__":
    main(__file__)
