"""Count the memory that tensors would take on a CUDA card while code runs on fake ones."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode, is_traceable_wrapper_subclass

from fixbook.fit.trace import Trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fixbook.fit.trace import Kind

BLOCK = 512  # bytes: what PyTorch's CUDA allocator rounds every request up to
_MATRIX = 4  # dimensions of attention scores: batch, heads, queries, keys


def rounded(size: int) -> int:
    """Return the bytes that the caching allocator gives for a request of some bytes."""
    return -(-size // BLOCK) * BLOCK


def _softmax_scratch(arguments: tuple[Any, ...]) -> int:
    """Return the bytes of ``grad * output``, which the CUDA kernel computes first (SoftMax.cu)."""
    sizes: list[int] = [one.numel() * one.element_size() for one in arguments[:2]]
    return max(sizes)


# What kernels allocate for themselves, and no operator shows.
SCRATCH = {torch.ops.aten._softmax_backward_data.default: _softmax_scratch}  # noqa: SLF001


class StorageCounter(TorchDispatchMode):
    """Follows every storage from its birth to its end, as events of a `Trace`.

    Attributes:
        trace: What was seen.
        born: The kind of what is allocated now.
    """

    def __init__(self, *, vocabulary: int, length: int) -> None:
        """Count from here on.

        Args:
            vocabulary: The last dimension of logits.
            length: Tokens of a sequence: scores are matrices of this size.
        """
        super().__init__()
        self.trace = Trace()
        self.born: Kind = "weights"
        self._numbers: dict[int, int] = {}
        self._vocabulary, self._length = vocabulary, length

    def __torch_dispatch__(
        self,
        func: Any,
        types: Iterable[type],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Run an operator, and count what it returns."""
        result = func(*args, **(kwargs or {}))
        scratch = SCRATCH.get(func)
        number = self.trace.allocate(rounded(scratch(args)), "scores") if scratch else 0
        for tensor in _tensors(result):
            self._count(tensor)
        if number:
            self.trace.release(number)
        return result

    def belongs(self, tensors: Iterable[torch.Tensor | None], kind: Kind) -> None:
        """Say what storages turned out to be, such as gradients."""
        for tensor in tensors:
            for part in _tensors(tensor):
                number = self._numbers.get(part.untyped_storage()._cdata)  # noqa: SLF001
                if number:
                    self.trace.kinds[number] = kind

    def _count(self, tensor: torch.Tensor) -> None:
        storage = tensor.untyped_storage()
        key, size = storage._cdata, storage.nbytes()  # noqa: SLF001
        if key in self._numbers or not size or tensor.device.type == "meta":
            return
        number = self.trace.allocate(rounded(size), self._kind(tensor))
        self._numbers[key] = number
        weakref.finalize(storage, self._drop, key)

    def _drop(self, key: int) -> None:
        self.trace.release(self._numbers.pop(key))

    def _kind(self, tensor: torch.Tensor) -> Kind:
        if self.born in {"weights", "optimizer"}:
            return self.born
        if tensor.dim() > 1 and tensor.shape[-1] == self._vocabulary:
            return "logits"
        if tensor.dim() == _MATRIX and tensor.shape[-2:] == (self._length, self._length):
            return "scores"
        # Autograd computes gradients without recording; what records there is recomputed.
        recomputed = self.born == "temporary" and torch.is_grad_enabled()
        return "activations" if recomputed else self.born


def _tensors(result: Any) -> Iterator[torch.Tensor]:
    if isinstance(result, torch.Tensor):
        if is_traceable_wrapper_subclass(result):
            names, _ = result.__tensor_flatten__()
            for name in names:
                yield from _tensors(getattr(result, name))
        else:
            yield result
    elif isinstance(result, (list, tuple)):
        for one in result:
            yield from _tensors(one)
