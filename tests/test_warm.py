"""Steps that are forked from a warm process behave as those that start cold, and leave nothing."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import textwrap
import time
from typing import TYPE_CHECKING

import psutil
import pytest

from fixbook.recipe.author.steps import Needs, Step
from fixbook.recipe.running.notes import read_measures, skip_reason
from fixbook.recipe.running.start import records_in, start_step, warm_parents
from fixbook.recipe.running.warm_parents import SUPPORTED
from tests.waiting import LONG_S, ends, has_ended, set_once_written, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from threading import Event

    from fixbook.recipe.process.outcome import Outcome
    from fixbook.recipe.running.warm_parents import WarmParents

pytestmark = pytest.mark.skipif(not SUPPORTED, reason="steps are forked on Linux only")

HEAD = "from fixbook.recipe import measure, reproduce, skip\n@reproduce()\ndef it_breaks():\n"


@pytest.fixture(scope="module")
def parents() -> Iterator[WarmParents]:
    with warm_parents() as kept:
        yield kept


def run(
    folder: Path,
    body: str,
    parents: WarmParents | None,
    *,
    head: str = HEAD,
    stop: Event | None = None,
    **needs: object,
) -> Outcome:
    recipe = folder / "recipe.py"
    recipe.write_text(head + textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n")
    step = Step("it-breaks", "reproduce", Needs(**{"timeout_s": LONG_S, **needs}))  # type: ignore[arg-type]
    base = folder / f"base{time.monotonic_ns()}"
    base.mkdir()
    outcome = start_step(recipe, step, base, stop=stop, parents=parents)
    (folder / "last").unlink(missing_ok=True)
    (folder / "last").symlink_to(base)
    return outcome


@pytest.mark.parametrize(
    ("body", "code", "signal_name"),
    [
        ("print('done')", 0, None),
        ("raise SystemExit(3)", 3, None),
        ("raise SystemExit('said so')", 1, None),
        ("raise ValueError('no')", 1, None),
        ("import os; os.kill(os.getpid(), 11)", None, "SIGSEGV"),
        ("import ctypes; ctypes.CDLL(None).abort()", None, "SIGABRT"),
        ("import atexit; atexit.register(print, 'at exit'); print('first')", 0, None),
        (
            "import atexit, sys\natexit.register(lambda: print(sys.last_type))\nraise OSError",
            1,
            None,
        ),
        ("import threading\nthreading.Timer(0.2, print, ['late']).start()", 0, None),
        ("import os, sys\nos.write(1, b'raw '); sys.stdout.write('kept'); os._exit(5)", 5, None),
    ],
)
def test_ends_like_a_fresh_interpreter(
    tmp_path: Path, parents: WarmParents, body: str, code: int | None, signal_name: str | None
) -> None:
    warm, cold = run(tmp_path, body, parents), run(tmp_path, body, None)
    assert (warm.start, cold.start) == ("warm", "cold")
    for outcome in (warm, cold):
        assert (outcome.exit_code, outcome.signal) == (code, signal_name), outcome
    assert warm.log.splitlines()[-1:] == cold.log.splitlines()[-1:]


def test_finds_what_a_fresh_interpreter_finds(tmp_path: Path, parents: WarmParents) -> None:
    body = """
    import os, resource, signal, sys, tempfile
    scratch = os.environ["TMPDIR"]
    def plain(value):
        return str(value).replace(scratch, "SCRATCH").replace(os.path.dirname(scratch), "BASE")
    ours = {k: v for k, v in os.environ.items() if k not in ("FIXBOOK_RUN", "LC_CTYPE")}
    measure(
        environ=sorted(plain(pair) for pair in ours.items()),
        argv=plain(sys.argv),
        orig_argv=plain(sys.orig_argv[1:]),
        cwd=plain(os.getcwd()),
        temp=plain(tempfile.gettempdir()),
        path=plain(sys.path),
        leads_session=os.getsid(0) == os.getpid(),
        open_files=sorted(plain(os.readlink(f"/proc/self/fd/{n}"))[:5] for n in (0, 1, 2)),
        file_size=resource.getrlimit(resource.RLIMIT_FSIZE),
        core=resource.getrlimit(resource.RLIMIT_CORE),
        signals=[str(signal.getsignal(number)).split(" at ")[0] for number in (13, 15, 17)],
        unbuffered=sys.stdout.write_through,
        hashes=sys.flags.hash_randomization,
    )
    """
    seen = []
    for kept in (parents, None):
        assert run(tmp_path, body, kept).exit_code == 0
        seen.append(read_measures(records_in(tmp_path / "last")))
    assert seen[0] == seen[1]


def test_a_crash_leaves_the_parent_alone(tmp_path: Path, parents: WarmParents) -> None:
    run(tmp_path, "print('start')", parents)
    before = parents.pids()
    assert run(tmp_path, "import os; os.kill(os.getpid(), 11)", parents).signal == "SIGSEGV"
    assert run(tmp_path, "print('next')", parents).start == "warm"
    assert parents.pids() == before


def test_limits_hold(tmp_path: Path, parents: WarmParents) -> None:
    seen = run(tmp_path, "import time; time.sleep(600)", parents, timeout_s=1)
    assert (seen.start, seen.stopped) == ("warm", "timeout")
    body = "a = bytearray(400 << 20)\nfor i in range(0, len(a), 4096): a[i] = 1\nwhile True: pass"
    seen = run(tmp_path, body, parents, memory_gib=0.3)
    assert (seen.start, seen.stopped) == ("warm", "memory")
    runs = tmp_path / "runs"
    body = f"import time; open({str(runs)!r}, 'w').write('.'); time.sleep(600)"
    seen = run(tmp_path, body, parents, stop=set_once_written(runs))
    assert (seen.start, seen.stopped) == ("warm", "interrupted")


def test_orphans_and_daemons_are_ended_and_counted(tmp_path: Path, parents: WarmParents) -> None:
    """They leave session and process group, and are not the step's children any more."""
    body = """
    import os, time
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            end = time.process_time() + 0.5
            while time.process_time() < end: pass
            open("daemon", "w").write(str(os.getpid())); time.sleep(600)
        os._exit(0)
    while not os.path.exists("daemon") or not open("daemon").read(): time.sleep(0.01)
    """
    outcome = run(tmp_path, body, parents)
    assert outcome.exit_code == 0
    assert has_ended(int((tmp_path / "last/scratch/daemon").read_text()))
    assert outcome.cpu_seconds >= 0.5


def test_a_parent_that_died_is_replaced(tmp_path: Path, parents: WarmParents) -> None:
    run(tmp_path, "print('start')", parents)
    dead = parents.pids()[-1]
    os.kill(dead, signal.SIGKILL)
    outcome = run(tmp_path, "print('next')", parents)
    assert (outcome.start, outcome.log) == ("warm", "next\n")
    assert dead not in parents.pids()


def test_a_step_that_lost_its_supervisor_runs_cold(
    tmp_path: Path, parents: WarmParents, caplog: pytest.LogCaptureFixture
) -> None:
    body = """
    import os, pathlib, time
    status = pathlib.Path(f"/proc/{os.getppid()}/cmdline").read_text()
    measure(tried=True)
    if "forkserver" in status:
        os.kill(os.getppid(), 9)
        time.sleep(99)
    print("here")
    """
    with caplog.at_level(logging.WARNING):
        outcome = run(tmp_path, body, parents)
    assert (outcome.start, outcome.exit_code, outcome.log) == ("cold", 0, "here\n")
    assert "it-breaks runs cold" in caplog.text


def test_nothing_is_left_of_a_caller_that_was_killed(tmp_path: Path) -> None:
    (tmp_path / "recipe.py").write_text(
        HEAD + "    import os, pathlib, time\n"
        f"    pathlib.Path({str(tmp_path / 'step')!r}).write_text(str(os.getpid()))\n"
        "    time.sleep(600)\n"
    )
    code = (
        "import sys; from pathlib import Path\n"
        "from fixbook.recipe.running.start import start_step, warm_parents\n"
        "from fixbook.recipe.author.steps import Needs, Step\n"
        "base = Path(sys.argv[1]) / 'base'; base.mkdir()\n"
        "with warm_parents() as parents:\n"
        "    step = Step('it-breaks', 'reproduce', Needs())\n"
        "    start_step(Path(sys.argv[1]) / 'recipe.py', step, base, parents=parents)\n"
    )
    caller = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)])
    pid = int(text_of(tmp_path / "step"))
    family = [process.pid for process in psutil.Process(caller.pid).children(recursive=True)]
    assert pid in family
    caller.kill()
    caller.wait()
    assert all(map(ends, family))


@pytest.mark.parametrize("warm", [True, False])
def test_skip_at_run_time(tmp_path: Path, parents: WarmParents, *, warm: bool) -> None:
    body = "try:\n    skip('mounts are forbidden')\nexcept Exception:\n    pass"
    outcome = run(tmp_path, body, parents if warm else None)
    assert outcome.exit_code == 87
    assert skip_reason(records_in(tmp_path / "last")) == "mounts are forbidden"


def test_only_a_few_parents_are_kept(tmp_path: Path) -> None:
    alive = []
    with warm_parents() as kept:
        for library in ("trl", "peft", "accelerate", "datasets", "trl"):
            head = f"if 0:\n    import {library}.nothing\n{HEAD}"
            assert run(tmp_path, "print(1)", kept, head=head).start == "warm"
            alive.append(kept.pids()[-1])
        assert len(kept.pids()) == 3
        assert alive[0] != alive[4], "the one unused for longest had made room"
    assert all(map(ends, alive)), "they end with their keeper"
