"""Rules on the values that a training logs: exact ones, none on the shape of a curve.

Shapes do not separate: a flat or a jumping loss is healthy as often as not.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import TYPE_CHECKING

from fixbook.run_files.finding import Finding
from fixbook.text import N_, Sentence, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from fixbook.run_files.rows import Row

RUNNING = 3  # rows; a loss scale may overflow once or twice now and then
# A loss scale that starts at 2^16 is halved sixteen times at most, while the loss is as it was.
SCALE_RUNNING = 20
_SHOWN = 3
_NAN, _ADAPTER = "nan-loss-fp16", "adapter-without-gradients-trains-on"
_METRIC = "trainer-best-metric-missing"
_CLOCKS = ("_runtime", "_per_second", "_preparation_time", "_compilation_time")


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    value: str
    holds: Callable[[Mapping[str, float]], bool]
    says: str
    owners: tuple[str, ...]
    least: int = RUNNING


@dataclass(slots=True)
class _Streak:
    rows: int = 0
    longest: int = 0
    first: Row | None = None
    begin: Row | None = None  # of the first streak that was long enough
    values: deque[float] = field(default_factory=lambda: deque(maxlen=_SHOWN))
    shown: tuple[float, ...] = ()


class Rules:
    """Reads rows as they come.

    Of a stream, `add` says what has just become certain; `end` knows the whole run.
    """

    def __init__(self, source: str = "") -> None:
        """Begin with the first row.

        Args:
            source: Where the rows stand, for what is found.
        """
        self._source = source
        self._streaks = {rule.name: _Streak() for rule in _RULES}
        self._rates: list[int] = [0, 0]  # rows, and those with a learning rate of 0
        self._evaluations: list[Row] = []
        self._measured = False

    def add(self, row: Row) -> list[Finding]:
        """Read one row more.

        Returns:
            What is certain since this row; each rule speaks once.
        """
        found = [
            self._finding(rule, self._streaks[rule.name])
            for rule in _RULES
            if rule.value in row.values and _grow(self._streaks[rule.name], rule, row)
        ]
        if "learning_rate" in row.values and "loss" in row.values:
            self._rates[0] += 1
            self._rates[1] += row.values["learning_rate"] == 0
        self._evaluate(row)
        return found

    def end(self) -> list[Finding]:
        """Return all that the run shows, now that it is over."""
        found = [
            self._finding(rule, streak)
            for rule in _RULES
            if (streak := self._streaks[rule.name]).begin is not None
        ]
        rows, zero = self._rates
        if rows >= RUNNING and rows == zero:
            says = say(N_("the learning rate is 0 in all {rows} rows"), rows=rows)
            found.append(Finding("learning-rate-zero", says, (), self._source))
        if self._evaluations and not self._measured:
            first = self._evaluations[0]
            says = say(N_("evaluation logs how long it took, and no metric"))
            found.append(
                Finding(
                    *("evaluation-without-metric", says, (_METRIC,)),
                    *(self._source, first.line, first.step),
                )
            )
        return found

    def _evaluate(self, row: Row) -> None:
        names = [name for name in row.values if name.startswith("eval")]
        self._measured |= any(not name.endswith(_CLOCKS) for name in names)
        if any(name.endswith("_runtime") for name in names):
            self._evaluations = self._evaluations or [row]

    def _finding(self, rule: _Rule, streak: _Streak) -> Finding:
        values = ", ".join(f"{value:.4g}" for value in streak.shown)
        says: Sentence = say(rule.says, rows=streak.longest, values=values)
        begin = streak.begin
        found = Finding(rule.name, says, rule.owners, self._source)
        if begin is None:
            return found
        return replace(found, line=begin.line, step=begin.step, row=_printed(begin.values))


def _printed(values: Mapping[str, float]) -> str:
    """A row as the Trainer prints it."""
    named = [name for name in ("loss", "grad_norm", "learning_rate") if name in values]
    return "{" + ", ".join(f"'{name}': {values[name]}" for name in named) + "}"


def judge(rows: Iterable[Row], source: str = "") -> list[Finding]:
    """Return what the rows of a whole run show.

    Args:
        rows: They, in the order in which they were logged.
        source: Where they stand.
    """
    rules = Rules(source)
    for row in rows:
        rules.add(row)
    return rules.end()


def _grow(streak: _Streak, rule: _Rule, row: Row) -> bool:
    """Lengthen a streak, or end it; True where it has just become long enough."""
    if not rule.holds(row.values):
        streak.rows = 0
        return False
    if not streak.rows:
        streak.first = row
        streak.values.clear()
    streak.rows += 1
    streak.values.append(row.values[rule.value])
    streak.longest = max(streak.longest, streak.rows)
    if streak.rows < rule.least or streak.begin is not None:
        return False
    streak.begin, streak.shown = streak.first, tuple(streak.values)
    return True


def _rewarded(values: Mapping[str, float]) -> bool:
    """Equal rewards give neither loss nor gradient, and rightly so."""
    return any(name.startswith("reward") for name in values)


def _lost(values: Mapping[str, float]) -> bool:
    """The Trainer's filter logs a loss that is not a number as 0."""
    loss = values.get("loss")
    return loss is None or loss == 0 or not isfinite(loss)


_RULES = (
    _Rule(
        "gradient-not-finite",
        "grad_norm",
        lambda values: not isfinite(values["grad_norm"]) and _lost(values),
        N_("grad_norm is not finite in {rows} rows running: {values}"),
        (_NAN,),
    ),
    _Rule(
        "gradient-not-finite-with-loss",
        "grad_norm",
        lambda values: not isfinite(values["grad_norm"]) and not _lost(values),
        N_("grad_norm is not finite in {rows} rows running, while the loss is: {values}"),
        (_NAN,),
        SCALE_RUNNING,
    ),
    _Rule(
        "loss-not-finite",
        "loss",
        lambda values: not isfinite(values["loss"]) and "grad_norm" not in values,
        N_("loss is not finite in {rows} rows running: {values}"),
        (_NAN,),
    ),
    _Rule(
        "loss-and-gradient-zero",
        "grad_norm",
        lambda values: (
            values["grad_norm"] == 0 and values.get("loss") == 0 and not _rewarded(values)
        ),
        N_("loss and grad_norm are 0 in {rows} rows running"),
        (_NAN,),
    ),
    _Rule(
        "gradient-zero",
        "grad_norm",
        lambda values: (
            values["grad_norm"] == 0 and values.get("loss") != 0 and not _rewarded(values)
        ),
        N_("grad_norm is 0 in {rows} rows running, while the loss is not"),
        (_ADAPTER,),
    ),
)
