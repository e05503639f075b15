"""accelerate refuses several RTX 40 cards on an old driver, unless P2P and IB are switched off."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "accelerate==1.15.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_cards import NEW, OLD, asked, begin

from fixbook.recipe import detect, fix, main, non_fix, reproduce

BEFORE: dict[str, Any] = {
    "versions": ["accelerate==0.28.0"],
    "record_once": "another accelerate, imported anew",
}


@reproduce()
def two_cards() -> dict[str, Any]:
    """Two cards, an old driver, and no variable."""
    return begin()


@reproduce()
def one_process() -> dict[str, Any]:
    """A process that nothing but `python` starts, on the same machine."""
    return begin(alone=True)


@detect(found=True)
def asked_about_4090() -> dict[str, Any]:
    """Two cards and an old driver."""
    return asked(OLD)


@detect(found=False, control="asked-about-4090")
def asked_about_3090() -> dict[str, Any]:
    """Two cards of another series."""
    return asked(OLD, "NVIDIA GeForce RTX 3090")


@detect(found=True)
def asked_about_ada() -> dict[str, Any]:
    """Two workstation cards, whose name begins alike."""
    return asked(OLD, "NVIDIA RTX 4000 Ada Generation")


@detect(found=True, **BEFORE)
def asked_of_0_28() -> dict[str, Any]:
    """A release that does not look at the driver."""
    return asked(NEW)


@detect(found=False, control="asked-of-0-28")
def asked_of_today() -> dict[str, Any]:
    """A release that does."""
    return asked(NEW)


@fix("both-variables", control="two-cards")
def both_set() -> dict[str, Any]:
    """The lines of the page."""
    return begin(lines="both")


@fix("in-code", control="one-process")
def set_in_code() -> dict[str, Any]:
    """The lines of the page stand before accelerate begins."""
    return begin(alone=True, lines="in-code")


@fix("launch", control="two-cards")
def by_accelerate() -> dict[str, Any]:
    """The command of the page starts two processes."""
    return begin(lines="launch")


@fix("driver", control="two-cards")
def new_driver() -> dict[str, Any]:
    """The first driver that accelerate accepts."""
    return begin(NEW)


@non_fix("one-variable", control="two-cards")
def one_set() -> dict[str, Any]:
    """P2P is switched off, and IB is not."""
    return begin(NCCL_P2P_DISABLE="1")


@non_fix("one-card", control="two-cards")
def one_visible() -> dict[str, Any]:
    """The other card is hidden."""
    return begin(CUDA_VISIBLE_DEVICES="0")


@non_fix("launch-for-one", control="one-process")
def launched_alone() -> dict[str, Any]:
    """The command starts one process, for which it sets nothing."""
    return begin(alone=True, lines="launch")


@detect(found=False)
def set_to_zero() -> dict[str, Any]:
    """Nobody reads the value."""
    return begin(NCCL_P2P_DISABLE="0", NCCL_IB_DISABLE="0")


if __name__ == "__main__":
    main(__file__)
