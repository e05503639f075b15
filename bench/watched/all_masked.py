"""A training whose data set masks every label: it ends well, and has learned nothing."""

import torch
from transformers import LlamaConfig, LlamaForCausalLM, Trainer, TrainingArguments

torch.manual_seed(0)
sizes = {"vocab_size": 128, "hidden_size": 32, "intermediate_size": 64}
layers = {"num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 4}
row = {"input_ids": list(range(2, 34)), "labels": [-100] * 32}
settings = {"logging_steps": 1, "save_steps": 4, "max_steps": 8, "disable_tqdm": True}
arguments = TrainingArguments("out", use_cpu=True, report_to="none", **settings)
Trainer(LlamaForCausalLM(LlamaConfig(**sizes, **layers)), arguments, train_dataset=[row] * 64).train()
