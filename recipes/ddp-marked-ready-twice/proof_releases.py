"""The defaults of transformers: a release that fails, and the first that does not."""

from __future__ import annotations

from typing import Any

from proof_ranks import run

from fixbook.recipe import fix, reproduce

REST = ["tokenizers==0.22.1", "datasets==4.0.0"]
LAST_4 = [
    "transformers==4.57.6",
    "huggingface-hub==0.36.0",
    "peft==0.17.1",
    "accelerate==1.10.1",
    *REST,
]
HTTPX = ["httpx==0.28.1", "httpcore==1.0.9", "h11==0.16.0", "anyio==4.11.0", "sniffio==1.3.1"]
FIRST_5 = [
    "transformers==5.0.0",
    "huggingface-hub==1.3.4",
    "peft==0.18.1",
    "accelerate==1.12.0",
    *HTTPX,
    *REST,
]
ONCE = "an overlay of other releases"


@reproduce(on="cpu", ranks=2, versions=LAST_4, record_once=ONCE)
def default_of_4_57() -> Any:
    """Left to itself, transformers 4 chose the reentrant kind."""
    return run(reentrant=None)


@fix(
    "not-reentrant",
    control="default-of-4-57",
    on="cpu",
    ranks=2,
    versions=FIRST_5,
    record_once=ONCE,
)
def default_of_5_0() -> Any:
    """Release 5 chooses the other one."""
    return run(reentrant=None)
