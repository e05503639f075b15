"""The Hub refuses a gated or private repository, and the status and sentence say why."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "huggingface_hub==2.4.0", "peft==0.21.2",
#     "safetensors==0.8.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any

from failure import gate, load
from huggingface_hub import constants
from transformers import LlamaConfig

from fixbook.recipe import fix, main, measure, non_fix, reproduce, snippet
from fixbook.recipe.helpers import local_hub

ONLINE = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "0"}


def attempt(
    token: str = "", *, granted: str = "hf_granted", stored: str = "", repo: str = "team/gated"
) -> dict[str, Any]:
    """Load the configuration; ``token`` is in the environment, ``stored`` where a login puts it."""
    files = Path("files").resolve()
    LlamaConfig(hidden_size=64).save_pretrained(files)
    if token:
        os.environ["HF_TOKEN"] = token
    if stored:
        Path(constants.HF_TOKEN_PATH).parent.mkdir(parents=True, exist_ok=True)
        Path(constants.HF_TOKEN_PATH).write_text(stored)
        measure(stored=Path(constants.HF_TOKEN_PATH).read_text())
    doors = {"team/gated": partial(gate, files=files, members={granted})}
    with local_hub(doors):
        reason = snippet("why")["why_refused"](repo)
        measure(reason=reason, found="access granted" not in reason)
        return {"hidden_size": load(repo)}


@reproduce(env=ONLINE)
def no_token() -> dict[str, Any]:
    """Nobody in particular asks."""
    return attempt()


@reproduce(env=ONLINE)
def no_access_yet() -> dict[str, Any]:
    """The token is right, and its owner is not on the list."""
    return attempt("hf_waiting")


@reproduce(env=ONLINE)
def no_permission() -> dict[str, Any]:
    """Its owner is on the list, and the token may not read gated repositories."""
    return attempt("hf_fine_grained")


@reproduce(env=ONLINE)
def expired_token() -> dict[str, Any]:
    """A token that the Hub knows no more."""
    return attempt("hf_expired")


@reproduce(env=ONLINE)
def private_or_misspelt() -> dict[str, Any]:
    """The Hub does not tell strangers which."""
    return attempt("hf_granted", repo="team/gatde")


@fix("token", control="no-token", env=ONLINE)
def token_given() -> dict[str, Any]:
    """The token of somebody on the list."""
    return attempt("hf_granted")


@fix("ask", control="no-access-yet", env=ONLINE)
def access_granted() -> dict[str, Any]:
    """The same token, once its owner is on the list."""
    return attempt("hf_waiting", granted="hf_waiting")


@fix("permission", control="no-permission", env=ONLINE)
def permission_given() -> dict[str, Any]:
    """The same token, with the permission."""
    return attempt("hf_fine_grained", granted="hf_fine_grained")


@fix("replace", control="expired-token", env=ONLINE)
def token_replaced() -> dict[str, Any]:
    """A token that is good takes its place."""
    return attempt("hf_granted")


@non_fix("login-again", control="expired-token", env=ONLINE)
def logged_in_again() -> dict[str, Any]:
    """The login is new, and the variable is still the old one."""
    return attempt("hf_expired", stored="hf_granted")


if __name__ == "__main__":
    main(__file__)
