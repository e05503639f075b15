"""vLLM, imported before the steps, and its class for CUDA with a card that stands in."""

from __future__ import annotations

import os
import sys
from types import ModuleType

from fixbook.recipe.helpers.vllm_workers import know_llama

# Compiled code that needs CUDA; what is asked of the class needs none of it.
sys.modules["vllm._C_stable_libtorch"] = ModuleType("_C_stable_libtorch")

import vllm.config.model  # noqa: E402
from vllm.platforms.cuda import CudaPlatformBase  # noqa: E402
from vllm.platforms.interface import DeviceCapability  # noqa: E402

know_llama()


class Card(CudaPlatformBase):  # type: ignore[misc]
    """vLLM's checks for CUDA, on a card of the capability that the step names."""

    @classmethod
    def get_device_capability(cls, device_id: int = 0) -> DeviceCapability:  # noqa: ARG003
        """Return what STAND_IN_CARD says, such as "7.5"."""
        major, minor = os.environ.get("STAND_IN_CARD", "7.5").split(".")
        return DeviceCapability(int(major), int(minor))

    @classmethod
    def get_device_name(cls, device_id: int = 0) -> str:  # noqa: ARG003
        """Return the name of the card."""
        return "Tesla T4"


vllm.config.model.current_platform = Card()
