"""Transformers says that bitsandbytes or accelerate is missing, though both are installed."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "bitsandbytes==0.50.2",
#     "accelerate==1.15.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_versions import run

from fixbook.recipe import fix, main


@fix("install-and-restart", control="bitsandbytes-too-old")
def bitsandbytes_upgraded() -> dict[str, Any]:
    """The release that the book pins."""
    return run()


@fix("install-and-restart", control="accelerate-too-old")
def accelerate_upgraded() -> dict[str, Any]:
    """The same of accelerate."""
    return run()


@fix("newer-transformers", control="no-gpu-on-4-40")
def no_gpu_today() -> dict[str, Any]:
    """Transformers of today loads in 4 bits without a GPU."""
    return run()


if __name__ == "__main__":
    main(__file__)
