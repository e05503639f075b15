"""verl refuses batches that cannot be dealt out evenly, at the start or after generating."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook", "torch==2.13.0", "transformers==5.23.0", "ray==2.60.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_verl import deal, look, older_worker, train

from fixbook.recipe import detect, fix, main, non_fix, reproduce

BESIDE = [
    "hydra-core==1.3.2", "omegaconf==2.3.0", "antlr4-python3-runtime==4.9.3",
    "tensordict==0.10.0", "pyvers==0.1.0", "orjson==3.13.0", "cloudpickle==3.1.2",
    "codetiming==1.4.0", "cachetools==8.0.1", "fastapi==0.165.0", "torchdata==0.11.0",
    "aiohttp==3.14.5", "aiohappyeyeballs==2.7.1", "aiosignal==1.4.0", "frozenlist==1.8.0",
    "multidict==7.2.1", "propcache==0.5.4", "yarl==1.25.1",
]  # fmt: skip
V0_7 = ["verl==0.7.1", *BESIDE]
V0_8 = ["verl==0.8.0", *BESIDE]
V0_9 = ["verl==0.9.1", *BESIDE]


@reproduce(versions=V0_8)
def no_multiple_of_gpus() -> dict[str, Any]:
    """Six answers for four GPUs."""
    return train(batch=6, workers=2)


@reproduce(versions=V0_9)
def no_multiple_of_gpus_on_0_9() -> dict[str, Any]:
    """The next release asks the same."""
    return train(batch=6, workers=2)


@reproduce(versions=V0_8)
def two_nodes() -> dict[str, Any]:
    """Twenty answers for two nodes of eight GPUs."""
    return train(batch=20, gpus=8, nodes=2)


@reproduce(versions=V0_8)
def mini_batch_above_batch() -> dict[str, Any]:
    """A mini-batch of more prompts than there are."""
    return train(mini=32)


@reproduce(versions=V0_8)
def no_multiple_of_agent_workers() -> dict[str, Any]:
    """Sixty answers and two GPUs, but eight agent loop workers, which is the default."""
    return train(batch=60, mini=12, gpus=2)


@reproduce(versions=V0_8)
def no_multiple_of_reward_workers() -> dict[str, Any]:
    """Four agent loop workers, and eight that score, which is the default as well."""
    return train(batch=60, mini=12, gpus=2, workers=4, reward=8)


@reproduce(versions=V0_8)
def mini_batch_over_gpus() -> dict[str, Any]:
    """A mini-batch of six for four GPUs."""
    return train(batch=24, mini=6)


@reproduce(versions=V0_8)
def batch_over_mini_batch() -> dict[str, Any]:
    """Twelve of sixteen answers, and four are left."""
    return train(mini=12)


@reproduce(versions=V0_8)
def mini_batch_over_micro_batch() -> dict[str, Any]:
    """Two answers per GPU, in micro-batches of three."""
    return train(mini=8, micro=3)


@reproduce(versions=V0_8)
def log_prob_micro_batch() -> dict[str, Any]:
    """Four answers per GPU, and log probabilities for three at once."""
    return train(log_prob=3)


@reproduce(versions=V0_8)
def rows_of_own_code() -> dict[str, Any]:
    """Six rows for four workers."""
    return deal(6)


@reproduce(versions=V0_7)
def per_gpu_over_micro_batch() -> dict[str, Any]:
    """The earlier worker: three per GPU, in micro-batches of two."""
    return older_worker(3, micro=2)


@reproduce(versions=V0_7, ranks=2)
def nothing_per_gpu() -> dict[str, Any]:
    """A mini-batch of one for two GPUs."""
    return older_worker(1)


@fix("sizes", control="no-multiple-of-gpus", versions=V0_8)
def multiple_of_gpus() -> dict[str, Any]:
    """Eight answers."""
    return train(batch=8, workers=2)


@fix("sizes", control="no-multiple-of-gpus-on-0-9", versions=V0_9)
def multiple_of_gpus_on_0_9() -> dict[str, Any]:
    """The same with the next release."""
    return train(batch=8, workers=2)


@fix("sizes", control="mini-batch-above-batch", versions=V0_8)
def mini_batch_of_batch() -> dict[str, Any]:
    """As many prompts as there are: one update."""
    return train(mini=16)


@fix("sizes", control="mini-batch-over-gpus", versions=V0_8)
def mini_batch_of_eight() -> dict[str, Any]:
    """Eight, which four GPUs share."""
    return train(batch=24, mini=8)


@fix("sizes", control="batch-over-mini-batch", versions=V0_8)
def mini_batch_divides_batch() -> dict[str, Any]:
    """Eight of sixteen."""
    return train(mini=8)


@fix("sizes", control="mini-batch-over-micro-batch", versions=V0_8)
def micro_batch_of_two() -> dict[str, Any]:
    """Two per GPU, at once."""
    return train(mini=8, micro=2)


@fix("sizes", control="per-gpu-over-micro-batch", versions=V0_7)
def per_gpu_of_four() -> dict[str, Any]:
    """Four per GPU, in micro-batches of two."""
    return older_worker(4, micro=2)


@fix("sizes", control="log-prob-micro-batch", versions=V0_8)
def log_prob_of_two() -> dict[str, Any]:
    """Four per GPU, in micro-batches of two."""
    return train(log_prob=2)


@fix("agent-workers", control="no-multiple-of-agent-workers", versions=V0_8)
def fewer_agent_workers() -> dict[str, Any]:
    """Sixty answers for four of them."""
    return train(batch=60, mini=12, gpus=2, workers=4)


@fix("agent-workers", control="no-multiple-of-reward-workers", versions=V0_8)
def fewer_reward_workers() -> dict[str, Any]:
    """Sixty answers for four of them."""
    return train(batch=60, mini=12, gpus=2, workers=4, reward=4)


@fix("pad", control="rows-of-own-code", versions=V0_8)
def padded() -> dict[str, Any]:
    """Two rows are added, and taken off again."""
    return deal(6, filled=True)


@non_fix("per-node", control="two-nodes", versions=V0_8)
def multiple_of_one_node() -> dict[str, Any]:
    """A batch that the eight GPUs of one node divide."""
    return train(batch=24, gpus=8, nodes=2)


@non_fix("dynamic", control="no-multiple-of-gpus", versions=V0_8)
def dynamic_batches() -> dict[str, Any]:
    """The check is left out, and the answers are generated."""
    return train(batch=6, workers=2, dynamic=True)


@detect(found=True, versions=V0_7, ranks=2)
def rounded_down() -> dict[str, Any]:
    """A mini-batch of three for two GPUs, with the earlier worker."""
    return older_worker(3)


@detect(found=True, versions=V0_8)
def looked_at_remainders() -> dict[str, Any]:
    """The page's question about sizes that pass the check at the start."""
    return look(mini=6, micro=2)


@detect(found=False, control="looked-at-remainders", versions=V0_8)
def looked_at_even_sizes() -> dict[str, Any]:
    """The same about a mini-batch that divides."""
    return look(mini=8, micro=2)


if __name__ == "__main__":
    main(__file__)
