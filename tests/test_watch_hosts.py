"""A watcher on each node, and all folders to `fixbook diagnose`: two hosts on this machine."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.watched import run

PY = sys.executable
TRAIN = """\
import torch.distributed as dist
dist.init_process_group("gloo")
if dist.get_rank() == 1:
    {}["labels"]
dist.barrier()
"""
HOSTS = """\
import subprocess, sys
from fixbook.recipe.helpers import on_hosts

def node(number):
    watch = ["fixbook", "watch", "--quiet", "--folder", f"node-{number}", "--"]
    env = ["env", f"GLOO_SOCKET_IFNAME=net{number + 1}", "OMP_NUM_THREADS=1"]
    launch = ["torch.distributed.run", "--nnodes", "2", "--nproc-per-node", "1"]
    where = ["--master-addr", "10.77.0.1", "--master-port", "29511", "--node-rank", str(number)]
    python = [sys.executable, "-m"]
    command = [*python, *watch, *env, *python, *launch, *where, "train.py"]
    return lambda: sys.exit(subprocess.call(command, stdin=subprocess.DEVNULL))

print(on_hosts(node(0), node(1), patience_s=240))
"""


def test_the_rank_that_failed_first_is_found_on_its_node(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    done = run([PY, "-c", HOSTS], cwd=tmp_path, env=env)
    said = done.stdout.decode()
    if "this machine forbids" in said or "'ip' is missing" in said:
        pytest.skip("no network namespaces here")
    assert said.splitlines()[-1] == "[1, 1]", done.stderr.decode()
    answered = run([PY, "-m", "fixbook", "diagnose", "node-0", "node-1", "--json"], cwd=tmp_path)
    card = json.loads(answered.stdout)["exception"]
    assert card["text"] == "KeyError: 'labels'"
    assert (card["rank"], card["source"].split("/")[0]) == (1, "node-1")
