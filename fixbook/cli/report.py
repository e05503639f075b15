"""How results of steps are printed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fixbook.recipe.record import last_line
from fixbook.text import N_, _, in_language, translator

if TYPE_CHECKING:
    from fixbook.recipe.record import StepResult
    from fixbook.text import Lang

_MARKS = {"passed": ("✓", "green"), "failed": ("✗", "red"), "skipped": ("–", "yellow")}
_KINDS = {
    "en": {"reproduce": "reproduce", "detect": "detect", "fix": "fix", "non_fix": "does not help"},
    "zh": {"reproduce": "复现", "detect": "检测", "fix": "修复", "non_fix": "无效做法"},
}
_STATUSES = {"passed": N_("passed"), "failed": N_("failed"), "skipped": N_("skipped")}
_STARTS = {"warm": N_("warm"), "cold": N_("cold")}
_ROWS = 6


def status(result: StepResult, lang: Lang) -> str:
    """Return the verdict in one word."""
    return translator(lang)(_STATUSES[result.verdict.status])


def describe(result: StepResult, title: str, lang: Lang) -> str:
    """Describe a result: verdict, what the step does, how it ended, what it measured."""
    mark, colour = _MARKS[result.verdict.status]
    verdict = click.style(f"{mark} {status(result, lang)}", fg=colour, bold=True)
    reason = in_language(result.verdict.reason, lang)
    lines = [
        f"{verdict}  {_name(result.step.name, result.step.kind, lang)}{_cost(result)}",
        f"    {title}",
        f"    {click.style(reason, dim=result.verdict.status == 'passed')}",
    ]
    for name, value in result.measures.items():
        lines += _measure(name, value)
    if result.verdict.status == "failed" and result.log:
        lines += ["    " + line for line in result.log.rstrip().splitlines()[-15:]]
    elif result.step.kind == "reproduce" and result.log:
        lines.append(f"    {click.style(last_line(result.log), dim=True)}")
    return "\n".join(lines)


def _name(step: str, kind: str, lang: Lang) -> str:
    return f"{step} [{_KINDS[lang][kind]}]"


def _cost(result: StepResult) -> str:
    if result.outcome is None:
        return ""
    outcome = result.outcome
    said = _("{seconds:.1f} s, {cpu:.1f} CPU-s, {peak:,.0f} MiB, {start}").format(
        seconds=outcome.seconds,
        cpu=outcome.cpu_seconds,
        peak=outcome.peak_mib,
        start=_(_STARTS[outcome.start]),
    )
    return f"  {said}"


def _measure(name: str, value: Any) -> list[str]:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        rows = ["      " + ", ".join(f"{k}={_text(v)}" for k, v in row.items()) for row in value]
        more = _("… {count} more rows").format(count=len(rows) - _ROWS)
        return [f"    {name}:", *rows[:_ROWS], *([f"      {more}"] if len(rows) > _ROWS else [])]
    return [f"    {name} = {_text(value)}"]


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
