"""A driver and a GPU that stand in, or none; imported before torch is."""

from __future__ import annotations

import os

from fixbook.recipe.helpers import stand_in_cuda

if gpus := os.environ.get("STAND_IN_GPUS"):
    stand_in_cuda(13000 if gpus != "no driver" else None, gpus=int(gpus) if gpus.isdigit() else 0)
