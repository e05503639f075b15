"""What older releases of transformers print; from 5.0 on it is a table."""

from __future__ import annotations

from typing import Any

from transformers import AutoModelForCausalLM

from fixbook.recipe import reproduce
from fixbook.recipe.helpers import tiny_llama

ONCE = "a release of its own, whose message does not change"


def read() -> dict[str, Any]:
    """Read weights of 192 rows with a configuration that says 128."""
    tiny_llama(vocab_size=192).save_pretrained("trained")
    AutoModelForCausalLM.from_pretrained("trained", vocab_size=128)
    return {}


@reproduce(
    versions=("transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"),
    record_once=ONCE,
)
def with_4_46() -> dict[str, Any]:
    """It names the tensor."""
    return read()


@reproduce(
    versions=("transformers==4.57.6", "tokenizers==0.22.1", "huggingface_hub==0.36.0"),
    record_once=ONCE,
)
def with_4_57() -> dict[str, Any]:
    """It names a class and ``weight``, which may be any layer."""
    return read()
