"""What was measured of `fixbook triage`: kept in `docs/triage.json`, written into both pages."""

# ruff: noqa: E501 (prose)
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from fixbook.text import LANGS

DOCS = Path(__file__).parents[1] / "docs"
KEPT = DOCS / "triage.json"
MEASURED, PAPER = "{: #measured }", "{: #paper }"
_LAST = "{: #privacy }"  # sections that are written stand before it
_WORDS = {
    "zh": (
        "## 在合成日志上的实测结果 {head}\n\n"
        "`python -m bench.triage` 生成合成日志：{known} 种失败取自本书各页记录的日志，换掉路径、rank 和时间；{unknown} 种异常来自虚构的库；约 60% 的作业没有失败。"
        "这里测的是整个流程，不是对陌生日志的识别能力；后者见[《查找》](finding.md)。\n\n"
        "| {logs:,} 份日志，{jobs:,} 个作业 | 结果 |\n|---|---:|\n"
        "| 答对 | {right:.2%} |\n"
        "| 答错 | {wrong:.3%} |\n"
        "| 未收录的 {kinds} 种异常 | {clusters} 类，纯度 {purity:.3f} |\n"
        "| 埋下的 {planted} 个坏节点 | 指出 {found} 个，错指 {false} 个 |\n"
        "| 把结果随机打乱 {shuffles} 次 | 错指 {invented} 个 |\n"
        "| 内存峰值（一个进程读取），{few:,} 份 | {mb_few:.0f} MB |\n"
        "| 内存峰值（一个进程读取），{peak_logs:,} 份 | {mb:.0f} MB |\n\n"
    ),
    "en": (
        "## Measured on made-up logs {head}\n\n"
        "`python -m bench.triage` makes the logs up. {known} kinds of failure are the logs that pages record, with other paths, ranks and times. {unknown} kinds of exception come from made-up libraries, and about 60 % of the jobs do not fail. "
        "This measures the pipeline, not how well unseen logs are recognised: [Finding](finding.md) does.\n\n"
        "| {logs:,} logs, {jobs:,} jobs | Result |\n|---|---:|\n"
        "| Right answers | {right:.2%} |\n"
        "| Wrong answers | {wrong:.3%} |\n"
        "| {kinds} kinds that the book does not know | {clusters} clusters, purity {purity:.3f} |\n"
        "| {planted} bad nodes planted | {found} named, {false} others |\n"
        "| Outcomes shuffled {shuffles} times | {invented} nodes named |\n"
        "| Peak memory, one process reading {few:,} logs | {mb_few:.0f} MB |\n"
        "| Peak memory, one process reading {peak_logs:,} logs | {mb:.0f} MB |\n\n"
    ),
}
_SPEED = {
    "zh": (
        "`python -m bench.triage_speed` 让几种方式在同样的两个核上轮流运行，共 {rounds} 轮，取中位数；平均负载为 {load:.1f}。\n\n"
        "| {logs:,} 份日志，{mb:.0f} MB | 时长 | 每秒 CPU 时间 | CPU 时间 | 其中启动 |\n|---|---:|---:|---:|---:|\n{rows}\n"
        "Ray 的时长是两个进程的 {ratio:.2f} 倍，CPU 时间是 {cpu_ratio:.2f} 倍；不算启动，CPU 时间是 {further:.2f} 倍。{rg}\n"
    ),
    "en": (
        "`python -m bench.triage_speed` lets the ways take turns on the same two cores. Number of rounds, whose median counts: {rounds}. Load average: {load:.1f}.\n\n"
        "| {logs:,} logs, {mb:.0f} MB | Time | A CPU second | CPU | of it to start |\n|---|---:|---:|---:|---:|\n{rows}\n"
        "Ray takes {ratio:.2f} times as long as two processes, and {cpu_ratio:.2f} times the CPU seconds; without starting, {further:.2f} times. {rg}\n"
    ),
}
_WAYS = {
    "zh": {"1": "一个进程", "2": "两个进程", "ray": "Ray"},
    "en": {"1": "One process", "2": "Two processes", "ray": "Ray"},
}
_ROW = {
    "zh": "| {way} | {seconds:.0f} 秒 | {mb:.1f} MB，{logs:.0f} 份 | {cpu:.0f} 秒 | {start:.0f} 秒 |\n",
    "en": "| {way} | {seconds:.0f} s | {mb:.1f} MB, {logs:.0f} logs | {cpu:.0f} s | {start:.0f} s |\n",
}
_RG = {
    "zh": "`rg -f` 用本书的全部正则需要{patterns}，只用其中的字面量需要{literals}；`rg` 只给出匹配的行。",
    "en": "`rg -f` with all patterns of the book takes {patterns}, with their literals {literals}; it only says which lines match.",
}
_NO_RG = {"zh": "没有安装 ripgrep，无从比较。", "en": "ripgrep was not installed to compare with."}
_CPU = {"zh": " {cpu:.1f} 秒 CPU 时间", "en": "{cpu:.1f} s of CPU"}
_NOT_DONE = {"zh": "超过 {limit:.0f} 秒（没有跑完）", "en": "more than {limit:.0f} s (not done)"}


def keep(name: str, found: dict[str, Any]) -> None:
    """Keep what was measured, under its name.

    Args:
        name: ``answers``, ``speed`` or ``paper``.
        found: The figures.
    """
    KEPT.write_text(json.dumps(kept() | {name: found}, indent=1) + "\n", "utf-8")


def kept() -> dict[str, Any]:
    """Return all that was measured."""
    return dict(json.loads(KEPT.read_text("utf-8"))) if KEPT.is_file() else {}


def write_section(lang: str, head: str, text: str, docs: Path = DOCS) -> None:
    """Put a section in the place of the one with its head, or before those that stand last.

    Args:
        lang: Whose page.
        head: What its heading ends with.
        text: The section, from its heading on.
        docs: The folder of the pages.
    """
    path = docs / lang / "triage.md"
    page = path.read_text("utf-8")
    after = next(mark for mark in (head, PAPER, _LAST) if mark in page)
    begin = page.rindex("\n## ", 0, page.index(after)) + 1
    end = page.index("\n## ", begin) + 1 if after == head else begin
    path.write_text(page[:begin] + text + "\n" + page[end:], "utf-8")


def _speed(found: dict[str, Any], lang: str) -> str:
    ways, starts = found["ways"], found["starts"]
    rows = "".join(
        _ROW[lang].format(
            way=_WAYS[lang][name],
            seconds=one["seconds"],
            mb=found["bytes"] / one["cpu"] / 1e6,
            logs=found["logs"] / one["cpu"],
            cpu=one["cpu"],
            start=starts[name]["cpu"],
        )
        for name, one in ways.items()
    )
    more = {name: ways[name]["cpu"] - starts[name]["cpu"] for name in ways}
    return _SPEED[lang].format(
        **{name: found[name] for name in ("rounds", "load", "logs", "ratio", "cpu_ratio")},
        rows=rows,
        mb=found["bytes"] / 1e6,
        further=more["ray"] / more["2"],
        rg=_beside(found, lang),
    )


def _beside(found: dict[str, Any], lang: str) -> str:
    if found["rg"] is None:
        return _NO_RG[lang]
    not_done = _NOT_DONE[lang].format(limit=found["rg_limit"])
    said = {
        name: _CPU[lang].format(cpu=one["cpu"]) if one else not_done
        for name, one in found["rg"].items()
    }
    return _RG[lang].format(**said)


def write_measured(docs: Path = DOCS) -> None:
    """Write what `bench.triage` and `bench.triage_speed` have measured into both pages."""
    found = kept()
    for lang in LANGS:
        answers = found["answers"]
        sizes = {"mb": answers["peak"] / 1e6, "mb_few": answers["peak_few"] / 1e6}
        text = _WORDS[lang].format(head=MEASURED, **answers, **sizes)
        if "speed" in found:
            text += _speed(found["speed"], lang)
        write_section(lang, MEASURED, text.rstrip("\n") + "\n", docs)
