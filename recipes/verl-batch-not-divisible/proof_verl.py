"""Settings of verl, what it says of them, and its older workers."""

from __future__ import annotations

import os
from typing import Any

import torch
import torch.distributed as dist
from failure import ACTOR, ROLLOUT, composed, step
from verl.protocol import DataProto

from fixbook.recipe import measure, snippet
from fixbook.recipe.helpers import join_gloo

SIZES = {"batch": 16, "n": 1, "mini": 4, "micro": 1, "gpus": 4, "workers": 8, "log_prob": 1}
KEYS = {
    "batch": "data.train_batch_size",
    "n": f"{ROLLOUT}.n",
    "mini": f"{ACTOR}.ppo_mini_batch_size",
    "micro": f"{ACTOR}.ppo_micro_batch_size_per_gpu",
    "gpus": "trainer.n_gpus_per_node",
    "nodes": "trainer.nnodes",
    "workers": f"{ROLLOUT}.agent.num_workers",
    "dynamic": f"{ACTOR}.use_dynamic_bsz",
    "log_prob": f"{ROLLOUT}.log_prob_micro_batch_size_per_gpu",
    "reward": "reward.num_workers",
}
REWARD_MODEL = ["reward.reward_model.enable=True", "reward.reward_model.model_path=any/model"]


def train(**changed: Any) -> dict[str, Any]:
    """Go through a step of verl's trainer with these sizes."""
    sizes = {**SIZES, **changed}
    measure(**{key: float(value) for key, value in sizes.items()})
    asked = ("batch", "n", "mini", "micro", "gpus", "workers", "log_prob", "reward")
    measure(**look(**{key: sizes[key] for key in asked if key in sizes}))
    scored = REWARD_MODEL if "reward" in sizes else []
    return step(composed(*(f"{KEYS[key]}={value}" for key, value in sizes.items()), *scored))


def look(**changed: Any) -> dict[str, Any]:
    """Ask the page's question about these sizes."""
    found = snippet("remainders")["remainders"](**{**SIZES, **changed})
    return {"found": bool(found), "said": ", ".join(found)}


def rows(count: int) -> DataProto:
    """Return that many rows, numbered."""
    return DataProto.from_dict(tensors={"row": torch.arange(count)})


class Workers:
    """Four workers, which hand back what they get."""

    def generate(self, data: DataProto) -> DataProto:
        """Deal the rows out, as a function of verl's worker groups does."""
        parts = data.chunk(4)
        last = data.batch["row"].tolist()[-2:]
        measure(shares=[len(part) for part in parts], last=last)
        return DataProto.concat(parts)


def deal(count: int, *, filled: bool = False) -> dict[str, Any]:
    """Call the workers; ``filled``: by the page's lines."""
    data, group = rows(count), Workers()
    if filled:
        output = snippet("pad", data=data, workers=4, group=group)["output"]
    else:
        output = group.generate(data)
    return {"returned": output.batch["row"].tolist()}


def older_worker(mini: int, micro: int = 1) -> dict[str, Any]:
    """Make a worker of verl 0.7, which turns its sizes into sizes per GPU."""
    from verl.workers.fsdp_workers import ActorRolloutRefWorker

    join_gloo()
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "0")
    gpus = dist.get_world_size()
    sizes = {"batch": 16, "n": 1, "mini": mini, "micro": micro, "gpus": gpus, "log_prob": 1}
    config = composed(*(f"{KEYS[key]}={value}" for key, value in sizes.items()))
    worker = ActorRolloutRefWorker(config.actor_rollout_ref, "actor")
    per_gpu = worker.config.actor.ppo_mini_batch_size
    together = per_gpu * gpus
    return {"found": together != mini, "asked": mini, "per_gpu": per_gpu, "together": together}
