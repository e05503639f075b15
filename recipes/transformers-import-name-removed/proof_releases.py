"""Which names each release has, one release a step, and both sides of a change."""

from __future__ import annotations

from typing import Any

from failure import imported
from proof_names import ask, loaded, train

from fixbook.recipe import detect, fix, non_fix, reproduce

HTTP = ["httpx==0.28.1", "httpcore==1.0.9"]
OLDEST = ["huggingface_hub==0.36.2", "tokenizers==0.15.2", "numpy==1.26.4"]
OLD = ["huggingface_hub==0.36.0", "tokenizers==0.21.4", "datasets==4.8.4", *HTTP]
LAST_4 = ["huggingface_hub==0.36.0", "tokenizers==0.22.1", "datasets==4.8.4", *HTTP]
FIRST_5 = ["huggingface_hub==1.17.0", "tokenizers==0.22.1", "datasets==4.8.4", *HTTP]
ONCE = "an older transformers beside the main one, imported anew"


@detect(found=False, versions=["transformers==4.38.2", *OLDEST], record_once=ONCE)
def asked_4_38() -> dict[str, Any]:
    """The last with top_k_top_p_filtering."""
    return ask()


@detect(found=False, versions=["transformers==4.39.0", *OLDEST], record_once=ONCE)
def asked_4_39() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=False, versions=["transformers==4.47.1", *OLD], record_once=ONCE)
def asked_4_47() -> dict[str, Any]:
    """The last with LLAMA_ATTENTION_CLASSES."""
    return ask()


@detect(found=False, versions=["transformers==4.48.0", *OLD], record_once=ONCE)
def asked_4_48() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=False, versions=["transformers==4.49.0", *OLD], record_once=ONCE)
def asked_4_49() -> dict[str, Any]:
    """The last with AdamW."""
    return ask()


@detect(found=True, versions=["transformers==4.50.0", *OLD], record_once=ONCE)
def asked_4_50() -> dict[str, Any]:
    """The first without."""
    return ask()


@detect(found=True, versions=["transformers==4.51.0", *OLD], record_once=ONCE)
def asked_4_51() -> dict[str, Any]:
    """The first without is_torch_tpu_available."""
    return ask()


@detect(found=True, versions=["transformers==4.56.2", *LAST_4], record_once=ONCE)
def asked_4_56() -> dict[str, Any]:
    """The last with BeamSearchScorer."""
    return ask()


@detect(found=True, versions=["transformers==4.57.6", *LAST_4], record_once=ONCE)
def asked_4_57() -> dict[str, Any]:
    """The last of the 4 series."""
    return ask()


@detect(found=True, versions=["transformers==5.0.0", *FIRST_5], record_once=ONCE)
def asked_5_0() -> dict[str, Any]:
    """The first of the 5 series."""
    return ask()


@detect(found=True)
def asked_today() -> dict[str, Any]:
    """Today's."""
    return ask()


@reproduce(versions=["transformers==4.50.0", *OLD], record_once=ONCE)
def old_import_on_4_50() -> dict[str, Any]:
    """The first release without AdamW."""
    return train("transformers")


@non_fix("upgrade", control="old-import-on-4-50")
def upgraded() -> dict[str, Any]:
    """A newer release, and the same script."""
    return train("transformers")


@fix(
    "release-of-the-code",
    control="old-import-on-4-50",
    versions=["transformers==4.49.0", *OLD],
    record_once=ONCE,
)
def old_import_on_4_49() -> dict[str, Any]:
    """The last release with it."""
    return train("transformers")


@fix(
    "release-of-the-code",
    control="remote-code",
    versions=["transformers==4.57.6", *LAST_4],
    record_once=ONCE,
)
def remote_code_on_4_57() -> dict[str, Any]:
    """The last release with is_torch_fx_available."""
    return loaded()


@reproduce(versions=["transformers==4.56.2", *LAST_4], record_once=ONCE)
def newer_class_on_4_56() -> dict[str, Any]:
    """The other way round: a class that is newer than the release."""
    return {"name": imported("Qwen3VLForConditionalGeneration").__name__}


@fix("newer-release", control="newer-class-on-4-56")
def newer_class_today() -> dict[str, Any]:
    """A release that has it."""
    return {"name": imported("Qwen3VLForConditionalGeneration").__name__}
