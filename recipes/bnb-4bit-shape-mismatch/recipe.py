"""A weight that bitsandbytes holds in 4 bits is multiplied by as if it were a matrix."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2", "bitsandbytes==0.50.2",
#     "accelerate==1.15.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_packed import adapted, asked, cut, run

from fixbook.recipe import detect, fix, main, reproduce

LLAMA_2 = [
    "transformers==4.37.0",
    "tokenizers==0.15.2",
    "huggingface_hub==0.36.2",
    "numpy==1.26.4",
    "peft==0.8.2",
]
# bitsandbytes compiles what it has no kernel for on a CPU, which takes a quarter of a minute.
NO_COMPILER = {"TORCHDYNAMO_DISABLE": "1"}
ONCE = "libraries beside the main ones, imported anew"


@reproduce(on="any")
def weight_is_read() -> dict[str, Any]:
    """The model's own code hands the weight to linear()."""
    return run("read")


@reproduce(on="any", versions=["peft==0.3.0"], record_once=ONCE)
def adapter_of_peft_0_3() -> dict[str, Any]:
    """PEFT 0.3.0 takes the layer for one of torch's, and reads its weight."""
    return adapted()


@reproduce(on="any", versions=LLAMA_2, record_once=ONCE)
def weight_is_cut_in_two() -> dict[str, Any]:
    """Llama of transformers 4.37 with pretraining_tp=2 cuts the weights."""
    return cut()


@reproduce(on="any", env=NO_COMPILER)
def packed_twice() -> dict[str, Any]:
    """What was packed is quantised once more, as by a bitsandbytes before 0.43."""
    return run("packed twice")


@detect(found=True, on="any")
def finds_the_layer() -> dict[str, Any]:
    """The first layer that no forward pass went through."""
    return asked("read")


@detect(found=False, control="finds-the-layer", on="any")
def finds_none_if_called() -> dict[str, Any]:
    """All layers were called."""
    return asked("call")


@detect(found=False, control="finds-the-layer", on="any")
def finds_none_if_skipped() -> dict[str, Any]:
    """What is not in 4 bits is not looked at."""
    return asked("skip")


@fix("call-the-layer", control="weight-is-read", on="any")
def layer_is_called() -> dict[str, Any]:
    """The layer unpacks its own weight."""
    return run("call")


@fix("skip-the-layer", control="weight-is-read", on="any")
def layer_is_skipped() -> dict[str, Any]:
    """What is read stays a matrix, and so does the head."""
    return run("skip")


@fix("newer-bitsandbytes", control="packed-twice", on="any", env=NO_COMPILER)
def moved_once_more() -> dict[str, Any]:
    """Layers are moved, and this bitsandbytes leaves packed weights as they are."""
    return run("moved")


@fix(
    "newer-peft",
    control="adapter-of-peft-0-3",
    on="any",
    versions=["peft==0.4.0"],
    record_once=ONCE,
)
def adapter_of_peft_0_4() -> dict[str, Any]:
    """PEFT 0.4.0 has a layer of its own for 4 bits."""
    return adapted()


@fix("pretraining-tp", control="weight-is-cut-in-two", on="any", versions=LLAMA_2, record_once=ONCE)
def weight_is_whole() -> dict[str, Any]:
    """With pretraining_tp=1 the layers are called."""
    return cut(whole=True)


@fix("newer-peft", control="weight-is-cut-in-two", on="any", versions=LLAMA_2, record_once=ONCE)
def cut_under_peft_0_8() -> dict[str, Any]:
    """PEFT 0.8.2 sets pretraining_tp to 1 by itself."""
    return cut(adapter=True)


if __name__ == "__main__":
    main(__file__)
