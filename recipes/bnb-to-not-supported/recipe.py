"""A model that bitsandbytes holds in 4 or 8 bits is moved or cast after loading."""
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

from proof_dtypes import run

from fixbook.recipe import fix, main, reproduce


@reproduce()
def cast_in_4_bits() -> dict[str, Any]:
    """.to(torch.bfloat16)."""
    return run(how="cast")


@reproduce()
def half_in_8_bits() -> dict[str, Any]:
    """.half()."""
    return run(8, "half")


@reproduce()
def cuda_in_8_bits() -> dict[str, Any]:
    """.cuda(), which is refused with or without a GPU."""
    return run(8, "cuda")


@fix("dtype-at-loading", control="cast-in-4-bits")
def loaded_in_bf16() -> dict[str, Any]:
    """Device and dtype are given to from_pretrained, and inputs moved to the model."""
    return run(how="load")


@fix("leave-it", control="cuda-in-8-bits")
def left_alone() -> dict[str, Any]:
    """The model stays where device_map put it."""
    return run(8)


if __name__ == "__main__":
    main(__file__)
