"""Optimizers: torch's own where they run on fake tensors, others by the bytes they keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import torch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fixbook.fit.plan import Optimizer

_BLOCK = 256  # elements with one scale in an 8-bit state
_SMALLEST = 4096  # elements from which bitsandbytes quantizes a state


class Steps(Protocol):
    """What a training step asks of an optimizer."""

    def step(self) -> None:
        """Change the weights."""

    def states(self) -> Iterator[torch.Tensor]:
        """Yield every tensor that is kept from step to step."""


class _Torch:
    def __init__(self, optimizer: torch.optim.Optimizer) -> None:
        self._optimizer = optimizer

    def step(self) -> None:
        self._optimizer.step()

    def states(self) -> Iterator[torch.Tensor]:
        for state in self._optimizer.state.values():
            yield from (one for one in state.values() if isinstance(one, torch.Tensor))


class _ByBytes:
    """Two states for each weight, which a kernel brings up to date in place.

    On pages, they stand in memory that the card shares with its host, and leave it when need be.
    """

    def __init__(self, parameters: list[torch.nn.Parameter], *, bits8: bool, paged: bool) -> None:
        self._parameters, self._bits8, self._paged = parameters, bits8, paged
        self._states: list[torch.Tensor] = []

    def step(self) -> None:
        if self._states or self._paged:
            return
        for parameter in self._parameters:
            count = parameter.numel()
            small = self._bits8 and count >= _SMALLEST
            for _ in range(2):
                kind = torch.uint8 if small else torch.float32
                self._states.append(torch.empty(count, dtype=kind))
                if small:
                    self._states.append(torch.empty(-(-count // _BLOCK)))

    def states(self) -> Iterator[torch.Tensor]:
        yield from self._states


def optimizer_of(name: Optimizer, parameters: list[torch.nn.Parameter]) -> Steps:
    """Return an optimizer of some parameters."""
    if name == "sgd":
        return _Torch(torch.optim.SGD(parameters, lr=1e-3, foreach=True))
    if name.endswith(("8bit", "paged")):
        return _ByBytes(parameters, bits8="8bit" in name, paged=name.endswith("paged"))
    fused = name == "adamw-fused"
    each = name == "adamw"
    return _Torch(torch.optim.AdamW(parameters, lr=1e-3, foreach=each, fused=fused or None))
