"""Things that print a lot, warn, or catch an error, and are well."""

# ruff: noqa: PLC0415, S106 (each thing imports what it is about; unk_token is no password)
from __future__ import annotations

import argparse
import faulthandler
import logging
import os
import sys
import tempfile
import time
import warnings
from pathlib import Path

import torch


def ray_tasks() -> None:
    """Tasks and actors on a local Ray."""
    import ray

    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=80_000_000)

    @ray.remote
    class Rollout:
        def step(self, number: int) -> int:
            print(f"rollout step {number}: reward {number % 7 / 7:.3f}")
            return number

    @ray.remote(max_retries=0)
    def score(number: int) -> int:
        logging.getLogger("scorer").warning("scored %d", number)
        return number

    actors = [Rollout.remote() for _ in range(2)]
    for number in range(400):
        ray.get([actor.step.remote(number) for actor in actors])
        if number % 20 == 0:
            ray.get(score.remote(number))
    ray.shutdown()


def datasets_map() -> None:
    """Progress bars of datasets, with worker processes, and the tokenizers fork warning."""
    import datasets
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE(unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    texts = [f"sentence number {index} of the corpus" for index in range(20_000)]
    tokenizer.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=400))
    tokenizer.encode_batch(texts[:100])
    rows = datasets.Dataset.from_dict({"text": texts})
    for workers in (1, 2, 2):
        done = rows.map(
            lambda row: {"ids": tokenizer.encode(row["text"]).ids},
            num_proc=workers,
            desc="Tokenizing",
        )
        done.filter(lambda row: len(row["ids"]) > 1, num_proc=workers)
    with tempfile.TemporaryDirectory() as folder:
        done.save_to_disk(folder)


def dead_ends() -> None:
    """Optional imports that fail and are caught with their tracebacks, as libraries log them."""
    log = logging.getLogger("optional")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    for round_number in range(60):
        for name in ("flash_attn", "xformers", "apex", "transformer_engine", "vllm"):
            try:
                __import__(name)
            except ImportError:
                log.exception("%s is not installed, falling back to sdpa (%d)", name, round_number)
        try:
            torch.ones(2, 3) @ torch.ones(2, 3)
        except RuntimeError:
            log.warning("trying the other layout", exc_info=True)


def stacks() -> None:
    """Stacks that a healthy process prints because somebody asked."""
    for _ in range(40):
        faulthandler.dump_traceback_later(0.02, repeat=False, file=sys.stderr)
        time.sleep(0.05)
        faulthandler.cancel_dump_traceback_later()


def profile() -> None:
    """Tables of the profiler, the anomaly mode and what CUDA says about memory without a GPU."""
    layer = torch.nn.TransformerEncoderLayer(32, 4, batch_first=True)
    torch.autograd.set_detect_anomaly(mode=True)
    for _ in range(12):
        with torch.profiler.profile(
            profile_memory=True, record_shapes=True, with_stack=True
        ) as seen:
            layer(torch.randn(2, 8, 32)).sum().backward()
        print(seen.key_averages(group_by_input_shape=True).table(row_limit=60))
        print(seen.key_averages(group_by_stack_n=4).table(row_limit=40))
    print(torch.__config__.show(), torch.__config__.parallel_info())
    print(torch.cuda.memory_summary() if torch.cuda.is_available() else "no CUDA device")


def deprecations() -> None:
    """Old ways of calling torch, each with its warning."""
    warnings.simplefilter("always")
    for _ in range(30):
        with torch.cuda.amp.autocast(enabled=False), torch.cpu.amp.autocast():
            torch.ones(2)
        torch.nn.functional.nll_loss(torch.randn(2, 3), torch.tensor([0, 1]), size_average=True)
        torch.utils.checkpoint.checkpoint(torch.sin, torch.ones(2), use_reentrant=True)
        torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])
        torch.load(_saved(), weights_only=False)
        torch.utils.data.DataLoader(range(4), num_workers=64)
        torch.nn.Transformer(32, 4, 1, 1)
        torch.meshgrid(torch.ones(2), torch.ones(3))


def _saved() -> Path:
    path = Path(tempfile.gettempdir()) / f"weights-{os.getpid()}.pt"
    torch.save({"weight": torch.ones(2)}, path)
    return path


def build() -> None:
    """Build an extension with ninja and say everything."""
    from torch.utils.cpp_extension import load_inline

    source = "#include <torch/extension.h>\ntorch::Tensor twice(torch::Tensor x) { return x + x; }"
    with tempfile.TemporaryDirectory() as folder:
        made = load_inline(
            "twice", source, functions=["twice"], build_directory=folder, verbose=True
        )
        print(made.twice(torch.ones(2)))


def bars() -> None:
    """Progress bars that rewrite their line, nested, in several styles and with colours."""
    import tqdm

    for epoch in tqdm.tqdm(range(6), desc="epoch", mininterval=0):
        inner = tqdm.tqdm(range(2500), desc=f"\x1b[32mepoch {epoch}\x1b[0m", mininterval=0)
        for step in inner:
            inner.set_postfix(loss=f"{1 / (1 + step):.4f}", lr="1e-4", mem="OK", oom_retries=0)


THINGS = {
    thing.__name__: thing
    for thing in (
        ray_tasks,
        datasets_map,
        dead_ends,
        stacks,
        profile,
        deprecations,
        build,
        bars,
    )
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("thing", choices=sorted(THINGS))
    THINGS[parser.parse_args().thing]()
