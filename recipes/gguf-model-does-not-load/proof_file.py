"""Files that are whole, cut, or something else; a download; and what the page says of a file."""

from __future__ import annotations

import ctypes
import hashlib
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from failure import SIZE, load, write

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import local_hub

FILE = Path("model.gguf")
NAME = "MODEL-Q4_K_M.gguf"
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:4665a5ea\nsize 4920739232\n"
PAGE = "<!doctype html>\n<html><head><title>model.gguf</title></head></html>\n"


def make(state: str, **changes: str) -> str:
    """Write the file, whole or in the state that a download left it in."""
    path = str(FILE)
    write(path, **changes)
    whole = FILE.read_bytes()
    half = len(whole) // 2
    states = {
        "whole": whole,
        "half": whole[:half],
        "pointer": POINTER.encode(),
        "page": PAGE.encode(),
        "cut in the header": whole[:300],
        "hole": whole[:half] + bytes(len(whole) - half),
    }
    FILE.write_bytes(states[state])
    return path


def started(path: str) -> dict[str, bool]:
    """Load a file, and wait for llama.cpp's log: a thread of its own writes that, maybe later."""
    try:
        return load(path)
    finally:
        import xllamacpp.xllamacpp as built  # type: ignore[import-not-found]

        with suppress(AttributeError, OSError):  # another compiler may name them otherwise
            library = ctypes.CDLL(built.__file__)
            log = library["_Z15common_log_mainv"]
            log.restype = ctypes.c_void_p
            library["_Z16common_log_pauseP10common_log"](ctypes.c_void_p(log()))


def adapter(path: str) -> None:
    """Write what the conversion of a LoRA writes: two tensors, and no sizes of a model."""
    import gguf  # type: ignore[import-not-found]

    file: Any = gguf.GGUFWriter(path, "llama")
    file.add_type("adapter")
    for name, shape in (("lora_a", (4, SIZE)), ("lora_b", (SIZE, 4))):
        file.add_tensor(f"blk.0.attn_q.weight.{name}", np.ones(shape, dtype=np.float32))
    file.write_header_to_file()
    file.write_kv_data_to_file()
    file.write_tensors_to_file()
    file.close()


def adapter_alone() -> dict[str, Any]:
    """Load an adapter as if it were a model."""
    adapter(str(FILE))
    measure(said=said_of(str(FILE)))
    return started(str(FILE))


def attempt(state: str = "whole", *, fetch: bool = False, **changes: str) -> dict[str, Any]:
    """Load the file in this state; ``fetch``: after the page's lines have fetched it again."""
    measure(release=version("xllamacpp"))
    path = make(state, **changes)
    if fetch:
        path = fetched(Path(path).read_bytes(), **changes)
    said = said_of(path)
    measure(said=said, found=not said.startswith("whole"))
    return started(path)


def fetched(damaged: bytes, **changes: str) -> str:
    """Publish the whole file, and run the page's lines."""
    published = Path("published")
    published.mkdir()
    sound = Path(make("whole", **changes)).rename(published / NAME).read_bytes()
    with local_hub({"ORG/MODEL-GGUF": published}):
        path = str(snippet("fetch")["path"])
    content = Path(path).read_bytes()
    measure(same=content == damaged, whole=content == sound)
    return path


def digest(path: str) -> str:
    """Return what sha256sum prints."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def said_of(path: str) -> str:
    """Say what the page says of a file."""
    return str(snippet("look", path=path)["look"](path))


def look(state: str, **changes: str) -> dict[str, Any]:
    """Say whether the file is another thing than a GGUF file, or not all of one."""
    said = said_of(make(state, **changes))
    return {"found": not said.startswith("whole"), "said": said}


def hole() -> dict[str, Any]:
    """Load a file of full size that was written by half."""
    write(str(FILE))
    sound = digest(str(FILE))
    path = make("hole")
    return {"found": digest(path) != sound, "said": said_of(path), **started(path)}
