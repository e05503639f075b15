"""What older releases say where nothing is in the cache."""

from __future__ import annotations

from failure import load

from fixbook.recipe import reproduce

OLD = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]


@reproduce(versions=OLD, record_once="an older transformers beside the main one, imported anew")
def nothing_in_the_cache_on_4_46() -> None:
    """It speaks of a path as well."""
    load()
