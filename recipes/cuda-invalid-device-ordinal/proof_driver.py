"""GPUs that stand in; imported before torch is."""

from __future__ import annotations

import os

from fixbook.recipe.helpers import stand_in_cuda

if gpus := os.environ.get("STAND_IN_GPUS"):
    stand_in_cuda(13000, gpus=int(gpus))
