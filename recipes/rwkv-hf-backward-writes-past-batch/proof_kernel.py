"""transformers' own CUDA kernel for RWKV-4, on a GPU or compiled for the host, and its writes."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import inspect
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from failure import TOKENS, train
from transformers.models.rwkv import modeling_rwkv as rwkv

from fixbook.recipe import skip, snippet

if TYPE_CHECKING:
    from collections.abc import Iterator

CANARY, SLACK = 7, 4096
SANITIZE = ("-g", "-fsanitize=address", "-fno-omit-frame-pointer")
NAMES = ("time_decay", "time_first", "key.weight", "value.weight")


class HostKernel:
    """The kernel that transformers ships, compiled as C++: it writes wherever its indices lead."""

    def __init__(self, tmax: int, flags: tuple[str, ...] = ()) -> None:
        """Compile it: launches become calls, ATen gives way to its bf16; nothing else changes."""
        folder = Path(rwkv.__file__).parents[2] / "kernels/rwkv"
        glue, *kernels = ((folder / name).read_text() for name in (
            "wkv_op.cpp", "wkv_cuda.cu", "wkv_cuda_bf16.cu"
        ))  # fmt: skip
        declared = "\n".join(re.findall(r"(?m)^void cuda_.*;$", glue))
        text = re.sub(
            r"(\w+)<<<(\w+), (\w+)>>>\((.*?)\);",
            r"launch(\2, \3, [&] { \1(\4); });",
            "\n".join(kernels).replace('#include "ATen/ATen.h"', ""),
        )
        source = Path("wkv_cuda.cpp").resolve()
        source.write_text(f'#include "cuda_on_host.h"\nextern "C" {{\n{declared}\n}}\n{text}')
        include = (Path(__file__).parent, Path(torch.__file__).parent / "include")
        library = source.with_name(f"wkv_{tmax}.so")
        command = ["g++", "-std=c++17", "-O1", "-shared", "-fPIC", *flags, f"-DTmax={tmax}"]
        command += [*(f"-I{path}" for path in include), "-o", str(library), str(source)]
        subprocess.run(command, check=True)
        self._library = ctypes.CDLL(str(library))
        self.max_seq_length = TOKENS  # transformers sets it to the model's context_length
        self.called: list[str] = []

    def __getattr__(self, name: str) -> Any:
        """Return a function of the kernel; as in the glue, it gets sizes and bare pointers."""
        if name.startswith("__"):
            raise AttributeError(name)

        def call(*tensors: torch.Tensor) -> None:
            self.called.append(name)
            pointers = (ctypes.c_void_p(tensor.data_ptr()) for tensor in tensors)
            getattr(self._library, f"cuda_{name}")(*tensors[2].shape, *pointers)

        return call


def load_host_kernel(tmax: int, flags: tuple[str, ...]) -> None:
    """Let transformers take tensors of the CPU where it asks for CUDA, and call the host kernel."""
    for part in (rwkv.RwkvLinearAttention, rwkv.rwkv_linear_attention):
        lines, first = inspect.getsourcelines(part)
        code = "\n" * (first - 1) + "".join(lines).replace('!= "cuda"', '!= "cpu"')
        exec(compile(code, rwkv.__file__, "exec"), vars(rwkv))  # noqa: S102
    rwkv.rwkv_cuda_kernel = HostKernel(tmax, flags)


def load_gpu_kernel() -> None:
    """Load the kernel as transformers does: up to 4.57 it is compiled by nvcc."""
    try:
        rwkv.load_wkv_cuda_kernel(TOKENS)
    except Exception as error:  # noqa: BLE001  (no ninja, no headers …)
        skip(f"transformers cannot load its RWKV kernel here: {error}")


@contextlib.contextmanager
def canaries() -> Iterator[list[tuple[int, torch.Tensor]]]:
    """Put canaries behind all that torch.empty_like returns: (size, buffer with canaries)."""
    buffers: list[tuple[int, torch.Tensor]] = []
    plain = torch.empty_like

    def guarded(like: torch.Tensor, **options: Any) -> torch.Tensor:
        asked = plain(like, **options)
        whole = asked.new_full((asked.numel() + SLACK,), CANARY)
        buffers.append((asked.numel(), whole))
        return whole[: asked.numel()].view(asked.shape)

    with mock.patch.object(torch, "empty_like", guarded):
        yield buffers


def by_the_formula(decay: Any, first: Any, key: Any, value: Any, **_: Any) -> tuple[Any, None]:
    """RWKV-4 attention as it is defined: a weighted mean over tokens, with no recurrence."""
    step = torch.arange(key.shape[1])
    age = (step[:, None] - step - 1)[..., None]  # decays that token j has seen at token i
    weight = (key[:, None] - age * torch.exp(decay)).masked_fill(age < 0, -torch.inf)
    weight = torch.where(age == -1, (key + first)[:, None], weight).softmax(dim=2)
    return (weight * value[:, None]).sum(dim=2), None


def gradients(projector: Any) -> dict[str, torch.Tensor]:
    """Return the gradients of all layers by name, in double precision on the host."""
    named = {
        name: p.grad.double().cpu() for name, p in projector.named_parameters() if "att" in name
    }
    return {n: torch.cat([g.flatten() for k, g in named.items() if k.endswith(n)]) for n in NAMES}


def errors(got: dict[str, torch.Tensor], want: dict[str, torch.Tensor]) -> dict[str, float]:
    """Return each gradient's largest error, relative to that gradient's largest element."""
    return {n: float((got[n] - want[n]).abs().max() / want[n].abs().max()) for n in NAMES}


def train_watched(
    *, apply: str = "", sanitize: bool = False, tmax: int = TOKENS, **how: Any
) -> dict[str, Any]:
    """Train one step through the kernel; measure what it wrote, and its gradients.

    Args:
        apply: Snippet of the page to execute first.
        sanitize: Let AddressSanitizer watch the kernel instead of canaries.
        tmax: Longest sequence the kernel is compiled for.
        **how: See `failure.train`.
    """
    source = inspect.getsource(rwkv.RwkvLinearAttention).encode()
    with mock.patch.object(rwkv, "rwkv_linear_attention", by_the_formula):
        size = {"samples": how.get("samples", 2), "tiles": how.get("tiles", 1)}
        want = gradients(train(dtype="float64", **size)[0])
        first = gradients(train(dtype="float64", samples=1)[0])

    on_gpu = how.get("device") == "cuda"
    load_gpu_kernel() if on_gpu else load_host_kernel(tmax, SANITIZE if sanitize else ())
    kernel = rwkv.rwkv_cuda_kernel
    if apply:
        snippet(apply)
    with contextlib.nullcontext([]) if sanitize else canaries() as buffers:
        projector, llm = train(**how)
    past = [(whole[room:] != CANARY).sum().item() * whole.element_size() for room, whole in buffers]
    got = gradients(projector)
    wrong = errors(got, want)
    return {
        "found": sum(past) > 0,
        "bytes_past": sum(past),
        "buffers_overrun": sum(size > 0 for size in past),
        "time_decay_error": wrong["time_decay"],
        "time_first_error": wrong["time_first"],
        "key_error": max(wrong["key.weight"], wrong["value.weight"]),
        "worst_error": max(wrong.values()),
        "from_first_sample": max(
            errors({n: g * size["samples"] for n, g in got.items()}, first)[n] for n in NAMES[:2]
        ),
        "kernel": "" if on_gpu else " ".join(sorted(set(kernel.called))),
        "trained_llm_parameters": sum(p.numel() for p in llm.parameters() if p.requires_grad),
        "source": hashlib.sha256(source).hexdigest()[:12],
    }
