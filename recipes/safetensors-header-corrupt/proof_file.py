"""What a file says of itself, and what is not said by a file of full size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import safetensors
import torch
from failure import FILE, load, write, write_header
from safetensors.torch import save

from fixbook.recipe import measure, snippet

if TYPE_CHECKING:
    from pathlib import Path


def attempt(state: str, *, cut: bool = False) -> dict[str, Any]:
    """Load the file, and count what came; ``cut``: after the page's lines have cut it."""
    measure(version=safetensors.__version__)
    path = write(state)
    if cut:
        snippet("cut", path=path)
    seen = {"said": said_of(path), "size": path.stat().st_size}
    return seen | {"sum": sum(float(tensor.sum()) for tensor in load(path).values())}


def said_of(path: Path) -> str:
    """Say what the page says of a file."""
    return str(snippet("look", folder=path.parent)["look"](path))


def usual() -> dict[str, Any]:
    """Put the page's question to sound files of many kinds."""
    kinds = (torch.bfloat16, torch.float8_e4m3fn, torch.int64, torch.bool)
    files = [{"weight": torch.ones(4, 4).to(kind)} for kind in kinds]
    files += [{}, {"none": torch.ones(0, 4)}, {"one": torch.tensor(1.0)}]
    said = []
    for number, tensors in enumerate(files):
        FILE.write_bytes(save(tensors, {"format": "pt"} if number % 2 else None))
        said.append(said_of(FILE))
    return {"found": set(said) != {"whole"}, "files": len(files)}


def look(state: str) -> dict[str, Any]:
    """Say what the page says of the file."""
    path = write(state)
    said = said_of(path)
    return {"found": not said.startswith("whole"), "said": said}


def unwritten(state: str) -> dict[str, Any]:
    """Load the file, and list what the page lists of it."""
    total = sum(float(tensor.sum()) for tensor in load(write(state)).values())
    zeros = snippet("zeros", path=write(state))["zeros"]
    return {"found": bool(zeros), "zeros": zeros, "sum": total}


def sound(dtype: str, length: int = 0) -> dict[str, Any]:
    """See whether a whole file is refused for its dtype, or for the length of its header."""
    path = write_header(dtype, length)
    whole = said_of(path) == "whole"
    measure(length=length)
    try:
        with safetensors.safe_open(path, "pt") as file:
            return {"found": False, "whole": whole, "names": list(file.keys())}
    except Exception as error:  # noqa: BLE001 - its class has moved between releases
        return {"found": True, "whole": whole, "error": str(error)}
