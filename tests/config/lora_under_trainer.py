"""One step of a small model with LoRA, under a trainer with the arguments of a configuration.

Usage: python lora_under_trainer.py ARGUMENTS-AS-JSON
"""

from __future__ import annotations

import json
import sys
import tempfile
from typing import Any

import peft
import torch
import transformers


def main() -> None:
    values = json.loads(sys.argv[1])
    dropout = values.get("lora_dropout", 0.0)
    rank = values["lora_r"]
    low_rank = peft.LoraConfig(r=rank, lora_dropout=dropout, target_modules=["q_proj"])
    fields = transformers.TrainingArguments.__dataclass_fields__
    known = {key: value for key, value in values.items() if key in fields}
    sizes: dict[str, Any] = {"hidden_size": 16, "intermediate_size": 16, "vocab_size": 32}
    config: Any = transformers.LlamaConfig(num_hidden_layers=2, num_attention_heads=2, **sizes)
    model: Any = peft.get_peft_model(transformers.LlamaForCausalLM(config), low_rank)
    row = {"input_ids": torch.arange(8), "labels": torch.arange(8)}
    data: Any = [row, row]
    with tempfile.TemporaryDirectory() as folder:
        fixed: dict[str, Any] = {
            "output_dir": folder,
            "use_cpu": True,
            "bf16": False,
            "max_steps": 1,
        }
        fixed |= {"report_to": [], "save_strategy": "no"}
        made = transformers.TrainingArguments(**{**known, **fixed})
        transformers.Trainer(model=model, args=made, train_dataset=data).train()


main()
