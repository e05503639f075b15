"""Lightning 2 has removed arguments and hooks; some hooks it no longer calls, without a word."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_fit import (
    arguments,
    callback,
    epoch_end,
    looked,
    options,
    penalty,
    plugin,
    rank_zero,
    several,
)

from fixbook.recipe import detect, fix, main, non_fix, reproduce

LATEST = ["pytorch-lightning==2.6.6", "lightning-utilities==0.15.3", "torchmetrics==1.9.0"]
# Lightning up to 2.0 imports pkg_resources, which newer setuptools do not have.
OLD = ["lightning-utilities==0.15.2", "torchmetrics==1.8.2", "setuptools==75.8.0"]
FIRST_2 = ["pytorch-lightning==2.0.0", *OLD]
LAST_1 = ["pytorch-lightning==1.9.5", *OLD]
ONCE = "Lightning beside the main environment, imported anew"


@reproduce(versions=LATEST, record_once=ONCE)
def gpus_argument() -> dict[str, Any]:
    """An argument of Lightning 1."""
    return arguments()


@reproduce(versions=LATEST, record_once=ONCE)
def epoch_end_hook() -> dict[str, Any]:
    """A hook of Lightning 1."""
    return epoch_end()


@reproduce(versions=FIRST_2, record_once=ONCE)
def gpus_argument_on_2_0() -> dict[str, Any]:
    """The argument on the first release of 2."""
    return arguments()


@reproduce(versions=FIRST_2, record_once=ONCE)
def epoch_end_hook_on_2_0() -> dict[str, Any]:
    """The hook on the first release of 2."""
    return epoch_end()


@reproduce(versions=LAST_1, record_once=ONCE)
def callback_on_1_9() -> dict[str, Any]:
    """A hook that 1.8 removed, on the last release of 1: it says so."""
    return callback()


@reproduce(versions=LATEST, record_once=ONCE)
def two_optimizers() -> dict[str, Any]:
    """A model with two optimizers, as GANs have."""
    return several()


@reproduce(versions=LATEST, record_once=ONCE)
def distributed_import() -> dict[str, Any]:
    """Where rank_zero_only used to be."""
    return rank_zero()


@reproduce(versions=LATEST, record_once=ONCE)
def plugin_import() -> dict[str, Any]:
    """The class that was DDP's settings."""
    return plugin()


@reproduce(versions=LATEST, record_once=ONCE)
def argparse_methods() -> dict[str, Any]:
    """The Trainer's arguments for a command line."""
    return options()


@detect(found=True, versions=LATEST, record_once=ONCE)
def callback_never_called() -> dict[str, Any]:
    """The same callback on 2."""
    return callback()


@detect(found=True, versions=LATEST, record_once=ONCE)
def penalty_never_added() -> dict[str, Any]:
    """A loss that training_step_end should change."""
    return penalty()


@detect(found=True, versions=FIRST_2, record_once=ONCE)
def penalty_never_added_on_2_0() -> dict[str, Any]:
    """The same on the first release of 2."""
    return penalty()


@detect(found=False, control="penalty-never-added-on-2-0", versions=LAST_1, record_once=ONCE)
def penalty_added_on_1_9() -> dict[str, Any]:
    """The same on the last release of 1."""
    return penalty()


@detect(found=True, versions=LATEST, record_once=ONCE)
def old_model() -> dict[str, Any]:
    """The page's look at a model and a callback of Lightning 1."""
    return looked()


@detect(found=False, control="old-model", versions=LATEST, record_once=ONCE)
def new_model() -> dict[str, Any]:
    """The page's look at what it offers, beside the Trainer's own callbacks."""
    return looked(page=True)


@fix("hooks", control="epoch-end-hook", versions=LATEST, record_once=ONCE)
def mean_by_new_hook() -> dict[str, Any]:
    """The page's methods."""
    return epoch_end(page=True)


@fix("in-step", control="penalty-never-added", versions=LATEST, record_once=ONCE)
def penalty_in_step() -> dict[str, Any]:
    """The page's method."""
    return penalty(page=True)


@fix("arguments", control="gpus-argument", versions=LATEST, record_once=ONCE)
def new_arguments() -> dict[str, Any]:
    """The page's lines."""
    return arguments(page=True)


@fix("several", control="two-optimizers", versions=LATEST, record_once=ONCE)
def by_hand() -> dict[str, Any]:
    """The page's method."""
    return several(page=True)


@fix("moved", control="distributed-import", versions=LATEST, record_once=ONCE)
def import_moved() -> dict[str, Any]:
    """The page's line."""
    return rank_zero(page=True)


@fix("moved", control="plugin-import", versions=LATEST, record_once=ONCE)
def plugin_import_moved() -> dict[str, Any]:
    """The page's line."""
    return plugin(page=True)


@fix("moved", control="distributed-import", versions=LAST_1, record_once=ONCE)
def import_moved_on_1_9() -> dict[str, Any]:
    """The page's line on the last release of 1."""
    return rank_zero(page=True)


@fix("older", control="argparse-methods", versions=LAST_1, record_once=ONCE)
def argparse_methods_on_1_9() -> dict[str, Any]:
    """The same script on the last release of 1."""
    return options()


@fix("older", control="gpus-argument-on-2-0", versions=LAST_1, record_once=ONCE)
def gpus_argument_on_1_9() -> dict[str, Any]:
    """The argument on the last release of 1."""
    return arguments()


@fix("older", control="epoch-end-hook-on-2-0", versions=LAST_1, record_once=ONCE)
def epoch_end_hook_on_1_9() -> dict[str, Any]:
    """The hook on the last release of 1."""
    return epoch_end()


@non_fix("rename-only", control="epoch-end-hook", versions=LATEST, record_once=ONCE)
def only_renamed() -> dict[str, Any]:
    """The name that the message gives, and nothing else."""
    return epoch_end(renamed=True)


if __name__ == "__main__":
    main(__file__)
