"""Two floating dtypes meet in a matrix product or in attention."""
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
from proof_dtypes import attention, decode, fit

from fixbook.recipe import fix, main, non_fix, reproduce


@reproduce()
def norms_in_fp32() -> dict[str, int]:
    """A norm in fp32 hands fp32 to a projection in bf16."""
    return decode()


@reproduce(on="cuda")
def norms_in_fp32_on_a_gpu() -> dict[str, int]:
    """The same with the words of CUDA."""
    return decode(device="cuda")


@reproduce()
def head_in_fp32() -> dict[str, Any]:
    """A model in bf16 hands bf16 to a head that nobody cast."""
    return fit()


@reproduce()
def head_beside_fp16() -> dict[str, Any]:
    """The same beside a model in fp16."""
    return fit(dtype=torch.float16)


@reproduce()
def rope_in_fp32() -> dict[str, str]:
    """Tables in fp32 leave queries and keys in fp32, and values in bf16."""
    return attention()


@reproduce()
def rope_in_fp32_eager() -> dict[str, str]:
    """The same in attention written out, where the batched product raises."""
    return attention(eager=True)


@fix("same-autocast", control="norms-in-fp32")
def generated_under_autocast() -> dict[str, int]:
    """Autocast brings both sides of each product to one dtype."""
    return decode(autocast=True)


@fix("same-autocast", control="head-in-fp32")
def trained_under_autocast() -> dict[str, Any]:
    """The head stays in fp32, and its product runs in bf16."""
    return fit(autocast=True)


@fix("same-autocast", control="rope-in-fp32")
def attended_under_autocast() -> dict[str, str]:
    """Attention is among the operators that autocast casts for."""
    return attention(autocast=True)


@fix("one-dtype", control="norms-in-fp32")
def norms_left_alone() -> dict[str, int]:
    """All of the model is bf16."""
    return decode(upcast=False)


@fix("one-dtype", control="rope-in-fp32")
def rope_cast_back() -> dict[str, str]:
    """RoPE returns what it was given."""
    return attention(back=True)


@fix("one-dtype", control="rope-in-fp32-eager")
def rope_cast_back_eager() -> dict[str, str]:
    """The same in attention written out."""
    return attention(eager=True, back=True)


@non_fix("cast-everything", control="head-in-fp32")
def head_cast_to_bf16() -> dict[str, Any]:
    """Most updates are smaller than half a step of bf16, and are rounded away."""
    return fit(cast=True)


@non_fix("cast-everything", control="head-beside-fp16")
def head_cast_to_fp16() -> dict[str, Any]:
    """The optimizer divides by what fp16 has rounded to zero."""
    return fit(dtype=torch.float16, cast=True)


if __name__ == "__main__":
    main(__file__)
