"""A model folder with its own code, as written for transformers 4, and the load of it."""

import json
from pathlib import Path
from typing import Any

from safetensors.torch import save_file
from transformers import AutoModelForCausalLM

CODE = """
import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel
from transformers.modeling_outputs import CausalLMOutput
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

class OldConfig(PretrainedConfig):
    model_type = "old"

    def __init__(self, rope_theta=500.0, rope_scaling=None, **rest):
        self.hidden_size, self.num_attention_heads = 16, 1
        self.rope_theta, self.rope_scaling = rope_theta, rope_scaling
        super().__init__(**rest)

{rotary}
class OldModel(PreTrainedModel):
    config_class = OldConfig
    {tied}
    def __init__(self, config):
        super().__init__(config)
        self.embed = nn.Embedding(32, 16)
        self.rotary = Rotary(config)
        self.lm_head = nn.Linear(16, 32, bias=False)
        {end}
{init}
    def get_input_embeddings(self):
        return self.embed

    def get_output_embeddings(self):
        return self.lm_head

    def forward(self, input_ids):
        hidden, place = self.embed(input_ids), torch.arange(input_ids.shape[1])
        angles = (place[:, None] * self.rotary.inv_freq).repeat(1, 2)
        turned = hidden * angles.cos() + hidden.flip(-1) * angles.sin()
        return CausalLMOutput(logits=self.lm_head(turned * getattr(self.rotary, "scale", 0.5)))
"""


def load(folder: str, parts: dict[str, str], weights: dict[str, Any], **more: Any) -> Any:
    """Write the folder, none of which needs the model, and load it with its own code."""
    Path(folder).mkdir()
    Path(folder, "old_model.py").write_text(CODE.format(**parts))
    named = {"AutoConfig": "old_model.OldConfig", "AutoModelForCausalLM": "old_model.OldModel"}
    tied = "lm_head.weight" not in weights
    config = {"model_type": "old", "auto_map": named, "tie_word_embeddings": tied}
    Path(folder, "config.json").write_text(json.dumps(config))
    save_file(weights, f"{folder}/model.safetensors", metadata={"format": "pt"})
    return AutoModelForCausalLM.from_pretrained(folder, trust_remote_code=True, **more)
