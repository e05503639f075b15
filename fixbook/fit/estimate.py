"""A configuration's prediction for one card, and what each change of it would come to."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fixbook.fit.changes import pairs, single
from fixbook.fit.plan import Plan
from fixbook.fit.predict import Prediction, Predictor
from fixbook.fit.reading import CannotTellError, precision
from fixbook.fit.verdict import GIB, verdict
from fixbook.text import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from fixbook.fit.changes import Change
    from fixbook.fit.reading import Reading
    from fixbook.fit.verdict import Verdict

    Changed = tuple[tuple[Change, ...], Plan]


@dataclass(frozen=True, slots=True)
class Option:
    """What one change, or two together, would come to.

    Attributes:
        changes: The changes.
        plan: What is trained with them.
        allocated: Bytes at the peak; None where that cannot be told.
        verdict: Whether that fits.
    """

    changes: tuple[Change, ...]
    plan: Plan
    allocated: float | None
    verdict: Verdict | None


@dataclass(slots=True)
class Estimate:
    """A prediction for a card.

    Attributes:
        reading: What was read.
        prediction: The peak, by phase and kind.
        card: Bytes of the card.
        reserved: The least and the most that the allocator may take.
        per_tokens: Bytes that 100 more tokens in the longest sequence take.
        options: What changes come to: those that help, the most helpful first.
        idle: Changes that leave the peak where it is, as another phase has it.
    """

    reading: Reading
    prediction: Prediction
    card: float
    reserved: tuple[float, float]
    per_tokens: float
    options: list[Option] = field(default_factory=list)
    idle: list[Option] = field(default_factory=list)

    @property
    def verdict(self) -> Verdict:
        """Whether it fits."""
        return verdict(self.prediction.allocated, self.card)


_LEAST = 0.005  # of the peak: a change that moves less is none
NOTHING = ()


def plan_of(
    reading: Reading, model: dict[str, Any], batch: int | None = None, length: int | None = None
) -> Plan:
    """Return what a reading comes to with a model.

    Args:
        reading: What a tool's configuration says.
        model: The content of the model's ``config.json``.
        batch: Sequences in a step, if not as many as the configuration says.
        length: Tokens of the longest of them, if not as many.
    """
    named = precision(model.get("dtype") or model.get("torch_dtype") or "float32")
    fields = dict(reading.plan)
    if fields["weights"] == "auto":
        fields["weights"] = named
        reading.settings.notes.append(
            say("weights are {dtype}, as the model's config.json says", dtype=named)
        )
    if fields["autocast"] == "auto":  # mixed precision as the weights are
        fields["autocast"] = "bfloat16" if fields["weights"] == "bfloat16" else "float16"
    plan = Plan(model, **fields)
    return replace(plan, batch=batch or plan.batch, length=length or plan.length)


def estimate(
    reading: Reading,
    plan: Plan,
    gib: float,
    *,
    with_pairs: bool = False,
    watch: Callable[[int, int], None] = lambda _done, _all: None,
) -> Estimate:
    """Predict a plan and its changes.

    Args:
        reading: Where the plan is from.
        plan: What is trained.
        gib: GiB of the card.
        with_pairs: Try each two changes together as well.
        watch: Called with how many changes were tried, and how many there are.

    Raises:
        CannotTellError: The model's code does not run without data.
    """
    predictor = Predictor()
    prediction = predictor.predict(plan)
    card = gib * GIB
    reserved, slope = predictor.reserved(plan), predictor.per_tokens(plan)
    found = Estimate(reading, prediction, card, reserved, slope)
    tried = [*single(plan), *(pairs(plan) if with_pairs else NOTHING)]
    for number, option in enumerate(_options(predictor, tried, card), 1):
        watch(number, len(tried))
        _sort_in(found, option)
    found.options.sort(key=lambda one: (one.allocated is None, one.allocated))
    return found


def _options(predictor: Predictor, tried: Iterable[Changed], card: float) -> Iterable[Option]:
    for changes, changed in tried:
        try:
            allocated = predictor.predict(changed).allocated
        except CannotTellError:
            yield Option(changes, changed, None, None)
        else:
            yield Option(changes, changed, allocated, verdict(allocated, card))


def _sort_in(found: Estimate, option: Option) -> None:
    before = found.prediction.allocated
    if option.allocated is not None and option.allocated < before * (1 - _LEAST):
        found.options.append(option)
    elif len(option.changes) == 1:
        found.idle.append(option)
