"""Make the corpus of healthy logs by running things that end well.

    python -m bench.make_healthy tests/healthy/logs.tar.zst [--keep FOLDER] [NAME...]

Every log is what a run really printed, with the machine scrubbed out of it and cut at a size.
A run that fails is left out, and named.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import zstandard

from bench.healthy_jobs import JOBS, Job
from fixbook.recipe.record import scrub

SCRIPTS = Path(__file__).parent / "healthy"
MOST_BYTES = 11_000_000
_BLOCK = 16_000


def run(job: Job, folder: Path) -> str | None:
    """Run one job and return its scrubbed log, or None if it failed."""
    scratch = folder / job.name
    scratch.mkdir(parents=True, exist_ok=True)
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": "1",
        "HF_HUB_OFFLINE": "1",
        "PYTHONPATH": str(SCRIPTS),
        "TRITON_CACHE_DIR": str(scratch / "triton"),
        "TORCHINDUCTOR_CACHE_DIR": str(scratch / "inductor"),
        **job.variables,
    }
    raw = scratch / "log.txt"
    with raw.open("wb") as out:
        try:
            ended = subprocess.run(
                _command(job),
                cwd=scratch,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                timeout=400,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired:
            ended = -1
    if ended != 0:
        print(f"{job.name}: ended with {ended}, left out", file=sys.stderr)
        return None
    with raw.open("rb") as log:
        text = log.read(MOST_BYTES).decode("utf-8", "replace")
    print(f"{job.name}: {len(text) / 1e6:.2f} MB", flush=True)
    places = {"<scratch>": scratch, "<tmp>": Path(tempfile.gettempdir()), "<bench>": SCRIPTS}
    return _scrubbed(text[: text.rfind("\n") + 1], places)


def _command(job: Job) -> list[str]:
    tools = Path(sys.executable).parent
    first, *rest = job.command
    if first == "python":
        return [sys.executable, *rest]
    if not first.endswith(".py"):
        return [str(tools / first), *rest]
    script = [str(SCRIPTS / first), *rest]
    if not job.ranks:
        return [sys.executable, *script]
    port = [] if "--rdzv-endpoint" in job.launcher else ["--standalone"]
    launcher = ["--nproc-per-node", str(job.ranks), *port, *job.launcher]
    return [sys.executable, "-m", "torch.distributed.run", *launcher, *script]


def _scrubbed(text: str, places: dict[str, Path]) -> str:
    """Scrub block by block, since a whole log would be shortened."""
    done, block, size = [], list[str](), 0
    for line in text.splitlines(keepends=True):
        if size + len(line) > _BLOCK and block:
            done.append(scrub("".join(block), places))
            block, size = [], 0
        block.append(line)
        size += len(line)
    return "".join([*done, scrub("".join(block), places)])


def pack(logs: dict[str, str], target: Path) -> None:
    """Write the logs into one compressed archive."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for name, text in sorted(logs.items()):
            data = text.encode()
            member = tarfile.TarInfo(f"{name}.log")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    settings = zstandard.ZstdCompressionParameters.from_level(22, window_log=27, enable_ldm=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(
        zstandard.ZstdCompressor(compression_params=settings).compress(plain.getvalue())
    )
    packed = target.stat().st_size
    print(f"{len(logs)} logs, {plain.tell() / 1e6:.1f} MB, packed {packed / 1e3:.0f} kB")


def main() -> None:
    """Run what was asked for, two at a time, and pack it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path)
    parser.add_argument("names", nargs="*", help="only these jobs")
    parser.add_argument(
        "--keep", type=Path, help="folder for scrubbed logs; those in it are reused"
    )
    options = parser.parse_args()
    wanted = [job for job in JOBS if not options.names or job.name in options.names]
    logs: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        kept = options.keep or Path(folder) / "kept"
        kept.mkdir(parents=True, exist_ok=True)
        ready = {job.name for job in wanted if (kept / f"{job.name}.log").is_file()}
        jobs = [job for job in wanted if job.name not in ready]
        ran = pool.map(lambda job: run(job, Path(folder)), jobs)
        for job, text in zip(jobs, ran, strict=True):
            if text is not None:
                (kept / f"{job.name}.log").write_text(text, "utf-8", newline="")
        for job in wanted:
            path = kept / f"{job.name}.log"
            if path.is_file():
                logs[job.name] = path.read_bytes().decode()
    pack(logs, options.target)


if __name__ == "__main__":
    main()
