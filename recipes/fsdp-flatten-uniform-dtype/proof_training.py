"""What the steps train, and what they measure: how many of the weights moved."""

from __future__ import annotations

import tempfile
import traceback
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist
import transformers as hf
from failure import BF16, adapt, keep_norms_in_float32, load, wrap
from torch import Tensor
from torch.distributed.fsdp import FullyShardedDataParallel

from fixbook.recipe import backend, device, measure, snippet
from fixbook.recipe.helpers import tiny_llama

if TYPE_CHECKING:
    from collections.abc import Iterator

IDS = torch.arange(2, 34).reshape(2, 16).to(device())
RATE = 1e-4


def base(dtype: torch.dtype = BF16, storage: torch.dtype | None = None) -> Any:
    """Write a tiny model, each rank its own, and load it as a script does."""
    if device() != "cpu":
        torch.cuda.set_device(device())  # 4-bit weights go to the current one
    folder = tempfile.mkdtemp(dir=".")
    tiny_llama(hidden_size=64).save_pretrained(folder)
    return load(folder, dtype, storage)


def lora(*, upcast: bool = True, storage: torch.dtype | None = None) -> Any:
    """Return the base model with adapters, the same on every rank."""
    model = base(storage=storage)
    dist.init_process_group(backend())
    torch.manual_seed(1)
    return adapt(model, upcast=upcast)


def full(*, dtype: torch.dtype = BF16) -> Any:
    """Return a model to be trained as a whole, its norms in float32."""
    model = base(dtype)
    dist.init_process_group(backend())
    return keep_norms_in_float32(model)


def whole(model: Any) -> dict[str, Tensor]:
    """Return what is trained, gathered from all ranks; LoRA's B, zero at first, left out."""
    with FullyShardedDataParallel.summon_full_params(model, writeback=False):
        rows = [(name, p.detach()) for name, p in model.named_parameters() if p.requires_grad]
        rows = [(name, getattr(p, "full_tensor", p.clone)()) for name, p in rows]
        return {name: p.clone() for name, p in rows if "lora_B" not in name}


def train(model: Any) -> dict[str, Any]:
    """Take three steps of AdamW; return the loss, the dtypes and which share of weights moved."""
    before = whole(model)
    trained = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trained, lr=RATE, weight_decay=0)
    for _ in range(3):
        loss = model(input_ids=IDS, labels=IDS).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    after = whole(model)
    moved = sum(int((after[name] != old).sum()) for name, old in before.items())
    share = moved / sum(old.numel() for old in before.values())
    return {"loss": loss.item(), "moved": share, "trained": dtypes(after.values())}


def dtypes(tensors: Any) -> list[str]:
    """Name the dtypes of tensors."""
    return sorted({str(tensor.dtype).removeprefix("torch.") for tensor in tensors})


def attempt(model: Any, **changes: Any) -> Any:
    """Wrap the whole model, and say of the unit that FSDP refuses what was in force there."""
    try:
        return train(wrap(model, compute=BF16, **changes))
    except ValueError as error:
        frames = list(traceback.walk_tb(error.__traceback__))
        unit = frames[-1][0].f_locals["self"]
        measure(orig=unit._use_orig_params, compute=str(unit._fwd_bwd_param_dtype))
        raise


def apart(model: Any) -> Any:
    """Wrap each adapter by itself, as the page does."""
    return snippet("apart", model=model, device=torch.device(device()))["model"]


def sharded(model: Any) -> Any:
    """Ask the page's measurement, and hand the model to FSDP2 as the page does."""
    measure(found=bool(snippet("odd")["odd"](model, fsdp=2)))
    return snippet("fsdp2", model=model)["model"]


def four_bit(storage: torch.dtype, wraps: Any = apart) -> dict[str, Any]:
    """Wrap a 4-bit model with adapters."""
    return {"dtypes": dtypes(wraps(lora(storage=storage)).parameters())}


def as_one_unit(model: Any) -> Any:
    """Wrap the whole model alone, without a policy: its embeddings come first."""
    return FullyShardedDataParallel(model, device_id=torch.device(device()), use_orig_params=True)


def stock_models() -> Iterator[Any]:
    """Yield models of a few families as their configurations build them, and one in bf16."""
    sizes: dict[str, Any] = {"num_hidden_layers": 1, "num_attention_heads": 2, "hidden_size": 16}
    yield hf.GPT2LMHeadModel(hf.GPT2Config(n_embd=16, n_layer=1, n_head=2, vocab_size=64))
    yield hf.BertForMaskedLM(hf.BertConfig(**sizes, intermediate_size=32, vocab_size=64))
    yield base()


def look(model: Any, fsdp: int = 1) -> dict[str, Any]:
    """Run the page's measurement."""
    rows = snippet("odd")["odd"](model, fsdp)
    return {"found": bool(rows), "rows": len(rows)}
