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

from proof_dtypes import asked, run

from fixbook.recipe import detect, fix, main, non_fix, reproduce

LAST_4 = [
    "transformers==4.57.6",
    "huggingface_hub==0.36.0",
    "tokenizers==0.22.1",
    "httpx==0.28.1",
    "httpcore==1.0.9",
]
BNB_0_48 = ["bitsandbytes==0.48.2", *LAST_4]
NEWEST_5 = ["transformers==5.23.0"]
ONCE = "libraries beside the main ones, imported anew"


@reproduce(on="any")
def cuda_in_8_bits() -> dict[str, Any]:
    """.cuda(), which is refused with or without a GPU."""
    return run(8, "cuda")


@reproduce(on="any")
def cast_in_4_bits() -> dict[str, Any]:
    """.to(torch.bfloat16)."""
    return run(how="cast")


@reproduce(on="any")
def half_in_8_bits() -> dict[str, Any]:
    """.half()."""
    return run(8, "half")


@detect(found=True, on="any")
def finds_it_quantised() -> dict[str, Any]:
    """Such a model may not be cast."""
    return asked()


@detect(found=False, control="finds-it-quantised", on="any")
def finds_it_dequantised() -> dict[str, Any]:
    """This one may."""
    return asked(dequantised=True)


@detect(found=False, control="finds-it-quantised", on="any")
def finds_it_in_16_bits() -> dict[str, Any]:
    """Nor is there anything to say of a model that was never quantised."""
    return asked(bits=16)


@fix("leave-it", control="cuda-in-8-bits", on="any")
def left_alone() -> dict[str, Any]:
    """The model stays where device_map put it, and inputs are moved to it."""
    return run(8, "place")


@fix("dtype-at-loading", control="cast-in-4-bits", on="any")
def loaded_in_bf16() -> dict[str, Any]:
    """The dtype is given to from_pretrained."""
    return run(how="dtype")


@reproduce(on="any", versions=LAST_4, record_once=ONCE)
def dispatched_on_4_57() -> dict[str, Any]:
    """Accelerate makes the call, and transformers 4 refuses it."""
    return run(8, "dispatch")


@fix("transformers-5", control="dispatched-on-4-57", on="any", versions=NEWEST_5)
def dispatched() -> dict[str, Any]:
    """Transformers 5 does not."""
    return run(8, "dispatch")


@reproduce(on="any", versions=BNB_0_48, record_once=ONCE)
def moved_in_8_bits_on_4_57() -> dict[str, Any]:
    """The last transformers 4 refuses to move a model in 8 bits, even to where it is."""
    return run(8, "move")


@fix("transformers-5", control="moved-in-8-bits-on-4-57", on="any", versions=NEWEST_5)
def moved_in_8_bits() -> dict[str, Any]:
    """Transformers 5 moves it."""
    return run(8, "move")


@non_fix(
    "newer-bitsandbytes",
    control="moved-in-8-bits-on-4-57",
    on="any",
    versions=LAST_4,
    record_once=ONCE,
)
def moved_with_a_newer_bitsandbytes() -> dict[str, Any]:
    """It is not bitsandbytes that refuses."""
    return run(8, "move")


@detect(found=True, on="any")
def finds_the_wrapper_half_cast() -> dict[str, Any]:
    """PeftModel casts without a word, and layers in 4 bits compute as before."""
    taken = run(how="cast the wrapper")
    return taken | {"found": taken["computes"] != taken["others"]}


if __name__ == "__main__":
    main(__file__)
