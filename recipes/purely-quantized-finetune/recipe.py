"""The Trainer refuses a quantised model that has no adapters where it looks for them."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2", "bitsandbytes==0.50.2",
#     "accelerate==1.15.0", "datasets==5.2.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_training import evaluate, run

from fixbook.recipe import fix, main, non_fix, reproduce


@reproduce()
def no_adapters() -> dict[str, Any]:
    """A model in 4 bits, and nothing on it."""
    return run()


@reproduce()
def no_adapters_in_8_bits() -> dict[str, Any]:
    """The same in 8 bits."""
    return run(bits=8)


@reproduce()
def merged_before_training() -> dict[str, Any]:
    """merge_and_unload takes the adapters away."""
    return run(adapters="merged")


@reproduce()
def injected_below() -> dict[str, Any]:
    """The adapters are there, but neither of the two marks that the Trainer looks for."""
    return run(adapters="injected")


@reproduce()
def only_evaluated() -> dict[str, float]:
    """Nothing is to be trained; the Trainer asks all the same."""
    return evaluate()


@reproduce()
def compiled() -> dict[str, Any]:
    """Adapters, and torch.compile around them."""
    return run(adapters="wrapped", compiled="before")


@fix("attach-adapters", control="no-adapters")
def attached() -> dict[str, Any]:
    """get_peft_model."""
    return run(adapters="wrapped")


@fix("attach-adapters", control="no-adapters-in-8-bits")
def attached_in_8_bits() -> dict[str, Any]:
    """The same in 8 bits."""
    return run(bits=8, adapters="wrapped")


@fix("attach-adapters", control="merged-before-training")
def not_merged() -> dict[str, Any]:
    """The adapters stay on for training."""
    return run(adapters="wrapped")


@fix("attach-adapters", control="injected-below")
def added() -> dict[str, Any]:
    """Injected by transformers, which notes that it did."""
    return run(adapters="added")


@fix("only-evaluate", control="only-evaluated")
def marked_for_evaluation() -> dict[str, float]:
    """The mark is set for a Trainer that does not train."""
    return evaluate(marked=True)


@fix("do-not-quantise", control="no-adapters")
def not_quantised() -> dict[str, Any]:
    """All weights are floating point, and all of them train."""
    return run(bits=16)


@fix("compile-in-the-trainer", control="compiled")
def compiled_by_the_trainer() -> dict[str, Any]:
    """The Trainer is given the model, and compiles it itself."""
    return run(adapters="wrapped", compiled="by the Trainer")


@non_fix("take-the-mark-away", control="no-adapters")
def mark_taken_away() -> dict[str, Any]:
    """The Trainer trains what is not quantised."""
    return run(unflagged=True)


if __name__ == "__main__":
    main(__file__)
