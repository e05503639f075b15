"""`vllm serve` as far as its configuration, on a machine with two GPUs."""

import proof_vllm  # noqa: F401

from fixbook.recipe.helpers.vllm_workers import configured, write_model


def serve(command: str) -> dict[str, object]:
    """Let vLLM check this command line; return how many GPUs it is for."""
    write_model()
    parallel = configured(command).parallel_config
    return {
        "world": parallel.world_size,
        "here": parallel.local_world_size,
        "copies": parallel.data_parallel_size,
        "backend": str(parallel.distributed_executor_backend),
    }
