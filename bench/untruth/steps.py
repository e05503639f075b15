"""Untruths in recipes and in what entries claim of their steps."""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING, Any

from bench.untruth.draft import NoTargetError, Untruth, first
from fixbook.recipe.reading import differences
from fixbook.recipe.record import can_fail

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bench.untruth.draft import Draft
    from fixbook.recipe.author import Step

_FLAG = re.compile(r"(\w+)=True\)")


def _flagged(draft: Draft, *kinds: str) -> tuple[Step, str]:
    """The cheapest step that differs from its control in one argument that is true."""
    for step in draft.passed(*kinds):
        flag = _FLAG.search(draft.outline.code[step.name])
        if step.control and flag:
            found = differences(draft.outline, step.name, step.control)
            if found == [flag[0][:-1]]:
                return step, flag[0]
    raise NoTargetError


def _switched_off(kind: str) -> Callable[[Draft], str]:
    def plant(draft: Draft) -> str:
        step, flag = _flagged(draft, kind)
        draft.edit(step, flag, flag.replace("True", "False"))
        draft.to_run = [step.control, step.name]
        return f"step {step.name}"

    return plant


def _equal(kind: str) -> Callable[[Draft], str]:
    def plant(draft: Draft) -> str:
        step, flag = _flagged(draft, kind)
        code = draft.outline.code[step.name]
        shorter = re.sub(r"(?:, )?" + re.escape(flag[:-1]) + r"\)", ")", code)
        draft.edit(step, code.strip(), shorter.strip())
        return f"step {step.name}"

    return plant


def _two_differences(draft: Draft) -> str:
    step, flag = _flagged(draft, "fix")
    draft.edit(step, flag, flag[:-1] + ", seed=7)")
    return f"step {step.name}"


def _control(choose: Callable[[Draft, Step], Iterator[str]]) -> Callable[[Draft], str]:
    def plant(draft: Draft) -> str:
        for step in draft.passed("fix"):
            other = next(choose(draft, step), None)
            if other is not None:
                given = f'control="{step.control}"'
                draft.edit(step, given, f'control="{other}"' if other else 'since=""')
                return f"step {step.name}"
        raise NoTargetError

    return plant


def _shows_no_failure(draft: Draft, step: Step) -> Iterator[str]:
    return (one.name for one in draft.passed("fix") if one.name != step.name)


def _differs_in_more(draft: Draft, step: Step) -> Iterator[str]:
    outline = draft.outline
    return (
        one.name
        for one in outline.steps.values()
        if can_fail(one)
        and one.name != step.control
        and len(differences(outline, step.name, one.name)) > 1
    )


def _no_control(draft: Draft) -> str:
    step = draft.step("fix")
    draft.edit(step, f'control="{step.control}", ', "")
    return f"step {step.name}"


def _wider(draft: Draft) -> str:
    """Expect of a fix what its control, which ends with 0, meets too."""
    records = draft.evidence()["steps"]
    for step in draft.passed("fix"):
        if step.control and records[step.control]["exit_code"] == 0:
            return _expect(draft, step, {next(iter(records[step.name]["measures"])): '!= "x"'})
    raise NoTargetError


def _expect(draft: Draft, step: Step, conditions: dict[str, str]) -> str:
    draft.data["steps"][step.name]["expect"] = conditions
    draft.save()
    return f"steps.{step.name}.expect"


def _tighter(draft: Draft) -> str:
    for step in draft.passed("fix"):
        for name, condition in draft.data["steps"][step.name].get("expect", {}).items():
            if condition.startswith("<"):
                return _expect(draft, step, {name: "< -1"})
    raise NoTargetError


def _nothing_expected(draft: Draft) -> str:
    return _expect(draft, draft.step("fix"), {})


def _in_force(change: Callable[[Draft, Step], dict[str, str]]) -> Callable[[Draft], str]:
    def plant(draft: Draft) -> str:
        step = draft.step("non_fix")
        draft.data["steps"][step.name]["in_force"] = change(draft, step)
        draft.save()
        return f"steps.{step.name}.in_force"

    return plant


def _held_by_both(draft: Draft, step: Step) -> dict[str, str]:
    records = draft.evidence()["steps"]
    mine, other = (records[name]["measures"] for name in (step.name, step.control))
    name = first(name for name in mine if name in other)
    return {name: '!= "x"'}


def _replace(draft: Draft, old: str, new: str, *, every: bool = True) -> str:
    found = [p for p in sorted(draft.folder.glob("*.py")) if old in p.read_text("utf-8")]
    for path in found if every else found[:1]:
        path.write_text(path.read_text("utf-8").replace(old, new, -1 if every else 1), "utf-8")
    return found[0].name if found else _none()


def _none() -> str:
    raise NoTargetError


def _one_side(draft: Draft) -> str:
    return _replace(draft, "found=False", "found=True")


def _inverted(draft: Draft) -> str:
    steps = (one for one in draft.passed("detect") if one.found is False and one.control)
    step = first(steps)
    draft.edit(step, "found=False", "found=True")
    draft.to_run = [step.control, step.name]
    return f"step {step.name}"


def _reads(what: str) -> Callable[[Draft], str]:
    def plant(draft: Draft) -> str:
        path = draft.folder / draft.step("fix", "reproduce", "detect").file
        line = f"\n\ndef _seen() -> str:\n    return open({what!r}).read()\n"
        path.write_text(path.read_text("utf-8") + line, "utf-8")
        return path.name

    return plant


def _fails(field: str, value: object) -> Callable[[Draft], str]:
    def plant(draft: Draft) -> str:
        step = draft.step("reproduce")
        claims: dict[str, Any] = draft.data["steps"][step.name]
        claims["fails"] = {**(claims.get("fails") or {}), field: value}
        draft.save()
        return f"steps.{step.name}.fails"

    return plant


def _ends_clean(draft: Draft) -> str:
    step = draft.step("reproduce")
    del draft.data["steps"][step.name]["fails"]
    draft.save()
    return f"steps.{step.name}"


def _step_renamed(draft: Draft) -> str:
    step = draft.step("fix")
    function = step.name.replace("-", "_")
    draft.edit(step, f"def {function}(", f"def {function}_once(")
    return f"step {step.name}"


def _unproven_fix(draft: Draft) -> str:
    fix = copy.deepcopy(draft.data["fixes"][-1]) | {"id": "another-way"}
    draft.data["fixes"].append(fix)
    draft.save()
    return "fixes"


STEPS = [
    Untruth("fix switched off in the recipe", _switched_off("fix"), "run"),
    Untruth("advice switched off in the recipe", _switched_off("non_fix"), "run"),
    Untruth("fix made equal to its control", _equal("fix")),
    Untruth("advice made equal to its control", _equal("non_fix")),
    Untruth("two differences from the control", _two_differences),
    Untruth("control points to a step that shows no failure", _control(_shows_no_failure)),
    Untruth("control points to another failing step", _control(_differs_in_more)),
    Untruth("control points to no step", _control(lambda _, __: iter(["no-such-step"]))),
    Untruth("fix without control", _no_control),
    Untruth("expect of a fix widened, so that its control meets it", _wider),
    Untruth("expect of a fix that its record does not meet", _tighter),
    Untruth("nothing expected of a fix", _nothing_expected),
    Untruth("in_force removed", _in_force(lambda _, __: {})),
    Untruth("in_force holds on the control, too", _in_force(_held_by_both)),
    Untruth("in_force of a measure that nobody took", _in_force(lambda _, __: {"set": "== true"})),
    Untruth("detect inverted", _inverted, "run"),
    Untruth("one side of detect removed", _one_side),
    Untruth("step that reads a log it ships", _reads("logs/one.txt")),
    Untruth("step that reads its own entry", _reads("entry.yaml")),
    Untruth("failure claimed that was not printed", _fails("log", "Segmentation fault")),
    Untruth("failure claimed by a signal", _fails("exit", "signal")),
    Untruth("failing step said to end clean", _ends_clean),
    Untruth("step of the recipe that the entry does not name", _step_renamed),
    Untruth("fix that no step executes", _unproven_fix),
]
