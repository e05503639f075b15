"""The page on `fixbook watch` says what docs/watch_runs.json holds, and that holds every job."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bench.watch_record import RECORD, merge
from bench.watched_healthy import HEALTHY
from bench.watched_jobs import BROKEN
from fixbook.text import LANGS

DOCS = Path(__file__).parents[1] / "docs"
ROWS = json.loads(RECORD.read_text("utf-8"))
# Of the sentence on the runs: healthy ones, those of axolotl, jobs that break, and with a rank.
SAID = {
    "en": r"watched (\d+) healthy runs, (\d+) of them of axolotl, and (\d+) broken jobs\..*? all "
    r"(\d+) that have one",
    "zh": r"观察了 (\d+) 次正常运行（其中 (\d+) 次是 axolotl）和 (\d+) 个出错的作业.*?"
    r"能指出 rank 的 (\d+) 个",
}


def test_every_job_has_one_row_in_its_order() -> None:
    for kind, jobs in (("healthy", HEALTHY), ("broken", BROKEN)):
        assert [row["name"] for row in ROWS[kind]] == [job.name for job in jobs]


@pytest.mark.parametrize("lang", LANGS)
def test_the_page_says_what_was_seen(lang: str) -> None:
    said = re.search(SAID[lang], (DOCS / lang / "watch.md").read_text("utf-8"), re.DOTALL)
    assert said
    healthy, broken = ROWS["healthy"], ROWS["broken"]
    ranked = [row for row in broken if row["rank"] is not None]
    axolotl = [row for row in healthy if "axolotl" in row["name"]]
    assert [int(one) for one in said.groups()] == [*map(len, (healthy, axolotl, broken, ranked))]
    assert not [row for row in healthy if row["alarms"] or row["code"]]
    assert all(row["cause"] and row["rank"] is not False and not row["wrong"] for row in broken)


def test_shards_are_merged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = tmp_path / "runs.json"
    monkeypatch.setattr("bench.watch_record.RECORD", record)
    record.write_text('{"kept": 1, "healthy": [{"name": "gone", "alarms": [], "code": 0}]}')
    first, *others = HEALTHY
    row = {"code": 0, "seconds": 3, "alarms": [], "said": "x", "memory": [], "versions": {"a": "1"}}
    for at, names in enumerate(([one.name for one in others], [first.name, others[0].name])):
        rows = [{"name": name, **row, "seconds": at} for name in names]
        (tmp_path / f"{at}.json").write_text(json.dumps(rows))
    lacking = merge([tmp_path / "0.json", tmp_path / "1.json"])
    assert lacking == f"no row of: {', '.join(job.name for job in BROKEN)}"
    merged = json.loads(record.read_text())
    assert merged["kept"] == 1
    assert [one["name"] for one in merged["healthy"]] == [job.name for job in HEALTHY]
    assert [one["seconds"] for one in merged["healthy"]][:3] == [1, 1, 0]
    assert merged["healthy"][0] == {
        "name": first.name,
        "code": 0,
        "seconds": 1,
        "alarms": [],
        "versions": {},
    }
