"""vLLM, imported before the steps; it knows the model without a look from another process."""

from vllm.model_executor.models.llama import LlamaForCausalLM
from vllm.model_executor.models.registry import ModelRegistry

ModelRegistry.register_model("LlamaForCausalLM", LlamaForCausalLM)
