"""A mask that numbers packed documents 1, 2, 3 is summed like ones: offsets past the rows."""

# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "axolotl==0.19.0", "accelerate==1.15.0",
#     "bitsandbytes==0.50.2", "peft==0.21.2", "addict==2.4.0", "numpy==2.4.6", "pillow==13.0.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
#
# [[tool.uv.dependency-metadata]]
# name = "axolotl"
# version = "0.19.0"
# requires-dist = []
# ///
from __future__ import annotations

import ast
import functools
import json
import os
import random
import re
import shutil
import subprocess
import sys
from importlib.machinery import ModuleSpec
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any
from unittest.mock import MagicMock

import torch
from torch.nn.functional import scaled_dot_product_attention

from fixbook.recipe import detect, fix, main, non_fix, reproduce

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
# The stack of November 2024. peft is there because axolotl 0.5.2 imports a name it has since lost.
STACK = [
    "transformers==4.46.3",
    "tokenizers==0.20.3",
    "huggingface_hub==0.26.5",
    "axolotl==0.5.2",
    "peft==0.13.2",
]
SMALL = [2, 2, 3]  # with one pad behind them, the mask is 1 1 2 2 3 3 3 0
LARGE = [64] * 64
LIMIT = 2048  # sequence_len where documents are packed, or padded to it


class Kernel:
    """Takes the place of flash-attn's CUDA kernels: notes what it is handed, attends with SDPA.

    Offsets past the rows are clipped; what a GPU reads and writes there, a CPU cannot show.
    """

    def __init__(self) -> None:
        self.rows, self.offsets = 0, [0]

    def varlen(self, *qkv: torch.Tensor, cu_seqlens_q: torch.Tensor, **_: Any) -> torch.Tensor:
        """Attend within each segment that the offsets mark."""
        self.rows, self.offsets = len(qkv[0]), cu_seqlens_q.tolist()
        out = torch.zeros_like(qkv[0])
        for start, end in pairwise(min(offset, self.rows) for offset in self.offsets):
            out[start:end] = self.dense(*(x[None, start:end] for x in qkv))[0]
        return out

    def dense(self, *qkv: Any, **_: Any) -> torch.Tensor:
        """Attend causally over the whole length."""
        q, k, v = (x.transpose(1, 2) for x in qkv[:3])
        out = scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return out.transpose(1, 2)

    def install(self) -> Kernel:
        """Be the package ``flash_attn`` for every model that transformers imports from now on."""
        from transformers import utils

        for name in ("2_available", "greater_or_equal", "greater_or_equal_2_10"):
            setattr(utils, f"is_flash_attn_{name}", lambda *_, **__: True)
        modules = {name: ModuleType(name) for name in ("flash_attn", "flash_attn.bert_padding")}
        package, padding = modules.values()
        package.__spec__ = ModuleSpec("flash_attn", None)  # transformers asks whether there is one
        package.flash_attn_func, package.flash_attn_varlen_func = self.dense, self.varlen
        package.flash_attn_with_kvcache = padding.unpad_input = None
        padding.index_first_axis = lambda rows, indices: rows[indices]
        padding.pad_input = scatter_rows
        sys.modules.update(modules)
        return self


def scatter_rows(rows: torch.Tensor, indices: torch.Tensor, batch: int, n: int) -> torch.Tensor:
    """Put rows back where they came from, zeros elsewhere."""
    out = rows.new_zeros(batch * n, *rows.shape[1:])
    out[indices] = rows
    return out.unflatten(0, (batch, n))


def leave_out(*modules: str, **names: Any) -> None:
    """Let axolotl import packages that it names at the top of a file and that nothing here uses."""
    for module in modules:
        sys.modules.setdefault(module, MagicMock(**names))


def tokenizer() -> Any:
    """Return a tokenizer that can pad; nothing here is text."""
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    words = Tokenizer(models.WordLevel({"<pad>": 0}, unk_token="<pad>"))  # noqa: S106
    return PreTrainedTokenizerFast(tokenizer_object=words, pad_token="<pad>")  # noqa: S106


def document(length: int, seed: int = 0) -> dict[str, list[int]]:
    """Return one tokenized document as axolotl's data set holds it."""
    tokens = random.Random(seed).choices(range(1, 64), k=length)
    positions, ones = list(range(length)), [1] * length
    return {
        "input_ids": tokens,
        "labels": tokens,
        "attention_mask": ones,
        "position_ids": positions,
    }


def pack(lengths: list[int], *, pads: int = 1) -> dict[str, torch.Tensor]:
    """Let axolotl's own collator pack documents of these lengths into one row."""
    unused = (
        "trl",
        "trl.experimental",
        "trl.experimental.utils",
        "trl.trainer",
        "trl.trainer.utils",
    )
    leave_out(*unused, DPODataCollatorWithPadding=object)
    from axolotl.utils.collators import V2BatchSamplerDataCollatorForSeq2Seq

    collate = V2BatchSamplerDataCollatorForSeq2Seq(
        tokenizer(), pad_to_multiple_of=sum(lengths) + pads
    )
    return dict(collate([[document(length, seed) for seed, length in enumerate(lengths)]]))


def qwen2() -> torch.nn.Module:
    """Return transformers' own Qwen2 with flash attention, tiny and with fixed random weights."""
    from transformers import Qwen2Config, Qwen2ForCausalLM

    torch.manual_seed(0)
    sizes = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2}
    config = Qwen2Config(**sizes, num_attention_heads=2, num_key_value_heads=1, use_cache=False)
    return Qwen2ForCausalLM._from_config(config, attn_implementation="flash_attention_2").eval()


@torch.no_grad()
def leak(model: torch.nn.Module, batch: dict[str, torch.Tensor]) -> float:
    """Replace the first document; return the relative change of the last one's logits."""
    other = batch["input_ids"].clone()
    other[0, : SMALL[0]] = 64 - other[0, : SMALL[0]]
    last = slice(sum(SMALL[:-1]), sum(SMALL))
    after, before = (
        model(**batch | {"input_ids": x}).logits[0, last] for x in (other, batch["input_ids"])
    )
    return float((after - before).norm() / before.norm())


def small_pack(kernel: Kernel, batch: dict[str, torch.Tensor]) -> dict[str, Any]:
    """Run the small pack through the model: what the kernel was handed, what documents see."""
    seen = leak(qwen2(), batch)
    end = kernel.offsets[-1]
    found = end != kernel.rows
    return {
        "rows": kernel.rows,
        "offsets": kernel.offsets,
        "end": end,
        "leak": seen,
        "found": found,
    }


def both_packs(kernel: Kernel) -> dict[str, Any]:
    """Run the large pack and the small one."""
    qwen2()(**pack(LARGE))
    large = {"large_rows": kernel.rows, "large_end": kernel.offsets[-1]}
    return large | small_pack(kernel, pack(SMALL))


# The defect and its measurement, on a CPU.


def guarded(kernel: Callable[..., torch.Tensor]) -> Callable[..., torch.Tensor]:
    """Check the last offset against the rows before the kernel starts."""

    @functools.wraps(kernel)  # transformers reads the signature to see which options there are
    def check(q: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
        end, rows = int(kwargs["cu_seqlens_q"][-1]), q.shape[0]
        if end != rows:
            raise RuntimeError(f"cu_seqlens ends at {end} but q has {rows} rows")
        return kernel(q, *args, **kwargs)

    return check


@reproduce(versions=STACK)
def a_guard_stops_the_run() -> None:
    """Put the guard in front of flash-attn: an error that names both numbers, on the spot."""
    Kernel().install()
    import flash_attn

    flash_attn.flash_attn_varlen_func = guarded(flash_attn.flash_attn_varlen_func)
    qwen2()(**pack(SMALL))


@detect(found=True, versions=STACK)
def transformers_alone() -> dict[str, Any]:
    """Unpad the mask of axolotl's collator with transformers; then a pack that needs no pad."""
    kernel = Kernel().install()
    mask = pack(SMALL)["attention_mask"][0].tolist()
    seen = both_packs(kernel) | {"mask": mask}
    seen["excess"] = round(seen["large_end"] / seen["large_rows"], 1)
    qwen2()(**pack(SMALL, pads=0))
    return seen | {"no_pad_rows": kernel.rows, "no_pad_offsets": kernel.offsets}


@detect(found=False, versions=STACK)
def with_axolotls_patch() -> dict[str, Any]:
    """The same packs after axolotl 0.5.2's ``patch_for_multipack``."""
    kernel = Kernel().install()
    from axolotl.monkeypatch.multipack import patch_for_multipack

    patch_for_multipack("qwen2", has_remote_code=False)
    return both_packs(kernel)


# Fixes, on a CPU.


def loaded_by_axolotl(*, trust_remote_code: bool) -> dict[str, Any]:
    """Run the patches of axolotl's ModelLoader, for a model without remote code."""
    kernel = Kernel().install()
    leave_out("pynvml", "pynvml.nvml", "fastcore", "fastcore.parallel", NVMLError=Exception)
    from axolotl.utils.dict import DictDefault
    from axolotl.utils.models import ModelLoader
    from transformers import Qwen2Config

    Qwen2Config().save_pretrained("model")
    asked = {
        "flash_attention": True,
        "sample_packing": True,
        "trust_remote_code": trust_remote_code,
    }
    config = DictDefault(base_model="model", model_config_type="qwen2", **asked)
    ModelLoader(config, tokenizer=None).apply_patches()
    return both_packs(kernel)


@fix("upgrade-axolotl", versions=STACK, timeout_s=120)
def upgrade_and_keep_the_flag() -> dict[str, Any]:
    """Use axolotl 0.5.2 with ``trust_remote_code: true``: it asks the model's config instead."""
    return loaded_by_axolotl(trust_remote_code=True)


@fix("trust-remote-code-false", versions=STACK, timeout_s=120)
def turn_the_flag_off() -> dict[str, Any]:
    """``trust_remote_code: false``: the function is replaced where transformers looks it up."""
    return loaded_by_axolotl(trust_remote_code=False)


@fix("position-ids-without-mask", start="cold")
def drop_the_mask() -> dict[str, Any]:
    """The current stack without a mask: position ids that start again carry the boundaries."""
    kernel, batch = Kernel().install(), pack(SMALL)
    batch.pop("attention_mask")
    return small_pack(kernel, batch)


@fix("packing-off", versions=STACK, timeout_s=120)
def one_document_per_row() -> dict[str, Any]:
    """Collate without packing: the mask is a mask. What it costs in padding, on real lengths."""
    from transformers.modeling_flash_attention_utils import _get_unpad_data

    lengths = [length for length in function_lengths() if length <= LIMIT][:1000]
    padding, overruns = {"packed": packed_padding(lengths)}, 0
    for size in (1, 2, 4, 8):
        tokens = slots = 0
        for mask in unpacked_masks(lengths, size):
            indices, offsets, _ = _get_unpad_data(mask)
            overruns += int(offsets[-1]) != len(indices)
            tokens, slots = tokens + len(indices), slots + mask.numel()
        padding[f"micro_batch_{size}"] = 1 - tokens / slots
    padding["pad_to_sequence_len"] = 1 - sum(lengths) / (LIMIT * len(lengths))
    table = [{"setting": name, "padding": share} for name, share in padding.items()]
    return {"overruns": overruns, "documents": len(lengths), "table": table, **padding}


def function_lengths() -> list[int]:
    """Count words and signs of each documented function in Python's standard library."""
    counts = []
    for file in sorted(Path(os.__file__).parent.glob("*.py")):
        source = file.read_text(encoding="utf-8", errors="replace")
        lines = source.splitlines()
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
                text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
                counts.append(len(re.findall(r"\w+|[^\w\s]", text)))
    random.Random(0).shuffle(counts)
    return counts


def unpacked_masks(lengths: list[int], size: int) -> Iterator[torch.Tensor]:
    """Collate that many documents at a time, one to a row."""
    from axolotl.utils.collators import DataCollatorForSeq2Seq

    collate = DataCollatorForSeq2Seq(tokenizer(), pad_to_multiple_of=64)  # as its trainer sets it
    for start in range(0, len(lengths), size):
        rows = [document(length) for length in lengths[start : start + size]]
        yield collate(rows)["attention_mask"]


def packed_padding(lengths: list[int]) -> float:
    """Pack with axolotl's own sampler and return the share of a row that stays empty."""
    import numpy as np

    leave_out("numba", njit=lambda function: function)  # the sampler as plain Python, only slower
    from axolotl.utils.samplers.multipack import MultipackBatchSampler

    sampler = MultipackBatchSampler(range(len(lengths)), 1, LIMIT, np.array(lengths))
    packs = [row for batch in sampler.generate_batches() for row in batch]
    return 1 - sum(lengths[i] for row in packs for i in row) / (LIMIT * len(packs))


# What does not help, on a CPU.


@non_fix("patch-the-model-module", versions=STACK)
def patch_the_model_module() -> dict[str, Any]:
    """Replace the name on ``modeling_qwen2``, as axolotl 0.5.0 does when the flag is set."""
    kernel = Kernel().install()
    from transformers.models.qwen2 import modeling_qwen2

    modeling_qwen2._get_unpad_data = dead = MagicMock()
    return both_packs(kernel) | {"calls": dead.call_count}


@non_fix("cast-the-mask-to-bool", versions=STACK)
def cast_the_mask() -> dict[str, Any]:
    """Pass ``attention_mask.bool()``: offsets inside the rows, and three documents become one."""
    kernel, batch = Kernel().install(), pack(SMALL)
    return small_pack(kernel, batch | {"attention_mask": batch["attention_mask"].bool()})


@non_fix("cast-the-mask-to-bool", start="cold")
def transformers_5_casts_it() -> dict[str, Any]:
    """Hand the numbered mask to current transformers, which casts it itself: no crash, a leak."""
    return small_pack(Kernel().install(), pack(SMALL))


# torch's own variable-length flash attention, on a GPU and in child processes.


def run_overrun(*options: str, checker: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run overrun.py with every tensor an allocation of its own: behind it lies nobody's memory."""
    command = [*checker, sys.executable, str(Path(__file__).with_name("overrun.py")), *options]
    env = os.environ | {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"}
    child = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    print(child.stdout + child.stderr)
    return child


@reproduce(on="cuda", timeout_s=180, gpu_memory_gib=2)
def varlen_attention_past_the_rows() -> None:
    """Summed offsets of 64, then of 128 documents of 64 tokens: the kernel leaves its buffers."""
    for documents in ("64", "128"):
        child = run_overrun("--documents", documents, "--offsets", "summed")
        if child.returncode:
            sys.exit(1)


@detect(found=True, on="cuda", timeout_s=180)
def a_small_overrun_is_silent() -> dict[str, Any]:
    """Seven rows, offsets [0, 15]: no error, but the block behind the output is overwritten."""
    changed = neighbour_changes([0, sum(number * n for number, n in enumerate(SMALL, start=1))])
    return {"neighbour_changed": changed, "found": changed, **memory_checker("summed")}


@detect(found=False, on="cuda", timeout_s=180)
def counted_offsets() -> dict[str, Any]:
    """The control: counted offsets stay inside and equal attention per document."""
    seen = json.loads(run_overrun("--offsets", "counted").stdout.splitlines()[-1])
    changed = neighbour_changes([0, 2, 4, 7])
    found = changed or seen["difference"] > 0.05  # about one unit in the last place of bfloat16
    return {**seen, "neighbour_changed": changed, "found": found, **memory_checker("counted")}


def neighbour_changes(offsets: list[int]) -> bool:
    """Put ones right behind the place that the output will get, and see whether they stay."""
    shape = (sum(SMALL), 4, 64)  # in half precision a row is 512 bytes, the allocator's granularity
    q, k, v = (torch.randn(shape, device="cuda", dtype=torch.float16) for _ in range(3))
    ends = torch.tensor(offsets, dtype=torch.int32, device="cuda")
    place = torch.empty_like(q)
    neighbour = torch.ones(4 * shape[0], *shape[1:], device="cuda", dtype=torch.float16)
    del place  # free, and exactly the size of the output
    longest = max(end - start for start, end in pairwise(offsets))
    torch.ops.aten._flash_attention_forward(
        q,
        k,
        v,
        ends,
        ends,
        longest,
        longest,
        dropout_p=0.0,
        is_causal=True,
        return_debug_mask=False,
    )
    torch.cuda.synchronize()
    return bool((neighbour != 1).any())


def memory_checker(offsets: str) -> dict[str, Any]:
    """Count the errors that compute-sanitizer reports, where it is installed."""
    tool = shutil.which("compute-sanitizer")
    if tool is None:
        return {"checker": "not installed"}
    small = ("--documents", "4", "--length", "16", "--offsets", offsets)
    child = run_overrun(*small, checker=(tool, "--tool", "memcheck", "--print-limit", "5"))
    summary = re.search(r"ERROR SUMMARY: (\d+) error", child.stdout + child.stderr)
    return {"checker": "compute-sanitizer", "checker_errors": int(summary[1]) if summary else -1}


if __name__ == "__main__":
    main(__file__)
