"""One training step on fake tensors, and what it would take on a card."""

from __future__ import annotations

import contextlib
import logging
import warnings
from typing import TYPE_CHECKING, Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from fixbook.fit.counter import StorageCounter
from fixbook.fit.loss import loss_of
from fixbook.fit.model import built, layers_of
from fixbook.fit.on_cuda import as_on_cuda
from fixbook.fit.optimizers import optimizer_of
from fixbook.fit.trace import Moment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import nn

    from fixbook.fit.optimizers import Steps
    from fixbook.fit.plan import Plan
    from fixbook.fit.trace import Trace


def traced(plan: Plan, layers: int | None = None, *, steps: int = 0) -> tuple[Trace, int]:
    """Run a step whose optimizer has its states, and return what it allocated.

    Args:
        plan: The plan.
        layers: How many layers the model has, if not as many as its configuration says.
        steps: Whole steps that are run before it. The optimizer's states, which the first step
            makes, are there without any.

    Returns:
        The events of the last step, with those that came before it, and the number of layers.

    Raises:
        Exception: Whatever the model's code raises where it asks for data that is not there.
    """
    with warnings.catch_warnings(), _quiet(), as_on_cuda(plan.attention):
        warnings.simplefilter("ignore")
        with FakeTensorMode(allow_non_fake_inputs=True):
            counter = StorageCounter(vocabulary=_vocabulary(plan), length=plan.length)
            with counter:
                return _Step(plan, layers, counter).run(steps)


class _Step:
    def __init__(self, plan: Plan, layers: int | None, counter: StorageCounter) -> None:
        self._plan, self._counter = plan, counter
        self._model = built(plan, layers)
        self._trained = [one for one in self._model.parameters() if one.requires_grad]
        self._optimizer: Steps = optimizer_of(plan.optimizer, self._trained)
        self._phase = "load"
        self._layers = self._watch()
        counter.trace.loaded = len(counter.trace.events)

    def run(self, steps: int) -> tuple[Trace, int]:
        if not steps:
            self._make_states()
        for _ in range(steps + 1):
            self._counter.trace.moments.clear()
            self._once()
        return self._counter.trace, self._layers

    def _make_states(self) -> None:
        """Have the optimizer make its states, as its first step does."""
        self._counter.born = "temporary"
        self._give_gradients()
        self._optimizer.step()
        self._counter.belongs(self._optimizer.states(), "optimizer")
        self._forget_gradients()

    def _once(self) -> None:
        plan, counter = self._plan, self._counter
        if plan.accumulates:
            counter.born = "gradients"
            self._give_gradients()
        self._begin("forward")
        counter.born = "activations"
        ids = torch.zeros(plan.batch, plan.length, dtype=torch.long)
        mask = torch.ones_like(ids) if plan.padded else None
        loss, held = loss_of(self._model, plan, ids, mask)
        if not plan.keeps_outputs:
            held = None
        counter.born = "temporary"
        self._begin("backward")
        loss.backward()
        del loss
        counter.belongs((one.grad for one in self._trained), "gradients")
        self._begin("optimizer")
        if plan.clips:
            torch.nn.utils.clip_grad_norm_(self._trained, 1.0)
        self._optimizer.step()
        counter.belongs(self._optimizer.states(), "optimizer")
        self._forget_gradients()
        del held

    def _give_gradients(self) -> None:
        for one in self._trained:
            one.grad = torch.empty_like(one)

    def _forget_gradients(self) -> None:
        for one in self._trained:
            one.grad = None

    def _begin(self, phase: Any, layer: int | None = None, *, after: bool = False) -> None:
        self._phase = phase
        self._counter.trace.begin(Moment(phase, layer, after))

    def _watch(self) -> int:
        """Have every layer tell when it begins, forwards and backwards; return how many."""
        layers = layers_of(self._model)
        if layers is None:
            return 0
        for index, layer in enumerate(layers):
            layer.register_forward_pre_hook(self._before(index))
            layer.register_forward_hook(self._behind(index, last=index == len(layers) - 1))
        return len(layers)

    def _before(self, index: int) -> Any:
        def tell(_module: nn.Module, _args: Any) -> None:
            self._begin(self._phase, index)  # backwards, it is recomputed

        return tell

    def _behind(self, index: int, *, last: bool) -> Any:
        def tell(_module: nn.Module, _args: Any, output: Any) -> None:
            if self._phase != "forward":
                return
            if last:
                self._begin("forward", after=True)
            out = output if isinstance(output, torch.Tensor) else output[0]
            if out.requires_grad:
                out.register_hook(lambda _grad: self._begin("backward", index))

        return tell


def _vocabulary(plan: Plan) -> int:
    return int(plan.model.get("vocab_size") or 0)


# PEFT imports it, and it tells of a CPU's faster kernels that nothing here would use.
_TELLS_OF_KERNELS = "bitsandbytes.backends.cpu.ops"


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep advice of the libraries to themselves: it is about runs, not about predictions."""
    from transformers.utils import logging as advice  # noqa: PLC0415  (slow)

    before, kernels = advice.get_verbosity(), logging.getLogger(_TELLS_OF_KERNELS)
    level = kernels.level
    advice.set_verbosity_error()
    kernels.setLevel(logging.ERROR)
    try:
        yield
    finally:
        advice.set_verbosity(before)
        kernels.setLevel(level)
