"""torch looks for a CUDA toolkit as its extension module is imported, if it was built for CUDA."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "setuptools==84.2.1", "deepspeed==0.19.8"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from failure import build, deepspeed_asks, extension
from proof_machine import looked, machine, toolkit

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce

if TYPE_CHECKING:
    from collections.abc import Callable


def run(
    *,
    cuda_build: bool = False,
    before: str | None = None,
    late: bool = False,
    path: bool = False,
    nvcc: bool = True,
    call: Callable[[], Any] = extension,
) -> dict[str, Any]:
    """Set up the machine, then describe the extension.

    ``before`` is what stands before the toolkit in CUDA_HOME; None leaves the variable alone.
    """
    machine(cuda_build=cuda_build)
    if late:
        importlib.import_module("torch.utils.cpp_extension")
    if before is not None or late:
        os.environ["CUDA_HOME"] = (before or "") + toolkit(nvcc=nvcc)
    if path:
        os.environ["PATH"] = toolkit() + "/bin:" + os.environ["PATH"]
    looks = importlib.import_module("torch.utils.cpp_extension")
    seen = {"would_find": looks._find_cuda_home(), "taken": looks.CUDA_HOME}
    measure(**{name: Path(folder or "nothing").name for name, folder in seen.items()})
    answer = call()
    if isinstance(answer, tuple):  # DeepSpeed's
        return {"version": ".".join(map(str, answer))}
    return {"includes": f"{looks.CUDA_HOME}/include" in answer.include_dirs}


@reproduce()
def a_cpu_build() -> Any:
    """Nothing is set, and torch is a build for the CPU."""
    return run()


@reproduce()
def no_toolkit() -> Any:
    """A CUDA build, which brings what is needed to run but no compiler."""
    return run(cuda_build=True)


@reproduce(needs=["deepspeed"])
def deepspeed_without_a_toolkit() -> Any:
    """DeepSpeed's words."""
    return run(call=deepspeed_asks)


@reproduce(needs=["deepspeed"])
def deepspeed_in_a_folder_without_nvcc() -> Any:
    """DeepSpeed runs what is not there."""
    return run(cuda_build=True, before="", nvcc=False, call=deepspeed_asks)


@reproduce(needs=["deepspeed"])
def deepspeed_after_a_colon() -> Any:
    """The toolkit is there, behind a colon."""
    return run(cuda_build=True, before=":", call=deepspeed_asks)


@fix("toolkit", control="deepspeed-in-a-folder-without-nvcc", needs=["deepspeed"])
def deepspeed_in_the_toolkit() -> Any:
    """The variable leads to the toolkit and nowhere else."""
    return run(cuda_build=True, before="", call=deepspeed_asks)


@reproduce()
def a_toolkit_without_nvcc() -> Any:
    """A folder with libraries only; the next thing that fails is nvcc."""
    return run(cuda_build=True, before="", nvcc=False, call=build)


@fix("toolkit", control="no-toolkit")
def variable_set() -> Any:
    """The variable is there before torch is imported."""
    return run(cuda_build=True, before="")


@non_fix("set-it", control="a-cpu-build")
def set_with_a_cpu_build() -> Any:
    """The variable leads to a toolkit, and nobody looks."""
    return run(before="")


@reproduce()
def nvcc_and_a_cpu_build() -> Any:
    """A compiler is on the PATH, and nobody looks there either."""
    return run(path=True)


@fix("cuda-build", control="nvcc-and-a-cpu-build")
def nvcc_and_a_cuda_build() -> Any:
    """The same machine, and a build that looks: the folder above that of nvcc."""
    return run(path=True, cuda_build=True)


@reproduce()
def set_in_the_script() -> Any:
    """Set when the module has looked already."""
    return run(cuda_build=True, late=True)


@detect(found=True)
def looked_at_a_cpu_build() -> Any:
    """Not built for CUDA."""
    return looked(cuda_build=False, before="")


@detect(found=True)
def looked_without_a_toolkit() -> Any:
    """Built for CUDA, and no toolkit."""
    return looked(cuda_build=True)


@detect(found=True)
def looked_after_a_colon() -> Any:
    """Built for CUDA, and the variable begins with a colon."""
    return looked(cuda_build=True, before=":")


@detect(found=False, control="looked-without-a-toolkit")
def looked_with_a_toolkit() -> Any:
    """Both."""
    return looked(cuda_build=True, before="")


if __name__ == "__main__":
    main(__file__)
