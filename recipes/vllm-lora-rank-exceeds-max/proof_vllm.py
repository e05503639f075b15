"""vLLM, imported before the steps, and what it has to know of a Llama to read an adapter."""

from types import SimpleNamespace

import vllm.lora.worker_manager  # noqa: F401

from fixbook.recipe.helpers.vllm_workers import know_llama

know_llama()

# In place of the model on a GPU, which says where adapters go.
ON_LLAMA = SimpleNamespace(
    supported_lora_modules=["qkv_proj"],
    packed_modules_mapping={"qkv_proj": ["q_proj", "k_proj", "v_proj"]},
    model=None,
    moe_ep_load_spec=None,
    _validate_moe_lora_format=lambda _: None,
    _validate_classification_head_lora=lambda _: None,
)
