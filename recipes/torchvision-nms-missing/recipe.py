"""Torchvision's library does not load beside this torch, and its operators are missing."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_builds import forward

from fixbook.recipe import fix, main


@fix("uninstall", control="in-transformers")
def without_torchvision() -> dict[str, Any]:
    """A text model needs no torchvision."""
    return forward()


if __name__ == "__main__":
    main(__file__)
