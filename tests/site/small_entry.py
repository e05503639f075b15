"""The entry of the small book: it uses every feature of the model."""

from __future__ import annotations

from typing import Any

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
    "boundary": [
        {"package": "widgets", "first_fixed": "2.0"},
        {"package": "boxes", "first_fixed": "1.0", "note": {"zh": "旧盒子", "en": "old boxes"}},
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
