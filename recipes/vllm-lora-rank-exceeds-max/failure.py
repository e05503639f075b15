"""`vllm serve` until it has read an adapter that PEFT saved."""

import torch
from proof_vllm import ON_LLAMA
from vllm.lora.request import LoRARequest
from vllm.lora.worker_manager import WorkerLoRAManager

from fixbook.recipe import measure
from fixbook.recipe.helpers import tiny_llama, tiny_lora
from fixbook.recipe.helpers.vllm_workers import asked, configured


def train(**lora: object) -> None:
    """Save a small model, and an adapter with these settings."""
    model = tiny_llama()
    model.save_pretrained("MODEL")
    tiny_lora(model, **lora).save_pretrained("ADAPTER")


def serve(command: str) -> dict[str, int]:
    """Let vLLM check the command line and read its adapter; return what was read."""
    config = configured(command)
    measure(limit=config.lora_config.max_lora_rank)
    worker = WorkerLoRAManager(config, torch.device("cpu"), {})
    worker._adapter_manager = ON_LLAMA
    [named] = asked(command).lora_modules
    adapter = worker._load_adapter(LoRARequest(named.name, 1, named.path))
    ranks = [layer.rank for layer in adapter.loras.values()]
    return {"layers": len(ranks), "rank": max(ranks)}
