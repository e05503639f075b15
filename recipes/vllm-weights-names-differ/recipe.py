"""vLLM finds other weights than its model has, or fewer, and not always says so."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2", "safetensors==0.8.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_weights import attempt, merge, move, rename, save_all, seen

from fixbook.recipe import detect, fix, main, non_fix, reproduce

VLLM: dict[str, Any] = {
    "versions": [
        "vllm==0.33.0", "compressed-tensors==0.17.0", "loguru==0.7.3", "aiohappyeyeballs==2.7.1",
        "aiohttp==3.14.5", "aiosignal==1.4.0", "apache-tvm-ffi==0.1.11", "cachetools==8.0.1",
        "cbor2==6.3.0", "cloudpickle==3.1.2", "fastapi==0.165.0", "frozenlist==1.8.0",
        "llguidance==1.9.1", "msgspec==0.22.0", "multidict==7.2.1", "openai==3.54.0",
        "openai-harmony==0.0.8", "partial-json-parser==0.2.1.1.post7",
        "prometheus-client==0.26.0", "propcache==0.5.4", "pybase64==1.5.1", "sniffio==1.3.1",
        "uvloop==0.23.0", "xgrammar==0.2.8", "yarl==1.25.1",
    ],
    "env": {"VLLM_TARGET_DEVICE": "cpu", "VLLM_NO_USAGE_STATS": "1"},
    "import_first": "proof_vllm",
    "record_once": "vLLM's wheel is a third of a gigabyte",
}  # fmt: skip


@reproduce(**VLLM)
def saved_with_adapter() -> dict[str, Any]:
    """The state dict of a PeftModel, saved as the model."""
    return attempt("peft")


@reproduce(**VLLM)
def saved_in_a_wrapper() -> dict[str, Any]:
    """The state dict of DDP's wrapper."""
    return attempt("module.")


@reproduce(**VLLM)
def saved_compiled() -> dict[str, Any]:
    """That of torch.compile's."""
    return attempt("_orig_mod.")


@reproduce(**VLLM)
def saved_with_value_head() -> dict[str, Any]:
    """A value head, which reinforcement learning leaves."""
    return attempt("value head")


@reproduce(**VLLM)
def body_alone() -> dict[str, Any]:
    """The model without its head."""
    return attempt("body")


@reproduce(**VLLM)
def adapter_beside() -> dict[str, Any]:
    """A whole model, and an adapter in the same folder."""
    return attempt("adapter beside")


@reproduce(**VLLM)
def layer_missing() -> dict[str, Any]:
    """A layer was not saved."""
    return attempt("without layers.1.")


@fix("merge", control="saved-with-adapter", **VLLM)
def adapter_merged() -> dict[str, Any]:
    """Merged, and saved by transformers."""
    return attempt("peft", merge)


@fix("rename", control="saved-in-a-wrapper", **VLLM)
def wrapper_renamed() -> dict[str, Any]:
    """The names of the model."""
    return attempt("module.", rename)


@fix("rename", control="saved-compiled", **VLLM)
def compiled_renamed() -> dict[str, Any]:
    """The same for the other wrapper."""
    return attempt("_orig_mod.", rename)


@fix("rename", control="saved-with-value-head", **VLLM)
def head_left_out() -> dict[str, Any]:
    """The value head is left out."""
    return attempt("value head", rename)


@fix("apart", control="adapter-beside", **VLLM)
def adapter_apart() -> dict[str, Any]:
    """The adapter in a folder of its own."""
    return attempt("adapter beside", move)


@fix("all", control="layer-missing", **VLLM)
def all_saved() -> dict[str, Any]:
    """All weights are there."""
    return attempt("without layers.1.", save_all)


@fix("all", control="body-alone", **VLLM)
def head_saved() -> dict[str, Any]:
    """Head and names are there."""
    return attempt("body", save_all)


@non_fix("take-out", control="saved-with-adapter", **VLLM)
def lora_removed() -> dict[str, Any]:
    """What vLLM does not know is taken out."""
    return attempt("lora removed")


@detect(found=True, **VLLM)
def weight_missing() -> dict[str, Any]:
    """One weight was not saved, and vLLM loads what there is."""
    return attempt("without layers.1.mlp.down_proj")


@detect(found=True, **VLLM)
def output_missing() -> dict[str, Any]:
    """The same with the output layer."""
    return attempt("without lm_head")


@detect(found=True)
def looked_at_adapter() -> dict[str, Any]:
    """The page's question."""
    return seen("peft")


@detect(found=False, control="looked-at-adapter")
def looked_at_merged() -> dict[str, Any]:
    """The same once it is merged."""
    return seen("peft", merge)


if __name__ == "__main__":
    main(__file__)
