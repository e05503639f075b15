"""`vllm serve` as far as its configuration, for a model of 28 attention heads on 8 GPUs."""

from fixbook.recipe.helpers.vllm_workers import configured, write_model


def serve(command: str) -> dict[str, int]:
    """Let vLLM check the configuration of this command line; return how many GPUs it is for."""
    write_model(num_attention_heads=28, num_key_value_heads=4, hidden_size=3584)
    parallel = configured(command).parallel_config
    return {
        "tensor": parallel.tensor_parallel_size,
        "pipeline": parallel.pipeline_parallel_size,
        "servers": parallel.data_parallel_size,
        "gpus": parallel.world_size_across_dp,
    }
