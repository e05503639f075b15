"""One job: it breaks in the way that it is asked for, or it does not."""

import fcntl
import os
import random
import signal
import sys
import time

kind = sys.argv[1]
rank, world = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
bad = rank == (2 if world > 2 else 1 if world > 1 else 0)
PLAIN = {"killed", "memory", "plain_lock", "nan", "all_masked", "rate_zero", "no_gradient", "leak", "nan_filtered"}

if world == 1 and kind in PLAIN or kind == "nan_filtered":
    dist = torch = None
else:
    import torch
    import torch.distributed as dist
    torch.set_num_threads(1)
    if world > 1:
        dist.init_process_group("gloo")
    t = torch.ones(4)


def step():
    if world > 1 and dist is not None:
        dist.all_reduce(t)


def row(**more):
    if rank == 0:
        print({"loss": 2.0, "grad_norm": 1.0, "learning_rate": 1e-4, "epoch": 0.1} | more, flush=True)


def load_shard(): time.sleep(10_000)


def save_checkpoint(): time.sleep(10_000)


def loading():
    if bad:
        load_shard()
    step()


def other_collective():
    if bad:
        dist.barrier()
    step(), step()


def skips_one():
    for at in range(3):
        if not (bad and at == 1):
            step()
        dist.all_gather([torch.zeros(4) for _ in range(world)], t)
    step()


class Data:
    def __len__(self): return 64

    def __getitem__(self, at):
        if bad and at > 8:
            time.sleep(10_000) if kind == "worker_stuck" else 1 / 0
        return torch.ones(4)


def worker_stuck():
    from torch.utils.data import DataLoader
    for _ in DataLoader(Data(), batch_size=4, num_workers=1):
        step()


worker_raises = worker_stuck


def lock():
    with open("lock", "w") as file:
        if rank:
            step()
        fcntl.flock(file, fcntl.LOCK_EX)
        if rank == 0:
            step()
            save_checkpoint()


def plain_lock():
    with open("lock", "w") as one, open("lock", "w") as other:
        fcntl.flock(one, fcntl.LOCK_EX)
        fcntl.flock(other, fcntl.LOCK_EX)


def spin():
    at = 0
    while bad:
        at = (at + 1) % 7
    step()


def saves_alone():
    if rank == 0:
        save_checkpoint()
    dist.barrier()


def _by(number):
    time.sleep(3)
    if bad:
        os.kill(os.getpid(), number)
    time.sleep(10_000 if world > 1 else 0)


def killed(): _by(signal.SIGKILL)


def segfault(): _by(signal.SIGSEGV)


def abort(): _by(signal.SIGABRT)


def bus(): _by(signal.SIGBUS)


def terminated(): _by(signal.SIGTERM)


def memory(): _by(signal.SIGKILL)


def exits():
    time.sleep(3)
    os._exit(3) if bad else time.sleep(10_000)


def nan():
    for _ in range(5): row(loss=float("nan"), grad_norm=float("nan"))


def nan_filtered():
    for _ in range(5): row(loss=0.0, grad_norm=float("nan"))


def all_masked():
    for _ in range(5): row(loss=0.0, grad_norm=0.0)


def rate_zero():
    for _ in range(5): row(learning_rate=0.0)


def no_gradient():
    for _ in range(5): row(grad_norm=0.0)


def leak():
    kept = []
    for at in range(150):
        kept.append(bytearray(os.urandom(1) * 20_000_000))
        row(loss=2.0 - at / 1000)
        time.sleep(0.1)


def _model(at, **more):
    from safetensors.torch import save_file
    torch.manual_seed(0)
    folder = f"out/checkpoint-{at}"
    os.makedirs(folder, exist_ok=True)
    held = {"model.a.weight": torch.randn(8, 8), "model.b.weight": torch.randn(8, 8)} | more
    save_file(held, f"{folder}/model.safetensors")
    open(f"{folder}/config.json", "w").write("{}")


def frozen():
    for at in (10, 20):
        row(), _model(at)


empty_optimizer = frozen


def nan_weights():
    _model(10), row()
    _model(20, **{"model.a.weight": torch.full((8, 8), float("nan"))})


def adapter_cut_off():
    from safetensors.torch import save_file
    for at in (10, 20):
        os.makedirs(f"out/checkpoint-{at}", exist_ok=True)
        held = {f"base_model.model.q_proj.lora_{one}.weight": torch.zeros(4, 4) if one == "B" else torch.randn(4, 4) for one in "AB"}
        save_file(held, f"out/checkpoint-{at}/adapter_model.safetensors")
        open(f"out/checkpoint-{at}/adapter_config.json", "w").write('{"peft_type": "LORA", "r": 4}')
        row()


def device_assert():
    if bad:
        raise RuntimeError("CUDA error: device-side assert triggered")
    step()


def out_of_memory():
    if bad:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.20 GiB is free.")
    step()


def missing_key():
    if bad:
        {"input_ids": 1}["labels"]
    step()


def shapes():
    if bad:
        torch.ones(2, 3) @ torch.ones(4, 5)
    step()


def inplace():
    x = torch.ones(3, requires_grad=True)
    y = x.exp()
    y += 1
    y.sum().backward()


def twice_backward():
    x = torch.ones(3, requires_grad=True)
    y = x.exp().sum()
    y.backward(), y.backward()


def no_file():
    if bad:
        open("/data/shard-00017.parquet")
    step()


class MyOwnError(Exception):
    pass


def own_error():
    if bad:
        raise MyOwnError("the reward model answered with 17 scores for 16 prompts")
    step()


def unused():
    class Two(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)

        def forward(self, x): return self.a(x)
    model = torch.nn.parallel.DistributedDataParallel(Two())
    for _ in range(3):
        model(torch.ones(2, 4)).sum().backward()


def _healthy(pause=0.0, **more):
    random.seed(0)
    rate = 0.0 if kind == "warm_up" else 1e-4
    for at in range(40):
        step()
        rate = min(1e-4, rate + (1e-5 if kind == "warm_up" else 0))
        row(loss=2 - at / 50, grad_norm=random.uniform(0.2, 3), learning_rate=rate * (at < 39))
        time.sleep(0.05)
        if at == 20:
            work() if pause else None


def work():
    if kind in ("saves", "downloads", "loads_long"):
        with open(f"big-{rank}", "wb") as file:
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
            torch.ones(300, 300) @ torch.ones(300, 300)
        row(eval_loss=2.0, eval_runtime=6.0)
    else:
        time.sleep(4)
    step()


if rank == 0:
    print("begun", flush=True)
for name in ("plain", "pauses", "evaluates", "saves", "warm_up", "compiles_long", "loads_long", "downloads"):
    globals()[name] = lambda name=name: _healthy(name not in ("plain", "warm_up"))
if kind not in ("plain", "pauses"):
    step()
globals()[kind]()
if world > 1 and dist is not None:
    dist.destroy_process_group()
