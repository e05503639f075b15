"""Load a checkpoint whose tensors were saved on a GPU that this machine does not have."""

import struct
import zipfile
from typing import Any

import torch

PATH = "checkpoint.pt"


def write(device: str) -> None:
    """Save a checkpoint, and write into it the device that its tensors were on."""
    torch.save({"weight": torch.ones(4)}, "here.pt")
    old, new = (b"X" + struct.pack("<I", len(tag)) + tag for tag in (b"cpu", device.encode()))
    with zipfile.ZipFile("here.pt") as read, zipfile.ZipFile(PATH, "w") as written:
        for name in read.namelist():
            content = read.read(name)
            if name.endswith("data.pkl"):
                content = content.replace(old, new)
            written.writestr(name, content)


def load(**options: Any) -> dict[str, Any]:
    """Load it; say where the tensors are."""
    weights = torch.load(PATH, **options)
    return {"device": str(weights["weight"].device), "sum": float(weights["weight"].sum())}
