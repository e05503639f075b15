"""Activations kept for backward and full-vocabulary logits exceed the memory of the device."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "liger_kernel==0.8.5", "triton==3.7.1",
#     "axolotl==0.19.0", "accelerate==1.15.0", "datasets==5.2.0", "peft==0.21.2", "pyyaml==6.0.3",
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

import contextlib
import ctypes
import gc
import itertools
import multiprocessing
import resource
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

import torch
import yaml
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.distributed._tools.mem_tracker import MemTracker

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce

if TYPE_CHECKING:
    from collections.abc import Iterator

MIB, GIB = 1024**2, 1024**3
CONFIGS = Path(__file__).parent / "configs"

# Large tensors become mappings of their own and go back to the system when they die, so a limit
# on mapped memory counts live tensors and nothing else.
OWN_MAPPINGS = {"MALLOC_MMAP_THRESHOLD_": "196608"}
INTERPRETED = {"TRITON_INTERPRET": "1"}  # runs Liger's Triton kernel on the CPU
OWN_MAPPINGS_INTERPRETED = {"MALLOC_MMAP_THRESHOLD_": "196608", "TRITON_INTERPRET": "1"}
EXPANDABLE = {
    "MALLOC_MMAP_THRESHOLD_": "196608",
    "PYTORCH_ALLOC_CONF": "expandable_segments:True",
    "PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True",  # the name before torch 2.9
}
BUDGET = 240 * MIB  # for a step of SMALL beyond its weights: plain needs more, each fix less
SMALL = {
    "vocab_size": 16384,
    "hidden_size": 128,
    "intermediate_size": 512,
    "num_hidden_layers": 24,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
}
LLAMA_3B = {
    "vocab_size": 128256,
    "hidden_size": 3072,
    "intermediate_size": 8192,
    "num_hidden_layers": 28,
    "num_attention_heads": 24,
    "num_key_value_heads": 8,
    "head_dim": 128,
}
CUDA_SLICE = {
    **SMALL,
    "vocab_size": 32768,
    "hidden_size": 1024,
    "intermediate_size": 4096,
    "num_hidden_layers": 8,
    "num_attention_heads": 8,
    "num_key_value_heads": 8,
}


# --- one training step of transformers' Llama ----------------------------------------------------


def llama(
    shape: dict[str, int],
    *,
    checkpointing: bool = False,
    fused: bool = False,
    attention: str = "sdpa",
) -> torch.nn.Module:
    """Build the model in bf16, as a full fine-tune would hold it."""
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    config = LlamaConfig(
        **shape, tie_word_embeddings=True, attn_implementation=attention, use_cache=False
    )
    model = LlamaForCausalLM._from_config(config, dtype=torch.bfloat16).train()
    if checkpointing:
        checkpoint_the_layers(model)
    if fused:
        fuse_the_loss(model)
    return model


def checkpoint_the_layers(model: torch.nn.Module) -> None:
    """Let backward compute the inside of each layer again."""
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})


def fuse_the_loss(model: torch.nn.Module) -> None:
    """Let Liger compute lm_head and cross entropy together; everything else stays as it is."""
    from liger_kernel.transformers import apply_liger_kernel_to_llama

    apply_liger_kernel_to_llama(
        rope=False,
        rms_norm=False,
        swiglu=False,
        cross_entropy=False,
        fused_linear_cross_entropy=True,
        model=model,
    )


def train(model: torch.nn.Module, ids: torch.Tensor, micro_batch: int = 4) -> float:
    """Run forward and backward over a batch, in micro batches that accumulate gradients."""
    parts = ids.split(micro_batch)
    total = 0.0
    for part in parts:
        loss = model(input_ids=part, labels=part).loss / len(parts)
        loss.backward()
        total += loss.item()
    return total


def tokens(batch: int, length: int, vocabulary: int, device: str = "cpu") -> torch.Tensor:
    """Return the same random rows every time."""
    return torch.randint(
        vocabulary, (batch, length), generator=torch.Generator().manual_seed(1)
    ).to(device)


# --- a budget that the operating system enforces -------------------------------------------------


def mapped() -> int:
    """Return the private memory of this process, which RLIMIT_DATA limits (Linux)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmData")).split()[1])


def within_budget(**variant: bool) -> tuple[torch.nn.Module, torch.Tensor, int]:
    """Return model, tokens and what was mapped when the budget came into force."""
    ids = tokens(4, 256, SMALL["vocab_size"])
    model = llama(SMALL, **variant)
    train(model, ids[:, :4])  # what is loaded lazily is loaded now
    model.zero_grad()
    before = mapped()
    resource.setrlimit(resource.RLIMIT_DATA, (before + BUDGET, resource.RLIM_INFINITY))
    return model, ids, before


def step_within_budget(*, micro_batch: int = 4, **variant: bool) -> dict[str, Any]:
    """Train one step within BUDGET and compare its gradients with those of a plain step."""
    reference = gradients(llama(SMALL), tokens(4, 256, SMALL["vocab_size"]), 4)
    model, ids, _ = within_budget(**variant)
    seen = gradients(model, ids, micro_batch)
    resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    similarity = torch.nn.functional.cosine_similarity(seen.double(), reference.double(), dim=0)
    return {"budget_mib": BUDGET // MIB, "gradient_similarity": round(similarity.item(), 6)}


def gradients(model: torch.nn.Module, ids: torch.Tensor, micro_batch: int) -> torch.Tensor:
    """Train one step and return all gradients in one vector."""
    train(model, ids, micro_batch)
    return torch.cat([parameter.grad.flatten() for parameter in model.parameters()])


@reproduce(on="cpu", env=OWN_MAPPINGS)
def logits_do_not_fit() -> None:
    """Forward keeps the activations of all layers; the logits, copied to fp32, are too much."""
    step_within_budget()


@fix("gradient-checkpointing", on="cpu", env=OWN_MAPPINGS)
def checkpointing_fits() -> dict[str, Any]:
    """Train within the same budget with activations recomputed in backward."""
    return step_within_budget(checkpointing=True)


@fix("fused-linear-cross-entropy", on="cpu", env=OWN_MAPPINGS_INTERPRETED, needs=["liger_kernel"])
def fused_loss_fits() -> dict[str, Any]:
    """Train within the same budget with Liger's loss, which never holds all logits."""
    return step_within_budget(fused=True)


@fix("smaller-micro-batch", on="cpu", env=OWN_MAPPINGS)
def smaller_micro_batch_fits() -> dict[str, Any]:
    """Train within the same budget on one row at a time, four times; the gradients add up."""
    return step_within_budget(micro_batch=1)


@non_fix("expandable-segments", on="cpu", env=EXPANDABLE)
def nothing_to_defragment() -> None:
    """Fail although next to nothing is held that is not in use: the ideal the option aims at."""
    model, ids, before = within_budget()
    tracker = MemTracker()
    tracker.track_external(model)
    with tracker:
        try:
            train(model, ids)
        finally:
            live = tracker.get_tracker_snapshot("current")[torch.device("cpu")]["Total"]
            live -= sum(parameter.nbytes for parameter in model.parameters())
            measure(in_use_share=round(live / (mapped() - before), 3))


@non_fix("empty-the-cache", on="cpu", env=OWN_MAPPINGS)
def returning_free_memory_first() -> None:
    """Fail although all that is free has been given back to the system before the step."""
    gc.collect()
    torch.cuda.empty_cache()  # does nothing here; the next line is what the C library has instead
    ctypes.CDLL(None).malloc_trim(0)
    step_within_budget()


# --- what is kept, byte by byte ------------------------------------------------------------------


def saved_for_backward(vocabulary: int, **variant: bool) -> dict[str, Any]:
    """Count the bytes that autograd keeps between forward and backward, weights left out."""
    model = llama({**SMALL, "vocab_size": vocabulary}, **variant)
    weights = {p.untyped_storage().data_ptr() for p in model.parameters()}
    kept: dict[int, torch.Tensor] = {}

    def note(tensor: torch.Tensor) -> torch.Tensor:
        if tensor.untyped_storage().data_ptr() not in weights:
            kept[tensor.untyped_storage().data_ptr()] = tensor
        return tensor

    ids = tokens(2, 128, vocabulary)
    with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
        loss = model(input_ids=ids, labels=ids).loss
    sizes = [
        (tensor.untyped_storage().nbytes(), vocabulary in tensor.shape) for tensor in kept.values()
    ]
    return {
        "checkpointing": variant.get("checkpointing", False),
        "fused_loss": variant.get("fused", False),
        "saved_mib": round(sum(size for size, _ in sizes) / MIB, 1),
        "vocabulary_wide_mib": round(sum(size for size, wide in sizes if wide) / MIB, 1),
        "loss": round(loss.item(), 4),
    }


GRID: list[dict[str, bool]] = [
    {"checkpointing": checkpointing, "fused": fused}
    for fused in (False, True)
    for checkpointing in (False, True)
]


@detect(found=True, on="cpu", env=INTERPRETED, needs=["liger_kernel"])
def bytes_saved_for_backward() -> dict[str, Any]:
    """Show what each of the two remedies leaves: they remove different bytes."""
    rows = [saved_for_backward(16384, **variant) for variant in GRID]
    plain, both = rows[0]["saved_mib"], rows[-1]["saved_mib"]
    return {
        "found": plain > 10 * both,
        "saved": rows,
        "plain_mib": plain,
        "both_mib": both,
        "checkpointing_mib": rows[1]["saved_mib"],
        "fused_mib": rows[2]["saved_mib"],
    }


# --- Llama-3.2-3B on tensors without data --------------------------------------------------------


class Cell(NamedTuple):
    """One run of the 3B shape: rows × length, in micro batches, with or without the remedies."""

    batch: int = 4
    length: int = 4096
    accumulated: int = 1
    checkpointing: bool = False
    fused: bool = False
    attention: str = "sdpa"


class NoKernel:
    """Stands in for a kernel launch: Liger's kernel works in place and allocates nothing."""

    def __getitem__(self, grid: tuple[int, ...]) -> Any:
        return lambda **_: None


@contextlib.contextmanager
def tensors_without_data(tokens_: int) -> Iterator[None]:
    """Answer what Liger asks of data: how many labels count, is the incoming gradient one."""
    import liger_kernel.ops.fused_linear_cross_entropy as liger

    with (
        FakeTensorMode(),
        mock.patch.object(liger, "liger_cross_entropy_kernel", NoKernel()),
        mock.patch.object(torch.Tensor, "item", return_value=tokens_),
        mock.patch.object(torch, "equal", return_value=True),
    ):
        yield


class StepTracker(MemTracker):
    """Tracks the step as a whole; peaks per module take two thirds of the time and are not read."""

    def _update_peak_stats(self, peak_state: Any) -> None:
        modules, self.memory_tracking = self.memory_tracking, {}
        super()._update_peak_stats(peak_state)
        self.memory_tracking = modules


def peak_of(cell: Cell) -> dict[str, float]:
    """Track one step after the first optimizer step, in GiB at the moment of the peak.

    The device is 'cpu': on a CPU build, 'cuda' takes the attention path that keeps every score.
    """
    with tensors_without_data(cell.batch * cell.length):
        model = llama(
            LLAMA_3B, checkpointing=cell.checkpointing, fused=cell.fused, attention=cell.attention
        )
        optimizer = torch.optim.AdamW(model.parameters())
        for parameter in model.parameters():
            parameter.grad = torch.zeros_like(parameter)
        optimizer.step()
        optimizer.zero_grad()
        tracker = StepTracker()
        tracker.track_external(model, optimizer)
        ids = torch.zeros(cell.batch, cell.length, dtype=torch.long)
        with tracker:
            for _ in range(cell.accumulated):
                model(input_ids=ids, labels=ids).loss.backward()
                tracker.reset_mod_stats()
        peak = tracker.get_tracker_snapshot("peak")[torch.device("cpu")]
    sizes = {str(getattr(kind, "value", kind)).lower(): size / GIB for kind, size in peak.items()}
    kept = sizes["activation"] + sizes["temp"]
    return {
        "peak_gib": round(sizes["total"], 1),
        "activations_and_logits_gib": round(kept, 1),
        "share": round(kept / sizes["total"], 3),
    }


def side_by_side(cells: list[Cell]) -> list[dict[str, Any]]:
    """Track each cell in a process of its own; return one row per cell."""
    with ProcessPoolExecutor(4, multiprocessing.get_context("fork")) as pool:
        return [
            cell._asdict() | row for cell, row in zip(cells, pool.map(peak_of, cells), strict=True)
        ]


SLOW = {"on": "cpu", "timeout_s": 400, "memory_gib": 6, "needs": ["liger_kernel"]}


@detect(found=True, **SLOW)
def llama_3b_at_4_by_4096() -> dict[str, Any]:
    """Show the peak of the 3B shape, and what each remedy takes off it."""
    rows = side_by_side([Cell(**variant) for variant in GRID] + [Cell(batch=1, accumulated=2)])
    names = ("plain", "checkpointing", "fused", "both", "micro_batch")
    peaks = dict(zip(names, (row["peak_gib"] for row in rows), strict=True))
    saved = {f"{name}_saves": round(1 - peak / peaks["plain"], 3) for name, peak in peaks.items()}
    return {
        "found": rows[0]["share"] > 0.5,
        "peaks": rows,
        "share": rows[0]["share"],
        "kept_gib": rows[0]["activations_and_logits_gib"],
        **peaks,
        **saved,
    }


@detect(found=False, **SLOW)
def llama_3b_as_the_report_resolves() -> dict[str, Any]:
    """Show that one row of 512 tokens cannot fill a card, and what one row of 4096 could."""
    rows = side_by_side(
        [
            Cell(batch=1, length=512),
            Cell(batch=1),
            Cell(batch=1, attention="eager"),
        ]
    )
    return {
        "found": rows[0]["share"] > 0.5,
        "peaks": rows,
        "posted": rows[0]["peak_gib"],
        "row_of_4096_kept": rows[1]["activations_and_logits_gib"],
        "eager_kept": rows[2]["activations_and_logits_gib"],
    }


# --- the configuration that runs, not the one that was written -----------------------------------


def resolve(name: str) -> tuple[dict[str, Any], Any]:
    """Return a configuration as written, and as axolotl's own validation leaves it."""
    from axolotl.utils.config import prepare_plugins, validate_config
    from axolotl.utils.dict import DictDefault

    written = yaml.safe_load((CONFIGS / name).read_text())
    config = DictDefault(written)
    prepare_plugins(config)
    return written, validate_config(config)


def rows_kept(config: Any) -> list[int]:
    """Let axolotl's own filter drop the rows that are longer than the configuration allows."""
    # Imported on the way for packing, and unused here.
    sys.modules.setdefault("numba", mock.MagicMock())
    from axolotl.utils.trainer import filter_sequences_by_length

    lengths = (100, 500, 600, 1500, 2000)
    kept = filter_sequences_by_length(
        {"input_ids": [[1] * length for length in lengths]}, config.sequence_len
    )
    return list(itertools.compress(lengths, kept))


def resolved(name: str) -> dict[str, Any]:
    """Compare a configuration with what is left of it."""
    written, config = resolve(name)
    dropped = [key for key in written if key not in config]
    return {
        "found": bool(dropped),
        "dropped": dropped,
        "sequence_len": config.sequence_len,
        "checkpointing": bool(config.gradient_checkpointing),
        "rows_kept": rows_kept(config),
    }


@detect(found=True, on="cpu", needs=["axolotl"])
def written_2048_resolved_512() -> dict[str, Any]:
    """Show that `sequence_length` vanishes, and the rows over the default length with it."""
    return resolved("before.yaml")


@detect(found=False, on="cpu", needs=["axolotl"])
def written_2048_resolved_2048() -> dict[str, Any]:
    """Show that every key of the corrected file is kept, and every row."""
    return resolved("after.yaml")


AT_THE_TIME = [
    "axolotl==0.5.2",
    "transformers==4.46.3",
    "tokenizers==0.20.3",
    "huggingface_hub==0.26.5",
    "peft==0.13.2",
    "pynvml==11.5.3",
    "fastcore==1.7.22",
]


@detect(found=True, on="cpu", versions=AT_THE_TIME)
def axolotl_of_the_report() -> dict[str, Any]:
    """Show the same silence in the release before the report, and what its log calls cache."""
    from axolotl.utils import bench
    from axolotl.utils.config import validate_config
    from axolotl.utils.dict import DictDefault

    written = yaml.safe_load((CONFIGS / "before.yaml").read_text())
    config = validate_config(DictDefault(written))
    counters = {"memory_allocated": lambda _: 1 * GIB, "memory_reserved": lambda _: 71 * GIB}
    with mock.patch.multiple(torch.cuda, **counters):
        _, cache, _ = bench.gpu_memory_usage_all.__wrapped__(0)  # without the check for a GPU
    return {
        "found": "sequence_length" not in config,
        "sequence_len": config.sequence_len,
        "checkpointing": bool(config.gradient_checkpointing),
        "logged_as_cache_gib": cache,
    }


# --- on a GPU ------------------------------------------------------------------------------------

CUDA = {
    "on": "cuda",
    "gpu_memory_gib": 16,
    "memory_gib": 16,
    "timeout_s": 180,
    "needs": ["transformers"],
}
CUDA_LIGER = {
    "on": "cuda",
    "gpu_memory_gib": 16,
    "memory_gib": 16,
    "timeout_s": 180,
    "needs": ["transformers", "liger_kernel"],
}
CUDA_3B = {
    "on": "cuda",
    "gpu_memory_gib": 40,
    "memory_gib": 16,
    "timeout_s": 400,
    "needs": ["transformers", "liger_kernel"],
}


def cuda_peak(*, micro_batch: int = 2, **variant: bool) -> int:
    """Empty the cache, train one step, and return the most it had allocated, in bytes."""
    gc.collect()
    torch.cuda.empty_cache()
    with torch.device("cuda"):
        model = llama(CUDA_SLICE, **variant)
    torch.cuda.reset_peak_memory_stats()
    train(model, tokens(2, 4096, CUDA_SLICE["vocab_size"], "cuda"), micro_batch)
    return torch.cuda.max_memory_allocated()


def cap_between(plain: int, lower: int) -> None:
    """Let this process reserve no more than the middle between two peaks."""
    gc.collect()
    torch.cuda.empty_cache()
    total = torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction((plain + lower) / 2 / total)
    measure(plain_peak_gib=round(plain / GIB, 2), other_peak_gib=round(lower / GIB, 2))


def out_of_memory_without_pass_with(**variant: Any) -> dict[str, Any]:
    """Under a cap between the two peaks: the plain step must not fit, the variant must."""
    plain, lower = cuda_peak(), cuda_peak(**variant)
    cap_between(plain, lower)
    try:
        cuda_peak()
        ran_out = False
    except torch.OutOfMemoryError:
        ran_out = True
    gc.collect()
    return {"plain_ran_out": ran_out, "saved": round(1 - cuda_peak(**variant) / plain, 3)}


def plain_under_the_cap() -> None:
    """Run out of memory, and record what was reserved without being in use."""
    cap_between(cuda_peak(), cuda_peak(checkpointing=True))
    try:
        cuda_peak()
    finally:
        stats = torch.cuda.memory_stats()
        idle = 1 - stats["allocated_bytes.all.peak"] / max(1, stats["reserved_bytes.all.peak"])
        measure(reserved_but_idle=round(idle, 3))


@reproduce(**CUDA)
def cuda_does_not_fit() -> None:
    """Run out of memory under a cap that checkpointing would meet."""
    plain_under_the_cap()


@fix("gradient-checkpointing", **CUDA)
def cuda_checkpointing_fits() -> dict[str, Any]:
    """Out of memory without, pass with."""
    return out_of_memory_without_pass_with(checkpointing=True)


@fix("fused-linear-cross-entropy", **CUDA_LIGER)
def cuda_fused_loss_fits() -> dict[str, Any]:
    """Out of memory with the plain loss, pass with Liger's."""
    return out_of_memory_without_pass_with(fused=True)


@fix("smaller-micro-batch", **CUDA)
def cuda_smaller_micro_batch_fits() -> dict[str, Any]:
    """Out of memory with two rows at once, pass with one row twice."""
    return out_of_memory_without_pass_with(micro_batch=1)


@non_fix("expandable-segments", **CUDA, env=EXPANDABLE)
def cuda_expandable_segments() -> None:
    """Run out of memory just the same: what is in use alone exceeds the cap."""
    plain_under_the_cap()


@non_fix("empty-the-cache", **CUDA)
def cuda_cache_emptied_first() -> None:
    """Run out of memory just the same: `cuda_peak` empties the cache before every step."""
    plain_under_the_cap()


@detect(found=True, **CUDA_3B)
def cuda_llama_3b_peaks() -> dict[str, Any]:
    """Tabulate the peaks of the real 3B shape for 1 × 4096 and 4 × 4096, without an optimizer."""
    with torch.device("cuda"):
        model = llama(LLAMA_3B)
    rows = []
    for variant in GRID:
        model.gradient_checkpointing_disable()
        if variant["checkpointing"]:
            checkpoint_the_layers(model)
        if variant["fused"]:
            fuse_the_loss(model)
        rows += [variant | {"batch": batch} | cuda_memory(model, batch) for batch in (1, 4)]
    return {"found": rows[0]["left_in_cache_gib"] > rows[-2]["left_in_cache_gib"], "peaks": rows}


def cuda_memory(model: torch.nn.Module, batch: int) -> dict[str, Any]:
    """Compare what one step needed at its peak with what is in use and in the cache after it."""
    model.zero_grad()
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    try:
        train(model, tokens(batch, 4096, LLAMA_3B["vocab_size"], "cuda"), batch)
        fits = True
    except torch.OutOfMemoryError:
        fits = False
    in_use, reserved = torch.cuda.memory_allocated(), torch.cuda.memory_reserved()
    return {
        "fits": fits,
        "peak_allocated_gib": round(torch.cuda.max_memory_allocated() / GIB, 1),
        "peak_reserved_gib": round(torch.cuda.max_memory_reserved() / GIB, 1),
        "left_in_cache_gib": round((reserved - in_use) / GIB, 1),
    }


if __name__ == "__main__":
    main(__file__)
