"""Linear layers whose frozen weights are quantized, by their bytes: bitsandbytes needs a card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn import functional

if TYPE_CHECKING:
    from fixbook.fit.plan import Quantized

_HALVES = (torch.float16, torch.bfloat16)
_GROUP = 64  # weights with one scale, in 4 bit
_SCALES = 256  # scales with one scale of their own, if they are quantized, too
_HEADS = ("lm_head", "embed_out", "output_layer")  # transformers leaves them as they are


class _Product(torch.autograd.Function):
    """A product with weights that exist in full only while it is computed, there and back."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, packed: torch.Tensor, shape: tuple[int, int]) -> Any:
        ctx.save_for_backward(packed)
        ctx.shape = shape
        return functional.linear(x, torch.empty(shape, dtype=x.dtype))

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> Any:
        return grads[0].matmul(torch.empty(ctx.shape, dtype=grads[0].dtype)), None, None


class QuantizedLinear(nn.Linear):
    """A linear layer with quantized weights: what is kept, and what a product needs for a while."""

    def __init__(
        self, linear: nn.Linear, form: Quantized, compute: torch.dtype, *, double: bool
    ) -> None:
        nn.Module.__init__(self)
        self.in_features, self.out_features = linear.in_features, linear.out_features
        count = linear.in_features * linear.out_features
        self._compute = compute
        self.bias = linear.bias
        if form == "int8":
            kept, scales = torch.empty(count, 1, dtype=torch.int8), (self.out_features,)
        else:
            kept, scales = (
                torch.empty((count + 1) // 2, 1, dtype=torch.uint8),
                (-(-count // _GROUP),),
            )
        self.weight = nn.Parameter(kept, requires_grad=False)
        small = torch.uint8 if double and form == "nf4" else torch.float32
        self.register_buffer("scales", torch.empty(scales, dtype=small))
        if small is torch.uint8:
            self.register_buffer("scales_of_scales", torch.empty(-(-scales[0] // _SCALES)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the product, in the precision of what came in."""
        shape = (self.out_features, self.in_features)
        y: torch.Tensor = _Product.apply(x.to(self._compute), self.weight, shape)
        if self.bias is not None:
            y = y + self.bias.to(self._compute)
        return y.to(x.dtype)


def quantize(model: nn.Module, form: Quantized, compute: torch.dtype, *, double: bool) -> None:
    """Replace the linear layers of a model, but not its head, and freeze all of it."""
    for name, module in list(model.named_modules()):
        parent, _, own = name.rpartition(".")
        if type(module) is nn.Linear and own not in _HEADS:
            setattr(
                model.get_submodule(parent),
                own,
                QuantizedLinear(module, form, compute, double=double),
            )
    for parameter in model.parameters():
        parameter.requires_grad_(False)  # noqa: FBT003  (torch names it by place alone)


def prepare(model: nn.Module) -> None:
    """Turn what is left in half precision to float32, as PEFT does for k-bit training."""
    widened: dict[int, nn.Parameter] = {}  # a tied weight is one
    for module in model.modules():
        for name, parameter in module._parameters.items():  # noqa: SLF001
            if parameter is None or parameter.dtype not in _HALVES:
                continue
            if id(parameter) not in widened:
                widened[id(parameter)] = nn.Parameter(parameter.detach().float(), False)  # noqa: FBT003
            module._parameters[name] = widened[id(parameter)]  # noqa: SLF001
