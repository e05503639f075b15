"""A block that does something else when checkpointing runs it again."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "numpy==2.4.6", "deepspeed==0.19.8"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_gradients import evaluate_late, look, look_and_run, of_torch, run, without_cache
from proof_zero import run_under_zero_3

from fixbook.recipe import detect, fix, main, non_fix, reproduce

ONCE = "an overlay of another release"


@reproduce(on="any")
def cache_grows() -> Any:
    """The second run finds the keys of the first."""
    return run("grown_cache")


@reproduce(on="any")
def mode_switched() -> Any:
    """The second run has no dropout."""
    return run("switched_mode")


@reproduce(on="any")
def tokens_routed_anew() -> Any:
    """The second run sends some tokens to other experts."""
    return run("routed")


@reproduce()
def expert_left_out() -> Any:
    """In the second run another set of experts has tokens."""
    return run("routed_in_a_loop")


@reproduce(versions=["deepspeed==0.19.2"], record_once=ONCE)
def frozen_by_zero_3() -> Any:
    """The recompute's hooks empty what torch still holds."""
    return run_under_zero_3()


@fix("zero-3", control="frozen-by-zero-3", versions=["deepspeed==0.19.3"], record_once=ONCE)
def frozen_by_zero_3_later() -> Any:
    """They stay until the backward of the block is over."""
    return run_under_zero_3()


@fix("zero-3", control="frozen-by-zero-3", versions=["deepspeed==0.19.2"], record_once=ONCE)
def frozen_by_zero_3_reentrant() -> Any:
    """Nothing is compared."""
    return run_under_zero_3(reentrant=True)


@detect(found=True, on="any")
def finds_the_cache() -> dict[str, Any]:
    """The second run has more keys, so its output differs."""
    return look("grown_cache")


@detect(found=False, control="finds-the-cache", on="any")
def accepts_a_block_without_cache() -> dict[str, Any]:
    """Nothing is left behind by the first run."""
    return look("grown_cache", call=without_cache)


@detect(found=True, on="any")
def finds_the_routing() -> dict[str, Any]:
    """Two runs differ."""
    return look("routed")


@detect(found=False, control="finds-the-routing", on="any")
def accepts_noise_of_torch() -> dict[str, Any]:
    """Two runs from the same state of torch's generator are equal."""
    return look("routed", noise=of_torch)


@fix("no-cache", control="cache-grows", on="any")
def cache_left_alone() -> Any:
    """Training keeps no cache."""
    return run("grown_cache", call=without_cache)


@fix("eval-later", control="mode-switched", on="any")
def mode_switched_late() -> Any:
    """Evaluation comes after the backward."""
    return run("switched_mode", end=evaluate_late)


@fix("torch-noise", control="tokens-routed-anew", on="any")
def noise_of_torch() -> Any:
    """Checkpointing restores torch's own generator for the second run."""
    return run("routed", noise=of_torch)


@fix("save-the-choice", control="tokens-routed-anew", on="any")
def choice_saved() -> Any:
    """The second run is given what topk returned in the first."""
    return run("routed", saved=True)


@fix("save-the-choice", control="expert-left-out")
def experts_kept() -> Any:
    """The second run takes the experts of the first."""
    return run("routed_in_a_loop", saved=True)


@non_fix("reentrant", control="cache-grows", on="any")
def cache_grows_unseen() -> Any:
    """The recomputed attention has twice the keys."""
    return run("grown_cache", reentrant=True)


@non_fix("reentrant", control="mode-switched", on="any")
def mode_switched_unseen() -> Any:
    """The gradient is that of another forward."""
    return run("switched_mode", reentrant=True)


@non_fix("reentrant", control="tokens-routed-anew", on="any")
def tokens_routed_anew_unseen() -> Any:
    """Experts learn from tokens that they have not seen."""
    return run("routed", reentrant=True)


@detect(found=True, on="any")
def masked_by_numpy() -> dict[str, Any]:
    """All shapes stay, so nothing raises."""
    return look_and_run("masked")


@detect(found=False, control="masked-by-numpy", on="any")
def masked_by_torch() -> dict[str, Any]:
    """The same mask twice."""
    return look_and_run("masked", by_numpy=False)


if __name__ == "__main__":
    main(__file__)
