"""A ZeRO checkpoint of two ranks, loaded by one; converted; without the optimizer's state."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "deepspeed==0.19.8", "transformers==5.23.0",
#     "accelerate==1.15.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_ranks import look, run
from proof_trainer import resumed

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(on="cpu")
def fewer() -> Any:
    """Saved by two ranks, loaded by one."""
    return run()


@reproduce(on="cpu")
def fewer_zero_3() -> Any:
    """The same under ZeRO-3."""
    return run(stage=3)


@reproduce(on="cpu", ranks=2)
def more() -> Any:
    """Saved by one, loaded by two."""
    return run(saved_on=1)


@reproduce(on="cpu")
def trainer_fewer() -> Any:
    """The Trainer, with the checkpoint as it is."""
    return resumed(convert=False)


@reproduce(on="cpu")
def without_the_flag() -> Any:
    """The same conversion without its last option."""
    return run(convert="bare")


@reproduce(on="cpu")
def not_converted() -> Any:
    """The setting, and no conversion."""
    return run(convert="no")


@detect(found=True, on="cpu")
def counted_by_one() -> Any:
    """One rank is about to load what two saved."""
    return look()


@detect(found=False, control="counted-by-one", on="cpu", ranks=2)
def counted_by_two() -> Any:
    """Two are."""
    return look()


@detect(found=False, on="cpu")
def unpartitioned() -> Any:
    """Stage 0 cuts nothing: one rank loads what two saved."""
    return run(stage=0)


@fix("convert", control="fewer", on="cpu")
def converted() -> Any:
    """The state is cut anew for one rank."""
    return run(convert="printed")


@fix("convert", control="fewer-zero-3", on="cpu")
def converted_zero_3() -> Any:
    """Under ZeRO-3 that option is not needed."""
    return run(stage=3, convert="bare")


@fix("convert", control="trainer-fewer", on="cpu")
def trainer_converted() -> Any:
    """The Trainer, with the one converted."""
    return resumed(convert=True)


@fix("same-number", control="fewer", on="cpu", ranks=2)
def same_number() -> Any:
    """Two ranks load what two ranks saved."""
    return run()


@fix("weights-only", control="fewer", on="cpu")
def weights_only() -> Any:
    """Adam starts anew."""
    return run(states=False)


@fix("weights-only", control="fewer-zero-3", on="cpu")
def weights_only_zero_3() -> Any:
    """The weights come from the optimizer's files."""
    return run(stage=3, states=False)


@non_fix("elastic", control="fewer", on="cpu")
def elastic() -> Any:
    """Saved and loaded with the setting."""
    return run(elastic=True)


if __name__ == "__main__":
    main(__file__)
