"""What two checkpoints of a run say that no curve says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixbook.run_files.checkpoints import tensors_of
from fixbook.run_files.finding import Finding
from fixbook.run_files.rules import RUNNING
from fixbook.run_files.tensors import TornError, broken, equal, zero
from fixbook.text import N_, Sentence, _, say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fixbook.run_files.checkpoints import Checkpoint
    from fixbook.run_files.tensors import Tensor

# A loss scale may skip the first steps, and the first step of a warm-up has a learning rate of 0.
FIRST_STEPS = 10
_SHOWN = 80
_NAN, _ADAPTER = "nan-loss-fp16", "adapter-without-gradients-trains-on"
_FSDP2 = "fsdp2-meta-adapters-never-train"
# Where an infinite number is no mask.
_TRAINED = (".weight", ".bias")


def judge_weights(
    series: Sequence[Checkpoint], notes: list[str], watch: Callable[[int], None]
) -> list[Finding]:
    """Return what the last checkpoint of a run shows, beside one before it.

    Args:
        series: Its checkpoints, in order.
        notes: Receives what cannot be read or compared.
        watch: Called with the number of bytes read.
    """
    last = series[-1]
    tensors = tensors_of(last, notes)
    try:
        bad = _not_finite(last, tensors, watch)
        if bad:
            return [bad]
        found = [_never_moved(last, tensors)]
        before = _before(series)
        if before is not None:
            found.append(_equal(last, before, (tensors, tensors_of(before, notes)), watch))
    except (TornError, OSError) as error:
        reason = getattr(error, "strerror", None) or _("it breaks off")
        notes.append(_("{name}: not read: {reason}").format(name=last.folder, reason=reason))
        return []
    return [one for one in found if one is not None]


def _not_finite(
    last: Checkpoint, tensors: dict[str, Tensor], watch: Callable[[int], None]
) -> Finding | None:
    names = []
    for name, tensor in tensors.items():
        nan, infinite = broken(tensor, watch)
        if nan or (infinite and tensor.name.endswith(_TRAINED)):
            names.append(name)
    if not names:
        return None
    says = say(
        N_("{count} of {all} tensors hold NaN or Inf, the first is {name}"),
        count=len(names),
        all=len(tensors),
        name=names[0][:_SHOWN],
    )
    return _of("weights-not-finite", says, (_NAN,), last)


def _never_moved(last: Checkpoint, tensors: dict[str, Tensor]) -> Finding | None:
    """The second matrix of a LoRA begins as zeros, and is none after its first update."""
    second = [tensor for name, tensor in tensors.items() if "lora_B" in name and tensor.size]
    if not second or (last.step is not None and last.step < FIRST_STEPS):
        return None
    if not all(map(zero, second)):
        return None
    says = say(N_("all {count} lora_B are 0: no update has reached the LoRA"), count=len(second))
    return _of("lora-b-zero", says, (_ADAPTER, _FSDP2), last)


def _before(series: Sequence[Checkpoint]) -> Checkpoint | None:
    """The checkpoint before the last that a few updates lie between."""
    last = series[-1]
    for one in reversed(series[:-1]):
        if last.step is None or one.step is None or last.step - one.step >= RUNNING:
            return one
    return None


def _equal(
    last: Checkpoint,
    before: Checkpoint,
    tensors: tuple[dict[str, Tensor], dict[str, Tensor]],
    watch: Callable[[int], None],
) -> Finding | None:
    mine, its = tensors
    if not mine or mine.keys() != its.keys():
        return None
    if not all(equal(mine[name], its[name], watch) for name in mine):
        return None
    says = say(
        N_("all {count} tensors are the same in {before} and {last}: nothing was trained between"),
        count=len(mine),
        before=before.folder.name,
        last=last.folder.name,
    )
    return _of("weights-equal", says, (_ADAPTER,) if last.adapter else (), last)


def _of(rule: str, says: Sentence, owners: tuple[str, ...], last: Checkpoint) -> Finding:
    return Finding(rule, says, owners, str(last.folder), None, last.step)
