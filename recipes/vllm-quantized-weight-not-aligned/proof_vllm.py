"""vLLM, imported before the steps, and its layers as they are built for cards that are on paper."""

from __future__ import annotations

import contextlib
import sys
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import torch

from fixbook.recipe.helpers.vllm_workers import know_llama

# Compiled code that needs CUDA; what is asked of the classes needs none of it.
sys.modules["vllm._C_stable_libtorch"] = ModuleType("_C_stable_libtorch")
OPERATORS = torch.library.Library("_C", "FRAGMENT")  # kept as long as the process
OPERATORS.define("silu_and_mul(Tensor(a!) out, Tensor input) -> ()")

know_llama()

import vllm.model_executor.kernels.linear  # noqa: E402, F401  (before the cards are there)
from vllm.config import set_current_vllm_config  # noqa: E402
from vllm.distributed import parallel_state  # noqa: E402
from vllm.model_executor.layers.quantization import get_quantization_config  # noqa: E402
from vllm.model_executor.models.qwen2 import Qwen2ForCausalLM, Qwen2MLP  # noqa: E402
from vllm.model_executor.models.registry import ModelRegistry  # noqa: E402
from vllm.platforms.cuda import CudaPlatformBase  # noqa: E402
from vllm.platforms.interface import DeviceCapability  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

ModelRegistry.register_model("Qwen2ForCausalLM", Qwen2ForCausalLM)
for method in ("auto_awq", "auto_gptq", "fp8"):
    get_quantization_config(method)


class A100(CudaPlatformBase):  # type: ignore[misc]
    """vLLM's answers for CUDA, for a card of compute capability 8.0."""

    @classmethod
    def get_device_capability(cls, device_id: int = 0) -> DeviceCapability:  # noqa: ARG003
        """Return the capability."""
        return DeviceCapability(8, 0)


@contextlib.contextmanager
def rank_of(size: int, rank: int = 0) -> Iterator[None]:
    """Be this rank of a tensor parallel group, on A100s, for whoever asks vLLM."""
    own = {
        module: module.current_platform
        for name, module in list(sys.modules.items())
        if name.startswith("vllm") and "current_platform" in vars(module)
    }
    group = parallel_state._TP
    for module in own:
        module.current_platform = A100()  # type: ignore[attr-defined]
    parallel_state._TP = SimpleNamespace(world_size=size, rank_in_group=rank)
    try:
        yield
    finally:
        parallel_state._TP = group
        for module, platform in own.items():
            module.current_platform = platform  # type: ignore[attr-defined]


def build(config: Any, rank: int = 0) -> Any:
    """Let vLLM build the MLP of a layer, as it does before it loads weights."""
    model = config.model_config.hf_config
    parallel = config.parallel_config.tensor_parallel_size
    before = torch.get_default_dtype()
    torch.set_default_dtype(config.model_config.dtype)  # as vLLM's loader does
    try:
        with rank_of(parallel, rank), set_current_vllm_config(config):
            return Qwen2MLP(
                model.hidden_size,
                model.intermediate_size,
                model.hidden_act,
                config.quant_config,
                prefix="model.layers.0.mlp",
            )
    finally:
        torch.set_default_dtype(before)
