"""DDP's no_sync under ZeRO: refused by stages 2 and 3, and by stage 1 counted wrongly."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "deepspeed==0.19.8"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_steps import run

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(on="cpu", ranks=2)
def under_zero_3() -> Any:
    """The engine refuses to suspend the reduction."""
    return run()


@fix("leave-it-to-the-engine", control="under-zero-3", on="cpu", ranks=2)
def left_to_the_engine() -> Any:
    """Every micro batch goes through backward and step, and the engine counts."""
    return run(left_to_it=True)


@non_fix("zero-2", control="under-zero-3", on="cpu", ranks=2)
def under_zero_2() -> Any:
    """Gradients are partitioned there, too."""
    return run(stage=2)


@non_fix("no-accumulation", control="under-zero-3", on="cpu", ranks=2)
def without_accumulation() -> Any:
    """It runs, with another batch size."""
    return run(accumulate=1)


@detect(found=True, on="cpu", ranks=2)
def under_zero_1() -> Any:
    """Nothing raises, and updates are missing."""
    return run(stage=1, check=True)


@detect(found=False, control="under-zero-1", on="cpu", ranks=2)
def zero_1_left_to_the_engine() -> Any:
    """All updates happen."""
    return run(stage=1, check=True, left_to_it=True)


if __name__ == "__main__":
    main(__file__)
