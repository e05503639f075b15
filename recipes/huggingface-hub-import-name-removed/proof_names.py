"""Which names the installed huggingface_hub has, asked by importing them."""

from __future__ import annotations

import importlib
import importlib.util
import os
from importlib.metadata import version
from pathlib import Path
from typing import Any

import failure
from failure import imported

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers.local_hub import local_hub

# Old names first, then the new ones; one without a module is of huggingface_hub itself.
NAMES = (
    "ModelFilter",
    "DatasetFilter",
    "huggingface_hub.utils._errors.RepositoryNotFoundError",
    "cached_download",
    "huggingface_hub.utils._token.get_token",
    "HfFolder",
    "Repository",
    "InferenceApi",
    "configure_http_backend",
    "huggingface_hub.constants.hf_cache_home",
    "push_to_hub_keras",
    "hf_hub_download",
    "get_token",
    "HfApi",
    "huggingface_hub.errors.RepositoryNotFoundError",
    "set_client_factory",
    "huggingface_hub.constants.HF_HOME",
    "is_offline_mode",
)
OLD = "from huggingface_hub import cached_download, hf_hub_url\n"
NEW = "from huggingface_hub import hf_hub_download, hf_hub_url\n"
GUARDED = f"try:\n    {OLD}except ImportError:\n    {NEW}"
REPO = "team/model"
TOKEN = "hf_" + "x" * 34


def does(name: str) -> str:
    """Tell whether the installed release has a name there."""
    source, _, bare = name.rpartition(".")
    try:
        imported(bare, source or "huggingface_hub")
    except ImportError as error:
        if not str(error).startswith(("cannot import name", f"No module named '{source}'")):
            raise
        return "refuses"
    return "takes"


def ask() -> dict[str, Any]:
    """Ask the installed release for every name, and the page's check about a script."""
    rows = [{"name": name, "does": does(name)} for name in NAMES]
    return {"names": rows, **checked(OLD)}


def checked(script: str) -> dict[str, Any]:
    """Ask the page's check about a script."""
    Path("train.py").write_text(script)
    missing = snippet("missing")["missing"]("train.py")
    return {"found": bool(missing), "missing": ", ".join(missing)}


def checked_library() -> dict[str, Any]:
    """Ask the page's check about a file of the installed diffusers."""
    measure(diffusers=version("diffusers"))
    spec = importlib.util.find_spec("diffusers")
    assert spec
    assert spec.origin
    file = Path(spec.origin).with_name("utils") / "dynamic_modules_utils.py"
    Path("train.py").write_text(file.read_text())
    return {"found": bool(snippet("missing")["missing"]("train.py"))}


def fetched(*, new: bool = False, beside: str = "") -> dict[str, Any]:
    """Download a file from a Hub of this machine, by the old name or by the page's lines."""
    measure(huggingface_hub=version("huggingface_hub"))
    Path("served").mkdir()
    Path("served/config.json").write_text('{"model_type": "llama"}')
    if beside:
        importlib.import_module(beside)
    with local_hub({REPO: Path("served")}):
        if new:
            text = Path(snippet("new")["path"]).read_text()
            script = checked(NEW)
            return {"text": text, "found": script["found"]}
        return {"text": failure.download(REPO)}


def asked_for_token(*, new: bool = False) -> dict[str, Any]:
    """Ask for the token, by the old name or by the page's line."""
    measure(huggingface_hub=version("huggingface_hub"))
    os.environ["HF_TOKEN"] = TOKEN
    got = snippet("token")["token"] if new else failure.token()
    return {"same": got == TOKEN}


def diffusers() -> dict[str, Any]:
    """Import a class of the installed diffusers, and use it."""
    measure(huggingface_hub=version("huggingface_hub"), diffusers=version("diffusers"))
    scheduler: Any = imported("DDPMScheduler", "diffusers")
    steps = int(scheduler(num_train_timesteps=7).config.num_train_timesteps)
    return {"steps": steps} | checked_library()


def transformers() -> dict[str, Any]:
    """Import a class of transformers."""
    measure(huggingface_hub=version("huggingface_hub"))
    model: Any = imported("LlamaModel", "transformers")
    return {"name": model.__name__}
