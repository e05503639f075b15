"""Two floating dtypes meet in a matrix product, a convolution or attention."""
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
from proof_dtypes import attention, convolve, decode, fit, look_at_usual, look_at_weights, look_in

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(on="any")
def norms_in_fp32() -> dict[str, int]:
    """A norm in fp32 hands fp32 to a projection in bf16."""
    return decode()


@reproduce(on="any")
def head_in_fp32() -> dict[str, Any]:
    """A model in bf16 hands bf16 to a head that nobody cast."""
    return fit()


@reproduce(on="any")
def head_beside_fp16() -> dict[str, Any]:
    """The same beside a model in fp16."""
    return fit(dtype=torch.float16)


@reproduce(on="any")
def rope_in_fp32() -> dict[str, str]:
    """Tables in fp32 leave queries and keys in fp32, and values in bf16."""
    return attention()


@reproduce(on="any")
def rope_in_fp32_eager() -> dict[str, str]:
    """The same in attention written out, where the batched product raises."""
    return attention(eager=True)


@reproduce(on="any")
def features_in_fp32() -> dict[str, str]:
    """A convolution names its input first, and then its bias."""
    return convolve()


@detect(found=True, on="any")
def finds_the_norms() -> dict[str, Any]:
    """The first line is that of the norm, not that of the projection that raises."""
    return look_at_weights()


@detect(found=False, control="finds-the-norms", on="any")
def accepts_one_dtype() -> dict[str, Any]:
    """No two dtypes meet."""
    return look_at_weights(upcast=False)


@detect(found=False, control="finds-the-norms", on="any")
def accepts_autocast() -> dict[str, Any]:
    """Two dtypes meet, and nothing raises."""
    return look_at_weights(autocast=True)


@detect(found=True, on="any")
def finds_the_tables() -> dict[str, Any]:
    """The first line is that of RoPE, not that of the attention that raises."""
    return look_in()


@detect(found=False, on="any")
def accepts_usual_models() -> dict[str, Any]:
    """Stock models of three families train as before, and nothing is printed."""
    return look_at_usual()


@fix("same-autocast", control="norms-in-fp32", on="any")
def generated_under_autocast() -> dict[str, int]:
    """Autocast brings both sides of each product to one dtype."""
    return decode(autocast=True)


@fix("same-autocast", control="head-in-fp32", on="any")
def trained_under_autocast() -> dict[str, Any]:
    """The head stays in fp32, and its product runs in bf16."""
    return fit(autocast=True)


@fix("same-autocast", control="rope-in-fp32", on="any")
def attended_under_autocast() -> dict[str, str]:
    """Attention is among the operators that autocast casts for."""
    return attention(autocast=True)


@fix("same-autocast", control="rope-in-fp32-eager", on="any")
def attended_eagerly_under_autocast() -> dict[str, str]:
    """So are the products of attention written out."""
    return attention(eager=True, autocast=True)


@fix("same-autocast", control="features-in-fp32", on="any")
def features_under_autocast() -> dict[str, str]:
    """Convolutions are among the operators that autocast casts for."""
    return convolve(autocast=True)


@fix("one-dtype", control="norms-in-fp32", on="any")
def norms_left_alone() -> dict[str, int]:
    """All of the model is bf16."""
    return decode(upcast=False)


@fix("one-dtype", control="rope-in-fp32", on="any")
def rope_cast_back() -> dict[str, str]:
    """RoPE returns what it was given."""
    return attention(back=True)


@fix("one-dtype", control="rope-in-fp32-eager", on="any")
def rope_cast_back_eager() -> dict[str, str]:
    """The same in attention written out."""
    return attention(eager=True, back=True)


@fix("one-dtype", control="features-in-fp32", on="any")
def features_cast() -> dict[str, str]:
    """The features are bf16, as the encoder is."""
    return convolve(cast=True)


@reproduce(on="any")
def double_under_autocast() -> dict[str, str]:
    """Autocast leaves float64 as it is."""
    return convolve(autocast=True, double=True)


@reproduce(on="any")
def autocast_turned_off() -> dict[str, int]:
    """A forward that turns autocast off is not under the one around it."""
    return decode(autocast=True, inner=False)


@non_fix("cast-everything", control="head-in-fp32", on="any")
def head_cast_to_bf16() -> dict[str, Any]:
    """Most updates are smaller than half a step of bf16, and are rounded away."""
    return fit(cast=True)


@non_fix("cast-everything", control="head-beside-fp16", on="any")
def head_cast_to_fp16() -> dict[str, Any]:
    """The optimizer divides by what fp16 has rounded to zero."""
    return fit(dtype=torch.float16, cast=True)


if __name__ == "__main__":
    main(__file__)
