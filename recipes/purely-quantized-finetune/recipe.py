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

from failure import load
from proof_training import (
    check,
    check_floating_storage,
    check_usual_adapters,
    evaluate,
    run,
    train_own_module,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce

TRL = ["trl==1.16.0"]
ONCE = "libraries beside the main ones, imported anew"


@reproduce(on="any")
def no_adapters() -> dict[str, Any]:
    """A model in 4 bits, and nothing on it."""
    return run()


@reproduce(on="any")
def no_adapters_in_8_bits() -> dict[str, Any]:
    """The same in 8 bits."""
    return run(bits=8)


@reproduce(on="any")
def merged_before_training() -> dict[str, Any]:
    """merge_and_unload takes the adapters away."""
    return run(adapters="merged")


@reproduce(on="any")
def injected_below() -> dict[str, Any]:
    """The adapters are there, but neither of the two marks that the Trainer looks for."""
    return run(adapters="injected")


@reproduce(on="any")
def own_module() -> dict[str, Any]:
    """The base is frozen, and a module beside it is to train; the Trainer knows adapters alone."""
    return train_own_module()


@fix("own-modules", control="own-module", on="any")
def own_module_trains() -> dict[str, Any]:
    """The mark is away while the Trainer is made, and nothing of the base trains."""
    return train_own_module(printed=True)


@reproduce(on="any")
def only_evaluated() -> dict[str, float]:
    """Nothing is to be trained; the Trainer asks all the same."""
    return evaluate()


@reproduce(on="any")
def compiled() -> dict[str, Any]:
    """Adapters, and torch.compile around them."""
    return run(adapters="wrapped", compiled="before")


@reproduce(on="any")
def stored_quantised() -> dict[str, Any]:
    """A checkpoint that is quantised on disk, and loaded without any setting."""
    return run(adapters="stored")


@reproduce(on="any")
def checked_without_adapters() -> dict[str, Any]:
    """The page's check ends a run that the Trainer has been talked into."""
    return run(unflagged=True, checked=True)


@detect(found=True, on="any")
def finds_no_adapters() -> dict[str, Any]:
    """Quantised tensors, and nothing beside them that trains for them."""
    return check(load())


@detect(found=True, on="any")
def finds_floating_storage() -> dict[str, Any]:
    """The same where the quantised weights are stored as floats."""
    return check_floating_storage()


@detect(found=False, control="finds-no-adapters", on="any")
def finds_adapters() -> dict[str, Any]:
    """Adapters on the same model."""
    return check(load(adapters="wrapped"))


@detect(found=False, on="any")
def usual_adapters() -> dict[str, Any]:
    """Other adapters, other bits, and no quantisation at all."""
    return check_usual_adapters()


@fix("attach-adapters", control="no-adapters", on="any")
def attached() -> dict[str, Any]:
    """get_peft_model, as printed."""
    return run(printed="attach")


@fix("attach-adapters", control="stored-quantised", on="any")
def attached_to_the_stored() -> dict[str, Any]:
    """The same on the checkpoint that is quantised on disk."""
    return run(printed="attach", adapters="stored")


@fix("attach-adapters", control="no-adapters-in-8-bits", on="any")
def attached_in_8_bits() -> dict[str, Any]:
    """The same in 8 bits."""
    return run(printed="attach", bits=8)


@fix("attach-adapters", control="merged-before-training", on="any")
def not_merged() -> dict[str, Any]:
    """The adapters stay on for training."""
    return run(adapters="wrapped")


@fix("attach-adapters", control="injected-below", on="any")
def added() -> dict[str, Any]:
    """Injected by transformers, which notes that it did."""
    return run(adapters="added")


@fix("only-evaluate", control="only-evaluated", on="any")
def marked_for_evaluation() -> dict[str, float]:
    """The mark is set for a Trainer that does not train."""
    return evaluate(marked=True)


@fix("do-not-quantise", control="no-adapters", on="any")
def not_quantised() -> dict[str, Any]:
    """Loaded anew without quantisation, all of them train."""
    return run(printed="load-in-16-bits")


@fix("compile-in-the-trainer", control="compiled", on="any")
def compiled_by_the_trainer() -> dict[str, Any]:
    """The Trainer is given the model, and compiles it itself."""
    return run(adapters="wrapped", compiled="by the Trainer")


@non_fix("take-the-mark-away", control="no-adapters", on="any")
def mark_taken_away() -> dict[str, Any]:
    """The Trainer trains what is not quantised."""
    return run(unflagged=True)


@reproduce(versions=TRL, record_once=ONCE)
def no_adapters_under_trl() -> dict[str, Any]:
    """SFTTrainer is a Trainer."""
    return run(trl="no peft_config")


@fix("attach-adapters", control="no-adapters-under-trl", versions=TRL, record_once=ONCE)
def attached_by_trl() -> dict[str, Any]:
    """It puts the adapters on itself, if it is given a peft_config."""
    return run(trl="peft_config")


if __name__ == "__main__":
    main(__file__)
