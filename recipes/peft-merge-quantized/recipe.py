"""An adapter cannot be merged into quantised weights, or is rounded away when it is."""
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

from proof_merge import check, run, wanting

from fixbook.recipe import detect, fix, main, non_fix, reproduce

BESIDE_4 = ["huggingface_hub==0.36.0", "tokenizers==0.22.1", "httpx==0.28.1", "httpcore==1.0.9"]
PEFT_0_5 = ["peft==0.5.0", "transformers==4.57.6", *BESIDE_4]
ONCE = "libraries beside the main ones, imported anew"


@reproduce(versions=PEFT_0_5, record_once=ONCE)
def lora_on_0_5() -> dict[str, Any]:
    """PEFT of 2023 refuses any merge into bitsandbytes' layers."""
    return run()


@reproduce(on="any")
def ia3_in_4_bits() -> dict[str, Any]:
    """IA3 is refused to this day."""
    return run(ia3=True)


@reproduce(on="any")
def rounded_away_in_4_bits() -> dict[str, Any]:
    """LoRA is merged with a warning; the page's check says what is left of it."""
    return run(checked=True)


@detect(found=True, on="any")
def finds_the_rounding() -> dict[str, Any]:
    """Four bits have rounded the adapter away."""
    return check()


@detect(found=False, control="finds-the-rounding", on="any")
def accepts_dequantised() -> dict[str, Any]:
    """The same adapter, on weights that were dequantised first."""
    return check("dequantise")


@detect(found=False, control="finds-the-rounding", on="any")
def accepts_8_bits() -> dict[str, Any]:
    """Trained and merged in 8 bits, whose steps are finer."""
    return check(trained_in=8)


@fix("dequantise", control="rounded-away-in-4-bits", on="any")
def dequantised() -> dict[str, Any]:
    """The weights that the adapter was trained beside, in 16 bits."""
    return run("dequantise", checked=True)


@detect(found=True)
def dequantised_after_an_answer() -> dict[str, Any]:
    """A CPU with avx512_bf16 has packed the weights anew for the answer."""
    return wanting("answered")


@reproduce(on="any")
def ia3_dequantised() -> dict[str, Any]:
    """Dequantised, and still marked as loaded in 4 bits, which is what IA3 asks."""
    return run("dequantise", ia3=True)


@reproduce(versions=PEFT_0_5, record_once=ONCE)
def dequantised_on_0_5() -> dict[str, Any]:
    """PEFT of 2023 asks the mark that dequantising leaves, too."""
    return run("dequantise")


@fix("original-base", control="rounded-away-in-4-bits", on="any")
def original_base() -> dict[str, Any]:
    """The weights as they were published, in 16 bits."""
    return run("original", checked=True)


@fix("original-base", control="lora-on-0-5", versions=PEFT_0_5, record_once=ONCE)
def original_base_on_0_5() -> dict[str, Any]:
    """A base in 16 bits is merged into."""
    return run("original")


@fix("original-base", control="ia3-in-4-bits", on="any")
def ia3_on_the_original() -> dict[str, Any]:
    """IA3 on the weights as they were published."""
    return run("original", ia3=True)


@fix("keep-the-adapter", control="rounded-away-in-4-bits", on="any")
def adapter_kept() -> dict[str, Any]:
    """Nothing is merged."""
    return run("kept", checked=True)


@non_fix("newer-peft", control="lora-on-0-5")
def merged_by_a_newer_peft() -> dict[str, Any]:
    """The release that the book pins merges."""
    return run()


@non_fix("quantise-again", control="rounded-away-in-4-bits", on="any")
def quantised_again() -> dict[str, Any]:
    """Merged in 16 bits, and quantised to 4 as it is read."""
    return run("dequantise", quantised_again=True)


if __name__ == "__main__":
    main(__file__)
