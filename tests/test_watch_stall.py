"""When a run counts as standing still, and which rank is said to be the odd one out."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import ExitStack
from subprocess import PIPE
from typing import TYPE_CHECKING

import psutil
import pytest

from fixbook.run_files.groups import Frame, hang_of
from fixbook.watch.computing import Works, _Had
from fixbook.watch.shared import Tally
from fixbook.watch.stacks import Tool, _of_py_spy, _of_pystack
from fixbook.watch.stall import Guard, Patience
from fixbook.watch.tree import Process, Tree

if TYPE_CHECKING:
    from fixbook.run_files.groups import Stack

PY = sys.executable
REDUCE = (Frame("/x/site-packages/torch/c10d.py", 9, "all_reduce"), Frame("train.py", 3, "step"))
LOAD = (Frame("train.py", 7, "load"),)
SAVE = (Frame("train.py", 8, "save"),)


def test_the_one_that_is_elsewhere_is_named() -> None:
    hang = hang_of({0: REDUCE, 1: REDUCE, 2: LOAD, 3: REDUCE}, ranked=True)
    assert (hang.odd, hang.why) == ((2,), "")
    assert [group.members for group in hang.groups] == [(0, 1, 3), (2,)]
    assert hang.groups[0].caller == REDUCE[1]


@pytest.mark.parametrize(
    ("stacks", "why"),
    [
        ({0: REDUCE, 1: LOAD}, "two"),
        ({0: REDUCE, 1: REDUCE}, "same"),
        ({0: REDUCE, 1: REDUCE, 2: REDUCE}, "same"),
        ({0: REDUCE, 1: LOAD, 2: SAVE}, "spread"),
        ({0: REDUCE, 1: REDUCE, 2: LOAD, 3: LOAD}, "spread"),
    ],
)
def test_where_stacks_cannot_decide_it_is_said(stacks: dict[int, Stack], why: str) -> None:
    hang = hang_of(stacks, ranked=True)
    assert (hang.odd, hang.why) == ((), why)


class Stacks(Tool):
    """Reads what a test wrote."""

    def __init__(self, told: list[Stack]) -> None:
        super().__init__("py-spy", "")
        object.__setattr__(self, "told", told)

    told: list[Stack]

    def stack(self, pid: int) -> Stack | None:  # noqa: ARG002
        told = self.told
        return told.pop(0) if len(told) > 1 else told[0]


def guard(told: list[Stack], seconds: float = 1.0) -> tuple[Guard, Tree, list[psutil.Process]]:
    me = psutil.Process()
    tree = Tree(set(), {me.pid: Process(me.pid, 0, "me", 0)})
    watching = Guard(Patience(seconds, 20.0, 5), Tally(), Stacks(told))
    watching.since = time.monotonic() - 1000
    return watching, tree, [me]


def still(monkeypatch: pytest.MonkeyPatch, moved: list[int]) -> None:
    monkeypatch.setattr(
        "fixbook.watch.stall._moved", lambda _one: moved.pop(0) if len(moved) > 1 else moved[0]
    )


def looks(told: list[Stack], count: int, seconds: float = 1.0) -> list[bool]:
    watching, tree, living = guard(told, seconds)
    return [watching.look(tree, living) is not None for _ in range(count)]


def test_five_equal_looks_after_the_silence_and_then_once(monkeypatch: pytest.MonkeyPatch) -> None:
    still(monkeypatch, [0])
    assert looks([REDUCE], 12) == [False] * 5 + [True] + [False] * 6


def test_a_stack_that_moves_is_no_stall(monkeypatch: pytest.MonkeyPatch) -> None:
    still(monkeypatch, [0])
    assert not any(looks([REDUCE, LOAD] * 10, 19))


def test_a_run_that_reads_or_writes_is_no_stall(monkeypatch: pytest.MonkeyPatch) -> None:
    still(monkeypatch, list(range(100)))
    assert not any(looks([REDUCE], 20))


def test_a_run_that_fills_its_memory_is_no_stall(monkeypatch: pytest.MonkeyPatch) -> None:
    still(monkeypatch, [0])
    watching, tree, living = guard([REDUCE])
    for _ in range(20):
        tree.now += 2**20
        assert watching.look(tree, living) is None


@pytest.mark.parametrize(("ranked", "told"), [(True, REDUCE), (False, None)])
def test_whoever_computes_beside_the_ranks_gets_on(
    monkeypatch: pytest.MonkeyPatch,
    ranked: bool,  # noqa: FBT001
    told: Stack | None,
) -> None:
    still(monkeypatch, [0])
    watching, tree, living = guard([REDUCE])
    with subprocess.Popen(["sh", "-c", "while :; do :; done"]) as compiler:
        busy = psutil.Process(compiler.pid)
        if not ranked:  # nothing can read a compiler, and no rank is there to compare
            tree.seen.clear()
            living = []
            monkeypatch.setattr(Stacks, "stack", lambda *_: told)
        try:
            assert not any(watching.look(tree, [*living, busy]) for _ in range(12))
        finally:
            compiler.kill()
    assert any(watching.look(tree, living) for _ in range(12))


@pytest.mark.parametrize("gpu", [False, True])
def test_a_rank_that_computes_is_given_longer_unless_it_has_a_gpu(
    monkeypatch: pytest.MonkeyPatch,
    gpu: bool,  # noqa: FBT001
) -> None:
    """Who waits for a GPU may ask it in a circle."""
    still(monkeypatch, [0])
    monkeypatch.setattr("fixbook.watch.computing._has_gpu", lambda _pid: gpu)
    for seconds, told in ((300.0, gpu), (200.0, True)):  # of a silence of 1000
        watching, tree, _living = guard([REDUCE], seconds)
        with subprocess.Popen(["sh", "-c", "while :; do :; done"]) as rank:
            time.sleep(0.1)  # it is another program first
            tree.seen = {rank.pid: Process(rank.pid, 0, "rank", 0)}
            living = [psutil.Process(rank.pid)]
            try:
                assert any(watching.look(tree, living) for _ in range(12)) == told
            finally:
                rank.kill()


def test_a_loop_that_sleeps_at_each_step_computes_and_one_that_waits_does_not() -> None:
    works = "import time\nwhile True: sum(range(100_000)), time.sleep(0.05)"
    waits = "import os, time\nwhile not os.path.exists('/none'): time.sleep(0.2)"
    for script, told in ((works, True), (waits, False)):
        with subprocess.Popen([PY, "-c", script]) as one:
            time.sleep(0.5)  # it starts first
            seen = Works()
            try:
                looks = []
                for _ in range(3):
                    looks.append(seen.any([one.pid]))
                    time.sleep(0.5)
            finally:
                one.kill()
        assert all(looks[1:]) if told else not all(looks[1:])


@pytest.mark.parametrize("ranked", [False, True])
def test_a_loop_that_sleeps_by_turns_is_told_of_only_where_others_may_wait_for_it(
    monkeypatch: pytest.MonkeyPatch,
    ranked: bool,  # noqa: FBT001
) -> None:
    still(monkeypatch, [0])
    watching, tree, _living = guard([REDUCE], 200.0)  # of a silence of 1000: over four times
    script = "import time\nwhile True: sum(range(20_000)), time.sleep(0.02)"
    with subprocess.Popen([PY, "-c", script]) as one:
        time.sleep(0.5)
        tree.seen = {one.pid: Process(one.pid, 0, "one", 0 if ranked else None)}
        living, told = [psutil.Process(one.pid)], []
        try:
            for _ in range(12):
                told.append(watching.look(tree, living))
                time.sleep(0.2)
        finally:
            one.kill()
    assert any(told) == ranked


def test_time_without_a_processor_does_not_count_for_one_that_computes() -> None:
    """Of four on one processor each waits thrice as long as it computes; of two, half: as long."""
    core = min(os.sched_getaffinity(0))
    script = f"import os; os.sched_setaffinity(0, [{core}]); print(flush=True)\nwhile True: pass"
    with ExitStack() as ends:
        spins = []
        for _ in range(4):
            spins.append(ends.enter_context(subprocess.Popen([PY, "-c", script], stdout=PIPE)))
            ends.callback(spins[-1].kill)
        for one in spins:  # all of them have begun
            assert one.stdout
            one.stdout.readline()
        seen = Works()
        seen.any([spins[0].pid])
        time.sleep(1)
        assert seen.any([spins[0].pid])
    assert seen.waited > 0.2
    assert seen.starved
    begun = time.monotonic() - 10
    assert Patience(5.0).over(Tally(), begun, 1.0, 4.0)
    assert not Patience(5.0).over(Tally(), begun, 1.0, 6.0)


@pytest.mark.parametrize("ranked", [False, True])
def test_one_that_others_keep_from_a_processor_is_called_hung_only_where_others_may_wait_for_it(
    monkeypatch: pytest.MonkeyPatch,
    ranked: bool,  # noqa: FBT001
) -> None:
    """One call that takes a second of a processor shows the same stack for ten."""
    still(monkeypatch, [0])
    watching, tree, _living = guard([REDUCE], 200.0)  # of a silence of 1000: over four times
    had = iter(_Had(used=at * 10**8, waited=at * 10**9) for at in range(99))
    monkeypatch.setattr("fixbook.watch.computing._had", lambda _pid: next(had))
    monkeypatch.setattr("fixbook.watch.computing._runs", lambda _pid: True)
    tree.seen = {os.getpid(): Process(os.getpid(), 0, "one", 0 if ranked else None)}
    told = [watching.look(tree, [psutil.Process()]) for _ in range(12)]
    assert any(told) == ranked


def test_a_short_silence_is_no_stall(monkeypatch: pytest.MonkeyPatch) -> None:
    still(monkeypatch, [0])
    assert not any(looks([REDUCE], 20, seconds=5000))
    assert not any(looks([REDUCE], 20, seconds=0))


def test_its_longest_pause_so_far_makes_it_patient() -> None:
    tally, patience = Tally(), Patience(1.0, 20.0)
    tally._times[1], tally._times[2] = time.monotonic() - 500, 30.0
    assert not patience.over(tally, 0.0)
    tally._times[2] = 20.0
    assert patience.over(tally, 0.0) >= 500


def test_it_is_armed_again_by_the_next_output(monkeypatch: pytest.MonkeyPatch) -> None:
    still(monkeypatch, [0])
    watching, tree, living = guard([REDUCE])
    first = [watching.look(tree, living) is not None for _ in range(8)]
    watching.tally.passed(3)
    watching.tally._times[1] = time.monotonic() - 900
    watching.tally._times[2] = 0
    second = [watching.look(tree, living) is not None for _ in range(8)]
    assert (sum(first), sum(second)) == (1, 1)


def test_what_tools_print_is_read() -> None:
    said = (
        '[{"os_thread_id": 8, "thread_name": "w", "frames": []}, {"os_thread_id": 7, "thread_name":'
        ' null, "frames": [{"name": "f", "filename": "a.py", "line": 3, "locals": null}]}]'
    )
    assert _of_py_spy(said, 7) == (Frame("a.py", 3, "f"),)
    for broken in ("", "{}", "[]", "[1]", '[{"os_thread_id": 7}]'):
        assert _of_py_spy(broken, 7) is None
    pystack = (
        "Traceback for thread 7 (python) [] (most recent call last):\n"
        '    (Python) File "a.py", line 1, in <module>\n        f()\n'
        '    (Python) File "a.py", line 3, in f\n        wait()\n'
        "Traceback for thread 8 (python) [] (most recent call last):\n"
        '    (Python) File "b.py", line 9, in g\n'
    )
    assert _of_pystack(pystack, 7) == (Frame("a.py", 3, "f"), Frame("a.py", 1, "<module>"))
    assert _of_pystack("nothing", 7) is None


def test_what_ranks_write_into_their_own_files_is_no_silence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else a run that prints nothing itself is given no patience at all at its end."""
    still(monkeypatch, [0])
    watching, tree, living = guard([REDUCE], 200.0)  # of a silence of 1000
    watching.more = lambda: 7
    assert not any(watching.look(tree, living) for _ in range(12))
    watching.since -= 1000
    assert any(watching.look(tree, living) for _ in range(12))
