"""DDP's no_sync under ZeRO: refused by stages 2 and 3, and by stage 1 counted wrongly."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "accelerate==1.15.0",
#     "deepspeed==0.19.8",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_releases import accumulate, train
from proof_steps import run

from fixbook.recipe import detect, fix, main, non_fix, reproduce

REST = [
    "tokenizers==0.21.4",
    "accelerate==1.1.1",
    "huggingface-hub==0.36.0",
    "datasets==4.0.0",
]
ONCE = "an overlay of other releases"


@reproduce(on="any", ranks=2)
def under_zero_3() -> Any:
    """The engine refuses to suspend the reduction."""
    return run()


@reproduce(on="any", ranks=2, versions=["accelerate==1.8.1"], record_once=ONCE)
def accelerate_1_8() -> Any:
    """Its ``accumulate`` enters no_sync whatever the stage."""
    return accumulate()


@reproduce(on="any", ranks=2, versions=["transformers==4.47.0", *REST], record_once=ONCE)
def trainer_of_4_47_0() -> Any:
    """It enters no_sync for every micro batch but the last."""
    return train()


@detect(found=True, on="any", ranks=2)
def under_zero_1() -> Any:
    """Nothing raises, and updates are missing."""
    return run(stage=1)


@detect(found=False, control="under-zero-1", on="any", ranks=2)
def zero_1_left_to_the_engine() -> Any:
    """All updates happen."""
    return run(stage=1, left_to_it=True)


@fix("leave-it-to-the-engine", control="under-zero-3", on="any", ranks=2)
def left_to_the_engine() -> Any:
    """Every micro batch goes through backward and step, and the engine counts."""
    return run(left_to_it=True)


@fix(
    "upgrade-accelerate",
    control="accelerate-1-8",
    on="any",
    ranks=2,
    versions=["accelerate==1.9.0"],
    record_once=ONCE,
)
def accelerate_1_9() -> Any:
    """It leaves no_sync alone from stage 2 on."""
    return accumulate()


@fix(
    "upgrade",
    control="trainer-of-4-47-0",
    on="any",
    ranks=2,
    versions=["transformers==4.47.1", *REST],
    record_once=ONCE,
)
def trainer_of_4_47_1() -> Any:
    """It leaves no_sync alone under DeepSpeed."""
    return train()


@non_fix("zero-2", control="under-zero-3", on="any", ranks=2)
def under_zero_2() -> Any:
    """Gradients are partitioned there, too."""
    return run(stage=2)


@non_fix("no-accumulation", control="under-zero-3", on="any", ranks=2)
def without_accumulation() -> Any:
    """It runs, with another batch size."""
    return run(accumulate=1)


@non_fix(
    "no-context",
    control="accelerate-1-8",
    on="any",
    ranks=2,
    versions=["accelerate==1.8.1"],
    record_once=ONCE,
)
def without_accumulate() -> Any:
    """Without the context every micro batch is a boundary to accelerate."""
    return accumulate(in_the_context=False)


if __name__ == "__main__":
    main(__file__)
