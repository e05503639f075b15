"""An extension as it is compiled where the C library is newer, or here."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

SOURCE = """
#include <Python.h>
#if defined(__has_include) && __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#else
static char __libc_single_threaded = 1;
#endif
static PyModuleDef about = {PyModuleDef_HEAD_INIT, "flash_attn_2_cuda", 0, -1, 0};
PyMODINIT_FUNC PyInit_flash_attn_2_cuda(void) {
  PyObject* module = PyModule_Create(&about);
  PyModule_AddIntConstant(module, "single", __libc_single_threaded != 2);
  return module;
}
"""
INCLUDE = f"-I{sysconfig.get_path('include')}"


def build(glibc: str = "") -> bytes:
    """Compile the extension as a machine does whose glibc this is; by default this machine's."""
    Path("a.c").write_text(SOURCE)
    newer = []
    if glibc:  # of a newer glibc, the linker needs no more than the names and their versions
        Path("newer.c").write_text("char __libc_single_threaded = 1;")
        Path("versions").write_text(f"GLIBC_{glibc} {{ global: __libc_single_threaded; }};")
        flags = ["-nostdlib", "-Wl,-soname,libc.so.6,--version-script=versions"]
        subprocess.run(["cc", "-shared", "-fPIC", *flags, "newer.c", "-o", "newer.so"], check=True)
        newer = ["newer.so"]
    command = ["cc", "-shared", "-fPIC", INCLUDE, "a.c", *newer, "-o", "a.so"]
    subprocess.run(command, check=True)
    return Path("a.so").read_bytes()
