"""The last release where a frozen adapter was an error, and the first where it is not."""

from __future__ import annotations

from typing import Any

from proof_adapter import run

from fixbook.recipe import detect, measure

LIBRARIES = ["tokenizers==0.22.1", "datasets==4.8.4", "httpx==0.28.1", "httpcore==1.0.9"]
LAST_4 = ["transformers==4.57.6", "huggingface_hub==0.36.0", *LIBRARIES]
FIRST_5 = ["transformers==5.0.0", "huggingface_hub==1.17.0", *LIBRARIES]
ONCE = "an older transformers beside the main one, imported anew"


def attempt() -> dict[str, Any]:
    """Train a frozen adapter, and see whether it is refused."""
    try:
        return run("continued")
    except RuntimeError as error:
        measure(error=str(error))
        return {"found": False}


@detect(found=True, versions=FIRST_5, record_once=ONCE)
def silent_on_5_0() -> dict[str, Any]:
    """Checkpointing puts the hook on the embedding for every model of tokens."""
    return attempt()


@detect(found=False, control="silent-on-5-0", versions=LAST_4, record_once=ONCE)
def refused_on_4_57() -> dict[str, Any]:
    """It did so only for adapters that transformers itself had loaded."""
    return attempt()
