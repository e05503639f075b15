"""Untruths in evidence: what was edited by hand, copied, or belongs to something else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from bench.untruth.draft import NoTargetError, Untruth, first
from fixbook.book import load_entry
from fixbook.recipe.reading import digests_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.untruth.draft import Draft


def _record(change: Callable[[dict[str, Any], str], None]) -> Callable[[Draft], str]:
    """Edit the record of one step."""

    def plant(draft: Draft) -> str:
        data, step = draft.evidence(), draft.step("fix")
        change(data, step.name)
        draft.save_evidence(data)
        return f"step {step.name}"

    return plant


def _set(field: str, value: object) -> Callable[[Draft], str]:
    return _record(lambda data, name: data["steps"][name].__setitem__(field, value))


def _measure(draft: Draft) -> str:
    data = draft.evidence()
    for name, record in data["steps"].items():
        for measure, value in record["measures"].items():
            if isinstance(value, float):
                record["measures"][measure] = value * 0.9
                draft.save_evidence(data)
                return f"{name}.{measure}"
    raise NoTargetError


def _skip_passed(draft: Draft) -> str:
    data = draft.evidence()
    skipped = [name for name, one in data["steps"].items() if one["verdict"] == "skipped"]
    name = first(iter(skipped))
    data["steps"][name] |= {"verdict": "passed", "exit_code": 0, "reason": "ran clean"}
    draft.save_evidence(data)
    return f"step {name}"


def _renamed(draft: Draft) -> str:
    folder = draft.folder / "evidence"
    for ending in (".json", ".runs.json"):
        (folder / f"cpu{ending}").rename(folder / f"h100{ending}")
    return "evidence/h100.json"


def _another_machine(draft: Draft) -> str:
    data = draft.evidence()
    data["machine"]["cpu"] = "AMD EPYC 9654"
    draft.save_evidence(data)
    return "evidence/cpu.json"


def _digest_copied(draft: Draft) -> str:
    """Change what a step runs, and write the new digest into the record."""
    step = draft.step("fix")
    path = draft.folder / step.file
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    draft.data["steps"][step.name].setdefault("expect", {})["exit"] = "!= 1"
    draft.save()
    item = load_entry(draft.folder)
    data = draft.evidence()
    data["steps"][step.name]["digest"] = digests_of(item, draft.outline)[step.name]
    data["steps"][step.name]["measures"]["exit"] = 0
    draft.save_evidence(data)
    return f"step {step.name}"


def _record_of_another_step(draft: Draft) -> str:
    data, steps = draft.evidence(), list(draft.passed("fix"))
    if len(steps) < 2:  # noqa: PLR2004
        raise NoTargetError
    mine, other = steps[0].name, steps[1].name
    data["steps"][mine] = data["steps"][other] | {"digest": data["steps"][mine]["digest"]}
    draft.save_evidence(data)
    return f"step {mine}"


def _removed(draft: Draft) -> str:
    (draft.folder / "evidence/cpu.json").unlink()
    return "evidence/cpu.json"


def _step_removed(draft: Draft) -> str:
    return _record(lambda data, name: data["steps"].pop(name))(draft)


def _of_another_entry(draft: Draft) -> str:
    """Put another failure under a published address."""
    other = first(iter(draft.others))
    for name in ("entry.yaml", "evidence/cpu.json"):
        (draft.folder / name).write_bytes((other / name).read_bytes())
    for path in [*draft.folder.glob("*.py"), *draft.folder.glob("*.h")]:
        path.unlink()
    for path in other.glob("*.*"):
        (draft.folder / path.name).write_bytes(path.read_bytes())
    return f"holds {other.name}"


def _stale(draft: Draft) -> str:
    step = draft.step("fix")
    draft.edit(step, "    return ", "    print(1)\n    return ")
    return f"step {step.name}"


def _not_json(draft: Draft) -> str:
    path = draft.folder / "evidence/cpu.json"
    path.write_text(json.dumps({"entry": draft.slug}), "utf-8")
    return "evidence/cpu.json"


EVIDENCE = [
    Untruth("measure changed in evidence", _measure),
    Untruth("verdict changed in evidence", _set("verdict", "skipped")),
    Untruth("exit code changed in evidence", _set("exit_code", 3)),
    Untruth("log changed in evidence", _set("log", "all is well\n")),
    Untruth("versions changed in evidence", _set("versions", {"torch": "2.14.0"})),
    Untruth("date changed in evidence", _set("recorded", "2026-12-24T00:00:00Z")),
    Untruth("skipped step recorded as passed", _skip_passed),
    Untruth("evidence renamed to another machine", _renamed),
    Untruth("machine of the evidence retouched", _another_machine),
    Untruth("claim changed and its digest copied into the record", _digest_copied),
    Untruth("record copied from another step", _record_of_another_step),
    Untruth("recipe changed, record kept", _stale),
    Untruth("evidence removed", _removed),
    Untruth("record of one step removed", _step_removed),
    Untruth("evidence that is no evidence", _not_json),
    Untruth("address reused for another failure", _of_another_entry),
]
