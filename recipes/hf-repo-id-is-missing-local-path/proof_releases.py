"""What older releases of transformers say."""

from __future__ import annotations

from failure import CHECKPOINT, load

from fixbook.recipe import reproduce

ONCE = "an older transformers beside the main one, imported anew"


@reproduce(
    versions=["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"],
    record_once=ONCE,
)
def no_such_folder_on_4_46() -> None:
    """It speaks of a model, and not of a repository."""
    load(CHECKPOINT)


@reproduce(
    versions=["transformers==4.57.6", "tokenizers==0.22.1", "huggingface_hub==0.36.0"],
    record_once=ONCE,
)
def no_such_folder_on_4_57() -> None:
    """The exception of the Hub's library comes through."""
    load(CHECKPOINT)
