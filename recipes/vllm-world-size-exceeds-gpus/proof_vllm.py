"""vLLM, imported before the steps, and its class for CUDA on a machine with two cards on paper."""

from __future__ import annotations

import contextlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING

from fixbook.recipe.helpers.vllm_workers import know_llama

# Compiled code that needs CUDA; what is asked of the class needs none of it.
sys.modules["vllm._C_stable_libtorch"] = ModuleType("_C_stable_libtorch")

import vllm.config.parallel  # noqa: E402
import vllm.platforms  # noqa: E402
from vllm.platforms.cuda import CudaPlatformBase  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

know_llama()


class TwoCards(CudaPlatformBase):  # type: ignore[misc]
    """vLLM's checks for CUDA, on a machine with two cards."""

    @classmethod
    def device_count(cls) -> int:
        """Return how many cards there are."""
        return 2


vllm.config.parallel.current_platform = TwoCards()


@contextlib.contextmanager
def two_cards() -> Iterator[None]:
    """Let whoever asks vLLM for its platform see the two cards."""
    own = vllm.platforms.current_platform
    vllm.platforms.current_platform = TwoCards()
    try:
        yield
    finally:
        vllm.platforms.current_platform = own
