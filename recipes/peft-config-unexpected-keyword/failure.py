"""An adapter whose adapter_config.json was written by another release than the one that loads."""

import json
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

# What PEFT 0.21.2 writes for a plain LoRA; a step holds it against that release.
NULL = (
    "alora_invocation_tokens arrow_config auto_mapping base_model_name_or_path corda_config"
    " eva_config exclude_modules kasa_config layer_replication layers_pattern layers_to_transform"
    " lora_ga_config megatron_config modules_to_save monteclora_config revision target_parameters"
    " trainable_token_indices use_bdlora velora_config"
)
OFF = "ensure_weight_tying fan_in_fan_out lora_bias use_dora use_qalora use_rslora"
REST = """{"alpha_pattern": {}, "loftq_config": {}, "rank_pattern": {}, "bias": "none", "r": 16,
"inference_mode": true, "init_lora_weights": true, "lora_alpha": 64, "lora_dropout": 0.0,
"target_modules": ["q_proj", "v_proj"], "megatron_core": "megatron.core", "qalora_group_size": 16,
"peft_type": "LORA", "peft_version": "0.21.2", "task_type": "CAUSAL_LM"}"""
NEWER: dict[str, Any] = {
    **dict.fromkeys(NULL.split()),
    **dict.fromkeys(OFF.split(), False),
    **json.loads(REST),
}
FILE = Path("adapter", "adapter_config.json")


def base() -> Any:
    """Make a small model, the same each time."""
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 64}
    return LlamaForCausalLM(LlamaConfig(num_hidden_layers=2, num_attention_heads=4, **sizes))


def save(**keys: Any) -> None:
    """Write the weights of an adapter, and beside them the file of the newer release."""
    names = ["q_proj", "v_proj"]
    lora = LoraConfig(r=16, lora_alpha=64, target_modules=names, task_type="CAUSAL_LM")
    get_peft_model(base(), lora).save_pretrained("adapter")
    FILE.write_text(json.dumps(NEWER | keys))


def load() -> Any:
    """Load the adapter."""
    return PeftModel.from_pretrained(base(), "adapter")


def configure() -> Any:
    """Make a configuration of the file by hand."""
    return LoraConfig(**json.loads(FILE.read_text()))
