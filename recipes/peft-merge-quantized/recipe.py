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

from proof_merge import run

from fixbook.recipe import fix, main, non_fix, reproduce


@reproduce()
def ia3_in_4_bits() -> dict[str, Any]:
    """IA3 is refused to this day."""
    return run(ia3=True)


@reproduce()
def rounded_away_in_4_bits() -> dict[str, Any]:
    """LoRA is merged with a warning; the page's check says what is left of it."""
    return run(checked=True)


@reproduce()
def ia3_dequantised() -> dict[str, Any]:
    """Dequantised, and still marked as loaded in 4 bits, which is what IA3 asks."""
    return run(ia3=True, dequantise=True)


@fix("original-base", control="ia3-in-4-bits")
def ia3_on_the_original() -> dict[str, Any]:
    """IA3 on the weights as they were published."""
    return run(16, ia3=True)


@fix("dequantise", control="rounded-away-in-4-bits")
def dequantised() -> dict[str, Any]:
    """The weights that the adapter was trained beside, in 16 bits."""
    return run(checked=True, dequantise=True)


@fix("original-base", control="rounded-away-in-4-bits")
def original_base() -> dict[str, Any]:
    """The weights as they were published, in 16 bits."""
    return run(bits=16, checked=True)


@fix("keep-the-adapter", control="rounded-away-in-4-bits")
def adapter_kept() -> dict[str, Any]:
    """Nothing is merged."""
    return run(checked=True, merge=False)


@non_fix("newer-peft", control="lora-on-0-5")
def merged_by_a_newer_peft() -> dict[str, Any]:
    """The release that the book pins merges."""
    return run()


if __name__ == "__main__":
    main(__file__)
