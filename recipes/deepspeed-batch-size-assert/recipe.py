"""Batch sizes that do not multiply: DeepSpeed compares them with the processes it sees."""
# /// script
# requires-python = ">=3.11"
# dependencies = ["fixbook", "torch==2.13.0", "deepspeed==0.19.8"]
#
# [tool.uv.sources]
# fixbook = { path = "../..", editable = true }
# ///

from __future__ import annotations

from typing import Any

from failure import begin, train

from fixbook.recipe import detect, fix, main, measure, reproduce, snippet
from fixbook.recipe.helpers import join_gloo, without_shared_memory_kernels

TWO = {"train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 1}


def run(
    batch: dict[str, Any], *, joined: bool = True, init_first: bool = True, **changes: Any
) -> dict[str, Any]:
    """Make the engine, where torch knows the processes or not, and return its batch sizes."""
    if joined:
        join_gloo()
    else:
        without_shared_memory_kernels()
    begin(init_first=init_first)
    measure(found=disagree())
    engine = train(batch, **changes)
    return {
        "total": engine.train_batch_size(),
        "micro": engine.train_micro_batch_size_per_gpu(),
        "accumulation": engine.gradient_accumulation_steps(),
    }


def disagree() -> bool:
    """Compare, as the page does, how many processes torch and DeepSpeed see."""
    seen = snippet("processes")
    measure(torch=seen["torch_sees"], deepspeed=seen["deepspeed_sees"])
    return bool(seen["torch_sees"] != seen["deepspeed_sees"])


def look(*, init_first: bool) -> dict[str, Any]:
    """Ask the page's question before anything is trained."""
    join_gloo()
    begin(init_first=init_first)
    return {"found": disagree()}


@reproduce(on="cpu", ranks=2)
def three_numbers() -> Any:
    """8 is not 2 * 1 * 2."""
    return run({**TWO, "train_batch_size": 8})


@fix("two-keys", control="three-numbers", on="cpu", ranks=2)
def two_keys() -> Any:
    """DeepSpeed multiplies by itself."""
    return run(TWO)


@fix("product", control="three-numbers", on="cpu", ranks=2)
def right_product() -> Any:
    """4 is 2 * 1 * 2."""
    return run({**TWO, "train_batch_size": 4})


@reproduce(on="cpu")
def one_process() -> Any:
    """The right product for two processes, started as one."""
    return run({**TWO, "train_batch_size": 4})


@fix("launch", control="one-process", on="cpu", ranks=2)
def launched() -> Any:
    """The same with two."""
    return run({**TWO, "train_batch_size": 4})


@reproduce(on="cpu", ranks=2)
def read_too_early() -> Any:
    """The right product, read by ``zero.Init`` before DeepSpeed knows of the second process."""
    return run({**TWO, "train_batch_size": 4}, zero_init=True, init_first=False)


@reproduce(on="cpu", ranks=2)
def nothing_initialised() -> Any:
    """The same where torch does not know of it either: only the launcher does."""
    return run({**TWO, "train_batch_size": 4}, joined=False, zero_init=True, init_first=False)


@fix("init-first", control="nothing-initialised", on="cpu", ranks=2)
def initialised() -> Any:
    """DeepSpeed initialises torch, and knows of both."""
    return run({**TWO, "train_batch_size": 4}, joined=False, zero_init=True, init_first=True)


@reproduce(on="cpu", ranks=2)
def nothing_given() -> Any:
    """A file without a batch size."""
    return run({"gradient_accumulation_steps": 1})


@reproduce(on="cpu", ranks=2)
def fewer_than_processes() -> Any:
    """A total of 1 for two processes leaves none for each."""
    return run({"train_batch_size": 1})


@fix("init-first", control="read-too-early", on="cpu", ranks=2)
def init_first() -> Any:
    """DeepSpeed knows."""
    return run({**TWO, "train_batch_size": 4}, zero_init=True, init_first=True)


@reproduce(on="cpu", ranks=2)
def auto_without_trainer() -> Any:
    """Nobody replaces "auto"."""
    return run({**TWO, "train_batch_size": "auto"})


@fix("two-keys", control="auto-without-trainer", on="cpu", ranks=2)
def no_auto() -> Any:
    """The key is left out."""
    return run(TWO)


@detect(found=True, on="cpu", ranks=2)
def deepspeed_sees_one() -> Any:
    """Torch sees two processes, DeepSpeed one."""
    return look(init_first=False)


@detect(found=False, control="deepspeed-sees-one", on="cpu", ranks=2)
def both_see_two() -> Any:
    """Both see two."""
    return look(init_first=True)


if __name__ == "__main__":
    main(__file__)
