"""The first layer of an encoder is a convolution in bf16, and its features come in fp32."""

from __future__ import annotations

import torch
from torch.nn import Conv1d

from fixbook.recipe import fix, reproduce


def encode(*, autocast: bool = False, cast: bool = False) -> dict[str, str]:
    """Convolve features in fp32, cast before if ``cast``, and say in what the result is."""
    layer = Conv1d(8, 16, 3, dtype=torch.bfloat16)
    features = torch.randn(1, 8, 20)
    with torch.autocast("cpu", torch.bfloat16, enabled=autocast):
        return {"dtype": str(layer(features.bfloat16() if cast else features).dtype)}


@reproduce()
def features_in_fp32() -> dict[str, str]:
    """A convolution names its input first, and then its bias."""
    return encode()


@fix("same-autocast", control="features-in-fp32")
def features_under_autocast() -> dict[str, str]:
    """Convolutions are among the operators that autocast casts for."""
    return encode(autocast=True)


@fix("one-dtype", control="features-in-fp32")
def features_cast() -> dict[str, str]:
    """The features are bf16, as the encoder is."""
    return encode(cast=True)
