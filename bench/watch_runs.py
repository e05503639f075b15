"""Watch jobs that break, and healthy ones: is the cause said, is the rank, is anything wrong said?

Usage: python -m bench.watch_runs [--healthy] [--shard K/N] [--json FILE] [NAME...]
       python -m bench.watch_runs --merge FILE...

Shards may run beside each other. ``--merge`` puts what they have found into docs/watch_runs.json.
The patience is scaled: 6 seconds of silence stand for 120, as the jobs last seconds and not hours.
Healthy jobs are not granted the other half of it, so many times their longest silence so far.
Of a silent failure the answer is that of ``fixbook diagnose`` on its folders as well.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.slow_server import slow_server
from bench.watch_record import PATIENCE_S, counted, merge
from bench.watched_healthy import HEALTHY
from bench.watched_jobs import BROKEN, Watched

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCALED = (
    *("--every", "0.5", "--stall-after", str(PATIENCE_S)),
    *("--hook", "--on-stall", "terminate"),
)
_STRICT = ("--stall-factor", "0")
_LONGEST_S = 600
# A leak is told where it reaches the limit soon: the machine of the bench may have too much.
_GROUPS, _LIMIT = Path("/sys/fs/cgroup/memory"), 4 * 2**30
_ALARMS = ("elsewhere than", "silent for", "rows running", "memory rose", "learning rate is 0")
_NAMED = ("elsewhere than the others: rank ", "never called collective")
# What is there only where its own environment is.
_NEEDS = {"with_trl.py": "trl", "with_axolotl.py": "posthog"}
_UNDECIDED = ("cannot decide", "cannot be decided", "nothing to compare")


def watch(job: Watched, place: Path, server: str) -> dict[str, Any]:
    """Run one job and judge what was said of it."""
    place.mkdir()
    strict = _STRICT if job.way == "healthy" else ()
    words = ["--quiet", "--folder", str(place / "run"), *_SCALED, *strict, "--", *job.command()]
    path = os.pathsep.join(filter(None, [str(Path.cwd()), os.environ.get("PYTHONPATH")]))
    env = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": path, "SLOW_SERVER": server}
    env |= {"HF_HUB_OFFLINE": "1", "ACCELERATE_USE_CPU": "true"}
    env |= {"TORCH_EXTENSIONS_DIR": str(_extensions(place)), **dict(job.env)}
    begun = time.monotonic()
    with _limited(job) as limited:
        said, code = _run([*limited, sys.executable, "-m", "fixbook", "watch", *words], place, env)
    if job.way == "silent":
        folders = [one.name for one in (place / "run", place / "out") if one.is_dir()]
        said += _run([sys.executable, "-m", "fixbook", "diagnose", *folders], place, env)[0]
    seconds = round(time.monotonic() - begun)
    own = said.rpartition("fixbook watch: ended")[2] if job.way in {"death", "crash"} else said
    seen = json.loads((place / "run/watch.json").read_text("utf-8"))
    return {"name": job.name, "code": code, "seconds": seconds, **_judged(job, own, said)} | {
        "memory": seen.get("memory", {}).get("samples"),
        "versions": seen.get("versions", {}),
        "said": said[-6000:],
    }


def _extensions(place: Path) -> Path:
    """Return a folder for what a job compiles, with all that this machine has compiled before.

    Of its own: a shard beside it would have the lock, and this one wait for it.
    """
    own, here = place / "extensions", f"py3{sys.version_info.minor}_cpu"
    if (built := Path.home() / ".cache/torch_extensions" / here).is_dir():
        shutil.copytree(built, own, ignore=shutil.ignore_patterns("lock"))
    return own


@contextlib.contextmanager
def _limited(job: Watched) -> Iterator[list[str]]:
    """Give what begins a command line within a group of little memory, where one can be made."""
    group = _GROUPS / f"fixbook-bench-{os.getpid()}"
    try:
        if job.kind != "leak":
            raise FileNotFoundError
        group.mkdir()
        (group / "memory.limit_in_bytes").write_text(str(_LIMIT))
    except OSError:
        yield []
        return
    try:
        yield ["sh", "-c", f'echo $$ > {group}/cgroup.procs; exec "$@"', "sh"]
    finally:
        with contextlib.suppress(OSError):
            group.rmdir()


def _run(command: list[str], place: Path, env: dict[str, str]) -> tuple[str, int]:
    try:
        done = subprocess.run(
            *(command,),
            cwd=place,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=_LONGEST_S,
        )
    except subprocess.TimeoutExpired as error:
        return (error.stdout or b"").decode("utf-8", "replace"), -1
    return done.stdout.decode("utf-8", "replace"), done.returncode


def _judged(job: Watched, own: str, said: str) -> dict[str, Any]:
    if job.way == "healthy":
        return {"alarms": [one for one in _ALARMS if one in said]}
    texts = [one.format(rank=job.rank) for one in job.right.split("|")]
    cause = any(text in own for text in texts)
    rank = (
        None
        if job.rank is None
        else any(
            text in own
            for text in (
                f"rank {job.rank} ",
                f"rank {job.rank}.",
                f"rank {job.rank})",
                f"rank {job.rank},",
                f"rank-{job.rank}.",
                f"rank {job.rank}\n",
            )
        )
    )
    other = [one for one in range(4) if one != job.rank and job.rank is not None]
    wrong = [
        one
        for one in other
        for text in _NAMED
        if f"{text}{one}." in said or f"rank {one} {text}" in said
    ]
    undecided = any(text in said for text in _UNDECIDED)
    return {"cause": cause, "rank": rank, "wrong": wrong, "undecided": undecided}


def main() -> None:
    """Run what is asked for, one at a time, and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--healthy", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--shard", default="1/1", help="which one of how many")
    parser.add_argument("--merge", action="store_true", help="the names are files of --json")
    given = parser.parse_args()
    if given.merge:
        sys.exit(merge([Path(name) for name in given.names]))
    which, count = map(int, given.shard.split("/"))
    jobs = [
        one
        for one in (HEALTHY if given.healthy else BROKEN)[which - 1 :: count]
        if not given.names or one.name in given.names
    ]
    rows = []
    with tempfile.TemporaryDirectory() as folder, slow_server() as server:
        for job in jobs:
            lacks = _NEEDS.get(job.script)
            if lacks and find_spec(lacks) is None:
                print(f"{job.name}: {lacks} is not installed, not run", flush=True)
                continue
            rows.append(watch(job, Path(folder) / job.name, server))
            shown = {k: v for k, v in rows[-1].items() if k not in {"said", "memory", "versions"}}
            print(*(f"{k}={v}" for k, v in shown.items()), flush=True)
            if given.json:
                given.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")
    print(counted(rows))


if __name__ == "__main__":
    main()
