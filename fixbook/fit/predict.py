"""Predict the peak memory of a plan."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fixbook.fit.allocator import reserved
from fixbook.fit.architecture import alike, layer_count
from fixbook.fit.depth import by_phase, deep, total
from fixbook.fit.model import configuration
from fixbook.fit.reading import CannotTellError
from fixbook.fit.step import traced
from fixbook.text import say

if TYPE_CHECKING:
    from fixbook.fit.depth import Peaks
    from fixbook.fit.plan import Plan
    from fixbook.fit.trace import Amounts

DEEPEST_REPLAY = 48  # layers whose allocations are replayed; of deeper models, their share counts
REPLAY_SHARE = 0.07  # by which a replay is off either way: what is reserved jumps with the length
_MORE_TOKENS = 100


@dataclass(frozen=True, slots=True)
class Prediction:
    """Peak memory of one step, in bytes.

    Attributes:
        plan: What it is of.
        phases: What there is at the peak of each phase, by kind.
    """

    plan: Plan
    phases: dict[str, Amounts]

    @property
    def phase(self) -> str:
        """The phase that has the peak."""
        return max(self.phases, key=lambda phase: total(self.phases[phase]))

    @property
    def allocated(self) -> float:
        """What ``torch.cuda.max_memory_allocated`` would say."""
        return total(self.phases[self.phase])


class Predictor:
    """Predictions of plans; each is worked out once.

    Every method raises `CannotTellError` where the model's code does not run without data.
    """

    def __init__(self) -> None:
        self._known: dict[Plan, Prediction] = {}

    def predict(self, plan: Plan) -> Prediction:
        """Predict what is allocated, from a few layers where all are alike."""
        if plan not in self._known:
            self._known[plan] = Prediction(plan, by_phase(_guarded(_peaks, plan)))
        return self._known[plan]

    def per_tokens(self, plan: Plan) -> float:
        """Return the bytes that 100 more tokens in the longest sequence would take."""
        longer = replace(plan, length=plan.length + _MORE_TOKENS)
        return self.predict(longer).allocated - self.predict(plan).allocated

    def reserved(self, plan: Plan) -> tuple[float, float]:
        """Return the least and the most that ``torch.cuda.max_memory_reserved`` may say."""
        allocated = self.predict(plan).allocated
        share = _guarded(_replayed, plan)
        low, high = allocated * share * (1 - REPLAY_SHARE), allocated * share * (1 + REPLAY_SHARE)
        return max(low, allocated), high


def _peaks(plan: Plan) -> Peaks:
    def of(layers: int) -> Peaks:
        trace, count = traced(plan, layers)
        return trace.peaks(count)

    layers = _depth(plan)
    return deep(of, layers) if alike(dict(plan.model)) else of(layers)


def _replayed(plan: Plan) -> float:
    """Return what the allocator would reserve, as a share of what is allocated."""
    layers = min(_depth(plan), DEEPEST_REPLAY)
    # Where all weights are trained, the first step leaves its mark: states fill what it freed.
    trace, count = traced(plan, layers, steps=0 if plan.adapter else 1)
    return reserved(trace) / max(total(one) for one in by_phase(trace.peaks(count)).values())


def _depth(plan: Plan) -> int:
    return layer_count(dict(plan.model)) or int(configuration(plan).num_hidden_layers)


def _guarded(work: Any, plan: Plan) -> Any:
    """Run something with the model's code, which may do anything but work."""
    try:
        return work(plan)
    except CannotTellError:
        raise
    except Exception as error:
        said = (str(error).strip().splitlines() or [""])[0][:200]
        raise CannotTellError(
            say(
                "the code of {model} does not run on tensors without data ({error}: {said})",
                model=plan.model.get("model_type", "?"),
                error=type(error).__name__,
                said=said,
            )
        ) from error
