"""What would make a run smaller: each change, what it would come to, and what it costs."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fixbook.fit.plan import Adapter
from fixbook.text import N_

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fixbook.fit.plan import Attention, Plan


@dataclass(frozen=True, slots=True)
class Change:
    """A change to a plan.

    Attributes:
        name: Its name; tools have the lines that make it.
        price: What it costs, as a message.
        apply: Returns the changed plan, or None where there is nothing to change.
        same: True if the same is learnt with it, but for rounding.
    """

    name: str
    price: str
    apply: Callable[[Plan], Plan | None]
    same: bool = True


def _checkpointing(plan: Plan) -> Plan | None:
    return None if plan.checkpointing else replace(plan, checkpointing="non-reentrant")


def _fused(plan: Plan) -> Plan | None:
    return replace(plan, optimizer="adamw-fused") if plan.optimizer == "adamw" else None


def _bits8(plan: Plan) -> Plan | None:
    whole = plan.optimizer in {"adamw", "adamw-fused", "adamw-for-loop"}
    return replace(plan, optimizer="adamw-8bit") if whole else None


def _paged(plan: Plan) -> Plan | None:
    adam = plan.optimizer.startswith("adamw") and not plan.optimizer.endswith("paged")
    return replace(plan, optimizer="adamw-8bit-paged") if adam else None


def _sdpa(plan: Plan) -> Plan | None:
    wanted: Attention = "efficient" if plan.padded else "flash"
    return replace(plan, attention=wanted) if plan.attention == "eager" else None


def _chunked(plan: Plan) -> Plan | None:
    return None if plan.loss == "chunked" else replace(plan, loss="chunked")


def _batch(plan: Plan) -> Plan | None:
    # In two halves, gradients of the first are there while the second runs.
    if plan.batch == 1:
        return None
    return replace(plan, batch=plan.batch // 2, accumulates=True)


def _length(plan: Plan) -> Plan | None:
    return replace(plan, length=plan.length // 2) if plan.length > 1 else None


def _bfloat16(plan: Plan) -> Plan | None:
    return replace(plan, weights="bfloat16") if plan.weights == "float32" else None


def _nf4(plan: Plan) -> Plan | None:
    return replace(plan, quantized="nf4") if plan.adapter and not plan.quantized else None


def _lora(plan: Plan) -> Plan | None:
    return None if plan.adapter else replace(plan, adapter=Adapter(rank=16))


CHANGES = (
    Change("checkpointing", N_("each step computes the forward pass twice"), _checkpointing),
    Change("adamw-fused", N_("none is known"), _fused),
    Change(
        "adamw-8bit",
        N_("needs bitsandbytes; the optimizer's states are rounded to 8 bits"),
        _bits8,
        same=False,
    ),
    Change(
        "adamw-8bit-paged",
        N_("as before; states move to the host's memory where the card is full, which is slow"),
        _paged,
        same=False,
    ),
    Change("sdpa", N_("none is known; attention weights cannot be read out"), _sdpa),
    Change("chunked", N_("logits are computed in parts, and the model returns none"), _chunked),
    Change("batch", N_("twice as many, smaller passes for the same step"), _batch),
    Change("length", N_("what is longer is cut"), _length, same=False),
    Change(
        "bfloat16",
        N_("weights are rounded at each step: small updates are lost"),
        _bfloat16,
        same=False,
    ),
    Change("nf4", N_("needs bitsandbytes; frozen weights are rounded to 4 bits"), _nf4, same=False),
    Change("lora", N_("only an adapter is trained"), _lora, same=False),
)


def single(plan: Plan) -> Iterator[tuple[tuple[Change, ...], Plan]]:
    """Yield each change that there is to make, with what it makes of a plan."""
    for change in CHANGES:
        changed = change.apply(plan)
        if changed is not None:
            yield (change,), changed


def pairs(plan: Plan) -> Iterator[tuple[tuple[Change, ...], Plan]]:
    """Yield each two changes with which the same is learnt, or the optimizer is rounded."""
    cheap = [change for change in CHANGES if change.same or change.name == "adamw-8bit"]
    for one, other in itertools.combinations(cheap, 2):
        first = one.apply(plan)
        both = other.apply(first) if first else None
        if first and both and other.apply(plan):
            yield (one, other), both
