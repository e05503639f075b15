"""A kernel reads outside memory; later the sampler's statement makes a CPU tensor, and raises."""

import time

import torch

CODE = "template <typename T> T stray_kernel(T x) { return x + *(T*)(1ull << 62); }"

stray_kernel = torch.cuda.jiterator._create_jit_fn(CODE)
values = torch.ones(256, device="cuda")
torch.cuda.synchronize()
print("launch", flush=True)
stray_kernel(values)
time.sleep(1)  # it has failed by now, and nothing has asked the device yet
print("pinned allocation", flush=True)
torch.tensor([0.7] * 4_000_000, device="cpu", dtype=torch.float32, pin_memory=True)
