"""One step of verl's PPO trainer: the check of the settings, and who divides the batch then."""

from __future__ import annotations

import importlib.util
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import hydra
import torch
from verl.experimental.agent_loop.agent_loop import AgentLoopManager
from verl.experimental.reward_loop import reward_loop
from verl.protocol import BatchData, DataProto
from verl.trainer.ppo.ray_trainer import RayPPOTrainer
from verl.utils.config import validate_config
from verl.workers.engine.utils import prepare_micro_batches
from verl.workers.engine_workers import TrainingWorker

ACTOR = "actor_rollout_ref.actor"
ROLLOUT = "actor_rollout_ref.rollout"
FIXED = (
    "algorithm.adv_estimator=grpo",
    "actor_rollout_ref.model.path=any/model",
    "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=1",
    f"{ROLLOUT}.name=vllm",
    f"{ACTOR}.ppo_micro_batch_size_per_gpu=1",
)


def composed(*overrides: str) -> Any:
    """Read verl's settings, as ``python -m verl.trainer.main_ppo OVERRIDE...`` does."""
    spec = importlib.util.find_spec("verl")
    folder = Path(str(spec.origin)).parent / "trainer" / "config" if spec else Path()
    with hydra.initialize_config_dir(str(folder), version_base=None):
        return hydra.compose("ppo_trainer", overrides=[*FIXED, *overrides])


def batch_of(size: int) -> DataProto:
    """Return a batch of that many rows, which can be told apart."""
    rows = torch.arange(size)
    mask = torch.ones(size, 4, dtype=torch.long)
    return DataProto.from_dict(tensors={"row": rows, "attention_mask": mask})


def generate(config: Any, prompts: DataProto) -> DataProto:
    """Let verl deal the prompts out to its agent loop workers, which only hand them back."""

    async def answer(chunk: DataProto) -> DataProto:
        chunk.meta_info = {"metrics": []}
        return chunk

    worker = SimpleNamespace(generate_sequences=SimpleNamespace(remote=answer))
    manager: Any = object.__new__(AgentLoopManager)
    workers = config.actor_rollout_ref.rollout.agent.num_workers
    manager.agent_loop_workers = [worker] * workers
    manager._performance_metrics = lambda *_: {}
    answers: DataProto = manager.generate_sequences(prompts)
    return answers


def score(config: Any, answers: DataProto) -> int:
    """Let verl deal the answers out to its reward workers, which give each a nought."""

    def noughts(chunk: DataProto) -> list[dict[str, float]]:
        return [{"reward_score": 0.0}] * len(chunk)

    worker = SimpleNamespace(compute_score_batch=SimpleNamespace(remote=noughts))
    manager: Any = object.__new__(reward_loop.RewardLoopManager)
    manager.reward_model_manager = None
    manager.reward_loop_workers = [worker] * config.reward.num_workers
    manager.reward_manager_cls = SimpleNamespace(
        assemble_rm_scores=lambda _, scores: torch.tensor(scores)
    )
    with patch.object(reward_loop, "ray", SimpleNamespace(get=list)):
        return len(manager.compute_rm_score(answers))


def log_probs(config: Any, answers: DataProto, gpus: int) -> None:
    """Let verl deal the answers out to the GPUs, and the first one split its share to reckon."""
    share = BatchData(answers.to_tensordict()).chunk(chunks=gpus)[0].clone()
    worker = stand_in(gpus, config.actor_rollout_ref.actor)
    worker.model_config, worker.loss_fn = {}, None
    worker.engine_config = SimpleNamespace(
        use_dynamic_bsz=False,
        use_fused_kernels=False,
        infer_max_token_len_per_gpu=1,
        infer_micro_batch_size_per_gpu=(
            config.actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu
        ),
    )
    TrainingWorker.infer_batch(worker, share)


def update(config: Any, answers: DataProto, gpus: int) -> list[int]:
    """Let verl deal the answers out to the GPUs, and the first one split its share."""
    actor = config.actor_rollout_ref.actor
    size = actor.ppo_mini_batch_size * config.actor_rollout_ref.rollout.n
    share = BatchData(answers.to_tensordict()).chunk(chunks=gpus)[0].clone()
    share.set_non_tensor("mini_batch_size", size)
    worker = stand_in(gpus, actor)
    TrainingWorker.train_mini_batch(worker, share)
    return worker.updates


def stand_in(gpus: int, actor: Any) -> Any:
    """Return what stands for a worker: an engine without a model, that splits and counts."""
    worker: Any = SimpleNamespace(updates=[])
    worker.engine = SimpleNamespace(
        get_data_parallel_size=lambda: gpus,
        get_data_parallel_rank=lambda: 0,
        train_mode=lambda **_: nullcontext(),
        eval_mode=lambda **_: nullcontext(),
        infer_batch=lambda data, **_: prepare_micro_batches(data),
        is_mp_src_rank_with_outputs=lambda: False,
    )
    worker.profiler = SimpleNamespace(step=lambda: None)

    def train_batch(mini: Any) -> None:
        micro_size = actor.ppo_micro_batch_size_per_gpu
        sizes = {"use_dynamic_bsz": False, "micro_batch_size_per_gpu": micro_size}
        for key, value in sizes.items():
            mini.set_non_tensor(key, value)
        micro, _ = prepare_micro_batches(mini)
        worker.updates.append(len(micro))

    worker.train_batch = train_batch
    return worker


def step(config: Any) -> dict[str, Any]:
    """Go through a step in verl's order: check, generate, score, balance, reckon, update."""
    gpus = config.trainer.n_gpus_per_node * config.trainer.nnodes
    validate_config(config, use_reference_policy=False, use_critic=False)
    prompts = batch_of(config.data.train_batch_size)
    rollout = prompts.repeat(config.actor_rollout_ref.rollout.n)
    answers = generate(config, rollout)
    if config.reward.reward_model.enable:
        score(config, answers)
    trainer: Any = object.__new__(RayPPOTrainer)
    trainer.config = config
    trainer.actor_rollout_wg = None
    trainer._get_dp_size = lambda *_: gpus
    trainer._balance_batch(answers, metrics={})
    log_probs(config, answers, gpus)
    updates = update(config, answers, gpus)
    return {"answers": len(answers), "updates": len(updates), "micro_batches": updates[0]}
