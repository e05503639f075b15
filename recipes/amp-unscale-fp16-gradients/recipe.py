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

from proof_dtype import look, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce()
def full_half() -> Any:
    """All weights were loaded in fp16 and all are trained."""
    return run()


@fix("train-fp32", control="full-half")
def full_to_fp32() -> Any:
    """The same weights, turned into fp32."""
    return run(mend=True)


@reproduce()
def saved_module() -> Any:
    """PEFT makes LoRA fp32, and leaves the copy of lm_head in fp16."""
    return run(lora="lm_head")


@fix("train-fp32", control="saved-module")
def saved_module_to_fp32() -> Any:
    """Only what is trained becomes fp32; the base stays in fp16."""
    return run(lora="lm_head", mend=True)


@reproduce()
def cast_after_peft() -> Any:
    """The whole PeftModel was cast to fp16 after it was made."""
    return run(lora="", cast=True)


@fix("no-cast", control="cast-after-peft")
def not_cast() -> Any:
    """PEFT's own default: LoRA in fp32 on a base in fp16."""
    return run(lora="")


@reproduce()
def adapters_as_base() -> Any:
    """PEFT was told to keep the adapters in the base's type."""
    return run(lora="", autocast_adapter_dtype=False)


@fix("no-cast", control="adapters-as-base")
def adapters_in_fp32() -> Any:
    """PEFT's own default."""
    return run(lora="")


@non_fix("switch-the-flag", control="full-half")
def without_fp16() -> Any:
    """No scaler, no error, and updates in fp16."""
    return run(precision="")


@non_fix("switch-the-flag", control="full-half")
def with_bf16() -> Any:
    """bf16 computes, and the weights are fp16 still."""
    return run(precision="bf16")


@detect(found=True)
def saved_module_listed() -> Any:
    """It names the copy, which trainable parameters printed by PEFT do not."""
    return look(lora="lm_head")


@detect(found=False, control="saved-module-listed")
def nothing_listed() -> Any:
    """LoRA alone is in fp32."""
    return look(lora="")


if __name__ == "__main__":
    main(__file__)
