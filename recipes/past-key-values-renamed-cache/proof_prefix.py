"""A prefix of PEFT, which lies in the cache that ``generate`` is to hand on."""

from __future__ import annotations

from typing import Any

import torch
from failure import SIZES, prompt
from peft import PrefixTuningConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

from fixbook.recipe import snippet


def prefixed() -> dict[str, Any]:
    """Generate with a random prefix, and hold the words against one full forward pass."""
    torch.manual_seed(0)
    base = LlamaForCausalLM(LlamaConfig(**SIZES)).eval()
    alone = base.generate(prompt(), max_new_tokens=8, do_sample=False)
    config = PrefixTuningConfig(task_type="CAUSAL_LM", num_virtual_tokens=3)
    model = get_peft_model(base, config).eval()
    names = snippet("lengths", model=model, ids=prompt())
    as_without = torch.equal(names["text"], alone)
    return {"found": names["same"] < 1, "same": names["same"], "as_without_it": as_without}
