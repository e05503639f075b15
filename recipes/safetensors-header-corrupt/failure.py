"""One file of weights, whole and in the states that downloads leave it in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save

FILE = Path("model.safetensors")
WHOLE = save({"head": torch.ones(64, 32), "tail": torch.ones(64, 32)})
CUT = 8 + 40  # within the header
STATES = {
    "whole": WHOLE,
    "pointer": b"version https://git-lfs.github.com/spec/v1\n"
    b"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 16544\n",
    "page": b"<!doctype html>\n<html><head><title>model.safetensors</title></head></html>\n",
    "last byte missing": WHOLE[:-1],
    "bytes after the end": WHOLE + b"\n",
    "cut in the header": WHOLE[:CUT],
    "empty": b"",
    "all zeros": bytes(len(WHOLE)),
    "zeros": WHOLE[: len(WHOLE) // 2] + bytes(len(WHOLE) - len(WHOLE) // 2),
}


def write(state: str) -> Path:
    """Write the file in one of its states."""
    if state == "by torch":
        torch.save({"head": torch.ones(64, 32)}, FILE)
    else:
        FILE.write_bytes(STATES[state])
    return FILE


def write_header(dtype: str, length: int = 0) -> Path:
    """Write a whole file of four values of one byte, of any dtype, with a header of any length."""
    header = b'{"scale":{"dtype":"%s","shape":[4],"data_offsets":[0,4]}}' % dtype.encode()
    header = header.ljust(length)
    FILE.write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    return FILE


def load(path: Path) -> dict[str, Any]:
    """Load the file as a model would be loaded."""
    return load_file(path)
