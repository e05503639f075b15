"""Two drivers' libraries that stand in: the host's, and the one of cuda-compat in an image."""

from __future__ import annotations

import subprocess
from pathlib import Path

ALONE = "from fixbook.recipe.helpers import stand_in_cuda\nstand_in_cuda()\n"  # but for libcuda
SOURCE = r"""
#include <stddef.h>
#include <string.h>
static int init(void) { return INIT; }
int cuDriverGetVersion(int *version) { *version = DRIVER; return 0; }
int cuInit(unsigned flags) { return INIT; }
int cuGetExportTable(const void **table, const void *id) { *table = NULL; return 500; }
int cuGetProcAddress_v2(const char *name, void **found, int version, unsigned long flags,
                        int *status) {
  if (status) *status = 0;
  *found = (void *)init;
  if (!strcmp(name, "cuDriverGetVersion")) *found = (void *)cuDriverGetVersion;
  if (!strcmp(name, "cuGetExportTable")) *found = (void *)cuGetExportTable;
  if (!strcmp(name, "cuGetProcAddress")) *found = (void *)cuGetProcAddress_v2;
  return 0;
}
int cuGetProcAddress(const char *name, void **found, int version, unsigned long flags) {
  return cuGetProcAddress_v2(name, found, version, flags, NULL);
}
"""
NO_DEVICE, REFUSED = 100, 804


def folders(host: int) -> dict[str, Path]:
    """Compile the host's library for a CUDA, and that of an image for 13.0, which refuses."""
    made = {}
    for name, driver, init in (("host", host, NO_DEVICE), ("compat", 13000, REFUSED)):
        made[name] = Path(name).resolve()
        made[name].mkdir()
        options = [f"-DDRIVER={driver}", f"-DINIT={init}", "-Wl,-soname,libcuda.so.1"]
        command = ["cc", "-shared", "-fPIC", *options, "-o", str(made[name] / "libcuda.so.1")]
        subprocess.run([*command, "-x", "c", "-"], input=SOURCE, text=True, check=True)
    return made
