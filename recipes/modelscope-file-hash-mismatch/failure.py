"""A model that the client of ModelScope downloads."""

from __future__ import annotations

from pathlib import Path

from modelscope import snapshot_download


def download() -> dict[str, int]:
    """Download it; return how large the file is that is there then."""
    folder = Path(snapshot_download("team/model"))
    return {"size": (folder / "model.bin").stat().st_size}
