"""OpenRLHF's own rollout: who sends requests before the engines are awake?"""

from __future__ import annotations

import contextlib
import sys
import time
from functools import partial
from importlib import metadata
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest import mock

from fixbook.recipe import detect, fix, measure, non_fix

POST1 = {"versions": ["openrlhf==0.6.0.post1"], "ranks": 2, "needs": ["ray"]}
POST2 = {"versions": ["openrlhf==0.6.0.post2"], "ranks": 2, "needs": ["ray"]}
SENT = Path("requests-sent")
LEFT_OUT = {"vllm", "flash_attn", "deepspeed", "peft", "transformers", "datasets"}


class Enough(Exception):  # noqa: N818
    """Ends the real code where a GPU would be needed."""


def enough(*_: Any, **__: Any) -> None:
    """Raise `Enough`."""
    raise Enough


class LeftOut:
    """Finds libraries that a rollout only imports: modules in which every name is a stand-in."""

    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:
        """Answer for the libraries that are left out, and all in them."""
        known = name.partition(".")[0] in LEFT_OUT
        return ModuleSpec(name, self, is_package=True) if known else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Make a module whose names are classes, for they may be inherited from."""
        module = ModuleType(spec.name)
        module.__getattr__ = lambda name: type(name, (mock.MagicMock,), {})
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: it is ready."""


class Engine:
    """Stands in for a Ray actor: notes what it is asked to do, and when."""

    def __init__(self, asked: list[tuple[str, float]]) -> None:
        self.asked = asked

    def __getattr__(self, name: str) -> Any:
        return SimpleNamespace(remote=lambda *_, **__: self.note(name))

    def note(self, name: str) -> list[Any]:
        """Keep the call, and leave a mark once requests are sent."""
        self.asked.append((name, time.monotonic()))
        if name == "add_requests":
            SENT.touch()
        return []


def rollout(*, sleep: bool = True, micro: int = 8) -> dict[str, Any]:
    """Run `make_experience_list` on two ranks up to the rewards, with rank 0 late.

    Args:
        sleep: Whether the engines sleep between rollouts (`--vllm_enable_sleep`).
        micro: `--micro_rollout_batch_size`.
    """
    sys.meta_path.insert(0, LeftOut())
    import ray
    import torch
    import torch.distributed as dist
    from openrlhf.trainer.ppo_utils.experience_maker import RemoteExperienceMaker

    dist.init_process_group("gloo")
    engine = Engine([])
    taken = mock.PropertyMock(return_value=micro)
    options = type("Options", (SimpleNamespace,), {"micro_rollout_batch_size": taken})()
    vars(options).update(vllm_enable_sleep=sleep, perf=False)
    vars(options).update(ring_attn_size=1, n_samples_per_prompt=1, rollout_batch_size=16)
    maker = object.__new__(RemoteExperienceMaker)
    maker.strategy = SimpleNamespace(
        args=options, ring_attn_group=None, ring_attn_size=1, is_rank_0=lambda: False
    )
    maker.vllm_engines, maker.packing_samples, maker.prompt_max_len = [engine], True, 1024
    maker.critic, maker.process_experiences = None, enough
    maker.tokenize_fn = lambda texts, *_, **__: {"input_ids": [[0]] * len(texts)}
    barrier = dist.barrier

    def noted_barrier() -> None:
        engine.note("barrier")
        barrier()

    barrier()
    late = time.monotonic() + 2
    while dist.get_rank() == 0 and time.monotonic() < late and not SENT.exists():
        time.sleep(0.02)
    with (
        mock.patch.object(ray, "get", list),
        mock.patch.object(dist, "barrier", noted_barrier),
        mock.patch.object(torch.cuda, "synchronize", partial(engine.note, "synchronize")),
        contextlib.suppress(Enough),
    ):
        maker.make_experience_list(["prompt"] * 16, [""] * 16)
    asked: list[Any] = [None, None]
    dist.all_gather_object(asked, engine.asked)
    dist.destroy_process_group()
    awake = [moment for name, moment in asked[0] if name == "wake_up"]
    sent = [moment for name, moment in asked[1] if name == "add_requests"]
    measure(release=metadata.version("openrlhf"), micro=micro if taken.called else 0)
    return {
        "calls": [name for name, _ in engine.asked],
        "before_wake_up": bool(awake) and min(sent) < max(awake),
        "found": asked[1][0][0] == "add_requests",
    }


@detect(found=True, **POST1)
def requests_before_wake_up() -> dict[str, Any]:
    """Before the change, nothing holds rank 1 back."""
    return rollout()


@fix("drain-before-sleep", control="requests-before-wake-up", **POST2)
def barrier_after_wake_up() -> dict[str, Any]:
    """After it, a barrier follows the wake-up on every rank."""
    return rollout()


@non_fix("smaller-micro-batch", control="requests-before-wake-up", **POST1)
def smaller_micro_batch() -> dict[str, Any]:
    """The same release with a micro batch of one."""
    return rollout(micro=1)


@detect(found=True, **POST1)
def before_without_sleep() -> dict[str, Any]:
    """Without sleep, nothing precedes the requests."""
    return rollout(sleep=False)


@non_fix("upgrade-openrlhf", control="before-without-sleep", **POST2)
def upgraded_without_sleep() -> dict[str, Any]:
    """Nor does anything after the upgrade."""
    return rollout(sleep=False)
