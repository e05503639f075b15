"""OpenRLHF's own rollout: who sends requests before the engines are awake?"""

from __future__ import annotations

import contextlib
import sys
import time
from functools import partial
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest import mock

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


def rollout() -> dict[str, Any]:
    """Run `make_experience_list` on two ranks up to the rewards, with rank 0 late."""
    sys.meta_path.insert(0, LeftOut())
    import ray
    import torch
    import torch.distributed as dist
    from openrlhf.trainer.ppo_utils.experience_maker import RemoteExperienceMaker

    dist.init_process_group("gloo")
    engine = Engine([])
    options = SimpleNamespace(vllm_enable_sleep=True, perf=False, micro_rollout_batch_size=8)
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
    return {
        "calls": [name for name, _ in engine.asked],
        "before_wake_up": bool(awake) and min(sent) < max(awake),
        "found": asked[1][0][0] == "add_requests",
    }
