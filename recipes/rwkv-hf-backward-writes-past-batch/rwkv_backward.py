"""transformers' own RWKV-4 backward on the host, and what its gradients should be."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

BATCHES = (1, 2, 8)
TOKENS, CHANNELS = 6, 32
NAMES = ("time_decay", "time_first", "key", "value")


def modeling() -> Any:
    """Return transformers' module: imported late, as some steps do without transformers."""
    from transformers.models.rwkv import modeling_rwkv

    return modeling_rwkv


def rows_per_sample(w: Tensor, u: Tensor, k: Tensor, v: Tensor, gy: Tensor) -> list[Tensor]:
    """Return what the CUDA kernel stores: a row per sample for both parameters, g_key, g_value."""
    samples, _, channels = k.shape
    rows = [p.float().expand(samples, channels).clone() for p in (torch.log(-w.float()), u)]
    leaves = [leaf.requires_grad_() for leaf in (*rows, k.float().clone(), v.float().clone())]
    with torch.enable_grad():
        output, _ = modeling().rwkv_linear_attention_cpu(*leaves)
        return list(torch.autograd.grad(output, leaves, gy.float()))


class RecordingKernel:
    """Stands in for the CUDA kernel: keeps what lands inside the buffers, counts what does not."""

    max_seq_length = 1024

    def __init__(self) -> None:
        self.calls: list[dict[str, int]] = []

    def backward(self, *tensors: Tensor) -> None:
        """Fill the gradients in the kernel's order of elements."""
        w, u, k, v, _, gy, *buffers = tensors
        for buffer, values in zip(buffers, rows_per_sample(w, u, k, v, gy), strict=True):
            buffer.view(-1).copy_(values.reshape(-1)[: buffer.numel()])
            room, written = buffer.numel(), values.numel()
            past = (written - room) * buffer.element_size()
            self.calls.append({"room": room, "written": written, "bytes_past": past})

    backward_bf16 = backward

    @property
    def bytes_past(self) -> int:
        """How far all calls together wrote past their buffers."""
        return sum(call["bytes_past"] for call in self.calls)


def inputs_of(
    batch: int, dtype: torch.dtype = torch.float32, device: str = "cpu"
) -> tuple[list[Tensor], Tensor]:
    """Return time_decay, time_first, key and value, and a gradient of the output."""
    torch.manual_seed(0)
    shapes = [(CHANNELS,), (CHANNELS,), *[(batch, TOKENS, CHANNELS)] * 3]
    *inputs, gradient = (torch.randn(shape).to(device, dtype) for shape in shapes)
    return inputs, gradient


def run_backward(kernel: Any, batch: int, dtype: torch.dtype = torch.float32) -> list[Tensor]:
    """Call transformers' RwkvLinearAttention.backward with `kernel` in place of the CUDA one."""
    rwkv = modeling()
    rwkv.rwkv_cuda_kernel = kernel
    (decay, first, key, value), gradient = inputs_of(batch, dtype)
    output, _ = rwkv.rwkv_linear_attention_cpu(decay, first, key, value)
    # What its forward saves: the kernel takes -exp(time_decay); float16 is computed in float32.
    work = torch.float32 if dtype == torch.float16 else dtype
    rest = (tensor.to(work) for tensor in (first, key, value, output))
    ctx = SimpleNamespace(input_dtype=dtype, saved_tensors=(-torch.exp(decay.float()), *rest))
    return list(rwkv.RwkvLinearAttention.backward(ctx, gradient)[:4])


def with_real_backward() -> Callable[..., Any]:
    """Return transformers' autograd function; only its forward, which insists on CUDA, is ours."""
    rwkv = modeling()

    class OnHost(rwkv.RwkvLinearAttention):
        @staticmethod
        def forward(ctx: Any, *inputs: Any) -> Any:
            time_decay, time_first, key, value, *_ = inputs
            output, state = rwkv.rwkv_linear_attention_cpu(*inputs)
            ctx.input_dtype = key.dtype
            saved = -torch.exp(time_decay.float())
            ctx.save_for_backward(saved, time_first, key, value, output)
            return output, state

    def attend(*inputs: Tensor, state: Any = None, return_state: bool = False) -> Any:
        return OnHost.apply(*inputs, state, return_state)

    return attend


def definition(decay: Tensor, first: Tensor, key: Tensor, value: Tensor) -> tuple[Tensor, None]:
    """Compute RWKV-4 attention by its formula: a weighted mean over tokens, in double precision."""
    decay, first, key, value = (tensor.double() for tensor in (decay, first, key, value))
    step = torch.arange(key.shape[1], device=key.device)
    age = (step[:, None] - step - 1)[..., None]  # decays that token j has seen at token i
    weight = (key[:, None] - age * torch.exp(decay)).masked_fill(age < 0, -torch.inf)
    weight = torch.where(age == -1, (key + first)[:, None], weight).softmax(dim=2)
    return (weight * value[:, None]).sum(dim=2), None


def autograd(
    attend: Callable[..., Any], batch: int, device: str = "cpu", used: int | None = None
) -> list[Tensor]:
    """Return autograd's gradients of `attend`, counting the first `used` samples only."""
    inputs, gradient = inputs_of(batch, device=device)
    output, _ = attend(*(tensor.requires_grad_() for tensor in inputs))
    return list(torch.autograd.grad(output[:used], inputs, gradient[:used].to(output.dtype)))


def errors(got: list[Tensor], want: list[Tensor]) -> dict[str, float]:
    """Return each gradient's largest error, relative to that gradient's largest element."""
    return {
        f"{name}_error": float((g - w).abs().max() / w.abs().max())
        for name, g, w in zip(NAMES, got, want, strict=False)
    }


def by_batch() -> list[dict[str, Any]]:
    """Tabulate the buffer of time_decay's gradient, and the errors of all four, by batch size."""
    table = []
    for batch in BATCHES:
        kernel = RecordingKernel()
        wrong = errors(run_backward(kernel, batch), autograd(definition, batch))
        table.append({"batch": batch, **kernel.calls[0], **wrong})
    return table


def worst(table: list[dict[str, Any]]) -> float:
    """Return the largest error of a table."""
    return max(row[f"{name}_error"] for row in table for name in NAMES if f"{name}_error" in row)


def path_on_a_gpu() -> str:
    """Ask transformers' dispatcher where it sends CUDA tensors (fake ones: they hold no data)."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    rwkv = modeling()
    with (
        mock.patch.object(rwkv, "RwkvLinearAttention") as kernel,
        mock.patch.object(rwkv, "rwkv_linear_attention_cpu") as loop,
        FakeTensorMode(),
    ):
        parameter = torch.empty(CHANNELS, device="cuda")
        tokens = torch.empty(2, TOKENS, CHANNELS, device="cuda")
        rwkv.rwkv_linear_attention(parameter, parameter, tokens, tokens)
        return "kernel" if kernel.apply.called else "loop in torch" if loop.called else "neither"
