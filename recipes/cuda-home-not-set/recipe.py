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

from failure import build, deepspeed_asks, extension, import_deepspeed
from proof_machine import (
    behind_a_colon,
    from_pip,
    installed,
    looked,
    machine,
    read,
    toolkit,
    without_nvcc,
)

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce, run_snippet

if TYPE_CHECKING:
    from collections.abc import Callable

FROM_PIP = [
    "cuda-toolkit==13.0.2",
    "nvidia-cuda-nvcc==13.0.88",
    "nvidia-nvvm==13.0.88",
    "nvidia-cuda-crt==13.0.88",
    "nvidia-cuda-cccl==13.0.85",
    "nvidia-cuda-runtime==13.0.96",
]
OLD = ["deepspeed==0.19.4"]
NEW = ["deepspeed==0.19.5"]
ONCE = "another DeepSpeed, imported anew"
DOWNLOAD = "CUDA's compiler from PyPI, 270 MB"


def run(
    *,
    cuda_build: bool = False,
    home: Callable[[], str] | None = None,
    late: bool = False,
    path: bool = False,
    call: Callable[[], Any] = extension,
) -> dict[str, Any]:
    """Set up the machine, then describe the extension.

    ``home`` returns what CUDA_HOME is set to, ``late``: when torch has looked already.
    """
    machine(cuda_build=cuda_build)
    if late:
        importlib.import_module("torch.utils.cpp_extension")
    if home:
        os.environ["CUDA_HOME"] = home()
    if path:
        os.environ["PATH"] = toolkit() + "/bin:" + os.environ["PATH"]
    looks = importlib.import_module("torch.utils.cpp_extension")
    seen = {"would_find": looks._find_cuda_home(), "taken": looks.CUDA_HOME}
    measure(**{name: Path(folder or "nothing").name for name, folder in seen.items()})
    answer = call()
    if isinstance(answer, tuple):  # DeepSpeed's
        return {"version": ".".join(map(str, answer))}
    return {"found": read()["found"], "libraries": len(list(Path("build").rglob("kernel*.so")))}


def imported(page: str = "") -> dict[str, Any]:
    """Import DeepSpeed where torch sees a GPU and there is no toolkit; ``page``: follow it."""
    machine(cuda_build=True, gpu=True)
    if page:
        run_snippet(page)
    return {"version": import_deepspeed()}


@reproduce()
def no_toolkit() -> Any:
    """A CUDA build, which brings what is needed to run but no compiler."""
    return run(cuda_build=True)


@reproduce()
def a_cpu_build() -> Any:
    """Nothing is set, and torch is a build for the CPU."""
    return run()


@reproduce()
def a_toolkit_without_nvcc() -> Any:
    """A folder with libraries only; the next thing that fails is nvcc."""
    return run(cuda_build=True, home=without_nvcc, call=build)


@reproduce()
def set_in_the_script() -> Any:
    """Set when the module has looked already."""
    return run(cuda_build=True, home=toolkit, late=True)


@reproduce(needs=["deepspeed"], versions=OLD, record_once=ONCE)
def deepspeed_imported() -> Any:
    """Nothing is to be compiled, and the import asks for the toolkit."""
    return imported()


@reproduce(needs=["deepspeed"])
def deepspeed_after_a_colon() -> Any:
    """The toolkit is there, behind a colon."""
    return run(cuda_build=True, home=behind_a_colon, call=deepspeed_asks)


@detect(found=True)
def looked_at_a_cpu_build() -> Any:
    """Not built for CUDA."""
    return looked(cuda_build=False, home=toolkit)


@detect(found=True)
def looked_without_a_toolkit() -> Any:
    """Built for CUDA, and no toolkit."""
    return looked(cuda_build=True)


@detect(found=True)
def looked_after_a_colon() -> Any:
    """Built for CUDA, and the variable begins with a colon."""
    return looked(cuda_build=True, home=behind_a_colon)


@detect(found=False, control="looked-without-a-toolkit")
def looked_with_a_toolkit() -> Any:
    """Both."""
    return looked(cuda_build=True, home=toolkit)


@fix("installed", control="no-toolkit")
def variable_set() -> Any:
    """The variable is there before torch is imported."""
    return run(cuda_build=True, home=installed)


@fix("installed", control="deepspeed-after-a-colon", needs=["deepspeed"])
def deepspeed_in_the_toolkit() -> Any:
    """The variable leads to the toolkit and nowhere else."""
    return run(cuda_build=True, home=toolkit, call=deepspeed_asks)


@fix(
    "from-pip",
    control="a-toolkit-without-nvcc",
    versions=FROM_PIP,
    programs=["gcc", "g++"],
    record_once=DOWNLOAD,
)
def compiler_from_pip() -> Any:
    """NVIDIA's packages from PyPI, with which the kernel is compiled."""
    return run(cuda_build=True, home=from_pip, call=build)


@reproduce()
def nvcc_and_a_cpu_build() -> Any:
    """A compiler is on the PATH, and nobody looks there either."""
    return run(path=True)


@fix("cuda-build", control="nvcc-and-a-cpu-build")
def nvcc_and_a_cuda_build() -> Any:
    """The same machine, and a build that looks: the folder above that of nvcc."""
    return run(path=True, cuda_build=True)


@fix("newer-deepspeed", control="deepspeed-imported", needs=["deepspeed"], record_once=ONCE)
def newer_deepspeed_imported() -> Any:
    """The release of this environment, which looks at no operator while it is imported."""
    return imported("newer-deepspeed")


@fix(
    "newer-deepspeed",
    control="deepspeed-imported",
    needs=["deepspeed"],
    versions=NEW,
    record_once=ONCE,
)
def first_newer_imported() -> Any:
    """The first release that warns instead."""
    return imported()


@non_fix("set-it", control="a-cpu-build")
def set_with_a_cpu_build() -> Any:
    """The variable leads to a toolkit, and nobody looks."""
    return run(home=toolkit)


if __name__ == "__main__":
    main(__file__)
