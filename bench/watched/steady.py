"""Loops that are well: some pause for long, as for saving, evaluation or a compiler."""

import os
import random
import time

import ranks

KINDS = ("plain", "pauses", "evaluates", "saves", "warm_up", "compiles_long", "loads_long", "downloads")


def _loop(kind):
    random.seed(0)
    rate = 0.0 if kind == "warm_up" else 1e-4
    for at in range(40):
        ranks.step()
        rate = min(1e-4, rate + (1e-5 if kind == "warm_up" else 0))
        ranks.row(loss=2 - at / 50, grad_norm=random.uniform(0.2, 3), learning_rate=rate * (at < 39))
        time.sleep(0.05)
        if at == 20:
            _work(kind) if kind not in ("plain", "warm_up") else None


def _work(kind):
    if kind in ("saves", "downloads", "loads_long"):
        with open(f"big-{ranks.rank}", "wb") as file:
            for _ in range(30):
                file.write(os.urandom(1_000_000)), file.flush(), os.fsync(file.fileno())
                time.sleep(0.3)
    elif kind == "compiles_long":
        end = time.monotonic() + 8
        at = 0
        while time.monotonic() < end:
            at = sum(range(1000 + at % 10)) if at % 2 else at + 1
    elif kind == "evaluates":
        end = time.monotonic() + 6
        while time.monotonic() < end:
            ranks.torch.ones(300, 300) @ ranks.torch.ones(300, 300)
        ranks.row(eval_loss=2.0, eval_runtime=6.0)
    else:
        time.sleep(4)
    ranks.step()


for _kind in KINDS:
    globals()[_kind] = lambda kind=_kind: _loop(kind)
