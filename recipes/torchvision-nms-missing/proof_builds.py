"""Builds of torchvision beside the installed torch, and what the page says of each."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pip
import torch
from failure import NMS, text_model, use_torchvision

from fixbook.recipe import measure, run_snippet, snippet

RELEASE = torch.__version__.partition("+")[0]
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


def build_for_this_torch(copy: Path) -> None:
    """Copy torchvision, with a library that is compiled for this torch and has nms alone."""
    shutil.copytree(torchvision_folder(), copy, ignore=shutil.ignore_patterns("*.so"))
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


def publish(name: str, release: str, needs: str = "", package: Path | None = None) -> Path:
    """Write a wheel: what it needs, and the package if there is one."""
    Path("index").mkdir(exist_ok=True)
    info = f"{name}-{release}.dist-info"
    needed = f"Requires-Dist: {needs}\n" if needs else ""
    file = Path("index", f"{name}-{release}-py3-none-any.whl")
    with zipfile.ZipFile(file, "w") as wheel:
        metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {release}\n{needed}"
        wheel.writestr(f"{info}/METADATA", metadata)
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        for part in package.rglob("*") if package else []:
            wheel.write(part, f"{name}/{part.relative_to(package or part)}")
        names = [*wheel.namelist(), f"{info}/RECORD"]
        wheel.writestr(f"{info}/RECORD", "".join(f"{one},,\n" for one in names))
    return file


def reinstall() -> None:
    """Follow the page where a CUDA build is installed; pip asks a folder for what an index has."""
    build_for_this_torch(Path("torchvision"))
    installed = [
        publish("torch", f"{RELEASE}+cpu"),
        publish("torchvision", version("torchvision"), f"torch=={RELEASE}"),
    ]
    installed[1] = installed[1].rename(installed[1].name)  # not in the index
    release = f"{version('torchvision')}+cpu"
    publish("torchvision", release, f"torch=={RELEASE}", Path("torchvision"))
    publish("torchvision", "9.0.0+cpu", "torch==9.0.0")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "env"], check=True)
    programs = Path("env/bin").resolve()
    packages = next(Path("env").glob("lib/python*/site-packages")).resolve()
    (packages / "pip").symlink_to(Path(str(pip.__file__)).parent)
    env = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(Path("index").resolve()), "PYTHONPATH": ""}
    env |= {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "PIP_CONFIG_FILE": os.devnull}
    before = [str(programs / "python"), "-m", "pip", "install", *map(str, installed)]
    subprocess.run(before, env=os.environ | env, check=True)
    run_snippet("reinstall", env=env).check_returncode()
    shutil.rmtree("torchvision")
    sys.path.insert(0, str(packages))


def run(*, reinstalled: bool = False, once_before: bool = False) -> dict[str, Any]:
    """Import it and use it."""
    if reinstalled:
        reinstall()
    measure(torchvision=version("torchvision"))
    if once_before:  # as in a notebook whose cell is run again
        with contextlib.suppress(RuntimeError):
            use_torchvision()
    return {"kept": use_torchvision()}


def ask(*, reinstalled: bool = False, cuda: str = "") -> dict[str, Any]:
    """Ask the page whether torchvision fits, beside a torch that says it is for CUDA or not."""
    if reinstalled:
        reinstall()
    if cuda:
        torch.version.cuda = cuda
    try:
        built = snippet("why")["cuda"]
    except OSError as error:
        return {"found": True, "reason": str(error).split("/")[-1]}
    mixed = (torch.version.cuda is None) != (built == -1)
    return {"found": mixed, "reason": f"{torch.version.cuda} {built}"}


def forward() -> dict[str, Any]:
    """Use a text model."""
    return {"logits": list(text_model()(torch.tensor([[1, 2, 3]])).logits.shape)}


def by_hand(*, define_nms: bool) -> dict[str, Any]:
    """Import it, and see whether an import that passes leaves an operator that does not work."""
    try:
        use_torchvision(define_nms=define_nms)
    except RuntimeError as error:
        said = str(error).partition(".")[0]
        return {"found": "torchvision" in sys.modules, "said": said}
    return {"found": False, "said": ""}
