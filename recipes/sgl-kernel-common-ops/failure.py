"""What a server of SGLang does first: import its kernels."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import torch

from fixbook.recipe import measure


def load() -> dict[str, str]:
    """Import them as an interpreter does by default, all symbols at once."""
    measure(torch=torch.__version__)
    sys.setdlopenflags(os.RTLD_NOW)
    import sgl_kernel

    library = Path(str(sgl_kernel.common_ops.__file__))
    return {"kernels": sgl_kernel.__version__, "variant": library.parent.name}
