"""FSDP gathers weights for forward alone; another way into the model finds shards."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
from proof_shards import IDS, clip, look, lost, model, sample

from fixbook.recipe import detect, device, fix, main, non_fix, reproduce


@reproduce(on="any", ranks=2)
def sample_fsdp1() -> Any:
    """The wrapper passes the call on, and gathers nothing."""
    return sample()


@reproduce(on="any", ranks=2)
def sample_fsdp2() -> Any:
    """The embedding finds a DTensor."""
    return sample(version=2)


@reproduce(on="cpu", ranks=2)
def sample_flat() -> Any:
    """With ``use_orig_params=False`` weights keep their shape, and have no storage."""
    return sample(orig=False)


@reproduce(on="any", ranks=2)
def loss_outside() -> Any:
    """A method that is not forward."""
    return lost(model().loss(IDS))


@reproduce(on="any", ranks=2)
def head_outside() -> Any:
    """A fused loss beside the model: one rank's piece of the head is flat, the other's empty."""
    weight = model().lm.lm_head.weight
    return {"logits": list(F.linear(torch.ones(6, 32, device=device()), weight).shape)}


@detect(found=True, on="any", ranks=2)
def seen_outside() -> Any:
    """A piece."""
    return look()


@detect(found=True, on="any", ranks=2)
def seen_flat() -> Any:
    """The right shape, and nothing behind it."""
    return look(orig=False)


@detect(found=False, control="seen-outside", on="any", ranks=2)
def seen_gathered() -> Any:
    """The whole table."""
    return look(use="gather")


@fix("gather", control="sample-fsdp1", on="any", ranks=2)
def sample_gathered() -> Any:
    """The root's weights are whole meanwhile; layers gather their own."""
    return sample(use="gather")


@fix("gather", control="sample-flat", on="cpu", ranks=2)
def flat_gathered() -> Any:
    """The same with ``use_orig_params=False``."""
    return sample(use="gather", orig=False)


@fix("register", control="sample-fsdp2", on="any", ranks=2)
def sample_registered() -> Any:
    """The hooks of forward run around this method, too."""
    return sample(use="register", version=2)


@fix("in-forward", control="loss-outside", on="any", ranks=2)
def loss_in_forward() -> Any:
    """The same method, called by forward."""
    return lost(model()(IDS))


@non_fix("forward-first", control="sample-fsdp1", on="any", ranks=2)
def sample_after_forward() -> Any:
    """What the forward gathered it has given up again."""
    return sample(forward_first=True)


@detect(found=True, on="any", ranks=2)
def clipped_by_shard() -> Any:
    """Each rank takes the norm of its own piece."""
    return clip(whole=False)


@detect(found=False, control="clipped-by-shard", on="any", ranks=2)
def clipped_whole() -> Any:
    """FSDP adds the norms of all ranks up."""
    return clip(whole=True)


if __name__ == "__main__":
    main(__file__)
