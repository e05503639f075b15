"""A driver that stands in; imported before torch is."""

from __future__ import annotations

import os

from fixbook.recipe.helpers import stand_in_cuda

if version := os.environ.get("STAND_IN_DRIVER"):
    stand_in_cuda(int(version))
