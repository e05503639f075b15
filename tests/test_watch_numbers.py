"""Ranks by what torch, MPI and Slurm set: in environments, in trees, and in a run that fails."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from fixbook.run_files.run import run_in
from fixbook.run_files.stood import stood_in
from fixbook.text import in_language
from fixbook.watch import folder as folders
from fixbook.watch.archive import pack
from fixbook.watch.hooked import HERE
from fixbook.watch.ranks import Given, Ranked, given, given_in, launchers
from fixbook.watch.tree import Process, Tree
from tests.watched import run, watched

PY = sys.executable
TASK = {"SLURM_PROCID": "3", "SLURM_LOCALID": "1", "SLURM_STEP_NUM_TASKS": "4", "SLURM_NTASKS": "4"}


@pytest.mark.parametrize(
    ("environ", "rank"),
    [
        ({"RANK": "2"}, 2),
        ({"RANK": "0", "WORLD_SIZE": "1"}, 0),
        (TASK, 3),
        ({**TASK, "RANK": "1", "WORLD_SIZE": "2"}, 1),
        ({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2", **TASK}, 1),
        ({"MV2_COMM_WORLD_RANK": "0", "MV2_COMM_WORLD_SIZE": "2", "PMI_RANK": "0"}, 0),
        # mpiexec of MPICH starts its daemon as one task of Slurm
        ({"PMI_RANK": "1", "PMI_SIZE": "2", **TASK, "SLURM_PROCID": "0"}, 1),
        # a batch script is no task, though Slurm numbers it
        ({"SLURM_PROCID": "0", "SLURM_LOCALID": "0", "SLURM_NTASKS": "4"}, None),
        ({"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1"}, None),
        ({"PMI_RANK": "0", "PMI_SIZE": "1"}, None),
        ({"RANK": "", "OMPI_COMM_WORLD_RANK": "one"}, None),
        ({"RANK": "²"}, None),
        ({}, None),
    ],
)
def test_the_nearest_launcher_gives_the_rank(environ: dict[str, str], rank: int | None) -> None:
    found = given(environ)
    assert (found.rank if found else None) == rank
    block = "\0".join(f"{name}={value}" for name, value in environ.items()).encode() + b"\0"
    assert given_in(block) == found


ANSWERS = "import sitecustomize; print(sitecustomize._answers())"


@pytest.mark.parametrize(("environ", "told"), [({}, False), ({"RANK": "0"}, True), (TASK, True)])
def test_the_hook_answers_for_a_rank_of_any_launcher(environ: dict[str, str], told: bool) -> None:  # noqa: FBT001
    """It reads the watcher's own table, though it is loaded where there is no fixbook."""
    none = {name: one for name, one in os.environ.items() if name not in {"RANK", "PYTHONPATH"}}
    env = {**none, **environ, "PYTHONPATH": str(HERE)}
    done = run([PY, "-S", "-c", ANSWERS], env=env)
    assert done.stdout.decode().strip() == str(told), done.stderr.decode()


NODE, FAR = Given(0, 4, 2), Given(1, 4, 2)


@pytest.mark.parametrize(
    ("seen", "none"),
    [
        # Slurm numbers nodes, torchrun ranks: two a node, or one
        (
            {
                1: Ranked(0, "bash run.sh", FAR),
                2: Ranked(1, "python torchrun train.py", FAR),
                3: Ranked(2, "python train.py", Given(2, 0, 4)),
                4: Ranked(2, "python train.py", Given(3, 0, 4)),
                5: Ranked(4, "python worker", Given(3, 0, 4)),
            },
            {1, 2},
        ),
        (
            {
                1: Ranked(0, "bash run.sh", NODE),
                2: Ranked(1, "python -u -m deepspeed.launcher.launch x", NODE),
                3: Ranked(2, "python train.py", Given(0, 0, 2)),
            },
            {1, 2},
        ),
        # an operator has given each node a RANK and torchrun its own
        (
            {
                1: Ranked(0, "bash run.sh", Given(1, 0, 4)),
                2: Ranked(1, "/opt/bin/python -m torch.distributed.run x", Given(1, 0, 4)),
                3: Ranked(2, "python train.py", Given(2, 0, 4)),
                4: Ranked(2, "python train.py", Given(1, 0, 4)),
            },
            {1, 2},
        ),
        ({1: Ranked(0, "torchrun train.py", Given(1, 0, 4))}, set()),  # nothing below it yet
        # a task has set RANK for what it starts: it stays the rank
        (
            {
                1: Ranked(0, "python train.py --deepspeed zero.json", FAR),
                2: Ranked(1, "ninja", Given(1, 0, 2)),
                3: Ranked(1, "python -c spawn_main", None),
            },
            set(),
        ),
        ({1: Ranked(0, "a", FAR), 2: Ranked(1, "b", FAR)}, set()),
        ({1: Ranked(2, "a", FAR), 2: Ranked(1, "b", Given(0, 0, 2))}, {1}),  # no end to it
        ({}, set()),
    ],
)
def test_a_task_that_starts_ranks_is_none(seen: dict[int, Ranked], none: set[int]) -> None:
    assert launchers(seen) == none


TRAIN = "import os\nprint('step 1')\nif os.environ['SLURM_PROCID'] == '2': {}['labels']\n"


def task(number: int, size: int = 3) -> dict[str, str]:
    """Return the environment that Slurm gives a task."""
    mine = {"SLURM_PROCID": str(number), "SLURM_STEP_NUM_TASKS": str(size)}
    others = {name: one for name, one in os.environ.items() if name not in {"RANK", "WORLD_SIZE"}}
    return {**others, **mine, "PYTHONPATH": str(Path(__file__).parents[1])}


def test_tasks_share_a_folder_and_the_one_that_failed_is_named(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "run/task-3").mkdir(parents=True)  # of an earlier run of more tasks
    (tmp_path / "run/task-3/stderr.log").write_text("ValueError: long ago\n")
    for number in range(3):
        done = run(watched(Path("run"), [PY, "train.py"]), cwd=tmp_path, env=task(number))
        assert done.returncode == (number == 2), done.stderr.decode()
    assert sorted(one.name for one in (tmp_path / "run").iterdir()) == [
        "task-0",
        "task-1",
        "task-2",
    ]
    seen = json.loads((tmp_path / "run/task-2/watch.json").read_text("utf-8"))
    assert [seen["rank"], *(one["rank"] for one in seen["processes"])] == [2, 2]
    answered = run([PY, "-m", "fixbook", "diagnose", "run", "--json"], cwd=tmp_path)
    card = json.loads(answered.stdout)["exception"]
    assert (card["text"], card["rank"]) == ("KeyError: 'labels'", 2)
    target = tmp_path / "all.tar.gz"
    assert {"task-0/watch.json", "task-2/stderr.log"} <= set(pack(tmp_path / "run", target))


def test_what_a_node_prints_is_of_no_rank() -> None:
    tree = Tree(set(), {1: Process(1, 0, "a", 4), 2: Process(2, 0, "b", 5)})
    assert tree.only_rank(Given(1, 4, 2)) is None
    tree.seen = {1: Process(1, 0, "a", 1), 2: Process(2, 1, "b", None)}
    assert tree.only_rank(Given(1, 4, 2)) == 1
    assert (tree.only_rank(None), tree.only_rank(Given(1, 0, None))) == (None, None)


WAITS = [["/x/torch/distributed/distributed_c10d.py", 9, "all_reduce"], ["train.py", 3, "step"]]
LOADS = [["train.py", 7, "load"]]


def watcher(root: Path, number: int, at: list[list[object]], **more: object) -> None:
    """Write what a watcher of one rank has seen."""
    stood = {"lines": [], "printed": 5, "ended": False, "ranks": {str(number): at}}
    (root / f"task-{number}").mkdir()
    seen = {"stood": stood, "printed": 5, **more}
    (root / f"task-{number}/watch.json").write_text(json.dumps(seen), "utf-8")


def test_ranks_that_stand_still_are_compared_over_all_watchers(tmp_path: Path) -> None:
    for number in range(4):
        watcher(tmp_path, number, LOADS if number == 2 else WAITS)
    shown = run_in(tmp_path, [], lambda _count: None)
    assert shown is not None
    (found,) = shown.findings
    assert (found.rule, found.rank, found.owners) == ("rank-elsewhere", 2, ("collective-timeout",))
    assert "rank 2: load (train.py:7); the others: rank 0, 1, 3" in in_language(found.says, "en")


@pytest.mark.parametrize(
    ("places", "more", "rule"),
    [
        ([WAITS, WAITS, WAITS], {}, "ranks-stood"),
        ([WAITS, LOADS], {}, "ranks-stood"),
        ([WAITS, WAITS, LOADS], {"printed": 9}, None),  # it went on
        ([WAITS], {}, None),
    ],
)
def test_where_the_stacks_of_all_watchers_cannot_decide(
    tmp_path: Path, places: list[list[list[object]]], more: dict[str, int], rule: str | None
) -> None:
    for number, at in enumerate(places):
        watcher(tmp_path, number, at, **more)
    shown = run_in(tmp_path, [], lambda _count: None)
    assert (shown.findings[0].rule if shown and shown.findings else None) == rule


@pytest.mark.parametrize(
    "stood", [None, 3, {"ranks": {"a": [[1]]}}, {"ranks": {"0": [[1, "x", 2]]}}]
)
def test_a_record_of_somebody_else_shows_nothing(tmp_path: Path, stood: object) -> None:
    (tmp_path / "watch.json").write_text(json.dumps({"stood": stood}), "utf-8")
    assert stood_in([tmp_path / "watch.json"]) == []


def test_a_task_takes_away_only_what_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "root", lambda: tmp_path)
    for number in range(30):
        seen = {"watcher": 2**30, "ended": None if number < 5 else 1.0}  # five on another host
        (tmp_path / f"2026-{number:02}").mkdir()
        folders.write(tmp_path / f"2026-{number:02}", seen)
    made = folders.new(None, Given(3, 4, 4))
    assert made is not None
    assert made.name.endswith("-task-3")
    left = sorted(one.name for one in tmp_path.iterdir() if one != made)
    assert left == [f"2026-{number:02}" for number in (*range(5), *range(11, 30))]
    folders.new(None)
    assert len(list(tmp_path.iterdir())) == 20
