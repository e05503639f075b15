"""A small book that uses every feature of the entry model, with evidence that was not run."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import yaml

from fixbook.book import load_entry
from fixbook.recipe.reading.digest import digests_of
from fixbook.recipe.reading.outline import read_outline
from tests.site.small_entry import ENTRY, RECIPE, SLUG, SYMPTOM

if TYPE_CHECKING:
    from pathlib import Path

LOG = "\n".join(f"step {n}" for n in range(30)) + "\nError: widget 3 overflowed its box\nbye\n"


def measured(**measures: Any) -> dict[str, Any]:
    return {"kind": "detect", "verdict": "passed", "reason": "", "exit_code": 0, "seconds": 1.25,
            "peak_mib": 30.0, "measures": measures, "log": ""}  # fmt: skip


def evidence_steps() -> dict[str, Any]:
    failed = measured() | {"exit_code": 1, "recognised": SLUG, "versions": {"widgets": "3.0"}}
    table = [{"size": 1, "ok": True}, {"size": 2048, "ok": False}]
    lacking = {"verdict": "skipped", "reason": "needs 1 NVIDIA GPU, this machine has 0"}
    return {
        "it-overflows": failed | {"kind": "reproduce", "log": "```\nwidget 7 overflowed its box\n"},
        "too-large": measured(found=True, size_bytes=3 * 1024**3),
        "fits": measured(found=False, size_bytes=1024**3),
        "limit-raised": measured(size_bytes=1024**3, share=0.25, ok=True, by_size=table)
        | {
            "kind": "fix",
            "overlay": ["widgets==2.0", "boxes==1.1", "lids==0.3"],
            "versions": {"widgets": "3.0", "clips": "5.0"},
        },
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
        "versions": {"click": "8.5"},
        "steps": {name: {"digest": digest or digests[name]} | steps[name] for name in digests},
    }  # fmt: skip
    (folder / "evidence" / "cpu.json").write_text(json.dumps(record), "utf-8")
