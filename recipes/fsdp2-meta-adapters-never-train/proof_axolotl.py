"""The last bad and the first good release of axolotl: its own loader, then the Trainer."""

from __future__ import annotations

from typing import Any

import torch
from proof_ranks import (
    PER_RANK,
    RATE,
    STEPS,
    begin,
    train_and_compare,
    write_base_model,
)


class Tokenizer:
    """The little that axolotl's loader asks of a tokenizer."""

    pad_token_id, bos_token_id, eos_token_id, padding_side = 0, 1, 2, "right"

    def __len__(self) -> int:
        return 128


def load_and_train(*, ram_efficient: bool = True) -> dict[str, Any]:
    """Load with axolotl's own configuration schema and `ModelLoader`, then train and save."""
    from axolotl.loaders.model import ModelLoader
    from axolotl.utils.config import normalize_config, validate_config
    from axolotl.utils.dict import DictDefault

    args = begin(ram_efficient=ram_efficient)
    write_base_model(hidden_size=64)
    fsdp = {
        "cpu_ram_efficient_loading": ram_efficient,
        "state_dict_type": "SHARDED_STATE_DICT",
        "transformer_layer_cls_to_wrap": "LlamaDecoderLayer",
        "auto_wrap_policy": "TRANSFORMER_BASED_WRAP",
        "reshard_after_forward": True,
    }
    written = {"base_model": "base", "fsdp_version": 2, "fsdp_config": fsdp, "adapter": "lora"}
    written |= {"lora_r": 8, "lora_alpha": 8, "lora_target_modules": ["q_proj", "v_proj"]}
    written |= {"datasets": [{"path": "unused.jsonl", "type": "alpaca"}], "sequence_len": 64}
    written |= {"micro_batch_size": PER_RANK, "gradient_accumulation_steps": 1, "max_steps": STEPS}
    written |= {"optimizer": "adamw_torch", "learning_rate": RATE, "bf16": False, "fp16": False}
    config = validate_config(DictDefault(written))
    normalize_config(config)
    torch.manual_seed(0)  # axolotl sets `seed`: unless rank 0 broadcasts, all must draw the same A
    return train_and_compare(ModelLoader(config, Tokenizer()).load()[0], args)
