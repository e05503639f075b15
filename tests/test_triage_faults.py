"""What goes wrong while many logs are read ends in the answer of an undisturbed run, or is said."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

pytest.importorskip("duckdb")
pytest.importorskip("rapidfuzz")

from fixbook.problem import BookError
from fixbook.triage import local, store
from fixbook.triage.answer import Read, row_of
from fixbook.triage.files import PERMISSION, Root, files_of
from fixbook.triage.listing import MOST_JOBS, Job, Log, listing
from fixbook.triage.row import moment
from fixbook.triage.scheduler import Meta
from fixbook.triage.times import BACKWARDS, span_of
from fixbook.triage.worker import Worker
from tests.test_triage import TWICE, parts, run
from tests.waiting import ends, text_of

if TYPE_CHECKING:
    from fixbook.triage.listing import Partition

ROOT = Path(__file__).parents[1]
JOBS = 12
DRIVER = """
import os, signal, sys
from pathlib import Path
from fixbook.cli import run_command
from fixbook.cli.triage import command
from fixbook.triage import listing, run
import psutil

def dies(progress, done, left=[{finished}]):
    left[0] -= 1
    if not left[0]:
        own = [str(one.pid) for one in psutil.Process().children(recursive=True)]
        Path({mark!r}).write_text(" ".join(own))
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":  # the processes that read import this file, too
    listing.MOST_JOBS, run._count = 2, dies
    run_command(command, sys.argv[1:])
"""


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Several partitions."""
    monkeypatch.setattr("fixbook.triage.listing.MOST_JOBS", 2)
    root = tmp_path / "logs"
    root.mkdir()
    for number in range(JOBS):
        (root / f"train-{100 + number}.out").write_text(TWICE if number % 3 else "step 1\n")
    return root


@pytest.mark.parametrize("finished", [1, 4])
def test_a_driver_that_is_killed_goes_on_where_it_was(
    many: Path, tmp_path: Path, finished: int
) -> None:
    undisturbed = parts(run(many, out="whole"))
    mark, script = tmp_path / "mark", tmp_path / "driver.py"
    script.write_text(DRIVER.format(finished=finished, mark=str(mark)))
    arguments = [str(many), "--out", str(tmp_path / "out"), "--processes", "2"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    killed = subprocess.run([sys.executable, script, *arguments], env=env, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert all(ends(int(pid)) for pid in text_of(mark).split())  # nothing reads on for nobody
    kept = parts(tmp_path / "out")
    assert len(kept) >= finished
    assert kept.items() <= undisturbed.items()
    assert parts(run(many)) == undisturbed


def _begin_with_one_that_is_killed_once(out: Path, text: bool) -> None:  # noqa: FBT001
    class Killed(Worker):
        def rows(self, asked: Partition) -> list[dict[str, Any]]:
            mark = out / "killed"
            if not mark.exists() and any(part.name for part in (out / "parts").iterdir()):
                mark.touch()
                psutil.Process().kill()
            return super().rows(asked)

    local._here[:] = [Killed(out, text=text)]


def test_a_worker_that_is_killed_loses_nothing(many: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    undisturbed = parts(run(many, out="whole"))
    monkeypatch.setattr(local, "_begin", _begin_with_one_that_is_killed_once)
    out = run(many, "--processes", "2")
    assert (out / "killed").exists()
    assert parts(out) == undisturbed


def test_a_disk_without_room_for_the_list_is_said(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(9):
        (logs / f"a-rather-long-name-of-a-log-{number}.log").write_text("x\n")
    command = [sys.executable, "-m", "fixbook", "triage", str(logs), "--processes", "1"]
    ended = subprocess.run(
        [*command, "--out", str(tmp_path / "out"), "--lang", "en"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)),
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2, ended.stderr
    assert "cannot be written" in ended.stderr
    assert "make room" in ended.stderr


def test_a_disk_without_room_for_a_partition_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(store, "write_atomically", full)
    with pytest.raises(BookError, match="No space left on device"):
        store.write(tmp_path, "it", [])


def _log(path: Path, changed: float = 0.0) -> Log:
    return Log(str(path), "", path.name, 9, changed, None, "", "")


def test_without_permission_a_folder_and_a_file_cost_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    (tmp_path / "a.log").write_text(TWICE)
    (tmp_path / "b.log").write_text(TWICE)
    scandir, opens = os.scandir, Path.open

    def listed(path: Any) -> Any:  # root may list and read everything
        if Path(path) == closed:
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    def opened(path: Path, *arguments: Any, **options: Any) -> Any:
        if path.name == "a.log":
            raise PermissionError(13, "Permission denied")
        return opens(path, *arguments, **options)

    monkeypatch.setattr(os, "scandir", listed)
    found = {one.name: one.refused for one in files_of(Root(tmp_path, "logs"))}
    assert found == {"logs/closed": PERMISSION, "logs/a.log": "", "logs/b.log": ""}
    monkeypatch.setattr(Path, "open", opened)
    worker = Worker(tmp_path, text=True)
    rows = [
        worker.row(Job(name, 0, (_log(tmp_path / name),), Meta())) for name in ("a.log", "b.log")
    ]
    assert [row["outcome"] for row in rows] == ["unreadable", "entry"]
    assert "Permission denied" in rows[0]["problem"]


def test_a_clock_that_jumps_makes_no_negative_time(tmp_path: Path) -> None:
    backwards = span_of(Meta(start=2000, end=1000, gpus=8), [], [])
    assert (backwards.start, backwards.end, backwards.notes) == (2000, None, (BACKWARDS,))
    job = Job("a", 0, (_log(tmp_path / "a.log"),), Meta(start=2000, end=1000, gpus=8))
    row = row_of(Read(job), None, text=True)
    assert row["gpu_hours"] is None
    assert BACKWARDS in row["problem"]
    path = tmp_path / "jumps.log"
    late, early = "2026-05-02 10:00:00 step 1\n", "1970-01-01 00:00:00 step 2\n"
    path.write_text(
        late * 9 + early + "2026-02-30 10:00:00 no such day\n" + late.replace("10:", "11:")
    )
    row = Worker(tmp_path, text=True).row(Job("jumps", 0, (_log(path),), Meta()))
    assert row["start"] <= row["end"]
    assert moment(1e20) is None


def test_a_name_that_is_no_utf8_is_shown_and_read(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.log")
    path.write_text(TWICE)
    row = Worker(tmp_path, text=True).row(Job(path.name, 0, (_log(path),), Meta()))
    assert (row["job"], row["outcome"]) == ("caf\\xe9.log", "entry")
    (tmp_path / "parts").mkdir()
    store.write(tmp_path, "it", [row])
    assert store.is_done(tmp_path, "it")


def test_a_file_of_200_gigabytes_stands_alone_and_small_ones_together(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for number in range(600):
        (logs / f"{number}.log").write_text("x\n")
    with (logs / "huge.log").open("wb") as huge:
        huge.truncate(200 * 1024**3)
    with listing(tmp_path) as listed:
        listed.add([str(logs)], None)
        counts = [(len(one.jobs), one.size) for one in listed.partitions("")]
    assert sum(jobs for jobs, _size in counts) == 601
    assert max(jobs for jobs, _size in counts) == MOST_JOBS
    assert [jobs for jobs, size in counts if size >= 200 * 1024**3] == [1]
