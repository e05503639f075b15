"""Builds of torchvision beside the installed torch, and what the page says of each."""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from failure import NMS, text_model, use_torchvision

from fixbook.recipe import detect, fix, measure, non_fix, reproduce, snippet
from fixbook.recipe.helpers import private_mount

OTHER_RELEASE = ["torchvision==0.24.0"]
CUDA_BUILD = ["torchvision==0.28.0"]
ONCE = "torchvision beside the main environment"
COMPILES = "compiles an extension against the headers of torch"
REGISTRATIONS = ("_meta_registrations", "_autograd_registrations")
SOURCE = """
#include <ATen/core/Tensor.h>
#include <torch/library.h>
at::Tensor nms(const at::Tensor& boxes, const at::Tensor& scores, double most) {
  auto order = std::get<1>(scores.sort(0, true));
  auto box = boxes.accessor<float, 2>();
  auto rank = order.accessor<int64_t, 1>();
  std::vector<int64_t> kept;
  auto side = [](float low, float high) { return std::max(0.f, high - low); };
  for (int64_t i = 0; i < order.size(0); ++i) {
    auto a = box[rank[i]];
    bool covered = false;
    for (int64_t other : kept) {
      auto b = box[other];
      float both = side(std::max(a[0], b[0]), std::min(a[2], b[2]))
          * side(std::max(a[1], b[1]), std::min(a[3], b[3]));
      float all = side(a[0], a[2]) * side(a[1], a[3]) + side(b[0], b[2]) * side(b[1], b[3]) - both;
      covered |= both > most * all;
    }
    if (!covered) kept.push_back(rank[i]);
  }
  auto result = order.new_empty({int64_t(kept.size())});
  std::copy(kept.begin(), kept.end(), result.data_ptr<int64_t>());
  return result;
}
TORCH_LIBRARY(torchvision, library) {
  library.def("_cuda_version() -> int", [] { return int64_t(-1); });
OTHERS}
TORCH_LIBRARY_IMPL(torchvision, CPU, library) { library.impl("nms", nms); }
"""


def torchvision_folder() -> Path:
    """Return where torchvision is, without importing it."""
    found = find_spec("torchvision")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


def build_for_this_torch() -> None:
    """Cover torchvision by a copy whose library is compiled for this torch, with nms alone."""
    folder, copy = torchvision_folder(), Path("copied")
    shutil.copytree(folder, copy)
    python = "".join((copy / f"{name}.py").read_text() for name in REGISTRATIONS)
    registered = re.findall(
        r'(?:register_meta|register_fake|_autograd)\(\s*"(?:torchvision::)?(\w+)"', python
    )
    schemas = [
        NMS,
        *(f"{name}(Tensor input) -> Tensor" for name in sorted(set(registered) - {"nms"})),
    ]
    others = "".join(f'  library.def("{schema}");\n' for schema in schemas)
    Path("build.cpp").write_text(SOURCE.replace("OTHERS", others))
    home = Path(torch.__file__).parent
    flags = [f"-I{home / 'include'}", f"-L{home / 'lib'}", "-lc10", "-ltorch_cpu"]
    command = ["g++", "-shared", "-fPIC", "-std=c++20", "build.cpp", *flags]
    subprocess.run([*command, "-o", str(copy / "_C.so")], check=True)
    private_mount(64 << 20, folder)
    shutil.copytree(copy, folder, dirs_exist_ok=True)


def run(*, rebuilt: bool = False, once_before: bool = False) -> dict[str, Any]:
    """Import it and use it."""
    measure(torchvision=version("torchvision"))
    if rebuilt:
        build_for_this_torch()
    if once_before:  # as in a notebook whose cell is run again
        with contextlib.suppress(RuntimeError):
            use_torchvision()
    return {"kept": use_torchvision()}


def ask(*, rebuilt: bool = False) -> dict[str, Any]:
    """Ask the page why the library does not load."""
    if rebuilt:
        build_for_this_torch()
    found = snippet("why")
    return {"found": bool(found["reason"]), "reason": found["reason"].split("/")[-1]}


def forward() -> dict[str, Any]:
    """Use a text model."""
    return {"logits": list(text_model()(torch.tensor([[1, 2, 3]])).logits.shape)}


@reproduce(versions=OTHER_RELEASE, start="cold", record_once=ONCE)
def other_release() -> dict[str, Any]:
    """Of another torch."""
    return run()


@reproduce(versions=OTHER_RELEASE, start="cold", record_once=ONCE)
def run_again() -> dict[str, Any]:
    """The second attempt in one process says something else."""
    return run(once_before=True)


@reproduce(versions=CUDA_BUILD, start="cold", record_once=ONCE)
def cuda_build() -> dict[str, Any]:
    """Of this release of torch, and built for CUDA."""
    return run()


@non_fix(
    "same-release", control="other-release", versions=CUDA_BUILD, start="cold", record_once=ONCE
)
def same_release() -> dict[str, Any]:
    """The release that belongs to this torch, from PyPI."""
    return run()


@fix(
    "same-build",
    control="cuda-build",
    versions=CUDA_BUILD,
    start="cold",
    record_once=COMPILES,
    programs=["g++"],
)
def same_build() -> dict[str, Any]:
    """With a library built for this torch."""
    return run(rebuilt=True)


@reproduce(versions=OTHER_RELEASE, start="cold", record_once=ONCE)
def in_transformers() -> dict[str, Any]:
    """A text model, beside it."""
    return forward()


@detect(found=True, versions=OTHER_RELEASE, start="cold", record_once=ONCE)
def asks_other_release() -> dict[str, Any]:
    """It names a CUDA that is not there."""
    return ask()


@detect(found=True, versions=CUDA_BUILD, start="cold", record_once=ONCE)
def asks_cuda_build() -> dict[str, Any]:
    """It names a part of torch that a CPU build lacks."""
    return ask()


@detect(
    found=False,
    control="asks-cuda-build",
    versions=CUDA_BUILD,
    start="cold",
    record_once=COMPILES,
    programs=["g++"],
)
def asks_same_build() -> dict[str, Any]:
    """It loads."""
    return ask(rebuilt=True)


def by_hand(*, define_nms: bool) -> dict[str, Any]:
    """Import it, and see whether an import that passes leaves an operator that does not work."""
    try:
        use_torchvision(define_nms=define_nms)
    except RuntimeError as error:
        said = str(error).partition(".")[0]
        return {"found": "torchvision" in sys.modules, "said": said}
    return {"found": False, "said": ""}


@detect(found=True, versions=OTHER_RELEASE, start="cold", record_once=ONCE)
def nms_defined_by_hand() -> dict[str, Any]:
    """The import passes; the operator has nothing behind it."""
    return by_hand(define_nms=True)


@detect(
    found=False,
    control="nms-defined-by-hand",
    versions=OTHER_RELEASE,
    start="cold",
    record_once=ONCE,
)
def nms_not_defined() -> dict[str, Any]:
    """The import says it at once."""
    return by_hand(define_nms=False)
