"""A job on a Ray cluster that runs already, and the engine processes it starts."""

from __future__ import annotations

import os

import ray

DEBUGGING = ("CUDA_ENABLE_COREDUMP_ON_EXCEPTION", "CUDA_LAUNCH_BLOCKING")


def debugging() -> int:
    """Count the debugging variables that this process has."""
    return sum(os.environ.get(name) == "1" for name in DEBUGGING)


@ray.remote(num_cpus=0)
class Engine:
    """Where vLLM would generate."""

    def has(self) -> int:
        """Count them here."""
        return debugging()

    def worker_has(self) -> int:
        """Count them in an actor that this one starts, as an engine starts its workers."""
        return ray.get(Engine.remote().has.remote())


def train(runtime_env: dict | None = None) -> dict[str, int]:
    """Connect to the cluster, start an engine, and see what reached it.

    Args:
        runtime_env: The job's runtime environment.
    """
    ray.init(runtime_env=runtime_env, log_to_driver=False, logging_level="error")
    try:
        engine = Engine.remote()
        reached = {
            "engine": ray.get(engine.has.remote()),
            "worker": ray.get(engine.worker_has.remote()),
        }
        return {"driver": debugging(), **reached}
    finally:
        ray.shutdown()
