"""Untruths in claims, versions, snippets and references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bench.untruth.draft import Untruth, first
from bench.untruth.texts import said_by_nobody

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.untruth.draft import Draft

_READ = "the page that it refers to states the versions: somebody has to read it"


def _part(
    field: str, fits: Callable[[dict[str, Any]], object], change: dict[str, Any]
) -> Callable[[Draft], str]:
    """Change the first part of a list that fits; a value of None removes the field."""

    def plant(draft: Draft) -> str:
        parts = enumerate(draft.data.get(field) or [])
        index, part = first((index, part) for index, part in parts if fits(part))
        part.update(change)
        for name in [name for name, value in change.items() if value is None]:
            part.pop(name, None)
        draft.save()
        return f"{field}.{index}"

    return plant


def _executed(side: str) -> Callable[[dict[str, Any]], object]:
    """Return what fits a boundary whose release on a side was executed."""

    def fits(row: dict[str, Any]) -> object:
        sure = row.get("sure", "executed") == "executed"
        return row.get(side) and sure and (side == "first_fixed" or not row.get("began"))

    return fits


def _raised(pick: Callable[[Draft], str]) -> Callable[[Draft], str]:
    """Call a claim proven that is not, by a step."""

    def plant(draft: Draft) -> str:
        claims = draft.data["claims"]
        claim = first(c for c in claims if c["level"] in {"inferred", "unknown"})
        claim |= {"level": "proven", "steps": [pick(draft)]}
        draft.save()
        return f"claims {claim['id']}"

    return plant


def _never_ran(draft: Draft) -> str:
    records: dict[str, dict[str, Any]] = draft.evidence()["steps"]
    return first(name for name, record in records.items() if record["verdict"] == "skipped")


def _mechanism_by_a_fix(draft: Draft) -> str:
    draft.data["claims"][0] |= {"level": "proven", "steps": [draft.step("fix").name]}
    draft.save()
    return "claims.0"


def _code(draft: Draft) -> str:
    snippets = draft.data.get("snippets") or {}
    runs = (n for n, s in snippets.items() if s.get("language", "python") in {"python", "bash"})
    name = first(n for n in runs if not snippets[n].get("not_executed"))
    snippets[name]["code"] += "# and nothing else\n"
    draft.save()
    return f"snippets.{name}"


def _never_called(draft: Draft) -> str:
    draft.data.setdefault("snippets", {})["another"] = {"code": "import torch\n"}
    for lang in ("zh", "en"):
        draft.data["cause"][lang] += "\n\n{{snippet:another}}\n"
    draft.save()
    return "snippets.another"


def _not_executed(draft: Draft) -> str:
    ran = {n for one in draft.evidence()["steps"].values() for n in one.get("snippets") or {}}
    name = first(iter(sorted(ran)))
    draft.data["snippets"][name]["not_executed"] = {"zh": "需要 GPU。", "en": "It needs a GPU."}
    draft.save()
    return f"snippets.{name}"


def _missing_snippet(draft: Draft) -> str:
    draft.data["detect"]["snippet"] = "no-such-snippet"
    draft.save()
    return "detect.snippet"


def _always(_: dict[str, Any]) -> bool:
    return True


def _read(row: dict[str, Any]) -> object:
    return row.get("sure") in {"read", "stated"}


CLAIMS = [
    Untruth(
        "beginning of a boundary moved back",
        _part("boundary", _executed("last_good"), {"last_good": "0.0.1"}),
    ),
    Untruth(
        "first bad release moved",
        _part("boundary", _executed("first_bad"), {"first_bad": "0.0.2", "last_good": None}),
    ),
    Untruth(
        "first fixed release moved",
        _part("boundary", _executed("first_fixed"), {"first_fixed": "98.7"}),
    ),
    Untruth("reference of a boundary removed", _part("boundary", _read, {"reference": None})),
    Untruth(
        "reference of a boundary that there is not",
        _part("boundary", _read, {"reference": "no-such-page"}),
    ),
    Untruth(
        "boundary that was read is moved",
        _part("boundary", lambda r: _read(r) and r.get("first_fixed"), {"first_fixed": "98.7"}),
        why_not=_READ,
    ),
    Untruth(
        "boundary that was read is called executed",
        _part("boundary", _read, {"sure": "executed", "began": None, "reference": None}),
    ),
    Untruth("claim raised to proven by a step that did not run", _raised(_never_ran)),
    Untruth(
        "claim raised to proven by no step",
        _part(
            "claims",
            lambda c: c["level"] in {"inferred", "unknown"},
            {"level": "proven", "steps": []},
        ),
    ),
    Untruth("mechanism proven by a fix alone", _mechanism_by_a_fix),
    Untruth(
        "attribution raised to proven by a step that ran",
        _raised(lambda draft: draft.step("reproduce", "detect").name),
        why_not="whether a step is the reported case: read beside the report",
    ),
    Untruth(
        "claim stated upstream by no reference",
        _part("claims", lambda c: c["level"] == "upstream", {"reference": None}),
    ),
    Untruth(
        "claim stated upstream by a missing reference",
        _part("claims", lambda c: c["level"] == "upstream", {"reference": "no-such-page"}),
    ),
    Untruth(
        "seen_in names no reference", _part("non_fixes", _always, {"seen_in": ["no-such-page"]})
    ),
    Untruth("seen_in emptied", _part("non_fixes", _always, {"seen_in": []})),
    Untruth(
        "seen_in names a page that says something else",
        said_by_nobody,
        why_not="the page has to be read",
    ),
    Untruth("snippet changed in entry.yaml alone", _code),
    Untruth("snippet that no step calls", _never_called),
    Untruth("snippet said not to be executed, and it is", _not_executed),
    Untruth("snippet that does not exist", _missing_snippet),
    Untruth(
        "claim on a step that does not exist",
        _part("claims", lambda c: c.get("steps"), {"steps": ["no-such-step"]}),
    ),
]
