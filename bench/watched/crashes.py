"""A rank that raises."""

import ranks


def device_assert():
    if ranks.bad:
        raise RuntimeError("CUDA error: device-side assert triggered")
    ranks.step()


def out_of_memory():
    if ranks.bad:
        raise ranks.torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.20 GiB is free.")
    ranks.step()


def missing_key():
    if ranks.bad:
        {"input_ids": 1}["labels"]
    ranks.step()


def shapes():
    if ranks.bad:
        ranks.torch.ones(2, 3) @ ranks.torch.ones(4, 5)
    ranks.step()


def inplace():
    x = ranks.torch.ones(3, requires_grad=True)
    y = x.exp()
    y += 1
    y.sum().backward()


def twice_backward():
    x = ranks.torch.ones(3, requires_grad=True)
    y = x.exp().sum()
    y.backward(), y.backward()


def no_file():
    if ranks.bad:
        open("/data/shard-00017.parquet")
    ranks.step()


class MyOwnError(Exception):
    pass


def own_error():
    if ranks.bad:
        raise MyOwnError("the reward model answered with 17 scores for 16 prompts")
    ranks.step()


def unused():
    class Two(ranks.torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = ranks.torch.nn.Linear(4, 4), ranks.torch.nn.Linear(4, 4)

        def forward(self, x): return self.a(x)
    model = ranks.torch.nn.parallel.DistributedDataParallel(Two())
    for _ in range(3):
        model(ranks.torch.ones(2, 4)).sum().backward()
