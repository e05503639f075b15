"""One flat parameter has a gradient or none: FSDP1 refuses a unit that is frozen in part."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_training import look, train

from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(on="any", ranks=2)
def lora_in_the_layers() -> dict[str, Any]:
    """Every layer is a unit, with its frozen weights and its adapter."""
    return train()


@reproduce(on="any", ranks=2)
def lora_by_another_policy() -> dict[str, Any]:
    """The same, by the policy that looks beforehand and names the weights."""
    return train("modules")


@reproduce(on="any", ranks=2)
def frozen_embedding() -> dict[str, Any]:
    """The embedding is frozen, and stands in one unit with the head."""
    return train(lora=False)


@detect(found=True)
def finds_the_layers() -> dict[str, Any]:
    """The layers are listed."""
    return look()


@detect(found=False, control="finds-the-layers")
def accepts_adapters_apart() -> dict[str, Any]:
    """With the policy of the first fix, nothing is."""
    return look("apart")


@fix("apart", control="lora-in-the-layers", on="any", ranks=2)
def adapters_apart() -> dict[str, Any]:
    """What is trained stands in units of its own."""
    return train("apart")


@fix("apart", control="frozen-embedding", on="any", ranks=2)
def head_apart() -> dict[str, Any]:
    """The same policy, where the head is trained and the embedding is not."""
    return train("apart", lora=False)


@fix("orig-params", control="lora-in-the-layers", on="any", ranks=2)
def with_orig_params() -> dict[str, Any]:
    """Units may be mixed, and cost the gradients of all."""
    return train(orig=True)


@fix("fsdp2", control="lora-in-the-layers", on="any", ranks=2)
def under_fsdp2() -> dict[str, Any]:
    """There is no flat parameter."""
    return train(version=2)


@non_fix("unfreeze", control="lora-in-the-layers", on="any", ranks=2)
def unfrozen() -> dict[str, Any]:
    """Everything is trained then."""
    return train(freezing="never")


@non_fix("freeze-later", control="lora-in-the-layers", on="any", ranks=2)
def frozen_after_wrapping() -> dict[str, Any]:
    """The names are gone by then."""
    return train(freezing="later")


if __name__ == "__main__":
    main(__file__)
