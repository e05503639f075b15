"""Ranks by what torch, MPI and Slurm set: in environments, in trees, and in a run that fails."""

from __future__ import annotations

import sys

import pytest

from fixbook.watch.ranks import Given, Ranked, given, given_in, launchers

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
