"""vLLM, imported before the steps, without what only a kernel needs after loading."""

import torch
import vllm.model_executor.model_loader.base_loader as loader

from fixbook.recipe.helpers.vllm_workers import know_llama

know_llama()
torch.accelerator.empty_cache = lambda: None
loader.process_weights_after_loading = lambda *_: None
