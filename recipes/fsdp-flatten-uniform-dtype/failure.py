"""A bf16 model with parts in float32, handed to FSDP: LoRA adapters, norms, 4-bit weights."""

from __future__ import annotations

from typing import Any

import torch
import transformers
from peft import LoraConfig, get_peft_model
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import (
    FullyShardedDataParallel,
    MixedPrecision,
    MixedPrecisionPolicy,
    fully_shard,
)
from torch.distributed.fsdp.wrap import ModuleWrapPolicy
from transformers import AutoModelForCausalLM, BitsAndBytesConfig
from transformers.models.llama.modeling_llama import LlamaDecoderLayer

from fixbook.recipe import device

BF16 = torch.bfloat16
# Releases up to 4.55 know the old name only.
DTYPE = "dtype" if int(transformers.__version__.partition(".")[0]) >= 5 else "torch_dtype"
LAYERS = ModuleWrapPolicy({LlamaDecoderLayer})


def load(folder: str, dtype: torch.dtype = BF16, storage: torch.dtype | None = None) -> Any:
    """Load the base model, in 4 bit if there is a ``storage``."""
    quantize: Any = BitsAndBytesConfig  # its constructor has no types
    four_bit = quantize(load_in_4bit=True, bnb_4bit_quant_storage=storage) if storage else None
    options: dict[str, Any] = {DTYPE: dtype, "quantization_config": four_bit}
    return AutoModelForCausalLM.from_pretrained(folder, **options)


def adapt(model: Any, *, upcast: bool = True) -> Any:
    """Add LoRA; ``upcast`` is PEFT's default and keeps adapters in float32."""
    config = LoraConfig(r=4, target_modules=["q_proj", "v_proj"])
    return get_peft_model(model, config, autocast_adapter_dtype=upcast)


def keep_norms_in_float32(model: Any) -> Any:
    """Do for stability what many a script does."""
    for layer in model.model.layers:
        layer.input_layernorm.float()
    return model


def wrap(model: Any, *, compute: Any = None, orig: bool = True) -> Any:
    """Hand the model to FSDP1, the whole and every layer of it."""
    mixed = MixedPrecision(param_dtype=compute)
    options: dict[str, Any] = {"auto_wrap_policy": LAYERS, "device_id": torch.device(device())}
    return FullyShardedDataParallel(model, mixed_precision=mixed, use_orig_params=orig, **options)


def shard(model: Any, *, compute: Any = None) -> Any:
    """Hand it to FSDP2 instead."""
    mesh, mixed = (
        init_device_mesh(torch.device(device()).type, (2,)),
        MixedPrecisionPolicy(param_dtype=compute),
    )
    for part in [m for m in model.modules() if isinstance(m, LlamaDecoderLayer)]:
        fully_shard(part, mesh=mesh, mp_policy=mixed)
    return fully_shard(model, mesh=mesh, mp_policy=mixed)
