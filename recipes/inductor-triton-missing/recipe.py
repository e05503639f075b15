"""torch.compile for a GPU finds no Triton that can be imported, or a GPU that is too old for it."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "triton==3.7.1"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import proof_gpu  # isort: skip  (before torch)

from fixbook.recipe import detect, fix, main, measure, reproduce, snippet

ONCE = "torch's build for CUDA is a download of half a gigabyte, and so is a Triton"
CUDA = ["torch==2.11.0", "nvidia-cuda-runtime==13.0.96"]
COLD: dict[str, Any] = {"import_first": "proof_gpu", "start": "cold", "record_once": ONCE}
HOPPER: dict[str, Any] = COLD | {"env": {"STAND_IN_GPU": "9"}, "versions": CUDA}
PASCAL: dict[str, Any] = COLD | {"env": {"STAND_IN_GPU": "6"}, "versions": CUDA}
WITH_TRITON: dict[str, Any] = HOPPER | {"versions": [*CUDA, "triton==3.6.0"]}
OLD_TRITON: dict[str, Any] = HOPPER | {"versions": [*CUDA, "triton==2.3.1"]}
OFF: dict[str, Any] = {"env": {"STAND_IN_GPU": "9", "TORCH_COMPILE_DISABLE": "1"}}
OFF_ON_PASCAL: dict[str, Any] = {"env": {"STAND_IN_GPU": "6", "TORCH_COMPILE_DISABLE": "1"}}


def triton(state: str) -> None:
    """Take Triton away from this process, or its compiled part."""
    if state == "missing":
        sys.modules["triton"] = None  # type: ignore[assignment]
    if state == "broken":
        from importlib.util import find_spec

        whole = Path(str(find_spec("triton").origin)).parent  # type: ignore[union-attr]
        broken = Path("broken", "triton")
        broken.mkdir(parents=True)
        for part in whole.iterdir():
            if part.name != "_C":
                (broken / part.name).symlink_to(part)
        sys.path.insert(0, str(broken.parent.absolute()))
        for name in [one for one in sys.modules if one.partition(".")[0] == "triton"]:
            del sys.modules[name]


def run(*, state: str = "installed", suppress: bool = False) -> dict[str, Any]:
    """Compile a function for the GPU, and count what Triton has made of it."""
    triton(state)
    for name in ("TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR"):
        os.environ[name] = str(Path("cache").absolute())
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    from failure import train

    if suppress:
        from torch._dynamo import config

        config.suppress_errors = True
    device = train()
    binaries = len(list(Path("cache").rglob("*.cubin")))
    return {"device": device, "binaries": binaries, "launches": proof_gpu.launches()}


def ask(state: str) -> dict[str, Any]:
    """Run the page's check."""
    triton(state)
    names = snippet("look")
    wanted = [one.partition(";")[0] for one in names["wanted"] if "triton" in one]
    failed = isinstance(names["seen"], ImportError)
    measure(seen=str(names["seen"]) if failed else Path(names["seen"]).parent.name, wanted=wanted)
    return {"found": failed}


@reproduce(**WITH_TRITON)
def no_triton() -> dict[str, Any]:
    """Triton is not installed."""
    return run(state="missing")


@reproduce(**WITH_TRITON)
def broken_triton() -> dict[str, Any]:
    """It is installed without its compiled part."""
    return run(state="broken")


@reproduce(**OLD_TRITON)
def old_triton() -> dict[str, Any]:
    """A Triton that is too old for torch 2.11."""
    return run()


@reproduce(**PASCAL)
def old_gpu() -> dict[str, Any]:
    """A GPU of compute capability 6."""
    return run()


@fix("install", control="no-triton", **WITH_TRITON)
def installed() -> dict[str, Any]:
    """The Triton that torch 2.11.0 asks for."""
    return run()


@fix("install", control="broken-triton", **WITH_TRITON)
def installed_whole() -> dict[str, Any]:
    """The same with all its parts."""
    return run()


@fix("install", control="old-triton", **WITH_TRITON)
def installed_anew() -> dict[str, Any]:
    """The same instead of the old one."""
    return run()


@fix("off", control="no-triton", **WITH_TRITON | OFF)
def switched_off() -> dict[str, Any]:
    """torch.compile compiles nothing."""
    return run(state="missing")


@fix("off", control="old-gpu", **PASCAL | OFF_ON_PASCAL)
def switched_off_on_the_old_gpu() -> dict[str, Any]:
    """Nothing is compiled there either."""
    return run()


@detect(found=True, **WITH_TRITON)
def suppressed_without_triton() -> dict[str, Any]:
    """No error, and nothing compiled."""
    seen = run(state="missing", suppress=True)
    return {"found": seen["launches"] == 0, **seen}


@detect(found=False, control="suppressed-without-triton", **WITH_TRITON)
def suppressed_with_triton() -> dict[str, Any]:
    """No error, and a kernel."""
    seen = run(suppress=True)
    return {"found": seen["launches"] == 0, **seen}


@detect(found=True, needs=["triton"])
def looks_without_triton() -> dict[str, Any]:
    """There is none."""
    return ask("missing")


@detect(found=True, needs=["triton"])
def looks_at_a_broken_one() -> dict[str, Any]:
    """It cannot be imported."""
    return ask("broken")


@detect(found=False, control="looks-without-triton", needs=["triton"])
def looks_at_a_whole_one() -> dict[str, Any]:
    """It can."""
    return ask("installed")


@detect(found=False, control="looks-without-triton", **WITH_TRITON)
def looks_at_torch_for_cuda() -> dict[str, Any]:
    """It can, and torch names the release that it asks for."""
    return ask("installed")


if __name__ == "__main__":
    main(__file__)
