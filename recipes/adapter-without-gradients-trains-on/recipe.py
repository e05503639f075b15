"""An adapter without gradients, in a training run that ends without an error."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "peft==0.21.2"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from functools import partial
from typing import Any

from failure import continued, from_its_folder, prepared_last
from proof_adapter import attempt, check_usual_adapters, loaded, prepared_first, run, with_a_head

from fixbook.recipe import detect, fix, main, non_fix, reproduce

LIBRARIES = ["tokenizers==0.22.1", "datasets==4.8.4", "httpx==0.28.1", "httpcore==1.0.9"]
LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", *LIBRARIES]
FIRST_5 = ["transformers==5.0.0", "huggingface_hub==1.17.0", *LIBRARIES]
ONCE = "an older transformers beside the main one, imported anew"


@detect(found=True, on="any")
def loaded_for_inference() -> dict[str, Any]:
    """PEFT loads an adapter frozen, and the embedding's hook gives the loss a graph."""
    return run(continued)


@detect(found=True, on="any")
def loaded_by_transformers() -> dict[str, Any]:
    """The same from the folder of an adapter."""
    return run(from_its_folder)


@detect(found=True, on="any")
def prepared_after_the_adapter() -> dict[str, Any]:
    """prepare_model_for_kbit_training freezes all that is there."""
    return run(prepared_last)


@detect(found=True, on="any")
def cut_off_from_the_loss() -> dict[str, Any]:
    """The head behind reentrant checkpoints trains, and nothing before it does."""
    return run(with_a_head, image=True)


@reproduce(on="any")
def callback_stops_a_frozen_adapter() -> dict[str, Any]:
    """The callback of the page ends the run before the first step."""
    return run(continued, stopped=True)


@reproduce(on="any")
def callback_stops_a_cut() -> dict[str, Any]:
    """Trainable tensors that have no gradient as the optimizer is about to step."""
    return run(with_a_head, image=True, stopped=True)


@detect(found=False, on="any")
def usual_adapters() -> dict[str, Any]:
    """Sound adapters of usual models, with a usual collator."""
    return check_usual_adapters()


@fix("load-it-trainable", control="loaded-for-inference", on="any")
def loaded_to_train() -> dict[str, Any]:
    """is_trainable=True."""
    return run(loaded)


@fix("load-it-trainable", control="loaded-by-transformers", on="any")
def switched_on() -> dict[str, Any]:
    """set_adapter makes the active adapter trainable."""
    return run(partial(from_its_folder, switched_on=True))


@fix("prepare-first", control="prepared-after-the-adapter", on="any")
def prepared_before_the_adapter() -> dict[str, Any]:
    """The adapter comes after what freezes."""
    return run(prepared_first)


@fix("not-reentrant", control="cut-off-from-the-loss", on="any")
def joined_to_the_loss() -> dict[str, Any]:
    """The graph goes on through the blocks."""
    return run(with_a_head, image=True, mended=True)


@reproduce(on="any")
def frozen_without_checkpointing() -> dict[str, Any]:
    """No hook, no graph: the same adapter is an error."""
    return run(continued, checkpointing=False)


@non_fix("input-gradients", control="frozen-without-checkpointing", on="any")
def hook_on_a_frozen_adapter() -> dict[str, Any]:
    """The hook ends the error, and nothing trains."""
    return run(continued, checkpointing=False, hooked=True)


@detect(found=True, on="any", versions=FIRST_5, record_once=ONCE)
def silent_on_5_0() -> dict[str, Any]:
    """Checkpointing puts the hook on the embedding for every model of tokens."""
    return attempt()


@detect(found=False, control="silent-on-5-0", on="any", versions=LAST_4, record_once=ONCE)
def refused_on_4_57() -> dict[str, Any]:
    """It did so only for adapters that transformers itself had loaded."""
    return attempt()


if __name__ == "__main__":
    main(__file__)
