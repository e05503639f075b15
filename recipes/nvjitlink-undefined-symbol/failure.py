"""Libraries laid out as the wheels of torch and NVIDIA lay them out, and a toolkit's own copy."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

OLD = "int __nvJitLinkAddData_12_1(void) { return 1; }"
NEW = f"{OLD} int __nvJitLinkComplete_12_4(void) {{ return 4; }}"
NEWEST = f"{NEW} int __nvJitLinkGetErrorLog_12_9(void) {{ return 9; }}"
_LOG = "__nvJitLinkGetErrorLog_12_9"
OTHER = f"int {_LOG}(void); int said(void) {{ return {_LOG}(); }}"
CUSPARSE = (
    "int __nvJitLinkComplete_12_4(void); int spsm(void) { return __nvJitLinkComplete_12_4(); }"
)
TORCH = """
#include <Python.h>
int spsm(void);
static PyModuleDef about = {PyModuleDef_HEAD_INIT, "_C", 0, -1, 0};
PyMODINIT_FUNC PyInit__C(void) {
  PyObject* module = PyModule_Create(&about);
  PyModule_AddIntConstant(module, "answer", spsm());
  return module;
}
"""
SITE, TOOLKIT = Path("site"), Path("cuda-12.1", "lib64")
CUGRAPH = SITE / "libcugraph" / "lib64" / "libcugraph.so"
NVJITLINK, SPARSE = SITE / "nvidia" / "nvjitlink" / "lib", SITE / "nvidia" / "cusparse" / "lib"


def link(code: str, target: Path, *flags: str) -> None:
    """Compile a shared library."""
    target.parent.mkdir(parents=True, exist_ok=True)
    Path("library.c").write_text(code)
    command = ["cc", "-shared", "-fPIC", "library.c", "-o", str(target)]
    subprocess.run([*command, f"-Wl,-soname,{target.name}", *flags], check=True)


def install(*, wheel: str = NEW) -> None:
    """Lay out what pip installs, and a CUDA toolkit beside it."""
    Path("versions").write_text("libnvJitLink.so.12 { global: *; };")
    for folder, code in ((NVJITLINK, NEWEST), (TOOLKIT, OLD)):
        link(code, folder / "libnvJitLink.so.12", "-Wl,--version-script=versions")
    sparse = SPARSE / "libcusparse.so.12"
    runpath = "-Wl,--enable-new-dtags,-rpath,$ORIGIN/"
    link(CUSPARSE, sparse, str(NVJITLINK / "libnvJitLink.so.12"), f"{runpath}../../nvjitlink/lib")
    link(
        OTHER,
        CUGRAPH,
        str(NVJITLINK / "libnvJitLink.so.12"),
        f"{runpath}../../nvidia/nvjitlink/lib",
    )
    headers = f"-I{sysconfig.get_path('include')}"
    own = SITE / "torch" / "_C.so"
    link(TORCH, own, headers, str(sparse), f"{runpath}../nvidia/cusparse/lib")
    (SITE / "torch" / "__init__.py").write_text("from torch._C import *  # noqa: F403\n")
    if wheel != NEWEST:  # pip brought an older one since
        link(wheel, NVJITLINK / "libnvJitLink.so.12", "-Wl,--version-script=versions")
