"""Ten million logs a day, on paper: measured on this machine, and written into docs on triage.

    python -m bench.triage_paper [--jobs 1500] [--seed 25]

Seconds are those of processors, which a busy machine changes little. What a log costs is the
difference between a corpus and a third of it, so that starting is not counted as reading.
Nobody types a figure of the section: see `bench.triage_page`.
"""

# ruff: noqa: E501 (prose)
from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.triage_corpus import Corpus
from bench.triage_page import DOCS, PAPER, keep, kept, write_section
from bench.triage_run import PATTERN
from fixbook.book import load_book
from fixbook.book_root import book_root
from fixbook.index.cache import index_rows
from fixbook.text import LANGS
from fixbook.triage.clusters import MOST_SHAPES, clusters_of
from fixbook.triage.layout import pattern_of
from fixbook.triage.listing import MOST_JOBS, listing
from fixbook.triage.queries import rows_of
from fixbook.triage.report import Report

if TYPE_CHECKING:
    from collections.abc import Sequence

DAY = 10_000_000
_PART = 3  # the small corpus is so many times smaller
_WORDS = {
    "zh": (
        "## 每天一千万份日志（纸上推算） {head}\n\n"
        "下面的数字由 `python -m bench.triage_paper` 测得并写入：{logs:,} 份合成日志，平均 {kb:.0f} kB，一台机器，单进程。"
        "推算时按线性放大，没有在这样的规模上运行过。\n\n"
        "| 每百万份日志 | 开销 |\n|---|---:|\n"
        "| 读取和判断 | {read:.1f} 核时，即每核 {rate:.1f} MB/s |\n"
        "| 列出日志（单进程，本地磁盘） | {list:.0f} 秒 |\n"
        "| 生成报告和归类（单进程） | {report:.0f} 秒 |\n"
        "| 写出的 Parquet | {parquet:.0f} MB，{files:,.0f} 个文件 |\n\n"
        "每天一千万份：持续占用 {cores:.1f} 核，读取 {tb:.2f} TB，写出 {gb:.1f} GB；进程的内存峰值为 {peak:.0f} MB。"
        "费用等于核时乘以你的单价：每百万份 {read:.1f} 核时。日志更长时，按每核 {rate:.1f} MB/s 重新计算。\n\n"
        "最先成为瓶颈的地方，以及应对办法：\n\n"
        "- 列出日志由一个进程完成，一天的量需要 {list_day:.0f} 分钟；对象存储还要发 {requests:,.0f} 次请求，每次最多列出一千个对象。办法：每天的目录单独运行一次，各用一个 `--out`。\n"
        "- 一天有 {files_day:,.0f} 个 Parquet 文件，放在同一个目录里。办法同上；一周后用 DuckDB 合并成大文件。\n"
        "- 生成报告要读取全部行，一天的量需要 {report_day:.0f} 分钟，归类时只看最常见的 {shapes:,} 种异常。办法：报告按周生成，只取失败的行。\n"
        "- 大多数作业没有失败。办法：先按 `sacct` 的状态挑出失败的作业，成功的只抽查；开销随之按比例下降。\n"
        "- Ray 的 driver 逐个记下完成的分区，丢失 driver 只会多花时间。多台机器没有试过。\n"
    ),
    "en": (
        "## Ten million logs a day, on paper {head}\n\n"
        "`python -m bench.triage_paper` measured and wrote the figures below: {logs:,} made-up logs of {kb:.0f} kB on average, one machine, one process. "
        "The rest is scaled in proportion; nothing of that size was run.\n\n"
        "| A million logs | Cost |\n|---|---:|\n"
        "| Reading and deciding | {read:.1f} core hours, or {rate:.1f} MB/s a core |\n"
        "| Listing, by one process, on a local disk | {list:.0f} s |\n"
        "| Report and clusters, by one process | {report:.0f} s |\n"
        "| Parquet written | {parquet:.0f} MB in {files:,.0f} files |\n\n"
        "Ten million a day keep {cores:.1f} cores busy, read {tb:.2f} TB and write {gb:.1f} GB. A process needed {peak:.0f} MB at most. "
        "The price is that of {read:.1f} core hours a million. Where logs are longer, take {rate:.1f} MB/s a core.\n\n"
        "Where it bends, and what would be done:\n\n"
        "- One process lists: {list_day:.0f} minutes for a day. A store is asked {requests:,.0f} times besides, for a thousand names each. Run each day's folder by itself, with an `--out` of its own.\n"
        "- A day has {files_day:,.0f} files of Parquet in one folder. The same helps; DuckDB joins them after a week.\n"
        "- The report reads all rows: {report_day:.0f} minutes for a day. Clusters see the {shapes:,} most frequent exceptions. Make it weekly, of the rows that failed.\n"
        "- Most jobs did not fail. Choose by the state that `sacct` tells, and take samples of the others: the cost falls in proportion.\n"
        "- Ray's driver counts partitions one by one. Losing it costs time only. Several machines were not tried.\n"
    ),
}


def measure(jobs: int, seed: int) -> dict[str, float]:
    """Return what was measured, of a corpus of so many jobs."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        Corpus(load_book(book_root(), strict=False), seed).write(root / "logs", jobs)
        logs = sorted(path for path in (root / "logs").glob("*/*.out"))
        few = _few(logs, root / "few")
        cpu_few, _peak = _read(root / "few", root / "out-few")
        cpu, peak = _read(root / "logs", root / "out")
        size = sum(path.stat().st_size for path in logs)
        parts = [*(root / "out/parts").iterdir()]
        return {
            "jobs": jobs,
            "logs": len(logs),
            "bytes": size,
            "cpu_a_log": (cpu - cpu_few) / (len(logs) - few),
            "list_a_log": _listed(root, len(logs)),
            "report_a_job": (_reported(root / "out") - _reported(root / "out-few"))
            / (jobs - jobs // _PART),
            "parquet_a_job": sum(path.stat().st_size for path in parts) / jobs,
            "peak_bytes": peak,
        }


def _few(logs: Sequence[Path], folder: Path) -> int:
    """Link a third of the logs into a folder of its own, whole jobs each; return how many."""
    jobs = sorted({path.name.partition("-node")[0] for path in logs})
    wanted = set(jobs[: len(jobs) // _PART])
    some = [path for path in logs if path.name.partition("-node")[0] in wanted]
    folder.mkdir()
    for path in some:
        (folder / path.name).hardlink_to(path)
    return len(some)


def _read(logs: Path, out: Path) -> tuple[float, int]:
    """Return CPU seconds of reading, and the largest resident size of a process."""
    words = [str(logs), "--out", str(out), "--job-pattern", PATTERN, "--processes", "1"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "fixbook", "triage", *words]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, after.ru_maxrss * 1024


def _listed(root: Path, logs: int) -> float:
    (root / "list").mkdir()
    began = time.process_time()
    with listing(root / "list") as listed:
        listed.add([str(root / "logs")], pattern_of(PATTERN))
        for _partition in listed.partitions(""):
            pass
    return (time.process_time() - began) / logs


def _reported(out: Path) -> float:
    began = time.process_time()
    with rows_of(out) as rows:
        found = clusters_of(rows)
        Report(rows, found, index_rows(book_root())["titles"], "en").html()
    return time.process_time() - began


def section(found: dict[str, float], lang: str) -> str:
    """Return the section of the page, with figures that follow from what was measured."""
    million, logs = 1e6, found["logs"]
    a_log = found["bytes"] / logs
    of_jobs = found["jobs"] / logs  # jobs a log
    seconds = found["cpu_a_log"] * million
    listed, reported = found["list_a_log"] * million, found["report_a_job"] * of_jobs * million
    days = DAY / million
    files = of_jobs * million / MOST_JOBS
    return _WORDS[lang].format(
        head=PAPER,
        logs=int(logs),
        kb=a_log / 1e3,
        read=seconds / 3600,
        rate=a_log / found["cpu_a_log"] / 1e6,
        list=listed,
        report=reported,
        parquet=found["parquet_a_job"] * of_jobs,
        files=files,
        cores=seconds * days / 86_400,
        tb=a_log * DAY / 1e12,
        gb=found["parquet_a_job"] * of_jobs * DAY / 1e9,
        peak=found["peak_bytes"] / 1e6,
        list_day=listed * days / 60,
        requests=DAY / 1000,
        files_day=files * days,
        report_day=reported * days / 60,
        shapes=MOST_SHAPES,
    )


def write_page(found: dict[str, float], docs: Path = DOCS) -> None:
    """Write the section in both languages."""
    for lang in LANGS:
        write_section(lang, PAPER, section(found, lang), docs)


def main() -> None:
    """Measure, keep it, and write both pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=25)
    parser.add_argument("--again", action="store_true", help="Only write, from what is kept.")
    given = parser.parse_args()
    if not given.again:
        keep("paper", measure(given.jobs, given.seed))
    write_page(kept()["paper"])


if __name__ == "__main__":
    main()
