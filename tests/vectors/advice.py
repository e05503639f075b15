"""Advice of the vectors' small book: cases of every kind, and places for values of every kind."""

from __future__ import annotations

from typing import Any

from fixbook.book import Case, with_places
from fixbook.index.cases import case_rows, patterns_of_cases


def _cases(*cases: dict[str, Any]) -> list[Case]:
    says = {"zh": "卡 {{number:device}}", "en": "card {{number:device}}"}
    return [Case.model_validate({"says": says, **case}) for case in cases]


_CASES: dict[str, dict[str, list[Case]]] = {
    "logits": {
        "by-size": _cases({"captures": {"free": {"matches": r"^\d\.\d+ [MG]iB$"}}}),
        "by-device": _cases(
            {"captures": {"device": {"over": 0, "under": 4}}},
            {"captures": {"device": {"in": ["5", "7"]}}, "unless": [r"not on \d+ cards"]},
        ),
        "by-frames": _cases({"frames": ["trl", "vllm"]}, {"library": ["peft"]}),
        "by-release": _cases(
            {"versions": {"torch": "~=2.5,!=2.6.1"}}, {"versions": {"trl": "==0.9.*"}}
        ),
        "by-own-code": _cases({"unless_frames": ["transformers", "trl"]}),
        "plain": [],
    },
    "mismatch": {
        "many": _cases({"ranks": {"over": 2}}),
        "exact": _cases({"captures": {"got": {"is": "4"}, "want": {"over": 8.5}}}),
        "by-ratio": _cases({"captures": {"got": {"under": 0.75, "of": "want"}}}),
        "tool": _cases({"tool": "llamafactory"}),
    },
}
_CODE = 'run("a.b", size="3GiB", device=7, "3GiBs", "new")\n'
_BLANKS = {"free": "the <room>", "device": "card", "now": "new name"}
_FILLS = {"3GiB": "free", "7": "device", "a.b": "kb", "new": "now"}
SURROUNDINGS = {
    pattern
    for fixes in _CASES.values()
    for cases in fixes.values()
    for pattern in patterns_of_cases(cases)
}


def advice(name: str) -> dict[str, Any]:
    """Return the advice of an entry of the small book."""
    fixes = _CASES.get(name, {"plain": []})
    code = {"language": "python", "text": with_places(_CODE, _FILLS)}
    changes = [_change(tool) for tool in ("axolotl", "trl")] if name == "logits" else []
    return {
        "fixes": [
            {"id": one, "title": _both(one), "text": _both("Do `{{yours:free}}`.")}
            | {"trade_off": None, "code": code, "changes": changes, "when": case_rows(cases)}
            for one, cases in fixes.items()
        ],
        "avoid": [
            {"title": _both(f"Not {one}"), "text": _both("No."), "when": case_rows(cases)}
            for one, cases in [*fixes.items()][:2]
            if cases
        ],
        "detect": {
            "text": _both("Measure {{number:device}}."),
            "code": code,
            "when": case_rows(_cases({"captures": {"device": {"under": 3}}}) if changes else []),
        },
        "yours": {name: _both(blank) for name, blank in _BLANKS.items()},
        "names": {"7.25": "8.0", "9": ""},
    }


def _change(tool: str) -> dict[str, str]:
    return {"tool": tool, "version": "1", "text": f"-{tool}: 1\n+{tool}: {{{{number:device}}}}"}


def _both(text: str) -> dict[str, str]:
    return {"zh": f"{text}（中文）", "en": text}
