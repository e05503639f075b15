"""RWKV-4 in transformers: backward has room for one sample, the kernel writes a row per sample."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "transformers==5.23.0", "PyYAML==6.0.3"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from fixbook.recipe import detect, fix, main, measure, non_fix, reproduce

if TYPE_CHECKING:
    from torch import Tensor

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import host_kernel  # noqa: E402
from rwkv_backward import (  # noqa: E402
    BATCHES,
    CHANNELS,
    TOKENS,
    RecordingKernel,
    autograd,
    by_batch,
    definition,
    errors,
    inputs_of,
    modeling,
    path_on_a_gpu,
    rows_per_sample,
    run_backward,
    with_real_backward,
    worst,
)

RELEASE_BEFORE = ["transformers==4.29.2", "tokenizers==0.13.3", "huggingface_hub==0.14.1"]
FIRST_RELEASE = ["transformers==4.30.0", "tokenizers==0.13.3", "huggingface_hub==0.14.1"]
GXX = ["g++"]
LAST_WITH_SOURCES = ["transformers==4.57.6", "tokenizers==0.22.1", "huggingface_hub==0.36.0"]


def run_published(*path: str) -> None:
    """Run a snippet out of entry.yaml, so that what is published is what was executed."""
    import yaml

    found = yaml.safe_load((HERE / "entry.yaml").read_text(encoding="utf-8"))
    for key in path:
        named = isinstance(found, list)
        found = next(item for item in found if item["id"] == key) if named else found[key]
    exec(compile(found["code"], f"entry.yaml: {' '.join(path)}", "exec"), {})  # noqa: S102


def shipped_kernel() -> host_kernel.HostKernel:
    """Compile transformers' own wkv_cuda.cu for the host."""
    package = Path(modeling().__file__).parents[2]
    return host_kernel.HostKernel(host_kernel.shipped_source(package))


@reproduce(on="cpu", programs=GXX)
def our_kernel_writes_past_the_gradient() -> None:
    """What transformers allocates, a kernel with the same indices overruns: AddressSanitizer."""
    host_kernel.start_again_under_sanitizer()
    kernel = host_kernel.HostKernel(host_kernel.OURS)
    run_backward(kernel, batch=1)
    measure(clean_at_batch_1=True)
    run_backward(kernel, batch=2)


@reproduce(on="cpu", versions=LAST_WITH_SOURCES, programs=GXX)
def shipped_kernel_writes_past_the_gradient() -> None:
    """The same with the CUDA kernel that transformers 4.57.6 ships, compiled for the host."""
    host_kernel.start_again_under_sanitizer()
    kernel = shipped_kernel()
    run_backward(kernel, batch=1)
    measure(clean_at_batch_1=True)
    run_backward(kernel, batch=2)


@detect(found=True, on="cpu")
def room_for_one_sample() -> dict[str, Any]:
    """Backward allocates C elements whatever the batch: two of the gradients are one sample's."""
    run_published("detect")
    table = by_batch()
    first_sample = errors(run_backward(RecordingKernel(), 2), autograd(definition, 2, used=1))
    return {
        "found": table[1]["written"] > table[1]["room"],
        "by_batch": table,
        "room": table[1]["room"],
        "written": table[1]["written"],
        "time_decay_error": table[1]["time_decay_error"],
        "time_first_error": table[1]["time_first_error"],
        "key_error": table[1]["key_error"],
        "from_first_sample": max(first_sample[f"{n}_error"] for n in ("time_decay", "time_first")),
    }


@detect(found=False, on="cpu")
def room_for_every_sample() -> dict[str, Any]:
    """With the patch there is a row per sample, and all gradients are those of the batch."""
    run_published("fixes", "allocate-per-sample")
    run_published("detect")
    table = by_batch()
    return {"found": table[1]["written"] > table[1]["room"], "by_batch": table}


@detect(found=True, on="cpu", versions=FIRST_RELEASE)
def first_release() -> dict[str, Any]:
    """Release 4.30.0, the first whose backward can be called, measures the same."""
    table = by_batch()
    return {"found": table[1]["written"] > table[1]["room"], "by_batch": table}


@detect(found=False, on="cpu", versions=RELEASE_BEFORE)
def release_before() -> dict[str, Any]:
    """Release 4.29.2 cannot be affected: autograd fails to call its backward at all."""
    modeling().rwkv_cuda_kernel = kernel = RecordingKernel()
    try:
        autograd(with_real_backward(), 2)
    except TypeError as error:
        return {"found": bool(kernel.calls), "error": str(error)}
    return {"found": kernel.bytes_past > 0, "error": ""}


@detect(found=True, on="cpu", versions=LAST_WITH_SOURCES, programs=GXX)
def shipped_kernel_writes_a_row_per_sample() -> dict[str, Any]:
    """Given room enough, the shipped kernel writes B times C elements: the rows we count on."""
    host_kernel.start_again_under_sanitizer()
    kernel = shipped_kernel()
    (decay, first, key, value), gradient = inputs_of(2)
    output, _ = modeling().rwkv_linear_attention_cpu(decay, first, key, value)
    w = -torch.exp(decay)
    got = [torch.full((2, CHANNELS), torch.nan) for _ in range(2)]
    got += [torch.empty_like(key), torch.empty_like(value)]
    kernel.backward(w, first, key, value, output, gradient, *got)
    written = int(got[0].isfinite().sum())
    rows = rows_per_sample(w, first, key, value, gradient)
    return {
        "found": written > decay.numel(),
        "room": decay.numel(),
        "written": written,
        "stand_in_error": max(errors(got, rows).values()),
    }


@fix("allocate-per-sample", on="cpu")
def patched_gradients() -> dict[str, Any]:
    """The published patch: all gradients equal autograd's at batch sizes 1, 2 and 8."""
    run_published("fixes", "allocate-per-sample")
    table = by_batch()
    return {"batches": [row["batch"] for row in table], "worst_error": worst(table)}


@fix("allocate-per-sample", on="cpu", programs=GXX)
def patched_writes_stay_inside() -> dict[str, Any]:
    """The published patch under AddressSanitizer, with a kernel that writes for real."""
    host_kernel.start_again_under_sanitizer()
    kernel = host_kernel.HostKernel(host_kernel.OURS)
    run_published("fixes", "allocate-per-sample")
    wrong = [errors(run_backward(kernel, b), autograd(definition, b)) for b in BATCHES]
    return {"batches": list(BATCHES), "worst_error": worst(wrong)}


@fix("batch-size-one", on="cpu")
def micro_batches_of_one() -> dict[str, Any]:
    """Unpatched, one sample at a time: eight accumulated backward passes equal a batch of eight."""
    modeling().rwkv_cuda_kernel = kernel = RecordingKernel()
    attend = with_real_backward()
    (decay, first, key, value), gradient = inputs_of(8)
    parameters = [decay.requires_grad_(), first.requires_grad_()]
    for one in range(8):
        output, _ = attend(*parameters, key[one : one + 1], value[one : one + 1])
        output.backward(gradient[one : one + 1])
    wrong = errors([decay.grad, first.grad], autograd(definition, 8))
    return {"passes": 8, "bytes_past": kernel.bytes_past, "worst_error": worst([wrong])}


@fix("pure-torch-path", on="cpu")
def kernel_switched_off() -> dict[str, Any]:
    """Without a kernel transformers loops in torch, on GPU tensors too; its gradients are right."""
    rwkv = modeling()
    rwkv.rwkv_cuda_kernel = RecordingKernel()
    before = path_on_a_gpu()
    run_published("fixes", "pure-torch-path")
    loop = rwkv.rwkv_linear_attention_cpu
    wrong = [errors(autograd(loop, b), autograd(definition, b)) for b in BATCHES]
    return {"before": before, "after": path_on_a_gpu(), "worst_error": worst(wrong)}


@non_fix("change-the-precision", on="cpu")
def every_precision() -> dict[str, Any]:
    """float32, float16 and bfloat16: the same C elements for B times C results."""
    table = []
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        kernel = RecordingKernel()
        run_backward(kernel, 2, dtype)
        table.append({"dtype": str(dtype).removeprefix("torch."), **kernel.calls[0]})
    return {"by_dtype": table, "least_bytes_past": min(row["bytes_past"] for row in table)}


@non_fix("freeze-the-llm", on="cpu")
def frozen_language_model() -> dict[str, Any]:
    """A real RWKV projector before a real Llama: frozen or not, backward writes as far past."""
    from transformers import LlamaConfig, LlamaForCausalLM, RwkvConfig, RwkvModel

    rwkv = modeling()
    rwkv.rwkv_linear_attention = with_real_backward()
    shape = {"hidden_size": CHANNELS, "num_hidden_layers": 2, "vocab_size": 16}
    llama = LlamaConfig(intermediate_size=64, num_attention_heads=2, **shape)
    torch.manual_seed(0)
    projector = RwkvModel(RwkvConfig(context_length=TOKENS, **shape)).train()
    llm = LlamaForCausalLM(llama).train()
    image, labels = torch.randn(2, TOKENS, CHANNELS), torch.randint(16, (2, TOKENS))

    past = {}
    for name, trained in {"frozen": False, "trained": True}.items():
        rwkv.rwkv_cuda_kernel = kernel = RecordingKernel()
        llm.requires_grad_(trained)
        tokens = projector(inputs_embeds=image).last_hidden_state
        llm(inputs_embeds=tokens, labels=labels).loss.backward()
        past[f"bytes_past_{name}"] = kernel.bytes_past
    return {"same": len(set(past.values())) == 1, **past}


def behind_canaries(batch: int, rows: int, device: str) -> tuple[int, list[Tensor]]:
    """Run the Triton kernel on buffers of `rows` rows that end in canaries.

    Returns:
        How many canaries were overwritten, and the gradients of time_decay and time_first.
    """
    import triton
    import wkv_triton

    canary = 7.0
    (decay, first, key, value), gradient = inputs_of(batch, device=device)
    buffers = torch.full((2, (batch + 1) * CHANNELS), canary, device=device)
    tensors = (-torch.exp(decay), first, key, value, gradient, *buffers)
    grid = (batch, triton.cdiv(CHANNELS, 32))
    wkv_triton.wkv_backward[grid](*tensors, TOKENS, CHANNELS, BLOCK=32)
    room = rows * CHANNELS
    gradients = [buffer[:room].view(rows, CHANNELS).sum(dim=0) for buffer in buffers]
    return int((buffers[:, room:] != canary).sum()), gradients


@detect(found=True, on="cuda")
def gpu_canaries_behind_one_row(device: str = "cuda") -> dict[str, Any]:
    """Our Triton kernel, room for one row: canaries intact at batch 1, overwritten at batch 2."""
    alone, gradients_alone = behind_canaries(1, rows=1, device=device)
    overwritten, gradients = behind_canaries(2, rows=1, device=device)
    return {
        "found": overwritten > 0,
        "overwritten_at_batch_1": alone,
        "error_at_batch_1": worst([errors(gradients_alone, autograd(definition, 1, device))]),
        "overwritten_at_batch_2": overwritten,
        "error_at_batch_2": min(errors(gradients, autograd(definition, 2, device)).values()),
    }


@detect(found=False, on="cuda")
def gpu_canaries_behind_every_row(device: str = "cuda") -> dict[str, Any]:
    """The same kernel with a row per sample: canaries intact, and the sum is the gradient."""
    overwritten, gradients = behind_canaries(2, rows=2, device=device)
    wrong = errors(gradients, autograd(definition, 2, device))
    return {"found": overwritten > 0, "overwritten": overwritten, "worst_error": worst([wrong])}


HUB = {"needs": ["transformers", "kernels"], "env": {"HF_HUB_OFFLINE": "0"}, "timeout_s": 300}


def hub_kernel_errors(batch: int) -> dict[str, float]:
    """Compare the kernel that transformers loads with the definition.

    Harmless unpatched at batch 2: torch hands out device memory in blocks of 512 bytes, and two
    rows of 32 floats fit into one.
    """
    rwkv = modeling()
    rwkv.load_wkv_cuda_kernel(TOKENS)
    want = autograd(definition, batch, "cuda")
    return errors(autograd(rwkv.rwkv_linear_attention, batch, "cuda"), want)


@detect(found=True, on="cuda", **HUB)
def gpu_hub_kernel() -> dict[str, Any]:
    """All of it as transformers does it: its forward, its backward, the kernel from the Hub."""
    alone, wrong = hub_kernel_errors(1), hub_kernel_errors(2)
    return {"found": wrong["time_decay_error"] > 0.01, "error_at_batch_1": worst([alone]), **wrong}


@fix("allocate-per-sample", on="cuda", **HUB)
def gpu_hub_kernel_patched() -> dict[str, Any]:
    """The kernel from the Hub behind the published patch."""
    run_published("fixes", "allocate-per-sample")
    return {"worst_error": worst([hub_kernel_errors(batch) for batch in BATCHES])}


if __name__ == "__main__":
    main(__file__)
