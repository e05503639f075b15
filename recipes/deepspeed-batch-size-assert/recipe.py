"""Batch sizes that do not multiply: DeepSpeed compares them with the processes it sees."""
# /// script
# requires-python = ">=3.11"
# dependencies = [
#     "fixbook",
#     "torch==2.13.0",
#     "deepspeed==0.19.8",
#     "transformers==5.23.0",
#     "accelerate==1.15.0",
# ]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from proof_engine import TWO, look, run, two_keys

from fixbook.recipe import detect, fix, main, reproduce


@reproduce(ranks=2)
def three_numbers() -> Any:
    """8 is not 2 * 1 * 2."""
    return run({**TWO, "train_batch_size": 8})


@reproduce()
def one_process() -> Any:
    """The right product for two processes, started as one."""
    return run({**TWO, "train_batch_size": 4})


@reproduce(ranks=2)
def read_too_early() -> Any:
    """The right product, read by ``zero.Init`` before DeepSpeed knows of the second process."""
    return run({**TWO, "train_batch_size": 4}, first="", zero_init=True)


@reproduce(ranks=2)
def nothing_initialised() -> Any:
    """The same where torch does not know of it either: only the launcher does."""
    return run({**TWO, "train_batch_size": 4}, first="", zero_init=True, joined=False)


@reproduce(ranks=2)
def nothing_given() -> Any:
    """A file without a batch size."""
    return run({"gradient_accumulation_steps": 1})


@reproduce(ranks=2)
def fewer_than_processes() -> Any:
    """A total of 1 for two processes leaves none for each."""
    return run({"train_batch_size": 1})


@reproduce(ranks=2)
def auto_without_trainer() -> Any:
    """Nobody replaces "auto"."""
    return run({**TWO, "train_batch_size": "auto"})


@detect(found=True, ranks=2)
def deepspeed_sees_one() -> Any:
    """Torch sees two processes, DeepSpeed one."""
    return look("")


@detect(found=False, control="deepspeed-sees-one", ranks=2)
def both_see_two() -> Any:
    """Both see two."""
    return look("deepspeed")


@fix("two-keys", control="three-numbers", ranks=2)
def only_two_keys() -> Any:
    """DeepSpeed multiplies by itself."""
    return run(two_keys())


@fix("two-keys", control="one-process")
def two_keys_alone() -> Any:
    """The same file serves one process."""
    return run(two_keys())


@fix("two-keys", control="auto-without-trainer", ranks=2)
def no_auto() -> Any:
    """The key is left out."""
    return run(two_keys())


@fix("launch", control="one-process", ranks=2)
def launched() -> Any:
    """The same with two."""
    return run({**TWO, "train_batch_size": 4})


@fix("init-first", control="read-too-early", ranks=2)
def init_first() -> Any:
    """DeepSpeed knows."""
    return run({**TWO, "train_batch_size": 4}, first="deepspeed", zero_init=True)


@fix("init-first", control="read-too-early", ranks=2)
def arguments_first() -> Any:
    """The Trainer's arguments tell DeepSpeed of a process group that was there already."""
    return run({**TWO, "train_batch_size": 4}, first="arguments", zero_init=True)


@fix("init-first", control="nothing-initialised", ranks=2)
def initialised() -> Any:
    """DeepSpeed initialises torch, and knows of both."""
    return run({**TWO, "train_batch_size": 4}, first="deepspeed", zero_init=True, joined=False)


@fix("product", control="three-numbers", ranks=2)
def right_product() -> Any:
    """4 is 2 * 1 * 2."""
    return run({**TWO, "train_batch_size": 4})


if __name__ == "__main__":
    main(__file__)
