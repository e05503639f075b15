"""Logits that cannot be sampled from: overflow in fp16, weights that are NaN, no token left."""
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
from failure import count_on, counting
from proof_look import divided, look, overflowing

from fixbook.recipe import detect, fix, main, non_fix, reproduce


def broken(*, nan: bool = True, **options: Any) -> dict[str, Any]:
    """Let the model that has lost a row count on."""
    return count_on(counting(nan=nan), **options)


def limited(*, allowed: range = range(0)) -> dict[str, Any]:
    """Let the model count on where only some tokens are allowed."""
    return count_on(counting(), suppress_tokens=[t for t in range(64) if t not in allowed])


@reproduce()
def overflow_in_fp16() -> dict[str, Any]:
    """Half precision ends at 65504."""
    return overflowing()


@reproduce()
def one_row_of_nan() -> dict[str, Any]:
    """One row of the output layer is enough."""
    return broken()


@reproduce()
def no_token_left() -> dict[str, Any]:
    """Every token is suppressed."""
    return limited()


@reproduce()
def tiny_temperature() -> dict[str, Any]:
    """A sound logit, divided by 1e-4 in fp16, is infinite."""
    return divided()


@detect(found=True, on="any")
def names_the_layer() -> dict[str, Any]:
    """The first module that gives inf or NaN, and no weight that is."""
    return look(outliers=True, dtype=torch.float16)


@detect(found=False, control="names-the-layer", on="any")
def nothing_in_bfloat16() -> dict[str, Any]:
    """The same in bfloat16."""
    return look(outliers=True, dtype=torch.bfloat16)


@detect(found=True, on="any")
def names_the_weight() -> dict[str, Any]:
    """The weight that is NaN."""
    return look(nan=True)


@detect(found=False, control="names-the-weight", on="any")
def nothing_in_a_sound_model() -> dict[str, Any]:
    """Nothing is named without the NaN."""
    return look()


@detect(found=False, on="any")
def nothing_in_float8() -> dict[str, Any]:
    """A weight in float8, and one that is offloaded, break nothing."""
    return look(kept=True)


@detect(found=False, on="any")
def nothing_in_a_padded_batch() -> dict[str, Any]:
    """A mask that hides the first tokens breaks nothing."""
    return look(padded=True)


@fix("bfloat16", control="overflow-in-fp16")
def in_bfloat16() -> dict[str, Any]:
    """The same weights in bfloat16."""
    return overflowing(dtype=torch.bfloat16)


@fix("bfloat16", control="overflow-in-fp16")
def in_float32() -> dict[str, Any]:
    """The same weights in float32."""
    return overflowing(dtype=torch.float32)


@fix("whole-weights", control="one-row-of-nan")
def the_row_is_back() -> dict[str, Any]:
    """A checkpoint without the NaN."""
    return broken(nan=False)


@fix("leave-a-token", control="no-token-left")
def some_tokens_left() -> dict[str, Any]:
    """The tokens of the answer are allowed."""
    return limited(allowed=range(10, 30))


@fix("divide-in-float32", control="tiny-temperature")
def divided_in_float32() -> dict[str, Any]:
    """The same logits, divided in float32."""
    return divided(cast=True)


@fix("divide-in-float32", control="tiny-temperature")
def warmer() -> dict[str, Any]:
    """Divided by 0.01 they fit into fp16."""
    return divided(temperature=1e-2)


@non_fix("greedy", control="overflow-in-fp16")
def greedy_in_fp16() -> dict[str, Any]:
    """Nothing is sampled, so nothing raises."""
    return overflowing(do_sample=False)


@non_fix("remove-invalid-values", control="overflow-in-fp16")
def invalid_values_removed() -> dict[str, Any]:
    """NaN becomes 0, and all tokens equally likely."""
    return overflowing(remove_invalid_values=True)


@non_fix("temperature", control="overflow-in-fp16")
def hotter_in_fp16() -> dict[str, Any]:
    """NaN divided by anything is NaN."""
    return overflowing(temperature=2.0)


@detect(found=True)
def greedy_with_a_row_of_nan() -> dict[str, Any]:
    """Greedy decoding takes NaN for the largest of all."""
    return look(nan=True) | count_on(counting(nan=True), do_sample=False)


@reproduce(on="cuda", gpu_memory_gib=1)
def overflow_in_fp16_on_a_gpu() -> dict[str, Any]:
    """The kernel's assertion, and an error at whichever call comes next."""
    return overflowing(place="cuda")


@fix("bfloat16", control="overflow-in-fp16-on-a-gpu", on="cuda", gpu_memory_gib=1)
def in_bfloat16_on_a_gpu() -> dict[str, Any]:
    """The same weights in bfloat16."""
    return overflowing(place="cuda", dtype=torch.bfloat16)


if __name__ == "__main__":
    main(__file__)
