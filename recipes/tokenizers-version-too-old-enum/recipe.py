"""A tokenizer.json that a newer tokenizers wrote, read by an older one."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "tokenizers==0.23.3", "transformers==5.23.0", "packaging==26.3"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_read import alone, asked, with_transformers

from fixbook.recipe import detect, fix, main


@fix("newer-libraries", control="lists-on-0-19")
def lists_today() -> dict[str, Any]:
    """Today's release reads lists."""
    return alone()


@fix("newer-libraries", control="backend-on-4-57")
def backend_today() -> dict[str, Any]:
    """Today's transformers reads what it writes."""
    return with_transformers("TokenizersBackend")


@detect(found=False, control="asked-on-0-19")
def asked_today() -> dict[str, Any]:
    """Today's release reads lists."""
    return asked()


if __name__ == "__main__":
    main(__file__)
