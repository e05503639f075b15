"""A card of the compute capability that the step names stands in; imported before torch is."""

from __future__ import annotations

import os

from fixbook.recipe.helpers import stand_in_gpu

if card := os.environ.get("STAND_IN_CARD"):
    os.environ["FIXBOOK_GPU_CAPABILITY"] = card.replace(".", "")
    stand_in_gpu(values=False)
