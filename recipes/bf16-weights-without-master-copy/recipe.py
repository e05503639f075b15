"""A checkpoint in bf16, which transformers 5 loads as it is stored: small updates round away."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0", "peft==0.21.2",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import torch
from proof_bf16 import sound_ones, tuned

from fixbook.recipe import detect, fix, main, non_fix

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
LIBRARIES = ["tokenizers==0.22.1", "datasets==4.8.4", *HTTP]
LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", *LIBRARIES]
FIRST_5 = ["transformers==5.0.0", "huggingface_hub==1.17.0", *LIBRARIES]
TODAY = ["transformers>=5"]  # loads weights as they are stored
ONCE = "another transformers beside the main one, imported anew"


@detect(found=True, on="any")
def as_stored() -> dict[str, Any]:
    """Loaded without a dtype, on today's release."""
    return tuned()


@detect(found=True, on="any", versions=FIRST_5, record_once=ONCE)
def as_stored_on_5_0() -> dict[str, Any]:
    """The same on the first release of 5."""
    return tuned()


@detect(found=False, control="as-stored-on-5-0", on="any", versions=LAST_4, record_once=ONCE)
def as_stored_on_4() -> dict[str, Any]:
    """The same on the last release of 4."""
    return tuned()


@fix("float32", control="as-stored", on="any", needs=TODAY)
def in_float32() -> dict[str, Any]:
    """The page's lines: float32 weights, bf16 computation."""
    return tuned(page=True)


@fix("lora", control="as-stored", on="any", needs=TODAY)
def adapter_on_bf16() -> dict[str, Any]:
    """PEFT keeps the adapter in float32."""
    return tuned(adapter=True)


@detect(found=True, on="any", needs=TODAY)
def adapter_and_head() -> dict[str, Any]:
    """modules_to_save: PEFT copies the layer, and its dtype."""
    return tuned(adapter=True, head=True, bf16=True)


@fix("cast", control="adapter-and-head", on="any", needs=TODAY)
def adapter_and_head_cast() -> dict[str, Any]:
    """What is trained, converted."""
    return tuned(adapter=True, head=True, cast=True, bf16=True)


@detect(found=False, on="any", needs=TODAY)
def sound_set_ups() -> dict[str, Any]:
    """Other runs whose trained weights are float32."""
    return sound_ones()


@non_fix("flag", control="as-stored", on="any", needs=TODAY)
def with_the_flag() -> dict[str, Any]:
    """bf16=True, which many read as float32 weights and bf16 computation."""
    return tuned(bf16=True)


@detect(found=True, on="any")
def larger_rate() -> dict[str, Any]:
    """A hundred times the learning rate."""
    return tuned(rate=1e-3)


@detect(found=False, control="larger-rate", on="any", needs=TODAY)
def larger_rate_in_float32() -> dict[str, Any]:
    """The same in float32."""
    return tuned(page=True, rate=1e-3)


@detect(found=True, on="any", versions=LAST_4, record_once=ONCE)
def bf16_asked_for_on_4() -> dict[str, Any]:
    """torch_dtype=torch.bfloat16 does the same on the last release of 4."""
    return tuned(dtype=torch.bfloat16)


if __name__ == "__main__":
    main(__file__)
