"""A configuration is loaded from a gated repository, with one token or another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transformers import AutoConfig

if TYPE_CHECKING:
    from pathlib import Path

Refusal = tuple[int, dict[str, str], bytes]

RESTRICTED = "Access to model team/gated is restricted"
NO_TOKEN = (
    f"{RESTRICTED}. You must have access to it and be authenticated to access it. Please log in."
)
NOT_YET = (
    f"{RESTRICTED} and you are not in the authorized list."
    " Visit https://huggingface.co/team/gated to ask for access."
)
NO_PERMISSION = (
    "Please enable access to public gated repositories"
    " in your fine-grained token settings to view this repository."
)


REFUSALS: dict[str, Refusal] = {
    "": (401, {"X-Error-Code": "GatedRepo", "X-Error-Message": NO_TOKEN}, b""),
    "hf_waiting": (403, {"X-Error-Code": "GatedRepo", "X-Error-Message": NOT_YET}, b""),
    "hf_fine_grained": (403, {"X-Error-Message": NO_PERMISSION}, b""),
}
NOT_VALID: Refusal = (401, {"X-Error-Message": "Invalid credentials in Authorization header"}, b"")


def gate(token: str, files: Path, members: set[str]) -> Path | Refusal:
    """Answer as the Hub does: who asks decides."""
    return files if token in members else REFUSALS.get(token, NOT_VALID)


def load(repo: str) -> int:
    """Load it as every script does."""
    return int(AutoConfig.from_pretrained(repo).hidden_size)
