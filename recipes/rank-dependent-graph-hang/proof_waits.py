"""Which wait is it? The measurements of the page, each on a failure and on a look-alike."""

from __future__ import annotations

import contextlib
import os
import pickle
import re
import sys
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from failure import WIDTH, VisionLanguage, images_alone, train
from proof_run import (
    BOTH_EXPERTS,
    ONE_EXPERT_LESS,
    MixtureOfExperts,
    batch,
    join_group,
    run,
)
from torch.distributed import distributed_c10d as c10d
from torch.nn.parallel import DistributedDataParallel

from fixbook.recipe import device, run_snippet, snippet
from fixbook.recipe.helpers import run_python

# --- TORCH_DISTRIBUTED_DEBUG=DETAIL -------------------------------------------------------------

_ASKED = re.compile(r"CollectiveFingerPrint\(SequenceNumber=\d+, (.*?), TensorDtypes")
_WRAP = """
import torch, torch.distributed as dist
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 2))
"""


def checked(model: VisionLanguage) -> dict[str, Any]:
    """Train under FSDP2 and return what torch objects to."""
    try:
        return run("fsdp2", model) | {"found": False}
    except RuntimeError as error:
        asked = _ASKED.search(str(error))
        return {"found": "Detected mismatch" in str(error), "asked": asked[1] if asked else ""}


def wrapped_by_ddp(level: str) -> dict[str, Any]:
    """Let DDP wrap one layer over gloo, in a process of its own."""
    code = run_python(_WRAP, env={"TORCH_DISTRIBUTED_DEBUG": level}).returncode
    return {"found": code == -11, "exit_code": code}


# --- The flight recorder ------------------------------------------------------------------------


def analysed(job: str, module: str = "proof_waits") -> dict[str, Any]:
    """Run a job of a module as the page's ``train.py``, and read what the analyser says."""
    lines = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})", f"import {module}"
    Path("train.py").write_text("\n".join((*lines, f"{module}.{job}()")), "utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    said = run_snippet("flight-recorder", env={"PATH": path}).stdout
    difference = re.search(r"error msg: (.*)", said)
    missing = re.search(r"missing ranks: (.*)", said)
    return {
        "found": "_MISMATCH, " in said,
        "difference": difference[1] if difference else "",
        "missing": missing[1] if missing else "",
        "names_our_code": f"train at {Path(train.__code__.co_filename)}" in said,
    }


def skips() -> None:
    """Run the failing training on GPUs; NCCL's watchdog itself writes the record out."""
    run("fsdp2", VisionLanguage(images_alone), wait_s=15.0)


def one_expert_less(plan: list[str] = ONE_EXPERT_LESS) -> None:
    """Use an expert less on rank 1, one as large as the next layer, and wait for the timeout."""
    rank = join_group()
    loader = [batch(kinds[rank], rank, step) for step, kinds in enumerate(plan)]
    with contextlib.suppress(RuntimeError):
        train("fsdp2", MixtureOfExperts(outputs=WIDTH), loader, wait_s=4.0)
    dump()


def both_experts() -> None:
    """Use both experts on both ranks."""
    one_expert_less(BOTH_EXPERTS)


def prepares_data() -> None:
    """Let rank 0 prepare data until rank 1, which waits for it, has given up."""
    rank, store = join_group(), c10d._get_default_store()
    dist.barrier()
    c10d._set_pg_timeout(c10d.timedelta(seconds=1))
    if rank:
        with contextlib.suppress(RuntimeError):
            dist.barrier()
        store.set("gave up", "")
    store.wait(["gave up"])
    dump()


def uneven_but_right() -> None:
    """Exchange tokens, of which rank 1 has more; and reduce other sizes in a group of its own."""
    rank = join_group()
    alone = [dist.new_group([0]), dist.new_group([1])][rank]
    sent, got = torch.ones(4 + 2 * rank), torch.empty(5)
    dist.all_to_all_single(got, sent, [2, 3], [2 + rank] * 2)
    dist.all_reduce(sent, group=alone)
    dump()


def dump() -> None:
    """Write the record where NCCL's watchdog would; gloo's does not say who is in a group."""
    trace = pickle.loads(torch._C._distributed_c10d._dump_fr_trace())  # noqa: S301
    trace["pg_config"] = {
        name: {"name": name, "desc": group.group_desc, "ranks": str(list(ranks))}
        for group, name in c10d._world.pg_names.items()
        for ranks in [dist.get_process_group_ranks(group)]
    }
    file = Path(os.environ["TORCH_FR_DUMP_TEMP_FILE"] + str(dist.get_rank()))
    file.write_bytes(pickle.dumps(trace))


# --- Parameters without a gradient --------------------------------------------------------------


def listed(plan: list[str]) -> dict[str, Any]:
    """Run the page's lines under DDP on each rank's batch."""
    rank = join_group()
    model = DistributedDataParallel(VisionLanguage().to(device()))
    ours = [
        one.to(device()) if torch.is_tensor(one) else one for one in batch(plan[0][rank], rank, 0)
    ]
    names = snippet("list-unused", model=model, batch=ours, rank=rank)["unused"]
    c10d._get_default_store().set(str(rank), ",".join(names) or "none")
    lists = [c10d._get_default_store().get(str(one)).decode() for one in range(2)]
    return {"found": lists[0] != lists[1], "listed": len(names)}


# --- Another suspect ----------------------------------------------------------------------------


def rwkv_loop() -> dict[str, Any]:
    """Count the collectives of the loop that a report suspects, beside one all-reduce."""
    from transformers.models.rwkv.modeling_rwkv import rwkv_linear_attention_cpu

    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    decay, first, x = (torch.ones(shape, requires_grad=True) for shape in (8, 8, (1, 32, 8)))

    def recorded() -> int:
        return len(pickle.loads(torch._C._distributed_c10d._dump_fr_trace())["entries"])  # noqa: S301

    rwkv_linear_attention_cpu(decay, first, x, x)[0].sum().backward()
    of_the_loop = recorded()
    dist.all_reduce(decay.grad)
    return {"found": of_the_loop > 0, "of_the_loop": of_the_loop, "of_a_reduction": recorded()}
