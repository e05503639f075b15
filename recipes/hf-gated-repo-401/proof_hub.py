"""What is asked of a stand-in for the Hub, with which token."""

from __future__ import annotations

import os
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

from failure import gate, load
from huggingface_hub import constants
from huggingface_hub.utils import HfHubHTTPError
from transformers import LlamaConfig

from fixbook.recipe import measure, snippet, snippet_text
from fixbook.recipe.helpers import local_hub


def in_a_shell(name: str) -> None:
    """Take over what a command of the page makes of the token's variable."""
    command = f"{snippet_text(name)}\nprintenv HF_TOKEN || true"
    done = subprocess.run(["bash", "-c", command], check=True, capture_output=True, text=True)
    os.environ.pop("HF_TOKEN", None)
    if said := done.stdout.strip():
        os.environ["HF_TOKEN"] = said


def ask(repo: str) -> dict[str, Any]:
    """Return what the check of the page says."""
    try:
        snippet("why", repo=repo)
    except HfHubHTTPError as error:
        return {"found": True, "reason": f"{error.response.status_code}: {error.server_message}"}
    return {"found": False, "reason": ""}


def reason(token: str) -> dict[str, Any]:
    """Run the check of the page alone."""
    Path("files").mkdir()
    if token:
        os.environ["HF_TOKEN"] = token
    door = partial(gate, files=Path("files").resolve(), members={"hf_granted"})
    with local_hub({"team/gated": door}):
        return ask("team/gated")


def attempt(
    token: str = "",
    *,
    granted: str = "hf_granted",
    stored: str = "",
    command: str = "",
    other_name: str = "",
    repo: str = "team/gated",
) -> dict[str, Any]:
    """Load the configuration; ``token`` is in the environment, ``stored`` where a login puts it."""
    files = Path("files").resolve()
    LlamaConfig(hidden_size=64).save_pretrained(files)
    if token:
        os.environ["HF_TOKEN"] = token
    if other_name:
        os.environ["HUGGINGFACE_TOKEN"] = other_name
    if stored:
        Path(constants.HF_TOKEN_PATH).parent.mkdir(parents=True, exist_ok=True)
        Path(constants.HF_TOKEN_PATH).write_text(stored)
    if command:
        in_a_shell(command)
    measure(stored=stored, set=sorted(one for one in os.environ if one.endswith("_TOKEN")))
    with local_hub({"team/gated": partial(gate, files=files, members={granted, "hf_newer"})}):
        measure(**ask(repo))
        return {"hidden_size": load(repo)}
