"""A model in bf16 served with vLLM, and the arguments of a training script."""

from __future__ import annotations

from typing import Any

import torch
from transformers import TrainingArguments

from fixbook.recipe import measure


def serve(command: str) -> dict[str, str]:
    """Let vLLM read the command line, and its worker check the type of the weights."""
    import vllm.config.model

    from fixbook.recipe.helpers.vllm_workers import configured, write_model

    write_model()
    dtype = configured(command).model_config.dtype
    measure(dtype=str(dtype))
    vllm.config.model.current_platform.check_if_supports_dtype(dtype)
    return {"served": str(dtype)}


def train(**options: Any) -> dict[str, object]:
    """Make the arguments of the Trainer with these options."""
    measure(bf16=options.get("bf16", False), card=str(torch.cuda.get_device_capability()))
    arguments = TrainingArguments(output_dir="out", report_to=[], **options)
    return {"device": str(arguments.device), "fp16": arguments.fp16, "accepted": arguments.bf16}
