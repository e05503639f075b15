"""Run many made-up inputs, and judge each: ``python -m tests.fuzz``, or ``make fuzz``.

Every case is drawn by Hypothesis from a seed, so the same seed draws the same cases. What fails is
kept in a folder, with its files and its command.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz.cases import GROUPS, Case, shown
from tests.fuzz.forked import run
from tests.fuzz.judge import snapshot, wrong
from tests.fuzz.requests import serve_all

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHARES = {"check": 30, "check --fix": 20, "diagnose": 20, "book": 12, "words": 10, "server": 8}
_SHOWN = 20  # failures that are printed


class Fuzz:
    """Runs cases and counts what is wrong.

    Args:
        kept: Folder for what fails.
    """

    def __init__(self, kept: Path) -> None:
        self.kept = kept
        self.counts: Counter[str] = Counter()
        self.failures: list[tuple[Case, list[str]]] = []
        self.seconds = 0.0
        self.written = 0  # cases in which --fix wrote

    def group(self, name: str, count: int, number: int) -> None:
        """Draw and run the cases of a group.

        Args:
            name: The group.
            count: How many.
            number: The seed.
        """

        @seed(number)
        @settings(
            max_examples=count,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(GROUPS[name])
        def one(case: Case) -> None:
            self.one(case)

        one()

    def one(self, case: Case) -> None:
        """Run one case and judge it."""
        with _room(case) as (room, folder):
            before = snapshot(folder)
            ended = run(case, folder, room)
            self.counts[case.group] += 1
            self.seconds += ended.seconds
            after = snapshot(folder)
            self.written += case.fixes and after != before
            found = wrong(case, ended, before, after)
            if found:
                self.failures.append((case, found))
                self._keep(case, found)

    def _keep(self, case: Case, found: list[str]) -> None:
        folder = self.kept / f"{len(self.failures):04}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        _write(case, folder)
        (folder / "case.txt").write_text("\n".join([shown(case), *found]), "utf-8", "replace")
        if case.stdin is not None:
            (folder / "stdin").write_bytes(case.stdin)


@contextlib.contextmanager
def _room(case: Case) -> Iterator[tuple[Path, Path]]:
    """Make a folder for what a case prints, and one within it that holds the case's files."""
    room = Path(tempfile.mkdtemp(prefix="fixbook-fuzz-"))
    folder = room / "here"
    folder.mkdir()
    try:
        _write(case, folder)
        yield room, folder
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _write(case: Case, folder: Path) -> None:
    root = os.fsencode(folder)
    for name, content in case.files.items():
        path = os.path.join(root, name)  # noqa: PTH118  (names are bytes)
        os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
        with open(path, "wb") as file:  # noqa: PTH123
            file.write(content)
    for name, target in case.links.items():
        os.symlink(target, os.path.join(root, name))  # noqa: PTH118, PTH211


def _warm() -> None:
    """Import what commands import, and let the caches of the book be made.

    Nothing is judged: how long a cache takes depends on the book, not on what somebody hands in.
    """
    from fixbook.cli import COMMANDS, cli  # noqa: PLC0415

    for name in COMMANDS:
        cli.get_command(None, name)  # type: ignore[arg-type]
    for argv in ((b"check", b"--", b"a.yaml"), (b"diagnose", b"-"), (b"search", b"x")):
        case = Case("words", "fixbook", argv, {b"a.yaml": b"base_model: a\n"}, b"x\n")
        with _room(case) as (room, folder):
            run(case, folder, room)


def main() -> int:
    """Run; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("FUZZ_SEED") or 1))
    parser.add_argument("--cases", type=int, default=int(os.environ.get("FUZZ_CASES") or 1200))
    parser.add_argument("--only", choices=_SHARES, help="one group")
    parser.add_argument(
        "--kept", type=Path, default=Path(".cache/fuzz"), help="folder for failures"
    )
    asked = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fixbook-fuzz-cache-") as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        fuzz = Fuzz(asked.kept)
        _warm()
        for name, share in _SHARES.items():
            count = asked.cases if asked.only else max(1, asked.cases * share // 100)
            if asked.only not in {None, name}:
                continue
            if name == "server":
                told = serve_all(asked.seed, count)
                fuzz.counts[name] += count
                fuzz.failures += [
                    (Case("server", "requests", (raw,)), [what]) for raw, what in told
                ]
            else:
                fuzz.group(name, count, asked.seed)
    return _report(fuzz, asked.seed, time.monotonic() - began)


def _report(fuzz: Fuzz, number: int, seconds: float) -> int:
    failed = Counter(case.group for case, _ in fuzz.failures)
    print(f"seed {number}: {fuzz.counts.total()} cases, {failed.total()} failed, "
          f"{fuzz.seconds:.0f} s of processor, {seconds:.0f} s")  # fmt: skip
    if fuzz.written:
        print(f"  --fix wrote in {fuzz.written} of them")
    for name, count in fuzz.counts.items():
        print(f"  {name:<14}{count:>6} cases{failed[name]:>5} failed")
    for number_, (case, found) in enumerate(fuzz.failures[:_SHOWN], 1):
        print(f"{number_:04} {shown(case)[:200]}\n     " + "\n     ".join(found))
    if fuzz.failures:
        print(f"kept in {fuzz.kept}", file=sys.stderr)
    return 1 if fuzz.failures else 0


if __name__ == "__main__":
    sys.exit(main())
