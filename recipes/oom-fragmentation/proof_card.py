"""A GPU that stands in, with virtual memory and a libnvidia-ml; imported before torch is."""

from __future__ import annotations

from fixbook.recipe.helpers.card import stand_in_card

stand_in_card(gpu_gib=4.0)
