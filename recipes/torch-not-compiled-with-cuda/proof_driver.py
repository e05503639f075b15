"""A driver and a GPU that stand in, for torch's build for CUDA; imported before torch is."""

from __future__ import annotations

import os

from fixbook.recipe.helpers import stand_in_cuda

if driver := os.environ.get("STAND_IN_DRIVER"):
    stand_in_cuda(int(driver), gpus=1)
