"""fp16=True over weights in fp16: the gradients are fp16 too, and GradScaler refuses them."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import torch
from failure import step
from proof_dtype import look, look_and_run, look_at_usual, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce

# transformers 4 loads in fp32 unless told, and its default AdamW turns these weights into NaN.
FIVE = ["transformers>=5"]


@reproduce(on="any")
def full_half() -> Any:
    """All weights are fp16 and all are trained."""
    return run()


@reproduce(on="any", needs=FIVE)
def loaded_as_saved() -> Any:
    """A checkpoint in fp16, loaded without a dtype."""
    return run(saved=True)


@reproduce(on="any")
def saved_module() -> Any:
    """PEFT makes LoRA fp32, and leaves the copy of lm_head in fp16."""
    return run(lora="lm_head")


@reproduce(on="any")
def cast_after_peft() -> Any:
    """The whole PeftModel was cast to fp16 after it was made."""
    return run(lora="", cast=0)


@reproduce(on="any")
def cast_in_a_callback() -> Any:
    """It trains, until a callback casts the live model, as a validation may."""
    return run(lora="", cast=2)


@reproduce(on="any")
def adapters_as_base() -> Any:
    """PEFT was told to keep the adapters in the base's type."""
    return run(lora="", autocast_adapter_dtype=False)


@reproduce(on="cuda")
def bf16_on_a_gpu() -> Any:
    """Its kernel knows fp16 and fp32 gradients."""
    return {"moved": step(torch.bfloat16, "cuda")}


@detect(found=True, on="any")
def saved_module_listed() -> Any:
    """It names the copy, which trainable parameters printed by PEFT do not."""
    return look(lora="lm_head")


@detect(found=False, control="saved-module-listed", on="any")
def nothing_listed() -> Any:
    """LoRA alone is in fp32."""
    return look(lora="")


@detect(found=False, control="saved-module-listed", on="any")
def nothing_listed_once_turned() -> Any:
    """The copy is fp32 after the fix."""
    return look(lora="lm_head", mend=True)


@detect(found=False, on="any")
def usual_models_pass() -> Any:
    """Stock models of three families, and LoRA on a base in bf16."""
    return look_at_usual()


@detect(found=True)
def bf16_weights() -> Any:
    """The scaler of a CPU accepts bf16 gradients, and half of the weights stay as they were."""
    return look_and_run(dtype="bfloat16")


@detect(found=False, control="bf16-weights")
def fp32_weights() -> Any:
    """The same steps on fp32 weights."""
    return look_and_run(dtype="float32")


@fix("train-fp32", control="full-half", on="any")
def full_to_fp32() -> Any:
    """The same weights, turned into fp32."""
    return run(mend=True)


@fix("train-fp32", control="saved-module", on="any")
def saved_module_to_fp32() -> Any:
    """Only what is trained becomes fp32; the base stays in fp16."""
    return run(lora="lm_head", mend=True)


@fix("train-fp32", control="loaded-as-saved", on="any", needs=FIVE)
def loaded_in_fp32() -> Any:
    """The same checkpoint, loaded in fp32."""
    return run(saved=True, load="float32")


@fix("train-fp32", control="cast-after-peft", on="any")
def cast_back_to_fp32() -> Any:
    """What is trained becomes fp32 again, after the cast."""
    return run(lora="", cast=0, mend=True)


@fix("train-fp32", control="adapters-as-base", on="any")
def adapters_turned_to_fp32() -> Any:
    """The adapters become fp32 after PEFT has made them."""
    return run(lora="", autocast_adapter_dtype=False, mend=True)


@fix("train-fp32", control="bf16-on-a-gpu", on="cuda")
def fp32_on_a_gpu() -> Any:
    """The same step on fp32 weights."""
    return {"moved": step(torch.float32, "cuda")}


@fix("no-cast", control="cast-after-peft", on="any")
def not_cast() -> Any:
    """PEFT's own default: LoRA in fp32 on a base in fp16."""
    return run(lora="")


@fix("no-cast", control="cast-in-a-callback", on="any")
def not_cast_in_a_callback() -> Any:
    """The callback leaves the model as it is."""
    return run(lora="")


@fix("no-cast", control="adapters-as-base", on="any")
def adapters_in_fp32() -> Any:
    """PEFT's own default."""
    return run(lora="")


@non_fix("switch-the-flag", control="full-half", needs=FIVE)
def without_fp16() -> Any:
    """No scaler, no error, and updates in fp16."""
    return run(precision="")


@non_fix("switch-the-flag", control="full-half", needs=FIVE)
def with_bf16() -> Any:
    """bf16 computes, and the weights are fp16 still."""
    return run(precision="bf16")


if __name__ == "__main__":
    main(__file__)
