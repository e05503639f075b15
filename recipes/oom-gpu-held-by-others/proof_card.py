"""Two GPUs that stand in; the variables say what is held of the first. Imported before torch is."""

from __future__ import annotations

import os

from fixbook.recipe.helpers.card import stand_in_card

HELD = float(os.environ.get("HELD_GIB", "0"))
SEEN_AS = int(os.environ.get("SEEN_AS", "0"))
stand_in_card(gpus=2, gpu_gib=8.0, others_gib=HELD, seen_as=SEEN_AS or None)
