"""ZeRO-3 prefetches what the steps before used; what a step then skips stays in flight."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "deepspeed==0.19.8", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_steps import evaluate, look_at_usual_models, train

from fixbook.recipe import detect, fix, main, non_fix, reproduce

OLD = ["deepspeed==0.15.2"]
NEW = ["deepspeed==0.15.3"]
ONCE = "an overlay of another DeepSpeed, imported anew"


@reproduce(on="any", versions=OLD, record_once=ONCE)
def trained() -> Any:
    """The fourth batch skips three layers, of which parameters had been fetched."""
    return train()


@reproduce(on="any", versions=OLD, record_once=ONCE)
def evaluated() -> Any:
    """The same without gradients."""
    return evaluate()


@detect(found=True, on="any")
def skipped_today() -> Any:
    """The release of today raises nothing."""
    return train()


@detect(found=False, control="skipped-today", on="any")
def every_layer_ran_today() -> Any:
    """Nothing is skipped, and the weights are right."""
    return train(everything=True)


@detect(found=False, on="any")
def usual_models() -> Any:
    """A Llama, and PyTorch's own encoder layer."""
    return look_at_usual_models()


@fix("leaf", control="trained", on="any", versions=OLD, record_once=ONCE)
def block_is_a_leaf() -> Any:
    """The block is fetched and reduced as one module, whichever layers ran."""
    return train(leaf=True)


@fix("leaf", control="trained", on="any")
def block_is_a_leaf_today() -> Any:
    """The release of today trains such a block rightly, too."""
    return train(leaf=True)


@fix("run-every-layer", control="trained", on="any", versions=OLD, record_once=ONCE)
def every_layer_ran() -> Any:
    """The path is the same in every step."""
    return train(everything=True)


@fix("zero-2", control="trained", on="any", versions=OLD, record_once=ONCE)
def under_zero_2() -> Any:
    """Nothing is prefetched, and a layer without a gradient does not move."""
    return train(stage=2)


@fix("upgrade-for-evaluation", control="evaluated", on="any", versions=NEW, record_once=ONCE)
def evaluated_by_0_15_3() -> Any:
    """It releases what it fetched in vain."""
    return evaluate()


@non_fix("upgrade-alone", control="trained", on="any", versions=NEW, record_once=ONCE)
def trained_by_0_15_3() -> Any:
    """No error, and layers that were skipped move."""
    return train()


@non_fix("no-prefetch", control="trained", on="any", versions=OLD, record_once=ONCE)
def without_prefetching() -> Any:
    """No error either, and the same wrong weights."""
    return train(prefetch=0)


if __name__ == "__main__":
    main(__file__)
