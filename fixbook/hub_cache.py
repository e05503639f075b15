"""Where huggingface_hub keeps what it has downloaded; nothing is fetched."""

from __future__ import annotations

import os
from pathlib import Path


def hub_home() -> Path:
    """Return the folder of Hugging Face's libraries."""
    caches = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(os.environ.get("HF_HOME") or Path(caches, "huggingface")).expanduser()


def hub_cache() -> Path:
    """Return the cache of the Hub, as ``huggingface_hub`` finds it."""
    named = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE")
    return Path(named).expanduser() if named else hub_home() / "hub"


def cached_model(name: str) -> Path:
    """Return the folder of a model in the cache, whether it is there or not.

    Args:
        name: As the Hub has it, such as ``Qwen/Qwen3-8B``.
    """
    return hub_cache() / f"models--{name.strip('/').replace('/', '--')}"


def main_snapshot(model: Path) -> Path | None:
    """Return the snapshot of a cached model that its branch ``main`` stands at; None without one.

    Args:
        model: As `cached_model` returns it.

    Raises:
        OSError: What names it cannot be read.
    """
    main = model / "refs/main"
    return model / "snapshots" / main.read_text("utf-8").strip() if main.is_file() else None
