"""A script for an older huggingface_hub: it downloads a file, and asks for a token."""

from pathlib import Path


def imported(name: str, source: str = "huggingface_hub") -> object:
    """Import a name as a script does."""
    names: dict[str, object] = {}
    exec(f"from {source} import {name}", names)  # noqa: S102
    return names[name]


def download(repo: str) -> str:
    """Download a file as scripts of 2023 do; return what is in it."""
    cached_download, hf_hub_url = imported("cached_download"), imported("hf_hub_url")
    return Path(cached_download(hf_hub_url(repo, "config.json"))).read_text()  # type: ignore[operator]


def token() -> str:
    """Ask for the token as scripts of 2025 do."""
    return str(imported("HfFolder").get_token())  # type: ignore[attr-defined]
