"""No weights in the folder by a name that transformers knows: adapter, parts, shards, level."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook",
#     "torch==2.13.0",
#     "transformers==5.23.0",
#     "peft==0.21.2",
#     "accelerate==1.15.0",
#     "deepspeed==0.19.8",
#     "safetensors==0.8.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import above, adapter, fsdp, repository, shards, variant, zero3
from proof_gguf import gguf

from fixbook.recipe import detect, fix, main, non_fix, reproduce

OFFLINE = {"HF_HUB_OFFLINE": "1"}
HUB = {
    "HF_ENDPOINT": "http://hub.test",
    "HF_HUB_OFFLINE": "0",
    "DISABLE_SAFETENSORS_CONVERSION": "1",
}
# Before it, AutoModel of such a folder loads the base, config.json or not.
LEFT_ALONE = ["transformers>=5.4"]
GGUF = ["gguf==0.19.0"]
TRAINER = "the Trainer under DeepSpeed takes ten seconds"


@reproduce(env=OFFLINE, needs=LEFT_ALONE)
def adapter_folder() -> dict[str, Any]:
    """LoRA's output, with a copied config.json."""
    return adapter()


@fix("adapter", control="adapter-folder", env=OFFLINE, needs=LEFT_ALONE)
def adapter_on_its_base() -> dict[str, Any]:
    """The base model, the adapter on it, and both merged."""
    return adapter("merge")


@reproduce(env=OFFLINE, record_once=TRAINER)
def zero3_checkpoint() -> dict[str, Any]:
    """Each rank's part, and no whole weights."""
    return zero3()


@fix("zero3", control="zero3-checkpoint", env=OFFLINE, record_once=TRAINER)
def zero3_recovered() -> dict[str, Any]:
    """DeepSpeed's own script beside the parts."""
    return zero3("recover")


@reproduce(env=OFFLINE)
def fsdp_checkpoint() -> dict[str, Any]:
    """Files .distcp alone."""
    return fsdp()


@fix("fsdp", control="fsdp-checkpoint", env=OFFLINE)
def fsdp_merged() -> dict[str, Any]:
    """Accelerate puts the parts together."""
    return fsdp("fsdp")


@reproduce(env=OFFLINE)
def shards_without_index() -> dict[str, Any]:
    """All weights, and nothing that says where each lies."""
    return shards()


@fix("index", control="shards-without-index", env=OFFLINE)
def index_written() -> dict[str, Any]:
    """The index is written from the files."""
    return shards("index")


@reproduce(env=OFFLINE)
def folder_above() -> dict[str, Any]:
    """The checkpoint is one folder further down."""
    return above()


@fix("level", control="folder-above", env=OFFLINE)
def right_folder() -> dict[str, Any]:
    """The folder that holds the weights."""
    return above("level")


@reproduce(env=OFFLINE)
def gguf_folder() -> dict[str, Any]:
    """A folder of a GGUF file and config.json."""
    return gguf()


@fix("gguf", control="gguf-folder", env=OFFLINE, versions=GGUF)
def gguf_named() -> dict[str, Any]:
    """Read from the file that is named."""
    return gguf("gguf")


@reproduce(env=OFFLINE)
def variant_asked_for() -> dict[str, Any]:
    """Whole weights, whose names lack the variant."""
    return variant()


@fix("variant", control="variant-asked-for", env=OFFLINE)
def variant_left_out() -> dict[str, Any]:
    """The names that are there."""
    return variant("variant")


@reproduce(env=HUB)
def repository_without() -> dict[str, Any]:
    """By name, and the repository has no weights."""
    return repository()


@non_fix("copy", control="adapter-folder", env=OFFLINE, needs=LEFT_ALONE)
def adapter_under_that_name() -> dict[str, Any]:
    """No error, and no weight of the model."""
    return adapter("copied")


@non_fix("use-safetensors", control="adapter-folder", env=OFFLINE, needs=LEFT_ALONE)
def safetensors_asked_for() -> dict[str, Any]:
    """The same error, of one name less."""
    return adapter(use_safetensors=True)


@detect(found=True, env=OFFLINE)
def shards_looked_at() -> dict[str, Any]:
    """Seen without loading anything."""
    return shards(loads=False)


@detect(found=False, control="shards-looked-at", env=OFFLINE)
def index_looked_at() -> dict[str, Any]:
    """The index is there."""
    return shards("index", loads=False)


@detect(found=True, env=OFFLINE)
def copied_adapter() -> dict[str, Any]:
    """Loaded without an error."""
    return adapter("copied")


@detect(found=False, control="copied-adapter", env=OFFLINE)
def merged_model() -> dict[str, Any]:
    """All weights are there."""
    return adapter("merge")


if __name__ == "__main__":
    main(__file__)
