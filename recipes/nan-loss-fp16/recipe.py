"""A loss of nan, by four causes that the log does not tell apart, and what each of them needs."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_run import look, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce

LARGE = 1e4


@reproduce()
def fp16_overflow() -> Any:
    """An MLP passes 65504: the loss is nan, and the scaler skips every step."""
    return run(times=LARGE, precision="fp16")


@fix("bf16", control="fp16-overflow")
def bf16_instead() -> Any:
    """The same model, with the range of fp32."""
    return run(times=LARGE, precision="bf16")


@fix("bf16", control="fp16-overflow")
def fp32_instead() -> Any:
    """No mixed precision at all."""
    return run(times=LARGE)


@non_fix("lower-learning-rate", control="fp16-overflow")
def tiny_learning_rate() -> Any:
    """The forward of the first step overflows, before any update."""
    return run(times=LARGE, precision="fp16", learning_rate=1e-9)


@reproduce()
def half_weights() -> Any:
    """AdamW divides by the square root of a variance that fp16 has rounded to zero."""
    return run(dtype="float16", optim="adamw_torch")


@fix("full-weights", control="half-weights")
def full_weights() -> Any:
    """The same steps on fp32 weights."""
    return run(dtype="float32", optim="adamw_torch")


@non_fix("lower-learning-rate", control="half-weights")
def tiny_rate_on_half_weights() -> Any:
    """Any rate times what was divided by zero is infinite."""
    return run(dtype="float16", optim="adamw_torch", learning_rate=1e-9)


@non_fix("larger-epsilon", control="half-weights")
def epsilon_of_1e_4() -> Any:
    """No nan, and updates of another size than those of fp32."""
    return run(dtype="float16", optim="adamw_torch", adam_epsilon=1e-4)


@reproduce()
def row_without_labels() -> Any:
    """The mean over no tokens is nan; its gradient is zero."""
    return run(empty=0, logging_nan_inf_filter=False)


@fix("drop-empty-rows", control="row-without-labels")
def empty_row_dropped() -> Any:
    """The same rows without it."""
    return run(empty=0, drop=True, logging_nan_inf_filter=False)


@reproduce()
def row_masked_throughout() -> Any:
    """A padding token attends to nothing: softmax of minus infinities alone."""
    return run(padded=4, attention="by_hand")


@fix("library-attention", control="row-masked-throughout")
def masked_row_in_sdpa() -> Any:
    """The library's attention returns zeros for it."""
    return run(padded=4, attention="sdpa")


@detect(found=True)
def overflow_found() -> Any:
    """It names the module, and an input that is infinite."""
    return look(times=LARGE, precision="fp16")


@detect(found=False, control="overflow-found")
def nothing_in_bf16() -> Any:
    """No module returns anything that is not finite."""
    return look(times=LARGE, precision="bf16")


@detect(found=True)
def empty_row_found() -> Any:
    """It names the labels, before any forward."""
    return look(empty=0)


@detect(found=True)
def broken_weights_found() -> Any:
    """It names the first weight that an earlier step has broken."""
    return look(dtype="float16", optim="adamw_torch", late=True)


if __name__ == "__main__":
    main(__file__)
