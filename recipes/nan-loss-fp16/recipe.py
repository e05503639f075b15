"""A loss of nan, by five causes that the log does not tell apart, and what each of them needs."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "datasets==5.2.0", "peft==0.21.2",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_run import look, look_at_usual, run, run_and_look, stops

from fixbook.recipe import detect, fix, main, non_fix, reproduce

LARGE = 1e4

MASKS = ["transformers>=4.53"]  # an attention of one's own can have a mask of its own since
FUSED = ["transformers>=4.54"]  # the Trainer's default optimizer is fused since


@reproduce(on="any")
def fp16_overflow() -> Any:
    """An MLP passes 65504: the loss is nan, and the scaler skips every step."""
    return run(times=LARGE, precision="fp16")


@reproduce(on="any")
def half_weights() -> Any:
    """AdamW divides by the square root of a variance that fp16 has rounded to zero."""
    return run(dtype="float16", optim="adamw_torch")


@reproduce(on="any")
def half_lora_weights() -> Any:
    """The same where LoRA alone is trained, on a frozen base."""
    return run(dtype="float16", optim="adamw_torch", lora=True)


@reproduce(on="any")
def row_without_labels() -> Any:
    """The mean over no tokens is nan; its gradient is zero."""
    return run(empty=0, logging_nan_inf_filter=False)


@reproduce(on="any", needs=MASKS)
def row_masked_throughout() -> Any:
    """A padding token attends to nothing: softmax of minus infinities alone."""
    return run(padded=4, attention="by_hand")


@detect(found=True, on="any")
def overflow_found() -> Any:
    """It names the module, and an input that is infinite."""
    return look(times=LARGE, precision="fp16")


@detect(found=True, on="any")
def overflow_inside_found() -> Any:
    """The head itself overflows: what goes in is finite."""
    return look(head=1e6, precision="fp16")


@detect(found=False, control="overflow-found", on="any")
def nothing_in_bf16() -> Any:
    """No module returns anything that is not finite."""
    return look(times=LARGE, precision="bf16")


@detect(found=True, on="any")
def broken_weights_found() -> Any:
    """It names the first weight that an earlier step has broken."""
    return look(dtype="float16", optim="adamw_torch", late=True)


@detect(found=True, on="any")
def empty_row_found() -> Any:
    """It names the labels, before any forward."""
    return look(empty=0)


@detect(found=True, on="any")
def answers_cut_off() -> Any:
    """The prompt fills the maximum length: no sequence keeps a label, and the log has zeros."""
    return run_and_look(prompt=8, longest=8)


@detect(found=True, on="any", needs=MASKS)
def masked_row_found() -> Any:
    """It names the attention, whose input is small."""
    return look(padded=4, attention="by_hand")


@detect(found=True, on="any", needs=MASKS)
def backward_found() -> Any:
    """The nan of a masked row is zeroed in the forward, and is there in the backward."""
    return look(padded=4, attention="zeroed")


@detect(found=False, on="any")
def usual_objects_pass() -> Any:
    """Stock models of four families, with the collators and labels that belong to them."""
    return look_at_usual()


@detect(found=True, on="any")
def overflow_stopped() -> Any:
    """The loss is nan, which the Trainer logs as 0."""
    return stops(head=1e6, precision="fp16", max_steps=8)


@detect(found=False, control="overflow-stopped", on="any")
def scale_coming_down() -> Any:
    """The loss is sound, and the first gradients are too large for the first scales alone."""
    return stops(head=30.0, precision="fp16", max_steps=8)


@detect(found=True, needs=FUSED)
def half_weights_fused() -> Any:
    """The Trainer's own optimizer raises no nan, and throws the weights far away."""
    return run_and_look(dtype="float16")


@detect(found=False, control="half-weights-fused", needs=FUSED)
def full_weights_fused() -> Any:
    """The same steps on fp32 weights."""
    return run_and_look(dtype="float16", mend="weights")


@fix("bf16", control="fp16-overflow", on="any")
def bf16_instead() -> Any:
    """The same model, with the range of fp32."""
    return run(times=LARGE, precision="bf16")


@fix("bf16", control="fp16-overflow", on="any")
def fp32_instead() -> Any:
    """No mixed precision at all."""
    return run(times=LARGE)


@fix("full-weights", control="half-weights", on="any")
def full_weights() -> Any:
    """What is trained becomes fp32 before the optimizer is made."""
    return run(dtype="float16", optim="adamw_torch", mend="weights")


@fix("full-weights", control="half-lora-weights", on="any")
def full_lora_weights() -> Any:
    """The base stays in fp16; what LoRA trains is fp32."""
    return run(dtype="float16", optim="adamw_torch", lora=True, mend="weights")


@fix("drop-empty-rows", control="row-without-labels", on="any")
def empty_row_dropped() -> Any:
    """The same rows without it."""
    return run(empty=0, mend="rows", logging_nan_inf_filter=False)


@fix("drop-empty-rows", control="answers-cut-off", on="any")
def longer_maximum() -> Any:
    """The same rows, with room for the answer."""
    return run_and_look(prompt=8, longest=12)


@fix("library-attention", control="row-masked-throughout", on="any", needs=MASKS)
def masked_row_in_sdpa() -> Any:
    """The library's attention returns zeros for it."""
    return run(padded=4, attention="sdpa")


@fix("library-attention", control="row-masked-throughout", on="any", needs=MASKS)
def smallest_number() -> Any:
    """Attention by hand, with the smallest finite number in place of minus infinity."""
    return run(padded=4, attention="smallest")


@non_fix("lower-learning-rate", control="fp16-overflow", on="any")
def tiny_learning_rate() -> Any:
    """The forward of the first step overflows, before any update."""
    return run(times=LARGE, precision="fp16", learning_rate=1e-9)


@non_fix("lower-learning-rate", control="half-weights", on="any")
def tiny_rate_on_half_weights() -> Any:
    """Any rate times what was divided by zero is infinite."""
    return run(dtype="float16", optim="adamw_torch", learning_rate=1e-9)


@non_fix("larger-epsilon", control="half-weights", on="any")
def epsilon_of_1e_4() -> Any:
    """No nan, and updates of another size than those of fp32."""
    return run(dtype="float16", optim="adamw_torch", adam_epsilon=1e-4)


if __name__ == "__main__":
    main(__file__)
