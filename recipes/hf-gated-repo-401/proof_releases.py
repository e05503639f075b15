"""What an older release says of the same answers."""

from __future__ import annotations

from typing import Any

from recipe import attempt

from fixbook.recipe import reproduce

OLD = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]
ONLINE = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "0"}
ONCE = "an older transformers beside the main one, imported anew"


@reproduce(versions=OLD, env=ONLINE, record_once=ONCE)
def no_token_on_4_46() -> dict[str, Any]:
    """The same words."""
    return attempt()


@reproduce(versions=OLD, env=ONLINE, record_once=ONCE)
def expired_token_on_4_46() -> dict[str, Any]:
    """It speaks of the connection, which is fine."""
    return attempt("hf_expired")
