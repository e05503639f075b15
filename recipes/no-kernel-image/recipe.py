"""A build of torch without code for the card: no kernel image is available."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import contextlib
import io
from typing import Any

import proof_card  # noqa: F401  # isort: skip  (before torch)
from failure import train

from fixbook.recipe import detect, fix, main, non_fix, reproduce, snippet

STAND_IN: dict[str, Any] = {
    "import_first": "proof_card",
    "programs": ["cc"],
    "start": "cold",
    "record_once": "torch's build for CUDA is a download of half a gigabyte or more",
}
CU126: dict[str, Any] = {"versions": ["torch==2.7.1", "nvidia-cuda-runtime-cu12==12.6.77"]}
CU128: dict[str, Any] = {"versions": ["torch==2.10.0", "nvidia-cuda-runtime-cu12==12.8.90"]}
CU130: dict[str, Any] = {"versions": ["torch==2.11.0", "nvidia-cuda-runtime==13.0.96"]}
PASCAL: dict[str, Any] = {"env": {"STAND_IN_CARD": "6.1"}}
VOLTA: dict[str, Any] = {"env": {"STAND_IN_CARD": "7.0"}}
ADA: dict[str, Any] = {"env": {"STAND_IN_CARD": "8.9"}}
THOR: dict[str, Any] = {"env": {"STAND_IN_CARD": "11.0"}}
BLACKWELL: dict[str, Any] = {"env": {"STAND_IN_CARD": "12.0"}}
LISTED: dict[str, Any] = {"env": {"STAND_IN_CARD": "7.0", "TORCH_CUDA_ARCH_LIST": "7.0"}}


def ask() -> dict[str, Any]:
    """Run the page's check."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        done = snippet("fits")
    return {"found": not done["fits"], "said": printed.getvalue().strip()}


@reproduce(**STAND_IN | CU126 | BLACKWELL)
def blackwell_on_cuda_12_6() -> dict[str, Any]:
    """A card that is newer than the build."""
    return train()


@reproduce(**STAND_IN | CU130 | VOLTA)
def volta_on_cuda_13_0() -> dict[str, Any]:
    """A card that the builds have dropped."""
    return train()


@reproduce(**STAND_IN | CU128 | PASCAL)
def pascal_on_cuda_12_8() -> dict[str, Any]:
    """An older card, which was dropped earlier."""
    return train()


@detect(found=True, **STAND_IN | CU126 | BLACKWELL)
def asks_of_blackwell() -> dict[str, Any]:
    """The card is newer than the build."""
    return ask()


@detect(found=False, control="asks-of-blackwell", **STAND_IN | CU128 | BLACKWELL)
def asks_of_blackwell_with_a_newer_build() -> dict[str, Any]:
    """The same card, the build of the fix."""
    return ask()


@detect(found=True, **STAND_IN | CU130 | THOR)
def asks_of_thor() -> dict[str, Any]:
    """A card between two major numbers of the list."""
    return ask()


@detect(found=False, **STAND_IN | CU130 | ADA)
def asks_of_ada() -> dict[str, Any]:
    """The list does not name this card, and has code that it runs."""
    return ask() | train()


@fix("newer-build", control="blackwell-on-cuda-12-6", **STAND_IN | CU128 | BLACKWELL)
def blackwell_on_cuda_12_8() -> dict[str, Any]:
    """The same card, a build that has code for it."""
    return train()


@fix("older-build", control="volta-on-cuda-13-0", **STAND_IN | CU128 | VOLTA)
def volta_on_cuda_12_8() -> dict[str, Any]:
    """The last build from PyPI with code for the card."""
    return train()


@fix("cuda-12-6", control="pascal-on-cuda-12-8", **STAND_IN | CU126 | PASCAL)
def pascal_on_cuda_12_6() -> dict[str, Any]:
    """A build for CUDA 12.6, which has code for it."""
    return train()


@non_fix("arch-list", control="volta-on-cuda-13-0", **STAND_IN | CU130 | LISTED)
def arch_list_set() -> dict[str, Any]:
    """The variable is for compiling, and the build is compiled."""
    return train()


if __name__ == "__main__":
    main(__file__)
