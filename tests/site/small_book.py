"""A small book that uses every feature of the entry model, with evidence that was not run."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import yaml

from fixbook.book import load_entry
from fixbook.recipe.digest import digests_of
from fixbook.recipe.outline import read_outline

if TYPE_CHECKING:
    from pathlib import Path

SLUG = "raise-the-limit"

RECIPE = '''\
"""A widget outgrows its box."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "click"]
# ///
from fixbook.recipe import detect, fix, main, non_fix, reproduce


@reproduce(ranks=2)
def it_overflows() -> None:
    print("```")
    raise SystemExit("widget 7 overflowed its box")


@detect(found=True)
def too_large() -> dict:
    return {"found": True, "size_bytes": 3 * 1024**3}


@detect(found=False)
def fits() -> dict:
    return {"found": False, "size_bytes": 1024**3}


@fix("raise-limit", versions=["widgets==2.0", "boxes==1.1", "lids==0.3"])
def limit_raised() -> dict:
    return {"size_bytes": 1024**3, "share": 0.25, "ok": True, "by_size": [{"size": 1, "ok": True}]}


@fix("raise-limit", on="cuda")
def limit_raised_on_a_gpu() -> dict:
    return {"size_bytes": 1024**3}


@fix("other-box", on="cuda>=2")
def another_box() -> dict:
    return {"size_bytes": 1}


@non_fix("shake-it")
def shaken() -> None:
    raise SystemExit("widget 7 overflowed its box")


if __name__ == "__main__":
    main(__file__)
'''

SYMPTOM: dict[str, Any] = {
    "title": {"zh": "溢出（overflow）", "en": "Something overflowed"},
    "summary": {"zh": "有东西溢出了。", "en": "Something overflowed somewhere."},
    "patterns": ["overflowed"],
    "text": {"zh": "说明。", "en": "It says little."},
}

ENTRY: dict[str, Any] = {
    "title": {
        "zh": "部件撑破盒子：`limit` 太小",
        "en": "A widget outgrows its box: `limit` is too low",
    },
    "summary": {
        "zh": "部件比盒子大，调高 `limit`。",
        "en": "The widget is larger than its box; raise `limit`.",
    },
    "categories": ["out-of-memory"],
    "projects": ["widgets"],
    "added": "2026-11-21",
    "affected": [
        {"package": "widgets", "range": ">=1,<2", "fixed_in": "2.0"},
        {"package": "boxes", "range": "<1", "note": {"zh": "旧盒子", "en": "old boxes"}},
    ],
    "not_executed": [
        {
            "package": "widgets",
            "version": "0.9",
            "reason": {"zh": "装不上。", "en": "Does not install."},
        }
    ],
    "claims": [
        {
            "id": "mechanism",
            "text": {"zh": "部件会溢出。", "en": "The widget overflows."},
            "level": "proven",
            "steps": ["it-overflows"],
        }
    ],
    "signatures": [
        {
            "id": "overflow",
            "pattern": r"widget (?P<number>\d+) overflowed its box",
            "captures": {"number": {"zh": "部件", "en": "widget"}},
        }
    ],
    "symptoms": [{"id": "overflow", "ask": {"zh": "有部件吗？", "en": "Is there a widget?"}}],
    "symptom": {"zh": "运行停止。", "en": "The run stops."},
    "not_this_if": [{"zh": "没有盒子", "en": "there is no box"}],
    "cause": {
        "zh": "部件有 {{too-large.size_bytes|gib}}。\n- 第一\n- 第二",
        "en": "It has {{too-large.size_bytes|gib}}.\n- first\n- second",
    },
    "silent_twin": {
        "text": {"zh": "默默溢出。", "en": "It overflows unseen."},
        "steps": ["too-large"],
    },
    "detect": {
        "text": {"zh": "量一下。", "en": "Measure it."},
        "snippet": "measure-it",
        "steps": ["too-large", "fits"],
    },
    "snippets": {
        "measure-it": {"code": "print(size)\n"},
        "other-box": {"code": "box = Box(8)\n"},
        "raise-limit": {"language": "yaml", "code": "limit: 8\n"},
    },
    "fixes": [
        {
            "id": "raise-limit",
            "snippet": "raise-limit",
            "title": {"zh": "调高 `limit`", "en": "Raise `limit`"},
            "text": {
                "zh": "剩 {{limit-raised.share|percent}}。",
                "en": "{{limit-raised.share|percent}} is left.",
            },
            "trade_off": {"zh": "占地方 | 更贵。", "en": "Takes room | costs more."},
            "since": "widgets 2.0",
            "config": [
                {
                    "tool": "widgets",
                    "version": "2.0",
                    "before": "configs/before.yaml",
                    "after": "configs/after.yaml",
                }
            ],
        },
        {
            "id": "other-box",
            "title": {"zh": "换盒子", "en": "Take another box"},
            "text": {"zh": "更大的盒子。", "en": "A larger one."},
            "trade_off": {"zh": "无", "en": "none"},
            "snippet": "other-box",
            "config": [
                {
                    "tool": tool,
                    "version": "2.0",
                    "before": "configs/before.yaml",
                    "after": f"tools/{tool}/larger.yaml",
                }
                for tool in ("axolotl", "gadgets", "gizmos")
            ],
        },
    ],
    "non_fixes": [
        {
            "id": "shake-it",
            "title": {"zh": "摇一摇", "en": "Shake it"},
            "text": {"zh": "没有用。", "en": "It still overflows."},
            "seen_in": ["report"],
        }
    ],
    "steps": {
        "it-overflows": {
            "title": {"zh": "溢出", "en": "It overflows"},
            "fails": {"exit": "nonzero"},
        },
        "too-large": {"title": {"zh": "太大", "en": "Too large"}, "expect": {"found": "== true"}},
        "fits": {"title": {"zh": "放得下", "en": "It fits"}, "expect": {"found": "== false"}},
        "limit-raised": {
            "title": {"zh": "调高之后", "en": "After raising it"},
            "expect": {"share": "< 0.5", "ok": "== true"},
            "simulated": {"zh": "盒子是假的。", "en": "The box is a stand-in."},
        },
        "limit-raised-on-a-gpu": {
            "title": {"zh": "GPU 上", "en": "On a GPU"},
            "expect": {"ok": "== true"},
        },
        "another-box": {
            "title": {"zh": "另一个盒子", "en": "In another box"},
            "expect": {"size": "== 1"},
        },
        "shaken": {"title": {"zh": "摇过", "en": "Shaken"}, "fails": {"exit": "nonzero"}},
    },
    "said": [
        {
            "source": "old-post",
            "said": {"zh": "调高就行。", "en": "Raising it helps."},
            "verdict": verdict,
            "found": {"zh": "确实。", "en": "It does."},
            "see": see,
        }
        for verdict, see in (
            ("confirmed", "fix:raise-limit"),
            ("wrong", "non_fix:shake-it"),
            ("partly", "cause"),
            ("unsupported", "detect"),
        )
    ],
    "logs": [
        {"file": "logs/one.txt", "source": "report"},
        {"file": "logs/two.txt", "source": "step:it-overflows"},
    ],
    "references": [
        {"id": "report", "kind": "issue", "title": "widgets#1", "url": "https://example.org/1"}
    ],
}

LOG = "\n".join(f"step {n}" for n in range(30)) + "\nError: widget 3 overflowed its box\nbye\n"


def measured(**measures: Any) -> dict[str, Any]:
    return {"kind": "detect", "verdict": "passed", "reason": "", "exit_code": 0, "seconds": 1.25,
            "peak_mib": 30.0, "measures": measures, "log": ""}  # fmt: skip


def evidence_steps() -> dict[str, Any]:
    failed = measured() | {"exit_code": 1, "recognised": SLUG}
    table = [{"size": 1, "ok": True}, {"size": 2048, "ok": False}]
    lacking = {"verdict": "skipped", "reason": "needs 1 NVIDIA GPU, this machine has 0"}
    return {
        "it-overflows": failed | {"kind": "reproduce", "log": "```\nwidget 7 overflowed its box\n"},
        "too-large": measured(found=True, size_bytes=3 * 1024**3),
        "fits": measured(found=False, size_bytes=1024**3),
        "limit-raised": measured(size_bytes=1024**3, share=0.25, ok=True, by_size=table)
        | {"kind": "fix", "overlay": ["widgets==2.0", "boxes==1.1", "lids==0.3"]},
        "limit-raised-on-a-gpu": lacking | {"kind": "fix"},
        "another-box": lacking | {"kind": "fix"},
        "shaken": failed | {"kind": "non_fix", "log": "widget 7 overflowed its box\n"},
    }


def write_book(root: Path, entry: dict[str, Any] | None = None, *, evidence: bool = True) -> Path:
    """Write the book below ``root`` and return it."""
    folder = root / "recipes" / SLUG
    for name in ("logs", "configs", "evidence"):
        (folder / name).mkdir(parents=True)
    text = yaml.safe_dump(entry or copy.deepcopy(ENTRY), allow_unicode=True, sort_keys=False)
    (folder / "entry.yaml").write_text(text, "utf-8")
    (folder / "recipe.py").write_text(RECIPE, "utf-8")
    (folder / "logs/one.txt").write_text(LOG, "utf-8")
    (folder / "logs/two.txt").write_text("widget 9 overflowed its box\n", "utf-8")
    (folder / "configs/before.yaml").write_text("name: box\nlimit: 4\n", "utf-8")
    (folder / "configs/after.yaml").write_text("name: box\nlimit: 8\n", "utf-8")
    for tool in ("axolotl", "gadgets", "gizmos"):
        (folder / "tools" / tool).mkdir(parents=True)
        larger = f"name: {tool}\n\nlimit: 16\n"
        (folder / "tools" / tool / "larger.yaml").write_text(larger, "utf-8")
    (root / "symptoms").mkdir()
    symptom = yaml.safe_dump(SYMPTOM, allow_unicode=True)
    (root / "symptoms" / "overflow.yaml").write_text(symptom, "utf-8")
    source = {"id": "old-post", "title": "Boxes explained", "date": "2025-01-01"}
    (root / "sources.yaml").write_text(yaml.safe_dump({"sources": [source]}), "utf-8")
    if evidence:
        write_evidence(folder)
    return root


def write_evidence(folder: Path, digest: str = "") -> None:
    item = load_entry(folder)
    outline = read_outline(item.recipe)
    steps, digests = evidence_steps(), digests_of(item, outline)
    record = {
        "schema_version": 1,
        "entry": SLUG,
        "recorded": "2026-11-20T09:30:00Z",
        "machine": {"name": "cpu", "cpu": "Test CPU", "cores": 4, "memory_gib": 16.0,
                    "os": "Linux x86_64", "python": "3.11.7", "gpus": []},
        "versions": {name.name: _version(name.name) for name in outline.dependencies},
        "steps": {name: {"digest": digest or digests[name]} | steps[name] for name in digests},
    }  # fmt: skip
    (folder / "evidence" / "cpu.json").write_text(json.dumps(record), "utf-8")


def _version(name: str) -> str:
    from importlib.metadata import version  # noqa: PLC0415

    return version(name)
