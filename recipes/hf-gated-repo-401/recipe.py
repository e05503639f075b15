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

from typing import Any

from proof_adapter import adapter, save
from proof_hub import attempt, reason

from fixbook.recipe import detect, fix, main, non_fix, reproduce

ONLINE = {"HF_ENDPOINT": "http://hub.test", "HF_HUB_OFFLINE": "0"}
OLD = ["transformers==4.46.3", "tokenizers==0.20.3", "huggingface_hub==0.26.5"]
ONCE = "an older transformers beside the main one, imported anew"


@reproduce(env=ONLINE)
def no_token() -> dict[str, Any]:
    """Nobody in particular asks."""
    return attempt()


@fix("token", control="no-token", env=ONLINE)
def token_given() -> dict[str, Any]:
    """The token of somebody on the list."""
    return attempt(command="token")


@non_fix("other-name", control="no-token", env=ONLINE)
def token_under_another_name() -> dict[str, Any]:
    """A variable that huggingface_hub does not read."""
    return attempt(other_name="hf_granted")


@reproduce(env=ONLINE)
def gated_base_of_an_adapter() -> Any:
    """The repository that is refused is not the one that was asked for."""
    return {"loaded": adapter()}


@reproduce(env=ONLINE)
def no_access_yet() -> dict[str, Any]:
    """The token is right, and its owner is not on the list."""
    return attempt("hf_waiting")


@fix("ask", control="no-access-yet", env=ONLINE)
def access_granted() -> dict[str, Any]:
    """The same token, once its owner is on the list."""
    return attempt("hf_waiting", granted="hf_waiting")


@reproduce(env=ONLINE)
def no_permission() -> dict[str, Any]:
    """Its owner is on the list, and the token may not read gated repositories."""
    return attempt("hf_fine_grained")


@fix("permission", control="no-permission", env=ONLINE)
def permission_given() -> dict[str, Any]:
    """The same token, with the permission."""
    return attempt("hf_fine_grained", granted="hf_fine_grained")


@reproduce(env=ONLINE)
def expired_token() -> dict[str, Any]:
    """The variable holds a token that the Hub knows no more; a login has stored a good one."""
    return attempt("hf_expired", stored="hf_granted")


@fix("replace", control="expired-token", env=ONLINE)
def token_replaced() -> dict[str, Any]:
    """A good token in the variable."""
    return attempt("hf_granted", stored="hf_granted")


@non_fix("login-again", control="expired-token", env=ONLINE)
def logged_in_again() -> dict[str, Any]:
    """The login is new, and the variable is still the old one."""
    return attempt("hf_expired", stored="hf_newer")


@fix("replace", control="expired-token", env=ONLINE)
def variable_unset() -> dict[str, Any]:
    """What the login has stored is used."""
    return attempt("hf_expired", stored="hf_granted", command="unset")


@reproduce(env=ONLINE)
def private_or_misspelt() -> dict[str, Any]:
    """The Hub does not tell strangers which."""
    return attempt("hf_granted", repo="team/gatde")


@reproduce(versions=OLD, env=ONLINE, record_once=ONCE)
def expired_token_on_4_46() -> dict[str, Any]:
    """It speaks of the connection, which is fine."""
    return attempt("hf_expired")


@detect(found=True, env=ONLINE)
def asked_without_a_token() -> dict[str, Any]:
    """The check says why."""
    return reason("")


@detect(found=False, control="asked-without-a-token", env=ONLINE)
def asked_with_a_token() -> dict[str, Any]:
    """The check has nothing to say."""
    return reason("hf_granted")


@detect(found=True, env=ONLINE)
def saved_without_a_token() -> dict[str, Any]:
    """The new rows of the embedding are left out."""
    return save(token=False)


@detect(found=False, control="saved-without-a-token", env=ONLINE)
def saved_with_a_token() -> dict[str, Any]:
    """They are saved."""
    return save(token=True)


@detect(found=False, control="saved-without-a-token", env=ONLINE)
def saved_when_told_to() -> dict[str, Any]:
    """They are saved without asking."""
    return save(token=False, save_embedding_layers=True)


if __name__ == "__main__":
    main(__file__)
